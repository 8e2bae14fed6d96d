import HealthSamples

/// The days of a year in blocks of months: the fifth of the year that a day belongs to is the size of its
/// square and its darkness.
struct CalendarFigure {
  /// The dates of the days, and their fifths from 0 to 4; `nil` without data.
  let days: [(date: CivilDate, fifth: Int?)]
  /// The row of the first day in its table.
  let firstRow: Int
  /// 0 for Monday to 6 for Sunday.
  let firstWeekday: Int

  /// The side of a cell.
  static let cell = 16.0
  /// The sides of the squares.
  static let sides = [5, 7.2, 9.4, 11.6, 14]

  /// Writes the blocks.
  func write(to markup: inout Markup, _ page: Page) {
    var rest = Array(days.enumerated())[...]
    var isFirst = true
    while let first = rest.first?.element.date {
      let month = rest.prefix {
        $0.element.date.month == first.month && $0.element.date.year == first.year
      }
      rest = rest.dropFirst(month.count)
      let hasYear = isFirst || first.month == 1
      isFirst = false
      markup.element("div", ["class": "month"]) { markup in
        markup.element(
          "p", [:], hasYear ? page.dates.monthAndYear(first) : page.dates.month(first))
        var plot = Plot(height: 6 * Self.cell, range: 0...1)
        let lead = column(of: CivilDate(year: first.year, month: first.month, day: 1))
        for (row, day) in month {
          let place = lead + day.date.day - 1
          let x = (Double(place % 7) + 0.5) * Self.cell
          let y = (Double(place / 7) + 0.5) * Self.cell
          draw(day.fifth, row: firstRow + row, x: x, y: y, in: &plot)
        }
        markup.element(
          "svg",
          [
            "width": Plot.pixel(7 * Self.cell), "height": Plot.pixel(6 * Self.cell),
            "viewBox": "0 0 \(Plot.pixel(7 * Self.cell)) \(Plot.pixel(6 * Self.cell))",
            "aria-hidden": "true",
          ]
        ) { $0.append(plot.drawing) }
      }
    }
  }

  private func column(of date: CivilDate) -> Int {
    (date.weekday + 7 - firstWeekday) % 7
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
    let side = Self.sides[min(max(fifth, 0), 4)]
    plot.drawing.empty(
      "rect",
      [
        "class": "o\(fifth + 1)", "x": Plot.pixel(x - side / 2), "y": Plot.pixel(y - side / 2),
        "width": Plot.pixel(side), "height": Plot.pixel(side), "rx": "1.5", "data-row": "\(row)",
      ])
  }
}
