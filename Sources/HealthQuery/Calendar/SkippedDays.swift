import HealthSamples

extension ZoneTimeline {
  /// The dates that have no day, because a zone left them out when it moved over the date line, or a
  /// journey did: 30 December 2011 in Apia.
  ///
  /// - Parameter days: days since 2001-01-01
  /// - Returns: those without a day, in order
  /// - Complexity: O(days)
  package func skippedDays(in days: Range<Int>) -> [Int] {
    func noon(_ day: Int) -> Double { Double(day * CivilDate.secondsPerDay) + 43_200 }
    // Few dates have no noon of UTC, and fewer no day.
    let noons = Set(days.map { LocalTime(noon($0), in: self).date.dayNumber })
    return days.filter { day in
      guard !noons.contains(day) else { return false }
      let clock = WallClock(of: self, over: noon(day)...noon(day + 1))
      return clock.instant(ofDay: day, seconds: 0) == clock.instant(ofDay: day + 1, seconds: 0)
    }
  }
}

extension ZoneTimeline {
  /// The day some days before another, dates that have no day left out.
  ///
  /// - Complexity: O(*count*), of the last two thousand days
  func day(before day: Int, by count: Int) -> Int {
    var first = day - count
    let reach = min(count, 2_000)
    for skipped in skippedDays(in: (day - reach - 2)..<day).reversed()
    where first <= skipped { first -= 1 }
    return first
  }
}
