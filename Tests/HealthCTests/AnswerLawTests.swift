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
/// have; a value of json stands where the key of its field says; a line of ndjson is a row of json
/// with what lines say of the head; all have the same values.
@Suite("One answer has one table")
struct AnswerLawTests {
  struct Question: CustomTestStringConvertible {
    let table: String
    let json: String
    var testDescription: String { "\(table) \(json)" }

    var inUTC: String {
      String(json.dropLast()) + (json == "{}" ? "" : ", ") + #""timezone": "UTC"}"#
    }
  }

  /// The questions of `Questions.tsv` whose answers are in memory; an analysis that names no list for
  /// each of its lists.
  static let questions: [Question] =
    (try? References.table("Questions.tsv").flatMap { row -> [Question] in
      guard let table = row["table"], table != "elements", let json = row["question"] else {
        return []
      }
      guard table == "analysis", let plan = try? AnalysisPlan(json: Data(json.utf8)) else {
        return [Question(table: table, json: json)]
      }
      return plan.lists.map {
        Question(table: table, json: json.dropLast() + #", "list": "\#($0)"}"#)
      }
    }) ?? []

  /// Columns whose unit neither the head nor the name says: the unit follows from another column, or
  /// the name would be no longer the field's word.
  private static let unitsUnsaid: Set<String> = [
    "period", "peak_time", "peak_time_margin", "acrophase", "difference", "sdnn", "rmssd",
    "recorded_sdnn", "duration", "hold",
  ]

  private let store: SampleStore

  init() throws { store = try SharedStore.person() }

  /// An answer as csv and json, and as Arrow, in UTC.
  private func answer(
    to question: Question
  ) throws -> (table: AnswerTable, arrow: ArrowTable) {
    let json = question.inUTC
    guard case .found(let ask) = try AskedTable(question.table).way else {
      throw QueryError(.notJSON)
    }
    return (try ask(json, store).answer, try ArrowTable(question.table, json, of: store))
  }

  private static func text(_ write: (TextOutput) throws -> Void) throws -> String {
    let output = TextOutput()
    try write(output)
    return String(decoding: output.gathered, as: UTF8.self)
  }

  private static func object(_ text: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("csv, json, ndjson and Arrow have the same columns and values", arguments: questions)
  func oneTable(question: Question) throws {
    let (table, arrow) = try answer(to: question)
    let plain = arrow.fields.indices.filter { arrow.fields[$0].format != "+l" }
    let names = plain.map { arrow.fields[$0].name }
    // A fact that is a column, too, stands once.
    let said = table.head.filter {
      $0.place == .rows && !names.contains(AnswerField.words(of: $0.key))
    }
    let facts = said.map { AnswerField.words(of: $0.key) }
    let records = try Self.text(table.writeRecords).split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast().map { Self.fields(of: String($0)) }
    #expect(records.first == names + facts)
    #expect(Set(names + facts).count == names.count + facts.count)
    #expect(records.count == 1 + arrow.count)
    let document = try Self.object(Self.text { try table.writeDocument(to: $0) })
    // The value that is encoded is the one that is written.
    #expect(try Self.object(table.document.text) as NSDictionary == document as NSDictionary)
    for (place, fact) in said.enumerated() {
      let text = { (record: [String]) in record[names.count + place] }
      #expect(
        records.dropFirst().allSatisfy { Self.isSame(document[fact.key], text: text($0)) },
        "\(fact.key)")
    }
    let rows: [[String: Any]] =
      try table.list.map { try #require(document[$0] as? [[String: Any]]) } ?? [document]
    try expectLines(of: table, document, rows)
    // A source alone is an object in the row of all, where csv and Arrow have a row of its own.
    let sources = table.split?.parts.map(\.name) ?? []
    #expect(rows.count * (1 + sources.count) == arrow.count)
    for row in 0..<arrow.count {
      let whole = rows[row / (1 + sources.count)]
      let source = row % (1 + sources.count)
      let part = source > 0 ? (whole["sources"] as? [String: Any])?[sources[source - 1]] : nil
      for (place, field) in arrow.fields.enumerated()
      where sources.isEmpty || field.name != "source" {
        let (cell, key) = (arrow.allCells[place][row], try #require(field.key))
        let objects = [part as? [String: Any], whole, document].compactMap(\.self)
        let found = objects.firstNonNil { Self.value(at: key, in: $0, isPart: part != nil) }
        #expect(Self.isSame(cell, found ?? nil), "\(key), row \(row)")
      }
      for (column, place) in plain.enumerated() {
        #expect(
          Self.isSame(arrow.allCells[place][row], text: records[1 + row][column]),
          "\(names[column]), row \(row)")
      }
      // json has nothing that columns lack.
      let keys = Set(arrow.fields.map { String(($0.key ?? "").prefix { $0 != "." }) })
      if table.list != nil {
        #expect(Set(whole.keys).isSubset(of: keys.union(sources.isEmpty ? [] : ["sources"])))
      }
    }
  }

  /// A line has the members of a row, and those of the head that lines have.
  private func expectLines(
    of table: AnswerTable, _ document: [String: Any], _ rows: [[String: Any]]
  ) throws {
    let lines = try Self.text { try table.writeLines(to: $0) }.split(separator: "\n")
    #expect(lines.count == rows.count)
    let facts = table.head.filter { $0.place != .head }.map(\.key)
    for (line, row) in zip(try lines.map(Self.object), rows) {
      let known = document.merging(row) { $1 }
      #expect(line as NSDictionary == known.filter { line[$0.key] != nil } as NSDictionary)
      #expect(Set(facts + (table.list == nil ? [] : Array(row.keys))).isSubset(of: line.keys))
    }
  }

  @Test("Answers encode themselves as json has them, with numbers as they were computed")
  func encoded() throws {
    func expect(_ tables: [AnswerTable], _ answer: some Encodable) throws {
      let documents = try tables.map { table in
        try Self.object(Self.text { try table.writeDocument(to: $0) })
      }
      let found = try JSONSerialization.jsonObject(with: JSONEncoder().encode(answer))
      #expect((found as? [Any] ?? [found]) as NSArray == documents as NSArray)
    }
    let nights = try store.sleep(SleepPlan(timeZone: ZoneTimeline(.gmt)))
    try expect([nights.table(by: nil)], nights)
    for question in Self.questions where question.table == "statistics" {
      guard !question.json.contains("wide"), !question.json.contains("during"),
        !ElementQuestion.allCases.contains(where: { question.json.contains("\"\($0.rawValue)\"") })
      else { continue }
      let answer = try store.answer(HealthAnswers.Question(json: Data(question.inUTC.utf8)))
      try expect(answer.documents(asComputed: true), answer)
      switch answer.columns[0].answer {
      case .quantity(let one): try expect([one.table(asComputed: true)], one)
      case .category(let one): try expect([one.table()], one)
      default: break
      }
    }
  }

  @Test("Numbers say their unit in the head, in their name or in their row", arguments: questions)
  func units(question: Question) throws {
    let (table, arrow) = try answer(to: question)
    let whole = table.head.first { $0.key == "unit" }?.value
    guard !arrow.names.contains("unit") else { return }
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
    var (fields, isQuoted, last) = ([""], false, Character(" "))
    for letter in record {
      switch letter {
      case "\"":
        // Two of them are one of the text.
        if !isQuoted, last == "\"" { fields[fields.count - 1].append(letter) }
        isQuoted.toggle()
      case "," where !isQuoted: fields.append("")
      default: fields[fields.count - 1].append(letter)
      }
      last = letter
    }
    return fields
  }

  /// A value at some keys with points between, nothing for null; `nil` where an object lacks a key.
  ///
  /// What a group of all has in an object of its own, a source alone has beside the others.
  private static func value(at path: String, in object: [String: Any], isPart: Bool) -> Any?? {
    let keys = path.split(separator: ".").map(String.init)
    var value: Any? = object
    for (place, key) in keys.enumerated() {
      if let list = value as? [Any], let index = Int(key) {
        value = list[index]
      } else if let inner = (value as? [String: Any])?[key] {
        value = inner
      } else if value is NSNull {
        return .some(nil)
      } else if isPart, place == 0, keys.count > 1 {
        continue
      } else {
        return nil
      }
    }
    return .some(value is NSNull ? nil : value)
  }

  private static func isSame(_ cell: ArrowTable.Cell, _ value: Any?) -> Bool {
    switch (cell, value) {
    case (.none, nil): true
    // Foundation reads the digits of json to a double near them; those of csv are compared exactly.
    case (.real(let number), let value as Double): abs(number - value) <= 1e-14 * abs(number)
    case (.integer(let number), let value as Int): number == value
    case (.truth(let truth), let value as Bool): truth == value
    case (.text(let text), let value as String): text == value
    case (.text(let text), let value?):
      // Any value of json is a text elsewhere.
      (try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSArray) == value as? NSArray
    case (.instant, let value as String), (.day, let value as String): isSame(cell, text: value)
    case (.list(let rows), let value as [Any]): rows.count == value.count
    case (.list(let rows), let value as [String: Any]): rows.count == value.count
    default: false
    }
  }

  /// Whether a field of csv is a fact of the head.
  private static func isSame(_ fact: Any?, text: String) -> Bool {
    switch fact {
    case is NSNull: text.isEmpty
    case let word as String: word == text
    case let number as Double: Double(text) == number || text == "true"
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

extension Sequence {
  /// What is made of the first element of which something is.
  fileprivate func firstNonNil<Value>(_ make: (Element) -> Value?) -> Value? {
    for element in self { if let value = make(element) { return value } }
    return nil
  }
}
