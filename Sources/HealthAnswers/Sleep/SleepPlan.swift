public import HealthQuery

/// A query for nights of sleep.
///
/// ```swift
/// let nights = try store.sleep(SleepPlan(timeZone: ZoneTimeline(paris)))
/// ```
public struct SleepPlan: Sendable {
  /// The first night ends on this day; the first of all when `nil`.
  public var from: QueryDate?
  /// The last night ends on the day of the moment before it; the last of all when `nil`.
  public var to: QueryDate?
  /// The zones of the days of nights.
  public var timeZone: ZoneTimeline
  /// Names of sources that rank above all others, highest first; the user's stored order follows.
  public var preferredSources: [String]
  /// The longest gap without any sample within one sleep, in seconds.
  public var longestGap: Double

  /// Makes a plan for all nights; set other properties as needed.
  public init(timeZone: ZoneTimeline) {
    self.timeZone = timeZone
    preferredSources = []
    longestGap = Self.standardGap
  }

  /// The default gap: an hour.
  public static let standardGap = 3600.0

  /// The most nights of one answer, including those without data: more than two lifetimes.
  public static let nightLimit = 100_000

  /// The valid gaps: up to half a day.
  public static let gapRange = 0.0...43_200
}
