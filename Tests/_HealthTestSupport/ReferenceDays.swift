public import Foundation

/// The slow twin of days on a journey: walks a quarter of an hour at a time and looks at the clock.
public struct ReferenceDays {
  /// One step: the instant, what the clock shows in seconds since 2001-01-01, and the stretch of
  /// time in one zone to which it belongs.
  private var steps: [(instant: Double, local: Double, stretch: Int)] = []

  /// Walks over a span; all instants are multiples of a quarter of an hour.
  public init(
    first: TimeZone, changes: [(instant: Double, zone: TimeZone)], from start: Double,
    to end: Double
  ) {
    var zone = first
    var passed = 0
    for instant in stride(from: start, through: end, by: 900) {
      while passed < changes.count, changes[passed].instant <= instant {
        zone = changes[passed].zone
        passed += 1
      }
      let offset = zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: instant))
      steps.append((instant, instant + Double(offset), passed))
    }
  }

  /// The instant at which the clock came to show a time, or passed it.
  ///
  /// The last one where the traveller came back to it or before; `nil` when the walk never does.
  public func instant(of wall: Double) -> Double? {
    var reached: Double?
    var stretch: Int?
    for step in steps {
      if step.stretch != stretch, step.local <= wall { reached = nil }
      stretch = step.stretch
      if reached == nil, step.local >= wall { reached = step.instant }
    }
    return reached
  }
}
