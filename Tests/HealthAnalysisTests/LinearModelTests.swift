import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct LinearModelTests {
  @Test("NIST's certified regression of the Longley data comes out to ten digits and more")
  func longley() throws {
    let model = try fit(try #require(try RegressionReferences.model("Longley")))
    #expect(agrees(model.coefficients, Longley.coefficients, 1e-12))
    #expect(agrees(model.standardErrors, Longley.standardErrors, 1e-12))
    #expect(agrees(model.residualStandardDeviation, Longley.residualStandardDeviation, 1e-13))
    #expect(agrees(try #require(model.rSquared), Longley.rSquared, 1e-14))
    #expect(agrees(try #require(model.effectTest).statistic, Longley.statistic, 1e-12))
  }

  @Test("Coefficients, errors, probabilities, R², F and intervals are those of statsmodels and R")
  func references() throws {
    for reference in try RegressionReferences.all.get().models {
      let model = try fit(reference)
      let expected = reference.statsmodels
      // statsmodels loses digits where columns are nearly dependent, as Longley's are.
      let isHard = reference.name.hasPrefix("Longley")
      let near = isHard ? 1e-7 : 1e-10
      #expect(agrees(model.coefficients, expected.coefficients, near), "\(reference.name)")
      #expect(agrees(model.standardErrors, expected.errors, near), "\(reference.name)")
      #expect(agrees(model.residualStandardDeviation, expected.deviation, 1e-9))
      let probabilities = (0..<model.names.count).map { model.pValue(of: $0) }
      #expect(agrees(probabilities, expected.p, 10 * near), "\(reference.name)")
      #expect(agrees(try #require(model.rSquared), expected.rSquared, 1e-10))
      let test = try #require(model.effectTest)
      #expect(agrees(test.statistic, expected.statistic, near), "\(reference.name)")
      #expect(agrees(test.pValue, expected.probability, 10 * near), "\(reference.name)")
      for column in model.names.indices {
        let interval = try model.interval(of: column)
        #expect(agrees(interval.lowerBound, expected.low95[column], 10 * near))
        #expect(agrees(interval.upperBound, expected.high95[column], 10 * near))
        let narrow = try model.interval(of: column, confidence: 0.9)
        #expect(agrees(narrow.lowerBound, expected.low90[column], 10 * near))
        #expect(agrees(narrow.upperBound, expected.high90[column], 10 * near))
      }
      let covariance = try model.covariance()
      for (row, expected) in expected.covariance.enumerated() {
        for (column, expected) in expected.enumerated() {
          let size = model.standardErrors[row] * model.standardErrors[column]
          #expect((covariance[row, column] - expected).magnitude <= 10 * near * size)
        }
      }
      try compareWithR(reference, model)
    }
  }

  private func compareWithR(_ reference: RegressionReferences.Model, _ model: LinearModel) throws {
    let r = reference.r
    let near = reference.name.hasPrefix("Longley") ? 1e-9 : 1e-10
    #expect(agrees(model.coefficients, try #require(r["coefficients"]), near), "\(reference.name)")
    #expect(agrees(model.standardErrors, try #require(r["errors"]), near), "\(reference.name)")
    let probabilities = (0..<model.names.count).map { model.pValue(of: $0) }
    #expect(agrees(probabilities, try #require(r["p"]), 10 * near), "\(reference.name)")
    #expect(agrees([model.residualStandardDeviation], try #require(r["deviation"]), near))
    #expect(agrees([try #require(model.rSquared)], try #require(r["rSquared"]), near))
    #expect(agrees([try #require(model.effectTest).statistic], try #require(r["F"]), near))
    let intervals = try model.names.indices.map { try model.interval(of: $0) }
    #expect(agrees(intervals.map(\.lowerBound), try #require(r["low95"]), 10 * near))
    #expect(agrees(intervals.map(\.upperBound), try #require(r["high95"]), 10 * near))
  }

  @Test("The line of the specification, and a model of one column, are those of LinearTrend")
  func line() throws {
    let specified = try RegressionReferences.all.get().specification
    let reference = try #require(try RegressionReferences.model("line"))
    let trend = try LinearTrend(x: reference.columns[0], y: reference.response)
    #expect(agrees([trend.intercept, trend.slope], specified.ols, 1e-12))
    #expect(
      agrees([trend.interceptStandardError, trend.slopeStandardError], specified.olsErrors, 1e-12))
    let interval = try trend.slopeInterval()
    #expect(agrees([interval.lowerBound, interval.upperBound], specified.olsInterval, 1e-12))
    let model = try fit(reference)
    #expect(agrees(model.pValue(of: 1), specified.olsP, 1e-10))
    #expect(agrees(model.coefficients, [trend.intercept, trend.slope], 1e-13))
    #expect(
      agrees(
        model.standardErrors, [trend.interceptStandardError, trend.slopeStandardError], 1e-13))
    #expect(agrees(try #require(model.rSquared), try #require(trend.rSquared), 1e-13))
  }

  @Test("Whole-numbered problems with weights have the coefficients of the normal equations")
  func wholeNumbers() throws {
    var random = SplitMix64(seed: 41)
    var dependent = 0
    for round in 0..<(Soak.isLong ? 5000 : 300) {
      let width = Int.random(in: 1...4, using: &random)
      let rows = Int.random(in: (width + 1)...30, using: &random)
      let range = round.isMultiple(of: 3) ? 0...1 : -9...9
      let columns = (1..<max(2, width)).map { _ in
        (0..<rows).map { _ in Int.random(in: range, using: &random) }
      }
      let response = (0..<rows).map { _ in Int.random(in: -9...9, using: &random) }
      let weights = (0..<rows).map { _ in Int.random(in: 0...4, using: &random) }
      let slow = SlowLeastSquares.coefficients(
        columns: [Array(repeating: 1, count: rows)] + columns, response: response, weights: weights)
      var design = Design(rowCount: rows)
      for (index, column) in columns.enumerated() {
        try design.add("\(index)", column.map(Double.init))
      }
      do {
        let model = try LinearModel(
          design, response: response.map(Double.init), weights: weights.map(Double.init))
        let expected = try #require(slow)
        for (ours, theirs) in zip(model.coefficients, expected) {
          #expect((ours - theirs).magnitude <= 1e-12 * max(1, theirs.magnitude))
        }
      } catch let error as AnalysisError {
        if case .collinear = error.reason {
          #expect(slow == nil)
        } else {
          #expect(weights.count { $0 > 0 } <= columns.count + 1)
        }
        dependent += 1
      }
    }
    #expect(dependent > 0)
  }

  @Test("Weights that differ by a factor of a thousand million keep nine digits")
  func unlikeWeights() throws {
    var random = SplitMix64(seed: 44)
    for _ in 0..<50 {
      let x = (0..<12).map { _ in Int.random(in: -9...9, using: &random) }
      let y = (0..<12).map { _ in Int.random(in: -9...9, using: &random) }
      let weights = (0..<12).map { $0 < 4 ? 1 << 30 : 1 }
      guard Set(x.prefix(4)).count > 1 else { continue }
      let slow = try #require(
        SlowLeastSquares.coefficients(
          columns: [Array(repeating: 1, count: 12), x], response: y, weights: weights))
      let found = try model(
        [x.map(Double.init)], y.map(Double.init), weights: weights.map(Double.init))
      for (ours, theirs) in zip(found.coefficients, slow) {
        #expect((ours - theirs).magnitude <= 1e-9 * max(1, theirs.magnitude))
      }
    }
  }

  @Test(
    "Scaling by powers of two scales every result exactly",
    arguments: [(3, -5, 2), (-300, 200, -100), (500, -400, 300)])
  func scaling(xExponent: Int, yExponent: Int, weightExponent: Int) throws {
    let reference = try #require(try RegressionReferences.model("weights"))
    let plain = try fit(reference)
    var design = Design(rowCount: reference.response.count)
    for (name, column) in zip(reference.names, reference.columns) {
      try design.add(name, column.map { $0.scaled(by: xExponent) })
    }
    let weights = try #require(reference.weights)
    let model = try LinearModel(
      design, response: reference.response.map { $0.scaled(by: yExponent) },
      weights: weights.map { $0.scaled(by: 2 * weightExponent) })
    for column in model.names.indices {
      let exponent = column == 0 ? yExponent : yExponent - xExponent
      #expect(model.coefficients[column] == plain.coefficients[column].scaled(by: exponent))
      #expect(
        agrees(
          model.standardErrors[column], plain.standardErrors[column].scaled(by: exponent), 1e-15))
    }
    #expect(model.rSquared == plain.rSquared)
    #expect(
      model.residualStandardDeviation
        == plain.residualStandardDeviation.scaled(by: yExponent + weightExponent))
  }

  @Test("Rows in any order, shifts, and the response plus a combination of columns keep the errors")
  func laws() throws {
    let reference = try #require(try RegressionReferences.model("weights"))
    let plain = try fit(reference)
    let weights = try #require(reference.weights)
    var random = SplitMix64(seed: 42)
    let order = reference.response.indices.shuffled(using: &random)
    var shuffled = Design(rowCount: order.count)
    var shifted = Design(rowCount: order.count)
    for (name, column) in zip(reference.names, reference.columns) {
      try shuffled.add(name, order.map { column[$0] })
      try shifted.add(name, column.map { $0 + 100 })
    }
    let second = try LinearModel(
      shuffled, response: order.map { reference.response[$0] }, weights: order.map { weights[$0] })
    #expect(agrees(second.coefficients, plain.coefficients, 1e-11))
    #expect(agrees(second.standardErrors, plain.standardErrors, 1e-11))
    let third = try LinearModel(shifted, response: reference.response, weights: weights)
    #expect(
      agrees(Array(third.coefficients.dropFirst()), Array(plain.coefficients.dropFirst()), 1e-10))
    #expect(agrees(try #require(third.rSquared), try #require(plain.rSquared), 1e-12))
    let added = reference.response.indices.map { row in
      reference.response[row] + 5 - 3 * reference.columns[0][row] + 2 * reference.columns[2][row]
    }
    let fourth = try LinearModel(try design(reference), response: added, weights: weights)
    let expected = zip(plain.coefficients, [5, -3, 0, 2]).map { $0 + $1 }
    #expect(agrees(fourth.coefficients, expected, 1e-9))
    #expect(agrees(fourth.standardErrors, plain.standardErrors, 1e-10))
  }

  @Test("A row of weight 2 is two rows of weight 1, except for the degrees of freedom")
  func splitRows() throws {
    let x = [0, 1, 2, 4, 7, 8.0]
    let y = [1, 0.5, 3, 3, 8, 6.0]
    var single = Design(rowCount: 6)
    try single.add("x", x)
    let weighted = try LinearModel(single, response: y, weights: [1, 2, 1, 1, 2, 1])
    var double = Design(rowCount: 8)
    try double.add("x", x + [1, 7])
    let split = try LinearModel(double, response: y + [0.5, 8])
    #expect(agrees(weighted.coefficients, split.coefficients, 1e-13))
    let ratio = (6.0 / 4).squareRoot()
    #expect(agrees(weighted.standardErrors, split.standardErrors.map { $0 * ratio }, 1e-13))
    #expect(agrees(try #require(weighted.rSquared), try #require(split.rSquared), 1e-13))
  }

  @Test("A row of weight 0 has no effect, whatever its numbers, but has its residual")
  func zeroWeights() throws {
    let x = [0, 1, 2, 4, 7, 8.0]
    let y = [1, 0.5, 3, 3, 8, 6.0]
    var few = Design(rowCount: 6)
    try few.add("x", x)
    let plain = try LinearModel(few, response: y, weights: Array(repeating: 1, count: 6))
    for hostile in [1e300, -1e-300, 12345] {
      var more = Design(rowCount: 8)
      try more.add("x", [hostile] + x + [-hostile])
      let model = try LinearModel(
        more, response: [-hostile] + y + [3], weights: [0, 1, 1, 1, 1, 1, 1, 0])
      #expect(agrees(model.coefficients, plain.coefficients, 1e-13) && model.count == 6)
      #expect(agrees(try #require(model.rSquared), try #require(plain.rSquared), 1e-13))
      #expect(agrees(model.standardErrors, plain.standardErrors, 1e-13))
      #expect(agrees(Array(model.residuals[1...6]), plain.residuals, 1e-13))
      let line = plain.coefficients[0] + plain.coefficients[1] * hostile
      #expect(agrees(model.residuals[0], -hostile - line, 1e-14))
    }
  }

  @Test("The named column is the first that depends on those before it")
  func dependentColumns() throws {
    let (a, b, c) = independentColumns(40)
    #expect(try dependent([a, a]) == "1")
    #expect(try dependent([a, b, a.map { -3 * $0 }, c]) == "2")
    #expect(try dependent([a, b, zip(a, b).map { $0 + $1 }, a]) == "2")
    #expect(try dependent([a, Array(repeating: 7, count: 40), b]) == "1")
    #expect(try dependent([a, b, c, zip(a, c).map { 2 * $0 - $1 + 4 }]) == "3")
    #expect(try dependent([Array(repeating: 0, count: 40), a], hasIntercept: false) == "0")
    #expect(try dependent([a, b, c]) == nil)
    // A constant is no combination of others without an intercept.
    #expect(try dependent([Array(repeating: 7, count: 40), a], hasIntercept: false) == nil)
    // Only the rows that count: elsewhere the columns may differ.
    let mask = (0..<40).map { $0 < 5 ? 0.0 : 1.0 }
    let differs = a.indices.map { $0 < 5 ? c[$0] : a[$0] }
    #expect(try dependent([a, b, differs]) == nil)
    #expect(try dependent([a, b, differs], weights: mask) == "2")
  }

  @Test("Columns that differ by 1e-13 of themselves are dependent, and those by 1e-9 are not")
  func nearlyDependentColumns() throws {
    let (a, b, c) = independentColumns(100)
    for (share, expected) in [(1e-15, "2"), (1e-13, "2"), (1e-9, nil), (1e-5, nil)] {
      let third = a.indices.map { a[$0] + b[$0] + share * c[$0] }
      #expect(try dependent([a, b, third]) == expected, "\(share)")
      #expect(try dependent([a, b, third, a.map { $0 * $0 }]) == expected, "\(share)")
    }
    // With c itself, all four are dependent.
    #expect(try dependent([a, b, a.indices.map { a[$0] + b[$0] + c[$0] / 64 }, c]) == "3")
  }

  @Test("Columns of unlike units, and large offsets, keep ten digits")
  func units() throws {
    let (a, b, _) = independentColumns(60)
    let response = a.indices.map { 3 + 2 * a[$0] - b[$0] + Double($0 % 3) / 8 }
    let plain = try model([a, b], response)
    let other = try model(
      [a.map { 757_382_400 + 86_400 * $0 }, b.map { $0 * 1e-100 }], response.map { $0 * 1e150 })
    #expect(agrees(other.coefficients[1] * 86_400 / 1e150, plain.coefficients[1], 1e-9))
    #expect(agrees(other.coefficients[2] * 1e-100 / 1e150, plain.coefficients[2], 1e-9))
    #expect(agrees(try #require(other.rSquared), try #require(plain.rSquared), 1e-9))
  }

  @Test("A model that explains almost nothing, or all, keeps the digits of R² and F")
  func extremeShares() throws {
    // y is orthogonal to x but for 2^-20 of it: R² is 2^-40·Σx²/(Σy² + …).
    let x = [-1, -1, 1, 1, -1, -1, 1, 1.0]
    let rest = [1, -1, 1, -1, 1, -1, 1, -1.0]
    let little = try model([x], zip(x, rest).map { 0x1p-20 * $0 + $1 })
    let share = 0x1p-40 / (1 + 0x1p-40)
    #expect(agrees(try #require(little.rSquared), share, 1e-9))
    #expect(agrees(try #require(little.effectTest).statistic, 0x1p-40 * 6, 1e-9))
    let much = try model([x], zip(x, rest).map { $0 + 0x1p-24 * $1 })
    #expect(agrees(try #require(much.effectTest).statistic, 0x1p48 * 6, 1e-7))
    let constant = try model([x], Array(repeating: 0.1, count: 8))
    #expect(constant.rSquared == nil && constant.effectTest == nil)
    #expect(constant.coefficients == [0.1, 0] && constant.pValue(of: 1) == 1)
  }

  @Test("Too little, broken, or extreme data is refused with a reason and a row, or has its limit")
  func refusals() throws {
    let ramp = (0..<6).map(Double.init)
    #expect(throws: AnalysisError(.tooFewPoints(count: 2, needed: 3))) {
      try model([[1, 2]], [1, 2])
    }
    #expect(throws: AnalysisError(.lengthsDiffer(x: 6, y: 5))) {
      try model([ramp], [1, 2, 3, 4, 5])
    }
    #expect(throws: AnalysisError(.notFinite, row: 1)) {
      try model([ramp], [1, .nan, 3, 4, 5, 6])
    }
    for (weights, error) in [
      ([1, 1, 1, 1, -1, 1], AnalysisError(.outOfRange, row: 4)),
      ([1, 1, .infinity, 1, 1, 1], AnalysisError(.notFinite, row: 2)),
      ([1, 1], AnalysisError(.lengthsDiffer(x: 6, y: 2))),
      ([1, 0, 0, 0, 1, 0], AnalysisError(.tooFewPoints(count: 2, needed: 3))),
    ] {
      #expect(throws: error) { try model([ramp], ramp, weights: weights) }
    }
    var design = Design(rowCount: 3)
    #expect(throws: AnalysisError(.lengthsDiffer(x: 2, y: 3))) { try design.add("a", [1, 2]) }
    #expect(throws: AnalysisError(.notFinite, row: 2)) { try design.add("a", [1, 2, .infinity]) }
    #expect(throws: AnalysisError.self) {
      try LinearModel(Design(rowCount: 3, hasIntercept: false), response: [1, 2, 3])
    }
  }

  @Test(
    "Extreme numbers and weights give finite results or a refusal",
    arguments: [1e300, 1e-300, 1.7e308, 0x1p-1060, 1e100])
  func extremes(size: Double) throws {
    let shape = [0, 3, 1, 4, 1, 5, 9, 2, 6.0]
    for columns in [[shape, shape.map { $0 * $0 * size }], [shape.map { $0 / 9 * size }]] {
      for response in [shape.reversed().map { $0 / 9 * size }, shape.reversed()] {
        for weights in [nil, shape.map { $0 / 9 * size }, shape.map { _ in size }] {
          do {
            let found = try model(columns, Array(response), weights: weights)
            let robust = try found.neweyWestErrors(lag: 2)
            let numbers = found.coefficients + found.standardErrors + found.residuals + robust
            let isFinite = numbers.allSatisfy { $0.isFinite } && found.rSquared?.isFinite != false
            #expect(isFinite)
            let probabilities = (0..<found.names.count).map { found.pValue(of: $0) }
            #expect(probabilities.allSatisfy { (0...1).contains($0) })
          } catch let error as AnalysisError {
            #expect(error.reason != .outOfMemory)
          }
        }
      }
    }
  }

  private func fit(_ reference: RegressionReferences.Model) throws -> LinearModel {
    try LinearModel(
      try design(reference), response: reference.response, weights: reference.weights)
  }

  private func design(_ reference: RegressionReferences.Model) throws -> Design {
    var design = Design(rowCount: reference.response.count, hasIntercept: reference.hasIntercept)
    for (name, column) in zip(reference.names, reference.columns) { try design.add(name, column) }
    return design
  }

  private func model(
    _ columns: [[Double]], _ response: [Double], weights: [Double]? = nil
  ) throws -> LinearModel {
    var design = Design(rowCount: columns[0].count)
    for (index, column) in columns.enumerated() where column.allSatisfy(\.isFinite) {
      try design.add("\(index)", column)
    }
    return try LinearModel(design, response: response, weights: weights)
  }

  /// The column that a model with a response of no meaning names as dependent.
  private func dependent(
    _ columns: [[Double]], hasIntercept: Bool = true, weights: [Double]? = nil
  ) throws -> String? {
    var design = Design(rowCount: columns[0].count, hasIntercept: hasIntercept)
    for (index, column) in columns.enumerated() { try design.add("\(index)", column) }
    do {
      _ = try LinearModel(design, response: columns[0].map { $0 * $0 }, weights: weights)
      return nil
    } catch {
      guard case .collinear(let column) = error.reason else { throw error }
      return column
    }
  }

  private func independentColumns(_ count: Int) -> ([Double], [Double], [Double]) {
    var random = SplitMix64(seed: 43)
    func column() -> [Double] {
      (0..<count).map { _ in Double.random(in: -1...1, using: &random) }
    }
    return (column(), column(), column())
  }
}
