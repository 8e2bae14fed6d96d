import Foundation
import HealthAnalysis
import Testing
import _HealthTestSupport

@Suite("Whittaker's smoother")
struct WhittakerSmoothTests {
  @Test(
    "Curves, traces and cross-validation are those of SciPy and of R to ten digits, and exact to fourteen"
  )
  func references() throws {
    let file = try SmoothingReferences.load()
    let other = try SmoothingReferences.loadR()
    #expect(file.curves.count == 36 && other.curves.count == 36)
    for row in file.curves + other.curves { try compare(row, file, 5e-11) }
  }

  @Test("Extreme penalties keep thirteen digits of a calculation with 80")
  func extremes() throws {
    let file = try SmoothingReferences.load()
    #expect(file.extremes.count == 9)
    for row in file.extremes {
      // The trace has no refinement as the curve has.
      try compare(row, file, 1e-13, traceTolerance: row.lambda < 1e12 ? 1e-7 : 1e-4)
    }
  }

  @Test("The penalty by cross-validation is that of a bounded search with SciPy")
  func crossValidation() throws {
    let file = try SmoothingReferences.load()
    for row in file.chosen {
      let smooth = try file.series(row.series).smoothed(order: row.order)
      #expect(abs(log10(smooth.penalty) - row.logLambda) < 1e-5)
      let score = try #require(smooth.crossValidation)
      #expect(isNear(score * score, row.gcv, 1e-11))
    }
  }

  @Test("The curve of the specification has its published values")
  func specification() throws {
    let series = try SmoothingReferences.load().series("gap")
    let curve = try series.smoothed(penalty: .value(100)).curve
    let published = [
      0: 60.26345094733146, 1: 60.27839003358569, 39: 60.76717682692449, 43: 60.42087529738191,
      60: 61.897235272851255, 119: 62.8770478529587,
    ]
    for (row, value) in published { #expect(isNear(try #require(curve[row]), value, 1e-12)) }
  }

  @Test("Random short series with gaps give the solution of the dense equations")
  func slowTwin() throws {
    var random = SplitMix64(seed: 21)
    for _ in 0..<150 {
      let order = Int.random(in: 1...3, using: &random)
      let count = Int.random(in: (order + 1)...14, using: &random)
      var values: [Double?] = (0..<count).map { _ in
        Int.random(in: 0..<4, using: &random) == 0 ? nil : Double.random(in: -5...5, using: &random)
      }
      values[0] = 1
      values[count - 1] = 2
      let lambda = pow(10, Double.random(in: -3...3, using: &random))
      let series = try RegularSeries(values)
      guard series.presentCount > order else {
        #expect(refusal(series, order, .value(lambda)) != nil)
        continue
      }
      let smooth = try series.smoothed(order: order, penalty: .value(lambda))
      let slow = SlowSmoothing.whittaker(values, order: order, lambda: lambda)
      for row in 0..<count {
        #expect(abs((smooth.curve[row] ?? .nan) - slow.curve[row]) < 1e-7)
      }
      #expect(abs(smooth.effectiveDimension - slow.trace) < 1e-7)
    }
  }

  @Test("A large penalty gives the polynomial of least squares, and leaves one as it is")
  func polynomials() throws {
    var random = SplitMix64(seed: 22)
    let noise = (0..<40).map { _ in Double.random(in: -1...1, using: &random) }
    let constant = try RegularSeries(noise).smoothed(order: 1, penalty: .value(1e12))
    let mean = noise.reduce(0, +) / 40
    for row in 0..<40 { #expect(abs((constant.curve[row] ?? .nan) - mean) < 1e-8) }
    let line = try RegularSeries(noise).smoothed(penalty: .value(1e12))
    let trend = try LinearTrend(x: (0..<40).map(Double.init), y: noise)
    for row in 0..<40 {
      #expect(abs((line.curve[row] ?? .nan) - trend.value(at: Double(row))) < 1e-6)
    }
    #expect(abs(line.effectiveDimension - 2) < 1e-4)
    #expect(
      isNear(try #require(line.residualStandardDeviation), trend.residualStandardDeviation, 1e-5))
    for order in 1...3 {
      let exact = (0..<40).map { pow(Double($0), Double(order - 1)) + 3 }
      for penalty in [WhittakerSmooth.Penalty.value(0.01), .value(1e12), .crossValidated] {
        let curve = try RegularSeries(exact).smoothed(order: order, penalty: penalty).curve
        for row in 0..<40 { #expect(isNear(curve[row] ?? .nan, exact[row], 1e-12)) }
      }
    }
  }

  @Test("Scaling by powers of two, shifting and turning time around do the same to the curve")
  func laws() throws {
    var random = SplitMix64(seed: 23)
    let values: [Double?] = (0..<60).map { row in
      row % 9 == 4 ? nil : Double.random(in: 50...80, using: &random)
    }
    for order in 1...3 {
      for penalty in [WhittakerSmooth.Penalty.value(50), .crossValidated] {
        let plain = try RegularSeries(values).smoothed(order: order, penalty: penalty)
        let scaled = try RegularSeries(values.map { $0.map { $0 * 0x1p40 } })
          .smoothed(order: order, penalty: penalty)
        #expect(scaled.curve.values == plain.curve.values.map { $0 * 0x1p40 })
        #expect(scaled.penalty == plain.penalty)
        let shifted = try RegularSeries(values.map { $0.map { $0 + 1000 } })
          .smoothed(order: order, penalty: .value(plain.penalty))
        let turned = try RegularSeries(Array(values.reversed()))
          .smoothed(order: order, penalty: .value(plain.penalty))
        for row in values.indices {
          #expect(abs(shifted.curve.values[row] - plain.curve.values[row] - 1000) < 1e-10)
          #expect(abs(turned.curve.values[59 - row] - plain.curve.values[row]) < 1e-10)
        }
        // The curve keeps the sums of the values with 1, t and t² that the penalty does not see.
        for power in 0..<order {
          let moment = values.indices.reduce(0.0) { sum, row in
            let distance = (values[row] ?? 0) - plain.curve.values[row]
            return sum + (values[row] == nil ? 0 : distance * pow(Double(row) / 60, Double(power)))
          }
          #expect(abs(moment) < 1e-9)
        }
      }
    }
  }

  @Test("A penalty of 0 gives the values back, and is refused where there are gaps")
  func noPenalty() throws {
    let values = [3.0, -1, 4, 1, -5, 9]
    let smooth = try RegularSeries(values).smoothed(penalty: .value(0))
    for row in values.indices { #expect(isNear(smooth.curve[row] ?? .nan, values[row], 1e-15)) }
    #expect(smooth.effectiveDimension == 6)
    #expect(smooth.crossValidation == nil && smooth.residualStandardDeviation == nil)
    let gap = try RegularSeries([1, 2, nil, 4])
    #expect(
      refusal(gap, 2, .value(0))
        == .parameter(name: "penalty", range: "above 0 where rows are missing"))
    // Rows before the first value and after the last are no gaps.
    let ends = try RegularSeries([nil, 1, 2, 5, nil])
    let curve = try ends.smoothed(penalty: .value(0)).curve
    #expect(curve.isPresent == [false, true, true, true, false])
  }

  @Test("Hostile series and parameters are refused with a reason, or have a finite curve")
  func hostile() throws {
    let series = try RegularSeries((0..<30).map { Double($0 % 4) })
    for order in [Int.min, -1, 0, 4, Int.max] {
      #expect(
        refusal(series, order, .value(1))
          == .parameter(name: "order of the differences", range: "1, 2 or 3"))
    }
    for lambda in [-1, 1e-7, 1e13, Double.nan, .infinity, -.infinity, .leastNonzeroMagnitude] {
      #expect(
        refusal(series, 2, .value(lambda))
          == .parameter(name: "penalty", range: "0, or from 1e-6 to 1e12"))
    }
    for order in 1...3 {
      for count in 0...order {
        for penalty in [WhittakerSmooth.Penalty.value(1), .crossValidated] {
          let present = try RegularSeries((0..<count).map(Double.init))
          #expect(
            refusal(present, order, penalty) == .tooFewPoints(count: count, needed: order + 1))
          let gaps = try RegularSeries(
            [nil, nil] + (0..<count).map { Double($0) } + [nil, nil, nil])
          #expect(refusal(gaps, order, penalty) == .tooFewPoints(count: count, needed: order + 1))
        }
      }
    }
    let huge = Double.greatestFiniteMagnitude
    let tiny = Double.leastNonzeroMagnitude
    for values in [
      [huge, -huge, huge, -huge, huge, -huge], [tiny, 0, tiny, 0, 9 * tiny, 0],
      [7, 7, 7, 7, 7, 7], [1e300, 1, 2, 3, -1e300, 5], [0, 0, 0, 0, 0, 0], [-0.0, 1, 0, 1, 0, 1],
    ] {
      for order in 1...3 {
        for penalty in [WhittakerSmooth.Penalty.value(1), .value(1e12), .crossValidated] {
          switch outcome(try RegularSeries(values), order, penalty) {
          case .success(let smooth):
            #expect(smooth.curve.values.allSatisfy { $0.isFinite })
            #expect((Double(order)...6).contains(smooth.effectiveDimension))
          case .failure(let error): #expect(error.reason == .overflow)
          }
        }
      }
    }
  }

  @Test("A gap of years between values either has a curve that fits them, or is refused")
  func longGap() throws {
    for order in 1...3 {
      for lambda in [1e-6, 1, 1e12] {
        let values: [Double?] =
          (0..<9).map { Double($0) } + Array(repeating: nil, count: 2000)
          + (0..<9).map { 8 - Double($0) }
        switch outcome(try RegularSeries(values), order, .value(lambda)) {
        case .success(let smooth):
          #expect(smooth.curve.values.allSatisfy { $0.isFinite })
          #expect(smooth.curve.presentCount == values.count)
        case .failure(let error):
          #expect(order == 3 && error.reason == .notConverged(steps: 10))
        }
      }
    }
  }

  private func compare(
    _ row: SmoothingReferences.Curve, _ file: SmoothingReferences, _ tolerance: Double,
    traceTolerance: Double = 1e-10
  ) throws {
    let smooth = try file.series(row.series)
      .smoothed(order: row.order, penalty: .value(row.lambda))
    #expect(smooth.order == row.order && smooth.penalty == row.lambda)
    let ours = (0..<row.curve.count).compactMap { smooth.curve[row.start + $0] }
    #expect(ours.count == row.curve.count && smooth.curve.presentCount == row.curve.count)
    #expect(zip(ours, row.curve).allSatisfy { isNear($0, $1, tolerance) })
    if let exact = row.exact { #expect(zip(ours, exact).allSatisfy { isNear($0, $1, 1e-14) }) }
    #expect(isNear(smooth.effectiveDimension, row.trace, traceTolerance))
    if let gcv = row.gcv {
      let score = try #require(smooth.crossValidation)
      #expect(isNear(score * score, gcv, 1e-10))
    }
  }

  private func refusal(
    _ series: RegularSeries, _ order: Int, _ penalty: WhittakerSmooth.Penalty
  ) -> AnalysisError.Reason? {
    guard case .failure(let error) = outcome(series, order, penalty) else { return nil }
    return error.reason
  }

  private func outcome(
    _ series: RegularSeries, _ order: Int, _ penalty: WhittakerSmooth.Penalty
  ) -> Result<WhittakerSmooth, AnalysisError> {
    Result { () throws(AnalysisError) in try series.smoothed(order: order, penalty: penalty) }
  }

  private func isNear(_ value: Double, _ expected: Double, _ tolerance: Double) -> Bool {
    (value - expected).magnitude <= tolerance * max(1, expected.magnitude)
  }
}
