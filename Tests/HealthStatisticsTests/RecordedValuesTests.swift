import HealthMerge
import HealthSamples
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthStatistics

/// Exact sums and means over numbers that were recorded in several units, beside fractions.
@Suite("Exact statistics over recorded numbers")
struct RecordedValuesTests {
  private let source = Source(name: "A")

  /// A unit in which numbers are recorded, with the published ratio to the unit of the answer.
  private struct Unit {
    let text: String
    let factor: ReferenceFraction
    var offset = ReferenceFraction(0)
  }

  private let lengths = [
    Unit(text: "km", factor: ReferenceFraction(1)),
    Unit(text: "mi", factor: ReferenceFraction(1_609_344, over: 1_000_000)),
    Unit(text: "ft", factor: ReferenceFraction(3048, over: 10_000_000)),
    Unit(text: "m", factor: ReferenceFraction(1, over: 1000)),
  ]
  private let temperatures = [
    Unit(text: "degC", factor: ReferenceFraction(1)),
    Unit(
      text: "degF", factor: ReferenceFraction(5, over: 9),
      offset: ReferenceFraction(-160, over: 9)),
    Unit(
      text: "K", factor: ReferenceFraction(1), offset: ReferenceFraction(-27_315, over: 100)),
  ]
  private let rates = [
    Unit(text: "count/min", factor: ReferenceFraction(1)),
    Unit(text: "count/s", factor: ReferenceFraction(60)),
    Unit(text: "count/hr", factor: ReferenceFraction(1, over: 60)),
  ]

  private struct Row {
    let start: Double
    let end: Double
    let number: Double
    let unit: Unit

    var value: ReferenceFraction {
      ReferenceFraction(exactly: number) * unit.factor + unit.offset
    }
  }

  private func rows(
    _ units: [Unit], longest: Int, using generator: inout SplitMix64
  ) throws -> [Row] {
    let count = Int.random(in: 1...9, using: &generator)
    let rows = try (0..<count).map { _ in
      let start = Double(Int.random(in: 0...30, using: &generator))
      return Row(
        start: start, end: start + Double(Int.random(in: 0...longest, using: &generator)),
        number: Double(Int.random(in: -40...900, using: &generator)) / 8,
        unit: try #require(units.randomElement(using: &generator)))
    }
    return rows
  }

  /// The samples in the unit of the answer, each number converted once, with what was recorded.
  private func samples(_ rows: [Row], in unit: String, style: AggregationStyle) throws
    -> (samples: SampleColumns, rows: [Row])
  {
    let target = try UnitExpression(unit)
    let conversions = try rows.map { row in
      try UnitConversion(from: UnitExpression(row.unit.text), to: target)
    }
    let order = rows.indices.sorted { left, right in
      (rows[left].start, rows[left].end, conversions[left](rows[left].number))
        < (rows[right].start, rows[right].end, conversions[right](rows[right].number))
    }
    var recorded = RecordedValues()
    for row in order {
      let constants = try #require(RecordedValues.Conversion(conversions[row]))
      recorded.append(rows[row].number, unit: recorded.place(of: constants))
    }
    let samples = SampleColumns(
      type: SampleType(
        identifier: "HKQuantityTypeIdentifierTest",
        kind: .quantity(canonicalUnit: target, style: style)),
      sources: [source], offsets: [0, rows.count], starts: order.map { rows[$0].start },
      ends: order.map { rows[$0].end },
      values: order.map { conversions[$0](rows[$0].number) }, recorded: recorded)
    return (samples, order.map { rows[$0] })
  }

  private func columns(
    _ samples: SampleColumns, edges: [Double], hold: Double = 3
  ) throws -> StatisticsColumns {
    let boundaries = try Boundaries(edges: edges)
    return try samples.merged(by: SourcePriority(order: [source]), policy: .unmerged)
      .statistics(over: boundaries, rounding: .exact, hold: hold)
  }

  private func meets(_ row: Row, _ start: Double, _ end: Double) -> Bool {
    row.start == row.end
      ? start <= row.start && row.start < end : start < row.end && row.start < end
  }

  @Test("sums are those of fractions, shares by time included")
  func sums() throws {
    var generator = SplitMix64(seed: 91)
    for _ in 0..<400 {
      let found = try samples(
        rows(lengths, longest: 12, using: &generator), in: "km", style: .cumulative)
      let edges = [-1.0, 7, 19, 60]
      let sums = try #require(try columns(found.samples, edges: edges)[raw: .sum])
      for (index, sum) in sums.enumerated() {
        let (lower, upper) = (edges[index], edges[index + 1])
        let inside = found.rows.filter { meets($0, lower, upper) }
        let expected = inside.reduce(ReferenceFraction(0)) { total, row in
          guard row.start < row.end else { return total + row.value }
          let part = min(row.end, upper) - max(row.start, lower)
          return total + row.value
            * ReferenceFraction(Int128(part), over: Int128(row.end - row.start))
        }
        #expect(sum == expected.nearestDouble)
      }
    }
  }

  @Test("means are those of fractions, of temperatures too")
  func means() throws {
    var generator = SplitMix64(seed: 92)
    for round in 0..<400 {
      let found =
        try round.isMultiple(of: 2)
        ? samples(
          rows(lengths, longest: 9, using: &generator), in: "km", style: .discreteArithmetic)
        : samples(
          rows(temperatures, longest: 9, using: &generator), in: "degC",
          style: .discreteArithmetic)
      let edges = [-1.0, 7, 19, 60]
      let table = try columns(found.samples, edges: edges)
      for (index, mean) in try #require(table[raw: .mean]).enumerated() where table.hasData[index] {
        let inside = found.rows.filter { meets($0, edges[index], edges[index + 1]) }
        let total = inside.reduce(ReferenceFraction(0)) { $0 + $1.value }
        #expect(mean == (total / ReferenceFraction(Int128(inside.count))).nearestDouble)
      }
    }
  }

  @Test("means over time are those of fractions", arguments: [0.0, 3, 40])
  func weighted(hold: Double) throws {
    var generator = SplitMix64(seed: 93)
    for round in 0..<200 {
      let isTemperature = round.isMultiple(of: 2)
      let found = try samples(
        rows(isTemperature ? temperatures : rates, longest: round % 3 * 4, using: &generator),
        in: isTemperature ? "degC" : "count/min", style: .discreteTemporallyWeighted)
      let edges = [-1.0, 7, 19, 60]
      let table = try columns(found.samples, edges: edges, hold: hold)
      for (index, mean) in try #require(table[raw: .mean]).enumerated() where table.hasData[index] {
        let inside = found.rows.filter { meets($0, edges[index], edges[index + 1]) }
        // A curve is linear in its values: that of factors times that of numbers, unit by unit.
        var area = ReferenceFraction(0)
        var length = ReferenceFraction(0)
        for (place, row) in inside.enumerated() {
          let alone = inside.enumerated().map { other, row in
            SampleColumns.Row(
              source: source, start: row.start, end: row.end, value: other == place ? 1 : 0)
          }
          let share = ReferenceCurve(rows: alone, hold: hold)
            .integral(from: edges[index], to: edges[index + 1])
          area = area + share.area * row.value
          length = share.length
        }
        let expected =
          length == ReferenceFraction(0)
          ? inside.reduce(ReferenceFraction(0)) { $0 + $1.value }
            / ReferenceFraction(Int128(inside.count)) : area / length
        #expect(mean == expected.nearestDouble)
      }
    }
  }

  @Test("long samples over short intervals are added in bounded room, or refused with a reason")
  func bounded() throws {
    let count = 300
    let type = try #require(Catalogue.type("HKQuantityTypeIdentifierStepCount"))
    let samples = SampleColumns(
      type: type,
      rows: (0..<count).map(Double.init).map {
        SampleColumns.Row(source: source, start: $0, end: 4000 - $0, value: $0 + 1)
      })
    let segments = try samples.merged(by: SourcePriority(order: [source]), policy: .unmerged)
    let boundaries = try Boundaries(edges: (0...400).map { Double(10 * $0) })
    func sums(limit: Int) throws -> [Double]? {
      var builder = StatisticsBuilder(
        segments: segments, aggregates: AggregateColumns(), sources: 0..<1,
        edges: IntervalEdges(boundaries), hold: 0, partLimit: 1 << 30,
        kernel: SumKernel(threads: 1))
      builder.exactPartLimit = limit
      return try builder.table(
        starts: Array(boundaries.edges.dropLast()), ends: Array(boundaries.edges.dropFirst()),
        wanted: [.sum], rounding: .exact
      )[raw: .sum]
    }
    let exact = try #require(try sums(limit: 1 << 20))
    let plain = try #require(try segments.statistics(over: boundaries, of: [.sum])[raw: .sum])
    #expect(zip(exact, plain).allSatisfy { abs($0 - $1) <= sumTolerance * $0 })
    // Each sample but the shortest meets about as many intervals as it is long in tens.
    #expect(throws: StatisticsError(type: type, reason: .tooManyExactParts(limit: 50_000))) {
      try sums(limit: 50_000)
    }
  }
}
