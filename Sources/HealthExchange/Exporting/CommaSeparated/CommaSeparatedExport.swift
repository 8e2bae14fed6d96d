package import HealthQuery
package import HealthSamples

/// Comma-separated text of one kind with a header line; lists inside an element are JSON.
package final class CommaSeparatedExport: TextExport {
  private let table: OutputTable?
  private var records: SampleRecords
  private let hasUUIDs: Bool

  /// Writes the elements of one table; samples if it is `nil`, each with its UUID where they are
  /// wanted.
  package init(
    to output: TextOutput, of table: OutputTable?, in zone: ZoneTimeline, hasUUIDs: Bool = false
  ) {
    self.table = table
    self.hasUUIDs = hasUUIDs
    records = SampleRecords(as: output.csv, hasUUIDs: hasUUIDs)
    super.init(to: output, in: zone)
  }

  package override func begin() throws(OutputError) {
    try output.record(
      table.map { $0.columnNames + $0.parts.map(\.key) }
        ?? SampleRecords.titles + (hasUUIDs ? ["uuid"] : []))
  }

  package override func write(_ recorded: RecordedBatch) throws(OutputError) {
    for row in recorded.rows { try output.append { records.append(row, of: recorded, to: &$0) } }
  }

  package override func write(_ elements: ImportBatch) throws(OutputError) {
    try elements.forEachRow { (row, table, _) throws(OutputError) in
      let lists = try zip(table.parts, row.parts).map { (part, list) throws(OutputError) in
        var text = ""
        if list.count > 0 {
          try OutputRow.writeArray(of: part, list, in: zone) { text += $0 }
        }
        return text
      }
      try output.record(row.cells.map { $0.field(in: zone, as: output.csv) } + lists)
    }
  }
}
