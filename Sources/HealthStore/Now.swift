public import Foundation
import HealthSamples

/// What now is: the clock of the system, or one moment that stands for it.
///
/// ```swift
/// let store = try SampleStore(path: "store.sqlite", mode: .readOnly)
/// let then = store.at(Now(date))     // questions for `today` and `-7d` are of that day
/// ```
///
/// Nothing else in the sources asks the system for the date. Timeouts and progress are measured with
/// monotonic clocks.
public struct Now: Sendable, Hashable {
  /// Seconds since 2001-01-01 UTC; `nil` for the clock of the system.
  private let moment: Double?

  /// The clock of the system.
  public static let system = Now(moment: nil)

  private init(moment: Double?) { self.moment = moment }

  /// A moment at which the time stands still.
  public init(_ date: Date) { self.init(moment: date.timeIntervalSinceReferenceDate) }

  /// A date and time in ISO 8601 with the offset from UTC: `2026-11-28T03:06:00+01:00`; `nil` for
  /// any other text.
  public init?(_ text: String) {
    guard let moment = WallClockText(text)?.instant else { return nil }
    self.init(moment: moment)
  }

  /// Seconds since 2001-01-01 UTC.
  public var instant: Double { moment ?? Date.now.timeIntervalSinceReferenceDate }

  /// The same as a date.
  public var date: Date { Date(timeIntervalSinceReferenceDate: instant) }
}
