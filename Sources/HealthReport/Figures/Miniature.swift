/// Days in miniature, without an axis: bars from zero for amounts, dots for levels; the last seven in
/// full colour and underlined.
struct Miniature {
  let measure: ReportMeasure
  /// The days as shown.
  let values: [Int?]
  /// 5th percentile, median and 95th of the days of a year, as shown; `nil` with too few.
  let typical: (low: Int, median: Int, high: Int)?
  /// Which of the days are the last seven.
  let marked: Range<Int>

  /// Draws the days.
  func plot(height: Double = 62, axis: Axis? = nil) -> Plot {
    let known = values.compactMap { $0.map(Double.init) }
    let band = typical.map { [Double($0.low), Double($0.high)] } ?? []
    let (low, high) = ((known + band).min() ?? 0, (known + band).max() ?? 1)
    let room = max((high - low) * 0.08, 0.5)
    let range = measure.isSum ? 0...max(high, 1) : (low - room)...(high + room)
    var plot = Plot(
      height: height, top: axis == nil ? 4 : Plot.unitRoom, bottom: axis == nil ? 8 : 24,
      range: axis?.range ?? range)
    if let axis {
      for tick in axis.ticks { plot.level(tick == 0 ? "zero" : "grid", tick) }
    }
    if let typical { plot.band(Double(typical.low), Double(typical.high)) }
    let step = 1 / Double(max(1, values.count))
    let width = Plot.barWidth(of: values.count, share: 0.66)
    for (row, value) in values.enumerated() {
      let x = (Double(row) + 0.5) * step
      guard let value = value.map(Double.init) else {
        plot.gap(x: x)
        continue
      }
      let style = marked.contains(row) ? "m" : "q"
      if measure.isSum {
        plot.bar(style, x: x - width / 2, width: width, from: 0, to: value, radius: 1.5)
      } else {
        plot.dot(style, x: x, value, radius: 2.6)
      }
    }
    if let typical { plot.level("med", Double(typical.median)) }
    if !marked.isEmpty {
      let y = plot.area.upperBound + 3
      plot.line(
        "ml", from: (Double(marked.lowerBound) * step, y), to: (Double(marked.upperBound) * step, y)
      )
    }
    return plot
  }
}
