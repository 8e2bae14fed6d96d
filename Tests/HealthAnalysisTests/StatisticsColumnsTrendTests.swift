import HealthAnalysis
import HealthMerge
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

@Suite
struct StatisticsColumnsTrendTests {
  private let day = 86_400.0

  @Test("The trend of sums and counts is that of points at the middle of each interval")
  func sums() throws {
    let days = try table(values: [3, nil, 5, 9, 4, 6], type: SampleType(.stepCount))
    let points = (x: [0.5, 2.5, 3.5, 4.5, 5.5], y: [3.0, 5, 9, 4, 6])
    let plain = try LinearTrend(x: points.x, y: points.y)
    #expect(try days.linearTrend(of: .sum) == plain)
    let counts = try LinearTrend(x: points.x, y: [1, 1, 1, 1, 1])
    #expect(try days.linearTrend(of: .count) == counts)
  }

  @Test("Rows choose the intervals, and the origin is where x is 0")
  func rowsAndOrigin() throws {
    let days = try table(values: [3, nil, 5, 9, 4, 6], type: SampleType(.stepCount))
    let inner = try LinearTrend(x: [0.5, 1.5, 2.5], y: [5, 9, 4])
    #expect(try days.linearTrend(of: .sum, rows: 1..<5, origin: 2 * day) == inner)
    #expect(try days.linearTrend(of: .sum, rows: 2..<5, origin: 2 * day) == inner)
    let all = try days.linearTrend(of: .sum)
    #expect(try days.linearTrend(of: .sum, rows: -7..<99) == all)
  }

  @Test("Every statistic of a discrete type has its own line")
  func discrete() throws {
    let all: [Statistic] = [.mean, .min, .max, .recent, .first, .duration]
    let days = try table(values: [3, 8, 5], type: SampleType(.bodyMass), statistics: all)
    let plain = try LinearTrend(x: [0.5, 1.5, 2.5], y: [3, 8, 5])
    for statistic in all where statistic != .duration {
      #expect(try days.linearTrend(of: statistic) == plain)
    }
    #expect(try days.linearTrend(of: .duration)?.value(at: 1) == day / 4)
    #expect(try days.linearTrend(of: .sum) == nil)
  }

  @Test("Too few intervals with data are refused")
  func tooFew() throws {
    let days = try table(values: [3, nil, nil, 4], type: SampleType(.stepCount))
    #expect(throws: AnalysisError(.tooFewPoints(count: 2, needed: 3))) {
      try days.linearTrend(of: .sum)
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 3))) {
      try days.linearTrend(of: .sum, rows: 50..<60)
    }
  }

  /// One sample of a quarter of a day in each day that has a value.
  private func table(
    values: [Double?], type: SampleType, statistics: [Statistic]? = nil
  ) throws -> StatisticsColumns {
    let source = Source(name: "Watch")
    let rows = values.enumerated().compactMap { index, value in
      value.map {
        let start = Double(index) * day + 1000
        return SampleColumns.Row(source: source, start: start, end: start + day / 4, value: $0)
      }
    }
    let edges = (0...values.count).map { Double($0) * day }
    let boundaries = try Boundaries(edges: edges)
    return try SampleColumns(type: type, rows: rows)
      .merged(by: SourcePriority(order: [source]))
      .statistics(over: boundaries, of: statistics)
  }
}
