import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct NeweyWestTests {
  @Test("Errors of models are those of statsmodels for each lag, and of R for lags 4 and 7")
  func models() throws {
    for reference in try RegressionReferences.all.get().models {
      var design = Design(rowCount: reference.response.count, hasIntercept: reference.hasIntercept)
      for (name, column) in zip(reference.names, reference.columns) { try design.add(name, column) }
      let model = try LinearModel(
        design, response: reference.response, weights: reference.weights)
      let isHard = reference.name.hasPrefix("Longley")
      for expected in reference.neweyWest ?? [] {
        let errors = try model.neweyWestErrors(
          lag: expected.isDefault ? nil : expected.lag, smallSample: expected.smallSample)
        #expect(agrees(errors, expected.errors, isHard ? 1e-7 : 1e-10), "\(reference.name)")
      }
      for lag in [4, 7] where reference.neweyWest != nil {
        for isSmall in [false, true] {
          let r = try #require(reference.r["neweyWest\(lag)" + (isSmall ? "Small" : "")])
          let errors = try model.neweyWestErrors(lag: lag, smallSample: isSmall)
          // R by hand inverts XᵀX, whose condition is that of X squared.
          #expect(agrees(errors, r, isHard ? 1e-4 : 1e-10), "\(reference.name)")
        }
      }
    }
  }

  @Test("Errors of the line are those of statsmodels, R and the specification")
  func line() throws {
    let specified = try RegressionReferences.all.get().specification
    let reference = try #require(try RegressionReferences.model("line"))
    for (lag, isSmall, expected) in [
      (4, false, specified.neweyWest4), (4, true, specified.neweyWest4Small),
      (7, false, specified.neweyWest7), (7, true, specified.neweyWest7Small),
    ] {
      let errors = try LinearTrend.neweyWestErrors(
        x: reference.columns[0], y: reference.response, lag: lag, smallSample: isSmall)
      #expect(agrees([errors.intercept, errors.slope], expected, 1e-12))
      let r = try #require(reference.r["neweyWest\(lag)" + (isSmall ? "Small" : "")])
      #expect(agrees([errors.intercept, errors.slope], r, 1e-11))
    }
    let byDefault = try #require(reference.neweyWest?.first { $0.isDefault && $0.smallSample })
    let errors = try LinearTrend.neweyWestErrors(x: reference.columns[0], y: reference.response)
    #expect(agrees([errors.intercept, errors.slope], byDefault.errors, 1e-12))
  }

  @Test("The usual lag is the largest L with (L/4)⁹ ≤ (n/100)², in whole numbers")
  func usualLag() {
    for count in Array(0...3000) + [51_199, 51_200, 51_201, 1_968_299, 1_968_300] {
      let squares = Int128(count) * Int128(count) * 262_144
      let exact = (0...40).last { lag in
        (0..<9).reduce(Int128(10_000)) { product, _ in product * Int128(lag) } <= squares
      }
      #expect(NeweyWest.lag(count: count) == min(max(0, count - 1), exact ?? 0), "\(count)")
    }
  }

  @Test("A unit of x or y scales the errors, and a shift of x leaves that of the slope")
  func laws() throws {
    let reference = try #require(try RegressionReferences.model("line"))
    let (x, y) = (reference.columns[0], reference.response)
    let plain = try LinearTrend.neweyWestErrors(x: x, y: y)
    let scaled = try LinearTrend.neweyWestErrors(x: x.map { $0 / 8 }, y: y.map { $0 * 0x1p300 })
    #expect(scaled.slope == plain.slope * 0x1p303)
    #expect(scaled.intercept == plain.intercept * 0x1p300)
    let shifted = try LinearTrend.neweyWestErrors(x: x.map { $0 + 700_000 }, y: y)
    #expect(agrees(shifted.slope, plain.slope, 1e-9))
    let reversed = try LinearTrend.neweyWestErrors(
      x: x.reversed().map { -$0 }, y: y.reversed())
    #expect(agrees(reversed.slope, plain.slope, 1e-11))
  }

  @Test("A lag outside of the rows is refused, and points on a line have no error")
  func refusals() throws {
    let x = (0..<5).map(Double.init)
    for lag in [-1, 5, .max, .min] {
      #expect(throws: AnalysisError.self) {
        try LinearTrend.neweyWestErrors(x: x, y: [1, 3, 2, 5, 4], lag: lag)
      }
    }
    let line = try LinearTrend.neweyWestErrors(x: x, y: x, lag: 4)
    #expect(line.slope < 1e-15 && line.intercept < 1e-15)
    #expect(throws: AnalysisError(.tooFewPoints(count: 2, needed: 3))) {
      try LinearTrend.neweyWestErrors(x: [1, 2], y: [1, 2])
    }
  }
}
