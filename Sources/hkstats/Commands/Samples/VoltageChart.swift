import Foundation
import HealthExchange
import HealthQuery
import HealthSamples

/// Draws electrocardiograms one below the other.
final class VoltageCharts: ExportWriter {
  private let zone: ZoneTimeline
  private let style: TextStyle
  private let output: TextOutput
  private var isEmpty = true

  init(in zone: ZoneTimeline, style: TextStyle, to output: TextOutput) {
    self.zone = zone
    self.style = style
    self.output = output
  }

  func begin() {}

  func write(_ recorded: RecordedBatch) {}

  func write(_ elements: ImportBatch) throws(OutputError) {
    guard case .electrocardiograms(let columns) = elements else { return }
    for row in columns.rows {
      let start = LocalTime(row.facts.start, in: zone)
      let facts = [
        start.momentText, row.classification, row.lead,
        "\(NumberText.exact(row.sampleRate)) Hz", Marks.drawn("in µV"),
      ].filter { !$0.isEmpty }.joined(separator: ", ")
      if !isEmpty { try output.line("") }
      isEmpty = false
      let width = Terminal.columns(STDOUT_FILENO)
      for line in facts.printable.wrapped(to: width) { try output.line(style.strong(line)) }
      let chart = VoltageChart(voltages: row.voltages, rate: row.sampleRate)
      for line in chart.lines(width: width, style: style) { try output.line(line) }
    }
  }

  func end() throws(OutputError) {
    if isEmpty { try output.line("No samples.") }
    try output.finish()
  }
}

/// A signal in strips of some seconds, drawn without losing spikes: each column of dots spans from
/// its lowest to its highest voltage.
struct VoltageChart {
  let voltages: [Double]
  /// Voltages per second.
  let rate: Double

  private static let stripSeconds = 5.0
  private static let stripHeight = 5
  /// The most strips: two minutes.
  private static let mostStrips = 24
  private static let axisWidth = 9

  /// The lines of the chart, none wider than `width`.
  func lines(width: Int, style: TextStyle) -> [String] {
    guard let low = voltages.min(), let high = voltages.max(), rate > 0 else { return ["No data."] }
    let columns = max(10, width - Self.axisWidth)
    // More voltages than any signal has, so that the products below cannot overflow.
    let perStrip = min(max(1, Self.stripSeconds * rate), 0x1p40)
    let strips = Int(min((Double(voltages.count) / perStrip).rounded(.up), 1e9))
    var lines: [String] = []
    for strip in 0..<min(strips, Self.mostStrips) {
      let first = Int((Double(strip) * perStrip).rounded(.down))
      let last = min(voltages.count, Int((Double(strip + 1) * perStrip).rounded(.down)))
      let picture = canvas(
        voltages[first..<max(first, last)], perStrip: perStrip, columns: columns, low: low,
        high: high)
      for (index, line) in picture.enumerated() {
        let label =
          index == 0 ? high : index == picture.count - 1 ? low : nil
        let text = label.map { NumberText.rounded($0, decimals: 0) } ?? ""
        lines.append(
          style.faint(text.truncated(to: 7).padded(to: 7, isTrailing: true) + Marks.drawn(" ┤"))
            + style.accent(line))
      }
      let seconds = "\(NumberText.exact(Double(strip) * Self.stripSeconds)) s"
      lines.append(style.faint(String(repeating: " ", count: Self.axisWidth) + seconds))
    }
    if strips > Self.mostStrips {
      let rest = AmountText.count(strips - Self.mostStrips, "strip")
      lines.append(style.faint("\(Marks.ellipsis) \(rest) more"))
    }
    return lines
  }

  private func canvas(
    _ voltages: ArraySlice<Double>, perStrip: Double, columns: Int, low: Double, high: Double
  ) -> [String] {
    let rows = Self.stripHeight * 4
    /// The dot of a voltage; halves, so that differences do not overflow.
    func dot(_ voltage: Double) -> Int {
      let share = high > low ? (voltage / 2 - low / 2) / (high / 2 - low / 2) : 0.5
      return rows - 1 - Int((share * Double(rows - 1)).rounded())
    }
    var canvas = DotCanvas(columns: columns, rows: Self.stripHeight)
    let perDot = perStrip / Double(columns * 2)
    var previous: (x: Int, y: Int)?
    for x in 0..<columns * 2 {
      let first = voltages.startIndex + Int(Double(x) * perDot)
      let last = voltages.startIndex + max(Int(Double(x + 1) * perDot), Int(Double(x) * perDot) + 1)
      guard first < voltages.endIndex else { break }
      let part = voltages[first..<min(last, voltages.endIndex)]
      guard let least = part.min(), let most = part.max(), let end = part.last else { continue }
      canvas.draw(from: previous ?? (x, dot(part.first ?? end)), to: (x, dot(part.first ?? end)))
      canvas.draw(from: (x, dot(least)), to: (x, dot(most)))
      previous = (x, dot(end))
    }
    return canvas.lines
  }
}
