import HealthExchange

/// Horizontal bars of several parts, one per line: the composition of an amount.
struct StackedChart {
  /// One line: a part for each mark, in order.
  struct Bar {
    let label: String
    let text: String
    let parts: [Double]
  }

  let marks: [ChartMark]
  let bars: [Bar]

  /// The lines of the chart with a legend, none wider than `width`.
  ///
  /// Each part ends in the column nearest to its exact end, so that rounding errors do not add up.
  /// Negative parts are ignored.
  func lines(width: Int, style: TextStyle) -> [String] {
    let margin = ChartMargin(labels: bars.map(\.label), texts: bars.map(\.text), width: width)
    let room = Double(margin.room)
    let totals = bars.map { $0.parts.reduce(0) { $0 + max(0, $1) } }
    let largest = totals.filter(\.isFinite).max() ?? 0
    let pictures = bars.enumerated().map { row, bar in
      margin.line(
        row,
        largest > 0 ? blocks(bar.parts, scale: room / largest, room: room, style: style) : "")
    }
    let used = marks.indices.filter { place in
      bars.contains { place < $0.parts.count && $0.parts[place] > 0 }
    }
    let legend = ChartMark.legend(used.map { marks[$0] }, width: width, style: style)
    return pictures + (legend.isEmpty ? [] : [""] + legend)
  }

  private func blocks(
    _ parts: [Double], scale: Double, room: Double, style: TextStyle
  ) -> String {
    var text = ""
    var sum = 0.0
    var column = 0
    for (part, mark) in zip(parts, marks) where part > 0 {
      sum += part
      let end = Int(min(sum * scale, room).rounded())
      text += style.mark(
        String(repeating: mark.glyph, count: max(0, end - column)), mark.color)
      column = max(column, end)
    }
    return text
  }
}
