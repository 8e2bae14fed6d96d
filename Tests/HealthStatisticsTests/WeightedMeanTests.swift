import HealthMerge
import HealthSamples
import HealthUnits
import Testing
import _HealthNumerics
import _HealthTestSupport

@testable import HealthStatistics

@Suite("The mean of a curve over time")
struct WeightedMeanTests {
  let sources = Source.named("A", "B", "C")
  let rate: SampleType

  init() throws {
    rate = try #require(Catalogue.type("HKQuantityTypeIdentifierHeartRate"))
  }

  private func table(
    _ rows: [SampleColumns.Row], edges: [Double]?, hold: Double, order: [Source]? = nil,
    exactly: Bool = false
  ) throws -> StatisticsColumns {
    let samples = SampleColumns(type: rate, rows: rows)
    return try samples.merged(by: SourcePriority(order: order ?? sources))
      .table(
        over: edges.map { try Boundaries(edges: $0) },
        of: [.mean, .coverage, .count] + (exactly ? [] : percentiles),
        rounding: exactly ? .exact : .compensated, hold: hold)
  }

  private let percentiles: [Statistic] = ["0", "25", "50", "62.5", "100"].compactMap {
    Percentile($0).map(Statistic.timePercentile)
  }

  /// A percentile by time is the least height that the curve does not exceed for its share of the
  /// time: a little above it there is enough time, a little below too little.
  private func checkPercentiles(
    _ table: StatisticsColumns, row: Int, by reference: ReferenceCurve,
    length: ReferenceFraction, scale: Double
  ) throws {
    let step = max(scale, 1) * 0x1p-40
    var last = -Double.infinity
    for statistic in percentiles {
      let percentile = try #require(statistic.timePercentile)
      let found = try #require(table[raw: statistic]?[row])
      #expect(found >= last && found.magnitude <= scale)
      last = found
      func seconds(_ height: Double) -> Double {
        reference.seconds(from: table.starts[row], to: table.ends[row], upTo: height)
      }
      let whole = length.nearestDouble
      let wanted = whole * percentile.percent / 100
      let isEnough = seconds(found + step) >= wanted - whole * 0x1p-30
      let isLeast = seconds(found - step) <= wanted + whole * 0x1p-30
      #expect(isEnough && isLeast, "\(statistic.rawValue) \(reference)")
    }
  }

  private func check(_ rows: [SampleColumns.Row], edges: [Double], hold: Double) throws {
    let table = try table(rows, edges: edges, hold: hold)
    let means = try #require(table[raw: .mean])
    let exact = try self.table(rows, edges: edges, hold: hold, exactly: true)
    let exactMeans = try #require(exact[raw: .mean])
    let coverages = try #require(table[raw: .coverage])
    let reference = ReferenceCurve(rows: rows, hold: hold)
    let met = ReferenceMerge(rows: rows, order: sources)
    let scale = rows.map { abs($0.value) }.max() ?? 0
    for index in 0..<table.count {
      let inside = met.rows(meeting: edges[index], edges[index + 1])
      #expect(table.hasData[index] == !inside.isEmpty)
      guard !inside.isEmpty else { continue }
      let (area, length) = reference.integral(from: edges[index], to: edges[index + 1])
      let whole = ReferenceFraction(exactly: edges[index + 1] - edges[index])
      #expect((length / whole).isNear(coverages[index], tolerance: sumTolerance, scale: 1))
      let expected =
        length == ReferenceFraction(0)
        ? inside.reduce(ReferenceFraction(0)) { $0 + ReferenceFraction(exactly: $1.value) }
          / ReferenceFraction(Int128(inside.count))
        : area / length
      #expect(expected.isNear(means[index], tolerance: sumTolerance, scale: scale))
      #expect(exactMeans[index] == expected.nearestDouble)
      if length == ReferenceFraction(0) {
        for statistic in percentiles {
          let plain = try #require(statistic.timePercentile).value(in: inside.map(\.value).sorted())
          #expect(table[raw: statistic]?[index] == plain)
        }
      } else {
        try checkPercentiles(table, row: index, by: reference, length: length, scale: scale)
      }
      let values = inside.map(\.value)
      let bounds = try #require(values.min())...(try #require(values.max()))
      #expect(bounds.contains(means[index]) && bounds.contains(exactMeans[index]))
      let alone = try self.table(
        inside, edges: [edges[index], edges[index + 1]], hold: hold)
      #expect(alone[raw: .mean] == [means[index]] && alone[raw: .coverage] == [coverages[index]])
    }
  }

  @Test("percentiles by time stand heights that hardly differ, and the greatest ones")
  func hardlyDifferent() throws {
    // 51 a minute in count/s, and the mean of 50 and 52: they differ by one unit in the last place.
    let (exact, mean) = (51.0 / 60, (50.0 / 60 + 52.0 / 60) / 2)
    try #require(exact != mean)
    func rows(_ first: Double) -> [SampleColumns.Row] {
      [(0, first, 0), (600, 50.0 / 60, 0), (600, 52.0 / 60, 1), (3_600, 40.0 / 60, 0)].map {
        SampleColumns.Row(source: sources[$0.2], start: $0.0, end: $0.0, value: $0.1)
      }
        + (1...40).map { minute in
          let height = 40.0 + 3 * Double(20 - abs(20 - minute))
          return SampleColumns.Row(
            source: sources[0], start: 3_600 + Double(minute) * 60,
            end: 3_600 + Double(minute) * 60, value: height / 60)
        }
    }
    let (close, apart) = try (
      table(rows(exact), edges: [0, 7_200], hold: 600),
      table(rows(51.0001 / 60), edges: [0, 7_200], hold: 600)
    )
    for statistic in percentiles {
      let (found, near) = try (
        #require(close[raw: statistic]?.first), #require(apart[raw: statistic]?.first)
      )
      #expect(abs(found - near) < 1e-5, "\(statistic.rawValue)")
    }
    let greatest = [-1.7e308, 1.7e308].enumerated().map { place, value in
      SampleColumns.Row(
        source: sources[0], start: Double(place) * 60, end: Double(place) * 60, value: value)
    }
    let wide = try table(greatest, edges: [0, 61], hold: 600)
    #expect(percentiles.compactMap { wide[raw: $0]?.first }.first == -1.7e308)
    #expect(percentiles.compactMap { wide[raw: $0]?.first }.last == 1.7e308)
    #expect(abs(try #require(wide[raw: .timeMedian]?.first)) < 1e307)
  }

  @Test("every arrangement of three samples of two sources on a line of seven instants")
  func allSmall() throws {
    let spans = (0..<7).flatMap { start in (start..<7).map { (Double(start), Double($0)) } }
    for (index, first) in spans.enumerated() {
      for (place, second) in spans.enumerated() {
        // A seventh of them, so that each pair meets every third span in the end.
        for third in stride(from: (index + place) % 7, to: spans.count, by: 7).map({ spans[$0] }) {
          let rows = [
            SampleColumns.Row(source: sources[0], start: first.0, end: first.1, value: 7),
            SampleColumns.Row(source: sources[1], start: second.0, end: second.1, value: 10),
            SampleColumns.Row(source: sources[1], start: third.0, end: third.1, value: 1),
          ]
          try check(rows, edges: [-1, 1, 2, 5, 8], hold: 1)
        }
      }
    }
  }

  @Test("random samples of three sources", arguments: [0.0, 1, 3, 8])
  func random(hold: Double) throws {
    var generator = SplitMix64(seed: 21)
    for _ in 0..<400 {
      let rows = SampleColumns.Row.random(
        count: Int.random(in: 0...9, using: &generator), sources: sources,
        times: 0..<Int.random(in: 4...40, using: &generator),
        longest: Int.random(in: 0...6, using: &generator), using: &generator)
      let edges = Set((0..<6).map { _ in Double(Int.random(in: -6...46, using: &generator)) })
      try check(rows, edges: edges.count > 1 ? edges.sorted() : [0, 30], hold: hold)
    }
  }

  /// Samples of which few meet: most are instants, some last, and now and then two share an instant.
  private func sparse(_ count: Int, using generator: inout SplitMix64) -> [SampleColumns.Row] {
    var instant = 0.0
    return (0..<count).map { index in
      let start = instant
      let kind = Int.random(in: 0..<20, using: &generator)
      let length = kind < 5 ? Double(Int.random(in: 1...9, using: &generator)) : 0
      instant += kind == 0 ? length / 2 : length
      if kind > 2 { instant += Double(Int.random(in: 1...(kind < 8 ? 40 : 6), using: &generator)) }
      return SampleColumns.Row(
        source: sources[kind < 17 ? 0 : kind % 3], start: start.rounded(),
        end: start.rounded() + length,
        value: Double(Int.random(in: -80...80, using: &generator)) / 8)
    }
  }

  @Test("long runs of samples that meet no other, with a few that do")
  func runs() throws {
    var generator = SplitMix64(seed: 27)
    for round in 0..<120 {
      let rows = sparse(round, using: &generator)
      let last = rows.map(\.end).max() ?? 0
      let cuts = (0..<round % 4).map { _ in
        Double.random(in: 0...last, using: &generator).rounded()
      }
      try check(rows, edges: Set([-3, last + 9] + cuts).sorted(), hold: [0, 2, 5][round % 3])
    }
  }

  @Test("every instruction set gives the same bits, and so does one interval without the others")
  func paths() throws {
    var generator = SplitMix64(seed: 28)
    for round in 1..<150 {
      // Times and values with all their bits.
      let rows = sparse(2 * round, using: &generator).map { row in
        SampleColumns.Row(
          source: row.source, start: 7e8 + row.start * 0.7, end: 7e8 + row.end * 0.7,
          value: row.value * Double.random(in: 0.5...1, using: &generator))
      }
      let last = rows.map(\.end).max() ?? 7e8
      let cuts = (0..<round % 5).map { _ in Double.random(in: 7e8...last, using: &generator) }
      let edges = Set([7e8 - 3, last + 9] + cuts).sorted()
      let segments = try SampleColumns(type: rate, rows: rows)
        .merged(by: SourcePriority(order: sources))
      let boundaries = try Boundaries(edges: edges)
      let expected = try segments.statistics(
        over: boundaries, of: [.mean, .coverage, .count], hold: 3)
      for instructions in InstructionSet.allCases where instructions.isAvailable {
        let builder = StatisticsBuilder(
          segments: segments, aggregates: AggregateColumns(), sources: segments.sources.indices,
          edges: IntervalEdges(boundaries), hold: 3, partLimit: 1 << 20,
          kernel: SumKernel(instructions: instructions, threads: 1))
        #expect(
          try builder.table(
            starts: expected.starts, ends: expected.ends, wanted: [.mean, .coverage],
            rounding: .compensated) == expected)
      }
      for (index, edge) in edges.dropLast().enumerated() where expected.hasData[index] {
        let own = rows.filter { row in
          row.start == row.end
            ? edge <= row.start && row.start < edges[index + 1]
            : edge < row.end && row.start < edges[index + 1]
        }
        let alone = try table(own, edges: [edge, edges[index + 1]], hold: 3)
        #expect(alone[raw: .mean] == expected[raw: .mean].map { [$0[index]] })
        #expect(alone[raw: .coverage] == expected[raw: .coverage].map { [$0[index]] })
      }
    }
  }

  @Test("neither the order of input nor the rank of sources changes a bit")
  func order() throws {
    var generator = SplitMix64(seed: 22)
    for _ in 0..<200 {
      let rows = SampleColumns.Row.random(
        count: 12, sources: sources, longest: 5, using: &generator
      ).map { row in
        var row = row
        row.value = Double.random(in: -1...1, using: &generator)
        return row
      }
      let expected = try table(rows, edges: [0, 7, 30], hold: 2)
      let shuffled = try table(
        rows.shuffled(using: &generator), edges: [0, 7, 30], hold: 2, order: sources.reversed())
      #expect(
        shuffled[raw: .mean] == expected[raw: .mean]
          && shuffled[raw: .coverage] == expected[raw: .coverage])
    }
  }

  @Test("an exact mean depends neither on the order of input nor on fractions of a second")
  func exact() throws {
    var generator = SplitMix64(seed: 26)
    for _ in 0..<60 {
      // Times and values with all their bits, and one moment at which much is open.
      let rows = (0..<12).map { index in
        let start = 7e8 + Double.random(in: 0...9000, using: &generator)
        return SampleColumns.Row(
          source: sources[index % 3], start: index % 4 == 0 ? 7e8 + 5000.1 : start,
          end: max(start, 7e8 + 5000.1) + Double(index % 3) * 500.7,
          value: Double.random(in: -1...200, using: &generator))
      }
      let edges = [0, 777.7, 5000.1, 9000].map { $0 + 7e8 }
      let plain = try table(rows, edges: edges, hold: 600.5)
      let exact = try table(rows, edges: edges, hold: 600.5, exactly: true)
      let shuffled = try table(
        rows.shuffled(using: &generator), edges: edges, hold: 600.5, order: sources.reversed(),
        exactly: true)
      #expect(shuffled[raw: .mean] == exact[raw: .mean])
      for (left, right) in zip(try #require(plain[raw: .mean]), try #require(exact[raw: .mean])) {
        #expect(abs(left - right) <= sumTolerance * 200)
      }
      // Half of the values, half of the mean: nothing else was rounded.
      let halves = rows.map { row in
        var row = row
        row.value /= 2
        return row
      }
      #expect(
        try table(halves, edges: edges, hold: 600.5, exactly: true)[raw: .mean]
          == exact[raw: .mean]?.map { $0 / 2 })
    }
  }

  @Test("equal instants with short gaps and one sample over their time have the same mean")
  func condensed() throws {
    var generator = SplitMix64(seed: 23)
    let hold = 600.0
    for _ in 0..<300 {
      var rows: [SampleColumns.Row] = []
      var condensed: [SampleColumns.Row] = []
      var instant = 0.0
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let value = Double(Int.random(in: 40...180, using: &generator)) / 8
        let start = instant
        for place in 0..<Int.random(in: 1...5, using: &generator) {
          if place > 0 { instant += Double(Int.random(in: 1...1200, using: &generator)) }
          rows.append(
            SampleColumns.Row(
              source: sources[place % 3], start: instant, end: instant, value: value))
        }
        condensed.append(
          SampleColumns.Row(source: sources[0], start: start, end: instant, value: value))
        instant += Double(Int.random(in: 1...4000, using: &generator))
      }
      // An edge between two values, or none, leaves equal instants together.
      let between = condensed.map { $0.end + 0.5 }
      for edges in [nil, [-1000, instant + 700], [-1000] + between] as [[Double]?] {
        let many = try table(rows, edges: edges, hold: hold)
        let few = try table(condensed, edges: edges, hold: hold)
        #expect(many.hasData == few.hasData && many[raw: .coverage] == few[raw: .coverage])
        let coverages = try #require(many[raw: .coverage])
        for (row, coverage) in coverages.enumerated() where coverage > 0 {
          let (left, right) = (
            try #require(many[raw: .mean])[row], try #require(few[raw: .mean])[row]
          )
          #expect(abs(left - right) <= 4 * sumTolerance * 180)
        }
      }
    }
  }

  @Test("a constant curve has its value as its mean", arguments: [0.1, 72.3, -1e300, 0x1p-1040])
  func constant(value: Double) throws {
    var generator = SplitMix64(seed: 24)
    for count in 1...30 {
      let rows = (0..<count).map { index in
        let start = Double.random(in: 0...50_000, using: &generator)
        return SampleColumns.Row(
          source: sources[index % 3], start: start,
          end: start + Double(index % 2) * Double.random(in: 0...900, using: &generator),
          value: value)
      }
      for exactly in [false, true] {
        #expect(
          try table(rows, edges: [-1000, 60_000], hold: 600, exactly: exactly)[raw: .mean] == [
            value
          ])
      }
    }
  }

  @Test("moving all times, and scaling values by a power of two, changes what it must")
  func moved() throws {
    var generator = SplitMix64(seed: 25)
    for _ in 0..<100 {
      let rows = SampleColumns.Row.random(
        count: 10, sources: sources, longest: 4, using: &generator)
      let plain = try table(rows, edges: [2, 9, 33], hold: 2)
      let moved = rows.map { row in
        SampleColumns.Row(
          source: row.source, start: row.start + 7e8, end: row.end + 7e8, value: row.value)
      }
      let later = try table(moved, edges: [2, 9, 33].map { $0 + 7e8 }, hold: 2)
      #expect(
        later[raw: .mean] == plain[raw: .mean] && later[raw: .coverage] == plain[raw: .coverage])
      let large = rows.map { row in
        SampleColumns.Row(
          source: row.source, start: row.start, end: row.end, value: row.value * 0x1p80)
      }
      #expect(
        try table(large, edges: [2, 9, 33], hold: 2)[raw: .mean]
          == plain[raw: .mean]?.map { $0 * 0x1p80 })
    }
  }

  @Test("a mean is finite where integrals are not")
  func large() throws {
    let large = Double.greatestFiniteMagnitude
    let rows = [
      SampleColumns.Row(source: sources[0], start: 0, end: 0, value: large),
      SampleColumns.Row(source: sources[0], start: 10, end: 10, value: -large),
      SampleColumns.Row(source: sources[0], start: 20, end: 30, value: large),
    ]
    for exactly in [false, true] {
      #expect(try table(rows, edges: [-5, 15], hold: 5, exactly: exactly)[raw: .mean] == [0])
      #expect(try table(rows, edges: [20, 30], hold: 5, exactly: exactly)[raw: .mean] == [large])
    }
  }

  @Test("one row over everything ends with its samples")
  func single() throws {
    let instants = [0.0, 10, 20].map {
      SampleColumns.Row(source: sources[0], start: $0, end: $0, value: $0 + 60)
    }
    for exactly in [false, true] {
      #expect(try table(instants, edges: nil, hold: 600, exactly: exactly)[raw: .mean] == [70])
      #expect(
        try table(Array(instants.prefix(1)), edges: nil, hold: 600, exactly: exactly)[raw: .mean]
          == [60]
      )
    }
    let pair = [instants[0], SampleColumns.Row(source: sources[1], start: 0, end: 0, value: 70)]
    let table = try table(pair, edges: nil, hold: 600)
    #expect(table[raw: .mean] == [65] && table[raw: .coverage] == [1])
    #expect(try self.table([], edges: nil, hold: 600).count == 0)
  }

  @Test("many samples at one instant, or all open at once, are no trouble", .timeLimit(.minutes(1)))
  func crowded() throws {
    let count = 20_000
    let instants = (0..<count).map {
      SampleColumns.Row(source: sources[$0 % 3], start: 5, end: 5, value: Double($0))
    }
    for exactly in [false, true] {
      #expect(
        try table(instants, edges: [0, 10], hold: 600, exactly: exactly)[raw: .mean]
          == [Double(count - 1) / 2])
    }
    let nested = (0..<count).map {
      SampleColumns.Row(
        source: sources[$0 % 3], start: Double($0), end: Double(2 * count - $0), value: 3)
    }
    #expect(try table(nested, edges: [0, Double(2 * count)], hold: 600)[raw: .mean] == [3])
  }

  @Test("a hold time below 0 is refused", arguments: [-60, -Double.leastNonzeroMagnitude, .nan])
  func negativeHold(hold: Double) throws {
    let rows = [SampleColumns.Row(source: sources[0], start: 0, end: 0, value: 60)]
    let samples = SampleColumns(type: rate, rows: rows)
    let error = StatisticsError(type: rate, reason: .holdOutOfRange)
    #expect(throws: error) { try samples.overallStatistics(hold: hold) }
    #expect(throws: error) {
      try samples.statistics(over: Boundaries(edges: [0, 10]), hold: hold)
    }
    #expect(try samples.overallStatistics(hold: 0).count == 1)
  }
}
