import HealthSamples

/// The exported form of one kind: the columns of a table, and the tables of the lists in each row.
///
/// One description serves every format: a CSV file and a SQL table for each table, objects with
/// lists in JSON.
package struct OutputTable: Sendable {
  /// The name of the table, such as `workout_events`.
  package let name: String
  /// The name of one row, such as `workout`, which its parts refer to.
  package let singular: String
  /// The key of the list in its parent object, such as `events`; empty for a top-level kind.
  package let key: String
  /// The facts of each row.
  package let columns: [AnswerField]
  /// The names of the columns in tables.
  package let columnNames: [String]
  /// The lists in each row.
  package let parts: [OutputTable]
  /// The only column in objects, if the others follow from the position.
  package let listedColumn: Int?
  /// The table of the row that a row identifies by facts.
  package let link: Link?

  /// A row that a row belongs to, other than its parent.
  package enum Link: Sendable {
    /// The sample with these times, type and source.
    case sample
    /// The workout with these times and this activity.
    case workout
  }

  package init(
    _ name: String, _ singular: String, key: String = "", _ columns: [AnswerField],
    parts: [OutputTable] = [], listedColumn: Int? = nil, link: Link? = nil
  ) {
    self.name = name
    self.singular = singular
    self.key = key
    self.columns = columns
    columnNames = columns.map { $0.name() }
    self.parts = parts
    self.listedColumn = listedColumn
    self.link = link
  }

  /// The table and all of its parts, each after its parent.
  package var all: [OutputTable] { [self] + parts.flatMap(\.all) }
}

/// One exported item: its facts, and its lists.
package struct OutputRow {
  /// One fact.
  package enum Cell {
    case none
    case text(String)
    case integer(Int)
    case real(Double)
    case truth(Bool)
    /// Seconds since 2001-01-01 UTC.
    case instant(Double)
    case json(JSON)
  }

  /// Rows of a part, created lazily, because a series may be long.
  package struct List {
    package let count: Int
    package let row: (Int) -> OutputRow

    package init(_ count: Int, _ row: @escaping (Int) -> OutputRow) {
      self.count = count
      self.row = row
    }

    /// One row for each item.
    package init<Thing>(_ things: [Thing], _ row: @escaping (Thing) -> OutputRow) {
      self.init(things.count) { row(things[$0]) }
    }
  }

  /// One cell per column of the table.
  package var cells: [Cell]
  /// One list per part of the table.
  package var parts: [List]

  package init(cells: [Cell], parts: [List] = []) {
    self.cells = cells
    self.parts = parts
  }
}

extension OutputRow.Cell {
  /// A text; none if it is empty.
  static func known(_ text: String) -> Self { text.isEmpty ? .none : .text(text) }
  /// An optional number.
  static func known(_ number: Double?) -> Self { number.map { .real($0) } ?? .none }
  /// An optional number that the import converted from another unit.
  static func converted(_ number: Double?) -> Self { known(number.map(NumberText.shortest)) }
  /// An optional Boolean.
  static func known(_ truth: Bool?) -> Self { truth.map { .truth($0) } ?? .none }
  /// An optional instant.
  static func known(instant: Double?) -> Self { instant.map { .instant($0) } ?? .none }
  /// Metadata as a list of pairs; none if empty.
  static func known(_ metadata: Metadata) -> Self {
    metadata.isEmpty ? .none : .json(JSON(pairsOf: metadata))
  }
}
