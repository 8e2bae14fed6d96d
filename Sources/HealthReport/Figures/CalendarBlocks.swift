import HealthSamples

/// Consecutive days in blocks of months, six weeks each, with a mark in the cell of each day.
struct CalendarBlocks {
  /// The dates of the days.
  let dates: [CivilDate]
  /// 0 for Monday to 6 for Sunday.
  let firstWeekday: Int
  /// Whether a line runs through the middle of each week.
  var hasMiddles = false

  /// The side of a cell.
  static let cell = 16.0
  /// The most days whose blocks are larger: four or five months.
  private static let fewDays = 124

  /// Writes the blocks; a function draws the mark of each day, by its place among the dates, around a
  /// point.
  func write(
    to markup: inout Markup, _ page: Page,
    _ draw: (_ plot: inout Plot, _ place: Int, _ x: Double, _ y: Double) -> Void
  ) {
    var rest = Array(dates.enumerated())[...]
    var isFirst = true
    while let first = rest.first?.element {
      let month = rest.prefix { $0.element.month == first.month && $0.element.year == first.year }
      rest = rest.dropFirst(month.count)
      let hasYear = isFirst || first.month == 1
      isFirst = false
      markup.element("div", ["class": "month"]) { markup in
        markup.element(
          "p", [:], hasYear ? page.dates.monthAndYear(first) : page.dates.month(first))
        var plot = Plot(height: 6 * Self.cell, range: 0...1)
        let lead = column(of: CivilDate(year: first.year, month: first.month, day: 1))
        let cells = month.map { day in (place: day.offset, cell: lead + day.element.day - 1) }
        if hasMiddles { middles(of: cells.map(\.cell), in: &plot) }
        for (place, cell) in cells {
          draw(
            &plot, place, (Double(cell % 7) + 0.5) * Self.cell,
            (Double(cell / 7) + 0.5) * Self.cell)
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

  /// Writes the blocks as a figure whose days can be read: they are the rows of a table.
  func figure(
    _ name: String, table: String, columns: [Int], to markup: inout Markup, _ page: Page,
    _ draw: (_ plot: inout Plot, _ place: Int, _ x: Double, _ y: Double) -> Void
  ) {
    markup.figure(
      TextPattern.filled(page.words.figure.calendarLabel, name),
      Figure.Rows(table: table, range: 0..<dates.count, columns: columns),
      style: dates.count > Self.fewDays ? "calendar" : "calendar few"
    ) { write(to: &$0, page, draw) }
  }

  private func middles(of cells: [Int], in plot: inout Plot) {
    let weeks = Dictionary(grouping: cells) { $0 / 7 }
    for (week, days) in weeks.sorted(by: { $0.key < $1.key }) {
      guard let first = days.min(), let last = days.max() else { continue }
      let y = Plot.pixel((Double(week) + 0.5) * Self.cell)
      plot.drawing.empty(
        "line",
        [
          "class": "grid", "x1": Plot.pixel(Double(first % 7) * Self.cell), "y1": y,
          "x2": Plot.pixel(Double(last % 7 + 1) * Self.cell), "y2": y,
        ])
    }
  }

  private func column(of date: CivilDate) -> Int { (date.weekday + 7 - firstWeekday) % 7 }
}

extension Plot {
  /// Draws a rectangle in the cell of a day, around a point.
  mutating func cell(
    _ name: String, row: Int, x: Double, y: Double, width: Double, height: Double
  ) {
    drawing.empty(
      "rect",
      [
        "class": name, "x": Self.pixel(x - width / 2), "y": Self.pixel(y - height / 2),
        "width": Self.pixel(width), "height": Self.pixel(height), "rx": "1.5", "data-row": "\(row)",
      ])
  }
}
