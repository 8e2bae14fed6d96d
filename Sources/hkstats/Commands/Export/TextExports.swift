import HealthSamples

/// Comma-separated text with a line of keys.
struct CommaSeparatedExport: ExportWriter {
  private let output = StandardOutput()

  func begin() throws {
    try output.write(CommaSeparated.line(["type"] + RecordedBatch.fieldNames))
  }

  func write(_ recorded: RecordedBatch) throws {
    for row in 0..<recorded.batch.count {
      try output.write(
        CommaSeparated.line([recorded.batch.type.identifier] + recorded.fields(row)))
    }
  }

  func end() throws { try output.flush() }
}

/// One JSON object a line.
struct LineExport: ExportWriter {
  private let output = StandardOutput()

  func begin() {}

  func write(_ recorded: RecordedBatch) throws {
    for row in 0..<recorded.batch.count { try output.line(recorded.object(row).text) }
  }

  func end() throws { try output.flush() }
}

/// One JSON array of objects.
final class ArrayExport: ExportWriter {
  private let output = StandardOutput()
  private var isEmpty = true

  func begin() throws { try output.write("[") }

  func write(_ recorded: RecordedBatch) throws {
    for row in 0..<recorded.batch.count {
      try output.write((isEmpty ? "\n  " : ",\n  ") + recorded.object(row).text)
      isEmpty = false
    }
  }

  func end() throws {
    try output.write("\n]\n")
    try output.flush()
  }
}

extension RecordedBatch {
  /// A row as an object that names its type.
  fileprivate func object(_ row: Int) -> JSON {
    .object([.init("type", .string(batch.type.identifier))] + members(row))
  }
}
