import Foundation
package import HealthQuery
package import HealthSamples
import HealthStatistics

/// Means over the nights of weeks or months, or of all: one row per period.
///
/// A night counts when its day is over (`WholeIntervals`).
///
/// A value that is unknown in all nights of a period is `nil`. Durations are in seconds.
public struct SleepAverages: Sendable {
  /// The length of a period.
  public enum Period: String, Sendable, Hashable, CaseIterable {
    /// Monday to Sunday.
    case week
    case month
  }

  /// The first instant of the first night's day of each period.
  public private(set) var firstDays: [Double] = []
  /// The first date of each period; `nil` for all nights.
  package private(set) var dates: [CivilDate?] = []
  /// Nights with data.
  public private(set) var nightCounts: [Int] = []
  /// Seconds asleep, over the nights where it is known.
  public private(set) var asleep: [Double?] = []
  /// The nights over which ``asleep`` is the mean: those that recorded sleep.
  public private(set) var asleepCounts: [Int] = []
  /// Seconds in each stage and awake, over the nights with any stage of sleep.
  public private(set) var stages: [[SleepStage: Double]] = []
  /// The nights over which ``stages`` are means.
  public private(set) var stageCounts: [Int] = []
  /// Seconds in bed, over the nights where it is known.
  public private(set) var inBed: [Double?] = []
  /// The nights over which ``inBed`` is the mean.
  public private(set) var inBedCounts: [Int] = []
  /// The share of the time in bed asleep, over the nights where it is known.
  public private(set) var efficiencies: [Double?] = []
  /// The nights over which ``efficiencies`` are means.
  public private(set) var efficiencyCounts: [Int] = []
  /// The time of day at which nights start, in seconds since local midnight; see `clockMean(_:)`.
  public private(set) var bedtimes: [Double?] = []
  /// The time of day of waking up.
  public private(set) var wakes: [Double?] = []
  /// The time of day by which half of the nights have fallen asleep, in seconds since local midnight; see
  /// `clockMedian(_:)`.
  public private(set) var medianSleepStarts: [Double?] = []
  /// The time of day by which half of the nights have woken up for good.
  public private(set) var medianSleepEnds: [Double?] = []
  /// Naps.
  public private(set) var napCounts: [Int] = []
  /// Seconds asleep in a nap, over all naps.
  public private(set) var napAsleep: [Double?] = []

  /// The number of periods. - Complexity: O(1)
  public var count: Int { firstDays.count }

  fileprivate mutating func append(
    _ rows: Range<Int>, of nights: NightColumns, zones: ZoneTimeline, date: CivilDate?
  ) {
    let known = rows.filter { nights.spans[$0] != nil }
    let staged = known.filter { row in
      SleepStage.asleep.contains { $0 != .unspecified && nights.stages[row][$0] != nil }
    }
    func clock(_ instant: Double) -> Double {
      let local = instant + Double(zones.offset(at: instant))
      return local - (local / .secondsPerDay).rounded(.down) * .secondsPerDay
    }
    firstDays.append(nights.days[rows.lowerBound])
    dates.append(date)
    nightCounts.append(known.count)
    stageCounts.append(staged.count)
    func add(
      _ values: [Double], to means: WritableKeyPath<Self, [Double?]>,
      _ counts: WritableKeyPath<Self, [Int]>
    ) {
      self[keyPath: means].append(Self.mean(values))
      self[keyPath: counts].append(values.count)
    }
    add(known.compactMap { nights.asleep[$0] }, to: \.asleep, \.asleepCounts)
    add(known.compactMap { nights.inBed[$0] }, to: \.inBed, \.inBedCounts)
    add(known.compactMap { nights.efficiency($0) }, to: \.efficiencies, \.efficiencyCounts)
    bedtimes.append(Self.clockMean(known.compactMap { nights.spans[$0]?.lowerBound }.map(clock)))
    wakes.append(Self.clockMean(known.compactMap { nights.wake($0) }.map(clock)))
    let slept = known.compactMap { nights.sleepSpans[$0] }
    medianSleepStarts.append(Self.clockMedian(slept.map { clock($0.lowerBound) }))
    medianSleepEnds.append(Self.clockMedian(slept.map { clock($0.upperBound) }))
    let naps = rows.flatMap { nights.naps[$0] }
    napCounts.append(naps.count)
    napAsleep.append(Self.mean(naps.map(\.asleep)))
    var means: [SleepStage: Double] = [:]
    for stage in SleepStage.told {
      let seconds = staged.map { nights.stages[$0][stage] ?? 0 }
      if seconds.contains(where: { $0 > 0 }) { means[stage] = Self.mean(seconds) }
    }
    stages.append(means)
  }

  private static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// The circular mean of times of day.
  ///
  /// The mean of 23:00 and 01:00 is midnight. `nil` if the directions cancel out.
  ///
  /// The angle of the sum of unit vectors (Mardia and Jupp, Directional Statistics, 2.2).
  static func clockMean(_ seconds: [Double]) -> Double? {
    guard !seconds.isEmpty else { return nil }
    let angles = seconds.map { $0 / .secondsPerDay * 2 * Double.pi }
    let (x, y) = (angles.reduce(0) { $0 + cos($1) }, angles.reduce(0) { $0 + sin($1) })
    guard (x * x + y * y).squareRoot() > 1e-6 * Double(seconds.count) else { return nil }
    let turn = atan2(y, x) / (2 * Double.pi)
    return (turn < 0 ? turn + 1 : turn) * .secondsPerDay
  }

  /// The median of times of day, counted from the time opposite to their circular mean.
  ///
  /// Half of the times lie in the half of the clock before it, half in that after it. The median of
  /// 23:00, 23:30 and 01:00 is 23:30. `nil` if there is no circular mean.
  static func clockMedian(_ seconds: [Double]) -> Double? {
    guard let mean = clockMean(seconds) else { return nil }
    let day = Double.secondsPerDay
    let distances = seconds.map { ($0 - mean).remainder(dividingBy: day) }.sorted()
    guard let median = Percentile(50)?.value(in: distances) else { return nil }
    let time = (mean + median).remainder(dividingBy: day)
    return time < 0 ? time + day : time
  }
}

extension SleepAnswer {
  /// Means over all nights: one row, or none without a night that is over.
  public func averages() -> SleepAverages {
    var averages = SleepAverages()
    if overCount > 0 {
      averages.append(0..<overCount, of: nights, zones: timeZone, date: nil)
    }
    return averages
  }

  /// Means over the nights that end in each week or month.
  ///
  /// - Complexity: O(nights)
  public func averages(by period: SleepAverages.Period) -> SleepAverages {
    var averages = SleepAverages()
    var first = 0
    for row in 0..<nights.count {
      let date = beginning(of: period, at: nights.days[row])
      let isLast = row + 1 == nights.count
      if isLast || beginning(of: period, at: nights.days[row + 1]) != date {
        averages.append(
          first..<max(first, min(row + 1, overCount)), of: nights, zones: timeZone, date: date)
        first = row + 1
      }
    }
    return averages
  }

  private func beginning(of period: SleepAverages.Period, at instant: Double) -> CivilDate {
    let local = Int(instant.rounded(.down)) + timeZone.offset(at: instant)
    let alignment: CalendarInterval.Alignment =
      switch period {
      case .week: .week
      case .month: .month
      }
    return alignment.beginning(
      ofUnitWith: local.floorDivided(by: CivilDate.secondsPerDay))
  }
}

extension SleepAverages {
  /// The name of a period: the date of its Monday, or its month.
  package func label(_ row: Int, _ period: Period, in zones: ZoneTimeline) -> String {
    let first =
      dates[row].map { LocalTime.text(of: $0) } ?? LocalTime(firstDays[row], in: zones).dateText
    return period == .month ? String(first.dropLast(3)) : first
  }
}

extension SleepPlan {
  /// Makes whole weeks or months of the period, as those of statistics are.
  package mutating func reach(over period: SleepAverages.Period) throws(QueryError) {
    let interval = CalendarInterval(period == .week ? .week : .month)
    func bounds(of date: QueryDate) throws(QueryError) -> [Double] {
      try interval.boundaries(
        from: QueryDate(instant: date.instant, alignsIntervals: true),
        to: QueryDate(instant: date.instant.nextUp), in: timeZone
      ).edges
    }
    if let from, let first = try bounds(of: from).first {
      self.from = QueryDate(instant: first)
    }
    // The end is no part of the period.
    if let to, !to.isLimit, let last = try bounds(of: QueryDate(instant: to.instant.nextDown)).last
    {
      self.to = QueryDate(instant: last)
    }
  }
}

extension NightColumns {
  /// When a night ends: waking up, or getting up if no source recorded sleep.
  public func wake(_ row: Int) -> Double? {
    sleepSpans[row]?.upperBound ?? spans[row]?.upperBound
  }
}
