import HealthMerge
import HealthSamples
import HealthStatistics
import Testing
import _HealthTestSupport

@Suite("Statistics of discrete types and of whole samples")
struct DiscreteStatisticsTests {
  let sources = Source.named("A", "B", "C")
  let mass: SampleType

  init() throws {
    mass = try #require(Catalogue.type("HKQuantityTypeIdentifierBodyMass"))
  }

  private func segments(_ rows: [SampleColumns.Row]) throws -> SegmentColumns {
    try SampleColumns(type: mass, rows: rows).merged(by: SourcePriority(order: sources))
  }

  @Test("mean, extremes, duration, first and recent agree with a search over all samples")
  func random() throws {
    var generator = SplitMix64(seed: 11)
    for _ in 0..<600 {
      let rows = SampleColumns.Row.random(
        count: Int.random(in: 0...12, using: &generator), sources: sources, using: &generator)
      let edges = [0.0, 6, 7, 20, 36]
      let segments = try segments(rows)
      let table = try segments.statistics(
        over: Boundaries(edges: edges), of: Statistic.named.filter { $0 != .sum })
      let exact = try segments.statistics(
        over: Boundaries(edges: edges), of: [.mean], rounding: .exact)
      let reference = ReferenceMerge(rows: rows, order: sources)
      for index in 0..<table.count {
        let met = reference.rows(meeting: edges[index], edges[index + 1])
        #expect(table.counts[index] == met.count)
        #expect(table.hasData[index] == !met.isEmpty)
        #expect(
          table[raw: .duration]?[index]
            == reference.duration(from: Int(edges[index]), to: Int(edges[index + 1])))
        guard !met.isEmpty else { continue }
        #expect(table[raw: .min]?[index] == met.map(\.value).min())
        #expect(table[raw: .max]?[index] == met.map(\.value).max())
        let sum = met.reduce(ReferenceFraction(0)) { $0 + ReferenceFraction(exactly: $1.value) }
        let mean = (sum / ReferenceFraction(Int128(met.count))).nearestDouble
        #expect(exact[raw: .mean]?[index] == mean)
        #expect(abs(try #require(table[raw: .mean])[index] - mean) <= mean.ulp)
        let recent = met.max { reference.isEarlierInRecency($0, than: $1) }
        #expect(table[raw: .recent]?[index] == recent?.value)
        #expect(table.spans(of: .recent)?.ends[index] == recent?.end)
        #expect(table.spans(of: .recent)?.starts[index] == recent?.start)
        let first = met.min { reference.isEarlierInOrder($0, than: $1) }
        #expect(table[raw: .first]?[index] == first?.value)
        #expect(table.spans(of: .first)?.starts[index] == first?.start)
      }
    }
  }

  @Test("the mean of equal values is that value", arguments: [0.1, 1e300, -3.7, -0x1.8p-1040])
  func constant(value: Double) throws {
    for count in 1...40 {
      let rows = (0..<count).map {
        SampleColumns.Row(
          source: sources[$0 % 3], start: Double($0), end: Double($0), value: value)
      }
      let table = try segments(rows).statistics(over: Boundaries(edges: [0, 50]))
      #expect(
        table[raw: .mean] == [value] && table[raw: .min] == [value] && table[raw: .max] == [value])
    }
  }

  @Test("a mean is finite where the sum is not")
  func largeMean() throws {
    let large = Double.greatestFiniteMagnitude
    let rows = (0..<3).map {
      SampleColumns.Row(source: sources[$0], start: 1, end: 1, value: large)
    }
    #expect(try segments(rows).statistics(over: Boundaries(edges: [0, 2]))[raw: .mean] == [large])
  }

  @Test("each source alone stands in rank order")
  func bySource() throws {
    let rows = [
      SampleColumns.Row(source: sources[1], start: 0, end: 0, value: 5),
      SampleColumns.Row(source: sources[0], start: 0, end: 0, value: 3),
    ]
    let segments = try segments(rows)
    let tables = try segments.statisticsBySource(over: Boundaries(edges: [0, 1, 2]))
    #expect(segments.sources == [sources[0], sources[1]])
    #expect(tables.map { $0[raw: .mean]?.first } == [3, 5])
    #expect(tables.map(\.hasData) == [[true, false], [true, false]])
  }
}

extension ReferenceMerge {
  fileprivate func isEarlierInRecency(
    _ left: SampleColumns.Row, than right: SampleColumns.Row
  ) -> Bool {
    // A higher rank is a smaller number, and wins.
    (left.end, left.start, -rank(of: left), left.value)
      < (right.end, right.start, -rank(of: right), right.value)
  }

  fileprivate func isEarlierInOrder(
    _ left: SampleColumns.Row, than right: SampleColumns.Row
  ) -> Bool {
    (left.start, left.end, rank(of: left), left.value)
      < (right.start, right.end, rank(of: right), right.value)
  }
}
