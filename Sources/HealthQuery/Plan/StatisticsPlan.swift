public import Foundation
public import HealthMerge
public import HealthSamples
public import HealthStatistics
public import HealthUnits

/// A query for interval statistics of one type.
///
/// ```swift
/// var plan = StatisticsPlan(type: steps, timeZone: paris)
/// plan.interval = CalendarInterval(.day)
/// let answer = try store.statistics(plan)
/// ```
public struct StatisticsPlan: Sendable, Hashable {
  /// The type, which must be a quantity.
  public var type: SampleType
  /// The statistics; the defaults of the type's style when `nil`.
  public var statistics: [Statistic]?
  /// The length of an interval; `nil` for one row over all matching samples, each whole.
  public var interval: CalendarInterval?
  /// The first interval contains it; the first sample when `nil`.
  public var from: QueryDate?
  /// The last interval starts before it and ends at or after it; the last sample when `nil`.
  public var to: QueryDate?
  /// The intervals themselves, in place of ``interval``, ``from``, ``to`` and ``anchor``.
  public var boundaries: Boundaries?
  /// Whether the answer ends exactly at ``from`` and ``to``: the intervals there are cut, and even
  /// without an interval samples that straddle them are divided by time.
  public var clips: Bool
  /// The unit of additional averages per day or hour; for cumulative types.
  ///
  /// Statistics that a sum lacks, such as the median, are then those of the totals of the days or
  /// hours with data (``AverageColumns/spread``).
  public var average: AverageColumns.Unit?
  /// An edge of the intervals; when `nil` calendar units align to the calendar, and other lengths
  /// start at ``from``, else at local midnight of the first sample.
  public var anchor: QueryDate?
  /// The zone of the calendar of the intervals, or those of a traveller in order of time.
  public var timeZone: ZoneTimeline
  /// The policy for overlapping sources.
  public var policy: MergePolicy
  /// Names of sources that rank above all others, highest first; the user's stored order follows.
  public var preferredSources: [String]
  /// Whether to answer for each source separately, too.
  public var separatesSources: Bool
  /// Whether the answer has the contribution of each source, and which source masked it.
  public var explains: Bool
  /// Whether sums and means are correctly rounded whatever the layout of the data.
  ///
  /// They are computed from the numbers as recorded, each in its unit, and rounded once, in the
  /// unit of the answer. A statistic that does not support this
  /// (`Statistic.isExactlyAvailable(for:)`) is refused.
  public var isExact: Bool
  /// The style that defines the mean; the newest style of the type when `nil`.
  public var style: StyleChoice?
  /// The hold time of a temporally weighted type, in seconds: half of the longest gap that is
  /// bridged (see `MeanMethod`).
  public var hold: Double
  /// The unit of the answer; when `nil` the one that the user prefers, else the most frequently
  /// recorded one.
  public var unit: UnitExpression?

  /// Makes a plan for one row over all samples; set other properties as needed.
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
  package var isSingle: Bool { interval == nil && !clips && boundaries == nil }

  /// The most intervals, times sources if they are separated, of one answer.
  public static let intervalLimit = 10_000_000

  /// The valid hold times: up to a day.
  public static let holdRange = 0.0...Double.secondsPerDay
}
