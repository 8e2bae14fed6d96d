import HealthMerge
import HealthSamples
import Testing
import _HealthTestSupport

@Suite("Merged parts beside those of the slow twin")
struct MergedPartsTests {
  let sources = Source.named("A", "B", "C")
  let steps = SampleType(.stepCount)

  /// A stretch of time of one sample that counts, as long as it can be.
  private struct Stretch {
    let row: Int
    let start: Double
    var end: Double
    var value: ReferenceFraction
  }

  /// Joins parts of one sample that touch.
  private func stretches(_ parts: [ReferenceMerge.Part]) -> [Stretch] {
    var stretches: [Stretch] = []
    let sorted = parts.sorted { ($0.row, $0.start, $0.end) < ($1.row, $1.start, $1.end) }
    for part in sorted {
      if let last = stretches.last, last.row == part.row, last.end == part.start {
        stretches[stretches.count - 1].end = part.end
        stretches[stretches.count - 1].value = last.value + part.value
      } else {
        stretches.append(
          Stretch(row: part.row, start: part.start, end: part.end, value: part.value))
      }
    }
    return stretches
  }

  /// The segments that count, as parts of the rows of `samples`.
  private func parts(_ segments: SegmentColumns, of samples: SampleColumns) throws
    -> [ReferenceMerge.Part]
  {
    try segments.sources.indices.flatMap { source in
      let index = try #require(samples.sources.firstIndex(of: segments.sources[source]))
      return segments.rows(ofSource: source).filter {
        segments.samples[$0] != SegmentColumns.masked
      }.map {
        ReferenceMerge.Part(
          row: samples.offsets[index] + Int(segments.samples[$0]), start: segments.starts[$0],
          end: segments.ends[$0], value: ReferenceFraction(exactly: segments.values[$0]))
      }
    }
  }

  /// Compares a merge with the slow one, for which times and values are small and round; the answer
  /// is the merge.
  @discardableResult
  private func compare(
    _ rows: [SampleColumns.Row], order: [Source], policy: ReferenceMerge.Policy,
    dates: [Double]? = nil
  ) throws -> SegmentColumns {
    let dated = DatedSampleColumns(
      type: steps,
      rows: rows.indices.map { .init(sample: rows[$0], lastModified: dates?[$0] ?? 0) })
    let samples = dated.samples
    let sorted = samples.sources.indices.flatMap { source in
      samples.rows(ofSource: source).map {
        SampleColumns.Row(
          source: samples.sources[source], start: samples.starts[$0], end: samples.ends[$0],
          value: samples.values[$0])
      }
    }
    let segments = try samples.merged(
      by: SourcePriority(order: order), policy: #require(MergePolicy(rawValue: policy.rawValue)),
      lastModified: dates == nil ? nil : dated.lastModified)
    let slow = ReferenceMerge(rows: sorted, order: order)
      .parts(policy: policy, lastModified: dated.lastModified)
    let ours = stretches(try parts(segments, of: samples))
    let theirs = stretches(slow)
    #expect(ours.map(\.row) == theirs.map(\.row), "\(policy) \(rows)")
    #expect(ours.map(\.start) == theirs.map(\.start), "\(policy) \(rows)")
    #expect(ours.map(\.end) == theirs.map(\.end), "\(policy) \(rows)")
    // What is left after a subtraction is as wrong as what was subtracted.
    let magnitude = rows.reduce(0) { $0 + abs($1.value) }
    for (our, their) in zip(ours, theirs) {
      let value = Double(our.value.numerator) / Double(our.value.denominator)
      let exact = Double(their.value.numerator) / Double(their.value.denominator)
      let scale = policy == .subtractive ? magnitude : abs(exact)
      #expect(abs(value - exact) <= 0x1p-50 * scale, "\(policy) \(rows)")
    }
    return segments
  }

  @Test("on all inputs of three samples of two sources", arguments: ReferenceMerge.Policy.allCases)
  func small(policy: ReferenceMerge.Policy) throws {
    let spans: [(Double, Double)] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    let choices: [(Source, Double, Double)] = sources.prefix(2).flatMap { source in
      spans.map { (source, $0.0, $0.1) }
    }
    for first in choices.indices {
      for second in first..<choices.count {
        for third in second..<choices.count {
          var rows: [SampleColumns.Row] = []
          for (place, value) in [(first, 1.0), (second, 4), (third, 16)] {
            let (source, start, end) = choices[place]
            rows.append(SampleColumns.Row(source: source, start: start, end: end, value: value))
          }
          try compare(rows, order: Array(sources.prefix(2)), policy: policy)
        }
      }
    }
  }

  @Test("on random inputs", arguments: ReferenceMerge.Policy.allCases)
  func random(policy: ReferenceMerge.Policy) throws {
    var generator = SplitMix64(seed: 31)
    for _ in 0..<150 {
      let rows = SampleColumns.Row.random(
        count: Int.random(in: 0...12, using: &generator), sources: sources, using: &generator)
      let dates = rows.map { _ in Double(Int.random(in: 0...2, using: &generator)) }
      try compare(rows, order: sources, policy: policy, dates: dates)
    }
  }

  @Test("where many small sources follow a large one", arguments: ReferenceMerge.Policy.allCases)
  func manySources(policy: ReferenceMerge.Policy) throws {
    let many = (0..<14).map { Source(name: "\($0)") }
    var generator = SplitMix64(seed: 32)
    for _ in 0..<4 {
      var large: [SampleColumns.Row] = []
      for place in 0..<40 {
        let start = Double(7 * place)
        let length = Double(place % 6)
        large.append(
          SampleColumns.Row(source: many[0], start: start, end: start + length, value: 2))
      }
      let small = SampleColumns.Row.random(
        count: 24, sources: Array(many.dropFirst()), times: 0..<280,
        // Fractions of fractions of the slow twin have to fit.
        longest: policy == .subtractive ? 6 : 60, using: &generator)
      try compare(large + small, order: many, policy: policy)
    }
  }

  @Test("where long stretches count whole, which are not copied", arguments: [2, 40, 77])
  func longStretches(masked: Int) throws {
    let low = (0..<200).map { place in
      let start = Double(8 * place)
      let length: Double = place % 3 == 0 ? 4 : 8
      return SampleColumns.Row(
        source: sources[2], start: start, end: start + length, value: Double(place % 50) / 8)
    }
    let edge = Double(8 * masked)
    // Some lie across a sample, some beside one, one is an instant, one covers many.
    let spans: [(Double, Double)] = [
      (edge + 2, edge + 10), (700, 720), (801, 803), (1200, 1200),
    ]
    var high: [SampleColumns.Row] = []
    for (place, span) in spans.enumerated() {
      high.append(
        SampleColumns.Row(
          source: sources[place % 2], start: span.0, end: span.1, value: Double(place)))
    }
    for policy in ReferenceMerge.Policy.allCases {
      let segments = try compare(low + high, order: sources, policy: policy)
      // What is masked, its neighbours up to a few vectors, and what is too short for a piece.
      #expect(segments.own.starts.count < 110, "\(policy)")
      #expect(segments.pieces.contains { $0.number != nil && $0.range.count >= 32 })
    }
  }

  @Test("samples of which nothing is taken share their columns", arguments: MergePolicy.allCases)
  func shared(policy: MergePolicy) throws {
    var generator = SplitMix64(seed: 33)
    for type in [steps, SampleType(.heartRate)] {
      let length = type == steps ? 0.5 : 9
      var rows: [SampleColumns.Row] = []
      for source in sources {
        for place in 0..<50 {
          let value = Double.random(in: 0..<1, using: &generator)
          rows.append(
            .init(source: source, start: Double(place), end: Double(place) + length, value: value))
        }
      }
      let taken = type == steps ? rows.filter { $0.source == sources[1] } : rows
      let samples = SampleColumns(type: type, rows: taken)
      let order = Array(samples.sources.reversed())
      let segments = try samples.merged(by: SourcePriority(order: order), policy: policy)
      #expect(segments.own.starts.isEmpty)
      #expect(segments.pieces.count == order.count)
      #expect(segments.sources == order)
      for (place, source) in order.enumerated() {
        let index = try #require(samples.sources.firstIndex(of: source))
        let (ours, theirs) = (segments.rows(ofSource: place), samples.rows(ofSource: index))
        #expect(segments.starts[ours] == samples.starts[theirs])
        #expect(segments.ends[ours] == samples.ends[theirs])
        #expect(segments.values[ours] == samples.values[theirs])
        #expect(segments.samples[ours] == Array(UInt32(0)..<UInt32(theirs.count))[...])
      }
    }
  }
}
