import HealthMerge
import HealthSamples
import Testing
import _HealthNumerics
import _HealthTestSupport

@testable import HealthStatistics

@Suite("Much work has a bound")
struct BoundedWorkTests {
  private let steps: SampleType
  private let source = Source(name: "A")

  init() throws {
    steps = try #require(Catalogue.type("HKQuantityTypeIdentifierStepCount"))
  }

  private func segments(starts: [Double], ends: [Double], values: [Double]) throws
    -> SegmentColumns
  {
    let samples = try SampleColumns(
      type: steps, source: source, starts: starts, ends: ends, values: values)
    return try samples.merged(by: SourcePriority(order: samples.sources))
  }

  @Test("one sample of 200 years is shared out over 1.75 million hours, which add up to it")
  func longSample() throws {
    let hours = 200 * 8766
    let end = Double(hours) * 3600
    let segments = try segments(starts: [1800], ends: [end - 1800], values: [1e6])
    let boundaries = try Boundaries(edges: (0...hours).map { Double($0) * 3600 })
    let table = try segments.statistics(over: boundaries)
    let sums = try #require(table[raw: .sum])
    var total = CompensatedSum()
    for sum in sums { total.add(sum) }
    #expect(abs(total.result - 1e6) <= 1e6 * sumTolerance)
    #expect(sums[0] == sums[hours - 1] && abs(sums[1] - 2 * sums[0]) <= sums[1].ulp)
    #expect(!table.counts.contains { $0 != 1 })
  }

  @Test("two hundred thousand samples at one instant are all in the interval that starts at it")
  func oneInstant() throws {
    let count = 200_000
    let instants = Array(repeating: 3600.0, count: count)
    let values = Array(repeating: 0.5, count: count)
    let segments = try segments(starts: instants, ends: instants, values: values)
    let table = try segments.statistics(over: Boundaries(edges: [0, 3600, 7200]))
    #expect(table.counts == [0, count])
    #expect(table[raw: .sum] == [0, Double(count) / 2])
    #expect(table.hasData == [false, true])
    let whole = try segments.overallStatistics()
    #expect(whole[raw: .sum] == [Double(count) / 2])
  }

  @Test("long samples over more intervals than make sense are an error, whatever the threads")
  func tooManyParts() throws {
    let count = 40
    let segments = try segments(
      starts: (0..<count).map(Double.init), ends: Array(repeating: 1000, count: count),
      values: Array(repeating: 1, count: count))
    let edges = IntervalEdges(try Boundaries(edges: (0...1000).map(Double.init)))
    for kernel in [SumKernel(threads: 1), SumKernel(threads: 2, rowsPerThread: 5)] {
      func table(limit: Int) -> SumTable? {
        var table = SumTable(
          edges: edges, scale: 1, limit: limit, wantsExtremes: false, kernel: kernel)
        return table.add(segments, rows: 0..<count, splits: true) ? table : nil
      }
      #expect(table(limit: count * 1000) != nil)
      #expect(table(limit: 1000) == nil)
    }
  }
}
