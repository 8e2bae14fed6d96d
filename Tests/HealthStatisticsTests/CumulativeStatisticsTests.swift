import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

/// Spec §4: a default sum is within 2^-50 of Σ|terms|.
let sumTolerance = 0x1p-50

@Suite("Sums over intervals")
struct CumulativeStatisticsTests {
  let sources = Source.named("A", "B", "C")
  let steps: SampleType

  init() throws {
    steps = try #require(Catalogue.type("HKQuantityTypeIdentifierStepCount"))
  }

  private func check(
    _ rows: [SampleColumns.Row], edges: [Double], policy: MergePolicy,
    lastModified: [Double] = [], order: [Source]? = nil
  ) throws {
    let dated = DatedSampleColumns(
      type: steps,
      rows: rows.indices.map {
        .init(sample: rows[$0], lastModified: lastModified.isEmpty ? 0 : lastModified[$0])
      })
    let samples = dated.samples
    let order = order ?? sources
    let boundaries = try Boundaries(edges: edges)
    let segments = try samples.merged(
      by: SourcePriority(order: order), policy: policy, lastModified: dated.lastModified)
    func table(exactly: Bool) throws -> StatisticsColumns {
      let rounding: Rounding = exactly ? .exact : .compensated
      return policy == .highest
        ? try segments.highestStatistics(over: boundaries, rounding: rounding).table
        : try segments.statistics(over: boundaries, rounding: rounding)
    }
    let plain = try table(exactly: false)
    let sums = try #require(plain[raw: .sum])
    let exactSums: [Double]?
    if policy == .subtractive {
      exactSums = nil
      #expect(throws: StatisticsError(type: steps, reason: .notSharedByTime)) {
        try table(exactly: true)
      }
    } else {
      exactSums = try table(exactly: true)[raw: .sum]
    }
    let reference = ReferenceMerge(rows: rows, order: order)
    let referencePolicy = try #require(ReferenceMerge.Policy(rawValue: policy.rawValue))
    // What is taken away is a term as well.
    let raw = rows.reduce(0) { $0 + abs($1.value) }
    for index in 0..<plain.count {
      let expected = reference.interval(
        from: edges[index], to: edges[index + 1], policy: referencePolicy,
        lastModified: lastModified)
      #expect(plain.counts[index] == expected.count)
      #expect(plain.hasData[index] == expected.hasData)
      #expect(
        expected.sum.isNear(
          sums[index], tolerance: sumTolerance,
          scale: policy == .subtractive ? raw : expected.magnitude))
      if let exactSums { #expect(exactSums[index] == expected.sum.nearestDouble) }
    }
  }

  @Test(
    "every arrangement of three samples of two sources on a line of four instants",
    arguments: MergePolicy.allCases)
  func allSmall(policy: MergePolicy) throws {
    let spans = (0..<4).flatMap { start in (start..<4).map { (Double(start), Double($0)) } }
    for first in spans {
      for second in spans {
        for third in spans {
          let rows = [
            SampleColumns.Row(source: sources[0], start: first.0, end: first.1, value: 7),
            SampleColumns.Row(source: sources[1], start: second.0, end: second.1, value: 10),
            SampleColumns.Row(source: sources[1], start: third.0, end: third.1, value: 1),
          ]
          try check(rows, edges: [0, 1, 3, 4], policy: policy)
        }
      }
    }
  }

  @Test("random samples of three sources", arguments: MergePolicy.allCases)
  func random(policy: MergePolicy) throws {
    var generator = SplitMix64(seed: 4)
    for _ in 0..<400 {
      let rows = SampleColumns.Row.random(
        count: Int.random(in: 0...12, using: &generator), sources: sources, using: &generator)
      let edges = Set((0..<6).map { _ in Double(Int.random(in: -2...40, using: &generator)) })
      let dates = rows.map { _ in Double(Int.random(in: 0...2, using: &generator)) }
      try check(
        rows, edges: edges.count > 1 ? edges.sorted() : [0, 30], policy: policy,
        lastModified: dates)
      if policy == .healthConnect {
        try check(rows, edges: [0, 30], policy: policy, order: [sources[1]])
      }
    }
  }

  @Test("an interval without a sample is empty, one in which all is masked is zero")
  func emptyIsNotZero() throws {
    let rows = [
      SampleColumns.Row(source: sources[0], start: 0, end: 10, value: 5),
      SampleColumns.Row(source: sources[1], start: 10, end: 10, value: 5),
    ]
    let table = try SampleColumns(type: steps, rows: rows)
      .merged(by: SourcePriority(order: sources))
      .statistics(over: Boundaries(edges: [0, 10, 20, 30]))
    #expect(table.hasData == [true, true, false])
    #expect(table[raw: .sum] == [5, 0, 0])
    #expect(table.counts == [1, 0, 0])
  }

  @Test("without edges samples count whole, from the earliest start to the latest end")
  func single() throws {
    let rows = [
      SampleColumns.Row(source: sources[0], start: 5, end: 20, value: 5),
      SampleColumns.Row(source: sources[1], start: 20, end: 30, value: 7),
    ]
    let segments = try SampleColumns(type: steps, rows: rows)
      .merged(by: SourcePriority(order: sources))
    let table = try segments.overallStatistics()
    #expect(table.starts == [5] && table.ends == [30] && table[raw: .sum] == [12])
    let none = try SampleColumns(type: steps).merged(by: SourcePriority(order: []))
    #expect(try none.overallStatistics().count == 0)
    #expect(try none.statistics(over: Boundaries(edges: [0, 1])).hasData == [false])
    #expect(try segments.statistics(over: Boundaries(edges: [])).count == 0)
  }

  @Test("a sum beyond all doubles is infinite, one that only passes there is found")
  func overflow() throws {
    let large = Double.greatestFiniteMagnitude
    func sums(_ values: [Double]) throws -> (plain: Double, exact: Double) {
      let rows = values.enumerated().map { index, value in
        SampleColumns.Row(
          source: sources[index % 2], start: Double(index), end: Double(index), value: value)
      }
      let samples = SampleColumns(type: steps, rows: rows)
      let segments = try samples.merged(by: SourcePriority(order: sources))
      let boundaries = try Boundaries(edges: [0, 10])
      return (
        try #require(segments.statistics(over: boundaries)[raw: .sum]).reduce(0, +),
        try #require(segments.statistics(over: boundaries, rounding: .exact)[raw: .sum]).reduce(
          0, +)
      )
    }
    #expect(try sums([large, large]) == (.infinity, .infinity))
    #expect(try sums([-large, -large, -large]) == (-.infinity, -.infinity))
    #expect(try sums([large, -large, large, -large, 1]).exact == 1)
    let passing = try sums([large, -large, large, -large, large])
    #expect(passing.exact == large)
    #expect(abs(passing.plain - large) <= 5 * sumTolerance * large)
  }

  @Test("samples of one source are their own merge, those of several are refused")
  func unmerged() throws {
    var generator = SplitMix64(seed: 12)
    let boundaries = try Boundaries(edges: [0, 6, 7, 20, 36])
    for count in 0..<40 {
      let rows = SampleColumns.Row.random(
        count: count % 9, sources: [sources[0]], using: &generator)
      let samples = SampleColumns(type: steps, rows: rows)
      let merged = try samples.merged(by: SourcePriority(order: sources))
      for rounding in Rounding.allCases {
        #expect(
          try samples.statistics(over: boundaries, rounding: rounding)
            == merged.statistics(over: boundaries, rounding: rounding))
        #expect(
          try samples.overallStatistics(rounding: rounding)
            == merged.overallStatistics(rounding: rounding))
      }
    }
    let rows = sources[..<2].map { SampleColumns.Row(source: $0, start: 0, end: 1, value: 1) }
    let both = SampleColumns(type: steps, rows: rows)
    #expect(throws: StatisticsError(type: steps, reason: .needsMerging(sources: 2))) {
      try both.statistics(over: boundaries)
    }
    #expect(throws: StatisticsError(type: steps, reason: .needsMerging(sources: 2))) {
      try both.overallStatistics()
    }
    // The raw sum is there for those who say so.
    #expect(try SegmentColumns(whole: both).overallStatistics()[raw: .sum] == [2])
    let raw = try both.merged(by: SourcePriority(order: both.sources), policy: .unmerged)
    #expect(SegmentColumns(whole: both) == raw)
  }

  @Test("a statistic is read by its name, and every style has the defaults it names")
  func names() {
    for statistic in Statistic.named {
      #expect(Statistic(rawValue: statistic.rawValue) == statistic)
    }
    #expect(Set(Statistic.named.map(\.rawValue)).count == Statistic.named.count)
    for style in AggregationStyle.allCases {
      #expect(Statistic.defaults(for: style).allSatisfy { $0.isAvailable(for: style) })
      for statistic in Statistic.named where statistic.isExactlyAvailable(for: style) {
        #expect(statistic.isAvailable(for: style))
      }
    }
  }

  @Test("exact rounding throws for a statistic that cannot have it, given or by default")
  func notExact() throws {
    let rates = SegmentColumns(whole: SampleColumns(type: SampleType(.heartRate)))
    for statistic in [Statistic.median, .standardDeviation, .duration, .coverage] {
      #expect(
        throws: StatisticsError(
          type: rates.type, reason: .notExact(statistic, .discreteTemporallyWeighted))
      ) { try rates.overallStatistics(of: [.mean, statistic], rounding: .exact) }
    }
    let levels = SegmentColumns(
      whole: SampleColumns(type: SampleType(.environmentalAudioExposure)))
    #expect(
      throws: StatisticsError(
        type: levels.type, reason: .notExact(.mean, .discreteEquivalentContinuousLevel))
    ) { try levels.overallStatisticsBySource(rounding: .exact) }
    #expect(try levels.overallStatistics(of: [.max], rounding: .exact).count == 0)
  }

  @Test("statistics of another style are refused")
  func refused() throws {
    let segments = try SampleColumns(type: steps).merged(by: SourcePriority(order: []))
    for statistic in [Statistic.mean, .min, .max, .first] {
      #expect(
        throws: StatisticsError(type: steps, reason: .notAvailable(statistic, .cumulative))
      ) { try segments.statistics(over: Boundaries(edges: [0, 1]), of: [statistic]) }
    }
  }

  @Test("a row whose sum is out of range is encoded with null, which decodes as no value")
  func infiniteSum() throws {
    let type = try #require(Catalogue.type("HKQuantityTypeIdentifierStepCount"))
    let source = Source(name: "A")
    let rows = (0..<2).map { place in
      SampleColumns.Row(
        source: source, start: Double(place), end: Double(place), value: .greatestFiniteMagnitude)
    }
    let row = try #require(
      try SampleColumns(type: type, rows: rows).overallStatistics(of: [.sum, .count]).rows.first)
    #expect(row[.sum] == .infinity)
    let data = try JSONEncoder().encode(row)
    let text = String(decoding: data, as: UTF8.self)
    #expect(text.contains("\"sum\":null"))
    let decoded = try JSONDecoder().decode(StatisticsRow.self, from: data)
    #expect(decoded[.sum] == nil && decoded.count == 2 && decoded.end == row.end)
  }
}
