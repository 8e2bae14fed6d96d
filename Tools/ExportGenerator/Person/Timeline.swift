import Foundation

/// The days of an export, as the person's zone cuts them.
struct Timeline {
  /// Midnights in seconds since 1970-01-01 UTC; day `i` is `midnights[i]..<midnights[i + 1]`.
  let midnights: [Int]
  /// The first day, counted from 1970-01-01.
  let firstDay: Int
  /// The identifier of the zone.
  let zoneName: String

  /// The number of days.
  var count: Int { midnights.count - 1 }

  /// The days before `until`, which is the first one that is not part of it.
  init(days count: Int, until: CivilDate, zone: TimeZone) {
    let last = Int((until.midnight(in: .gmt) ?? 0) / 86_400)
    firstDay = last - count
    zoneName = zone.identifier
    midnights = (firstDay...last).map { day in
      Int(CivilDate(day: day).midnight(in: zone) ?? Double(day) * 86_400)
    }
  }

  /// What the clock of the zone is ahead of UTC at the end.
  func lastOffset(in zone: TimeZone) -> UTCOffset {
    let end = Date(timeIntervalSince1970: Double(midnights.last ?? 0))
    return UTCOffset(seconds: zone.secondsFromGMT(for: end))
  }

  /// The same days and `count` more.
  func extended(byDays count: Int, zone: TimeZone) -> Timeline {
    let days = self.count + count
    return Timeline(days: days, until: CivilDate(day: firstDay + days), zone: zone)
  }

  /// The instant at which the clock shows `second` seconds since a day's midnight, which may pass
  /// 24 hours.
  ///
  /// Clocks change before four in the morning.
  func instant(day: Int, second: Int) -> Int {
    let length = midnights[day + 1] - midnights[day]
    return midnights[day] + second + (second < 4 * 3_600 ? 0 : length - 86_400)
  }

  /// The date on the clock at an instant that is no later than the day after the last one.
  func date(at instant: Int) -> CivilDate {
    let isAfter = midnights.last.map { instant >= $0 } ?? false
    return CivilDate(day: firstDay + (isAfter ? count : clock(at: instant).day))
  }

  /// The day of an instant, the first or the last one for those outside, and what the clock shows
  /// then in seconds since midnight.
  func clock(at instant: Int) -> (day: Int, second: Int) {
    var days = 0..<max(1, count)
    while days.count > 1 {
      let middle = days.lowerBound + days.count / 2
      days = midnights[middle] <= instant ? middle..<days.upperBound : days.lowerBound..<middle
    }
    let day = days.lowerBound
    let elapsed = instant - midnights[day]
    let shift = midnights[day + 1] - midnights[day] - 86_400
    return (day, elapsed - shift < 4 * 3_600 ? elapsed : elapsed - shift)
  }
}
