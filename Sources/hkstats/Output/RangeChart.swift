/// One line for each interval with a dot at its mean and a stroke from its least to its largest
/// value: for readings, whose scale has no need of zero.
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

  /// The lines of the chart, none wider than `width`; all share one scale.
  func lines(width: Int, style: TextStyle) -> [String] {
    let labelWidth = lines.map(\.label.displayWidth).max() ?? 0
    let textWidth = lines.map(\.text.displayWidth).max() ?? 0
    let room = max(8, width - labelWidth - textWidth - 4)
    let values = lines.flatMap { [$0.minimum, $0.mean, $0.maximum] }
      .compactMap { $0 }.filter(\.isFinite)
    let low = values.min() ?? 0
    let span = (values.max() ?? 0) - low
    func column(_ value: Double) -> Int {
      let share = span > 0 && span.isFinite ? (value - low) / span : 0.5
      return Int((min(max(0, share), 1) * Double(room - 1)).rounded())
    }
    return lines.map { line in
      let start =
        line.label.padded(to: labelWidth) + "  "
        + line.text.padded(
          to: textWidth, isTrailing: true)
      guard let mean = line.mean else { return start }
      let dot = column(mean)
      let left = min(dot, line.minimum.map(column) ?? dot)
      let right = max(dot, line.maximum.map(column) ?? dot)
      let picture =
        String(repeating: " ", count: left) + String(repeating: "─", count: dot - left) + "●"
        + String(repeating: "─", count: right - dot)
      return start + "  " + style.accent(picture)
    }
  }
}
