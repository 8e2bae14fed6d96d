import HealthSamples

/// The UTC offsets of time zones at instants that are close together, such as those of table rows.
///
/// Looking up an offset in Foundation takes longer than formatting a date. The cache looks up one
/// offset per day: if the offsets at both ends of a UTC day are equal, they apply to the whole day,
/// as in ``ZoneTransitions``; on other days each instant is looked up.
package struct OffsetCache {
  /// The offset at the start of a UTC day, and the number of time zone changes before it.
  private struct DayStart: Equatable {
    var offset: Int
    var changes: Int
  }

  package let zones: ZoneTimeline
  /// Starts of days, indexed by the lowest bits of the day number.
  private var starts: [(day: Int, start: DayStart)]
  /// The day of the last lookup, if one offset applies to all of it.
  private var known = 0.0..<0.0
  private var offset = 0

  /// The start, end and creation date of a sample are within a few days of each other.
  private static let dayCount = 64

  /// Makes an empty cache.
  package init(_ zones: ZoneTimeline) {
    self.zones = zones
    starts = Array(repeating: (.min, DayStart(offset: 0, changes: 0)), count: Self.dayCount)
  }

  /// Seconds to add to UTC at an instant within ±1e12.
  mutating func offset(at instant: Double) -> Int {
    if known.contains(instant) { return offset }
    let day = Int(instant.rounded(.down)).floorDivided(by: CivilDate.secondsPerDay)
    let first = start(of: day)
    guard first == start(of: day + 1) else { return zones.offset(at: instant) }
    let begin = Double(day) * Double.secondsPerDay
    known = begin..<begin + Double.secondsPerDay
    offset = first.offset
    return offset
  }

  private mutating func start(of day: Int) -> DayStart {
    let slot = day & (Self.dayCount - 1)
    if starts[slot].day == day { return starts[slot].start }
    let instant = Double(day) * Double.secondsPerDay
    let start = DayStart(
      offset: zones.offset(at: instant), changes: zones.changes.count(through: instant))
    starts[slot] = (day, start)
    return start
  }
}
