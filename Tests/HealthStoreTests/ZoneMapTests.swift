import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite struct ZoneMapTests {
  private let watch = Source(name: "Watch")

  private func chunk(_ batch: RecordColumns) -> EncodedChunk {
    EncodedChunk(allOf: batch)
  }

  private func batch(count: Int, seed: UInt64, longest: Double = 0) -> RecordColumns {
    var records = StoreRecords(seed: seed)
    var batch = records.batch(StoreRecords.energy, watch, count: count, label: "kcal")
    batch.starts.sort()
    for row in 0..<count where batch.ends[row] < batch.starts[row] {
      batch.ends[row] = batch.starts[row] - 1
    }
    batch.ends[count / 2] += longest
    return batch
  }

  @Test("says of each block what its rows say", arguments: [1, 2, 1_023, 1_024, 1_025, 3_000])
  func blocks(count: Int) throws {
    let batch = batch(count: count, seed: UInt64(count), longest: 1e7)
    let zoneMap = chunk(batch).zoneMap
    #expect(zoneMap.count == count && zoneMap.label == "kcal")
    #expect(zoneMap.blocks.count == (count + 1_023) / 1_024)
    for (number, block) in zoneMap.blocks.enumerated() {
      let rows = number * 1_024..<min(count, (number + 1) * 1_024)
      #expect(zoneMap.rowCount(ofBlock: number) == rows.count)
      #expect(block.firstStart == batch.starts[rows].min())
      #expect(block.lastStart == batch.starts[rows].max())
      let ends = rows.map { max(batch.starts[$0], batch.ends[$0]) }
      #expect(block.lastEnd == ends.max())
      #expect(block.minimum == batch.values[rows].min())
      #expect(block.maximum == batch.values[rows].max())
      // Values are decimals of at most 8 places: whole numbers of the last place add up exactly.
      let scaled = batch.values[rows].reduce(0) { $0 + Int(($1 * 1e8).rounded()) }
      #expect(abs(block.sum + block.sumError - Double(scaled) / 1e8) <= 1e-15 * 1e9)
    }
  }

  @Test("is the same whether it is found while a chunk is written or in its bytes")
  func fromCore() throws {
    for seed in 0..<20 {
      var batch = batch(count: 200 + seed * 150, seed: UInt64(seed))
      batch.labelTable.append("kJ")
      if seed % 2 == 0 { batch.labels[7] = 1 }
      if seed % 3 == 0 { batch.values = batch.values.map { $0 * .pi } }
      if seed % 5 == 0 { batch.values[3] = .greatestFiniteMagnitude }
      let chunk = chunk(batch)
      #expect(chunk.zoneMap.label == (seed % 2 == 0 ? nil : "kcal"))
      let core = try CoreReader(chunk.core)
      #expect(try ZoneMap(core: core, room: RowBlock()) == chunk.zoneMap)
      #expect(try ZoneMap(chunk.zoneMap.bytes) == chunk.zoneMap)
    }
  }

  @Test("refuses bytes that were changed, cut off or made up")
  func hostile() throws {
    let bytes = chunk(batch(count: 2_000, seed: 3)).zoneMap.bytes
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 0x20
      #expect(throws: Corruption.self) { try ZoneMap(damaged) }
      #expect(throws: Corruption.self) { try ZoneMap(Array(bytes[..<place])) }
    }
    var random = SplitMix64(seed: 4)
    for length in 0..<300 {
      var writer = ByteWriter()
      writer.append(UInt8(1))
      for _ in 0..<length { writer.append(UInt8.random(in: 0...255, using: &random)) }
      writer.appendChecksum()
      // A checksum may hold over anything: it is refused or read, and nothing else.
      _ = try? ZoneMap(writer.bytes)
    }
  }

  @Test("a sum that leaves the range of doubles, or another zero, gives no total")
  func conversions() throws {
    func statistics(_ values: [Double]) -> BlockStatistics {
      let starts = values.indices.map(Double.init)
      return starts.withUnsafeBufferPointer { starts in
        values.withUnsafeBufferPointer { .init(starts: starts, ends: starts, values: $0) }
      }
    }
    let values = statistics([1.5, 2, -4])
    func unit(_ label: String, _ type: String) throws -> RecordedUnit {
      var units = RecordedUnits(of: try #require(Catalogue.type(type)))
      let unit = units.unit(of: label)
      return try #require(unit)
    }
    let distance = "HKQuantityTypeIdentifierDistanceWalkingRunning"
    let converted = try #require(values.converted(by: try unit("km", distance)))
    #expect(converted == statistics([1_500, 2_000, -4_000]))
    #expect(values.converted(by: .canonical) == values)
    let temperature = "HKQuantityTypeIdentifierBodyTemperature"
    #expect(values.converted(by: try unit("degF", temperature)) == nil)
    let huge = Double.greatestFiniteMagnitude
    let infinite = statistics([huge, huge, -1])
    #expect(infinite.converted(by: .canonical) == nil && infinite.maximum == huge)
  }
}
