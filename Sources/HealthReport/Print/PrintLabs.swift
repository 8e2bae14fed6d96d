import Foundation
import HealthAnswers
import HealthQuery
import HealthSamples

/// The last result of each laboratory test, with its range of reference: those outside of it first,
/// then the newest.
struct PrintLabs {
  private let ask: Ask
  private let results: [Result]
  /// How many documents could not be read.
  private let unreadable: Int

  /// One result.
  private struct Result {
    /// Its place in the answer.
    let row: Int
    let name: String
    /// The sign of a number that is a bound: `<`; empty else.
    let sign: String
    /// The number as written, or the words.
    let value: String
    let isNumber: Bool
    let unit: String
    let reference: String
    let day: String
    /// Whether it lies above or below the range; `nil` inside, and where that is not known.
    let isAbove: Bool?

    var signed: String { sign.isEmpty ? value : "\(sign)\u{A0}\(value)" }
  }

  /// The widths of the columns, as the style has them.
  private static let widths = (name: 138.0, value: 90.0, reference: 68.0)

  /// Reads all results up to the end of records; `nil` without any.
  init?(_ reader: ReportReader) throws(ReportError) {
    guard reader.plan.types.isEmpty else { return nil }
    let (ask, answer) = try reader.elements(
      ["stats", "labs"], from: nil, to: reader.period.recordsEnd
    ) { period throws(QueryError) in
      try reader.store.labResults(LabPlan(period))
    }
    func texts(_ column: String) -> [String] { answer.texts(column) ?? [] }
    let (names, codes, flags) = (texts("name"), texts("code"), texts("flag"))
    let (words, units, ranges) = (texts("text"), texts("unit"), texts("range"))
    let (values, lows, highs) = (
      answer["value"] ?? [], answer["low"] ?? [], answer["high"] ?? []
    )
    var known: Set<String> = []
    var results: [Result] = []
    for row in (0..<answer.count).reversed() {
      guard known.insert(codes[row].isEmpty ? names[row].lowercased() : codes[row]).inserted else {
        continue
      }
      let number = values[row].map { Self.text($0, reader.writer) }
      let unit = ShownName(units[row]).short
      results.append(
        Result(
          row: row, name: ShownName(names[row].isEmpty ? codes[row] : names[row]).onPaper,
          sign: number == nil ? "" : ShownName(words[row]).short,
          value: number ?? ShownName(words[row]).short, isNumber: number != nil,
          unit: number == nil ? "" : unit,
          reference: Self.reference(lows[row], highs[row], ranges[row], reader),
          day: reader.dates.shortDay(reader.date(answer.starts[row])),
          isAbove: flags[row].isEmpty ? nil : flags[row] == "high"))
    }
    guard !results.isEmpty else { return nil }
    (self.ask, unreadable) = (ask, answer.unreadable)
    self.results =
      results.filter { $0.isAbove != nil } + results.filter { $0.isAbove == nil }
  }

  /// A number with the decimals that it was written with.
  private static func text(_ value: Double, _ writer: NumberWriter) -> String {
    let most = mostDigits(of: value)
    let digits = (0..<most).first { digits in
      let scaled = value * ScaledNumber.power(digits)
      return abs(scaled - scaled.rounded()) <= 1e-9 * scaled.magnitude
    }
    guard most <= 9,
      let scaled = ScaledNumber.scaled(value, digits: digits ?? most)
    else { return value.description }
    return writer.number(scaled, digits: digits ?? most)
  }

  /// Four decimals, or those of three significant digits of a smaller number.
  private static func mostDigits(of value: Double) -> Int {
    guard value.isNormal, value.magnitude < 1e-2 else { return 4 }
    return 2 - Int(log10(value.magnitude).rounded(.down))
  }

  /// The range as the document has it in numbers, else in words.
  private static func reference(
    _ low: Double?, _ high: Double?, _ words: String, _ reader: ReportReader
  ) -> String {
    let texts = (
      low.map { text($0, reader.writer) }, high.map { text($0, reader.writer) }
    )
    return switch texts {
    case (let low?, let high?): reader.writer.range(low, high)
    case (let low?, nil): "≥ \(low)"
    case (nil, let high?): "≤ \(high)"
    case (nil, nil): words.isEmpty ? "" : ShownName(words).short
    }
  }

  /// How many rows fit a height, and how high they are with what stands around them.
  func rows(in height: Double, _ page: Page) -> (count: Int, height: Double) {
    let around = unreadable > 0 ? 86.0 : 52.0
    let heights = results.map { result in
      SheetSpace.row(
        (result.name, Self.widths.name),
        (
          "\(result.signed) \(result.unit) \(flag(of: result, page) ?? "")",
          Self.widths.value
        ),
        (result.reference, Self.widths.reference))
    }
    let all = SheetSpace.count(of: heights, in: height - around)
    guard all < results.count else { return (all, around + heights.reduce(0, +)) }
    let count = SheetSpace.count(of: heights, in: height - around - 20)
    return (count, around + 20 + heights.prefix(count).reduce(0, +))
  }

  private func flag(of result: Result, _ page: Page) -> String? {
    result.isAbove.map { $0 ? page.words.visit.above : page.words.visit.below }
  }

  func write(rows count: Int, to markup: inout Markup, _ page: Page) {
    let words = page.words.visit
    markup.card(words.labs, family: .body) { markup in
      markup.element("table", ["class": "data labs"]) { markup in
        markup.element("thead") { markup in
          markup.element("tr") { markup in
            for (name, style) in [
              (words.test, nil), (words.result, "n"), (words.reference, "n"), (words.day, "n"),
            ] {
              markup.element("th", ["class": style, "scope": "col"], name)
            }
          }
        }
        markup.element("tbody") { markup in
          for result in results.prefix(count) { write(result, to: &markup, page) }
        }
      }
      if results.count > count {
        markup.element("p", ["class": "caption"]) {
          $0.rest(results.count - count, Ask(["stats", "labs"]), page)
        }
      }
      if unreadable > 0 {
        markup.caption(
          TextPattern.counted(words.unreadable, unreadable, page.writer.number(unreadable)))
      }
    }
  }

  private func write(_ result: Result, to markup: inout Markup, _ page: Page) {
    markup.element("tr") { markup in
      markup.element("th", ["scope": "row"]) { $0.element("bdi", [:], result.name) }
      markup.element("td", ["class": "n"]) { markup in
        if !result.sign.isEmpty { markup.write(result.sign + "\u{A0}") }
        if result.isNumber {
          AskedNumber(
            ask: ask, place: "labResults[\(result.row)].value", text: result.value
          ).write(to: &markup)
        } else {
          markup.element("bdi", [:], result.value)
        }
        if !result.unit.isEmpty {
          markup.write(" ")
          markup.element("bdi", [:], result.unit)
        }
        if let flag = flag(of: result, page) {
          markup.write(" ")
          markup.element("b", ["class": "flag"], flag)
        }
      }
      markup.element("td", ["class": "n", "dir": "ltr"], result.reference)
      markup.element("td", ["class": "n"], result.day)
    }
  }
}
