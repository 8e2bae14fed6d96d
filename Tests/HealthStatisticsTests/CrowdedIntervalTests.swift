import HealthMerge
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

@Suite("Intervals with many samples, which kernels read by eights")
struct CrowdedIntervalTests {
  let sources = Source.named("A", "B")

  private func rows(_ generator: inout SplitMix64) -> [SampleColumns.Row] {
    SampleColumns.Row.random(
      count: 60, sources: sources, longest: Int.random(in: 0...5, using: &generator),
      using: &generator)
  }

  @Test(
    "sums and counts agree with exact fractions", arguments: [MergePolicy.healthKit, .unmerged])
  func cumulative(policy: MergePolicy) throws {
    let steps = try #require(Catalogue.type("HKQuantityTypeIdentifierStepCount"))
    var generator = SplitMix64(seed: 61)
    for edges in [[-1.0, 40], [0, 13, 30], [2, 3, 21, 40]] {
      let rows = rows(&generator)
      let table = try SampleColumns(type: steps, rows: rows)
        .merged(by: SourcePriority(order: sources), policy: policy)
        .statistics(over: Boundaries(edges: edges))
      let sums = try #require(table[raw: .sum])
      let reference = ReferenceMerge(rows: rows, order: sources)
      for index in 0..<table.count {
        let expected = reference.interval(
          from: edges[index], to: edges[index + 1], masks: policy == .healthKit)
        #expect(table.counts[index] == expected.count)
        #expect(
          expected.sum.isNear(sums[index], tolerance: sumTolerance, scale: expected.magnitude))
      }
    }
  }

  @Test("means and extremes agree with a search over all samples")
  func discrete() throws {
    let mass = try #require(Catalogue.type("HKQuantityTypeIdentifierBodyMass"))
    var generator = SplitMix64(seed: 62)
    for edges in [[-1.0, 40], [0, 13, 30], [2, 3, 21, 40], [5, 12]] {
      let rows = rows(&generator)
      let table = try SampleColumns(type: mass, rows: rows)
        .merged(by: SourcePriority(order: sources)).statistics(over: Boundaries(edges: edges))
      let reference = ReferenceMerge(rows: rows, order: sources)
      for index in 0..<table.count {
        let values = reference.rows(meeting: edges[index], edges[index + 1]).map(\.value)
        #expect(table.counts[index] == values.count)
        #expect(table[raw: .min]?[index] == values.min() ?? 0)
        #expect(table[raw: .max]?[index] == values.max() ?? 0)
        let mean = values.reduce(0, +) / Double(max(values.count, 1))
        #expect(abs(try #require(table[raw: .mean])[index] - mean) <= 2 * mean.ulp)
      }
    }
  }
}
