import HealthAnswers
import HealthSamples

/// The hours of workouts by month: the kinds that took most time on top of each other, beside them a
/// table of the kinds.
struct WorkoutMonths {
  let ask: Ask
  let answer: WorkoutAnswer
  /// The first day that is asked for.
  let first: CivilDate
  let unit: SplitLength

  private static let height = 190.0
  /// As many months fill the plot.
  private static let leastMonths = 6

  /// Writes the card.
  func write(to markup: inout Markup, _ page: inout Page) {
    let table = table(page)
    let id = page.payload.add(table)
    let words = page.words.workouts
    markup.card(words.hoursByMonth, family: .activity, isWide: true) { aside in
      let total = answer.total.count
      let isYear = first.dayNumber <= page.period.last.adding(months: -11).dayNumber
      let pattern = isYear ? TextPattern.form(words.inYear, of: total) : words.count
      let number = AskedNumber(
        ask: ask, place: "total.count", text: page.writer.number(total))
      aside.write(pattern, [{ number.write(to: &$0, "span") }])
    } _: { markup in
      markup.element("div", ["class": "split"]) { markup in
        figure(table, id, page).write(to: &markup, page)
        kinds(to: &markup, page)
      }
      if let start = answer.starts.first.map({ page.reader.date($0) }), start < first {
        markup.caption(
          TextPattern.filled(words.wholeMonths, page.dates.dayMonthAndYear(start)))
      }
      markup.table(id, page.words.table.months, of: page.words.workouts.hoursByMonth, page)
    }
  }

  /// The class of the colour of a kind: the others together, and all beyond the fourth, have that of
  /// no kind.
  static func style(of kind: Int) -> String {
    kind < ReportReader.kindCount ? "k\(kind + 1)" : "k0"
  }

  // MARK: - The figure

  private func table(_ page: Page) -> PageTable {
    PageTable(
      ask: ask, row: .month, head: page.words.table.month,
      starts: answer.starts.map { page.reader.date($0).text },
      columns: answer.kinds.enumerated().map { place, kind in
        PageTable.Column(
          stat: "kinds[\(place)].duration", name: page.words.name(ofWorkout: kind.activity),
          form: .duration,
          values: kind.rows.map { PageTable.Form.duration.shown($0.value(.duration)) })
      })
  }

  private func figure(_ table: PageTable, _ id: String, _ page: Page) -> Figure {
    let stacks = (0..<table.count).map { row in
      table.columns.map { Double(max(0, $0.values[row] ?? 0)) / 60 }
    }
    let most = max(stacks.map { $0.reduce(0, +) }.max() ?? 1, 0.1)
    // Whole hours, where there are some and not hundreds.
    let axis =
      4...48 ~= most ? Axis(hours: most) : Axis(0...most, count: 3, includesZero: true)
    var plot = Plot(height: Self.height, range: axis.range)
    for tick in axis.ticks { plot.level(tick == 0 ? "zero" : "grid", tick) }
    let step = 1 / Double(max(1, table.count))
    let width = Plot.barWidth(of: table.count, share: 0.62, least: Self.leastMonths)
    for (row, stack) in stacks.enumerated() {
      var low = 0.0
      for (kind, hours) in stack.enumerated() where hours > 0 {
        plot.bar(
          Self.style(of: kind), x: (Double(row) + 0.5) * step - width / 2, width: width, from: low,
          to: low + hours)
        low += hours
      }
    }
    let dates = answer.starts.map { page.reader.date($0) }
    // On a narrow screen every second month has its name, and the year's first has one always.
    let parity = (dates.firstIndex { $0.month == 1 } ?? dates.count - 1) % 2
    for (row, date) in dates.enumerated() {
      plot.label(
        row % 2 == parity ? "t mid" : "t mid t2", x: (Double(row) + 0.5) * step,
        y: Self.height - 6,
        date.month == 1 && row > 0 ? page.dates.year(date.year) : page.dates.shortMonth(date))
    }
    let totals = answer.kinds.map { kind in
      let time = PageTable.Form.duration.shown(kind.total.value(.duration))
      return TextPattern.filled(
        page.words.figure.part, page.words.name(ofWorkout: kind.activity),
        time.map { page.writer.duration(minutes: $0) } ?? page.words.states.noData)
    }
    var figure = Figure(
      name: page.words.workouts.hoursByMonth,
      description: totals.joined(separator: page.words.phrases.comma), plot: plot)
    let hour = UnitNames.name(of: Measure.of(""), in: "hr", page.writer.language.base).other
    figure.axis = axis.ticks.compactMap { tick in
      ScaledNumber.scaled(tick, digits: axis.digits).map { shown in
        (
          plot.y(tick),
          page.writer.withUnit(page.writer.number(shown, digits: axis.digits), hour), false
        )
      }
    }
    figure.rows = Figure.Rows(
      table: id, range: 0..<table.count, columns: Array(table.columns.indices))
    return figure
  }

  // MARK: - The table beside it

  private func kinds(to markup: inout Markup, _ page: Page) {
    let words = page.words.workouts
    let distances = answer.kinds.compactMap { unit($0.total.value(.distance)) }
    let digits = distances.contains { $0 >= 100 } ? 0 : 1
    markup.element("table", ["class": "data"]) { markup in
      markup.element("thead") { markup in
        markup.element("tr") { markup in
          markup.element("th", ["scope": "col"], words.kind)
          for text in [words.times, words.time, unit.rawValue] {
            markup.element("th", ["scope": "col", "class": "n"], text)
          }
        }
      }
      markup.element("tbody") { markup in
        for (place, kind) in answer.kinds.enumerated() {
          markup.element("tr") { markup in
            markup.element("th", ["scope": "row"]) { markup in
              markup.element("span", ["class": "key-item"]) { markup in
                Self.swatch(place, to: &markup)
                markup.element("bdi", [:], page.words.name(ofWorkout: kind.activity))
              }
            }
            let prefix = "kinds[\(place)]"
            markup.cell(
              .number(0), Double(kind.total.count), AskedPlace(ask, "\(prefix).count"), page)
            markup.cell(
              .duration, kind.total.value(.duration), AskedPlace(ask, "\(prefix).duration"), page)
            markup.cell(
              .number(digits), unit(kind.total.value(.distance)),
              AskedPlace(ask, "\(prefix).distance"), page)
          }
        }
      }
    }
  }

  private static func swatch(_ kind: Int, to markup: inout Markup) {
    markup.element(
      "svg", ["class": "swatch", "width": "14", "height": "14", "aria-hidden": "true"]
    ) { markup in
      markup.empty(
        "rect",
        [
          "class": style(of: kind), "x": "1", "y": "1", "width": "12", "height": "12", "rx": "2",
        ])
    }
  }
}

/// Where a number stands in the answer to a question.
struct AskedPlace {
  let ask: Ask
  let place: String

  init(_ ask: Ask, _ place: String) { (self.ask, self.place) = (ask, place) }
}

extension Markup {
  /// Writes a cell with a number of an answer, and its unit for where the table has no head; a dash
  /// where there is none.
  mutating func cell(
    _ form: PageTable.Form, _ value: Double?, _ place: AskedPlace, _ page: Page,
    unit: String? = nil
  ) {
    let shown = form.shown(value)
    element("td", ["class": "n", "data-unit": shown == nil ? nil : unit]) { markup in
      guard let shown else { return markup.write("–") }
      AskedNumber(
        ask: place.ask, place: place.place, text: page.writer.text(shown, form)
      ).write(to: &markup, "span")
    }
  }
}

extension Words {
  /// The name of a kind of workout as it is written in exports; that of several kinds for `nil`.
  func name(ofWorkout activity: String?) -> String {
    guard let activity else { return workouts.other }
    func named(_ name: String) -> String { activities[name] ?? Measure.words(of: name) }
    let name = Catalogue.workoutActivities.first { $0.constant == activity }?.swiftName
    if let name { return named(name) }
    let prefix = "HKWorkoutActivityType"
    let own = activity.hasPrefix(prefix) ? activity.dropFirst(prefix.count) : activity[...]
    // A name that no catalogue has is anyone's text, of any length.
    let shown = ShownName(String(own)).short
    return shown.isEmpty ? named("other") : Measure.words(of: shown)
  }
}
