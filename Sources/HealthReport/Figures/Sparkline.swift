import HealthAnswers

/// Means of weeks on a scale of their own, without an axis: a line that breaks at gaps, the last one as
/// a dot.
struct Sparkline {
  /// The means, the last one last; `nil` for a gap.
  let means: [Double?]

  /// Writes the drawing; nothing without a mean.
  func write(height: Double, to markup: inout Markup) {
    let known = means.compactMap { $0 }
    guard let low = known.min(), let high = known.max() else { return }
    var plot = Plot(height: height, top: 3, bottom: 3, range: low...max(high, low.nextUp))
    let step = 1 / Double(means.count)
    func x(_ row: Int) -> Double { (Double(row) + 0.5) * step }
    func isGap(_ row: Int) -> Bool { !means.indices.contains(row) || means[row] == nil }
    plot.path("tl", means.indices.map { row in means[row].map { (x(row), plot.y($0)) } })
    for (row, mean) in means.enumerated() {
      guard let mean else { continue }
      if row == means.count - 1 {
        plot.dot("m", x: x(row), mean, radius: 2.2)
      } else if isGap(row - 1), isGap(row + 1) {
        // A line needs two points.
        plot.dot("m", x: x(row), mean, radius: 0.8)
      }
    }
    markup.element(
      "svg", ["width": "100%", "height": Plot.pixel(height), "aria-hidden": "true"]
    ) { $0.append(plot.drawing) }
  }
}

extension TypicalAnswer {
  /// The means of the weeks before, and the last one.
  var sparkline: Sparkline { Sparkline(means: earlier.reversed().map(\.mean) + [mean]) }
}
