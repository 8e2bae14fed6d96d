public import Foundation
public import HealthMerge
public import HealthSamples
public import HealthStatistics
public import HealthUnits

/// A question for interval statistics of one type.
///
/// ```swift
/// var plan = StatisticsPlan(type: steps, timeZone: paris)
/// plan.interval = CalendarInterval(.day)
/// let answer = try store.statistics(plan)
/// ```
public struct StatisticsPlan: Sendable, Hashable, Codable {
  /// The type, which must be a quantity.
  public var type: SampleType
  /// What to compute; the defaults of the type's style when `nil`.
  public var statistics: [Statistic]?
  /// The length of an interval; `nil` for one row over all matching samples, each whole.
  public var interval: CalendarInterval?
  /// The first interval contains it; the first sample when `nil`.
  public var from: QueryDate?
  /// The last interval ends at or after it and starts before; the last sample when `nil`.
  public var to: QueryDate?
  /// Whether the answer ends exactly at ``from`` and ``to``: the intervals there are cut, and without
  /// an interval, too, samples that straddle them are shared out by time.
  public var clips: Bool
  /// Whether sums come by day or by hour, too; for cumulative types.
  public var average: AverageColumns.Unit?
  /// An edge of the intervals; when `nil` calendar units align to the calendar, and other lengths
  /// begin at ``from``, else at local midnight of the first sample.
  public var anchor: QueryDate?
  /// The zone whose calendar the intervals follow, or those of a traveller one after another.
  public var timeZone: ZoneTimeline
  /// What happens where sources overlap.
  public var policy: MergePolicy
  /// Names of sources that rank above all others, highest first; the user's stored order follows.
  public var preferredSources: [String]
  /// Whether each source is answered for alone, too.
  public var separatesSources: Bool
  /// Whether the answer says what each source contributed, and what of it was masked by whom.
  public var explains: Bool
  /// Whether sums and means are correctly rounded whatever the layout of the data.
  ///
  /// They are taken over the numbers as they were recorded, each in its unit, and rounded once, in
  /// the unit of the answer. A statistic that cannot be (`Statistic.isExactlyAvailable(for:)`) is
  /// refused.
  public var isExact: Bool
  /// By whose rule means are computed; the newest style of the type when `nil`.
  public var style: StyleChoice?
  /// For how long a lone value of a temporally weighted type is held, in seconds: half of the longest
  /// gap that is bridged (see `MeanMethod`).
  public var hold: Double
  /// The unit of the answer; the one that most samples were recorded in when `nil`.
  public var unit: UnitExpression?

  /// Makes a plan for one row over all samples; set what differs.
  public init(type: SampleType, timeZone: ZoneTimeline) {
    self.type = type
    self.timeZone = timeZone
    policy = .healthKit
    preferredSources = []
    clips = false
    separatesSources = false
    explains = false
    isExact = false
    hold = MeanMethod.standardHold
  }

  /// Makes a plan in one zone.
  public init(type: SampleType, timeZone: TimeZone) {
    self.init(type: type, timeZone: ZoneTimeline(timeZone))
  }

  /// Whether the answer is one row over whole samples.
  var isSingle: Bool { interval == nil && !clips }

  /// How many intervals, times sources when they are separated, one answer may have.
  public static let intervalLimit = 10_000_000

  /// The hold times that make sense: up to a day.
  public static let holdRange = 0.0...86_400
}
