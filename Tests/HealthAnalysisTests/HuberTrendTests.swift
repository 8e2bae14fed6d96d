import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct HuberTrendTests {
  @Test("Lines, scales, errors and weights are those of statsmodels and of MASS in R")
  func references() throws {
    var compared = 0
    for reference in try RegressionReferences.all.get().trends {
      guard let expected = reference.huber else { continue }
      let trend = try HuberTrend(x: reference.x, y: reference.y)
      // Days as seconds: statsmodels does not centre x.
      let near = reference.name == "seconds" ? 1e-5 : 1e-8
      #expect(
        agrees([trend.intercept, trend.slope], expected.coefficients, near), "\(reference.name)")
      #expect(agrees(trend.scale, expected.scale, near), "\(reference.name)")
      let errors = [trend.interceptStandardError, trend.slopeStandardError]
      #expect(agrees(errors, expected.errors, near), "\(reference.name)")
      #expect(agrees(trend.weights, expected.weights, near), "\(reference.name)")
      let r = reference.r
      #expect(
        agrees([trend.intercept, trend.slope], try #require(r["huberCoefficients"]), near),
        "\(reference.name) R")
      #expect(agrees([trend.scale], try #require(r["huberScale"]), near), "\(reference.name) R")
      #expect(agrees(errors, try #require(r["huberErrors"]), near), "\(reference.name) R")
      compared += 1
    }
    #expect(compared >= 6)
    let specified = try RegressionReferences.all.get().specification
    let points = try #require(try RegressionReferences.trend("specification"))
    let trend = try HuberTrend(x: points.x, y: points.y)
    #expect(agrees([trend.intercept, trend.slope], specified.huber, 1e-10))
    #expect(agrees(trend.scale, specified.huberScale, 1e-10))
  }

  @Test("Models of several columns are those of statsmodels and of MASS in R")
  func models() throws {
    var compared = 0
    for reference in try RegressionReferences.all.get().models {
      guard let expected = reference.huber else { continue }
      var design = Design(rowCount: reference.response.count, hasIntercept: reference.hasIntercept)
      for (name, column) in zip(reference.names, reference.columns) { try design.add(name, column) }
      let model = try HuberModel(design, response: reference.response)
      let near = reference.name == "Longley" ? 1e-5 : 1e-8
      #expect(agrees(model.coefficients, expected.coefficients, near), "\(reference.name)")
      #expect(agrees(model.scale, expected.scale, near), "\(reference.name)")
      #expect(agrees(model.standardErrors, expected.errors, near), "\(reference.name)")
      let r = reference.r
      #expect(agrees(model.coefficients, try #require(r["huberCoefficients"]), near))
      #expect(agrees([model.scale], try #require(r["huberScale"]), near), "\(reference.name)")
      #expect(agrees(model.standardErrors, try #require(r["huberErrors"]), near))
      compared += 1
    }
    #expect(compared >= 4)
  }

  @Test("Random points give the line of many plain steps, and that of the general model")
  func twins() throws {
    var random = SplitMix64(seed: 51)
    var settled = 0
    for _ in 0..<(Soak.isLong ? 3000 : 20) {
      let count = Int.random(in: 5...40, using: &random)
      let (x, y) = points(count, &random)
      guard let trend = try? HuberTrend(x: x, y: y) else { continue }
      settled += 1
      guard trend.scale > 1e-6 else { continue }
      let slow = SlowHuber(x: x, y: y, tuning: 1.345, steps: 400)
      let size = y.reduce(0) { max($0, $1.magnitude) }
      #expect((trend.slope - slow.slope).magnitude <= 1e-8 * size)
      #expect((trend.intercept - slow.intercept).magnitude <= 1e-8 * size)
      #expect((trend.scale - slow.scale).magnitude <= 1e-8 * size)
      var design = Design(rowCount: count)
      try design.add("x", x)
      let model = try HuberModel(design, response: y)
      #expect((model.coefficients[1] - trend.slope).magnitude <= 1e-9 * size)
      #expect(agrees(model.scale, trend.scale, 1e-8))
      #expect(agrees(model.standardErrors[1], trend.slopeStandardError, 1e-8))
    }
    #expect(settled > 15)
  }

  @Test("Scaling by powers of two scales every result exactly", arguments: [(3, -4), (-900, 900)])
  func scaling(xExponent: Int, yExponent: Int) throws {
    let points = try #require(try RegressionReferences.trend("outliers"))
    let plain = try HuberTrend(x: points.x, y: points.y)
    let scaled = try HuberTrend(
      x: points.x.map { $0.scaled(by: xExponent / 8) },
      y: points.y.map { $0.scaled(by: yExponent) })
    #expect(scaled.slope == plain.slope.scaled(by: yExponent - xExponent / 8))
    #expect(scaled.intercept == plain.intercept.scaled(by: yExponent))
    #expect(scaled.scale == plain.scale.scaled(by: yExponent))
    #expect(scaled.weights == plain.weights && scaled.steps == plain.steps)
    #expect(
      scaled.slopeStandardError == plain.slopeStandardError.scaled(by: yExponent - xExponent / 8))
  }

  @Test("Order makes no difference; a line adds up; reversed time turns the line")
  func laws() throws {
    var random = SplitMix64(seed: 52)
    let (x, y) = points(60, &random)
    let plain = try HuberTrend(x: x, y: y)
    let order = x.indices.shuffled(using: &random)
    let shuffled = try HuberTrend(x: order.map { x[$0] }, y: order.map { y[$0] })
    #expect(agrees(shuffled.slope, plain.slope, 1e-9))
    #expect(agrees(shuffled.weights, order.map { plain.weights[$0] }, 1e-8))
    let tilted = try HuberTrend(x: x, y: zip(x, y).map { $1 + 7 - 2 * $0 })
    #expect(agrees(tilted.slope, plain.slope - 2, 1e-9))
    #expect(agrees(tilted.intercept, plain.intercept + 7, 1e-9))
    #expect(agrees(tilted.scale, plain.scale, 1e-8))
    let reversed = try HuberTrend(x: x.map { -$0 }, y: y)
    #expect(agrees(reversed.slope, -plain.slope, 1e-9))
    // With k so large that no point weighs less, the line is that of least squares.
    let wide = try HuberTrend(x: x, y: y, tuning: 1e6)
    let squares = try LinearTrend(x: x, y: y)
    #expect(agrees(wide.slope, squares.slope, 1e-12))
    #expect(agrees(wide.slopeStandardError, squares.slopeStandardError, 1e-12))
    #expect(wide.weights.allSatisfy { $0 == 1 })
  }

  @Test("Where more than half of the points lie on a line, the result is that line")
  func exactLines() throws {
    let x = (0..<12).map(Double.init)
    let line = try HuberTrend(x: x, y: x.map { 3 - 0.5 * $0 })
    #expect(line.slope == -0.5 && line.scale == 0 && line.slopeStandardError == 0)
    #expect(line.weights.allSatisfy { $0 == 1 })
    var y = x.map { 3 - 0.5 * $0 }
    y[4] = 50
    y[9] = -1e6
    let trend = try HuberTrend(x: x, y: y)
    #expect(agrees(trend.slope, -0.5, 1e-14) && agrees(trend.intercept, 3, 1e-9))
    #expect(trend.scale == 0 && trend.weights == x.map { $0 == 4 || $0 == 9 ? 0 : 1 })
    #expect(try trend.slopeInterval() == trend.slope...trend.slope)
    var design = Design(rowCount: 12)
    try design.add("x", x)
    let model = try HuberModel(design, response: y)
    #expect(agrees(model.coefficients[1], -0.5, 1e-9) && model.scale == 0)
    let flat = try HuberTrend(x: x, y: Array(repeating: 0.1, count: 12))
    #expect(flat.slope == 0 && flat.intercept == 0.1 && flat.scale == 0)
  }

  @Test("A series leaves out its gaps, and the interval grows with confidence")
  func series() throws {
    let series = try RegularSeries([1, nil, 5, 6, nil, 12, 10, 30])
    let trend = try series.huberTrend()
    #expect(trend == (try HuberTrend(x: [0, 2, 3, 5, 6, 7], y: [1, 5, 6, 12, 10, 30])))
    let narrow = try trend.slopeInterval(confidence: 0.5)
    let wide = try trend.slopeInterval(confidence: 0.99)
    #expect(wide.lowerBound < narrow.lowerBound && narrow.upperBound < wide.upperBound)
    // 1.96 standard errors on either side.
    let half = try trend.slopeInterval().upperBound - trend.slope
    #expect((half / trend.slopeStandardError - 1.96).magnitude < 1e-3)
  }

  @Test("Too little, singular, or broken data is refused with a reason and a row")
  func refusals() throws {
    #expect(
      refusal([1, 2, 3, 4], [1, 2, 3, 4]) == AnalysisError(.tooFewPoints(count: 4, needed: 5)))
    #expect(refusal([], []) == AnalysisError(.tooFewPoints(count: 0, needed: 5)))
    #expect(refusal([1, 2, 3], [1, 2]) == AnalysisError(.lengthsDiffer(x: 3, y: 2)))
    let ramp = [1, 2, 3, 4, 5.0]
    #expect(refusal([5, 5, 5, 5, 5], ramp) == AnalysisError(.singular))
    #expect(refusal([1, .nan, 3, 4, 5], ramp) == AnalysisError(.notFinite, row: 1))
    #expect(refusal(ramp, [1, 2, .infinity, 4, 5]) == AnalysisError(.notFinite, row: 2))
    for tuning in [0, -1, Double.nan, .infinity] {
      #expect(throws: AnalysisError.self) { try HuberTrend(x: ramp, y: ramp, tuning: tuning) }
    }
    var design = Design(rowCount: 4)
    try design.add("x", [1, 2, 3, 5])
    #expect(throws: AnalysisError(.tooFewPoints(count: 4, needed: 5))) {
      try HuberModel(design, response: [1, 2, 4, 3])
    }
    let trend = try HuberTrend(x: ramp, y: [1, 3, 2, 5, 3])
    #expect(throws: AnalysisError(.confidenceOutOfRange)) { try trend.slopeInterval(confidence: 1) }
  }

  @Test("Extreme numbers give finite results or a refusal", arguments: [1e300, 1.7e308, 0x1p-1060])
  func extremes(size: Double) throws {
    let shape = [0, 3, 1, 4, 1, 5, 9, 2, 6.0]
    for x in [shape, shape.map { $0 / 9 * size }] {
      for y in [shape.reversed().map { $0 / 9 * size }, [size, 1, 2, 3, 4, 5, 6, 7, -size]] {
        do {
          let trend = try HuberTrend(x: x, y: y)
          let numbers = [trend.slope, trend.intercept, trend.scale, trend.slopeStandardError]
          #expect(numbers.allSatisfy { $0.isFinite } && trend.weights.allSatisfy { $0 >= 0 })
        } catch {
          #expect(error.reason == .overflow || error.reason == .singular)
        }
      }
    }
  }

  @Test("With a tenth of wild points, the line is nearer to the truth than that of least squares")
  func wildPoints() throws {
    var random = SplitMix64(seed: 53)
    let runs = Soak.isLong ? 5000 : 100
    var (robust, plain) = (0.0, 0.0)
    for _ in 0..<runs {
      let x = (0..<40).map(Double.init)
      let y = x.map { row in
        let wild = Int.random(in: 0..<10, using: &random) == 0
        return 0.5 * row + Double.random(in: -1...1, using: &random) * (wild ? 30 : 1)
      }
      robust += (try HuberTrend(x: x, y: y).slope - 0.5).magnitude
      plain += (try LinearTrend(x: x, y: y).slope - 0.5).magnitude
    }
    #expect(robust < plain / 3)
  }

  private func points(
    _ count: Int, _ random: inout SplitMix64
  ) -> (x: [Double], y: [Double]) {
    let x = (0..<count).map { _ in Double.random(in: -3...3, using: &random) }
    let y = x.map { row in
      let wild = Int.random(in: 0..<6, using: &random) == 0
      return 2 + row + Double.random(in: -1...1, using: &random) * (wild ? 20 : 1)
    }
    return (x, y)
  }

  private func refusal(_ x: [Double], _ y: [Double]) -> AnalysisError? {
    do {
      _ = try HuberTrend(x: x, y: y)
      return nil
    } catch {
      return error
    }
  }
}
