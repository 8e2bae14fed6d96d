import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct TheilSenTrendTests {
  @Test("Slope, intercepts and interval are those of SciPy, and all but the interval those of R")
  func references() throws {
    for reference in try RegressionReferences.all.get().trends {
      for expected in reference.theilSen {
        let trend = try TheilSenTrend(
          x: reference.x, y: reference.y, confidence: expected.confidence)
        #expect(agrees(trend.slope, expected.slope, 1e-14), "\(reference.name)")
        #expect(agrees(trend.intercept, expected.intercept, 1e-11), "\(reference.name)")
        #expect(agrees(trend.jointIntercept, expected.joint, 1e-11), "\(reference.name)")
        #expect(agrees(trend.slopeInterval.lowerBound, expected.low, 1e-14), "\(reference.name)")
        #expect(agrees(trend.slopeInterval.upperBound, expected.high, 1e-14), "\(reference.name)")
        let r = try #require(reference.r["theilSen"])
        #expect(agrees([trend.slope, trend.intercept, trend.jointIntercept], r, 1e-11))
      }
    }
    let specified = try RegressionReferences.all.get().specification.theilSen
    let points = try #require(try RegressionReferences.trend("specification"))
    let trend = try TheilSenTrend(x: points.x, y: points.y)
    let found = [
      trend.slope, trend.intercept, trend.jointIntercept, trend.slopeInterval.lowerBound,
      trend.slopeInterval.upperBound,
    ]
    #expect(agrees(found, specified, 1e-12))
  }

  @Test("All small whole-numbered points give the median of the sorted slopes, and Sen's ranks")
  func smallInputs() throws {
    for count in 2...4 {
      for x in Tuples.all(of: [0, 1, 3], count: count) {
        for y in Tuples.all(of: [-1, 0, 2], count: count) { try compare(x, y, capacity: 4) }
      }
    }
  }

  @Test("Random points give the slopes of the sorted list, however few of them are kept")
  func randomInputs() throws {
    var random = SplitMix64(seed: 21)
    for round in 0..<(Soak.isLong ? 2000 : 40) {
      let count = Int.random(in: 2...120, using: &random)
      let values = Int.random(in: 1...400, using: &random)
      let x = (0..<count).map { _ in Double(Int.random(in: 0...values, using: &random)) / 3 }
      let y = (0..<count).map { (row: Int) -> Double in
        Double(Int.random(in: 0...values, using: &random)) / 7 + x[row] * Double(round % 3)
      }
      try compare(x, y, capacity: [4, 16, 200, 1 << 17][round % 4])
    }
  }

  @Test("Many equal slopes, and slopes in steps, are found in spite of few that are kept")
  func equalSlopes() throws {
    let x = (0..<150).map(Double.init)
    try compare(x, x.map { 2 * $0 + 1 }, capacity: 4)
    try compare(x, x.map { ($0 / 50).rounded(.down) }, capacity: 4)
    try compare(x, x.map { $0 == 70 ? 1e9 : 3 }, capacity: 8)
    try compare(x, x.map { $0.truncatingRemainder(dividingBy: 2) * 1e300 }, capacity: 8)
  }

  @Test("Scaling by powers of two scales every result exactly", arguments: [(3, -4), (-300, 400)])
  func scaling(xExponent: Int, yExponent: Int) throws {
    let points = try #require(try RegressionReferences.trend("outliers"))
    let plain = try TheilSenTrend(x: points.x, y: points.y)
    let scaled = try TheilSenTrend(
      x: points.x.map { $0.scaled(by: xExponent) }, y: points.y.map { $0.scaled(by: yExponent) })
    let exponent = yExponent - xExponent
    #expect(scaled.slope == plain.slope.scaled(by: exponent))
    #expect(scaled.slopeInterval.lowerBound == plain.slopeInterval.lowerBound.scaled(by: exponent))
    #expect(scaled.slopeInterval.upperBound == plain.slopeInterval.upperBound.scaled(by: exponent))
    #expect(scaled.intercept == plain.intercept.scaled(by: yExponent))
    #expect(scaled.jointIntercept == plain.jointIntercept.scaled(by: yExponent))
  }

  @Test("Order makes no difference; reversed time and sign turn the line; a line adds up")
  func laws() throws {
    var random = SplitMix64(seed: 22)
    let x = (0..<70).map { _ in Double(Int.random(in: 0...1000, using: &random)) }
    let y = x.map { 0.25 * $0 + Double(Int.random(in: -900...900, using: &random)) }
    let plain = try TheilSenTrend(x: x, y: y)
    let order = x.indices.shuffled(using: &random)
    #expect(try TheilSenTrend(x: order.map { x[$0] }, y: order.map { y[$0] }) == plain)
    let reversed = try TheilSenTrend(x: x.map { -$0 }, y: y)
    #expect(reversed.slope == -plain.slope && reversed.intercept == plain.intercept)
    let negative = try TheilSenTrend(x: x, y: y.map { -$0 })
    #expect(negative.slope == -plain.slope && negative.jointIntercept == -plain.jointIntercept)
    let tilted = try TheilSenTrend(x: x, y: zip(x, y).map { $1 + 7 - 2 * $0 })
    #expect(agrees(tilted.slope, plain.slope - 2, 1e-13))
    #expect(agrees(tilted.jointIntercept, plain.jointIntercept + 7, 1e-12))
    #expect(
      agrees(tilted.slopeInterval.upperBound, plain.slopeInterval.upperBound - 2, 1e-13))
  }

  @Test("A quarter of the points may lie anywhere, and the line stays within that of the others")
  func outliers() throws {
    let x = (0..<40).map(Double.init)
    var y = x.map { 5 - 0.5 * $0 }
    for row in stride(from: 3, to: 40, by: 4) { y[row] = row.isMultiple(of: 8) ? 1e250 : -1e250 }
    let trend = try TheilSenTrend(x: x, y: y)
    #expect(trend.slope == -0.5 && trend.intercept.magnitude < 20)
  }

  @Test("A series leaves out its gaps, and more confidence makes a wider interval")
  func series() throws {
    let series = try RegularSeries([1, nil, 5, 6, nil, 12, 10])
    let trend = try series.theilSenTrend()
    #expect(trend == (try TheilSenTrend(x: [0, 2, 3, 5, 6], y: [1, 5, 6, 12, 10])))
    let points = try #require(try RegressionReferences.trend("outliers"))
    var last = 0...0.0
    for confidence in [0.1, 0.5, 0.9, 0.99, 0.999_999] {
      let interval = try TheilSenTrend(
        x: points.x, y: points.y, confidence: confidence
      ).slopeInterval
      #expect(last == 0...0 || interval.lowerBound <= last.lowerBound)
      #expect(last == 0...0 || interval.upperBound >= last.upperBound)
      last = interval
    }
  }

  @Test("Equal y have the slope 0 with certainty, and extreme numbers a line or a refusal")
  func extremes() throws {
    let flat = try TheilSenTrend(x: [0, 0, 1, 1, 2, 2], y: [4, 4, 4, 4, 4, 4])
    #expect(flat.slope == 0 && flat.slopeInterval == 0...0 && flat.intercept == 4)
    let huge = Double.greatestFiniteMagnitude
    let line = try TheilSenTrend(x: [-huge, 0, huge], y: [-huge, 1, huge])
    #expect(agrees(line.slope, 1, 1e-15))
    let tiny = Double.leastNonzeroMagnitude
    #expect(try TheilSenTrend(x: [0, tiny, 2 * tiny], y: [0, tiny, 2 * tiny]).slope == 1)
    #expect(refusal([0, tiny, 2 * tiny], [0, 1, 2]) == AnalysisError(.overflow))
    #expect(refusal([1e-300, 2e-300], [huge, -huge]) == AnalysisError(.overflow))
  }

  @Test("Too little, too much, singular or broken data is refused with a reason and a row")
  func refusals() throws {
    #expect(refusal([], []) == AnalysisError(.tooFewPoints(count: 0, needed: 2)))
    #expect(refusal([1], [1]) == AnalysisError(.tooFewPoints(count: 1, needed: 2)))
    #expect(refusal([1, 2, 3], [1, 2]) == AnalysisError(.lengthsDiffer(x: 3, y: 2)))
    #expect(refusal([5, 5, 5], [1, 2, 3]) == AnalysisError(.singular))
    #expect(refusal([1, .nan, 3], [1, 2, 3]) == AnalysisError(.notFinite, row: 1))
    #expect(refusal([1, 2, 3], [1, 2, .infinity]) == AnalysisError(.notFinite, row: 2))
    let many = [Double](repeating: 1, count: TheilSenTrend.pointLimit + 1)
    #expect(
      refusal(many, many)
        == AnalysisError(.tooManyPoints(count: 65_537, limit: TheilSenTrend.pointLimit)))
    for confidence in [0, 1, -1, Double.nan] {
      #expect(throws: AnalysisError(.confidenceOutOfRange)) {
        try TheilSenTrend(x: [1, 2], y: [1, 2], confidence: confidence)
      }
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 2))) {
      try RegularSeries([nil, nil]).theilSenTrend()
    }
  }

  @Test("Sen's interval of 90 % holds the true slope about nine times in ten")
  func coverage() throws {
    var random = SplitMix64(seed: 23)
    let runs = Soak.isLong ? 20_000 : 400
    var hits = 0
    for _ in 0..<runs {
      let x = (0..<20).map(Double.init)
      let y = x.map { 3 - 0.25 * $0 + Double.random(in: -1...1, using: &random) }
      let trend = try TheilSenTrend(x: x, y: y, confidence: 0.9)
      if trend.slopeInterval.contains(-0.25) { hits += 1 }
    }
    // The ranks are whole numbers, so that the coverage is near 0.9, not equal to it.
    let share = Double(hits) / Double(runs)
    #expect((Soak.isLong ? 0.88...0.93 : 0.84...0.95).contains(share))
  }

  private func compare(_ x: [Double], _ y: [Double], capacity: Int) throws {
    guard Set(x).count > 1 else {
      #expect(refusal(x, y) == AnalysisError(.singular))
      return
    }
    let slow = SlowTheilSen(x: x, y: y)
    let trend = try TheilSenTrend(x: x, y: y, confidence: 0.9, capacity: capacity)
    #expect(trend.slope == slow.median)
    #expect(trend.pairCount == slow.slopes.count)
    let scaled = SlowTheilSen.scaledVariance(x: x, y: y)
    guard scaled > 0 else { return }
    let spread = 1.644_853_626_951_472_2 * (Double(scaled) / 18).squareRoot()
    let total = Double(slow.slopes.count)
    let low = max(0, Int(((total - spread) / 2).rounded(.toNearestOrEven)) - 1)
    let high = min(Int(total) - 1, Int(((total + spread) / 2).rounded(.toNearestOrEven)))
    #expect(trend.slopeInterval == slow.slopes[low]...slow.slopes[high])
  }

  private func refusal(_ x: [Double], _ y: [Double]) -> AnalysisError? {
    do {
      _ = try TheilSenTrend(x: x, y: y)
      return nil
    } catch {
      return error
    }
  }
}

/// All lists of some numbers.
enum Tuples {
  static func all(of values: [Double], count: Int) -> [[Double]] {
    (0..<count).reduce([[]]) { lists, _ in lists.flatMap { list in values.map { list + [$0] } } }
  }
}
