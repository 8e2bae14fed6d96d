import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct RelationsTests {
  @Test("Every test has the coefficient, the count and the adjusted p of its definition")
  func definition() throws {
    var random = SplitMix64(seed: 41)
    let columns = (0..<5).map { _ in
      (0..<60).map { _ -> Double? in
        let value = Double(Int.random(in: 0..<12, using: &random))
        return value == 0 ? nil : value
      }
    }
    for method in Correlation.Method.allCases {
      let relations = try Relations(
        columns.map { try RegularSeries($0) }, lags: 0...2, method: method)
      #expect(relations.tested.count == 10 * 5 && relations.leftOut.isEmpty)
      let adjusted = SlowCorrelation.benjaminiHochberg(relations.tested.map(\.pValue))
      for (relation, adjusted) in zip(relations.tested, adjusted) {
        let (x, y) = (columns[relation.first], columns[relation.second])
        let pairs = SlowCorrelation.pairs(x, y, lag: relation.lag)
        let slow =
          method == .spearman
          ? SlowCorrelation.spearman(pairs.x, pairs.y) : SlowCorrelation.pearson(pairs.x, pairs.y)
        #expect((relation.correlation.coefficient - (slow ?? .infinity)).magnitude < 1e-13)
        #expect(relation.correlation.count == pairs.x.count)
        let independent = SlowCorrelation.effectiveCount(
          x, y, count: pairs.x.count, ofRanks: method == .spearman)
        #expect((relation.correlation.effectiveCount - independent).magnitude < 1e-9)
        #expect((relation.adjustedPValue - adjusted).magnitude < 1e-14)
      }
      let lags = relations.tested.prefix(5).map(\.lag)
      #expect(lags == [-2, -1, 0, 1, 2])
    }
  }

  @Test("Another adjustment than the default changes the adjusted p and what holds, nothing else")
  func adjustments() throws {
    var random = SplitMix64(seed: 42)
    let base = (0..<120).map { _ in random.normal() }
    let series = try [0.35, 0.3, 0.2, 0].map { share in
      try RegularSeries(base.map { share * $0 + random.normal() })
    }
    let plain = try Relations(series)
    for adjustment in MultipleTests.allCases {
      let found = try Relations(series, adjustment: adjustment)
      #expect(found.tested.map(\.pValue) == plain.tested.map(\.pValue))
      let expected = try adjustment.adjusted(plain.tested.map(\.pValue))
      #expect(found.tested.map(\.adjustedPValue) == expected)
      #expect(found.held.allSatisfy { $0.adjustedPValue <= 0.05 })
      #expect(found.held.count <= plain.held.count)
      #expect((found == plain) == (adjustment == .benjaminiHochberg))
    }
  }

  @Test("A planted relation is found once, at its lag, the right way round")
  func planted() throws {
    var random = SplitMix64(seed: 42)
    var columns = people(types: 6, rows: 400, memory: 0.5, noise: .normal, &random)
    // The fourth follows the second two rows later, against it.
    for row in 2..<400 { columns[3][row] -= 1.5 * columns[1][row - 2] }
    let raw = try columns.map { try RegularSeries($0) }
    let relations = try Relations(raw.map { try $0.whitened().series }, raw: raw)
    #expect(relations.tested.count == 15 * 7)
    let found = try #require(relations.held.first)
    #expect(relations.held.count == 1)
    #expect(found.first == 1 && found.second == 3 && found.lag == 2)
    #expect(found.correlation.coefficient < -0.5 && (found.rawCoefficient ?? 0) < -0.3)
    #expect(relations.tested.filter { $0.rawCoefficient != nil } == [found])

    let turned = try Relations(raw.reversed().map { try $0.whitened().series })
    let other = try #require(turned.held.first)
    #expect(other.first == 2 && other.second == 4 && other.lag == -2)
    #expect(other.correlation == found.correlation)

    let flipped = try raw.enumerated().map { index, series in
      try index == 1 ? RegularSeries(series.values.map { -$0 }) : series
    }
    let whitened = try raw.map { try $0.whitened().series }
    #expect(try Relations(whitened, raw: flipped).held.isEmpty)
    #expect(try Relations(whitened, raw: raw, excluding: [.init(3, 1)]).held.isEmpty)
    #expect(
      try Relations(whitened, raw: raw, excluding: [.init(3, 1)]).tested.count == 14 * 7)
    #expect(try Relations(whitened, raw: raw, lags: 3...3).tested.map(\.lag.magnitude).max() == 3)
  }

  @Test(
    "The best test of each pair has no larger p than the others, and those that hold are among them"
  )
  func bestOfPairs() throws {
    var random = SplitMix64(seed: 46)
    var columns = people(types: 5, rows: 200, memory: 0, noise: .normal, &random)
    for row in 1..<200 { columns[4][row] += columns[0][row - 1] }
    let relations = try Relations(columns.map { try RegularSeries($0) }, lags: 0...2)
    let best = relations.bestOfPairs
    #expect(Set(best.map { Relations.Pair($0.first, $0.second) }).count == 10 && best.count == 10)
    for relation in best {
      let others = relations.tested.filter {
        $0.first == relation.first && $0.second == relation.second
      }
      #expect(others.count == 5 && others.allSatisfy { relation.pValue <= $0.pValue })
    }
    #expect(best.map(\.pValue) == best.map(\.pValue).sorted())
    #expect(!relations.held.isEmpty && Set(relations.held).isSubset(of: best))
  }

  @Test("No change of unit, and no rising change of value, changes an answer")
  func units() throws {
    var random = SplitMix64(seed: 43)
    let columns = people(types: 5, rows: 120, memory: 0.3, noise: .student, &random)
    let plain = try Relations(columns.map { try RegularSeries($0) })
    let changed = try Relations(
      columns.enumerated().map { index, column in
        try RegularSeries(column.map { $0 * Double(1 << index) + $0 * $0 * $0 })
      })
    #expect(plain == changed)
  }

  @Test(
    "People without any relation have one reported about as often as the rate says",
    arguments: [0, 0.5], SimulatedPerson.Noise.allCases)
  func falseAlarms(memory: Double, noise: SimulatedPerson.Noise) throws {
    let isLong = Soak.isLong
    let (count, types, rows) = isLong ? (400, 20, 730) : (60, 6, 150)
    var random = SplitMix64(seed: 44)
    var alarms = 0
    for _ in 0..<count {
      let raw = try people(types: types, rows: rows, memory: memory, noise: noise, &random)
        .map { try RegularSeries($0) }
      let relations = try Relations(raw.map { try $0.whitened().series }, raw: raw)
      if !relations.held.isEmpty { alarms += 1 }
    }
    let expected = 0.05 * Double(count)
    #expect(Double(alarms) <= expected + 2 * (expected * 0.95).squareRoot())
  }

  @Test("Columns that change slowly are not taken for related, as plain counts would")
  func slowColumns() throws {
    var random = SplitMix64(seed: 45)
    var alarms = 0
    var plainAlarms = 0
    for _ in 0..<20 {
      let columns = people(types: 5, rows: 200, memory: 0.8, noise: .normal, &random)
      let relations = try Relations(columns.map { try RegularSeries($0) })
      if !relations.held.isEmpty { alarms += 1 }
      let plain = relations.tested.map { relation in
        Correlation(
          method: .spearman, coefficient: relation.correlation.coefficient,
          count: relation.correlation.count,
          effectiveCount: Double(relation.correlation.count)
        ).pValue
      }
      if try MultipleTests.benjaminiHochberg.adjusted(plain).contains(where: { $0 <= 0.05 }) {
        plainAlarms += 1
      }
    }
    #expect(alarms <= 3 && plainAlarms >= 15)
  }

  @Test("Pairs without enough days or without variation are left out with their reason")
  func leftOut() throws {
    let rows = 50
    let plain = (0..<rows).map { Double($0 * $0 % 37) }
    let series = [
      try RegularSeries(plain), try RegularSeries(Array(repeating: 1.0, count: rows)),
      try RegularSeries(plain.enumerated().map { $0 < 20 ? $1 : nil }),
      try RegularSeries([Double?](repeating: nil, count: rows)),
    ]
    let relations = try Relations(series, lags: 0...1)
    #expect(relations.tested.isEmpty && relations.held.isEmpty)
    #expect(relations.leftOut.count == 6 * 3)
    let reasons = relations.leftOut.filter { $0.lag == 1 }.map(\.reason)
    #expect(
      reasons == [
        .constant, .tooFewPoints(count: 19, needed: 42), .tooFewPoints(count: 0, needed: 42),
        .tooFewPoints(count: 19, needed: 42), .tooFewPoints(count: 0, needed: 42),
        .tooFewPoints(count: 0, needed: 42),
      ])
    let short = try Relations(series.map { _ in try RegularSeries([1.0, 2]) }, lags: 0...366)
    #expect(short.leftOut.count == 6 * 733)
    #expect(try Relations(series.map { _ in try RegularSeries([Double]()) }).tested.isEmpty)
  }

  @Test("A column beside itself, and the largest numbers, give finite answers")
  func hostile() throws {
    let far = (0..<60).map { $0.isMultiple(of: 3) ? 1.7e308 : Double($0) - 1e300 }
    let tiny = (0..<60).map { Double($0 * 31 % 17) * .leastNonzeroMagnitude }
    for method in Correlation.Method.allCases {
      let relations = try Relations(
        [far, far, tiny].map { try RegularSeries($0) }, method: method)
      for relation in relations.tested {
        let correlation = relation.correlation
        #expect((-1...1).contains(correlation.coefficient))
        #expect((0...1).contains(relation.pValue) && (0...1).contains(relation.adjustedPValue))
        #expect((4...60).contains(correlation.effectiveCount))
        #expect(try correlation.interval().contains(correlation.coefficient))
      }
      #expect(relations.held.contains { $0.first == 0 && $0.second == 1 && $0.lag % 3 == 0 })
    }
  }

  @Test("Parameters outside of their range are refused")
  func parameters() throws {
    let series = try [RegularSeries([1.0, 2]), RegularSeries([2.0, 1])]
    let others = try [RegularSeries([1.0]), RegularSeries([1.0, 2])]
    #expect(throws: AnalysisError.self) { try Relations([]) }
    #expect(throws: AnalysisError.self) { try Relations([series[0]]) }
    #expect(throws: AnalysisError.self) { try Relations(series, lags: -1...2) }
    #expect(throws: AnalysisError.self) { try Relations(series, lags: 0...Int.max) }
    #expect(throws: AnalysisError.self) { try Relations(series, leastPairs: 3) }
    #expect(throws: AnalysisError.self) { try Relations(series, leastPairs: .min) }
    for rate in [0, 1, -1, 2, Double.nan, .infinity] {
      #expect(throws: AnalysisError.self) { try Relations(series, falseDiscoveryRate: rate) }
    }
    #expect(throws: AnalysisError(.lengthsDiffer(x: 2, y: 1))) {
      try Relations(series, raw: [series[0]])
    }
    #expect(throws: AnalysisError(.lengthsDiffer(x: 2, y: 1))) {
      try Relations(series, raw: others)
    }
    #expect(throws: AnalysisError(.lengthsDiffer(x: 1, y: 2))) { try Relations(others) }
  }

  private func people(
    types: Int, rows: Int, memory: Double, noise: SimulatedPerson.Noise,
    _ random: inout SplitMix64
  ) -> [[Double]] {
    (0..<types).map { _ in
      SimulatedPerson.column(rows: rows, memory: memory, noise: noise, &random)
    }
  }
}
