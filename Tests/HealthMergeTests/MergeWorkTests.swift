import HealthMerge
import HealthSamples
import Testing
import _HealthTestSupport

@Suite("How the work of merging is cut up")
struct MergeWorkTests {
  let sources = Source.named("A", "B", "C", "D")
  let steps = SampleType(.stepCount)

  /// Samples with full mantissas; some overlap their own source, some are long, some instants.
  private func samples(count: Int, overlaps: Bool, using generator: inout SplitMix64)
    -> SampleColumns
  {
    let rows = sources.flatMap { source in
      var time = Double.random(in: 0..<9, using: &generator)
      return (0..<count).map { _ -> SampleColumns.Row in
        let kind = Int.random(in: 0..<16, using: &generator)
        let length =
          kind == 0 ? 0 : Double.random(in: 0..<(kind == 1 ? 400 : 9), using: &generator)
        defer {
          time += overlaps && kind < 6 ? length / 3 : length
          if kind > 11 { time += Double.random(in: 0..<20, using: &generator) }
        }
        return SampleColumns.Row(
          source: source, start: time, end: time + length,
          value: Double.random(in: 0..<100, using: &generator))
      }
    }
    return SampleColumns(type: steps, rows: rows)
  }

  @Test(
    "no bit depends on threads or on the size of pieces",
    arguments: MergePolicy.allCases, [false, true])
  func pieces(policy: MergePolicy, overlaps: Bool) throws {
    var generator = SplitMix64(seed: 41)
    let samples = samples(count: 300, overlaps: overlaps, using: &generator)
    let priority = SourcePriority(order: sources)
    func merged(_ work: MergeWork) throws -> SegmentColumns {
      try samples.merged(by: priority, policy: policy, lastModified: nil, work: work)
    }
    let whole = try merged(MergeWork(threads: 1))
    if splitting.contains(policy) {
      #expect(whole.values.contains { $0 != 0 && !samples.values.contains($0) })
    }
    for threads in 1...3 {
      for size in [1, 2, 7, 8, 9, 64, 1000] {
        let cut = try merged(MergeWork(threads: threads, samplesPerPiece: size))
        #expect(cut == whole, "\(threads) threads, \(size) samples a piece")
      }
    }
  }

  @Test(
    "no bit depends on it where most samples count whole", arguments: MergePolicy.allCases)
  func wholeStretches(policy: MergePolicy) throws {
    var generator = SplitMix64(seed: 43)
    var rows: [SampleColumns.Row] = []
    for (place, source) in sources.enumerated() {
      var time = 0.0
      while time < 4000 {
        let length = Double.random(in: 0..<5, using: &generator)
        rows.append(
          .init(
            source: source, start: time, end: time + length,
            value: Double.random(in: -1..<9, using: &generator)))
        // The last source is there all the time, the others now and then.
        time += length
        if place < 3 { time += Double.random(in: 0..<900, using: &generator) }
      }
    }
    let samples = SampleColumns(type: steps, rows: rows)
    let priority = SourcePriority(order: sources)
    func merged(_ work: MergeWork) throws -> SegmentColumns {
      try samples.merged(by: priority, policy: policy, lastModified: nil, work: work)
    }
    let whole = try merged(MergeWork(threads: 1))
    #expect(whole.own.starts.count < samples.count / 2)
    for work in [(1, 100), (2, 33), (3, 250), (2, 8)] {
      #expect(try merged(MergeWork(threads: work.0, samplesPerPiece: work.1)) == whole)
    }
  }

  /// Policies under which samples are split, so that pieces may cut where a part goes on.
  private let splitting: Set<MergePolicy> = [.healthKit, .healthConnect, .subtractive]

  @Test("too many segments are refused whatever the pieces")
  func refusal() {
    let spans = (0..<2100).map(Double.init).map {
      SampleColumns.Row(source: sources[0], start: 2 * $0, end: 2 * $0 + 1, value: 1)
    }
    let deep = (0..<2100).map(Double.init).map {
      SampleColumns.Row(source: sources[1], start: $0 / 8192, end: 9000, value: 1)
    }
    let samples = SampleColumns(type: steps, rows: spans + deep)
    for work in [MergeWork(threads: 2, samplesPerPiece: 100), MergeWork(threads: 1)] {
      #expect {
        try samples.merged(
          by: SourcePriority(order: sources), policy: .healthKit, lastModified: nil, work: work)
      } throws: { error in
        (error as? MergeError)?.source == sources[1]
      }
    }
  }

  @Test("numbers below one count as one")
  func bounds() {
    #expect(MergeWork(threads: 0, samplesPerPiece: -1) == MergeWork(threads: 1, samplesPerPiece: 1))
  }

  @Test(
    "thousands of small sources, each all over the time of a large one, take no time",
    .timeLimit(.minutes(1)), arguments: MergePolicy.allCases)
  func manySources(policy: MergePolicy) throws {
    let many = (0..<4000).map { Source(name: "\($0)") }
    var generator = SplitMix64(seed: 42)
    let rows = (0..<20_000).map { place -> SampleColumns.Row in
      let start = Double.random(in: 0..<1e6, using: &generator)
      return SampleColumns.Row(
        source: place < 8000 ? many[0] : many[place % 4000], start: start, end: start + 20,
        value: 1)
    }
    let samples = SampleColumns(type: steps, rows: rows)
    let sum = try samples.merged(by: SourcePriority(order: many), policy: policy).values
      .reduce(0, +)
    #expect(sum > 5000 && sum <= 20_000.001)
  }
}
