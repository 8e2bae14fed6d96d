internal import HealthQuery
internal import HealthStatistics

/// Statistics of consecutive intervals, which go on without end in both directions.
open class HKStatisticsCollection: NSObject, @unchecked Sendable {
  let table: StatisticsTable
  private let interval: CalendarInterval
  private let anchor: Double
  private let zones: ZoneTimeline

  /// The rows of a table, which are some intervals of a grid in order.
  init(
    _ table: StatisticsTable, interval: CalendarInterval, anchor: Date, zones: ZoneTimeline
  ) {
    self.table = table
    self.interval = interval
    self.anchor = anchor.timeIntervalSinceReferenceDate
    self.zones = zones
  }

  /// The statistics of the intervals that have samples, in order.
  open func statistics() -> [HKStatistics] {
    table.intervals.hasData.indices.filter { table.intervals.hasData[$0] }
      .map { HKStatistics(table, row: $0) }
  }

  /// The statistics of the interval that contains a date, with `nil` quantities when it has no
  /// samples; `nil` outside of the years 1 to 9999.
  open func statistics(for date: Date) -> HKStatistics? {
    let instant = date.timeIntervalSinceReferenceDate
    guard QueryDate.range.contains(instant) else { return nil }
    let grid = grid(over: instant...instant)
    return statistics(of: grid, at: grid.index(containing: instant))
  }

  /// Visits every interval in order, from the one that contains the first date to the one that
  /// contains the last, until `stop` is set.
  ///
  /// Intervals outside of the years 1 to 9999 are left out.
  open func enumerateStatistics(
    from startDate: Date, to endDate: Date,
    with block: @escaping (HKStatistics, UnsafeMutablePointer<ObjCBool>) -> Void
  ) {
    let first = max(startDate.timeIntervalSinceReferenceDate, QueryDate.range.lowerBound)
    let last = min(endDate.timeIntervalSinceReferenceDate, QueryDate.range.upperBound)
    guard first <= last else { return }
    let grid = grid(over: first...last)
    var stop = ObjCBool(false)
    var index = grid.index(containing: first)
    while !stop.boolValue, grid.edge(index) <= last {
      if let statistics = statistics(of: grid, at: index) { block(statistics, &stop) }
      index += 1
    }
  }

  /// The sources of all samples; none unless separated by source.
  open func sources() -> Set<HKSource> { Set(table.sources.map(\.source)) }

  private func grid(over range: ClosedRange<Double>) -> IntervalGrid {
    IntervalGrid(interval, anchor: anchor, alignment: nil, zones: zones, range: range)
  }

  /// The statistics of an interval of the grid; `nil` for one that a zone skipped.
  private func statistics(of grid: IntervalGrid, at index: Int) -> HKStatistics? {
    let (start, end) = (grid.edge(index), grid.edge(index + 1))
    guard start < end else { return nil }
    let row = table.intervals.starts.partitioningIndex { $0 >= start }
    if row < table.intervals.count, table.intervals.starts[row] == start {
      return HKStatistics(table, row: row)
    }
    return HKStatistics(table.empty(from: start, to: end), row: 0)
  }
}

extension [Double] {
  /// The first index whose element fulfils a condition that all later ones fulfil, too.
  fileprivate func partitioningIndex(_ isAfter: (Double) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension CalendarInterval {
  /// The length of date components; `nil` unless they are whole, positive and at most 10,000 years.
  init?(_ components: DateComponents) {
    let weeks = (components.weekOfYear ?? 0) + (components.weekOfMonth ?? 0)
    guard
      [components.nanosecond, components.quarter, components.era].allSatisfy({ ($0 ?? 0) == 0 })
    else { return nil }
    func sum(_ parts: (Int?, Int)...) -> Int? {
      var total = 0
      for (count, factor) in parts {
        let (product, overflow) = (count ?? 0).multipliedReportingOverflow(by: factor)
        let (next, carry) = total.addingReportingOverflow(product)
        guard !overflow, !carry else { return nil }
        total = next
      }
      return total
    }
    guard let months = sum((components.year, 12), (components.month, 1)),
      let days = sum((components.day, 1), (weeks, 7)),
      let seconds = sum((components.hour, 3600), (components.minute, 60), (components.second, 1))
    else { return nil }
    self.init(months: months, days: days, seconds: seconds)
  }
}
