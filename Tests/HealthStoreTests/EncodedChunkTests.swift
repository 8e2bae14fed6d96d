import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite struct EncodedChunkTests {
  /// Rows as they are, without their tables.
  private struct PlainRow: Hashable {
    var numbers: [UInt64]
    var label: String
    var origin: Origin
    var metadata: Metadata
    var copies: UInt32
  }

  private func rows(_ columns: RecordColumns) -> [PlainRow] {
    (0..<columns.count).map { (row: Int) -> PlainRow in
      PlainRow(
        numbers: [
          columns.starts[row], columns.ends[row], columns.created[row], columns.values[row],
        ].map(\.bitPattern), label: columns.labelTable[Int(columns.labels[row])],
        origin: columns.originTable[Int(columns.origins[row])],
        metadata: columns.metadataTable[Int(columns.metadata[row])], copies: columns.copies[row])
    }
  }

  private func decode(
    _ core: [UInt8], _ detail: [UInt8], _ type: SampleType
  ) throws -> RecordColumns {
    var units = RecordedUnits(of: type)
    let cursor = try RowCursor(core: core, detail: detail, units: &units)
    var builder = RecordColumns.Builder(type: type, source: Source(name: "a"))
    while !cursor.isAtEnd {
      try builder.append(0..<cursor.rowCount, of: cursor)
      try cursor.advanceBlock()
    }
    return builder.rows
  }

  private func check(_ columns: RecordColumns) throws {
    let chunk = EncodedChunk(allOf: columns)
    #expect(chunk.statistics.count == columns.count)
    let decoded = try decode(chunk.core, chunk.detail, columns.type)
    #expect(rows(decoded) == rows(columns))
  }

  @Test(
    "reads back records of an export bit for bit", arguments: [1, 2, 1_023, 1_024, 1_025, 5_000])
  func records(count: Int) throws {
    var records = StoreRecords(seed: UInt64(count))
    var batch = records.batch(StoreRecords.steps, Source(name: "a"), count: count, label: "count")
    batch.labelTable.append("count")
    for row in 0..<count where row % 5 == 0 {
      batch.labels[row] = 1
      batch.copies[row] = UInt32.random(in: 1...UInt32.max, using: &records.random)
    }
    try check(batch)
  }

  @Test("reads back hostile times and values bit for bit", arguments: 0..<40)
  func hostile(seed: Int) throws {
    var records = StoreRecords(seed: UInt64(seed))
    var batch = records.batch(StoreRecords.steps, Source(name: "a"), count: 700, label: "count")
    let special = [
      0, -0.0, Double.leastNonzeroMagnitude, -.pi, 1e300, -1e15, 0x1p51, 0x1p53 + 2, 123_456.789,
      1e-15, 1e22,
      .greatestFiniteMagnitude, 0.1 + 0.2,
    ]
    for row in 0..<batch.count where Int.random(in: 0..<(1 + seed * 3), using: &records.random) == 0
    {
      let pick = { special.randomElement(using: &records.random) ?? 0 }
      switch seed % 4 {
      case 0: batch.values[row] = pick()
      case 1: (batch.starts[row], batch.ends[row]) = (pick(), pick())
      case 2: batch.created[row] = pick()
      default:
        batch.starts[row] += 0.125
        batch.created[row] += 0.001
      }
    }
    try check(batch)
  }

  @Test("reads back product and system of an origin, whatever its version is")
  func origins() throws {
    let (texts, mark) = (["", "17.1", "\u{1F}", "a\u{1F}b\u{1F}c", "\u{1F}\u{301}é"], "\u{1F}")
    var origins: [Origin] = []
    for version in texts {
      for product in ["", "iPhone14,5"] {
        for system in ["", "17.5.1"] {
          origins.append(
            Origin(
              sourceVersion: version, device: "name:Watch", productType: product,
              operatingSystem: system))
        }
      }
    }
    // A version alone is stored as it ever was.
    #expect(origins[4].storedVersion == "17.1" && origins[0].storedVersion.isEmpty)
    for origin in origins {
      #expect(Origin(storedVersion: origin.storedVersion, device: origin.device) == origin)
    }
    let odd = Origin(sourceVersion: "1", productType: "a\(mark)b", operatingSystem: mark)
    let read = Origin(storedVersion: odd.storedVersion, device: "")
    #expect(read == Origin(sourceVersion: "1", productType: "ab"))
    var batch = RecordColumns(type: StoreRecords.steps, source: Source(name: "a"))
    for (row, origin) in origins.enumerated() {
      let start = Double(row)
      try batch.append(start: start, end: start, value: 1, label: "count", origin: origin)
    }
    try check(batch)
  }

  @Test("takes at most 8 bytes a sample on records like Apple's")
  func size() throws {
    var records = StoreRecords(seed: 1)
    var batch = records.batch(
      StoreRecords.energy, Source(name: "a"), count: 20_000, label: "kcal", spread: 20_000 * 60)
    var places = batch.starts.indices.map(UInt32.init)
    batch.putInChunkOrder(&places, canonical: batch.values)
    batch = batch.selecting(places.map(Int.init))
    for row in 0..<batch.count {
      batch.values[row] = Double(Int.random(in: 300...6_000, using: &records.random)) / 1_000
    }
    let chunk = EncodedChunk(allOf: batch)
    #expect(chunk.core.count + chunk.detail.count <= 8 * batch.count)
  }

  @Test("finds every changed byte and every cut")
  func damage() throws {
    var records = StoreRecords(seed: 3)
    let batch = records.batch(StoreRecords.steps, Source(name: "a"), count: 40, label: "count")
    let chunk = EncodedChunk(allOf: batch)
    for (place, bytes) in [chunk.core, chunk.detail].enumerated() {
      func refuses(_ damaged: [UInt8]) {
        #expect(throws: Corruption.self) {
          _ = try decode(
            place == 0 ? damaged : chunk.core, place == 1 ? damaged : chunk.detail, batch.type)
        }
      }
      for index in bytes.indices {
        var damaged = bytes
        damaged[index] ^= UInt8.random(in: 1...255, using: &records.random)
        refuses(damaged)
        refuses(Array(bytes[..<index]))
      }
    }
  }

  @Test("refuses or reads what has a right checksum and wrong contents, and never traps")
  func forged() throws {
    var records = StoreRecords(seed: 4)
    let batch = records.batch(StoreRecords.steps, Source(name: "a"), count: 60, label: "count")
    let chunk = EncodedChunk(allOf: batch)
    func forge(_ bytes: [UInt8], _ change: (inout ByteWriter) -> Void) -> [UInt8] {
      var writer = ByteWriter(bytes: Array(bytes.dropLast(8)))
      change(&writer)
      writer.appendChecksum()
      return writer.bytes
    }
    func survives(_ core: [UInt8], _ detail: [UInt8]) {
      if let rows = try? decode(core, detail, batch.type) {
        #expect(rows.count <= EncodedChunk.mostRows)
        let areFinite = (rows.starts + rows.ends + rows.values).allSatisfy(\.isFinite)
        #expect(areFinite)
      }
    }
    for index in 0..<max(chunk.core.count, chunk.detail.count) - 8 {
      for byte in [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &records.random)] {
        survives(
          forge(chunk.core) { if index < $0.bytes.count { $0.bytes[index] = byte } },
          chunk.detail)
        survives(
          chunk.core,
          forge(chunk.detail) { if index < $0.bytes.count { $0.bytes[index] = byte } })
      }
      survives(
        forge(chunk.core) { $0.bytes.removeLast(min(index, $0.bytes.count)) }, chunk.detail)
      survives(
        chunk.core, forge(chunk.detail) { $0.bytes.removeLast(min(index, $0.bytes.count)) })
    }
  }
}
