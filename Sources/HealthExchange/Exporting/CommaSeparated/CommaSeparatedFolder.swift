package import HealthQuery
package import HealthSamples

/// A folder of comma-separated files, one per table; rows of a part have the number of their parent
/// row.
///
/// The folder is written completely or not at all.
package final class CommaSeparatedFolder: ExportWriter {
  private let folder: OutputFolder
  private let csv: CommaSeparated
  private var records: SampleRecords
  private let zone: ZoneTimeline
  private var files: [String: TextOutput] = [:]
  private var lastNumbers: [String: Int] = [:]

  /// The names of all possible files of an export.
  package static let fileNames = Set(
    (["samples"] + ElementKind.allCases.flatMap { OutputTable.table(of: $0).all }.map(\.name))
      .flatMap { name in suffixes.map { name + $0 } })

  /// The suffixes of files whose fields are separated by commas or semicolons, and by tab stops.
  private static let suffixes = [".csv", ".tsv"]

  package init(
    path: String, replacing: Bool, csv: CommaSeparated, zone: ZoneTimeline
  ) throws(OutputError) {
    folder = try OutputFolder(path: path, replaces: replacing, known: Self.fileNames)
    self.csv = csv
    records = SampleRecords(as: csv)
    self.zone = zone
  }

  package func begin() {}

  package func write(_ recorded: RecordedBatch) throws(OutputError) {
    let file = try file("samples", columns: SampleRecords.titles)
    for row in recorded.rows { try file.append { records.append(row, of: recorded, to: &$0) } }
  }

  package func write(_ elements: ImportBatch) throws(OutputError) {
    try elements.forEachRow { (row, table, _) throws(OutputError) in
      try write(row, of: table, within: nil)
    }
  }

  package func end() throws(OutputError) {
    for file in files.values { try file.finish() }
    try folder.finish()
  }

  private func write(
    _ row: OutputRow, of table: OutputTable, within parent: (name: String, number: Int)?
  ) throws(OutputError) {
    let number = lastNumbers[table.name, default: 0] + 1
    lastNumbers[table.name] = number
    let isNumbered = parent == nil || !table.parts.isEmpty
    let file = try file(
      table.name,
      columns: (isNumbered ? ["id"] : []) + (parent.map { [$0.name] } ?? [])
        + table.columnNames)
    try file.record(
      (isNumbered ? [String(number)] : []) + (parent.map { [String($0.number)] } ?? [])
        + row.cells.map { $0.field(in: zone, as: csv) })
    for (part, list) in zip(table.parts, row.parts) {
      for index in 0..<list.count {
        try write(list.row(index), of: part, within: (table.singular, number))
      }
    }
  }

  /// The file of a table, with its header line.
  private func file(_ table: String, columns: [String]) throws(OutputError) -> TextOutput {
    if let file = files[table] { return file }
    let file = try folder.file(table + Self.suffixes[csv.separator == "\t" ? 1 : 0], csv: csv)
    try file.record(columns)
    files[table] = file
    return file
  }
}
