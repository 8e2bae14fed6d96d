import HealthSamples

/// The days of a year in blocks of months: the fifth of the year that a day belongs to is the size of
/// its square and its darkness.
struct CalendarFigure {
  /// The dates of the days, and their fifths from 0 to 4; `nil` without data.
  let days: [(date: CivilDate, fifth: Int?)]
  /// The row of the first day in its table.
  let firstRow: Int
  /// 0 for Monday to 6 for Sunday.
  let firstWeekday: Int

  /// The sides of the squares.
  static let sides = [5, 7.2, 9.4, 11.6, 14]

  /// Whether days can be in a fifth: equal limits are one, and nothing is under zero steps.
  static func isClass(_ fifth: Int, _ limits: [Int], ofSum isSum: Bool) -> Bool {
    switch fifth {
    case 0: limits.first.map { $0 > 0 || !isSum } ?? false
    case limits.count: true
    default: limits[fifth] != limits[fifth - 1]
    }
  }

  /// Writes the blocks.
  func write(to markup: inout Markup, _ page: Page) {
    CalendarBlocks(dates: days.map(\.date), firstWeekday: firstWeekday).write(
      to: &markup, page
    ) { plot, place, x, y in
      draw(days[place].fifth, row: firstRow + place, x: x, y: y, in: &plot)
    }
  }

  private func draw(_ fifth: Int?, row: Int, x: Double, y: Double, in plot: inout Plot) {
    guard let fifth else {
      plot.drawing.empty(
        "circle",
        [
          "class": "gap", "cx": Plot.pixel(x), "cy": Plot.pixel(y), "r": "2", "data-row": "\(row)",
        ])
      return
    }
    let step = min(max(fifth, 0), 4)
    plot.cell(
      "o\(step + 1)", row: row, x: x, y: y, width: Self.sides[step], height: Self.sides[step])
  }
}
