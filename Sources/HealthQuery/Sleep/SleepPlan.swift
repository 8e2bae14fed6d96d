/// A question for nights of sleep.
///
/// ```swift
/// let nights = try store.sleep(SleepPlan(timeZone: ZoneTimeline(paris)))
/// ```
public struct SleepPlan: Sendable {
  /// The first night is that which ends on its day; the first of all when `nil`.
  public var from: QueryDate?
  /// The last night ends on the day of the moment before it; the last of all when `nil`.
  public var to: QueryDate?
  /// The zones whose days nights end on.
  public var timeZone: ZoneTimeline
  /// Names of sources that rank above all others, highest first; the user's stored order follows.
  public var preferredSources: [String]
  /// The longest time without any sample within one sleep, in seconds.
  public var longestGap: Double

  /// Makes a plan for all nights; set what differs.
  public init(timeZone: ZoneTimeline) {
    self.timeZone = timeZone
    preferredSources = []
    longestGap = Self.standardGap
  }

  /// An hour.
  public static let standardGap = 3600.0

  /// How many nights one answer may have, those without data included: more than two lives.
  public static let nightLimit = 100_000

  /// The gaps that make sense: up to half a day.
  public static let gapRange = 0.0...43_200
}
