import HealthAnalysis
import HealthAnswers
import HealthSamples

/// Blood pressure of the last year, beside the classes of a guideline, and the average at home.
struct PressureCard {
  private let ask: Ask
  private let answer: PressureAnswer
  private let chart: PressureChart

  /// Reads the pressures of the last year; `nil` without readings.
  init?(_ reader: ReportReader) throws(ReportError) {
    let ids = Set(reader.measures.map(\.id))
    guard ids.isSuperset(of: ["bloodPressureSystolic", "bloodPressureDiastolic"]) else {
      return nil
    }
    let first = reader.period.first(ofLast: ReportPeriod.year)
    let found = try reader.unlessRefused { () throws(ReportError) in
      try reader.results(.pressure(PressureParameters()), from: first)
    }
    guard let found, case .pressure(let pressure) = found.results else { return nil }
    (ask, answer) = (found.ask, pressure)
    chart = try PressureChart(from: first, reader)
  }

  /// The class from which on the guideline speaks of hypertension: its edges are in the chart.
  private var marked: PressureAnswer.ClassCount? {
    let names: [BloodPressureGuideline.Category] = [
      .stage1Hypertension, .hypertension, .grade1Hypertension,
    ]
    return answer.classes.first { names.contains($0.category) }
  }

  /// Writes the card.
  func write(to markup: inout Markup, _ page: inout Page) {
    let words = page.words.pressure
    let edges = [marked?.systolicFrom, marked?.diastolicFrom].compactMap {
      PageTable.Form.number(0).shown($0)
    }
    let table = page.payload.add(chart.table)
    let page = page
    markup.card(words.title, family: .body, isWide: true) { aside in
      aside.write(
        words.lastYear,
        [
          { half(answer.mornings, "mornings", words.mornings, words.noMornings, to: &$0, page) },
          { half(answer.evenings, "evenings", words.evenings, words.noEvenings, to: &$0, page) },
        ])
    } _: { markup in
      markup.element("p", ["class": "home"]) { home(to: &$0, page) }
      markup.element("div", ["class": "split"]) { markup in
        markup.element("div") { chart.write(edges: edges, table: table, to: &$0, page) }
        markup.element("div") { classes(to: &$0, page) }
      }
      caption(to: &markup, page)
      markup.table(table, page.words.table.readings, of: words.title, page)
    }
  }

  private func caption(to markup: inout Markup, _ page: Page) {
    let words = page.words.pressure
    markup.element("p", ["class": "caption"]) { markup in
      if let marked {
        let place = "classes[class=\(marked.category.rawValue)]"
        func edge(_ value: Double?, _ member: String) -> (inout Markup) -> Void {
          { number(value, "\(place).\(member)", to: &$0, page) }
        }
        let hours = chart.hours.map { hour -> (inout Markup) -> Void in
          { $0.write(page.dates.clock(minutes: hour * 60)) }
        }
        markup.write(
          chart.isOfReadings ? words.caption : words.captionOfDays,
          [
            edge(marked.systolicFrom, "systolicFrom"), edge(marked.diastolicFrom, "diastolicFrom"),
            { $0.write(answer.parameters.guideline.name) },
            { $0.write(words.name(of: marked.category)) },
          ] + hours)
      }
      let lone = answer.loneSystolicCount + answer.loneDiastolicCount
      for (pattern, count) in [
        (words.lone, lone), (words.implausible, answer.implausibleCount),
      ] where count > 0 {
        markup.write(" " + TextPattern.counted(pattern, count, page.writer.number(count)))
      }
      markup.write(" \(words.decides) \(words.noDiagnosis)")
    }
  }

  private func number(
    _ value: Double?, _ place: String, to markup: inout Markup, _ page: Page
  ) {
    guard let shown = PageTable.Form.number(0).shown(value) else { return }
    AskedNumber(ask: ask, place: place, text: page.writer.number(shown)).write(to: &markup, "span")
  }

  /// The means of mornings or evenings: `119/77`, and of how many readings.
  private func half(
    _ average: PressureAnswer.Average?, _ place: String, _ words: String, _ none: String,
    to markup: inout Markup, _ page: Page
  ) {
    guard let average else { return markup.write(none) }
    markup.write(
      words,
      [
        { both(average.systolic, average.diastolic, place, to: &$0, page) },
        { number(Double(average.count), "\(place).count", to: &$0, page) },
      ])
  }

  /// The average at home, or that there is none.
  private func home(to markup: inout Markup, _ page: Page) {
    let words = page.words.pressure
    guard case .success(let average)? = answer.home, let found = answer.homeClass else {
      return markup.write(words.noHome)
    }
    let days = [average.droppedDay + 1, average.days.upperBound].map {
      page.dates.shortDay(CivilDate(dayNumber: $0))
    }
    markup.write(
      words.home,
      [
        { both(average.all.systolic, average.all.diastolic, "home.all", to: &$0, page) },
        { $0.write(words.name(of: found.category)) },
        { number(Double(average.all.count), "home.all.count", to: &$0, page) },
        { $0.write(days[0]) }, { $0.write(days[1]) },
      ])
  }

  /// Both numbers of a mean: `119/77 mmHg`.
  private func both(
    _ systolic: Double, _ diastolic: Double, _ place: String, to markup: inout Markup,
    _ page: Page
  ) {
    markup.element("span", ["dir": "ltr"]) { markup in
      number(systolic, "\(place).systolic", to: &markup, page)
      markup.write("/")
      number(diastolic, "\(place).diastolic", to: &markup, page)
      markup.write("\u{A0}\(PressureChart.unit(page))")
    }
  }

  // MARK: - Classes

  private func classes(to markup: inout Markup, _ page: Page) {
    let words = page.words.pressure
    let most = answer.classes.map(\.count).max() ?? 0
    markup.element(
      "p", ["class": "small-head"],
      TextPattern.filled(words.classes, answer.parameters.guideline.name))
    markup.element("table", ["class": "data"]) { markup in
      markup.element("tbody") { markup in
        for (row, found) in answer.classes.enumerated() {
          markup.element("tr") { markup in
            markup.element("th", ["scope": "row"]) { markup in
              markup.write(words.name(of: found.category))
              markup.element("small", [:], range(ofClass: row, page))
            }
            markup.bar(share: most > 0 ? Double(found.count) / Double(most) : 0)
            markup.element("td", ["class": "n"]) { markup in
              number(
                Double(found.count), "classes[class=\(found.category.rawValue)].count",
                to: &markup, page)
            }
          }
        }
      }
    }
  }

  /// The numbers of a class in words: from its edges up to those of the class above.
  private func range(ofClass row: Int, _ page: Page) -> String {
    let words = page.words.pressure
    func shown(_ edge: Double?) -> Int? { PageTable.Form.number(0).shown(edge) }
    let found = answer.classes[row]
    let above = answer.classes.dropFirst(row + 1)
    let next = (
      above.first.flatMap { shown($0.systolicFrom) },
      above.lazy.compactMap { shown($0.diastolicFrom) }.first
    )
    func text(_ number: Int) -> String { page.writer.number(number) }
    func last(_ edge: Int) -> String { text(ScaledNumber.difference(edge, from: 1)) }
    switch (shown(found.systolicFrom), shown(found.diastolicFrom), next.0, next.1) {
    case (nil, _, let systolic?, let diastolic?):
      return TextPattern.filled(words.bothUnder, text(systolic), text(diastolic))
    case (let systolic?, nil, let end?, let diastolic?):
      return TextPattern.filled(
        words.betweenAndUnder, text(systolic), last(end), text(diastolic))
    case (let systolic?, let diastolic?, let end?, let otherEnd?):
      return TextPattern.filled(
        words.eitherBetween, text(systolic), last(end), text(diastolic), last(otherEnd))
    case (let systolic?, let diastolic?, _, _):
      return TextPattern.filled(words.eitherFrom, text(systolic), text(diastolic))
    default: return ""
    }
  }
}

extension Words.Pressure {
  /// The name of a class.
  func name(of category: BloodPressureGuideline.Category) -> String {
    switch category {
    case .optimal: optimal
    case .normal: normal
    case .highNormal: highNormal
    case .elevated: elevated
    case .nonElevated: nonElevated
    case .stage1Hypertension: stage1
    case .stage2Hypertension: stage2
    case .hypertension: hypertension
    case .grade1Hypertension: grade1
    case .grade2Hypertension: grade2
    case .grade3Hypertension: grade3
    case .belowHypertension: belowHypertension
    }
  }
}

extension Markup {
  /// Writes a cell with a bar of some share of its width.
  mutating func bar(share: Double) {
    element("td", ["class": "bar"]) { markup in
      var plot = Plot(height: 12, top: 0, bottom: 0, range: 0...1)
      if share > 0 {
        plot.rectangle("m", x: 0, width: max(share, 0.01), y: 0, height: 12, radius: 2)
      }
      markup.element(
        "svg", ["width": "100%", "height": "12", "aria-hidden": "true"]
      ) { $0.append(plot.drawing) }
    }
  }
}
