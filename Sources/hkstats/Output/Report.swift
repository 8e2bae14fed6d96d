import HealthExchange
import HealthQuery
import HealthSamples

/// An answer in rows: every form of output of every command is written from one.
///
/// Programs get the head once in json, and its ``Member/isInRows`` members in each row of csv and
/// ndjson, where no head can say them. People get a table of the columns that have a title, or the
/// page of the command.
struct Report {
  /// A fact of the whole answer, such as its unit.
  struct Member {
    let key: String
    let value: JSON
    var isInRows = true

    init(_ key: String, _ value: JSON, isInRows: Bool = true) {
      (self.key, self.value, self.isInRows) = (key, value, isInRows)
    }

    var json: JSON.Member { JSON.Member(key, value) }
  }

  /// A fact of each row.
  struct Column {
    /// The name in objects; `nil` where they do not have the column.
    let key: String?
    /// The name in comma-separated text; `nil` where it does not have the column.
    let field: String?
    /// The name for people; `nil` where their table does not have the column.
    let title: String?
    /// Whether people see it at the right.
    var isNumber = false
    let content: Content

    enum Content {
      case cell((Int) -> Cell)
      /// Columns within an object; no object where nothing of them is known.
      case group([Column], isKnown: (Int) -> Bool)
    }
  }

  /// A fact: exact for programs, rounded for people.
  enum Cell {
    /// Nothing: no text, and null in objects.
    case none
    /// Nothing, and no member in objects.
    case absent
    case text(String)
    /// Words for people where programs want an identifier.
    case name(String, short: String)
    case count(Int)
    case number(Double)
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
    /// As those of the report behind its leading ones.
    let columns: [Column]
  }

  /// What people see below the title: a table and notes.
  struct Page {
    let table: Table
    var notes: [String] = []
  }

  /// The line above a table.
  var title: String?
  var head: [Member]
  /// The key of the list of rows in json; `nil` where the one row stands in the head.
  let list: String?
  let count: Int
  var columns: [Column]
  /// Each source alone, for comma-separated text, where it has a record for each; `nil` where the
  /// report does not separate sources.
  var parts: [Part]?
  /// How many leading columns parts share with the report.
  var leading = 0
  /// The zones of instants.
  let zones: ZoneTimeline
  var notes = AnswerNotes()
  /// What people see; `nil` for the table of all titled columns.
  var page: (() -> Page)?
  /// What people see where there are no rows; `nil` for an empty table.
  var emptySentence: String?
  /// Writes the object of a row between members of the head, where it has more than columns.
  var object: ((Int, [JSON.Member], [JSON.Member], TextOutput) throws -> Void)?

  init(head: [Member], list: String?, count: Int, zones: ZoneTimeline, columns: [Column]) {
    (self.head, self.list, self.count) = (head, list, count)
    (self.zones, self.columns) = (zones, columns)
  }
}

extension Report.Member {
  /// The type, by its identifier.
  static func type(_ type: SampleType) -> Self { .init("type", .string(type.identifier)) }

  /// The unit of all values.
  static func unit(_ unit: String) -> Self { .init("unit", .string(unit)) }

  /// The zones that days are of.
  static func zones(_ zones: ZoneTimeline) -> [Self] {
    let name = Self("timezone", .string(zones.identifier))
    guard !zones.changes.isEmpty else { return [name] }
    let entries =
      [JSON.object([.init("from", .null), .init("zone", .string(zones.first.name))])]
      + zones.changes.map { change in
        JSON.object([
          .init("from", .string(LocalTime(change.instant, in: change.zone).isoText)),
          .init("zone", .string(change.zone.name)),
        ])
      }
    return [name, Self("zones", .array(entries), isInRows: false)]
  }

  /// The names of sources in the order in which they are believed.
  static func priority(_ names: [String]) -> Self {
    .init("priority", .array(names.map(JSON.string)), isInRows: false)
  }
}

extension Report.Column {
  /// A column that every form has.
  ///
  /// - Parameters:
  ///   - key: the name in objects; in comma-separated text the same in small letters
  ///   - title: the name for people; else the key
  ///   - unit: the unit, in a report whose columns have several
  ///   - isNumber: whether people see it at the right
  ///   - cell: the fact of a row
  init(
    _ key: String, _ title: String? = nil, unit: String? = nil, isNumber: Bool = false,
    _ cell: @escaping (Int) -> Report.Cell
  ) {
    self.init(
      key: key, field: Self.field(key, unit: unit), title: title ?? key,
      isNumber: isNumber, content: .cell(cell))
  }

  /// A column for programs.
  static func machine(
    _ key: String?, field: String?, _ cell: @escaping (Int) -> Report.Cell
  ) -> Self {
    Self(key: key, field: field, title: nil, content: .cell(cell))
  }

  /// A column for programs, named alike in all forms.
  static func machine(
    _ key: String, unit: String? = nil, _ cell: @escaping (Int) -> Report.Cell
  ) -> Self {
    .machine(key, field: field(key, unit: unit), cell)
  }

  /// Columns within an object, for programs; in comma-separated text by their own names, if at all.
  static func group(
    _ key: String, _ columns: [Self], isInFields: Bool = true,
    isKnown: @escaping (Int) -> Bool = { _ in true }
  ) -> Self {
    Self(
      key: key, field: isInFields ? key : nil, title: nil,
      content: .group(columns, isKnown: isKnown))
  }

  /// Numbers that may be missing, for programs.
  static func numbers(_ key: String, unit: String? = nil, _ values: [Double?]) -> Self {
    .machine(key, unit: unit) { values[$0].map { .number($0) } ?? .none }
  }

  /// Start and end of intervals.
  static func interval(from starts: [Double], to ends: [Double]) -> [Self] {
    [.machine("start") { .instant(starts[$0]) }, .machine("end") { .instant(ends[$0]) }]
  }

  /// The name in comma-separated text, which ends with the unit: `move_goal_kcal`.
  static func field(_ key: String, unit: String?) -> String {
    let words = key.reduce(into: "") { text, letter in
      text += letter.isUppercase ? "_" + letter.lowercased() : String(letter)
    }
    guard let unit else { return words }
    return words + "_" + String(unit.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }

  /// The columns of comma-separated text.
  var leaves: [Self] {
    guard field != nil else { return [] }
    return if case .group(let columns, _) = content { columns.flatMap(\.leaves) } else { [self] }
  }
}
