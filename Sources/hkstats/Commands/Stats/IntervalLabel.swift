import HealthExchange
import HealthQuery
import HealthSamples

/// The labels of intervals in a table: day, week, month or hour, in short form.
struct IntervalLabels {
  /// The title of the column.
  let title: String
  /// The names, one an interval.
  let texts: [String]

  init(of interval: CalendarInterval?, starts: [Double], ends: [Double], zone: ZoneTimeline) {
    title = interval?.alignment?.rawValue ?? "interval"
    var naming = IntervalNaming(alignment: interval?.alignment, offsets: OffsetCache(zone))
    texts = zip(starts, ends).map { naming.text(from: $0, to: $1) }
  }
}

private struct IntervalNaming {
  let alignment: CalendarInterval.Alignment?
  var offsets: OffsetCache

  /// The name of one interval.
  mutating func text(from start: Double, to end: Double) -> String {
    let first = LocalTime(start, in: &offsets)
    let last = LocalTime(end, in: &offsets)
    switch alignment {
    case .day where isBeginning(start, first) && isBeginning(end, last):
      return "\(first.dayText)\(Self.oddLength(end - start))"
    case .week where isWhole(start, end, first, last, days: 7):
      return first.dayText
    case .month where isWhole(start, end, first, last, months: 1):
      return String(first.dateText.dropLast(3))
    case .quarter where isWhole(start, end, first, last, months: 3):
      return "\(first.dateText.dropLast(6))-Q\(first.date.month / 3 + 1)"
    case .year where isWhole(start, end, first, last, months: 12):
      return String(first.dateText.dropLast(6))
    case .hour where first.minute == 0 && first.second == 0 && end - start == 3600:
      return first.momentText
    default:
      return range(first, last)
    }
  }

  /// Whether an interval is a calendar unit from its beginning to its end: none that was cut.
  private mutating func isWhole(
    _ start: Double, _ end: Double, _ first: LocalTime, _ last: LocalTime, days: Int? = nil,
    months: Int = 0
  ) -> Bool {
    guard isBeginning(start, first), isBeginning(end, last) else { return false }
    if let days { return last.date.dayNumber - first.date.dayNumber == days }
    let passed = (last.date.year - first.date.year) * 12 + last.date.month - first.date.month
    return first.date.day == 1 && last.date.day == 1 && passed == months
      && (first.date.month - 1) % months == 0
  }

  /// Whether a date begins at an instant: at midnight, or where the clock skipped it.
  private mutating func isBeginning(_ instant: Double, _ time: LocalTime) -> Bool {
    guard !time.isMidnight else { return true }
    let before = LocalTime(instant - 1, in: &offsets)
    return before.offset != time.offset && before.dateText < time.dateText
  }

  private func range(_ first: LocalTime, _ last: LocalTime) -> String {
    let dash = Marks.drawn("–")
    if first.isMidnight, last.isMidnight { return "\(first.dateText) \(dash) \(last.dateText)" }
    let isSameDay = first.dateText == last.dateText
    let end = isSameDay ? last.clockText : last.momentText
    return "\(first.momentText) \(dash) \(end)"
  }

  /// A day on which the clock changes says so.
  private static func oddLength(_ seconds: Double) -> String {
    seconds == .secondsPerDay ? "" : " (\(NumberText.exact(seconds / 3600)) h)"
  }
}
