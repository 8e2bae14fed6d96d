import HealthSamples

/// Medications of the last three months: how many doses of each were taken and skipped.
struct PrintMedications {
  private let totals: MedicationTotals
  private let first: CivilDate

  private static let days = 92
  /// The width of a name, as the style has it.
  private static let width = 125.0

  /// Reads the doses; `nil` without any.
  init?(_ reader: ReportReader) throws(ReportError) {
    guard reader.plan.types.isEmpty else { return nil }
    let end = try MedicationTotals.end(reader)
    first = reader.period.recordsFirst(ofLast: Self.days, before: end)
    guard let totals = try MedicationTotals(from: first, to: end, reader) else { return nil }
    self.totals = totals
  }

  /// How many rows fit a height, and how high they are with what stands around them.
  func rows(in height: Double) -> (count: Int, height: Double) {
    let around = 52.0
    let heights = totals.names.map { SheetSpace.row((ShownName($0).onPaper, Self.width)) }
    let all = SheetSpace.count(of: heights, in: height - around)
    guard all < heights.count else { return (all, around + heights.reduce(0, +)) }
    let count = SheetSpace.count(of: heights, in: height - around - 34)
    return (count, around + 34 + heights.prefix(count).reduce(0, +))
  }

  func write(rows count: Int, to markup: inout Markup, _ page: Page) {
    let words = page.words.medications
    markup.card(words.title, family: .body) { aside in
      let day = page.dates.dayAndMonth(first)
      aside.write(TextPattern.filled(page.words.visit.dosesSince, day))
    } _: { markup in
      markup.element("table", ["class": "data doses"]) { markup in
        markup.element("thead") { markup in
          markup.element("tr") { markup in
            markup.element("td", [:], "")
            for name in [words.taken, words.skipped] {
              markup.element("th", ["class": "n", "scope": "col"], SoftHyphens.text(name))
            }
          }
        }
        markup.element("tbody") { markup in
          for name in totals.names.prefix(count) { write(name, to: &markup, page) }
        }
      }
      let rest = totals.names.count - count
      guard rest > 0 else { return }
      markup.element("p", ["class": "caption"]) {
        $0.rest(rest, Ask(["stats", "medications"]), page)
      }
    }
  }

  private func write(_ name: String, to markup: inout Markup, _ page: Page) {
    markup.element("tr") { markup in
      markup.element("th", ["scope": "row"]) { $0.element("bdi", [:], ShownName(name).onPaper) }
      for state in ["taken", "skipped"] {
        markup.element("td", ["class": "n"]) { markup in
          guard let number = totals.number(name, state, page) else { return markup.write("–") }
          number.write(to: &markup, "span")
        }
      }
    }
  }
}
