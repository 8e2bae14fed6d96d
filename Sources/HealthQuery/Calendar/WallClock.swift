import HealthSamples

/// The wall clock of a timeline over a range of time, with the offsets of its zones cached.
package struct WallClock: Sendable {
  /// The changes in the range.
  private let changes: [ZoneTimeline.Change]
  /// The zone before the first change, then the one from each change on.
  private let zones: [ZoneTransitions]

  /// More than the largest offset between two zones, and of any zone from UTC.
  private static let room = 3 * Double.secondsPerDay

  /// Caches a timeline over a range of instants; outside, the offsets at its ends apply.
  ///
  /// - Complexity: O(days + changes)
  package init(of timeline: ZoneTimeline, over range: ClosedRange<Double>) {
    let lower = range.lowerBound - Self.room
    let upper = range.upperBound + Self.room
    let skipped = timeline.changes.count(through: lower)
    changes = Array(timeline.changes[skipped..<timeline.changes.count(through: upper)])
    let first = timeline.zone(at: lower)
    let lowers = [lower] + changes.map { $0.instant - Self.room }
    let uppers = changes.map { $0.instant + Self.room } + [upper]
    zones = zip([first] + changes.map(\.zone), zip(lowers, uppers)).map { zone, part in
      ZoneTransitions(of: zone, from: part.0...part.1)
    }
  }

  /// Seconds to add to UTC at an instant.
  package func offset(at instant: Double) -> Int {
    zones[changes.count(through: instant)].offset(at: instant)
  }

  /// The instant at which the clock shows a time of a day.
  ///
  /// The last zone that is in force before the clock passes the time decides: the result is the
  /// instant in that zone, or the end of that zone's range if the journey skipped the time. `day`
  /// is the day number of the date, `seconds` the time of day.
  ///
  /// - Complexity: O(log *n*) and the changes within some days
  package func instant(ofDay day: Int, seconds: Double) -> Double {
    var place = changes.count(through: Double(day * CivilDate.secondsPerDay) + Self.room)
    while true {
      let instant = zones[place].instant(ofDay: day, seconds: seconds)
      if place == 0 || instant >= changes[place - 1].instant {
        return place == changes.count ? instant : min(instant, changes[place].instant)
      }
      place -= 1
    }
  }

  /// The day number of an instant.
  package func day(containing instant: Double) -> Int {
    let whole = instant.rounded(.down)
    var day = (Int(whole) + offset(at: whole)).floorDivided(by: CivilDate.secondsPerDay)
    while self.instant(ofDay: day, seconds: 0) > instant { day -= 1 }
    while self.instant(ofDay: day + 1, seconds: 0) <= instant { day += 1 }
    return day
  }
}
