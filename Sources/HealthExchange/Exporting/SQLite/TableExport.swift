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
  /// Room for the text of a date.
  private var text: [UInt8] = []

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
    let isCategory = recorded.isCategory
    do throws(StoreError) {
      for row in recorded.rows {
        sampleCount += 1
        try file.insert(into: "samples", columns: TableSchema.sampleColumnCount) { cells in
          let origin = recorded.origin(row)
          cells.add(sampleCount)
          cells.add(batch.type.identifier)
          add(recorded.time(batch.starts[row]), to: &cells)
          add(recorded.time(batch.ends[row]), to: &cells)
          cells.add(Self.unix(batch.starts[row]))
          cells.add(Self.unix(batch.ends[row]))
          cells.add(recorded.value(row))
          if isCategory { cells.addNull() }
          cells.add(recorded.label(row))
          if !isCategory { cells.addNull() }
          cells.add(batch.source.name)
          cells.add(batch.source.isUserEntered ? 1 : 0)
          add(nonEmpty: origin.sourceVersion, to: &cells)
          add(nonEmpty: origin.device, to: &cells)
          if let created = batch.creation(row: row) {
            add(recorded.time(created), to: &cells)
          } else {
            cells.addNull()
          }
          cells.add(Int(batch.copies[row]))
          add(nonEmpty: recorded.metadata(row)?.text ?? "", to: &cells)
          add(nonEmpty: origin.productType, to: &cells)
          add(nonEmpty: origin.operatingSystem, to: &cells)
        }
      }
    } catch {
      throw OutputError(.store(error))
    }
  }

  /// Adds what the clock shows, as ISO 8601.
  private func add(_ time: LocalTime, to cells: inout TableFile.Cells) {
    text.removeAll(keepingCapacity: true)
    time.append(isoTo: &text)
    cells.add(utf8: text)
  }

  private func add(nonEmpty text: String, to cells: inout TableFile.Cells) {
    if text.isEmpty { cells.addNull() } else { cells.add(text) }
  }

  package func write(_ elements: ImportBatch) throws(OutputError) {
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
    of cell: OutputRow.Cell, form: AnswerField.Form
  ) -> [TableFile.Value] {
    switch cell {
    case .none: form == .instant ? [.null, .null] : [.null]
    case .text(let text): [.text(text)]
    case .integer(let number): [.integer(number)]
    case .real(let number): [.real(number)]
    case .truth(let truth): [.integer(truth ? 1 : 0)]
    case .instant(let instant):
      [.text(LocalTime(instant, in: zone).isoText), .real(Self.unix(instant))]
    case .json(let json): [.text(json.text)]
    }
  }

  /// An instant in seconds since 1970.
  private static func unix(_ instant: Double) -> Double {
    instant + Date.timeIntervalBetween1970AndReferenceDate
  }
}
