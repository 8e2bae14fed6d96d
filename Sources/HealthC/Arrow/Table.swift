import HealthExchange
import Synchronization

/// The columns of a table, and the metadata of the whole.
struct TableSchema: Sendable {
  let fields: [Field]
  let facts: [Fact]
}

/// Gives the rows of a table batch by batch.
protocol BatchReader: AnyObject {
  /// The next rows as one column of structures; `nil` at the end.
  func next() throws -> ArrowColumn?
}

/// An answer in rows and columns, of which any number of streams can be taken.
final class Table: Sendable {
  let name: String
  let schema: TableSchema
  /// The number of rows; `nil` where they are counted when they are read.
  let rowCount: Int?
  /// The rules of the answer as JSON.
  let head: String
  private let makeReader: @Sendable () throws -> any BatchReader

  /// Makes a table whose rows are read for each stream.
  init(
    _ name: String, _ fields: [Field], head: String,
    reader: @escaping @Sendable () throws -> any BatchReader
  ) {
    self.name = name
    self.head = head
    rowCount = nil
    schema = Self.schema(name, fields, head)
    makeReader = reader
  }

  /// Makes a table of columns, each with its field.
  init(_ name: String, _ columns: [Column], count: Int, head: String) {
    self.name = name
    self.head = head
    rowCount = count
    schema = Self.schema(name, columns.map(\.field), head)
    let batch = SharedBatch(columns.map(\.values), count: count)
    makeReader = { OneBatch(batch) }
  }

  private static func schema(_ name: String, _ fields: [Field], _ head: String) -> TableSchema {
    TableSchema(
      fields: fields,
      facts: [
        Fact("hkstats.table", name), Fact("hkstats.schema", schemaVersion),
        Fact("hkstats.answer", head),
      ])
  }

  /// Begins to read.
  func reader() throws -> any BatchReader { try makeReader() }
}

/// A field with its values.
struct Column: Sendable {
  let field: Field
  let values: ColumnValues

  init(_ field: Field, _ values: ColumnValues) { (self.field, self.values) = (field, values) }
}

/// The rows of a table as Arrow has them, prepared when the first stream reads them.
private final class SharedBatch: Sendable {
  private let columns: [ColumnValues]
  private let count: Int
  private let prepared = Mutex<ArrowColumn?>(nil)

  init(_ columns: [ColumnValues], count: Int) { (self.columns, self.count) = (columns, count) }

  var column: ArrowColumn {
    prepared.withLock { prepared in
      let column = prepared ?? ArrowColumn(rows: count, of: columns)
      prepared = column
      return column
    }
  }
}

/// Reads a table that is in memory.
private final class OneBatch: BatchReader {
  private var batch: SharedBatch?

  init(_ batch: SharedBatch) { self.batch = batch }

  func next() -> ArrowColumn? {
    defer { batch = nil }
    // Readers need no batch where there is no row.
    return batch.map(\.column).flatMap { $0.count > 0 ? $0 : nil }
  }
}

extension Table {
  /// What the table is, as JSON.
  var info: String {
    JSON.object([
      .init("table", .string(name)), .init("schema", .string(Self.schemaVersion)),
      .init("rows", rowCount.map { .integer($0) } ?? .null),
      .init("columns", .array(schema.fields.map(\.json))), .init("answer", .written(head)),
    ]).text
  }
}

extension Field {
  /// What a column is: its name, its key in json, its form, unit and meaning; of a list its columns.
  fileprivate var json: JSON {
    func fact(_ key: String) -> JSON { .optional(facts.first { $0.key == key }?.value) }
    let (word, parts): (String, [Field]?) =
      switch form {
      case .real: ("number", nil)
      case .integer: ("count", nil)
      case .truth: ("truth", nil)
      case .instant: ("instant", nil)
      case .day: ("date", nil)
      case .word: ("word", nil)
      case .text: ("text", nil)
      case .structure(let fields): ("group", fields)
      case .list(let fields): ("list", fields)
      }
    return .object(
      [
        .init("name", .string(name)), .init("key", fact("key")), .init("form", .string(word)),
        .init("unit", fact("unit")), .init("about", fact("about")),
      ] + (parts.map { [.init("columns", .array($0.map(\.json)))] } ?? []))
  }
}
