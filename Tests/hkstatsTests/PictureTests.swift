import Foundation
import HealthAnswers
import HealthExchange
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("Pictures of parts and of nights")
struct PictureTests {
  @Test("parts end where they should to the column, and no line is too wide")
  func stacked() {
    var generator = SplitMix64(seed: 61)
    let marks = (0..<4).map { ChartMark.numbered($0, name: "\($0)") }
    for _ in 0..<200 {
      let width = Int.random(in: 40...100, using: &generator)
      let bars = (0..<5).map { row in
        StackedChart.Bar(
          label: "day \(row)", text: "\(row)",
          parts: marks.map { _ in Double(Int.random(in: 0...1000, using: &generator)) })
      }
      let lines = StackedChart(marks: marks, bars: bars).lines(width: width, style: .plain)
      #expect(lines.allSatisfy { $0.displayWidth <= width })
      let room = Double(width - 10)
      let largest = bars.map { $0.parts.reduce(0, +) }.max() ?? 0
      for (bar, line) in zip(bars, lines) {
        var sum = 0.0
        var columns = 0
        for (part, one) in zip(bar.parts, marks) {
          sum += part
          columns += line.filter { $0 == one.glyph }.count
          #expect(abs(Double(columns) - sum / largest * room) <= 0.5)
        }
      }
    }
  }

  @Test("parts that are zero, negative or out of range draw nothing and trap nowhere")
  func odd() {
    let marks = [ChartMark(glyph: "#", color: .blue, name: "x")]
    for part in [0, -1, Double.infinity, 1e300, -Double.infinity] {
      let bars = [StackedChart.Bar(label: "", text: "", parts: [part])]
      let lines = StackedChart(marks: marks, bars: bars).lines(width: 40, style: .plain)
      #expect(lines.allSatisfy { $0.displayWidth <= 40 })
    }
    #expect(StackedChart(marks: marks, bars: []).lines(width: 40, style: .plain).isEmpty)
  }

  private static let marks = [
    ClockChart.Mark(
      mark: ChartMark(glyph: "#", color: .blue, name: "asleep"), isUsed: true, isBackground: false),
    ClockChart.Mark(
      mark: ChartMark(glyph: "-", color: .grey, name: "in bed"), isUsed: true, isBackground: true),
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
    let narrow = try ProgramRun.hkstats(
      ["sources", "compare", "steps", "--timezone", "UTC", "--format", "chart", "--export", path],
      environment: ["COLUMNS": "40"])
    #expect(try narrow.line(2) == "Tue 2024-03-05")
    #expect(try narrow.line(3).hasPrefix("merged              200  █"))
    #expect(narrow.output.contains("\(SmallExport.phone) "))
    #expect(narrow.lines.allSatisfy { String($0).displayWidth <= 40 })
  }

  @Test("Without a terminal the width is COLUMNS, else 80")
  func columns() {
    for (stated, width) in [
      ("40", 40), ("160", 160), ("", 80), ("0", 80), ("-3", 80), ("wide", 80), ("1", 20),
      ("99999999999999999999", 80), ("123456789", 1000),
    ] {
      #expect(Terminal.columns(-1, environment: ["COLUMNS": stated]) == width)
    }
    #expect(Terminal.columns(-1, environment: [:]) == 80)
  }

  @Test("Every chart fits into 40, 80 and 160 columns, and uses them")
  func widths() throws {
    let store = try GeneratedStore(seed: 6, version: "14")
    let samples = try ProgramRun.hkstats([
      "samples", "heartRate", "--limit", "1", "--format", "ndjson", "--store", store.path,
    ])
    let date = try #require(try samples.object()["start"] as? String).prefix(10)
    let day = ["--from", "\(date)", "--to", "\(date)T23:00"]
    for arguments in [
      ["stats", "steps", "--by", "day"],
      ["stats", "heartRate", "--by", "week"], ["stats", "heartRate", "--by", "hour"] + day,
      ["stats", "heartRate", "--by", "15min"] + day, ["stats", "sleepAnalysis", "--by", "week"],
      ["sleep"], ["sleep", "--by", "week"], ["sources", "compare", "steps", "--by", "week"],
      ["samples", "ecg", "--limit", "1"],
    ] {
      var widest: [Int] = []
      for width in [40, 80, 160] {
        let run = try ProgramRun.hkstats(
          arguments + ["--format", "chart", "--color", "never", "--store", store.path],
          environment: ["COLUMNS": "\(width)"])
        #expect(run.exitCode == 0, "\(run.errors)")
        let lines = run.lines.map { String($0).displayWidth }
        #expect(lines.allSatisfy { $0 <= width }, "\(arguments) in \(width): \(lines)")
        widest.append(lines.max() ?? 0)
        // Colours change nothing of what is there.
        let colored = try ProgramRun.hkstats(
          arguments + ["--format", "chart", "--color", "always", "--store", store.path],
          environment: ["COLUMNS": "\(width)"])
        #expect(colored.output.replacing(/\u{1B}\[[0-9;]*m/, with: "") == run.output)
      }
      #expect(widest == widest.sorted() && widest[2] > 80, "\(arguments): \(widest)")
    }
  }

  @Test("A chart of one day names its date once")
  func oneDay() throws {
    var export = SmallExport()
    for minute in 0..<48 {
      let time = "2024-03-05T\(minute / 6 + 10):\(minute % 6)0:00"
      export.add(
        "HKQuantityTypeIdentifierHeartRate", "\(60 + minute)", unit: "count/min", from: time,
        to: time)
    }
    let scratch = try Scratch()
    let path = try scratch.file("export.xml", export.data)
    let run = try ProgramRun.hkstats([
      "stats", "heartRate", "--by", "10min", "--from", "2024-03-05", "--to", "2024-03-06",
      "--timezone", "UTC", "--format", "chart", "--export", path,
    ])
    #expect(run.exitCode == 0, "\(run.errors)")
    let axis = try #require(run.lines.first { $0.contains("2024-03-05") })
    #expect(axis.contains("2024-03-05 00:00") && axis.hasSuffix("24:00"))
    #expect(run.output.ranges(of: "2024-03-05").count == 1)
  }

  @Test("A mark means one thing in every chart of sleep, and no two look alike")
  func marks() {
    for marks in [
      SleepStage.allCases.map(ChartMark.stage), (0..<8).map { ChartMark.numbered($0, name: "") },
    ] {
      #expect(Set(marks.map(\.glyph)).count == marks.count)
      #expect(Set(marks.map(\.color)).count == marks.count)
    }
  }
}
