import Foundation
package import HealthQuery
package import HealthSamples
import HealthStore

/// A SQLite file of plain tables, with foreign keys between them and views for people.
///
/// Dates are ISO 8601 text with the offset of the zone, which SQLite's date functions support, and
/// seconds since 1970; metadata are JSON text, a list of keys and values.
package final class TableExport: ExportWriter {
  private let file: TableFile
  private let zone: ZoneTimeline
  private var sampleCount = 0
  private var lastNumbers: [String: Int] = [:]

  package init(path: String, replacing: Bool, zone: ZoneTimeline) throws(OutputError) {
    self.zone = zone
    do throws(StoreError) {
      let mark = "PRAGMA application_id = \(OwnFile.tablesIdentifier);"
      file = try TableFile(path: path, schema: mark + TableSchema.tables, replaces: replacing)
    } catch {
      throw OutputError(.store(error))
    }
  }

  package func begin() {}

  package func write(_ recorded: RecordedBatch) throws(OutputError) {
    let batch = recorded.batch
    for row in recorded.rows {
      let origin = recorded.origin(row)
      let label = TableFile.Value.text(recorded.label(row))
      sampleCount += 1
      try insert(
        [
          .integer(sampleCount), .text(batch.type.identifier), .text(recorded.start(row)),
          .text(recorded.end(row)), .unix(batch.starts[row]), .unix(batch.ends[row]),
          .real(recorded.value(row)), recorded.isCategory ? .null : label,
          recorded.isCategory ? label : .null, .text(batch.source.name),
          .integer(batch.source.isUserEntered ? 1 : 0), .nonEmpty(origin.sourceVersion),
          .nonEmpty(origin.device), recorded.created(row).map { .text($0) } ?? .null,
          .integer(Int(batch.copies[row])), recorded.metadata(row).map { .text($0.text) } ?? .null,
        ], into: "samples")
    }
  }

  package func write(_ elements: ExportBatch) throws(OutputError) {
    try elements.forEachRow { (row, table, _) throws(OutputError) in
      try write(row, of: table, within: nil)
    }
  }

  package func end() throws(OutputError) {
    do throws(StoreError) {
      try file.finish(TableSchema.indexesAndViews)
    } catch {
      throw OutputError(.store(error))
    }
  }

  private func insert(_ row: [TableFile.Value], into table: String) throws(OutputError) {
    do throws(StoreError) {
      try file.insert(row, into: table)
    } catch {
      throw OutputError(.store(error))
    }
  }

  private func write(
    _ row: OutputRow, of table: OutputTable, within parent: Int?
  ) throws(OutputError) {
    let number = lastNumbers[table.name, default: 0] + 1
    lastNumbers[table.name] = number
    let links: [TableFile.Value] = table.link == nil ? [] : [.null]
    let cells = zip(table.columns, row.cells).flatMap { values(of: $1, form: $0.form) }
    try insert(
      [.integer(number)] + (parent.map { [.integer($0)] } ?? []) + links + cells,
      into: table.name)
    for (part, list) in zip(table.parts, row.parts) {
      for index in 0..<list.count { try write(list.row(index), of: part, within: number) }
    }
  }

  private func values(
    of cell: OutputRow.Cell, form: OutputTable.Form
  ) -> [TableFile.Value] {
    switch cell {
    case .none: form == .instant ? [.null, .null] : [.null]
    case .text(let text): [.text(text)]
    case .integer(let number): [.integer(number)]
    case .real(let number): [.real(number)]
    case .truth(let truth): [.integer(truth ? 1 : 0)]
    case .instant(let instant): [.text(LocalTime(instant, in: zone).isoText), .unix(instant)]
    case .json(let json): [.text(json.text)]
    }
  }
}

extension TableFile.Value {
  fileprivate static func nonEmpty(_ text: String) -> Self { text.isEmpty ? .null : .text(text) }

  /// An instant in seconds since 1970.
  fileprivate static func unix(_ instant: Double) -> Self {
    .real(instant + Date.timeIntervalBetween1970AndReferenceDate)
  }
}
