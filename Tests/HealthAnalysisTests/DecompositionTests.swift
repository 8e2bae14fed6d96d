import Foundation
import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite("Decomposition")
struct DecompositionTests {
  /// How often random series are compared; the long form of the suite takes more.
  private static let rounds = ProcessInfo.processInfo.environment["HKSTATS_SOAK"] == nil ? 1 : 100

  // MARK: A slow twin

  @Test("Small and random series have the parts of the definition", arguments: [0, 2])
  func matchesSlowTwin(outer: Int) throws {
    var random = SplitMix64(seed: 41 + UInt64(outer))
    for period in (0..<Self.rounds).flatMap({ _ in [2, 3, 4, 7, 12] }) {
      for count in [2 * period, 2 * period + 1, 3 * period + period / 2, 61, 100]
      where count >= 2 * period {
        for jump in [1, 4] {
          let values = noise(count, &random)
          var parameters = DecompositionParameters()
          parameters.seasonalWindow = .cycles([3, 7, 15].randomElement(using: &random) ?? 7)
          parameters.seasonalDegree = Int.random(in: 0...1, using: &random)
          parameters.trendDegree = Int.random(in: 0...1, using: &random)
          parameters.lowPassDegree = Int.random(in: 0...1, using: &random)
          parameters.seasonalJump = .rows(jump)
          parameters.trendJump = .rows(jump + 1)
          parameters.lowPassJump = .rows(jump)
          parameters.innerIterations = 2
          parameters.outerIterations = outer
          let all = try ResolvedDecomposition(parameters, rows: count, period: period)
          func twin(_ part: ResolvedDecomposition.Smoother) -> SlowDecomposition.Smoother {
            .init(part.window, degree: part.degree, jump: part.jump)
          }
          let slow = SlowDecomposition(
            values, period: period, seasonal: twin(all.seasonal), trend: twin(all.trend),
            lowPass: twin(all.lowPass), inner: 2, outer: outer)
          let parts = try RegularSeries(values).decomposed(period: period, parameters: parameters)
          // With as few rows as these, weights of robustness follow the rounding of the remainder.
          guard outer == 0 || count > 8 * period else { continue }
          let bound = outer == 0 ? 1e-13 : 1e-9
          #expect(distance(parts.trend, slow.trend) <= bound)
          #expect(distance(parts.seasons[0].values, slow.season) <= bound)
          #expect(distance(parts.weights, slow.weights) <= bound)
        }
      }
    }
  }

  // MARK: Laws

  static let ways = [
    DecompositionParameters(), .robust, DecompositionParameters().withTenthJumps(), periodic,
  ]
  private static var periodic: DecompositionParameters {
    var parameters = DecompositionParameters()
    parameters.seasonalWindow = .periodic
    return parameters
  }

  @Test("Trend, season and remainder add up to the values", arguments: ways)
  func sum(_ parameters: DecompositionParameters) throws {
    let values = days(203)
    let parts = try RegularSeries(values).decomposed(period: 7, parameters: parameters)
    for row in values.indices {
      let sum = parts.trend[row] + parts.seasons[0].values[row] + (parts.remainder[row] ?? .nan)
      #expect((sum - values[row]).magnitude <= 2 * values[row].ulp)
      #expect(parts.adjusted[row] == values[row] - parts.seasons[0].values[row])
    }
  }

  @Test("A power of two scales all parts exactly, at any size", arguments: ways)
  func scaling(_ parameters: DecompositionParameters) throws {
    let values = days(150)
    let plain = try RegularSeries(values).decomposed(period: 7, parameters: parameters)
    for exponent in [-990, -300, -1, 1, 40, 700, 1_010] {
      let scaled = try RegularSeries(values.map { $0.scaled(by: exponent) })
        .decomposed(period: 7, parameters: parameters)
      #expect(scaled.trend == plain.trend.map { $0.scaled(by: exponent) })
      #expect(
        scaled.seasons[0].values == plain.seasons[0].values.map { $0.scaled(by: exponent) })
      #expect(scaled.weights == plain.weights)
      #expect(scaled.trendStrength == plain.trendStrength)
      #expect(scaled.seasonalStrength == plain.seasonalStrength)
    }
  }

  @Test("A shift moves the trend alone", arguments: ways)
  func shift(_ parameters: DecompositionParameters) throws {
    let values = days(150)
    let plain = try RegularSeries(values).decomposed(period: 7, parameters: parameters)
    let moved = try RegularSeries(values.map { $0 - 1_024 })
      .decomposed(period: 7, parameters: parameters)
    #expect(distance(moved.trend, plain.trend.map { $0 - 1_024 }) <= 1e-9)
    #expect(distance(moved.seasons[0].values, plain.seasons[0].values) <= 1e-9)
    #expect(distance(moved.weights, plain.weights) <= 1e-9)
  }

  @Test("A straight line goes to the trend alone")
  func line() throws {
    let values = days(210)
    let plain = try RegularSeries(values).decomposed(period: 7)
    let tilted = try RegularSeries(values.enumerated().map { $1 + 3 - 0.5 * Double($0) })
      .decomposed(period: 7)
    let expected = plain.trend.enumerated().map { $1 + 3 - 0.5 * Double($0) }
    #expect(distance(tilted.trend, expected) <= 1e-11)
    #expect(distance(tilted.seasons[0].values, plain.seasons[0].values) <= 1e-11)
  }

  @Test("Without jumps time has no direction", arguments: [ways[0], ways[1], periodic])
  func reversal(_ parameters: DecompositionParameters) throws {
    for count in [140, 145, 146] {
      let values = days(count)
      let plain = try RegularSeries(values).decomposed(period: 7, parameters: parameters)
      let back = try RegularSeries(values.reversed()).decomposed(period: 7, parameters: parameters)
      #expect(distance(back.trend.reversed(), plain.trend) <= 1e-10)
      #expect(distance(back.seasons[0].values.reversed(), plain.seasons[0].values) <= 1e-10)
      #expect(distance(back.weights.reversed(), plain.weights) <= 1e-10)
    }
  }

  @Test("A pure season goes to the season, and its mean to the trend", arguments: [2, 7, 12])
  func pureSeason(period: Int) throws {
    var random = SplitMix64(seed: 42)
    let season = (0..<period).map { _ in Double.random(in: -3...3, using: &random) }
    let mean = season.reduce(0, +) / Double(period)
    let values = (0..<20 * period + 1).map { season[$0 % period] }
    let parts = try RegularSeries(values).decomposed(period: period, parameters: Self.periodic)
    for row in values.indices {
      #expect((parts.trend[row] - mean).magnitude <= 1e-12)
      #expect((parts.seasons[0].values[row] - (values[row] - mean)).magnitude <= 1e-12)
    }
    #expect(try #require(parts.seasonalStrength[0]) > 1 - 1e-12)
  }

  @Test("A few wrong days move a robust trend less than the plain one, and count for nothing")
  func robustness() throws {
    let values = days(210)
    var broken = values
    for row in [50, 90, 131] { broken[row] += 500 }
    let clean = try RegularSeries(values).decomposed(period: 7)
    let plain = try RegularSeries(broken).decomposed(period: 7)
    let robust = try RegularSeries(broken).decomposed(period: 7, parameters: .robust)
    #expect(distance(plain.trend, clean.trend) > 20)
    #expect(distance(robust.trend, clean.trend) < 5)
    for row in [50, 90, 131] { #expect(robust.weights[row] == 0) }
    #expect(plain.weights.allSatisfy { $0 == 1 })
  }

  @Test("Where the remainder is rounding alone, every row counts fully")
  func roundingHasNoWeights() throws {
    let values = (0..<15).map { (row: Int) -> Double in 60 + 0.1 * Double(row * row % 7) }
    let parts = try RegularSeries(values).decomposed(period: 7, parameters: .robust)
    #expect(parts.weights.allSatisfy { $0 == 1 })
  }

  @Test("A plan for many series gives each of them the same bits as its own")
  func plan() throws {
    let plan = try DecompositionPlan(rows: 160, periods: [30, 7])
    #expect(plan.periods == [7, 30])
    var random = SplitMix64(seed: 43)
    for _ in 0..<3 {
      let series = try RegularSeries(noise(160, &random))
      #expect(try series.decomposed(by: plan) == series.decomposed(periods: [7, 30]))
    }
    let short = try RegularSeries(noise(159, &random))
    #expect(throws: AnalysisError(.lengthsDiffer(x: 159, y: 160))) {
      try short.decomposed(by: plan)
    }
  }

  @Test("Two seasons, a trend and a remainder add up, and each is strong where it is")
  func severalSeasons() throws {
    let values = (0..<400).map { row -> Double in
      let seasons = Double(10 * (row % 7) + 5 * (row % 30))
      return seasons + 0.1 * Double(row) + Double(row * row % 11) / 11
    }
    let parts = try RegularSeries(values).decomposed(periods: [7, 30])
    #expect(parts.seasons.map(\.period) == [7, 30])
    for row in values.indices {
      let rest = parts.trend[row] + (parts.remainder[row] ?? .nan)
      let sum = parts.seasons.reduce(rest) { $0 + $1.values[row] }
      #expect((sum - values[row]).magnitude <= 2 * 256.0.ulp)
    }
    for strength in parts.seasonalStrength { #expect(try #require(strength) > 0.9) }
    #expect(try #require(parts.trendStrength) > 0.9)
  }

  // MARK: Strength

  @Test("Strength is 1 − Var(R)/Var(P + R), and 0 below")
  func strength() throws {
    let rows = Array(0..<4)
    func strength(_ part: [Double], _ rest: [Double]) -> Double? {
      Decomposition.strength(of: part, remainder: rest, rows: rows, level: 1)
    }
    // Variances of 1 and 5.
    #expect(strength([2, 2, -2, -2], [1, -1, 1, -1]) == 0.8)
    #expect(strength([0, 0, 0, 0], [1, -1, 1, -1]) == 0)
    // The part takes the remainder away.
    #expect(strength([-0.5, 0.5, -0.5, 0.5], [1, -1, 1, -1]) == 0)
    #expect(strength([1, -1, 1, -1], [0, 0, 0, 0]) == 1)
    #expect(strength([1, 1, 1, 1], [0, 0, 0, 0]) == nil)
    // Rows that were filled do not count.
    #expect(
      Decomposition.strength(
        of: [2, 2, -2, -2, 99], remainder: [1, -1, 1, -1, 9], rows: rows, level: 1) == 0.8)
  }

  private func days(_ count: Int) -> [Double] {
    let week = [2, -1, 0, 0.5, 1, -3, 0.5]
    return (0..<count).map { row -> Double in
      let scatter = Double((row * row * 31 + row * 7) % 101) / 25
      return 62 + 0.02 * Double(row) + week[row % 7] + scatter
    }
  }

  private func noise(_ count: Int, _ random: inout SplitMix64) -> [Double] {
    (0..<count).map { _ in Double.random(in: -1...1, using: &random) }
  }

  private func distance(_ left: [Double], _ right: [Double]) -> Double {
    guard left.count == right.count else { return .infinity }
    return zip(left, right).map { ($0 - $1).magnitude }.max() ?? 0
  }
}
