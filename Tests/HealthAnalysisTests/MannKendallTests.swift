import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct MannKendallTests {
  @Test("Tau, score and probability are those of SciPy and R")
  func references() throws {
    for reference in try RegressionReferences.all.get().trends {
      let test = try MannKendall(x: reference.x, y: reference.y)
      #expect(agrees(test.tau, reference.kendall.tau, 1e-14), "\(reference.name)")
      #expect(agrees(test.pValue, reference.kendall.p, 1e-11), "\(reference.name)")
      #expect(agrees([test.tau], try #require(reference.r["tau"]), 1e-13))
      #expect([Double(test.score)] == reference.r["score"])
      let exact = reference.r["exact"]?.first ?? -1
      let normal = try #require(reference.r["normal"]?.first)
      if exact >= 0, test.isExact {
        // R leaves no more than about eight digits.
        #expect((test.pValue - exact).magnitude < 1e-8 * exact + 1e-12, "\(reference.name)")
      } else if !test.isExact {
        // R takes its statistic to 4 for one root, and so loses digits of small probabilities.
        #expect(agrees(test.pValue, normal, 1e-10), "\(reference.name)")
      }
    }
    let specified = try RegressionReferences.all.get().specification
    let points = try #require(try RegressionReferences.trend("specification"))
    let test = try MannKendall(x: points.x, y: points.y)
    #expect(agrees(test.tau, specified.tau, 1e-14) && agrees(test.pValue, specified.tauP, 1e-12))
    #expect(!test.isExact)
  }

  @Test("Under autocorrelation the test is that of pymannkendall and of base R")
  func hamedAndRao() throws {
    var compared = 0
    for reference in try RegressionReferences.all.get().trends {
      for expected in reference.hamedRao ?? [] {
        let lags = expected.lag == 0 ? nil : expected.lag
        let test = try RegularSeries(reference.y).mannKendallUnderAutocorrelation(lags: lags)
        #expect(agrees(test.slope, expected.slope, 1e-14), "\(reference.name)")
        #expect(Double(test.independent.score) == expected.s)
        #expect(agrees(test.variance, expected.var, 1e-11), "\(reference.name)")
        #expect(agrees(test.statistic, expected.z, 1e-11), "\(reference.name)")
        // 1 − Φ(|z|) loses digits of a small probability.
        #expect((test.pValue - expected.p).magnitude < 1e-15 + 1e-12 * expected.p)
        let second = try #require(reference.r["hamedRao\(lags.map(String.init) ?? "")"])
        #expect(Double(test.independent.score) == second[0], "\(reference.name), R")
        #expect(agrees(test.variance, second[1], 1e-11), "\(reference.name), R")
        #expect(agrees(test.statistic, second[2], 1e-11), "\(reference.name), R")
        #expect(agrees(test.pValue, second[3], 1e-10), "\(reference.name), R")
        compared += 1
      }
    }
    #expect(compared >= 8)
  }

  @Test("All small columns have the score of all pairs and the variance over all orders")
  func smallInputs() throws {
    for count in 3...4 {
      for y in Tuples.all(of: [0, 1, 2], count: count) {
        for x: [Double] in [[0, 1, 2, 3], [0, 0, 1, 1], [1, 0, 1, 1]] {
          try compare(Array(x.prefix(count)), y)
        }
      }
    }
  }

  @Test("Probabilities without ties are those of all orders of up to seven points")
  func exactProbabilities() throws {
    for count in 3...7 {
      var random = SplitMix64(seed: UInt64(count))
      for _ in 0..<(count == 7 ? 1 : 5) {
        let y = (0..<count).map(Double.init).shuffled(using: &random)
        let x = (0..<count).map(Double.init)
        let test = try MannKendall(x: x, y: y)
        #expect(test.isExact)
        #expect(agrees(test.pValue, SlowKendall.overAllOrders(x: x, y: y).probability, 1e-13))
      }
    }
  }

  @Test("Random columns with ties have the score of all pairs")
  func randomInputs() throws {
    var random = SplitMix64(seed: 31)
    for _ in 0..<100 {
      let count = Int.random(in: 3...150, using: &random)
      let values = Int.random(in: 1...200, using: &random)
      let x = (0..<count).map { _ in Double(Int.random(in: 0...values, using: &random)) }
      let y = (0..<count).map { _ in Double(Int.random(in: 0...values, using: &random)) }
      try compare(x, y)
    }
  }

  @Test("Rising functions and the order of points change nothing; reversal changes the sign")
  func laws() throws {
    var random = SplitMix64(seed: 32)
    let x = (0..<90).map { _ in Double(Int.random(in: -20...20, using: &random)) }
    let y = (0..<90).map { _ in Double(Int.random(in: -30...30, using: &random)) }
    let plain = try MannKendall(x: x, y: y)
    #expect(try MannKendall(x: x.map { $0 * $0 * $0 }, y: y.map { 1e250 * $0 }) == plain)
    #expect(try MannKendall(x: x.map { $0 + 7e5 }, y: y.map { $0 * 1e-300 }) == plain)
    let order = x.indices.shuffled(using: &random)
    #expect(try MannKendall(x: order.map { x[$0] }, y: order.map { y[$0] }) == plain)
    let swapped = try MannKendall(x: y, y: x)
    #expect(swapped.score == plain.score && agrees(swapped.tau, plain.tau, 1e-15))
    let reversed = try MannKendall(x: x.map { -$0 }, y: y)
    #expect(reversed.score == -plain.score && reversed.tau == -plain.tau)
    #expect(reversed.pValue == plain.pValue && reversed.variance == plain.variance)
  }

  @Test("Without a trend, one exact probability in twenty is below 5 % at most")
  func level() throws {
    var random = SplitMix64(seed: 33)
    let runs = Soak.isLong ? 100_000 : 1000
    var rejected = 0
    for _ in 0..<runs {
      let y = (0..<9).map(Double.init).shuffled(using: &random)
      if try RegularSeries(y).mannKendall().pValue <= 0.05 { rejected += 1 }
    }
    let expected = 0.05 * Double(runs)
    #expect(Double(rejected) < expected + 4 * expected.squareRoot())
    #expect(Double(rejected) > expected / 2)
  }

  @Test("With neighbours that go together, the variance grows and false alarms become fewer")
  func autocorrelation() throws {
    var random = SplitMix64(seed: 34)
    let runs = Soak.isLong ? 5000 : 80
    var (plain, corrected, compared) = (0, 0, 0)
    for _ in 0..<runs {
      var value = 0.0
      let series = try RegularSeries(
        (0..<60).map { _ in
          value = 0.7 * value + Double.random(in: -1...1, using: &random)
          return value
        })
      guard let test = try? series.mannKendallUnderAutocorrelation(lags: 3) else { continue }
      compared += 1
      plain += test.independent.pValue < 0.05 ? 1 : 0
      corrected += test.pValue < 0.05 ? 1 : 0
    }
    #expect(compared > runs * 9 / 10)
    #expect(Double(plain) > 0.15 * Double(runs))
    #expect(Double(corrected) < 0.6 * Double(plain))
  }

  @Test("A series leaves out its gaps; a line and a short series have their limits")
  func series() throws {
    let gapped = try RegularSeries([1, nil, 5, 6, nil, 12, 10])
    let test = try gapped.mannKendallUnderAutocorrelation()
    #expect(test.independent == (try MannKendall(x: [0, 2, 3, 5, 6], y: [1, 5, 6, 12, 10])))
    #expect(test.slope == (try gapped.theilSenTrend().slope))
    // A missing row changes the distance of the rows around it.
    let closed = try RegularSeries([1, 5, 6, 12, 10]).mannKendallUnderAutocorrelation()
    #expect(closed.slope != test.slope)
    let line = try RegularSeries([1, 2, 3, 4, 5, 6]).mannKendallUnderAutocorrelation()
    #expect(line.varianceFactor == 1 && line.lags.isEmpty && line.slope == 1)
    let empty = Array(repeating: Double?.none, count: 4)
    let apart = try RegularSeries([1] + empty + [3] + empty + [2] + empty + [4, 7])
    #expect(try apart.mannKendallUnderAutocorrelation(lags: 2).variance.isFinite)
  }

  @Test("Too little, constant or broken data is refused with a reason and a row")
  func refusals() throws {
    #expect(refusal([], []) == AnalysisError(.tooFewPoints(count: 0, needed: 3)))
    #expect(refusal([1, 2], [1, 2]) == AnalysisError(.tooFewPoints(count: 2, needed: 3)))
    #expect(refusal([1, 2, 3], [1, 2]) == AnalysisError(.lengthsDiffer(x: 3, y: 2)))
    #expect(refusal([5, 5, 5], [1, 2, 3]) == AnalysisError(.singular))
    #expect(refusal([1, 2, 3], [-0.0, 0, 0]) == AnalysisError(.constant))
    #expect(refusal([1, .nan, 3], [1, 2, 3]) == AnalysisError(.notFinite, row: 1))
    let series = try RegularSeries([1, 3, 2, 5])
    for lags in [0, -3, 4, .max] {
      #expect(throws: AnalysisError.self) {
        try series.mannKendallUnderAutocorrelation(lags: lags)
      }
    }
    #expect(throws: AnalysisError(.confidenceOutOfRange)) {
      try series.mannKendallUnderAutocorrelation(confidence: 1)
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 3))) {
      try RegularSeries([nil, nil]).mannKendall()
    }
    // Values in turns: the first lags' correlations are near −1 and 1.
    let turns = try RegularSeries((0..<40).map { $0.isMultiple(of: 2) ? 1.0 : Double($0) / -100 })
    #expect(throws: AnalysisError(.negativeVariance)) {
      try turns.mannKendallUnderAutocorrelation(lags: 1)
    }
    let sentence = AnalysisError(.negativeVariance).description
    #expect(sentence.contains("variance") && sentence.hasSuffix("."))
  }

  @Test("Extreme numbers are ordered as any others")
  func extremes() throws {
    let huge = Double.greatestFiniteMagnitude
    let tiny = Double.leastNonzeroMagnitude
    let test = try MannKendall(x: [-huge, -tiny, 0, tiny, huge], y: [huge, 3, 2, 1, -huge])
    #expect(test.score == -10 && test.tau == -1)
    #expect(agrees(test.pValue, 2.0 / 120, 1e-14))
    let many = (0..<3000).map(Double.init)
    #expect(try MannKendall(x: many, y: many).pValue == 0)
    #expect(throws: AnalysisError(.overflow)) {
      try RegularSeries([-huge, 0, 1, huge, huge / 2]).mannKendallUnderAutocorrelation()
    }
  }

  private func compare(_ x: [Double], _ y: [Double]) throws {
    guard Set(x).count > 1 else {
      #expect(refusal(x, y) == AnalysisError(.singular))
      return
    }
    guard Set(y).count > 1 else {
      #expect(refusal(x, y) == AnalysisError(.constant))
      return
    }
    let test = try MannKendall(x: x, y: y)
    #expect(test.score == SlowKendall.score(x: x, y: y))
    let pairs = x.count * (x.count - 1) / 2
    let xPairs = Double(pairs - SlowKendall.equalPairs(x))
    let yPairs = Double(pairs - SlowKendall.equalPairs(y))
    #expect(agrees(test.tau, Double(test.score) / (xPairs * yPairs).squareRoot(), 1e-14))
    #expect((0...1).contains(test.pValue) && (-1...1).contains(test.tau))
    guard x.count <= 4 else { return }
    #expect(agrees(test.variance, SlowKendall.overAllOrders(x: x, y: y).variance, 1e-13))
  }

  private func refusal(_ x: [Double], _ y: [Double]) -> AnalysisError? {
    do {
      _ = try MannKendall(x: x, y: y)
      return nil
    } catch {
      return error
    }
  }
}
