import GRDB
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite struct SegmentSummaryTests {
  private let watch = Source(name: "Watch")

  private func segment(_ batch: RecordColumns) -> EncodedSegment {
    EncodedSegment(allOf: batch)
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
    let summary = segment(batch).summary
    #expect(summary.count == count && summary.label == "kcal")
    #expect(summary.blocks.count == (count + 1_023) / 1_024)
    for (number, block) in summary.blocks.enumerated() {
      let rows = number * 1_024..<min(count, (number + 1) * 1_024)
      #expect(summary.rowCount(ofBlock: number) == rows.count)
      #expect(block.firstStart == batch.starts[rows].min())
      #expect(block.lastStart == batch.starts[rows].max())
      let ends = rows.map { max(batch.starts[$0], batch.ends[$0]) }
      #expect(block.lastEnd == ends.max())
      #expect(block.total.minimum == batch.values[rows].min())
      #expect(block.total.maximum == batch.values[rows].max())
      // Values are decimals of at most 8 places: whole numbers of the last place add up exactly.
      let scaled = batch.values[rows].reduce(0) { $0 + Int(($1 * 1e8).rounded()) }
      #expect(abs(block.total.sum + block.total.lost - Double(scaled) / 1e8) <= 1e-15 * 1e9)
    }
  }

  @Test("is the same whether it is found while a segment is written or in its bytes")
  func fromCore() throws {
    for seed in 0..<20 {
      var batch = batch(count: 200 + seed * 150, seed: UInt64(seed))
      batch.labelTable.append("kJ")
      if seed % 2 == 0 { batch.labels[7] = 1 }
      if seed % 3 == 0 { batch.values = batch.values.map { $0 * .pi } }
      if seed % 5 == 0 { batch.values[3] = .greatestFiniteMagnitude }
      let segment = segment(batch)
      #expect(segment.summary.label == (seed % 2 == 0 ? nil : "kcal"))
      let core = try CoreReader(segment.core)
      #expect(try SegmentSummary(core: core, room: RowBlock()) == segment.summary)
      #expect(try SegmentSummary(segment.summary.bytes) == segment.summary)
    }
  }

  @Test("refuses bytes that were changed, cut off or made up")
  func hostile() throws {
    let bytes = segment(batch(count: 2_000, seed: 3)).summary.bytes
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 0x20
      #expect(throws: SegmentDamage.self) { try SegmentSummary(damaged) }
      #expect(throws: SegmentDamage.self) { try SegmentSummary(Array(bytes[..<place])) }
    }
    var random = SplitMix64(seed: 4)
    for length in 0..<300 {
      var writer = ByteWriter()
      writer.append(UInt8(1))
      for _ in 0..<length { writer.append(UInt8.random(in: 0...255, using: &random)) }
      writer.seal()
      // A checksum may hold over anything: it is refused or read, and nothing else.
      _ = try? SegmentSummary(writer.bytes)
    }
  }

  @Test("a sum that leaves the range of doubles, or another zero, gives no total")
  func conversions() throws {
    let values = [1.5, 2, -4]
    let total = values.withUnsafeBufferPointer { BlockTotal($0) }
    func meaning(_ label: String, _ type: String) throws -> LabelMeaning {
      var meanings = LabelMeanings(of: try #require(Catalogue.type(type)))
      let meaning = meanings.meaning(of: label)
      return try #require(meaning)
    }
    let distance = "HKQuantityTypeIdentifierDistanceWalkingRunning"
    let converted = try #require(total.converted(by: try meaning("km", distance)))
    #expect(converted == BlockTotal(sum: -500, lost: 0, minimum: -4_000, maximum: 2_000))
    #expect(total.converted(by: .canonical) == total)
    let temperature = "HKQuantityTypeIdentifierBodyTemperature"
    #expect(total.converted(by: try meaning("degF", temperature)) == nil)
    let huge = [Double.greatestFiniteMagnitude, .greatestFiniteMagnitude, -1]
    let infinite = huge.withUnsafeBufferPointer { BlockTotal($0) }
    #expect(infinite.converted(by: .canonical) == nil && infinite.maximum == huge[0])
  }
}
