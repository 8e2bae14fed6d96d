public import HealthSamples
internal import _HealthNumerics

extension SampleColumns {
  /// The time of one value of a category type in seconds, with overlaps counted once.
  ///
  /// ```swift
  /// let deep = sleep.time(ofValue: 4, by: priority, as: seconds)
  /// try deep.statistics(over: nights)[.sum]  // seconds of deep sleep
  /// ```
  ///
  /// - Each moment belongs to the top-ranked source that has a sample open. Samples of lower
  ///   sources count for the time that no higher one covers, whatever the values.
  /// - Within one source each value counts the union of its samples. Of values that exclude each
  ///   other (see `Catalogue.exclusiveValues(of:)`) the first open one in the list counts.
  /// - Values of different lists of one type are independent: time in bed does not mask sleep.
  /// - Each moment belongs to one sample, the earliest that qualifies. A zero-length sample has no
  ///   time; it has its instant, unless a sample of higher rank is open there, ends included. A
  ///   sample without any time gives no segment.
  ///
  /// With the policy `none` every sample counts in full.
  ///
  /// - Parameters:
  ///   - value: the raw value of a constant
  ///   - priority: the ranks of the sources
  ///   - isMerged: whether overlaps count once; `false` is the policy `none`
  ///   - durations: the type of the result, whose values are in seconds and add up
  /// - Returns: the segments that count, by source in rank order
  /// - Complexity: O(*n* log *n*)
  public func time(
    ofValue value: Double, by priority: SourcePriority, isMerged: Bool = true,
    as durations: SampleType
  ) -> SegmentColumns {
    let order = priority.ranking(of: self).order
    let timed = SampleColumns(
      type: durations, sources: sources, offsets: offsets, starts: starts, ends: ends,
      values: values)
    var segments = SegmentBuilder(samples: timed)
    guard isMerged else {
      for source in order {
        for row in rows(ofSource: source) where values[row] == value {
          segments.append(row: row, of: source, spanning: (starts[row], ends[row]))
        }
        segments.endSource(source)
      }
      return segments.columns
    }
    let sweep = TopRecordSweep(
      rows: rowsThatCompete(with: value, in: order), starts: starts, ends: ends)
    let slices = sweep.slices.filter { values[$0.row] == value }
      .sorted { ($0.row, $0.start) < ($1.row, $1.start) }
    let bySource = Dictionary(grouping: slices) { self.source(ofRow: $0.row) }
    for source in order {
      for slice in bySource[source] ?? [] {
        if slice.isMasked {
          segments.appendMasked(row: slice.row)
        } else {
          segments.append(row: slice.row, of: source, spanning: (slice.start, slice.end))
        }
      }
      segments.endSource(source)
    }
    return segments.columns
  }

  /// The rows that compete for the moments of a value, highest rank first.
  private func rowsThatCompete(with value: Double, in order: [Int]) -> [Int] {
    let lists = Catalogue.exclusiveValues(of: type)
    let list = lists.first { $0.contains(value) }
    func rank(_ row: Int) -> Int? {
      if let list { return list.firstIndex(of: values[row]) }
      if lists.contains(where: { $0.contains(values[row]) }) { return nil }
      return values[row] == value ? 0 : 1
    }
    return order.flatMap { source in
      rows(ofSource: source)
        .compactMap { row in rank(row).map { (rank: $0, row: row) } }
        .sorted { ($0.rank, $0.row) < ($1.rank, $1.row) }
        .map(\.row)
    }
  }

  /// The source of a row.
  private func source(ofRow row: Int) -> Int {
    sources.indices.partitioningIndex { offsets[$0 + 1] > row }
  }
}

extension SegmentBuilder {
  fileprivate mutating func append(
    row: Int, of source: Int, spanning span: (start: Double, end: Double)
  ) {
    append(
      row: row, of: source, start: span.start, end: span.end, value: span.end - span.start)
  }
}
