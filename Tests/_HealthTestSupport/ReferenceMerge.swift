public import HealthSamples

/// The slow, obvious twin of merging and statistics: it cuts time at every edge there is and asks
/// of each piece who counts, in exact fractions.
public struct ReferenceMerge: Sendable {
  /// Samples with times that are small whole numbers and values that are multiples of 1/8.
  public let rows: [SampleColumns.Row]
  /// The sources from the highest rank down; complete.
  public let order: [Source]

  public init(rows: [SampleColumns.Row], order: [Source]) {
    self.rows = rows
    self.order = order
  }

  /// What one interval holds.
  public struct Interval: Sendable {
    public var sum = ReferenceFraction(0)
    public var magnitude = 0.0
    public var count = 0
    public var hasData = false
  }

  /// The interval `[start, end)` of a cumulative type, merged by the policy `hk` or, without
  /// `masks`, the raw sum.
  public func interval(from start: Double, to end: Double, masks: Bool) -> Interval {
    var result = Interval()
    let cuts = Set(rows.flatMap { [$0.start, $0.end] } + [start, end])
      .filter { start <= $0 && $0 <= end }.sorted()
    for row in rows {
      let rank = rank(of: row)
      var counted = ReferenceFraction(0)
      var counts = false
      if row.start == row.end {
        guard start <= row.start, row.start < end else { continue }
        result.hasData = true
        let isMasked =
          masks
          && rows.contains { other in
            self.rank(of: other) < rank && other.start <= row.start && row.start <= other.end
          }
        if !isMasked {
          counted = ReferenceFraction(exactly: row.value)
          counts = true
        }
      } else {
        for (from, to) in zip(cuts, cuts.dropFirst()) where row.start <= from && to <= row.end {
          result.hasData = true
          let isMasked =
            masks
            && rows.contains { other in
              self.rank(of: other) < rank && other.start <= from && to <= other.end
            }
          if !isMasked {
            counted =
              counted
              + ReferenceFraction(exactly: row.value)
              * ReferenceFraction(exactly: to - from)
              / ReferenceFraction(exactly: row.end - row.start)
            counts = true
          }
        }
      }
      result.sum = result.sum + counted
      result.magnitude += abs(Double(counted.numerator) / Double(counted.denominator))
      result.count += counts ? 1 : 0
    }
    return result
  }

  /// The samples that an interval `[start, end)` meets, whole.
  public func rows(meeting start: Double, _ end: Double) -> [SampleColumns.Row] {
    rows.filter {
      $0.start == $0.end
        ? start <= $0.start && $0.start < end : $0.start < end && $0.end > start
    }
  }

  /// How many of the unit steps of an interval with whole edges are covered.
  public func duration(from start: Int, to end: Int) -> Double {
    Double(
      (start..<end).count { step in
        rows.contains { $0.start <= Double(step) && Double(step) + 1 <= $0.end }
      })
  }

  public func rank(of row: SampleColumns.Row) -> Int {
    order.firstIndex(of: row.source) ?? order.count
  }
}
