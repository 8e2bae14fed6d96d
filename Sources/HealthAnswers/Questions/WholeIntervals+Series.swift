import HealthQuery

extension WholeIntervals {
  /// Why rows do not count: those that are not over, and others that have a number.
  ///
  /// Amounts do not where the data begin or end inside of the interval, or where the period cuts it: they
  /// are too small. Of what is measured all through the day a number does not where there are less than
  /// half as many samples as in the usual interval, too: the mean of a night is none of a day. A weight
  /// or a night is whole however little else the day has.
  ///
  /// - Parameters:
  ///   - series: the numbers
  ///   - counts: how many samples each interval has; `nil` where that is not known
  ///   - isCut: whether the period cuts the first and the last interval
  ///   - isOfWholeDays: whether hours count where their days do, with all the hours of a day
  /// - Returns: the rows that do not count, and why
  /// - Complexity: O(*n*), O(*n* log *n*) where the data begin or end inside of one
  func lacks(
    of series: IntervalSeries, counts: [Int]?, isCut: (first: Bool, last: Bool) = (false, false),
    isOfWholeDays: Bool = false
  ) -> [Int: Lack] {
    guard let first = series.starts.first, let last = series.ends.last else { return [:] }
    var lacks: [Int: Lack] = [:]
    var usual: Int??
    func isSparse(_ row: Int) -> Bool {
      guard let counts else { return false }
      let known = usual ?? Self.usualCount(counts)
      usual = .some(known)
      return known.map { 2 * counts[row] < $0 } ?? false
    }
    let clock = isOfWholeDays ? WallClock(of: series.timeZone, over: first...last) : nil
    var row = 0
    while row < series.count {
      var (start, end, rows) = (series.starts[row], series.ends[row], row..<row + 1)
      if let clock {
        let day = clock.day(containing: start)
        end = clock.instant(ofDay: day + 1, seconds: 0)
        rows = row..<(series.starts[row...].firstIndex { $0 >= end } ?? series.count)
        start = clock.instant(ofDay: day, seconds: 0)
      }
      defer { row = rows.upperBound }
      var lack = lack(from: start, to: end)
      guard lack == .notOver || rows.contains(where: { series.values[$0] != nil }) else { continue }
      if lack != .notOver {
        if series.isOfAmounts {
          let isCutHere =
            isCut.first && rows.contains(0) || isCut.last && rows.contains(series.count - 1)
          lack = lack ?? (isCutHere ? .periodCut : nil)
        } else if !isSparse(row) {
          lack = nil
        }
      }
      if let lack { for row in rows { lacks[row] = lack } }
    }
    return lacks
  }

  /// How many samples the usual interval has; `nil` of what is not measured all through the day.
  private static func usualCount(_ counts: [Int]) -> Int? {
    let known = counts.filter { $0 > 0 }.sorted()
    return known.isEmpty || known[known.count / 2] < leastUsualCount ? nil : known[known.count / 2]
  }

  /// How many samples the usual interval has of what is measured all through the day, at least.
  private static let leastUsualCount = 8
}

extension IntervalSeries {
  /// Whether a shorter interval has a smaller number.
  var isOfAmounts: Bool { ["sum", "count", "duration"].contains(statistic) }

  /// Whether they are amounts of hours, which count with their days: an hour without a sample is 0 on a
  /// day with data.
  var isOfHours: Bool {
    guard statistic == "sum" else { return false }
    var offsets = OffsetCache(timeZone)
    return zip(starts, starts.dropFirst()).contains { start, next in
      LocalTime(start, in: &offsets).date == LocalTime(next, in: &offsets).date
    }
  }

  /// The numbers without those of some rows.
  func without(_ lacks: [Int: WholeIntervals.Lack]) -> IntervalSeries {
    guard !lacks.isEmpty else { return self }
    var values = values
    for row in lacks.keys { values[row] = nil }
    return replacing(values)
  }
}
