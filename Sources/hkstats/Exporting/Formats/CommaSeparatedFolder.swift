import Foundation
import HealthQuery
import HealthSamples

/// A folder of comma-separated files, one a table; rows of a part name the row that they are part
/// of by its number.
///
/// No file appears before all are whole.
final class CommaSeparatedFolder: ExportWriter {
  private let path: String
  private let replaces: Bool
  private let zone: ZoneTimeline
  private let isNew: Bool
  private var files: [String: OutputFile] = [:]
  private var lastNumbers: [String: Int] = [:]
  private var isFinished = false

  init(target: ExportTarget, zone: ZoneTimeline) throws(Failure) {
    let path = target.path ?? ""
    isNew = mkdir(path, 0o700) == 0
    guard isNew || errno == EEXIST else { throw Failure.cannotWrite(path: path, errno) }
    self.path = path
    replaces = target.replaces
    self.zone = zone
  }

  deinit {
    guard !isFinished else { return }
    files.removeAll()
    if isNew { rmdir(path) }
  }

  func begin() {}

  func write(_ recorded: RecordedBatch) throws {
    let file = try file("samples", columns: ["type"] + RecordedBatch.fieldNames)
    for row in recorded.rows {
      try file.write(
        CommaSeparated.line([recorded.batch.type.identifier] + recorded.fields(row)))
    }
  }

  func write(_ elements: ExportBatch) throws {
    try elements.forEachRow { row, table, _ in try write(row, of: table, within: nil) }
  }

  func end() throws {
    // A disk that is full says so before the first file appears.
    for file in files.values { try file.flush() }
    for file in files.values { try file.finish() }
    isFinished = true
  }

  private func write(
    _ row: OutputRow, of table: OutputTable, within parent: (name: String, number: Int)?
  ) throws {
    let number = lastNumbers[table.name, default: 0] + 1
    lastNumbers[table.name] = number
    let isNumbered = parent == nil || !table.parts.isEmpty
    let file = try file(
      table.name,
      columns: (isNumbered ? ["id"] : []) + (parent.map { [$0.name] } ?? [])
        + table.columns.map(\.name))
    try file.write(
      CommaSeparated.line(
        (isNumbered ? [String(number)] : []) + (parent.map { [String($0.number)] } ?? [])
          + row.cells.map { $0.field(in: zone) }))
    for (part, list) in zip(table.parts, row.parts) {
      for index in 0..<list.count {
        try write(list.row(index), of: part, within: (table.singular, number))
      }
    }
  }

  /// The file of a table, begun with its line of keys.
  private func file(_ table: String, columns: [String]) throws -> OutputFile {
    if let file = files[table] { return file }
    let file = try OutputFile(path: "\(path)/\(table).csv", replaces: replaces)
    try file.write(CommaSeparated.line(columns))
    files[table] = file
    return file
  }
}
