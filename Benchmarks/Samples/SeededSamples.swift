public import HealthSamples

/// Samples for merging and statistics: the same ones for the same seed.
public enum SeededSamples {
  /// Samples of several sources over the same time, `count` in all; a source with gaps pauses now
  /// and then, one without counts all the time.
  public static func overlapping(
    type: SampleType, sources: Int, count: Int, hasGaps: Bool
  ) -> SampleColumns {
    var random = Random(state: 42)
    var rows: [SampleColumns.Row] = []
    rows.reserveCapacity(count)
    for index in 0..<sources {
      let source = Source(name: "Source \(index)")
      var time = Double(random.next() % 60)
      for _ in 0..<count / sources {
        let length = Double(20 + random.next() % 80)
        let value = Double(1 + random.next() % 120)
        rows.append(.init(source: source, start: time, end: time + length, value: value))
        time += length
        if hasGaps, random.next() % 3 == 0 { time += Double(random.next() % 300) }
      }
    }
    return SampleColumns(type: type, rows: rows)
  }

  /// Samples of one source with gaps, made without a list of rows: as many as memory holds.
  public static func consecutive(type: SampleType, count: Int) throws -> SampleColumns {
    var random = Random(state: 42)
    var starts = [Double](repeating: 0, count: count)
    var ends = starts
    var values = starts
    var time = 0.0
    for row in 0..<count {
      starts[row] = time
      time += Double(20 + random.next() % 80)
      ends[row] = time
      values[row] = Double(1 + random.next() % 120)
      if random.next() % 3 == 0 { time += Double(random.next() % 300) }
    }
    return try SampleColumns(
      type: type, source: Source(name: "Source"), starts: starts, ends: ends, values: values)
  }

  /// Instants of several sources over the same time, `count` in all.
  ///
  /// They come every few minutes, now and then every few seconds for a while or not at all for
  /// hours. No two are at one time.
  public static func instants(type: SampleType, sources: Int, count: Int) -> SampleColumns {
    var random = Random(state: 42)
    var rows: [SampleColumns.Row] = []
    rows.reserveCapacity(count)
    for index in 0..<sources {
      let source = Source(name: "Source \(index)")
      var time = Double(index) / Double(sources)
      var dense = 0
      for _ in 0..<count / sources {
        let value = Double(40 + random.next() % 120)
        rows.append(.init(source: source, start: time, end: time, value: value))
        let draw = random.next() % 1000
        if draw < 3 { dense = 300 }
        time += dense > 0 ? 5 : draw > 995 ? 9000 : Double(60 + random.next() % 400)
        dense = max(0, dense - 1)
      }
    }
    return SampleColumns(type: type, rows: rows)
  }

  /// Samples of a source with gaps, a tenth of which lie in time that the source "Other"
  /// covers, which stands before it; `count` in all.
  ///
  /// The other one has `turn` samples one after the other, then pauses for nine times as many.
  public static func masked(type: SampleType, count: Int, turn: Int) throws -> SampleColumns {
    let lower = try consecutive(type: type, count: count - count / 11)
    var random = Random(state: 43)
    let (source, other) = (lower.sources[0], Source(name: "Other"))
    var rows: [SampleColumns.Row] = []
    rows.reserveCapacity(count)
    for row in 0..<lower.count {
      let (start, end) = (lower.starts[row], lower.ends[row])
      rows.append(.init(source: source, start: start, end: end, value: lower.values[row]))
      guard row / turn % 10 == 4 else { continue }
      // Like the sample that it covers, but up to a third shorter.
      let length = ((end - start) * Double(10 - random.next() % 4) / 10).rounded()
      rows.append(
        .init(
          source: other, start: start, end: start + length,
          value: Double(1 + random.next() % 120)))
    }
    return SampleColumns(type: type, rows: rows)
  }

  /// Edges of intervals of so many seconds from the first sample to after the last.
  public static func intervals(of length: Double, over samples: SampleColumns) throws -> Boundaries
  {
    let last = samples.ends.max() ?? 0
    let edges = (0...Int(last / length) + 1).map { Double($0) * length }
    return try Boundaries(edges: edges)
  }

  /// A linear congruential generator (Knuth, MMIX); its upper bits are random enough for loads.
  public struct Random {
    private var state: UInt64

    /// Begins anywhere.
    public init(state: UInt64) { self.state = state }

    /// The next 31 bits.
    public mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 33
    }
  }
}
