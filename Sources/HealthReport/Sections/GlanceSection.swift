import HealthAnalysis
import HealthAnswers
import HealthSamples

/// All measures: where the last seven days lie among the weeks of a year.
struct GlanceSection: PageSection {
  static let section = ReportSection.glance

  let answers: [MeasureAnswers]

  /// Whether there is a typical week, and a year to compare with: columns that are empty are left out.
  private let hasTypical: Bool
  private let hasYears: Bool

  /// The answers of several measures; `nil` for fewer.
  init?(_ answers: [MeasureAnswers]) {
    self.answers = answers.filter { $0.values.contains { $0 != nil } }
    guard self.answers.count > 1 else { return nil }
    hasTypical = self.answers.contains { $0.typical != nil }
    hasYears = self.answers.contains { $0.years != nil }
  }

  func write(to markup: inout Markup, _ page: inout Page) {
    let words = page.words.glance
    markup.element("article", ["class": "card w2"]) { markup in
      markup.element("table", ["class": "glance"]) { markup in
        head(to: &markup, page)
        var shown = answers[...]
        while let family = shown.first?.measure.family {
          let group = shown.prefix { $0.measure.family == family }
          shown = shown.dropFirst(group.count)
          markup.element("tbody", ["class": family.style]) { markup in
            markup.element("tr", [:]) { markup in
              markup.element(
                "th",
                [
                  "class": "family \(family.style)", "colspan": "\(columnCount)",
                  "scope": "rowgroup",
                ],
                page.words.families.name(family))
            }
            for answer in group { row(answer, to: &markup, page) }
          }
        }
      }
      guard hasTypical else { return }
      markup.key(
        [
          (
            { plot in
              plot.rectangle("box", x: 0, width: 1, y: 2, height: 10, radius: 2)
              plot.line("ml", from: (0.5, 2), to: (0.5, 12))
            }, words.keyTypical
          ),
          ({ $0.circle("m", x: 0.5, y: 7, radius: 4.5) }, words.keyNow),
          ({ $0.diamond("m", x: 0.5, y: 7) }, words.keyUnusual),
        ], style: Measure.Family.activity.style)
    }
  }

  private var columnCount: Int { 2 + (hasTypical ? 3 : 0) + (hasYears ? 1 : 0) }

  private func head(to markup: inout Markup, _ page: Page) {
    let words = page.words.glance
    markup.element("thead") { markup in
      markup.element("tr") { markup in
        let years = TextPattern.filled(
          words.years, page.dates.year(page.period.lastWhole.year),
          page.dates.year(page.period.lastWhole.year - 1),
          page.dates.dayAndMonth(page.period.lastWhole))
        let typical = [
          ("strip", words.inYourYear), ("range", words.typicalWeek), ("spark", words.weeks),
        ]
        for (style, text) in [("", words.measure), ("n", words.lastSevenDays)]
          + (hasTypical ? typical : []) + (hasYears ? [("change", years)] : [])
        {
          markup.element("th", ["class": style.isEmpty ? nil : style, "scope": "col"], text)
        }
      }
    }
  }

  private func row(_ answer: MeasureAnswers, to markup: inout Markup, _ page: Page) {
    let measure = answer.measure
    let mean = answer.mean(page)
    // Where the last seven days have nothing, the last number stands with its day.
    let last = mean == nil ? answer.lastDay(page) : nil
    markup.element("tr", ["data-measure": measure.id]) { markup in
      markup.element("th", ["scope": "row"]) { markup in
        markup.write(measure.name)
        if let last {
          markup.write(" ")
          markup.element("small", [:], page.dates.shortDay(last.date))
        } else {
          markup.daysOfWeek(answer, page)
        }
      }
      markup.element("td", ["class": "n", "dir": "ltr"]) { markup in
        guard let number = mean ?? last?.number else { return }
        number.write(to: &markup)
        markup.write(" ")
        markup.element("span", ["class": "unit"], measure.unit)
      }
      if hasTypical { typicalCells(answer, to: &markup, page) }
      if hasYears { change(of: answer, to: &markup, page) }
    }
  }

  private func typicalCells(_ answer: MeasureAnswers, to markup: inout Markup, _ page: Page) {
    let measure = answer.measure
    markup.element("td", ["class": "strip"]) { strip(answer, to: &$0, page) }
    markup.element("td", ["class": "range"]) { markup in
      guard let typical = answer.typical else { return }
      func end(_ place: String, _ value: Double) -> (inout Markup) -> Void {
        {
          guard let shown = measure.form.shown(value) else { return }
          AskedNumber(
            ask: answer.typicalAsk, place: "\(answer.typicalPlace).\(place)",
            text: page.writer.text(shown, measure.form)
          ).write(to: &$0, "span")
        }
      }
      markup.element("span", ["dir": "ltr"]) { markup in
        markup.write(
          page.words.patterns.numberRange,
          [end("low", typical.range.low), end("high", typical.range.high)])
      }
    }
    markup.element("td", ["class": "spark"]) { markup in
      answer.typical?.sparkline.write(height: 24, to: &markup)
    }
  }

  private func change(of answer: MeasureAnswers, to markup: inout Markup, _ page: Page) {
    let years = TextPattern.filled(
      page.words.glance.shortYears, page.dates.year(page.period.lastWhole.year),
      page.dates.year(page.period.lastWhole.year - 1))
    markup.element("td", ["class": "change", "data-head": years]) { markup in
      guard let change = answer.yearOnYear(page) else { return }
      markup.element("span", ["dir": "ltr"]) { markup in
        markup.write(
          page.words.glance.change,
          [
            { $0.write(change.difference) }, { change.before.write(to: &$0, "span") },
            { change.now.write(to: &$0, "span") },
          ])
      }
    }
  }

  /// The last mean among the means of a year: from the least to the greatest, the typical range as a
  /// bar, the median as a tick.
  private func strip(_ answer: MeasureAnswers, to markup: inout Markup, _ page: Page) {
    guard let typical = answer.typical else { return }
    let range = typical.range
    let (low, high) = (min(range.least, typical.mean), max(range.greatest, typical.mean))
    let span = high > low ? high - low : 1
    func x(_ value: Double) -> Double { 0.03 + 0.94 * (value - low) / span }
    var plot = Plot(height: 20, top: 0, bottom: 0, range: 0...1)
    plot.line("hair", from: (x(range.least), 10), to: (x(range.greatest), 10))
    plot.rectangle(
      "box", x: x(range.low), width: max(x(range.high) - x(range.low), 0.005), y: 5,
      height: 10, radius: 2)
    plot.line("ml", from: (x(range.median), 5), to: (x(range.median), 15))
    let isOutside = typical.position != .inside
    if isOutside {
      plot.diamond("now", x: x(typical.mean), y: 10)
    } else {
      plot.circle("now", x: x(typical.mean), y: 10, radius: 5)
    }
    func text(_ value: Double) -> String {
      answer.measure.form.shown(value).map { page.writer.text($0, answer.measure.form) } ?? ""
    }
    let words = TextPattern.filled(
      page.words.glance.strip, text(typical.mean), text(range.low), text(range.high),
      text(range.median))
    markup.element(
      "svg",
      [
        "role": "img", "width": "100%", "height": "20",
        "aria-label": TextPattern.filled(
          page.words.patterns.labelled, answer.measure.name, words),
      ]
    ) { $0.append(plot.drawing) }
  }
}
