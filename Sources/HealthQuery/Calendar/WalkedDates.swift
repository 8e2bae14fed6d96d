import HealthSamples

/// Dates that are each computed from the previous one, so that the last day of a short month
/// persists: January 31, February 29, March 29.
struct WalkedDates: Sendable {
  private let interval: CalendarInterval
  /// Dates after the anchor, and dates before it.
  private let forwards: [CivilDate]
  private let backwards: [CivilDate]

  /// Steps from an anchor beyond both ends of a range of instants.
  ///
  /// - Complexity: O(intervals between the anchor and the ends of the range)
  init(_ interval: CalendarInterval, from anchor: CivilDate, over range: ClosedRange<Double>) {
    self.interval = interval
    let day = Double.secondsPerDay
    let first = Int((range.lowerBound / day).rounded(.down)) - 2
    let last = Int((range.upperBound / day).rounded(.up)) + 2
    var forwards = [anchor]
    var date = anchor
    while date.dayNumber <= last {
      date = Self.step(date, by: interval, sign: 1)
      forwards.append(date)
    }
    var backwards = [anchor]
    date = anchor
    while date.dayNumber >= first {
      date = Self.step(date, by: interval, sign: -1)
      backwards.append(date)
    }
    (self.forwards, self.backwards) = (forwards, backwards)
  }

  /// The date of an edge.
  ///
  /// - Complexity: O(1) in the range, O(distance) outside
  func date(_ index: Int) -> CivilDate {
    let known = index < 0 ? backwards : forwards
    let place = min(index.magnitude, UInt(known.count - 1))
    var date = known[Int(place)]
    for _ in 0..<(index.magnitude - place) {
      date = Self.step(date, by: interval, sign: index < 0 ? -1 : 1)
    }
    return date
  }

  private static func step(
    _ date: CivilDate, by interval: CalendarInterval, sign: Int
  ) -> CivilDate {
    let month = date.adding(months: sign * interval.months)
    guard interval.days != 0 else { return month }
    return CivilDate(dayNumber: month.dayNumber + sign * interval.days)
  }
}
