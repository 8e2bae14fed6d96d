import HealthSamples
import HealthStore

/// Which intervals count in means, comparisons, extremes and groups: those that are over and that the
/// data cover.
///
/// An interval is over when its end has passed. The data cover it when one stretch of told time
/// (`SampleStore.toldTime(until:)`) has all of it, but for a night at the beginning of an interval of two
/// days or more. Nothing else decides what an unfinished day is.
public struct WholeIntervals: Sendable, Hashable {
  /// Why an interval does not count.
  public enum Lack: Sendable, Hashable, CaseIterable {
    /// It is not over.
    case notOver
    /// The data begin inside of it.
    case dataBegin
    /// The data end inside of it.
    case dataEnd
    /// The period that was asked for begins or ends inside of it.
    case periodCut
  }

  /// The moment of the question, in seconds since 2001-01-01 UTC.
  let now: Double
  /// The told time: stretches in order that do not meet.
  let told: [ClosedRange<Double>]

  /// Makes the rule of a moment, for data that tell of some spans in any order.
  init(at now: Double, told spans: [ClosedRange<Double>]) {
    self.now = now
    var told: [ClosedRange<Double>] = []
    for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = told.last, span.lowerBound <= last.upperBound {
        told[told.count - 1] = last.lowerBound...max(last.upperBound, span.upperBound)
      } else {
        told.append(span)
      }
    }
    self.told = told
  }

  /// How much may be missing at the beginning of an interval of some length: of weeks and longer ones a
  /// day, since a night before the first sample is no sign that data are missing.
  private static func slack(_ length: Double) -> Double { length >= 2 * day ? day : 0 }

  private static let day = 86_400.0

  /// The stretch that has the beginning of an interval; `nil` where the data begin inside of it.
  private func stretch(from start: Double, to end: Double) -> ClosedRange<Double>? {
    let slack = Self.slack(end - start)
    return told.last { $0.lowerBound - slack <= start && start < $0.upperBound }
  }

  /// Why an interval does not count; `nil` where it does.
  func lack(from start: Double, to end: Double) -> Lack? {
    guard end <= now else { return .notOver }
    guard let stretch = stretch(from: start, to: end) else { return .dataBegin }
    return end <= stretch.upperBound ? nil : .dataEnd
  }

  /// Up to where an interval is over and covered: its end where it is whole.
  func reach(from start: Double, to end: Double) -> Double {
    // What begins late, and a mean for which that is no matter, ends with the last stretch inside.
    let stretch = stretch(from: start, to: end) ?? told.last { $0.lowerBound < end }
    return min(end, now, stretch?.upperBound ?? end)
  }
}

// MARK: - The rows of an answer

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

extension SampleStore {
  /// Which intervals count at a moment, by the identifier of the type.
  func wholeIntervals(at now: Double) throws(QueryError) -> (SampleType) -> WholeIntervals {
    let told = try stored { () throws(StoreError) in try toldTime(until: now) }
    return { WholeIntervals(at: now, told: told[$0.identifier] ?? []) }
  }
}
