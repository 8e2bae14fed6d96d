import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("Pictures of parts and of nights")
struct PictureTests {
  @Test("parts end where they should to the column, and no line is too wide")
  func stacked() {
    var generator = SplitMix64(seed: 61)
    let series = zip(StackedChart.glyphs, "abcd").map {
      StackedChart.Series(glyph: $0, name: String($1))
    }
    for _ in 0..<200 {
      let width = Int.random(in: 40...100, using: &generator)
      let bars = (0..<5).map { row in
        StackedChart.Bar(
          label: "day \(row)", text: "\(row)",
          parts: series.map { _ in Double(Int.random(in: 0...1000, using: &generator)) })
      }
      let lines = StackedChart(series: series, bars: bars).lines(width: width, style: .plain)
      #expect(lines.allSatisfy { $0.displayWidth <= width })
      let room = Double(width - 10)
      let largest = bars.map { $0.parts.reduce(0, +) }.max() ?? 0
      for (bar, line) in zip(bars, lines) {
        var sum = 0.0
        var columns = 0
        for (part, one) in zip(bar.parts, series) {
          sum += part
          columns += line.filter { $0 == one.glyph }.count
          #expect(abs(Double(columns) - sum / largest * room) <= 0.5)
        }
      }
    }
  }

  @Test("parts that are zero, negative or out of range draw nothing and trap nowhere")
  func odd() {
    let series = [StackedChart.Series(glyph: "#", name: "x")]
    for part in [0, -1, Double.infinity, 1e300, -Double.infinity] {
      let bars = [StackedChart.Bar(label: "", text: "", parts: [part])]
      let lines = StackedChart(series: series, bars: bars).lines(width: 40, style: .plain)
      #expect(lines.allSatisfy { $0.displayWidth <= 40 })
    }
    #expect(StackedChart(series: series, bars: []).lines(width: 40, style: .plain).isEmpty)
  }

  private static let marks = [
    ClockChart.Mark(glyph: "#", name: "asleep", isUsed: true, isBackground: false),
    ClockChart.Mark(glyph: "-", name: "in bed", isUsed: true, isBackground: true),
  ]

  @Test("a night stands below the hours of its clock")
  func clock() {
    let night = ClockChart.Line(
      label: "Mon", text: "8 h",
      spans: [
        .init(start: -2 * 3600, end: 7 * 3600, mark: 1), .init(start: 0, end: 6 * 3600, mark: 0),
      ])
    let empty = ClockChart.Line(label: "Tue", text: "–", spans: [])
    // Nine hours in 36 columns: a quarter of an hour each.
    let lines = ClockChart(lines: [night, empty], marks: Self.marks)
      .lines(width: 36 + 10, style: .plain)
    #expect(
      lines == [
        "          22  23  00  01  02  03  04  05  06",
        "Mon  8 h  --------########################----", "Tue    –", "",
        "# asleep  - in bed",
      ])
  }

  @Test("spans far from midnight are cut, and no line is too wide")
  func bounds() {
    for span in [(-1e9, 1e9), (1e9, 2e9), (-2e9, -1e9), (0, 0), (0, 1)] as [(Double, Double)] {
      let line = ClockChart.Line(
        label: "Mon", text: "8 h", spans: [.init(start: span.0, end: span.1, mark: 0)])
      let lines = ClockChart(lines: [line], marks: Self.marks).lines(width: 60, style: .plain)
      #expect(lines.allSatisfy { $0.displayWidth <= 60 })
    }
    #expect(
      ClockChart(lines: [], marks: []).lines(width: 60, style: .plain)
        .allSatisfy { $0.displayWidth <= 60 })
  }

  @Test("sources compare draws a bar for each column of its table")
  func comparison() throws {
    var export = SmallExport()
    export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    export.steps(
      200, from: "2024-03-05T10:00:00", to: "2024-03-05T10:20:00", source: SmallExport.phone)
    let scratch = try Scratch()
    let path = try scratch.file("export.xml", export.data)
    let run = try ProgramRun.hkstats([
      "sources", "compare", "steps", "--timezone", "UTC", "--format", "chart", "--export", path,
    ])
    #expect(run.exitCode == 0)
    #expect(run.lines.allSatisfy { String($0).displayWidth <= 80 })
    // The phone walks twice as far as the watch, half of it at the same time.
    let bars = run.lines.map { $0.filter { $0 == "█" }.count }.filter { $0 > 0 }
    let least = try #require(bars.min())
    #expect(bars == [2 * least, 3 * least, least, 2 * least])
    #expect(try run.line(2).hasPrefix("Tue 2024-03-05  merged              200  █"))
  }
}
