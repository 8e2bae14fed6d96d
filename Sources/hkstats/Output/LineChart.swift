import Foundation
import HealthExchange

/// A curve of many intervals in two by four dots per character (Braille patterns).
struct LineChart {
  /// The values in order; `nil` where there is no data, which leaves a gap.
  let values: [Double?]
  /// Whether the scale starts at zero, as it should for amounts.
  let startsAtZero: Bool
  /// The texts under the left and the right end.
  let ends: (first: String, last: String)
  /// Another curve over the same intervals, such as a level; the values are then dots.
  var level: [Double?]?

  /// The number of intervals per column of dots; several are shown by their mean.
  func intervalsPerDot(width: Int) -> Int {
    let dots = plotColumns(width: width) * 2
    return max(1, (values.count + dots - 1) / dots)
  }

  /// The lines of the chart, none wider than `width`.
  func lines(width: Int, height: Int = 10, style: TextStyle) -> [String] {
    let size = intervalsPerDot(width: width)
    let points = Self.condensed(values, by: size)
    let levels = level.map { Self.condensed($0, by: size) }
    let known = points.compactMap { $0 } + (levels ?? []).compactMap { $0 }
    guard let least = known.min(), let high = known.max() else { return [] }
    let low = startsAtZero ? min(0, least) : least
    let columns = plotColumns(width: width)
    let rows = height * 4
    // Few intervals are spread over the whole width.
    let step = points.count > 1 ? Double(columns * 2 - 1) / Double(points.count - 1) : 0
    func canvas(_ points: [Double?], isJoined: Bool) -> DotCanvas {
      var canvas = DotCanvas(columns: columns, rows: height)
      var previous: (x: Int, y: Int)?
      for (index, point) in points.enumerated() {
        guard let point else {
          previous = nil
          continue
        }
        let x = Int((Double(index) * min(step, Double(columns * 2))).rounded())
        // Halves, so that differences of finite numbers do not overflow.
        let share = high > low ? (point / 2 - low / 2) / (high / 2 - low / 2) : 0.5
        let y = rows - 1 - Int((share * Double(rows - 1)).rounded())
        canvas.draw(from: (isJoined ? previous : nil) ?? (x, y), to: (x, y))
        previous = (x, y)
      }
      return canvas
    }
    let curve = canvas(points, isJoined: levels == nil)
    let picture =
      levels.map { curve.lines(below: canvas($0, isJoined: true), style: style) }
      ?? curve.lines.map(style.accent)
    return framed(picture, low: low, high: high, columns: columns, style: style)
  }

  private func framed(
    _ picture: [String], low: Double, high: Double, columns: Int, style: TextStyle
  ) -> [String] {
    let decimals = NumberText.decimals(between: low, and: high)
    let labels = picture.indices.map { index in
      guard index == 0 || index == picture.count - 1 || index == picture.count / 2 else {
        return ""
      }
      let share = 1 - Double(index) / Double(max(1, picture.count - 1))
      return Self.label(low * (1 - share) + high * share, decimals: decimals)
    }
    let labelWidth = labels.map(\.displayWidth).max() ?? 0
    let lines = zip(labels, picture).map { label, row in
      style.faint(label.padded(to: labelWidth, isTrailing: true) + Marks.drawn(" ┤"))
        + row
    }
    let gap = max(1, columns - ends.first.displayWidth - ends.last.displayWidth)
    let under = (ends.first + String(repeating: " ", count: gap) + ends.last)
      .truncated(to: max(columns, 10))
    return lines + [style.faint(String(repeating: " ", count: labelWidth + 2) + under)]
  }

  /// The mean of each group of `size` intervals, or `nil` where none has data.
  private static func condensed(_ values: [Double?], by size: Int) -> [Double?] {
    guard size > 1 else { return values.map { $0.flatMap { $0.isFinite ? $0 : nil } } }
    return stride(from: 0, to: values.count, by: size).map { start in
      let known = values[start..<min(start + size, values.count)]
        .compactMap { $0 }.filter(\.isFinite)
      return known.isEmpty ? nil : known.reduce(0) { $0 + $1 / Double(known.count) }
    }
  }

  /// A number of the scale in at most ten columns.
  private static func label(_ value: Double, decimals: Int) -> String {
    let text = NumberText.rounded(value, decimals: decimals)
    return text.count <= axisWidth - 2 ? text : String(format: "%.3g", value)
  }

  private func plotColumns(width: Int) -> Int { max(10, width - Self.axisWidth) }

  /// The most columns of the numbers at the left and their tick.
  private static let axisWidth = 12
}
