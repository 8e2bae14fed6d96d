import HealthExchange
import HealthReport

/// One line for each interval with a dot at its mean and a line from its smallest to its largest
/// value: for readings, whose scale need not start at zero.
struct RangeChart {
  /// One line: `mean` is `nil` where there is no data.
  struct Line {
    let label: String
    let minimum: Double?
    let mean: Double?
    let maximum: Double?
    let text: String
  }

  let lines: [Line]
  /// The meaning of the dots, such as `mean`.
  let statistic: String
  /// The meaning of the strokes.
  var strokes = "from the least to the largest value"
  /// The ends of the scale, if not those of the values.
  var ends: ClosedRange<Double>?

  /// The lines of the chart above their scale, none wider than `width`.
  func lines(width: Int, style: TextStyle) -> [String] {
    let margin = ChartMargin(labels: lines.map(\.label), texts: lines.map(\.text), width: width)
    let room = margin.room
    let values = lines.flatMap { [$0.minimum, $0.mean, $0.maximum] }
      .compactMap { $0 }.filter(\.isFinite)
    let low = ends?.lowerBound ?? values.min() ?? 0
    let high = ends?.upperBound ?? values.max() ?? 0
    let span = high - low
    func column(_ value: Double) -> Int {
      let share = span > 0 && span.isFinite ? (value - low) / span : 0.5
      return Int((min(max(0, share), 1) * Double(room - 1)).rounded())
    }
    let pictures = lines.enumerated().map { row, line in
      guard let mean = line.mean else { return margin.line(row, "") }
      let dot = column(mean)
      let left = min(dot, line.minimum.map(column) ?? dot)
      let right = max(dot, line.maximum.map(column) ?? dot)
      return margin.line(
        row,
        String(repeating: " ", count: left)
          + style.accent(
            Marks.drawn(
              String(repeating: "─", count: dot - left) + "●"
                + String(repeating: "─", count: right - dot))))
    }
    guard !values.isEmpty else { return pictures }
    let hasStrokes = lines.contains { $0.minimum != nil && $0.maximum != nil }
    let legend =
      ["● \(Vocabulary.current.word(statistic))"]
      + (hasStrokes ? ["─ \(Vocabulary.current.word(strokes))"] : [])
    return pictures
      + scale(low: low, high: high, room: room).map { style.faint(margin.indent + $0) } + [""]
      + Marks.drawn(legend.joined(separator: "  ")).wrapped(to: width).map(style.faint)
  }

  /// The ends and the middle of the scale below their columns, as far as they fit.
  private func scale(low: Double, high: Double, room: Int) -> [String] {
    guard high > low, (high - low).isFinite else {
      let text = NumberText.rounded(low)
      let blanks = max(0, (room - text.displayWidth) / 2)
      return [String(repeating: " ", count: blanks) + text]
    }
    let decimals = NumberText.decimals(between: low, and: high)
    let texts = [low, low / 2 + high / 2, high].map { NumberText.rounded($0, decimals: decimals) }
    let widths = texts.map(\.displayWidth)
    let middle = (room - widths[1]) / 2
    let isRoomy = widths[0] + 2 <= middle && middle + widths[1] + 2 <= room - widths[2]
    guard widths[0] + 1 + widths[2] <= room else { return [] }
    let ticks =
      "├" + (1..<room - 1).map { isRoomy && $0 == room / 2 ? "┼" : "─" }.joined() + "┤"
    var numbers = texts[0]
    if isRoomy { numbers = numbers.padded(to: middle) + texts[1] }
    return [Marks.drawn(ticks), numbers.padded(to: room - widths[2]) + texts[2]]
  }
}
