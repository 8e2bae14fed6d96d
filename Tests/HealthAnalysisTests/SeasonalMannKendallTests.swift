import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct SeasonalMannKendallTests {
  @Test("Both tests are those of pymannkendall, and with gaps the covariances of NumPy")
  func references() throws {
    for reference in try MeasureReferences.read().seasonal {
      let test = try RegularSeries(reference.values).seasonalMannKendall(period: reference.period)
      #expect(Double(test.score) == reference.score, "\(reference.name)")
      #expect(agrees(test.tau, reference.tau, 1e-13), "\(reference.name)")
      #expect(agrees(test.slope, reference.slope, 1e-12), "\(reference.name)")
      #expect(agrees(test.independent.variance, reference.variance, 1e-13), "\(reference.name)")
      #expect(agrees(test.independent.statistic, reference.statistic, 1e-13), "\(reference.name)")
      #expect((test.independent.pValue - reference.p).magnitude < 1e-15 + 1e-9 * reference.p)
      #expect(agrees(test.dependent.variance, reference.jointVariance, 1e-12), "\(reference.name)")
      if let joint = reference.pymannkendallJoint {
        #expect(agrees(test.dependent.variance, joint, 1e-12), "\(reference.name)")
      }
      #expect(test.count == reference.values.count { $0 != nil })
    }
  }

  @Test("Random series with ties and gaps have the sums over all pairs of cycles and of seasons")
  func twin() throws {
    var random = SplitMix64(seed: 651)
    for _ in 0..<120 {
      let period = Int.random(in: 2...5, using: &random)
      let values = (0..<Int.random(in: 3 * period...6 * period, using: &random)).map { _ in
        Int.random(in: 0..<5, using: &random) == 0
          ? nil : Double(Int.random(in: 0...9, using: &random))
      }
      let slow = SlowSeasonalKendall(values, period: period)
      let most =
        (0..<period).map { season in
          stride(from: season, to: values.count, by: period).count { values[$0] != nil }
        }.max() ?? 0
      guard most >= 3, slow.slopes.contains(where: { $0 != 0 }) else { continue }
      let test = try RegularSeries(values).seasonalMannKendall(period: period)
      #expect(test.score == slow.score && test.cycleCount == most)
      #expect(agrees(test.tau, Double(slow.score) / Double(slow.pairs), 1e-14))
      #expect((test.dependent.variance - slow.jointVariance).magnitude < 1e-9)
      let middle = (slow.slopes.count - 1) / 2
      let median = (slow.slopes[middle] + slow.slopes[slow.slopes.count / 2]) / 2
      #expect((test.slope - median).magnitude < 1e-14)
    }
  }

  @Test("The variance with covariances is the mean of S² over all orders of the cycles")
  func orders() throws {
    var random = SplitMix64(seed: 652)
    for cycles in 3...5 {
      for _ in 0..<4 {
        let values = (0..<cycles * 3).map { _ in Double(Int.random(in: 0...6, using: &random)) }
        guard let test = try? RegularSeries(values).seasonalMannKendall(period: 3) else { continue }
        let exact = SlowSeasonalKendall.variance(overOrdersOf: values, period: 3)
        #expect(agrees(test.dependent.variance, exact, 1e-12))
      }
    }
  }

  @Test("A season of any size is no trend, and one season alone is tested as by Mann and Kendall")
  func laws() throws {
    var random = SplitMix64(seed: 653)
    let noise = (0..<84).map { _ in random.normal() }
    let plain = try RegularSeries(noise).seasonalMannKendall(period: 12)
    let wave = [0.0, 500, -300, 70, 1, 2, 3, 4000, 5, 6, 7, 8]
    let seasonal = try RegularSeries(noise.enumerated().map { $1 + wave[$0 % 12] })
      .seasonalMannKendall(period: 12)
    #expect(seasonal.score == plain.score && seasonal.dependent == plain.dependent)
    #expect((seasonal.slope - plain.slope).magnitude < 1e-9)
    let scaled = try RegularSeries(noise.map { 3 - $0 * 8 }).seasonalMannKendall(period: 12)
    #expect(scaled.score == -plain.score && (scaled.slope + 8 * plain.slope).magnitude < 1e-12)
    #expect(scaled.independent.pValue == plain.independent.pValue)
    // Missing rows around the series move the seasons, not the answer.
    let padded = try RegularSeries(Array(repeating: nil, count: 24) + noise.map { .some($0) })
      .seasonalMannKendall(period: 12)
    #expect(padded.score == plain.score && padded.slope == plain.slope)
    #expect(padded.dependent.variance == plain.dependent.variance)

    let one = (0..<10).map { _ in random.normal() }
    let alone = try RegularSeries(one.flatMap { [$0, nil] }).seasonalMannKendall(period: 2)
    let test = try MannKendall(x: (0..<10).map(Double.init), y: one)
    #expect(alone.score == test.score && alone.seasonCount == 1)
    #expect(agrees(alone.independent.variance, test.variance, 1e-14))
    #expect(agrees(alone.dependent.variance, test.variance, 1e-14))
    #expect(alone.slope == (try RegularSeries(one).theilSenTrend().slope))
    // What all seasons do alike is known once, not twelve times.
    let alike = try RegularSeries(one.flatMap { Array(repeating: $0, count: 12) })
      .seasonalMannKendall(period: 12)
    #expect(agrees(alike.dependent.variance, 144 * test.variance, 1e-13))
    #expect(agrees(alike.independent.variance, 12 * test.variance, 1e-13))
  }

  @Test(
    "Series without a trend are called one as rarely as is said, also where rows go together",
    arguments: TrendlessSeries.promised)
  func falseAlarms(kind: TrendlessSeries) throws {
    #if DEBUG
    let count = 60
    #else
    let count = Soak.isLong ? 4_000 : 500
    #endif
    for cycles in Soak.isLong ? [5, 10, 20] : [10, 20] {
      var random = SplitMix64(seed: 654)
      var dependent = VerdictRate("seasonal Mann-Kendall", kind.rawValue, rows: cycles * 12)
      var plain = 0
      for _ in 0..<count {
        let noise = kind.values(count: cycles * 12, using: &random)
        let values: [Double] = noise.indices.map { noise[$0] + Double($0 % 12 * 3) }
        let test = try RegularSeries(values).seasonalMannKendall(period: 12)
        dependent.addNull(
          test.dependent.pValue < 0.05, before: test.independent.pValue < 0.05)
        if test.independent.pValue < 0.05 { plain += 1 }
        let step = 2 * kind.deviation / Double(cycles * 12)
        let rising: [Double] = values.indices.map { values[$0] + step * Double($0) }
        dependent.addEffect(
          isFound: try RegularSeries(rising).seasonalMannKendall(period: 12).dependent.pValue < 0.05
        )
      }
      dependent.report()
      #expect(dependent.keeps(percent: 8), "\(dependent.line)")
      if kind == .independent || kind == .heavyTailed {
        #expect(dependent.keeps(percent: 6), "\(dependent.line)")
        #expect(Double(plain) < 0.06 * Double(count) + 2 * (0.06 * Double(count)).squareRoot())
        if cycles >= 10 { #expect(dependent.foundShare > 0.9, "\(dependent.line)") }
      }
    }
  }

  @Test("Many cycles have the slope of all pairs, without keeping them")
  func long() throws {
    let values: [Double] = (0..<7_000).map { row in
      let wave = (row * 37 + row / 7 * 11) % 101
      return Double(wave) + Double(row) / 70
    }
    let test = try RegularSeries(values).seasonalMannKendall(period: 7)
    var slopes: [Double] = []
    for season in 0..<7 {
      for later in 0..<1000 {
        for earlier in 0..<later {
          let change: Double = values[later * 7 + season] - values[earlier * 7 + season]
          slopes.append(change / Double(later - earlier))
        }
      }
    }
    slopes.sort()
    let middle = (slopes[(slopes.count - 1) / 2] + slopes[slopes.count / 2]) / 2
    #expect(test.slope == middle)
  }

  @Test("Too little, constant or extreme input is refused with a reason")
  func refusals() throws {
    let series = try RegularSeries([1, 2, 3, 4, 5, 6])
    for period in [1, 0, -3, .min] {
      #expect(throws: AnalysisError.self) { try series.seasonalMannKendall(period: period) }
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 2, needed: 3))) {
      try series.seasonalMannKendall(period: 3)
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 1, needed: 3))) {
      try series.seasonalMannKendall(period: .max)
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 3))) {
      try RegularSeries([Double]()).seasonalMannKendall(period: 2)
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 3))) {
      try RegularSeries([nil, nil, nil]).seasonalMannKendall(period: 2)
    }
    #expect(throws: AnalysisError(.constant)) {
      try RegularSeries([1, 9, 1, 9, 1, 9]).seasonalMannKendall(period: 2)
    }
    #expect(throws: AnalysisError(.tooManyPoints(count: 65_537, limit: 65_536))) {
      try RegularSeries(Array(repeating: 0.0, count: 65_537)).seasonalMannKendall(period: 2)
    }
    let huge = Double.greatestFiniteMagnitude
    #expect(throws: AnalysisError(.overflow)) {
      try RegularSeries(
        [1] + Array(repeating: -huge, count: 4) + [2]
          + Array(repeating: huge, count: 4) + [3]
      ).seasonalMannKendall(period: 5)
    }
    let large = try RegularSeries([-huge / 4, 0, 0, 0, huge / 4, 0]).seasonalMannKendall(period: 2)
    #expect(large.score == 3 && large.slope.isFinite)
    // Seasons that cancel out: no score, no statistic.
    let opposite = try RegularSeries([1, 3, 2, 2, 3, 1]).seasonalMannKendall(period: 2)
    #expect(opposite.score == 0 && opposite.dependent.pValue == 1)
    #expect(opposite.independent.pValue == 1 && opposite.dependent.variance >= 0)
  }
}
