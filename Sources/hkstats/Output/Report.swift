import HealthExchange
import HealthQuery
import HealthSamples

/// An answer in rows, from which table, csv, json and ndjson are written.
///
/// json has the head once; csv and ndjson have its ``Member/isInRows`` members in each row. The table
/// consists of the columns with a title, unless the command has its own ``Page``.
struct Report {
  /// A property of the whole answer, such as its unit.
  struct Member {
    let key: String
    let value: JSON
    var isInRows = true

    init(_ key: String, _ value: JSON, isInRows: Bool = true) {
      (self.key, self.value, self.isInRows) = (key, value, isInRows)
    }

    var json: JSON.Member { JSON.Member(key, value) }
  }

  /// A property of each row.
  struct Column {
    /// The key in json and ndjson; `nil` if they do not have the column.
    let key: String?
    /// The name in csv; `nil` if it does not have the column.
    let field: String?
    /// The title in the table; `nil` if it does not have the column.
    let title: String?
    /// Whether the table aligns it to the right.
    var isNumber = false
    let content: Content

    enum Content {
      case cell((Int) -> Cell)
      /// Columns of a nested object; null if `isKnown` is false.
      case group([Column], isKnown: (Int) -> Bool)
    }
  }

  /// A value: exact in csv and json, rounded in tables.
  enum Cell {
    /// Empty in csv, null in json.
    case none
    /// Empty in csv, no member in json.
    case absent
    case text(String)
    /// An identifier, with a short name for tables.
    case name(String, short: String)
    case count(Int)
    case number(Double)
    /// A value in a unit: spoken in tables, as stored in csv and json.
    case quantity(Double, SpokenUnit)
    /// A share of a whole, 0 to 1.
    case share(Double)
    case truth(Bool)
    /// Seconds since 2001-01-01 UTC.
    case instant(Double)
    case json(JSON)
  }

  /// The answer of one source alone.
  struct Part {
    let source: String
    /// The same columns as those of the report after its leading ones.
    let columns: [Column]
  }

  /// The table and the notes below it.
  struct Page {
    let table: Table
    var notes: [String] = []
  }

  /// The line above a table.
  var title: String?
  var head: [Member]
  /// The key of the list of rows in json; `nil` if the single row is part of the head.
  var list: String?
  let count: Int
  var columns: [Column]
  /// Each source alone, which has a record of its own in csv; `nil` if sources are not separated.
  var parts: [Part]?
  /// The number of leading columns that parts share with the report.
  var leading = 0
  /// The zones of instants.
  let zones: ZoneTimeline
  var notes = AnswerNotes()
  /// Where the data of a list end that is of a period; `nil` for other answers.
  var dataEnd: DataEnd?
  /// The table and its notes; `nil` for the columns with a title.
  var page: (() -> Page)?
  /// The text instead of a table without rows; `nil` for an empty table.
  var emptySentence: String?
  /// Writes the json object of a row between members of the head; `nil` for the columns.
  var object: ((Int, [JSON.Member], [JSON.Member], TextOutput) throws -> Void)?

  init(head: [Member], list: String?, count: Int, zones: ZoneTimeline, columns: [Column]) {
    (self.head, self.list, self.count) = (head, list, count)
    (self.zones, self.columns) = (zones, columns)
  }
}

extension Report.Member {
  /// The key of the time zones of an answer.
  static let zonesKey = ZoneTimeline.memberName

  /// Where the data end; nothing if there are none.
  static func dataEnd(_ end: DataEnd?) -> [Self] {
    end.map { [.init("dataEnd", .string($0.text), isInRows: false)] } ?? []
  }

  /// The type, by its identifier.
  static func type(_ type: SampleType) -> Self { .init("type", .string(type.identifier)) }

  /// The unit of all values.
  static func unit(_ unit: String) -> Self { .init("unit", .string(unit)) }

  /// The time zones of days.
  static func zones(_ zones: ZoneTimeline) -> [Self] {
    zones.members.map { Self($0.key, $0.value, isInRows: $0.key == zonesKey) }
  }

  /// The type, the unit and the rules of an answer.
  ///
  /// Where no head can say them, rows have the type, the unit, the zone, and what decides the numbers.
  static func rules(_ members: [JSON.Member], areMerged: Bool) -> [Self] {
    members.map { member in
      let isInRows =
        switch member.key {
        case "merge": areMerged
        case "style", "rule", "priority", "zones": false
        default: true
        }
      return Self(member.key, member.value, isInRows: isInRows)
    }
  }
}

extension Report.Column {
  /// A column of every format.
  ///
  /// - Parameters:
  ///   - key: the key in json; the name in csv is derived from it
  ///   - title: the title in the table; the key by default
  ///   - unit: the unit, if the columns of the report have several units
  ///   - isNumber: whether the table aligns it to the right
  ///   - cell: the value of a row
  init(
    _ key: String, _ title: String? = nil, unit: String? = nil, isNumber: Bool = false,
    _ cell: @escaping (Int) -> Report.Cell
  ) {
    self.init(
      key: key, field: Self.field(key, unit: unit), title: title ?? key,
      isNumber: isNumber, content: .cell(cell))
  }

  /// A column of csv and json.
  static func machine(
    _ key: String?, field: String?, _ cell: @escaping (Int) -> Report.Cell
  ) -> Self {
    Self(key: key, field: field, title: nil, content: .cell(cell))
  }

  /// A column of csv and json, whose name in csv is derived from its key.
  static func machine(
    _ key: String, unit: String? = nil, _ cell: @escaping (Int) -> Report.Cell
  ) -> Self {
    .machine(key, field: field(key, unit: unit), cell)
  }

  /// A nested object in json; in csv columns with names of their own, or none.
  static func group(
    _ key: String, _ columns: [Self], isInFields: Bool = true,
    isKnown: @escaping (Int) -> Bool = { _ in true }
  ) -> Self {
    Self(
      key: key, field: isInFields ? key : nil, title: nil,
      content: .group(columns, isKnown: isKnown))
  }

  /// Optional numbers in csv and json.
  static func numbers(_ key: String, unit: String? = nil, _ values: [Double?]) -> Self {
    .machine(key, unit: unit) { values[$0].map { .number($0) } ?? .none }
  }

  /// Start and end of intervals.
  static func interval(from starts: [Double], to ends: [Double]) -> [Self] {
    [.machine("start") { .instant(starts[$0]) }, .machine("end") { .instant(ends[$0]) }]
  }

  /// The name in csv, which ends with the unit: `move_goal_kcal`.
  static func field(_ key: String, unit: String?) -> String {
    CommaSeparated.name(of: key, unit: unit)
  }

  /// The columns of csv.
  var leaves: [Self] {
    guard field != nil else { return [] }
    return if case .group(let columns, _) = content { columns.flatMap(\.leaves) } else { [self] }
  }
}
