import HealthAnalysis
import Testing
import _HealthTestSupport

@Suite
struct HostileTrendTests {
  @Test("Columns of numbers of any size give finite results or a typed refusal")
  func anySize() {
    var random = SplitMix64(seed: 61)
    var answered = 0
    for _ in 0..<(Soak.isLong ? 20_000 : 300) {
      let count = Int.random(in: 0...14, using: &random)
      let x = column(count, &random)
      let y = column(count, &random)
      let weights = column(count, &random).map(\.magnitude)
      answered += isFinite { () throws(AnalysisError) in
        let trend = try TheilSenTrend(x: x, y: y)
        let interval = trend.slopeInterval
        return [
          trend.slope, trend.intercept, trend.jointIntercept, interval.lowerBound,
          interval.upperBound,
        ]
      }
      answered += isFinite { () throws(AnalysisError) in
        let trend = try HuberTrend(x: x, y: y)
        return [
          trend.slope, trend.intercept, trend.scale, trend.slopeStandardError,
          trend.interceptStandardError,
        ] + trend.weights
      }
      answered += isFinite { () throws(AnalysisError) in
        let test = try MannKendall(x: x, y: y)
        return [test.tau, test.variance, test.pValue]
      }
      answered += isFinite { () throws(AnalysisError) in
        let test = try RegularSeries(y).mannKendallUnderAutocorrelation(lags: 1)
        return [test.slope, test.variance, test.statistic, test.pValue]
      }
      answered += isFinite { () throws(AnalysisError) in
        let errors = try LinearTrend.neweyWestErrors(x: x, y: y)
        return [errors.slope, errors.intercept]
      }
      answered += isFinite { () throws(AnalysisError) in
        var design = Design(rowCount: count)
        try design.add("x", x)
        let model = try LinearModel(design, response: y, weights: weights)
        let robust = try model.neweyWestErrors()
        return model.coefficients + model.standardErrors + model.residuals + robust
          + [model.residualStandardDeviation, model.rSquared ?? 0, model.pValue(of: 1)]
      }
      answered += isFinite { () throws(AnalysisError) in
        var design = Design(rowCount: count)
        try design.add("x", x)
        let model = try HuberModel(design, response: y)
        return model.coefficients + model.standardErrors + model.weights + [model.scale]
      }
    }
    #expect(answered > 300)
  }

  /// 1 for an answer, 0 for a refusal; a number that is not finite fails.
  private func isFinite(_ numbers: () throws(AnalysisError) -> [Double]) -> Int {
    do {
      let found = try numbers()
      #expect(found.allSatisfy { $0.isFinite }, "\(found)")
      return 1
    } catch {
      #expect(!error.description.isEmpty)
      return 0
    }
  }

  private func column(_ count: Int, _ random: inout SplitMix64) -> [Double] {
    let spread = [0, 3, 60, 1070].randomElement(using: &random) ?? 0
    let middle = Int.random(in: -1000...1000, using: &random)
    return (0..<count).map { _ in
      let exponent = middle + Int.random(in: -spread...spread, using: &random)
      let value = Double(
        sign: .plus, exponent: min(1022, max(-1074, exponent)),
        significand: Double(Int.random(in: -8...8, using: &random)) / 8)
      return Int.random(in: 0..<5, using: &random) == 0 ? 0 : value
    }
  }
}
