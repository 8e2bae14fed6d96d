public import HealthSamples

extension SampleColumns {
  /// The time of one value of a category type that counts where samples overlap, in seconds.
  ///
  /// ```swift
  /// let deep = sleep.time(ofValue: 4, by: priority, as: seconds)
  /// try deep.statistics(over: nights).sums  // seconds of deep sleep
  /// ```
  ///
  /// - Each moment belongs to the top-ranked source that has a sample open at it. Samples of lower
  ///   sources count for the time that no higher one covers, whatever the values.
  /// - Within one source each value counts the union of its samples. Values that exclude each other
  ///   (see `ExclusiveValues`) share time: the first of the list that is open counts.
  /// - Values of different lists of one type know nothing of each other: time in bed does not mask
  ///   sleep.
  /// - Each moment is one sample's own, the earliest of those that could have it. A sample of no
  ///   length lasts for none and has its instant to itself, unless one that comes before it is
  ///   open there, ends included. A sample that owns nothing leaves no segment.
  ///
  /// With the policy `none` every sample counts in full.
  ///
  /// - Parameters:
  ///   - value: the raw value of a constant
  ///   - priority: the order in which sources are believed
  ///   - isMerged: whether overlaps count once; `false` is the policy `none`
  ///   - durations: the type of the answer, whose values add up and stand in seconds
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

  /// The rows among which a moment of a value is given away, the best first.
  private func rowsThatCompete(with value: Double, in order: [Int]) -> [Int] {
    let lists = ExclusiveValues.lists(of: type)
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

  /// The source to which a row belongs.
  private func source(ofRow row: Int) -> Int {
    var low = 0
    var high = sources.count
    while low < high {
      let middle = (low + high) / 2
      if offsets[middle + 1] <= row { low = middle + 1 } else { high = middle }
    }
    return low
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

/// Values of category types of which a person has one at a time.
public enum ExclusiveValues {
  /// The lists of a type: of two values of one list that are open at once, the earlier in the list
  /// counts.
  public static func lists(of type: SampleType) -> [[Double]] { lists[type.identifier] ?? [] }

  private static let lists: [String: [[Double]]] = [
    "HKCategoryTypeIdentifierSleepAnalysis": [
      // In bed.
      [0],
      // Deep, REM, core, asleep without a stage, awake: the more that is said the better, and
      // asleep before awake.
      [4, 5, 3, 1, 2],
    ]
  ]
}
