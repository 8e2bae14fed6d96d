import HealthSamples

/// What things of one kind look like when they leave the store: the columns of a table, and the
/// tables of the lists inside of each thing.
///
/// One description serves every form: a CSV file and a SQL table for each table, objects with
/// lists in JSON.
package struct OutputTable: Sendable {
  /// One fact of each row.
  package struct Column: Sendable {
    /// The name in tables, with the unit where there is one.
    package let name: String
    package let form: Form
    /// The name in objects.
    package let key: String

    package init(_ name: String, _ form: Form, key: String? = nil) {
      self.name = name
      self.form = form
      self.key = key ?? Self.camelCase(name)
    }

    private static func camelCase(_ name: String) -> String {
      let words = name.split(separator: "_")
      return
        (words.prefix(1).map(String.init)
        + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }).joined()
    }
  }

  /// What the cells of a column are.
  package enum Form: Sendable {
    case text, integer, real, truth, instant, json
  }

  /// The name of the table, such as `workout_events`.
  package let name: String
  /// One row of it, such as `workout`; what its parts call it.
  package let singular: String
  /// The list in the object that holds it, such as `events`; empty for a kind of its own.
  package let key: String
  package let columns: [Column]
  /// The lists inside of each row.
  package let parts: [OutputTable]
  /// The only column that stands in objects, where the others follow from the place.
  package let listedColumn: Int?
  /// Which table holds what a row names by its facts.
  package let link: Link?

  /// What rows of a table belong to beside the row that they are part of.
  package enum Link: Sendable {
    /// The sample with these times, type and source.
    case sample
    /// The workout with these times and this activity.
    case workout
  }

  package init(
    _ name: String, _ singular: String, key: String = "", _ columns: [Column],
    parts: [OutputTable] = [], listedColumn: Int? = nil, link: Link? = nil
  ) {
    self.name = name
    self.singular = singular
    self.key = key
    self.columns = columns
    self.parts = parts
    self.listedColumn = listedColumn
    self.link = link
  }

  /// The table, and all that are part of it, each behind the one that it is part of.
  package var all: [OutputTable] { [self] + parts.flatMap(\.all) }
}

/// One thing that leaves the store: its facts, and the lists inside of it.
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

  /// Rows of a part, made when they are asked for: a series may be long.
  package struct List {
    package let count: Int
    package let row: (Int) -> OutputRow

    package init(_ count: Int, _ row: @escaping (Int) -> OutputRow) {
      self.count = count
      self.row = row
    }

    /// One row for each of some things.
    package init<Thing>(_ things: [Thing], _ row: @escaping (Thing) -> OutputRow) {
      self.init(things.count) { row(things[$0]) }
    }
  }

  /// One cell a column of the table.
  package var cells: [Cell]
  /// One list a part of the table.
  package var parts: [List]

  package init(cells: [Cell], parts: [List] = []) {
    self.cells = cells
    self.parts = parts
  }
}

extension OutputRow.Cell {
  /// A text; none when it is empty.
  static func known(_ text: String) -> Self { text.isEmpty ? .none : .text(text) }
  /// A number that may be missing.
  static func known(_ number: Double?) -> Self { number.map { .real($0) } ?? .none }
  /// A number that may be missing and that the import converted from another unit.
  static func converted(_ number: Double?) -> Self { known(number.map(NumberText.shortest)) }
  /// A truth that may be missing.
  static func known(_ truth: Bool?) -> Self { truth.map { .truth($0) } ?? .none }
  /// An instant that may be missing.
  static func known(instant: Double?) -> Self { instant.map { .instant($0) } ?? .none }
  /// Metadata as a list of pairs; none without any.
  static func known(_ metadata: Metadata) -> Self {
    metadata.isEmpty ? .none : .json(JSON(pairsOf: metadata))
  }
}
