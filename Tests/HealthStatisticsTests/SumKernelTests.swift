import HealthSamples
import HealthUnits
import Testing
import _HealthNumerics
import _HealthTestSupport

@testable import HealthStatistics

@Suite("The kernel of sums")
struct SumKernelTests {
  static let instructionSets = InstructionSet.allCases.filter(\.isAvailable)

  private static func type(isCumulative: Bool) throws -> SampleType {
    SampleType(
      identifier: "HKQuantityTypeIdentifierTest",
      kind: .quantity(
        canonicalUnit: try UnitExpression("count"),
        style: isCumulative ? .cumulative : .discreteArithmetic))
  }

  /// Segments that overlap, go back in time, lie at instants, and are masked or parts of others.
  private static func segments(
    _ generator: inout SplitMix64, count: Int, longest: Int, isOrdered: Bool, second: Double = 1
  ) throws -> SegmentColumns {
    var rows: [(start: Double, end: Double, value: Double, sample: UInt32)] = []
    var start = 0
    var sample: UInt32 = 0
    while rows.count < count {
      start += Int.random(in: isOrdered ? 0...2 : -3...4, using: &generator)
      var instant = Double(max(start, 0))
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let length = Double(Int.random(in: 0...longest, using: &generator))
        let exponent = Int.random(in: -20...20, using: &generator)
        let value =
          Double.random(in: -2...2, using: &generator)
          * Double(sign: .plus, exponent: exponent, significand: 1)
        let isMasked = Int.random(in: 0..<10, using: &generator) == 0
        rows.append(
          (
            instant, instant + length, isMasked ? 0 : value,
            isMasked ? SegmentColumns.masked : sample
          ))
        instant += length + Double(Int.random(in: 0...1, using: &generator))
      }
      sample += 1
      if isOrdered { start = Int(instant) }
    }
    return SegmentColumns(
      type: try type(isCumulative: true), sources: Source.named("A"), offsets: [0, rows.count],
      starts: rows.map { $0.start * second }, ends: rows.map { $0.end * second },
      values: rows.map(\.value), samples: rows.map(\.sample))
  }

  private func check(
    _ segments: SegmentColumns, edges: [Double], kernels: [SumKernel], splits: Bool
  ) throws {
    let boundaries = try Boundaries(edges: edges)
    let expected = zip(edges, edges.dropFirst()).map {
      ReferenceIntervalSum(segments, source: 0, from: $0, to: $1, splits: splits)
    }
    for kernel in kernels {
      var table = SumTable(
        edges: IntervalEdges(boundaries), scale: 1, limit: 1 << 20, wantsExtremes: true,
        kernel: kernel)
      let isWithinLimit = table.add(
        segments, rows: segments.rows(ofSource: 0), splits: splits)
      #expect(isWithinLimit)
      let sums = expected.map {
        CompensatedSum(sum: $0.total.sum, lost: $0.total.lost)
      }
      #expect(table.totals.results(on: kernel.instructions).column == sums.map(\.result))
      #expect(table.totals.sums == sums.map(\.sum))
      #expect(table.totals.lost == sums.map(\.lost))
      #expect(
        table.totals.means(on: kernel.instructions).column
          == zip(table.totals.sums, zip(table.totals.lost, expected)).map { sum, rest in
            rest.1.count == 0
              ? 0 : CompensatedSum(sum: sum, lost: rest.0).mean(count: rest.1.count)
          })
      #expect(table.totals.counts == expected.map(\.count))
      #expect(table.hasData == expected.map(\.hasData))
      #expect(table.minimums == expected.map { $0.hasData ? $0.minimum : 0 })
      #expect(table.maximums == expected.map { $0.hasData ? $0.maximum : 0 })
    }
  }

  /// Every instruction set on one thread, and pieces of few and of many rows.
  private static let kernels =
    instructionSets.map { SumKernel(instructions: $0, threads: 1) }
    + [(2, 1), (2, 7), (3, 20), (8, 3), (64, 1)].map {
      SumKernel(instructions: .best, threads: $0, rowsPerThread: $1)
    }

  @Test("every instruction set, any threads and any pieces give the bits of the slow twin")
  func bits() throws {
    var generator = SplitMix64(seed: 71)
    for round in 0..<150 {
      // Differences of tenths and thirds are no doubles.
      let second = [1, 0.1, 1 / 3.0][round % 3]
      let segments = try Self.segments(
        &generator, count: Int.random(in: 1...70, using: &generator),
        longest: [0, 1, 4, 30][round % 4], isOrdered: round % 5 > 0, second: second)
      let edges = Set(
        (0...Int.random(in: 1...12, using: &generator)).map { _ in
          Double(Int.random(in: -10...150, using: &generator)) * second
        })
      guard edges.count > 1 else { continue }
      for splits in [true, false] {
        try check(segments, edges: edges.sorted(), kernels: Self.kernels, splits: splits)
      }
    }
  }

  @Test("runs of every length from 0 to 40, at every place")
  func runLengths() throws {
    var generator = SplitMix64(seed: 72)
    for length in 0...40 {
      for before in [0, 1, 5] {
        let count = before + length + 3
        let values = (0..<count).map { _ in Double.random(in: -1...1, using: &generator) }
        let segments = SegmentColumns(
          type: try Self.type(isCumulative: true), sources: Source.named("A"),
          offsets: [0, count], starts: (0..<count).map(Double.init),
          ends: (0..<count).map { Double($0 + 1) }, values: values,
          samples: (0..<count).map { UInt32($0 / 2) })
        let edges = [-2, Double(before) + 0.5, Double(before + length) + 0.75]
        try check(segments, edges: edges, kernels: Self.kernels, splits: true)
      }
    }
  }

  /// The same rows, some as rows of samples, some as rows of their own, in pieces of any length.
  private static func cut(
    _ samples: SampleColumns, longest: Int, using generator: inout SplitMix64
  ) -> SegmentColumns {
    var own = SegmentColumns.Rows()
    var pieces: [SegmentColumns.Piece] = []
    var row = 0
    while row < samples.count {
      let end = min(row + Int.random(in: 1...longest, using: &generator), samples.count)
      if Bool.random(using: &generator) {
        pieces.append(.init(first: row, range: row..<end, number: UInt32(row)))
      } else {
        let first = own.starts.count
        own.starts += samples.starts[row..<end]
        own.ends += samples.ends[row..<end]
        own.values += samples.values[row..<end]
        own.samples += (row..<end).map { $0 % 7 == 3 ? SegmentColumns.masked : UInt32($0) }
        pieces.append(.init(first: row, range: first..<own.starts.count, number: nil))
      }
      row = end
    }
    return SegmentColumns(
      of: samples, sources: samples.sources, offsets: samples.offsets, pieces: pieces, own: own)
  }

  @Test("where one piece of memory ends changes no bit", arguments: [1, 3, 9, 20, 200])
  func piecesOfMemory(longest: Int) throws {
    var generator = SplitMix64(seed: 76)
    for round in 0..<12 {
      let flat = try Self.segments(
        &generator, count: Int.random(in: 1...300, using: &generator),
        longest: [0, 2, 30][round % 3],
        isOrdered: true, second: 1 / 3.0)
      let order = flat.starts.indices.sorted {
        (flat.starts[$0], flat.ends[$0], flat.values[$0])
          < (flat.starts[$1], flat.ends[$1], flat.values[$1])
      }
      let samples = SampleColumns(
        type: flat.type, sources: flat.sources, offsets: flat.offsets,
        starts: order.map { flat.starts[$0] }, ends: order.map { flat.ends[$0] },
        values: order.map { flat.values[$0] })
      let segments = Self.cut(samples, longest: longest, using: &generator)
      #expect(segments.starts == samples.starts && segments.ends == samples.ends)
      #expect(segments.values == samples.values && segments.count == samples.count)
      let step = [3, 20, 500][round / 4]
      let edges = stride(from: -5, to: 700, by: Double(step)).map { $0 / 3 }
      for splits in [true, false] {
        try check(segments, edges: edges, kernels: Self.kernels, splits: splits)
      }
    }
  }

  @Test("cutting the rows at edges really makes pieces, and gives them all that meets them")
  func pieces() throws {
    var generator = SplitMix64(seed: 73)
    let segments = try Self.segments(&generator, count: 4000, longest: 9, isOrdered: true)
    let last = try #require(segments.ends.max())
    let edges = stride(from: -1, through: last + 10, by: 10).map { $0 }
    let kernel = SumKernel(threads: 4, rowsPerThread: 100)
    let pieces = SumPiece.pieces(
      of: segments, rows: segments.rows(ofSource: 0), edges: edges, kernel: kernel)
    #expect(pieces.count == 4)
    #expect(pieces.first?.intervals.lowerBound == 0)
    #expect(pieces.last?.intervals.upperBound == edges.count - 1)
    for (piece, next) in zip(pieces, pieces.dropFirst()) {
      #expect(piece.intervals.upperBound == next.intervals.lowerBound)
    }
    try check(segments, edges: edges, kernels: [kernel], splits: true)
  }

  @Test("a sample that reaches over many pieces is counted in each")
  func longSample() throws {
    var generator = SplitMix64(seed: 74)
    let short = try Self.segments(&generator, count: 3000, longest: 2, isOrdered: true)
    let segments = SegmentColumns(
      type: short.type, sources: short.sources, offsets: [0, short.count + 1],
      starts: [0] + short.starts, ends: [1e4] + short.ends, values: [12_345.678] + short.values,
      samples: [SegmentColumns.masked - 1] + short.samples)
    let edges = stride(from: -5.0, through: 12_000, by: 25).map { $0 }
    try check(
      segments, edges: edges, kernels: [SumKernel(threads: 3, rowsPerThread: 10)], splits: true)
  }

  @Test("sums and means are within 2^-50 of Σ|terms|, whatever cancels", arguments: instructionSets)
  func accuracy(on instructions: InstructionSet) throws {
    var generator = SplitMix64(seed: 75)
    for round in 0..<60 {
      let count = Int.random(in: 1...90, using: &generator)
      // Full mantissas over thirty binary orders; in every second round nearly all of it cancels.
      var values = (0..<count).map { _ in
        Double.random(in: 1..<2, using: &generator)
          * Double(
            sign: Bool.random(using: &generator) ? .plus : .minus,
            exponent: Int.random(in: 0...30, using: &generator), significand: 1)
      }
      if round % 2 == 0 {
        values += values.map { -$0.nextUp }
        values.shuffle(using: &generator)
      }
      let rows = values.count
      let segments = SegmentColumns(
        type: try Self.type(isCumulative: true), sources: Source.named("A"), offsets: [0, rows],
        starts: (0..<rows).map(Double.init), ends: (0..<rows).map(Double.init), values: values,
        samples: (0..<rows).map { UInt32($0) })
      let boundaries = try Boundaries(edges: [0, Double(rows / 3) + 1, 1000])
      var table = SumTable(
        edges: IntervalEdges(boundaries), scale: 1, limit: 1, wantsExtremes: false,
        kernel: SumKernel(instructions: instructions, threads: 1))
      let isWithinLimit = table.add(segments, rows: 0..<rows, splits: true)
      #expect(isWithinLimit)
      for index in 0..<2 {
        let terms = ReferenceIntervalSum(
          segments, source: 0, from: boundaries.edges[index], to: boundaries.edges[index + 1],
          splits: true
        ).terms
        let exact = terms.reduce(ReferenceFraction(0)) { $0 + ReferenceFraction(exactly: $1) }
        let magnitude = terms.reduce(0) { $0 + abs($1) }
        #expect(
          exact.isNear(
            table.totals.results(on: instructions).column[index], tolerance: sumTolerance,
            scale: magnitude))
      }
    }
  }

  @Test("sums that leave the range of doubles on the way come back", arguments: instructionSets)
  func overflow(on instructions: InstructionSet) throws {
    let large = Double.greatestFiniteMagnitude
    let values = Array(repeating: large, count: 30) + Array(repeating: -large, count: 29)
    let segments = SegmentColumns(
      type: try Self.type(isCumulative: true), sources: Source.named("A"),
      offsets: [0, values.count], starts: values.indices.map(Double.init),
      ends: values.indices.map(Double.init), values: values,
      samples: values.indices.map { UInt32($0) })
    let builder = StatisticsBuilder(
      segments: segments, aggregates: AggregateColumns(), sources: 0..<1, edges: .unbounded,
      hold: 0,
      partLimit: 1, kernel: SumKernel(instructions: instructions, threads: 1))
    let table = try builder.table(starts: [0], ends: [60], wanted: [.sum], rounding: .compensated)
    #expect(table[raw: .sum] == [large])
  }
}
