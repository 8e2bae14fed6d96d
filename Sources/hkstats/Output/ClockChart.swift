/// What happened around midnight, a line a day on one clock.
struct ClockChart {
  /// What a span means; those that come first show where several share a column equally.
  struct Mark {
    let glyph: Character
    let name: String
    let isUsed: Bool
    /// Whether it shows only where nothing else is.
    let isBackground: Bool
  }

  /// A span in seconds since the midnight of its line.
  struct Span {
    let start: Double
    let end: Double
    /// The place of the mark.
    let mark: Int
  }

  /// One line.
  struct Line {
    let label: String
    let text: String
    let spans: [Span]
  }

  let lines: [Line]
  let marks: [Mark]

  private static let hour = 3600.0
  /// Hours around midnight that are shown at most.
  private static let widest = -18.0...30.0

  /// The lines of the chart between a clock and what its marks mean.
  func lines(width: Int, style: TextStyle) -> [String] {
    let labelWidth = lines.map(\.label.displayWidth).max() ?? 0
    let textWidth = lines.map(\.text.displayWidth).max() ?? 0
    let columns = max(12, width - labelWidth - textWidth - 4)
    let hours = self.hours
    let step = (hours.upperBound - hours.lowerBound) * Self.hour / Double(columns)
    let start = hours.lowerBound * Self.hour
    let indent = String(repeating: " ", count: labelWidth + textWidth + 4)
    let pictures = lines.map { line in
      let cells = cells(of: line, from: start, step: step, count: columns)
      let head =
        line.label.padded(to: labelWidth) + "  "
        + line.text.padded(to: textWidth, isTrailing: true)
      return cells.isEmpty ? head : head + "  " + style.accent(cells)
    }
    let legend = marks.filter(\.isUsed).map { "\($0.glyph) \($0.name)" }.joined(separator: "  ")
    return [style.faint(indent + clock(hours, step: step, count: columns))] + pictures
      + (legend.isEmpty ? [] : ["", style.faint(legend)])
  }

  /// The whole hours that all spans lie in.
  private var hours: ClosedRange<Double> {
    let spans = lines.flatMap(\.spans)
    let first = (spans.map(\.start).min() ?? 0) / Self.hour
    let last = (spans.map(\.end).max() ?? Self.hour) / Self.hour
    let lower = max(Self.widest.lowerBound, min(first.rounded(.down), Self.widest.upperBound - 1))
    return lower...max(lower + 1, min(last.rounded(.up), Self.widest.upperBound))
  }

  /// The hours of the clock above their columns, as many as there is room for.
  private func clock(_ hours: ClosedRange<Double>, step: Double, count: Int) -> String {
    let apart = [1.0, 2, 3, 6].first { $0 * Self.hour / step >= 4 } ?? 6
    var text = ""
    let first = (hours.lowerBound / apart).rounded(.up) * apart
    for hour in stride(from: first, through: hours.upperBound, by: apart) {
      let column = Int(((hour - hours.lowerBound) * Self.hour / step).rounded())
      guard column + 2 <= count else { break }
      let ofDay = (Int(hour) % 24 + 24) % 24
      text = text.padded(to: column) + (ofDay < 10 ? "0\(ofDay)" : "\(ofDay)")
    }
    return text
  }

  private func cells(of line: Line, from start: Double, step: Double, count: Int) -> String {
    var seconds = [[Double]](
      repeating: Array(repeating: 0, count: marks.count), count: count)
    for span in line.spans {
      let first = max(0, min((span.start - start) / step, Double(count)))
      let last = max(0, min((span.end - start) / step, Double(count)))
      guard first < last else { continue }
      for column in Int(first)..<min(count, Int(last.rounded(.up))) {
        seconds[column][span.mark] += min(last, Double(column + 1)) - max(first, Double(column))
      }
    }
    var text = ""
    for column in seconds {
      let shown = marks.indices.filter { column[$0] > 0 && !marks[$0].isBackground }
      let best = shown.max { (column[$0], $1) < (column[$1], $0) }
      let background = marks.indices.first { column[$0] > 0 && marks[$0].isBackground }
      text.append((best ?? background).map { marks[$0].glyph } ?? " ")
    }
    while text.last == " " { text.removeLast() }
    return text
  }
}
