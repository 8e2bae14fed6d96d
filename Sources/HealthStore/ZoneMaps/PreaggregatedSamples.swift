import GRDB
package import HealthSamples

/// The samples of one query: some individually, the others aggregated.
package struct PreaggregatedSamples: Sendable {
  /// Samples that an edge of an interval cuts, that others may mask, or that cannot be aggregated.
  package let samples: SampleColumns
  /// All others; its sources are among those of ``samples``.
  package let aggregates: AggregateColumns

  init(samples: SampleColumns, aggregates: AggregateColumns) {
    self.samples = samples
    self.aggregates = aggregates
  }

  /// Samples without aggregates.
  package init(_ samples: SampleColumns) {
    self.init(samples: samples, aggregates: AggregateColumns())
  }
}

/// The groups of samples that are aggregated together.
package struct SampleGroups: Sendable {
  /// Ascending; group *i* has the samples that start in `edges[i]..<edges[i + 1]`.
  let edges: [Double]
  /// Whether a sample that ends after its group is cut.
  let cutsEnds: Bool

  /// One group for each interval.
  package init(_ boundaries: Boundaries) {
    edges = boundaries.edges
    cutsEnds = true
  }

  /// One group of all samples that end at or after the lower bound of a range and start before its
  /// upper one, each whole.
  package init(wholeIn range: Range<Double>) {
    edges = [range.lowerBound, range.upperBound]
    cutsEnds = false
  }

  /// The group of an instant; -1 before all, `edges.count - 1` after all.
  ///
  /// - Complexity: O(log *d*) in the distance from the hint, which is -1 or a group
  func index(of instant: Double, near hint: Int = -1) -> Int {
    edges.lastEdge(notAfter: instant, near: hint)
  }

  /// Whether the samples of a block are all in one group, and whole.
  ///
  /// The hint is a nearby group, and is set to that of the block.
  ///
  /// - Complexity: O(1) for the group of the hint, else O(log *d*) in the distance from it
  func holdsWhole(_ block: BlockStatistics, near hint: inout Int) -> Bool {
    let group = index(of: block.firstStart, near: hint)
    hint = group
    guard group >= 0, group < edges.count - 1 else { return false }
    return block.lastStart < edges[group + 1] && (!cutsEnds || block.lastEnd <= edges[group + 1])
  }

  /// Whether no sample of a block is in any group.
  func misses(_ block: BlockStatistics) -> Bool {
    guard let first = edges.first, let last = edges.last else { return true }
    return !(first..<last).hasSample(from: block.firstStart, to: block.lastEnd)
  }
}

extension SampleStore {
  /// The samples of a type for one query, aggregated where only their sums matter.
  ///
  /// The zone map of a chunk is read first. A block whose samples are all in one group is not read;
  /// one that an edge cuts is decoded and aggregated by group. Other chunks are not read.
  ///
  /// - Parameters:
  ///   - type: as for ``samples(of:in:)``
  ///   - range: as for ``samples(of:in:)``
  ///   - groups: the groups to aggregate
  ///   - onlyUncontested: whether samples that overlap or touch one of another source are returned
  ///     individually
  ///   - byHardware: whether devices of one name that recorded at one time are sources of their own
  /// - Returns: each sample of a group once; of others perhaps some
  /// - Throws: ``StoreError``; ``StoreError/Reason/damaged`` names the chunk
  /// - Complexity: O(blocks + edges × samples of a block + individual samples)
  package func preaggregatedSamples(
    of type: SampleType, in range: Range<Double>, by groups: SampleGroups, onlyUncontested: Bool,
    byHardware: Bool = false
  ) throws(StoreError) -> PreaggregatedSamples {
    try preaggregatedSamples(
      of: type, in: SamplePeriod(of: range), by: groups, onlyUncontested: onlyUncontested,
      byHardware: byHardware)
  }

  /// The same for the samples of a period and of the sources for which a body returns true.
  package func preaggregatedSamples(
    of type: SampleType, in period: SamplePeriod, by groups: SampleGroups, onlyUncontested: Bool,
    byHardware: Bool = false, where isChosen: (Source) -> Bool = { _ in true }
  ) throws(StoreError) -> PreaggregatedSamples {
    try read { database in
      let resolved = try resolved(type, in: database)
      var reading = PreaggregatedReader(
        of: resolved, in: period, by: groups, from: database, watch: watch)
      let sources = try sources(of: type, in: period.range, from: database)
        .filter { isChosen($0.source) }
      let rows = try database.rows(of: sources, resolved, byHardware: byHardware)
      return try reading.samples(rows, onlyUncontested: onlyUncontested)
    }
  }
}

extension SampleStore {
  /// The time of the chunks of a type that can overlap a range; `nil` if there is none.
  ///
  /// - Complexity: O(chunks of the type); no sample is read
  package func span(
    of type: SampleType, in range: Range<Double>
  ) throws(StoreError) -> ClosedRange<Double>? {
    let bounds = try chunks("min(firstStart), max(lastEnd)", of: type, in: range) {
      row -> ClosedRange<Double>? in
      let (first, last): (Double?, Double?) = try row.values()
      guard let first, let last, first <= last else { return nil }
      return first...last
    }
    return bounds.first ?? nil
  }

  /// The starts of the chunks of a type that can overlap a range, in order of time, with their
  /// numbers of samples.
  ///
  /// - Complexity: O(*s* log *s*) for *s* chunks of the type; no sample is read
  package func sampleCounts(
    of type: SampleType, in range: Range<Double>
  ) throws(StoreError) -> [(firstStart: Double, count: Int)] {
    try chunks("firstStart, count", of: type, in: range) { row in
      (try row.decode(Double.self, atIndex: 0), try row.sampleCount(atIndex: 1))
    }
  }

  /// Reads columns of the chunks of a type that can overlap a range, in order of time, or what
  /// SQLite makes of all of them.
  private func chunks<Value>(
    _ columns: String, of type: SampleType, in range: Range<Double>, _ decode: (Row) throws -> Value
  ) throws(StoreError) -> [Value] {
    try read { database in
      guard let number = try database.storedIdentifier(of: type) else { return [] }
      try check(.chunks(type: number), in: database)
      let visible = try permission(in: database).condition(type: "type", source: "source")
      return try Row.fetchAll(
        database,
        sql: """
          SELECT \(columns) FROM chunks
          WHERE type = ? AND \(SampleTime.chunkIsInRange) AND \(visible)
          ORDER BY firstStart
          """, arguments: [number, range.upperBound, range.lowerBound]
      ).map(decode)
    }
  }
}

/// One span of time, and the source that covers it.
struct SourceSpan {
  var start: Double
  var end: Double
  var source: Int
}

extension [SourceSpan] {
  /// Whether each span neither overlaps nor touches one of another source, ends included.
  ///
  /// - Complexity: O(*n* log *n*)
  var areUncontested: [Bool] {
    let order = indices.sorted { self[$0].start < self[$1].start }
    var isUncontested = [Bool](repeating: true, count: count)
    // Of the spans that start before: the latest end, and the latest end of a second source.
    var latest = SourceSpan(start: 0, end: -.infinity, source: -1)
    var otherEnd = -Double.infinity
    for index in order {
      let span = self[index]
      let before = latest.source == span.source ? otherEnd : latest.end
      if before >= span.start { isUncontested[index] = false }
      if span.source == latest.source {
        latest.end = Swift.max(latest.end, span.end)
      } else if span.end > latest.end {
        otherEnd = latest.end
        latest = span
      } else {
        otherEnd = Swift.max(otherEnd, span.end)
      }
    }
    // Of the spans that start later: the first, and the first of a second source.
    var next = SourceSpan(start: .infinity, end: 0, source: -1)
    var otherStart = Double.infinity
    for index in order.reversed() {
      let span = self[index]
      let after = next.source == span.source ? otherStart : next.start
      if after <= span.end { isUncontested[index] = false }
      if span.source != next.source { otherStart = next.start }
      next = span
    }
    return isUncontested
  }
}
