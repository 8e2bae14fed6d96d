import HealthSamples
import Testing
import _HealthTestSupport

@Suite
struct RecordColumnsTests {
  private let type = SampleType(.stepCount)

  @Test("appended records are those of the tables, and what repeats is in a table once")
  func append() throws {
    var random = SplitMix64(seed: 51)
    var batch = RecordColumns(type: type, source: Source(name: "Watch"))
    var expected: [(start: Double, label: String, version: String, key: String?)] = []
    for row in 0..<200 {
      let label = ["count", "km", "m"].randomElement(using: &random) ?? ""
      let version = ["1", "2"].randomElement(using: &random) ?? ""
      let key = [nil, "a", "b"].randomElement(using: &random) ?? nil
      try batch.append(
        start: Double(row), end: Double(row + 1), value: Double(row % 7), label: label,
        creation: row % 3 == 0 ? nil : Double(row), origin: Origin(sourceVersion: version),
        metadata: Metadata(key.map { [.init(key: $0, value: "1")] } ?? []))
      expected.append((Double(row), label, version, key))
    }
    try batch.check()
    #expect(batch.count == 200 && batch.copies == Array(repeating: 1, count: 200))
    #expect(Set(batch.labelTable).count == batch.labelTable.count)
    #expect(Set(batch.originTable).count == batch.originTable.count)
    #expect(Set(batch.metadataTable).count == batch.metadataTable.count)
    for (row, record) in expected.enumerated() {
      #expect(batch.starts[row] == record.start && batch.ends[row] == record.start + 1)
      #expect(batch.labelTable[Int(batch.labels[row])] == record.label)
      #expect(batch.originTable[Int(batch.origins[row])].sourceVersion == record.version)
      #expect(batch.metadataTable[Int(batch.metadata[row])].entries.first?.key == record.key)
      #expect(batch.creation(row: row) == (row % 3 == 0 ? nil : Double(row)))
    }
  }

  @Test("what comes again after many others is in a long table once, also in one that was set")
  func longTables() throws {
    var random = SplitMix64(seed: 52)
    var batch = RecordColumns(type: type, source: Source(name: "Watch"))
    var expected: [Int] = []
    func append(_ number: Int) throws {
      try batch.append(
        start: 0, end: 1, value: 1, label: "unit \(number % 300)",
        origin: Origin(sourceVersion: "\(number % 400)"),
        metadata: Metadata(number == 0 ? [] : [.init(key: "number", value: "\(number)")]))
      expected.append(number)
    }
    for _ in 0..<2_000 { try append(Int.random(in: 0..<500, using: &random)) }
    // As long as before, in another order.
    batch.metadataTable.replaceSubrange(1..., with: batch.metadataTable.dropFirst().reversed())
    let count = batch.metadataTable.count
    for row in batch.metadata.indices where batch.metadata[row] > 0 {
      batch.metadata[row] = UInt32(count) - batch.metadata[row]
    }
    for _ in 0..<2_000 { try append(Int.random(in: 0..<500, using: &random)) }
    try batch.check()
    #expect(Set(batch.labelTable).count == batch.labelTable.count)
    #expect(Set(batch.originTable).count == batch.originTable.count)
    #expect(Set(batch.metadataTable).count == batch.metadataTable.count)
    for (row, number) in expected.enumerated() {
      #expect(batch.labelTable[Int(batch.labels[row])] == "unit \(number % 300)")
      #expect(batch.originTable[Int(batch.origins[row])].sourceVersion == "\(number % 400)")
      let value = batch.metadataTable[Int(batch.metadata[row])].entries.first?.value ?? "0"
      #expect(value == "\(number)")
    }
  }

  @Test("a number that is not finite is refused, and the batch is as before")
  func refused() throws {
    var batch = RecordColumns(type: type, source: Source(name: "Watch"))
    try batch.append(start: 0, end: 1, value: 1, label: "count")
    for bad in [Double.nan, .infinity, -.infinity] {
      let error = ColumnError(.rowNotFinite, index: 1)
      #expect(throws: error) { try batch.append(start: bad, end: 1, value: 1, label: "count") }
      #expect(throws: error) { try batch.append(start: 0, end: bad, value: 1, label: "count") }
      #expect(throws: error) { try batch.append(start: 0, end: 1, value: bad, label: "count") }
      #expect(throws: error) {
        try batch.append(start: 0, end: 1, value: 1, label: "km", creation: bad)
      }
    }
    try batch.check()
    #expect(batch.count == 1 && batch.labelTable == ["count"])
  }

  @Test("a batch takes no more labels than its columns can number")
  func manyLabels() throws {
    var batch = RecordColumns(type: type, source: Source(name: "Watch"))
    batch.labelTable = (0...Int(UInt16.max)).map { "unit \($0)" }
    try batch.append(start: 0, end: 1, value: 1, label: "unit 65535")
    #expect(throws: ColumnError(.tooManyLabels, index: 1)) {
      try batch.append(start: 0, end: 1, value: 1, label: "another")
    }
    try batch.append(start: 0, end: 1, value: 1, label: "unit 0")
    try batch.check()
    #expect(batch.count == 2 && batch.labelTable.count == 65_536)
  }

  @Test("the first row that breaks a rule of the columns is named")
  func check() throws {
    func error(_ change: (inout RecordColumns) -> Void) throws -> ColumnError? {
      var batch = RecordColumns(type: type, source: Source(name: "Watch"))
      for row in 0..<4 {
        try batch.append(start: Double(row), end: Double(row), value: 1, label: "count")
      }
      change(&batch)
      do throws(ColumnError) {
        try batch.check()
        return nil
      } catch {
        return error
      }
    }
    #expect(try error { _ in } == nil)
    #expect(
      try error { $0.ends.removeLast() }?.reason == .lengthsDiffer([4, 3, 4, 4, 4, 4, 4, 4]))
    #expect(try error { $0.values[2] = .nan } == ColumnError(.rowNotFinite, index: 2))
    #expect(try error { $0.created[3] = .infinity } == ColumnError(.rowNotFinite, index: 3))
    #expect(try error { $0.labels[1] = 1 }?.index == 1)
    #expect(try error { $0.origins[1] = 1 }?.index == 1)
    #expect(try error { $0.metadata[1] = 1 }?.index == 1)
    #expect(try error { $0.metadataTable = [] }?.index == nil)
  }
}
