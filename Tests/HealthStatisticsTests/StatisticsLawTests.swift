import HealthMerge
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

@Suite("Laws of merged sums")
struct StatisticsLawTests {
  let sources = Source.named("A", "B", "C")
  let steps: SampleType

  init() throws {
    steps = try #require(Catalogue.type("HKQuantityTypeIdentifierStepCount"))
  }

  private func segments(
    _ rows: [SampleColumns.Row], order: [Source]? = nil, policy: MergePolicy = .hk
  ) throws -> SegmentColumns {
    try SampleColumns(type: steps, rows: rows)
      .merged(by: SourcePriority(order: order ?? sources), policy: policy)
  }

  private func forRandomRows(
    seed: UInt64, _ body: ([SampleColumns.Row], inout SplitMix64) throws -> Void
  ) throws {
    var generator = SplitMix64(seed: seed)
    for _ in 0..<600 {
      let rows = SampleColumns.Row.random(
        count: Int.random(in: 1...10, using: &generator), sources: sources, using: &generator)
      try body(rows, &generator)
    }
  }

  @Test("cutting an interval in two preserves the sum")
  func splitting() throws {
    try forRandomRows(seed: 5) { rows, generator in
      let segments = try segments(rows)
      let cut = Double(Int.random(in: 1...35, using: &generator)) + 0.5
      let whole = try #require(segments.statistics(over: Boundaries(edges: [0, 36])).sums)
      let halves = try #require(segments.statistics(over: Boundaries(edges: [0, cut, 36])).sums)
      let magnitude = rows.reduce(0) { $0 + $1.value }
      #expect(abs(whole[0] - (halves[0] + halves[1])) <= 4 * magnitude.ulp)
    }
  }

  @Test("the total is the sum of what each source contributes, in rank order")
  func contributions() throws {
    try forRandomRows(seed: 6) { rows, _ in
      let segments = try segments(rows)
      let boundaries = Boundaries(edges: [0, 9, 17, 36])
      let total = try #require(segments.statistics(over: boundaries).sums)
      let parts = try segments.statisticsBySource(over: boundaries)
      for index in total.indices {
        var sum = CompensatedSum()
        for part in parts { sum.add(try #require(part.sums)[index]) }
        #expect(sum.result == total[index])
      }
      #expect(
        parts.map(\.counts).reduce([0, 0, 0]) { zip($0, $1).map(+) }
          == (try segments.statistics(over: boundaries).counts))
    }
  }

  @Test("raising the priority of a source never lowers its contribution")
  func priority() throws {
    try forRandomRows(seed: 7) { rows, _ in
      let boundaries = Boundaries(edges: [0, 13, 36])
      let raised = [sources[1], sources[0], sources[2]]
      func contribution(_ order: [Source]) throws -> [Double] {
        let segments = try segments(rows, order: order)
        guard let index = segments.sources.firstIndex(of: sources[1]) else { return [0, 0] }
        return try segments.statisticsBySource(over: boundaries)[index].sums ?? []
      }
      for (after, before) in zip(try contribution(raised), try contribution(sources)) {
        #expect(after >= before - 8 * before.ulp)
      }
    }
  }

  @Test("the merged sum never exceeds the raw one when no value is negative")
  func raw() throws {
    try forRandomRows(seed: 8) { rows, _ in
      let boundaries = Boundaries(edges: [0, 36])
      let merged = try #require(segments(rows).statistics(over: boundaries).sums)
      let raw = try #require(segments(rows, policy: .none).statistics(over: boundaries).sums)
      #expect(merged[0] <= raw[0] + 8 * raw[0].ulp)
    }
  }

  @Test("shifting all times changes nothing, scaling by a power of two scales exactly")
  func shiftAndScale() throws {
    try forRandomRows(seed: 9) { rows, _ in
      let edges = [0.0, 7, 19, 36]
      let table = try segments(rows).statistics(over: Boundaries(edges: edges))
      let shift = 694_224_000.0
      let shifted = rows.map {
        SampleColumns.Row(
          source: $0.source, start: $0.start + shift, end: $0.end + shift, value: $0.value)
      }
      let later = try segments(shifted)
        .statistics(over: Boundaries(edges: edges.map { $0 + shift }))
      #expect(later.sums == table.sums && later.counts == table.counts)
      let scaled = rows.map {
        SampleColumns.Row(
          source: $0.source, start: $0.start, end: $0.end, value: $0.value * 0x1p-20)
      }
      let small = try segments(scaled).statistics(over: Boundaries(edges: edges))
      #expect(small.sums == table.sums?.map { $0 * 0x1p-20 })
    }
  }

  @Test("intervals do not depend on their neighbours")
  func neighbours() throws {
    try forRandomRows(seed: 10) { rows, _ in
      let segments = try segments(rows)
      let edges = [0.0, 5, 11, 12, 20, 36]
      let together = try segments.statistics(over: Boundaries(edges: edges))
      for index in 0..<together.count {
        let alone = try segments.statistics(
          over: Boundaries(edges: Array(edges[index...index + 1])))
        #expect(alone.sums?.first == together.sums?[index])
        #expect(alone.counts.first == together.counts[index])
      }
    }
  }
}
