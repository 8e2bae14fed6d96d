import HealthSamples

extension Plot {
  /// Writes the months under consecutive days, each at its first day; every third one at any width.
  mutating func months(from first: CivilDate, dayCount: Int, _ page: Page) {
    guard dayCount > 0 else { return }
    var month = CivilDate(year: first.year, month: first.month, day: 1)
    if month < first { month = month.adding(months: 1) }
    for place in 0..<Self.mostMonths {
      let x = Double(month.dayNumber - first.dayNumber) / Double(dayCount)
      // A label begins at its day, near the end it ends there, and the last days have no room for one.
      guard x < 0.94 else { return }
      let text = month.month == 1 ? page.dates.year(month.year) : page.dates.shortMonth(month)
      let isLast = x > 0.88
      let isMain = place % 3 == 0 && (place == 0 || !isLast)
      label(
        (isMain ? "t" : "t t2") + (isLast ? " end" : ""), x: isLast ? 1 : x,
        y: area.upperBound + 18, text)
      month = month.adding(months: 1)
    }
  }

  /// Draws many discs of one size as one path, which keeps the page small.
  ///
  /// - Parameters:
  ///   - name: the class, whose stroke is round
  ///   - points: x as shares, y in pixels
  mutating func dots(_ name: String, _ points: [(x: Double, y: Double)]) {
    path(name, points.flatMap { [$0, $0, nil] })
  }

  private static let mostMonths = 14
}
