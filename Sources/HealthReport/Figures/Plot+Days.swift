import HealthSamples

extension Plot {
  /// Writes the months under consecutive days, each at its first day; of few months days instead.
  mutating func months(from first: CivilDate, dayCount: Int, _ page: Page) {
    guard dayCount > 0 else { return }
    var month = CivilDate(year: first.year, month: first.month, day: 1)
    if month < first { month = month.adding(months: 1) }
    var months: [(month: CivilDate, x: Double)] = []
    for place in 0..<Self.mostMonths {
      let start = month.adding(months: place)
      let x = Double(page.period.days(from: first, to: start)) / Double(dayCount)
      // The last days have no room for a label.
      guard x < 0.94 else { break }
      months.append((start, x))
    }
    guard months.count >= Self.leastMonths else {
      let skipped = page.period.skipped
      let days = (0..<dayCount + skipped.count).map(first.adding(days:))
        .filter { !skipped.contains($0.dayNumber) }
      return weeks(Array(days.prefix(dayCount)), page.dates)
    }
    let stride = Self.stride(ofMonths: months.count)
    for (place, (month, x)) in months.enumerated() {
      let text = month.month == 1 ? page.dates.year(month.year) : page.dates.shortMonth(month)
      // A label begins at its day, near the end it ends there.
      let isLast = x > 0.88
      let isMain = place.isMultiple(of: stride) && (place == 0 || !isLast)
      label(
        (isMain ? "t" : "t t2") + (isLast ? " end" : ""), x: isLast ? 1 : x,
        y: area.upperBound + 18, text)
    }
  }

  /// The width of one of some bars, which take a share of their rows: few bars are no blocks.
  ///
  /// As many as `least` fill a plot.
  static func barWidth(of count: Int, share: Double, least: Int = 16) -> Double {
    share / Double(max(count, least))
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
