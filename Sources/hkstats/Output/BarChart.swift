import HealthExchange

/// Horizontal bars, one per line: for amounts that start at zero.
struct BarChart {
  /// One line: `value` is `nil` where there is no data.
  struct Bar {
    let label: String
    let value: Double?
    let text: String
    /// Whether it is drawn faint.
    var isFaint = false
  }

  let bars: [Bar]

  /// The lines of the chart, none wider than `width`.
  ///
  /// Bars end in eighths of a column. Negative amounts have no bar, only their number.
  func lines(width: Int, style: TextStyle) -> [String] {
    let margin = ChartMargin(labels: bars.map(\.label), texts: bars.map(\.text), width: width)
    let largest = bars.compactMap(\.value).filter(\.isFinite).max() ?? 0
    return bars.enumerated().map { row, bar in
      let value = bar.value ?? 0
      let share = largest > 0 ? min(max(0, value / largest), 1) : 0
      let blocks = Self.blocks(eighths: Int((share * Double(margin.room * 8)).rounded()))
      return margin.line(row, bar.isFaint ? style.faint(blocks) : style.accent(blocks))
    }
  }

  private static func blocks(eighths: Int) -> String {
    let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return Marks.drawn(String(repeating: "█", count: eighths / 8) + partial[eighths % 8])
  }
}
