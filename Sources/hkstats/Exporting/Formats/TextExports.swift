import HealthQuery
import HealthSamples

/// Comma-separated text of one kind with a line of keys; lists inside of an element stand as JSON.
struct CommaSeparatedExport: ExportWriter {
  private let output: TextOutput
  private let table: OutputTable?
  private let zone: ZoneTimeline

  init(to output: TextOutput, of table: OutputTable?, in zone: ZoneTimeline) {
    self.output = output
    self.table = table
    self.zone = zone
  }

  func begin() throws {
    try output.record(
      table.map { $0.columns.map(\.name) + $0.parts.map(\.key) }
        ?? ["type"] + RecordedBatch.fieldNames)
  }

  func write(_ recorded: RecordedBatch) throws {
    for row in recorded.rows {
      try output.record([recorded.batch.type.identifier] + recorded.fields(row))
    }
  }

  func write(_ elements: ExportBatch) throws {
    try elements.forEachRow { row, table, _ in
      let lists = try zip(table.parts, row.parts).map { part, list in
        var text = ""
        if list.count > 0 {
          try OutputRow.writeArray(of: part, list, in: zone) { text += $0 }
        }
        return text
      }
      try output.record(row.cells.map { $0.field(in: zone) } + lists)
    }
  }

  func end() throws { try output.finish() }
}

/// One JSON object a line.
struct LineExport: ExportWriter {
  private let output: TextOutput
  private let zone: ZoneTimeline

  init(to output: TextOutput, in zone: ZoneTimeline) {
    self.output = output
    self.zone = zone
  }

  func begin() {}

  func write(_ recorded: RecordedBatch) throws {
    for row in recorded.rows { try output.line(recorded.object(row).text) }
  }

  func write(_ elements: ExportBatch) throws {
    try elements.forEachRow { row, table, kind in
      try output.write(row, of: table, kind: kind, in: zone)
      try output.write("\n")
    }
  }

  func end() throws { try output.finish() }
}

/// One JSON array of objects.
final class ArrayExport: ExportWriter {
  private let output: TextOutput
  private let zone: ZoneTimeline
  private var isEmpty = true

  init(to output: TextOutput, in zone: ZoneTimeline) {
    self.output = output
    self.zone = zone
  }

  func begin() throws { try output.write("[") }

  func write(_ recorded: RecordedBatch) throws {
    for row in recorded.rows {
      try separate()
      try output.write(recorded.object(row).text)
    }
  }

  func write(_ elements: ExportBatch) throws {
    try elements.forEachRow { row, table, kind in
      try separate()
      try output.write(row, of: table, kind: kind, in: zone)
    }
  }

  func end() throws {
    try output.write("\n]\n")
    try output.finish()
  }

  private func separate() throws {
    try output.write(isEmpty ? "\n  " : ",\n  ")
    isEmpty = false
  }
}

extension TextOutput {
  /// Writes an element as an object that names its kind.
  func write(
    _ row: OutputRow, of table: OutputTable, kind: ElementKind, in zone: ZoneTimeline
  ) throws {
    try row.writeObject(
      of: table, in: zone, leading: [.init("kind", .string(kind.word))]
    ) { try self.write($0) }
  }
}
