import HealthExchange
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("Charts")
struct ChartTests {
  @Test("Bars are as long as their share of the largest", arguments: [40, 80, 120])
  func barLengths(width: Int) {
    let chart = BarChart(bars: [
      .init(label: "Mon", value: 100, text: "100"), .init(label: "Tue", value: 50, text: "50"),
      .init(label: "Wed", value: nil, text: "–"), .init(label: "Thu", value: 0, text: "0"),
    ])
    let lines = chart.lines(width: width, style: .plain)
    let blocks = lines.map { $0.filter { $0 == "█" }.count }
    #expect(lines.allSatisfy { $0.displayWidth <= width })
    #expect(lines[0].displayWidth == width - 1 || lines[0].displayWidth == width)
    #expect(abs(blocks[0] - 2 * blocks[1]) <= 1)
    #expect(blocks[2] == 0 && blocks[3] == 0)
  }

  @Test("Every line of a range chart fits, and its dot lies on its stroke")
  func rangeChart() throws {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<100 {
      let lines = (0..<7).map { index -> RangeChart.Line in
        let values = (0..<3).map { _ in Double(generator.next() % 200) }.sorted()
        return RangeChart.Line(
          label: "day \(index)", minimum: values[0], mean: values[1], maximum: values[2],
          text: NumberText.exact(values[1]))
      }
      for width in [40, 80, 160] {
        let chart = RangeChart(lines: lines, statistic: "mean").lines(width: width, style: .plain)
        #expect(chart.allSatisfy { $0.displayWidth <= width })
        #expect(chart.prefix(7).allSatisfy { line in line.filter { $0 == "●" }.count == 1 })
        // Below stand the scale, from the least value to the largest, and what the marks mean.
        let numbers = chart[8].split(separator: " ").compactMap { Double($0) }
        #expect(numbers.first == lines.compactMap(\.minimum).min())
        #expect(numbers.last == lines.compactMap(\.maximum).max())
        #expect(chart[10].hasPrefix("● mean ─ from"))
      }
    }
  }

  @Test(
    "A curve fits into its width with any number of intervals",
    arguments: [1, 2, 3, 30, 136, 137, 1000, 100_000])
  func lineChart(count: Int) {
    let values = (0..<count).map { (day: Int) -> Double? in
      day % 7 == 3 ? nil : Double(day * 37 % 101)
    }
    let chart = LineChart(
      values: values, startsAtZero: false, ends: ("2024-01-01", "2026-01-01"))
    let lines = chart.lines(width: 80, style: .plain)
    #expect(lines.count == 11)
    #expect(lines.allSatisfy { $0.displayWidth <= 80 })
    #expect(
      lines.contains { $0.unicodeScalars.contains { $0.value > 0x2800 && $0.value < 0x2900 } })
    let drawn = (count + chart.intervalsPerDot(width: 80) - 1) / chart.intervalsPerDot(width: 80)
    #expect(drawn <= 136)
  }

  @Test("A rising line begins at the bottom left and ends at the top right")
  func risingLine() throws {
    let chart = LineChart(
      values: (0..<50).map(Double.init), startsAtZero: true, ends: ("a", "b"))
    let lines = chart.lines(width: 60, height: 5, style: .plain)
    let rows = lines.prefix(5).map { Array($0.drop { $0 != "┤" }.dropFirst()) }
    #expect(try #require(rows.first).count == 48)
    #expect(try #require(rows.last?.first) != " ")
    #expect(try #require(rows.first?.first) == " ")
  }

  @Test("No data draws nothing; equal values and infinities draw without a trap")
  func degenerateCharts() {
    func lines(_ values: [Double?]) -> [String] {
      LineChart(values: values, startsAtZero: false, ends: ("", ""))
        .lines(width: 80, style: .plain)
    }
    #expect(lines([]).isEmpty)
    #expect(lines([nil, nil]).isEmpty)
    #expect(lines([5, 5, 5]).count == 11)
    let extremes = lines([.infinity, 1, -.infinity, .greatestFiniteMagnitude, -1e308])
    #expect(extremes.count == 11)
    #expect(extremes.allSatisfy { $0.displayWidth <= 80 })
    let bars = BarChart(bars: [.init(label: "x", value: .infinity, text: "∞")])
    #expect(bars.lines(width: 80, style: .plain).count == 1)
  }

  @Test("The progress bar fits the terminal and never passes the end")
  func progressBar() {
    for (done, total) in [(0, 100), (50, 100), (100, 100), (200, 100), (5_000_000, 0)] {
      for width in [10, 40, 79, 200] {
        let line = ProgressBar.line(
          title: "Importing", done: done, total: total, seconds: 2, width: width)
        #expect(line.displayWidth <= width)
      }
    }
    let half = ProgressBar.line(
      title: "Importing", done: 1_200_000_000, total: 2_400_000_000, seconds: 1, width: 79)
    #expect(half.contains("50 %") && half.contains("1.2 GB/s") && half.contains("1 s left"))
  }
}
