import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

@Suite("Percentiles, standard deviations and coverage")
struct DistributionTests {
  let sources = Source.named("A", "B", "C")
  let mass: SampleType

  init() throws {
    mass = try #require(Catalogue.type("HKQuantityTypeIdentifierBodyMass"))
  }

  private func table(
    _ rows: [SampleColumns.Row], edges: [Double]?, of statistics: [Statistic]
  ) throws -> StatisticsColumns {
    try SampleColumns(type: mass, rows: rows).merged(by: SourcePriority(order: sources))
      .table(over: edges.map { try Boundaries(edges: $0) }, of: statistics)
  }

  private func statistic(_ name: String) throws -> Statistic {
    try #require(Statistic(rawValue: name))
  }

  @Test("agree with exact fractions over all values that an interval meets")
  func random() throws {
    var generator = SplitMix64(seed: 41)
    let edges = [0.0, 6, 7, 20, 36]
    let asked = try ["median", "p0", "p12.5", "p90", "p100", "stddev", "coverage"].map(statistic)
    for _ in 0..<500 {
      let rows = SampleColumns.Row.random(
        count: Int.random(in: 0...12, using: &generator), sources: sources, using: &generator)
      let table = try table(rows, edges: edges, of: asked)
      let reference = ReferenceMerge(rows: rows, order: sources)
      for index in 0..<table.count {
        let values = reference.rows(meeting: edges[index], edges[index + 1]).map(\.value)
        guard !values.isEmpty else {
          #expect(!table.hasData[index])
          continue
        }
        let expected = ReferenceDistribution(values)
        let scale = values.map(abs).max() ?? 0
        for (name, numerator, denominator) in [
          ("p0", 0, 1), ("p12.5", 25, 2), ("median", 50, 1), ("p90", 90, 1), ("p100", 100, 1),
        ] {
          let percentile = try #require(try statistic(name).percentile)
          let value = try #require(table[raw: .percentile(percentile)])[index]
          let fraction = expected.percentile(numerator, over: denominator)
          #expect(fraction.isNear(value, tolerance: sumTolerance, scale: scale), "\(name)")
        }
        if values.count > 1 {
          let variance = expected.variance
          let deviation = (Double(variance.numerator) / Double(variance.denominator)).squareRoot()
          let actual = try #require(table[raw: .standardDeviation])[index]
          #expect(abs(actual - deviation) <= 4 * deviation.ulp)
        }
        let covered = reference.duration(from: Int(edges[index]), to: Int(edges[index + 1]))
        #expect(table[raw: .coverage]?[index] == covered / (edges[index + 1] - edges[index]))
      }
    }
  }

  @Test("a published sample has its published standard deviation")
  func published() throws {
    // NIST StRD, univariate set NumAcc3: 1000000.2, then 500 times 1000000.1 and 1000000.3.
    let values = [1_000_000.2] + (0..<1000).map { $0 % 2 == 0 ? 1_000_000.1 : 1_000_000.3 }
    let rows = values.enumerated().map { index, value in
      SampleColumns.Row(
        source: sources[0], start: Double(index), end: Double(index), value: value)
    }
    let table = try table(rows, edges: nil, of: [.standardDeviation, .median])
    // The decimals of the set are no doubles: 1e6 holds ten digits of the deviation of 0.1.
    #expect(abs(try #require(table[raw: .standardDeviation])[0] - 0.1) < 1e-9)
    #expect(table[raw: .median] == [1_000_000.2])
  }

  @Test("spreads of any size are found, and equal values have none")
  func sizes() throws {
    func deviation(_ values: [Double]) throws -> Double {
      let rows = values.enumerated().map { index, value in
        SampleColumns.Row(
          source: sources[index % 3], start: Double(index), end: Double(index), value: value)
      }
      return try #require(
        try table(rows, edges: [0, 100], of: [.standardDeviation])[raw: .standardDeviation])[0]
    }
    for exponent in [-1060, -600, 0, 600, 1018] {
      let unit = Double(sign: .plus, exponent: exponent, significand: 1)
      #expect(try deviation([1, 2, 3].map { $0 * unit }) == unit)
      #expect(try deviation([5, 5, 5].map { $0 * unit }) == 0)
    }
    let large = Double.greatestFiniteMagnitude
    // The deviation of -x, 0 and x is x.
    #expect(abs(try deviation([large, -large, 0]) / large - 1) <= 0x1p-50)
  }

  @Test("percentiles of values at both ends of the range stay between them")
  func largePercentiles() throws {
    let large = Double.greatestFiniteMagnitude
    let rows = [-large, large].map {
      SampleColumns.Row(source: sources[0], start: 1, end: 1, value: $0)
    }
    let table = try table(rows, edges: [0, 2], of: [.median, try statistic("p75")])
    #expect(table[raw: .median] == [0])
    let quartile = try #require(Percentile(75.0))
    let value = try #require(table[raw: .percentile(quartile)])[0]
    #expect(abs(value / (large / 2) - 1) <= sumTolerance)
  }

  @Test("one sample has itself as every percentile and no deviation")
  func alone() throws {
    let row = SampleColumns.Row(source: sources[0], start: 3, end: 3, value: 5)
    let table = try table(
      [row], edges: nil, of: [.median, try statistic("p1"), .standardDeviation, .coverage])
    #expect(table[raw: .median] == [5] && table[raw: .percentile(.median)] == [5])
    #expect(try table[statistic("p1")] == [5])
    #expect(table.counts == [1] && table[raw: .coverage] == [1])
  }

  @Test("names read back, wrong ones do not")
  func names() throws {
    let names = Statistic.named.map(\.rawValue) + ["p0", "p90", "p99.9", "p100", "p0.001"]
    for name in names { #expect(try statistic(name).rawValue == name) }
    #expect(try statistic("p090.0") == statistic("p90"))
    for name in ["", "p", "p-1", "p100.1", "p1e1", "p.5", "p5.", "pinf", "p9 0", "P90", "average"] {
      #expect(Statistic(rawValue: name) == nil, "\(name)")
    }
    #expect(Percentile(Double.nan) == nil && Percentile(-1.0) == nil && Percentile(101.0) == nil)
    #expect(Percentile(-0.0)?.description == Percentile(0.0)?.description)
  }

  @Test("cumulative types have coverage, but no percentile and no deviation")
  func cumulative() throws {
    let steps = try #require(Catalogue.type("HKQuantityTypeIdentifierStepCount"))
    let row = SampleColumns.Row(source: sources[0], start: 2, end: 4, value: 5)
    let segments = try SampleColumns(type: steps, rows: [row])
      .merged(by: SourcePriority(order: sources))
    let table = try segments.statistics(over: Boundaries(edges: [0, 3, 8, 9]), of: [.coverage])
    #expect(table[raw: .coverage] == [1 / 3.0, 0.2, 0] && table.hasData == [true, true, false])
    for statistic in [Statistic.median, try statistic("p90"), .standardDeviation] {
      #expect(throws: StatisticsError(type: steps, reason: .notAvailable(statistic, .cumulative))) {
        try segments.overallStatistics(of: [statistic])
      }
    }
  }

  @Test("every percentile reads back from its text, and so does its statistic")
  func percentileTexts() throws {
    var random = SplitMix64(seed: 73)
    var percents = [0, 100, 0.00001, 1e-300, .leastNonzeroMagnitude, 99.999999999999986]
    for _ in 0..<500 {
      percents.append(Double.random(in: 0...100, using: &random))
      percents.append(
        Double(sign: .plus, exponent: Int.random(in: -1074...6, using: &random), significand: 1))
    }
    for percent in percents {
      let percentile = try #require(Percentile(percent))
      #expect(Percentile(percentile.description) == percentile)
      let statistic = Statistic.percentile(percentile)
      #expect(Statistic(rawValue: statistic.rawValue) == statistic)
      let data = try JSONEncoder().encode([statistic])
      #expect(try JSONDecoder().decode([Statistic].self, from: data) == [statistic])
    }
  }
}
