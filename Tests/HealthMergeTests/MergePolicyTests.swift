import HealthMerge
import HealthSamples
import Testing
import _HealthTestSupport

@Suite("Policies beside the default one")
struct MergePolicyTests {
  let sources = Source.named("A", "B", "C")
  let steps = SampleType(.stepCount)

  private func row(_ source: Int, _ start: Double, _ end: Double, _ value: Double)
    -> SampleColumns.Row
  {
    SampleColumns.Row(source: sources[source], start: start, end: end, value: value)
  }

  private func merged(
    _ rows: [SampleColumns.Row], _ policy: MergePolicy, dates: [Double]? = nil,
    order: [Source]? = nil
  ) throws -> SegmentColumns {
    let dated = DatedSampleColumns(
      type: steps,
      rows: rows.indices.map { .init(sample: rows[$0], lastModified: dates?[$0] ?? 0) })
    return try dated.samples.merged(
      by: SourcePriority(order: order ?? sources), policy: policy,
      lastModified: dates == nil ? nil : dated.lastModified)
  }

  /// The segments that count, as rows.
  private func counting(_ segments: SegmentColumns) -> [SampleColumns.Row] {
    segments.sources.indices.flatMap { source in
      segments.rows(ofSource: source).filter { segments.samples[$0] != SegmentColumns.masked }.map {
        SampleColumns.Row(
          source: segments.sources[source], start: segments.starts[$0], end: segments.ends[$0],
          value: segments.values[$0])
      }
    }
  }

  @Test("hc gives a moment to the record changed last, and ignores apps that are not listed")
  func healthConnect() throws {
    let rows = [row(0, 0, 10, 10), row(0, 5, 15, 100), row(2, 0, 20, 7)]
    let order = [sources[0], sources[1]]
    #expect(
      try counting(merged(rows, .healthConnect, dates: [1, 2, 3], order: order))
        == [row(0, 0, 5, 5), row(0, 5, 15, 100)])
    #expect(
      try counting(merged(rows, .healthConnect, dates: [2, 1, 3], order: order))
        == [row(0, 0, 10, 10), row(0, 10, 15, 50)])
    #expect(try merged(rows, .healthConnect, order: []).count == 0)
  }

  @Test("hc has one total order: then the later start, the later end, the larger value win")
  func ties() throws {
    #expect(
      try counting(merged([row(0, 0, 9, 1), row(0, 0, 9, 2)], .healthConnect)) == [row(0, 0, 9, 2)])
    #expect(
      try counting(merged([row(0, 0, 9, 9), row(0, 0, 12, 12)], .healthConnect)) == [
        row(0, 0, 12, 12)
      ])
    #expect(
      try counting(merged([row(0, 0, 9, 9), row(0, 3, 6, 1)], .healthConnect))
        == [row(0, 0, 3, 3), row(0, 6, 9, 3), row(0, 3, 6, 1)])
  }

  @Test("a sample that ends before it starts is none where dates are asked for")
  func reversed() throws {
    #expect(try merged([row(0, 9, 5, 3)], .healthConnect, dates: [0]).count == 0)
  }

  @Test("subtractive takes away amounts, not time, and spreads the rest over time left open")
  func subtractive() throws {
    let rows = [row(0, 10, 20, 30), row(1, 0, 40, 90)]
    #expect(
      try counting(merged(rows, .subtractive))
        == [row(0, 10, 20, 30), row(1, 0, 10, 20), row(1, 20, 40, 40)])
    let covered = [row(0, 0, 50, 50), row(1, 10, 20, 25)]
    #expect(try counting(merged(covered, .subtractive)).last == row(1, 10, 20, 15))
    let less = try merged([row(0, 0, 50, 500), row(1, 10, 20, 25)], .subtractive)
    #expect(counting(less) == [row(0, 0, 50, 500)])
    #expect(less.count == 2)
    let value = 0.1 + 0.2
    #expect(
      try counting(merged([row(0, 0, 5, 1), row(1, 5, 9, value)], .subtractive)).last?.value
        == value)
  }

  @Test("drop keeps a sample whole or not at all; what is dropped masks nobody")
  func dropped() throws {
    let rows = [row(0, 0, 10, 1), row(1, 5, 20, 2), row(2, 15, 25, 4), row(2, 10, 12, 8)]
    #expect(
      try counting(merged(rows, .drop))
        == [row(0, 0, 10, 1), row(2, 10, 12, 8), row(2, 15, 25, 4)])
    #expect(try counting(merged([row(0, 5, 5, 1), row(1, 5, 9, 2)], .drop)) == [row(0, 5, 5, 1)])
    #expect(try counting(merged([row(0, 5, 9, 1), row(1, 9, 9, 2)], .drop)) == [row(0, 5, 9, 1)])
  }

  @Test(
    "the order of input never matters, a source alone is its own merge",
    arguments: MergePolicy.allCases)
  func laws(policy: MergePolicy) throws {
    var generator = SplitMix64(seed: 21)
    for _ in 0..<500 {
      let rows = SampleColumns.Row.random(
        count: Int.random(in: 0...12, using: &generator), sources: sources, using: &generator)
      let dates = rows.map { _ in Double(Int.random(in: 0...2, using: &generator)) }
      let segments = try merged(rows, policy, dates: dates)
      let places = rows.indices.shuffled(using: &generator)
      #expect(
        try merged(places.map { rows[$0] }, policy, dates: places.map { dates[$0] }) == segments)
      let alone = rows.filter { $0.source == sources[0] }
      // In hc the samples of one app mask each other.
      if policy != .healthConnect { #expect(try merged(alone, policy) == merged(alone, .unmerged)) }
    }
  }

  @Test(
    "deep overlaps are merged or refused, and never without end", arguments: MergePolicy.allCases)
  func deepOverlaps(policy: MergePolicy) throws {
    let spans = (0..<2100).map(Double.init).map { row(0, 2 * $0, 2 * $0 + 1, 1) }
    let deep = (0..<2100).map(Double.init).map { row(1, $0 / 8192, 9000, 5000) }
    do {
      #expect(try merged(spans + deep, policy).count <= 3 * (spans.count + deep.count))
    } catch let error as MergeError {
      #expect(error.source == sources[1])
      #expect(policy == .healthKit || policy == .subtractive)
    }
  }

  @Test("very long samples and many at one instant have an answer", arguments: MergePolicy.allCases)
  func extremes(policy: MergePolicy) throws {
    let wild = [row(0, -1.7e308, 0, 4), row(1, -1.7e308, 1.7e308, 8), row(2, 0, 0, 2)]
    #expect(try merged(wild, policy).values.allSatisfy(\.isFinite))
    let instants = (0..<20_000).map { row($0 % 2, 5, 5, Double($0)) }
    let count = try counting(merged(instants, policy)).count
    #expect(
      count == [.healthConnect: 1, .healthKit: 10_000, .drop: 10_000, .subtractive: 10_000][policy]
        ?? 20_000)
  }
}
