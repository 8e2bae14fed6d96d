package import HealthSamples

/// One JSON object per line.
package final class JSONLinesExport: TextExport {
  package override func write(_ recorded: RecordedBatch) throws(OutputError) {
    for row in recorded.rows { try output.line(recorded.object(row).text) }
  }

  package override func write(_ elements: ImportBatch) throws(OutputError) {
    try elements.forEachRow { (row, table, kind) throws(OutputError) in
      try writeObject(row, of: table, kind: kind)
      try output.write("\n")
    }
  }
}

/// One JSON array of objects.
package final class JSONArrayExport: TextExport {
  package override func begin() throws(OutputError) { try output.write("[") }

  package override func write(_ recorded: RecordedBatch) throws(OutputError) {
    for row in recorded.rows {
      try separate(first: "\n  ", next: ",\n  ")
      try output.write(recorded.object(row).text)
    }
  }

  package override func write(_ elements: ImportBatch) throws(OutputError) {
    try elements.forEachRow { (row, table, kind) throws(OutputError) in
      try separate(first: "\n  ", next: ",\n  ")
      try writeObject(row, of: table, kind: kind)
    }
  }

  package override func end() throws(OutputError) {
    try output.write("\n]\n")
    try super.end()
  }
}
