import CHKStats
import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthC

/// The columns of an answer are one in every face.
///
/// The names of csv are those of Arrow without lists, and then the members of the head that rows
/// have; a value of json stands where the key of its field says; all have the same values.
@Suite("One answer has one table")
struct AnswerLawTests {
  struct Question: CustomTestStringConvertible {
    let function: String
    let json: String
    var testDescription: String { "\(function) \(json)" }
  }

  /// The methods whose columns are not described once; the list only shrinks.
  private static let pending = [#"rhythm", "type"#]

  /// The questions of `Questions.tsv` that are answered in UTC here.
  static let questions: [Question] =
    (try? References.table("Questions.tsv").compactMap { row in
      guard row["table"] == "analysis", let json = row["question"],
        !pending.contains(where: { json.hasPrefix(#"{"analysis": "\#($0)"#) })
      else { return nil }
      return Question(function: "analysis", json: json)
    }) ?? []

  /// Columns whose unit neither the head nor the name says: the unit follows from another column, or
  /// the name would be no longer the field's word.
  private static let unitsUnsaid: Set<String> = [
    "length", "bleed_length", "days", "difference", "sdnn", "rmssd", "recorded_sdnn",
  ]

  private let store: SampleStore

  init() throws { store = try SharedStore.person() }

  /// An answer as csv and json, and as Arrow.
  private func answer(
    to question: Question
  ) throws -> (table: AnswerTable, arrow: ArrowTable) {
    let json = String(question.json.dropLast()) + #", "timezone": "UTC"}"#
    var members = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let list = members.removeValue(forKey: "list") as? String
    let plan = try AnalysisPlan(json: JSONSerialization.data(withJSONObject: members))
    let table = try #require(try store.analysis(plan).table(list))
    return (table, try ArrowTable("analysis", json, of: store))
  }

  private static func text(_ write: (TextOutput) throws -> Void) throws -> String {
    let output = TextOutput()
    try write(output)
    return String(decoding: output.gathered, as: UTF8.self)
  }

  @Test("csv, json and Arrow have the same columns and values", arguments: questions)
  func oneTable(question: Question) throws {
    let (table, arrow) = try answer(to: question)
    let plain = arrow.fields.indices.filter { arrow.fields[$0].format != "+l" }
    let names = plain.map { arrow.fields[$0].name }
    // A fact that is a column, too, stands once.
    let facts = table.head.filter { $0.place == .rows }.map { AnswerField.words(of: $0.key) }
      .filter { !names.contains($0) }
    let records = try Self.text(table.writeRecords).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast().map { Self.fields(of: String($0)) }
    #expect(records.first == names + facts)
    #expect(Set(names + facts).count == names.count + facts.count)
    #expect(records.count == 1 + arrow.count)
    let document = try #require(
      try JSONSerialization.jsonObject(
        with: Data(Self.text { try table.writeDocument(to: $0) }.utf8)) as? [String: Any])
    let rows: [[String: Any]] =
      try table.list.map { try #require(document[$0] as? [[String: Any]]) } ?? [document]
    #expect(rows.count == arrow.count)
    for (row, object) in rows.enumerated() {
      var expected: Set<String> = []
      for (place, field) in arrow.fields.enumerated() {
        let (cell, key) = (arrow.allCells[place][row], try #require(field.key))
        expected.insert(String(key.prefix { $0 != "." }))
        #expect(Self.isSame(cell, Self.value(at: key, in: object)), "\(key), row \(row)")
      }
      for (column, place) in plain.enumerated() {
        #expect(
          Self.isSame(arrow.allCells[place][row], text: records[1 + row][column]),
          "\(names[column]), row \(row)")
      }
      // json has nothing that columns lack.
      if table.list != nil { #expect(Set(object.keys).isSubset(of: expected)) }
    }
  }

  @Test("Numbers say their unit in the head, in their name or in their row", arguments: questions)
  func units(question: Question) throws {
    let (table, arrow) = try answer(to: question)
    let whole = table.head.first { $0.key == "unit" }?.value
    for field in arrow.fields where field.format == "g" {
      guard let unit = field.unit, unit != "1", whole != .string(unit) else { continue }
      #expect(
        field.name.hasSuffix(AnswerField.ending(unit)) || Self.unitsUnsaid.contains(field.name),
        "\(field.name) in \(unit)")
    }
  }

  // MARK: - Values

  /// The fields of a record; quotes have no line breaks here.
  private static func fields(of record: String) -> [String] {
    var (fields, isQuoted) = ([""], false)
    for letter in record {
      switch letter {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: fields.append("")
      default: fields[fields.count - 1].append(letter)
      }
    }
    return fields
  }

  /// A value at some keys with points between; `nil` where there is none.
  private static func value(at path: String, in object: [String: Any]) -> Any? {
    path.split(separator: ".").reduce(object as Any?) { value, key in
      if let list = value as? [Any], let place = Int(key) { return list[place] }
      return (value as? [String: Any])?[String(key)]
    }.flatMap { $0 is NSNull ? nil : $0 }
  }

  private static func isSame(_ cell: ArrowTable.Cell, _ value: Any?) -> Bool {
    switch (cell, value) {
    case (.none, nil): true
    // Foundation reads the digits of json to a double near them; those of csv are compared exactly.
    case (.real(let number), let value as Double): abs(number - value) <= 1e-14 * abs(number)
    case (.integer(let number), let value as Int): number == value
    case (.truth(let truth), let value as Bool): truth == value
    case (.text(let text), let value as String): text == value
    case (.instant, let value as String), (.day, let value as String): isSame(cell, text: value)
    case (.list(let rows), let value as [Any]): rows.count == value.count
    case (.list(let rows), let value as [String: Any]): rows.count == value.count
    default: false
    }
  }

  private static func isSame(_ cell: ArrowTable.Cell, text: String) -> Bool {
    switch cell {
    case .none: text.isEmpty
    case .real(let number): Double(text) == number
    case .integer(let number): Int(text) == number
    case .truth(let truth): text == (truth ? "true" : "false")
    case .text(let word): text == word
    case .instant(let microseconds):
      (try? Date(text, strategy: .iso8601)).map {
        Int(($0.timeIntervalSince1970 * 1e6).rounded()) == microseconds / 1_000_000 * 1_000_000
      } ?? false
    case .day(let day): LocalTime.text(of: CivilDate(dayNumber: day - 11_323)) == text
    case .list: false
    }
  }
}
