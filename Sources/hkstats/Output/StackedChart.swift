/// Horizontal bars of several parts, one a line: what makes up an amount.
struct StackedChart {
  /// What a part is.
  struct Series {
    let glyph: Character
    let name: String
  }

  /// One line: a part for each series, in order.
  struct Bar {
    let label: String
    let text: String
    let parts: [Double]
  }

  let series: [Series]
  let bars: [Bar]

  /// Marks that tell the parts of a bar apart.
  static let glyphs: [Character] = ["█", "▒", "▓", "░", "▄", "▞", "▀", "─"]

  /// The lines of the chart with what its marks mean, none wider than `width` unless labels are.
  ///
  /// Each part ends in the column nearest to where it should, so that no rounding adds up. Negative
  /// parts count nothing.
  func lines(width: Int, style: TextStyle) -> [String] {
    let labelWidth = bars.map(\.label.displayWidth).max() ?? 0
    let textWidth = bars.map(\.text.displayWidth).max() ?? 0
    let room = Double(max(8, width - labelWidth - textWidth - 4))
    let totals = bars.map { $0.parts.reduce(0) { $0 + max(0, $1) } }
    let largest = totals.filter(\.isFinite).max() ?? 0
    let pictures = bars.map { bar in
      let start =
        bar.label.padded(to: labelWidth) + "  "
        + bar.text.padded(to: textWidth, isTrailing: true)
      let blocks = largest > 0 ? blocks(bar.parts, scale: room / largest, room: room) : ""
      return blocks.isEmpty ? start : start + "  " + style.accent(blocks)
    }
    let used = series.indices.filter { place in
      bars.contains { place < $0.parts.count && $0.parts[place] > 0 }
    }
    let legend = used.map { "\(series[$0].glyph) \(series[$0].name)" }.joined(separator: "  ")
    return pictures + (legend.isEmpty ? [] : ["", style.faint(legend)])
  }

  private func blocks(_ parts: [Double], scale: Double, room: Double) -> String {
    var text = ""
    var sum = 0.0
    var column = 0
    for (part, series) in zip(parts, series) where part > 0 {
      sum += part
      let end = Int(min(sum * scale, room).rounded())
      text += String(repeating: series.glyph, count: max(0, end - column))
      column = max(column, end)
    }
    return text
  }
}
