import HealthSamples

extension SampleColumns {
  /// The samples of nights, each with the date on which it ends.
  ///
  /// The part before the midnight of that date is cut off. As of sleep, a night that ends at midnight
  /// belongs to the day before.
  ///
  /// - Returns: the samples, and the row in `self` of each; `nil` where none moved, as of other types
  /// - Complexity: O(*n* log *n*) for samples of nights
  func datedByNights(in zones: ZoneTimeline) -> (samples: SampleColumns, rows: [Int])? {
    guard Catalogue.isMeasuredOverNights(type), let first = starts.min(), let last = ends.max(),
      QueryDate.range.contains(first), QueryDate.range.contains(last)
    else { return nil }
    let clock = WallClock(of: zones, over: first...last)
    let dated = zip(starts, ends).map { start, end in
      let day = clock.day(containing: end > start ? end.nextDown : end)
      return max(start, clock.instant(ofDay: day, seconds: 0))
    }
    guard dated != starts else { return nil }
    let rows = sources.indices.flatMap { source in
      self.rows(ofSource: source).sorted {
        (dated[$0], ends[$0], values[$0]) < (dated[$1], ends[$1], values[$1])
      }
    }
    return (
      SampleColumns(
        type: type, sources: sources, offsets: offsets, starts: rows.map { dated[$0] },
        ends: rows.map { ends[$0] }, values: rows.map { values[$0] },
        recorded: recorded?.keeping(rows: rows)), rows
    )
  }
}
