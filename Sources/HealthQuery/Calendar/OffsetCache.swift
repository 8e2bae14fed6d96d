/// The UTC offsets of zones at instants that lie close together, as those of rows in a table do.
///
/// Foundation takes longer to look an offset up than all else that a date takes. Here it is asked
/// once a day: where the offsets at both ends of a day of UTC are equal, they hold in between, as
/// ``ZoneTransitions`` has it too; on other days it is asked for each instant.
package struct OffsetCache {
  /// The offset at the beginning of a day of UTC, and how many changes of zone came before it.
  private struct DayStart: Equatable {
    var offset: Int
    var changes: Int
  }

  package let zones: ZoneTimeline
  /// The beginnings of days by the lowest bits of their numbers.
  private var starts: [(day: Int, start: DayStart)]
  /// The day of the last answer, where one offset holds all day.
  private var known = 0.0..<0.0
  private var offset = 0

  /// A start, an end and the time of recording lie within a few days of one another.
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
    let begin = Double(day) * Double(CivilDate.secondsPerDay)
    known = begin..<begin + Double(CivilDate.secondsPerDay)
    offset = first.offset
    return offset
  }

  private mutating func start(of day: Int) -> DayStart {
    let slot = day & (Self.dayCount - 1)
    if starts[slot].day == day { return starts[slot].start }
    let instant = Double(day) * Double(CivilDate.secondsPerDay)
    let start = DayStart(
      offset: zones.offset(at: instant), changes: zones.changes.count(through: instant))
    starts[slot] = (day, start)
    return start
  }
}
