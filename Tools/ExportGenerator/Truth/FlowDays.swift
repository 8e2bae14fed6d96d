/// Days of menstrual flow, and the cycles that they make: slow, and plain to see.
///
/// A cycle begins on a day whose record says so. Its bleed goes on from there until at least two days
/// without flow follow each other: flow after these is spotting.
struct FlowDays {
  /// Days with flow, and whether a cycle begins on them.
  private var days: [Int: Bool] = [:]

  /// Adds the rows of a day.
  mutating func add(_ rows: [Row], ofDay day: Int) {
    for row in rows where !row.isCopy && row.label != .bleedingNone {
      days[day] = days[day] == true || row.extra == .cycleStart
    }
  }

  /// The cycles in order; the last one is not over.
  var cycles: [(firstDay: Int, length: Int?, bleedLength: Int)] {
    let firstDays = days.filter(\.value).keys.sorted()
    return firstDays.enumerated().map { number, firstDay in
      var last = firstDay
      while let next = (last + 1...last + 2).first(where: { days[$0] != nil }) { last = next }
      let next = number + 1 < firstDays.count ? firstDays[number + 1] : nil
      return (firstDay, next.map { $0 - firstDay }, last - firstDay + 1)
    }
  }
}
