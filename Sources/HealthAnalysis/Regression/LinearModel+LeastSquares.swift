import _HealthNumerics

extension LinearModel {
  /// Fits a model by a QR decomposition with pivoting (LAPACK's `dgelsy`) and a step of refinement.
  ///
  /// Columns are first centred, if there is an intercept, and scaled by powers of two. The error is
  /// a few ulps times the condition number of that problem. LAPACK's order of additions, and so the
  /// last bits, depend on the processor.
  ///
  /// - Parameters:
  ///   - design: the columns
  ///   - response: *y*, one for each row
  ///   - weights: one for each row, not negative; rows of weight 0 do not count
  /// - Throws: `AnalysisError` when there are no more rows than columns, when a number is not
  ///   finite, when a column is a combination of those before it, when a result overflows, or when
  ///   LAPACKE is not installed
  /// - Complexity: O(*n*·*p*²)
  public init(
    _ design: Design, response: [Double], weights: [Double]? = nil
  ) throws(AnalysisError) {
    let problem = try ScaledProblem(design, response: response, weights: weights)
    var matrix = problem.matrix
    var solution = problem.response
    let width = matrix.columnCount
    let found = try LAPACK.solveLeastSquares(
      &matrix, &solution, tolerance: problem.tolerance)
    guard found.rank == width else {
      throw AnalysisError(.collinear(column: design.names[problem.firstDependentColumn]))
    }

    // S = P·R⁻¹, one column after the other from above.
    var factor = Matrix(rowCount: width, columnCount: width)
    for column in 0..<width {
      var inverse = [Double](repeating: 0, count: width)
      inverse[column] = 1 / matrix[column, column]
      for row in stride(from: column - 1, through: 0, by: -1) {
        let sum = (row + 1...column).reduce(into: 0) { $0 += matrix[row, $1] * inverse[$1] }
        inverse[row] = -sum / matrix[row, row]
      }
      for row in 0...column { factor[found.order[row], column] = inverse[row] }
    }
    let orthonormal = Matrix(
      columns: (0..<width).map { problem.matrix.product(with: Array(factor.column($0))) })

    var scaled = Array(solution[..<width])
    var rest = problem.residuals(of: scaled)
    let projections = (0..<width).map { column in
      zip(orthonormal.column(column), rest).map { $0 * $1 }.compensatedSum
    }
    let correction = factor.product(with: projections)
    for column in 0..<width { scaled[column] += correction[column] }
    rest = problem.residuals(of: scaled)

    names = design.names
    self.orthonormal = orthonormal
    hasIntercept = design.hasIntercept
    count = problem.count
    exponent = problem.exponent
    weightedResiduals = rest
    let squares = rest.map { $0 * $0 }.compensatedSum
    let deviation = (squares / Double(problem.count - width)).squareRoot()
    residualStandardDeviation = deviation.scaled(by: problem.exponent)
    let explained = problem.explained(residuals: rest)
    rSquared =
      problem.isConstant || explained + squares == 0 ? nil : explained / (explained + squares)
    effectRatio = explained == 0 ? 0 : explained / squares
    let coefficients = problem.unscaled(scaled)
    self.coefficients = coefficients
    self.factor = problem.unscaled(factor)
    var residuals = problem.unweighted(of: scaled)
    for row in problem.uncountedRows {
      residuals[row] = problem.plainResidual(row: row, of: coefficients)
    }
    self.residuals = residuals
    guard coefficients.allSatisfy(\.isFinite), residuals.allSatisfy(\.isFinite),
      self.factor.elements.allSatisfy(\.isFinite), residualStandardDeviation.isFinite,
      standardErrors.allSatisfy(\.isFinite)
    else { throw AnalysisError(.overflow) }
  }
}

/// A least squares problem whose columns and response are scaled, centred if there is an intercept,
/// and multiplied by the square roots of the weights.
private struct ScaledProblem {
  let matrix: Matrix
  let response: [Double]
  /// The exponent of the response times the roots of the weights.
  let exponent: Int
  /// The number of rows that count.
  let count: Int
  private let columns: [ScaledColumn]
  private let plain: ScaledColumn
  /// The roots of the weights, scaled so that the largest is about 1.
  private let roots: ScaledColumn?
  private let hasIntercept: Bool
  /// Whether a row has a weight; all have one when `nil`.
  private let isCounted: [Bool]?
  /// The columns and the response as they were.
  private let original: (columns: [[Double]], response: [Double])

  init(_ design: Design, response: [Double], weights: [Double]?) throws(AnalysisError) {
    guard response.count == design.rowCount else {
      throw AnalysisError(.lengthsDiffer(x: design.rowCount, y: response.count))
    }
    if let row = response.firstIndex(where: { !$0.isFinite }) {
      throw AnalysisError(.notFinite, row: row)
    }
    if let weights {
      guard weights.count == response.count else {
        throw AnalysisError(.lengthsDiffer(x: response.count, y: weights.count))
      }
      if let row = weights.firstIndex(where: { !$0.isFinite }) {
        throw AnalysisError(.notFinite, row: row)
      }
      if let row = weights.firstIndex(where: { $0 < 0 }) {
        throw AnalysisError(.outOfRange, row: row)
      }
    }
    count = weights?.count(where: { $0 > 0 }) ?? response.count
    let width = design.columnCount
    guard width > 0 else {
      throw AnalysisError(.parameter(name: "number of columns", range: "at least 1"))
    }
    guard count > width else {
      throw AnalysisError(.tooFewPoints(count: count, needed: width + 1))
    }
    hasIntercept = design.hasIntercept
    // A row of weight 0 has no say in centre and scale, whatever its size.
    let isCounted = weights.map { $0.map { $0 > 0 } }
    columns = design.columns.map { [hasIntercept] in
      ScaledColumn($0, isCentred: hasIntercept, counted: isCounted)
    }
    plain = ScaledColumn(response, isCentred: design.hasIntercept, counted: isCounted)
    self.isCounted = isCounted
    original = (design.columns, response)
    roots = weights.map { ScaledColumn($0.map { $0.squareRoot() }, isCentred: false) }
    exponent = plain.exponent + (roots?.exponent ?? 0)
    let weighted = { [roots] (values: [Double]) in
      roots.map { zip($0.values, values).map { $0 * $1 } } ?? values
    }
    let constant = design.hasIntercept ? [Array(repeating: 1.0, count: response.count)] : []
    matrix = Matrix(columns: (constant + columns.map(\.values)).map(weighted))
    self.response = weighted(plain.values)
  }

  /// Below this share of the first pivot a column is a combination of the others.
  var tolerance: Double { 16 * Double(matrix.rowCount) * Double.ulpOfOne }

  /// √w(*y* − *Xb*), compensated.
  func residuals(of coefficients: [Double]) -> [Double] {
    (0..<response.count).map { row in
      var sum = CompensatedSum()
      sum.add(response[row])
      for column in coefficients.indices {
        sum.add(productOf: -matrix[row, column], and: coefficients[column])
      }
      return sum.result
    }
  }

  /// *y* − *Xb* in the unit of the response.
  func unweighted(of coefficients: [Double]) -> [Double] {
    (0..<response.count).map { row in
      var sum = CompensatedSum()
      sum.add(plain.values[row])
      if hasIntercept { sum.add(-coefficients[0]) }
      for (column, factor) in zip(columns, coefficients.dropFirst(hasIntercept ? 1 : 0)) {
        sum.add(productOf: -column.values[row], and: factor)
      }
      return sum.result.scaled(by: plain.exponent)
    }
  }

  /// *y* − *Xb* of a row without a weight, by the coefficients of the columns as they were.
  func plainResidual(row: Int, of coefficients: [Double]) -> Double {
    var sum = CompensatedSum()
    sum.add(original.response[row])
    if hasIntercept { sum.add(-coefficients[0]) }
    for (column, factor) in zip(original.columns, coefficients.dropFirst(hasIntercept ? 1 : 0)) {
      sum.add(productOf: -column[row], and: factor)
    }
    return sum.result
  }

  /// The rows without a weight.
  var uncountedRows: [Int] {
    isCounted.map { counted in counted.indices.filter { !counted[$0] } } ?? []
  }

  /// Σw(ŷ − ȳ)², about 0 without an intercept, from the residuals √w(y − ŷ).
  ///
  /// The fit's own squares keep their digits where the model explains almost nothing.
  func explained(residuals: [Double]) -> Double {
    let fitted = zip(response, residuals).map { $0 - $1 }
    guard hasIntercept else { return fitted.map { $0 * $0 }.compensatedSum }
    let roots = roots?.values ?? Array(repeating: 1, count: response.count)
    let total = roots.map { $0 * $0 }.compensatedSum
    let mean = zip(roots, response).map { $0 * $1 }.compensatedSum / total
    return zip(roots, fitted).map { ($1 - mean * $0) * ($1 - mean * $0) }.compensatedSum
  }

  /// Whether all rows with a weight have the same response, or 0 without an intercept.
  var isConstant: Bool { plain.isZero }

  /// The coefficients of the columns as they were.
  func unscaled(_ coefficients: [Double]) -> [Double] {
    guard hasIntercept else {
      return zip(coefficients, columns).map { $0.scaled(by: plain.exponent - $1.exponent) }
    }
    let rest = zip(coefficients.dropFirst(), columns)
    var intercept = CompensatedSum()
    intercept.add(plain.centre)
    intercept.add(coefficients[0])
    for (factor, column) in rest { intercept.add(productOf: -factor, and: column.centre) }
    return [intercept.result.scaled(by: plain.exponent)]
      + rest.map { $0.scaled(by: plain.exponent - $1.exponent) }
  }

  /// The factor *S* of the columns and weights as they were.
  func unscaled(_ factor: Matrix) -> Matrix {
    let weight = -(roots?.exponent ?? 0)
    return Matrix(
      columns: (0..<factor.columnCount).map { column in
        let elements = Array(factor.column(column))
        guard hasIntercept else {
          return zip(elements, columns).map { $0.scaled(by: weight - $1.exponent) }
        }
        let rest = zip(elements.dropFirst(), columns)
        let first = rest.reduce(into: elements[0]) { $0 -= $1.0 * $1.1.centre }
        return [first.scaled(by: weight)] + rest.map { $0.scaled(by: weight - $1.exponent) }
      })
  }

  /// The first column that is a combination of those before it, by Gram and Schmidt; the one that
  /// is nearest to it where LAPACK's estimate finds only all of them together dependent.
  var firstDependentColumn: Int {
    var basis: [[Double]] = []
    var nearest = (column: 0, share: Double.infinity)
    for column in 0..<matrix.columnCount {
      var rest = Array(matrix.column(column))
      let size = rest.norm
      for _ in 0..<2 {
        for direction in basis {
          let share = zip(direction, rest).map { $0 * $1 }.compensatedSum
          for row in rest.indices { rest[row] -= share * direction[row] }
        }
      }
      let remainder = rest.norm
      guard remainder > tolerance * size else { return column }
      if remainder / size < nearest.share { nearest = (column, remainder / size) }
      basis.append(rest.map { $0 / remainder })
    }
    return nearest.column
  }
}

extension Matrix {
  /// The product with its own transpose.
  ///
  /// - Throws: `AnalysisError` when an element overflows
  func square() throws(AnalysisError) -> Matrix {
    var result = Matrix(rowCount: rowCount, columnCount: rowCount)
    for column in 0..<columnCount {
      for left in 0..<rowCount {
        for right in 0..<rowCount {
          result[left, right] += self[left, column] * self[right, column]
        }
      }
    }
    guard result.elements.allSatisfy(\.isFinite) else { throw AnalysisError(.overflow) }
    return result
  }
}
