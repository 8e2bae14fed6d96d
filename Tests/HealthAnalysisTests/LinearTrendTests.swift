import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct LinearTrendTests {
  @Test("The certified regression of NIST's Norris data comes out to twelve digits")
  func norris() throws {
    let trend = try LinearTrend(x: Norris.points.map(\.x), y: Norris.points.map(\.y))
    #expect(isNear(trend.slope, Norris.slope, 1e-13))
    #expect(isNear(trend.intercept, Norris.intercept, 1e-12))
    #expect(isNear(trend.slopeStandardError, Norris.slopeStandardError, 1e-12))
    #expect(isNear(trend.interceptStandardError, Norris.interceptStandardError, 1e-12))
    #expect(isNear(trend.residualStandardDeviation, Norris.residualStandardDeviation, 1e-12))
    #expect(isNear(try #require(trend.rSquared), Norris.rSquared, 1e-14))
    #expect(trend.count == Norris.points.count)
    #expect(trend.degreesOfFreedom == Norris.points.count - 2)
  }

  @Test("A library that is not there is an error that names it and the packages")
  func missingLibrary() throws {
    let error = #expect(throws: AnalysisError.self) { _ = try LAPACK(from: "libnowhere.so.3") }
    let sentence = try #require(error).description
    #expect(sentence.contains("libnowhere.so.3") && sentence.contains("liblapacke"))
  }

  @Test("All small whole-numbered points give the line of the normal equations")
  func matchesNormalEquationsOnSmallInputs() throws {
    for count in 3...4 {
      for x in tuples(of: [0, 1, 3], count: count) {
        for y in tuples(of: [-1, 0, 2], count: count) { try compare(x: x, y: y) }
      }
    }
  }

  @Test("Random whole-numbered points give the line of the normal equations")
  func matchesNormalEquationsOnRandomInputs() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<300 {
      let count = Int.random(in: 3...200, using: &random)
      let range = 1 << Int.random(in: 1...18, using: &random)
      let offset = Int.random(in: -700_000...700_000, using: &random)
      let x = (0..<count).map { _ in offset + Int.random(in: 0..<range, using: &random) }
      let y = (0..<count).map { _ in Int.random(in: -range...range, using: &random) }
      try compare(x: x, y: y)
    }
  }

  @Test(
    "Scaling by powers of two scales every result exactly, at any size",
    arguments: [
      (0, 0), (1, -3), (40, 40), (-500, 300), (900, 900), (-900, -900), (-1000, 0), (0, 1010),
    ])
  func scaling(xExponent: Int, yExponent: Int) throws {
    var random = SplitMix64(seed: 6)
    let x = (0..<50).map { _ in Double.random(in: -1...1, using: &random) }
    let y = (0..<50).map { _ in Double.random(in: -1...1, using: &random) }
    let plain = try LinearTrend(x: x, y: y)
    let scaled = try LinearTrend(
      x: x.map { scale($0, xExponent) }, y: y.map { scale($0, yExponent) })
    #expect(scaled.slope == scale(plain.slope, yExponent - xExponent))
    #expect(scaled.slopeStandardError == scale(plain.slopeStandardError, yExponent - xExponent))
    #expect(scaled.intercept == scale(plain.intercept, yExponent))
    #expect(scaled.interceptStandardError == scale(plain.interceptStandardError, yExponent))
    #expect(scaled.residualStandardDeviation == scale(plain.residualStandardDeviation, yExponent))
    #expect(scaled.rSquared == plain.rSquared)
  }

  @Test("Adding a line to the points adds it to the trend, and leaves the errors")
  func addingALine() throws {
    var random = SplitMix64(seed: 7)
    let x = (0..<100).map { _ in Double.random(in: 0...365, using: &random) }
    let y = (0..<100).map { _ in Double.random(in: 50...80, using: &random) }
    let plain = try LinearTrend(x: x, y: y)
    let tilted = try LinearTrend(x: x, y: zip(x, y).map { $1 + 7 - 0.25 * $0 })
    #expect(isNear(tilted.slope, plain.slope - 0.25, 1e-12))
    #expect(isNear(tilted.intercept, plain.intercept + 7, 1e-12))
    #expect(isNear(tilted.slopeStandardError, plain.slopeStandardError, 1e-12))
  }

  @Test("The order of points makes no difference beyond rounding, nor does where x starts")
  func orderAndOrigin() throws {
    var random = SplitMix64(seed: 8)
    let x = (0..<365).map(Double.init)
    let y = x.map { _ in Double.random(in: 50...80, using: &random) }
    let plain = try LinearTrend(x: x, y: y)
    let order = x.indices.shuffled(using: &random)
    let shuffled = try LinearTrend(x: order.map { x[$0] }, y: order.map { y[$0] })
    #expect(isNear(shuffled.slope, plain.slope, 1e-11))
    #expect(isNear(shuffled.intercept, plain.intercept, 1e-12))
    // Days as seconds since 2001: the abscissas are large and close together.
    let seconds = try LinearTrend(x: x.map { 757_382_400 + 86_400 * $0 }, y: y)
    #expect(isNear(seconds.slope * 86_400, plain.slope, 1e-10))
    #expect(isNear(try #require(seconds.rSquared), try #require(plain.rSquared), 1e-10))
    #expect(isNear(seconds.value(at: 757_382_400), plain.intercept, 1e-9))
  }

  @Test("Points on a line leave no residual, and equal y have no R²")
  func exactLines() throws {
    let line = try LinearTrend(x: [1, 2, 3, 4], y: [5, 7, 9, 11])
    #expect(isNear(line.slope, 2, 1e-15) && isNear(line.intercept, 3, 1e-14))
    #expect(line.residualStandardDeviation < 1e-14)
    #expect(try #require(line.rSquared) > 1 - 1e-15)
    let flat = try LinearTrend(x: [0.1, 0.7, 0.3], y: [0.1, 0.1, 0.1])
    #expect(flat.slope == 0 && flat.intercept == 0.1 && flat.rSquared == nil)
    #expect(flat.residualStandardDeviation == 0)
    #expect(try flat.slopeInterval() == 0...0)
  }

  @Test("Abscissas that differ in their last bit alone still give a line")
  func closeAbscissas() throws {
    let trend = try LinearTrend(x: [1, 1, 1 + 1.0.ulp], y: [2, 2, 3])
    #expect(isNear(trend.slope, 1 / 1.0.ulp, 1e-12))
  }

  @Test("The interval of the slope is centred, grows with confidence, and holds the true slope")
  func slopeInterval() throws {
    let trend = try LinearTrend(x: [0, 1, 2, 3], y: [1, 3, 4, 6])
    var last = 0.0
    for confidence in [0.1, 0.5, 0.9, 0.95, 0.99, 0.999_999] {
      let interval = try trend.slopeInterval(confidence: confidence)
      let width = interval.upperBound - interval.lowerBound
      #expect(isNear((interval.lowerBound + interval.upperBound) / 2, trend.slope, 1e-12))
      #expect(width > last)
      last = width
    }
    #expect(try trend.slopeInterval() == trend.slopeInterval(confidence: 0.95))
    // With two degrees of freedom the tables say 4.303.
    let half = try trend.slopeInterval().upperBound - trend.slope
    #expect((half / trend.slopeStandardError - 4.303).magnitude < 0.001)
  }

  @Test("Of many intervals of 90 % confidence, nine in ten hold the true slope")
  func coverage() throws {
    var random = SplitMix64(seed: 9)
    let runs = 2000
    var hits = 0
    for _ in 0..<runs {
      let x = (0..<8).map(Double.init)
      let y = x.map { 2 - 0.5 * $0 + normal(&random) }
      let interval = try LinearTrend(x: x, y: y).slopeInterval(confidence: 0.9)
      if interval.contains(-0.5) { hits += 1 }
    }
    // Four standard deviations of a binomial count.
    let expected = 0.9 * Double(runs)
    #expect((Double(hits) - expected).magnitude < 4 * (expected * 0.1).squareRoot())
  }

  @Test("Too little, singular or broken data is refused with a reason and a row")
  func refusals() throws {
    #expect(refusal([], []) == AnalysisError(.tooFewPoints(count: 0, needed: 3)))
    #expect(refusal([1, 2], [1, 2]) == AnalysisError(.tooFewPoints(count: 2, needed: 3)))
    #expect(refusal([1, 2, 3], [1, 2]) == AnalysisError(.lengthsDiffer(x: 3, y: 2)))
    #expect(refusal([5, 5, 5], [1, 2, 3]) == AnalysisError(.singular))
    #expect(refusal([0.1, 0.1, 0.1], [1, 2, 3]) == AnalysisError(.singular))
    #expect(refusal([0, 0, -0.0], [1, 2, 3]) == AnalysisError(.singular))
    #expect(refusal([1, .nan, 3], [1, 2, 3]) == AnalysisError(.notFinite, row: 1))
    #expect(refusal([1, 2, 3], [1, 2, -.infinity]) == AnalysisError(.notFinite, row: 2))
    let huge = Double.greatestFiniteMagnitude
    #expect(refusal([0, 0, 1e-300], [-huge, -huge, huge]) == AnalysisError(.overflow))
    let trend = try LinearTrend(x: [-huge, 0, huge], y: [-huge, 1, huge])
    #expect(isNear(trend.slope, 1, 1e-12))
    for confidence in [0, 1, -0.5, 2, Double.nan, .infinity] {
      #expect(throws: AnalysisError(.confidenceOutOfRange)) {
        try trend.slopeInterval(confidence: confidence)
      }
    }
  }

  @Test("An interval whose end is beyond every double is refused")
  func intervalOverflow() throws {
    let huge = Double.greatestFiniteMagnitude
    let trend = try LinearTrend(x: [0, 1, 2], y: [-huge / 4, huge / 4, -huge / 4])
    #expect(throws: AnalysisError(.overflow)) {
      try trend.slopeInterval(confidence: 1 - 1e-15)
    }
  }

  private func compare(x: [Int], y: [Int]) throws {
    let columns = (x.map(Double.init), y.map(Double.init))
    guard let slow = SlowLinearTrend(x: x, y: y) else {
      #expect(refusal(columns.0, columns.1) == AnalysisError(.singular))
      return
    }
    let trend = try LinearTrend(x: columns.0, y: columns.1)
    // What a result can lose is relative to the sizes that it is made of.
    let height = Double(y.map(\.magnitude).max() ?? 0)
    let width = Double((x.max() ?? 0) - (x.min() ?? 0))
    let reach = Double(x.map(\.magnitude).max() ?? 0) / width + 1
    let bound = 1e-13 * height
    #expect((trend.slope - slow.slope).magnitude <= bound / width)
    #expect((trend.intercept - slow.intercept).magnitude <= bound * reach)
    #expect((trend.residualStandardDeviation - slow.residualStandardDeviation).magnitude <= bound)
    #expect((trend.slopeStandardError - slow.slopeStandardError).magnitude <= bound / width)
    #expect(
      (trend.interceptStandardError - slow.interceptStandardError).magnitude <= bound * reach)
    #expect((trend.rSquared == nil) == (slow.rSquared == nil))
    if let ours = trend.rSquared, let theirs = slow.rSquared {
      #expect((ours - theirs).magnitude <= 1e-13)
      #expect((0...1).contains(ours))
    }
  }

  private func refusal(_ x: [Double], _ y: [Double]) -> AnalysisError? {
    do {
      _ = try LinearTrend(x: x, y: y)
      return nil
    } catch {
      return error
    }
  }

  private func isNear(_ value: Double, _ expected: Double, _ tolerance: Double) -> Bool {
    (value - expected).magnitude <= tolerance * expected.magnitude
  }

  private func scale(_ value: Double, _ exponent: Int) -> Double {
    Double(sign: .plus, exponent: exponent, significand: value)
  }

  /// About normal: twelve uniform numbers less their mean (mean 0, variance 1).
  private func normal(_ random: inout SplitMix64) -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
  }

  private func tuples(of values: [Int], count: Int) -> [[Int]] {
    (0..<count).reduce([[]]) { tuples, _ in tuples.flatMap { tuple in values.map { tuple + [$0] } }
    }
  }
}
