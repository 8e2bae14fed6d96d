import HealthExchange

/// Spans around midnight, one line per day on a common clock.
struct ClockChart {
  /// The meaning of a span; earlier marks win where several share a column equally.
  struct Mark {
    let mark: ChartMark
    let isUsed: Bool
    /// Whether it is only visible where there is nothing else.
    let isBackground: Bool
  }

  /// A span in seconds since the midnight of its line.
  struct Span {
    let start: Double
    let end: Double
    /// The index of the mark.
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
  /// The most hours around midnight that are shown.
  private static let widest = -18.0...30.0

  /// The lines of the chart between a clock and the legend of its marks.
  func lines(width: Int, style: TextStyle) -> [String] {
    let margin = ChartMargin(labels: lines.map(\.label), texts: lines.map(\.text), width: width)
    let columns = margin.room
    let hours = self.hours
    let step = (hours.upperBound - hours.lowerBound) * Self.hour / Double(columns)
    let start = hours.lowerBound * Self.hour
    let pictures = lines.enumerated().map { row, line in
      let cells = cells(of: line, from: start, step: step, count: columns)
      return margin.line(row, picture(cells, style: style))
    }
    let legend = ChartMark.legend(
      marks.filter(\.isUsed).map(\.mark), width: width, style: style)
    return [style.faint(margin.indent + clock(hours, step: step, count: columns))] + pictures
      + (legend.isEmpty ? [] : [""] + legend)
  }

  /// Marks in a row as text, with colours.
  private func picture(_ cells: [Int?], style: TextStyle) -> String {
    var text = ""
    var rest = cells[...]
    while let first = rest.first {
      let run = rest.prefix { $0 == first }
      rest = rest.dropFirst(run.count)
      guard let first else {
        text += rest.isEmpty ? "" : String(repeating: " ", count: run.count)
        continue
      }
      let mark = marks[first].mark
      text += style.mark(String(repeating: mark.glyph, count: run.count), mark.color)
    }
    return text
  }

  /// The whole hours that contain all spans.
  private var hours: ClosedRange<Double> {
    let spans = lines.flatMap(\.spans)
    let first = (spans.map(\.start).min() ?? 0) / Self.hour
    let last = (spans.map(\.end).max() ?? Self.hour) / Self.hour
    let lower = max(Self.widest.lowerBound, min(first.rounded(.down), Self.widest.upperBound - 1))
    return lower...max(lower + 1, min(last.rounded(.up), Self.widest.upperBound))
  }

  /// The hours of the clock above their columns, as many as fit.
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

  /// The index of the visible mark of each column.
  private func cells(
    of line: Line, from start: Double, step: Double, count: Int
  ) -> [Int?] {
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
    return seconds.map { column in
      let shown = marks.indices.filter { column[$0] > 0 && !marks[$0].isBackground }
      let best = shown.max { (column[$0], $1) < (column[$1], $0) }
      let background = marks.indices.first { column[$0] > 0 && marks[$0].isBackground }
      return best ?? background
    }
  }
}
