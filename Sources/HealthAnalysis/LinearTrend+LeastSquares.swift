extension LinearTrend {
  /// Fits the line to points by the QR decomposition of the design matrix (LAPACK's `dgels`).
  ///
  /// Columns are first centred and scaled by powers of two, so that neither large offsets (an *x*
  /// in seconds since 2001) nor large or small units cost precision. The error is a few ulps times
  /// the condition number of the centred problem. LAPACK's order of additions, and so the last
  /// bits, depend on the processor.
  ///
  /// - Parameters:
  ///   - x: the x coordinates, in any unit and order; values may repeat
  ///   - y: the y coordinates
  /// - Throws: `AnalysisError` when there are fewer than three points, when a coordinate is not
  ///   finite, when all *x* are equal, when a result overflows, or when LAPACKE is not installed.
  /// - Complexity: O(*n*)
  public init(x: [Double], y: [Double]) throws(AnalysisError) {
    guard x.count == y.count else {
      throw AnalysisError(.lengthsDiffer(x: x.count, y: y.count))
    }
    guard x.count >= 3 else { throw AnalysisError(.tooFewPoints(count: x.count, needed: 3)) }
    guard x.count <= Int32.max else { throw AnalysisError(.tooManyPoints(count: x.count)) }
    for row in x.indices where !(x[row].isFinite && y[row].isFinite) {
      throw AnalysisError(.notFinite, row: row)
    }

    let abscissas = CentredColumn(x)
    let ordinates = CentredColumn(y)
    guard abscissas.values.contains(where: { $0 != 0 }) else { throw AnalysisError(.singular) }

    // A column of ones, then x.
    var design = [Double](repeating: 1, count: x.count) + abscissas.values
    var right = ordinates.values
    try LAPACK.solveLeastSquares(&design, columns: 2, &right)
    let (r11, r12, r22) = (design[0], design[x.count], design[x.count + 1])

    let residual = right[2...].reduce(into: 0) { $0 += $1 * $1 }
    let explained = (r22 * right[1]) * (r22 * right[1])
    let deviation = (residual / Double(x.count - 2)).squareRoot()
    // (XᵀX)⁻¹ = R⁻¹R⁻ᵀ; the variance of the fit at the design row a is |R⁻ᵀa|²·s².
    let origin = -abscissas.centre
    let first = 1 / r11
    let second = (origin - r12 * first) / r22
    let reach = (first * first + second * second).squareRoot()

    count = x.count
    slope = right[1].scaled(by: ordinates.exponent - abscissas.exponent)
    intercept = (ordinates.centre + (right[0] + right[1] * origin)).scaled(by: ordinates.exponent)
    rSquared = residual + explained == 0 ? nil : explained / (explained + residual)
    residualStandardDeviation = deviation.scaled(by: ordinates.exponent)
    slopeStandardError = (deviation / r22.magnitude)
      .scaled(by: ordinates.exponent - abscissas.exponent)
    interceptStandardError = (deviation * reach).scaled(by: ordinates.exponent)
    guard
      [slope, intercept, residualStandardDeviation, slopeStandardError, interceptStandardError]
        .allSatisfy(\.isFinite)
    else { throw AnalysisError(.overflow) }
  }
}

/// A column minus its centre, scaled so that the largest difference is about 1.
private struct CentredColumn {
  /// (value − centre) · 2^−``exponent``.
  let values: [Double]
  /// The centre, also times 2^−``exponent``.
  let centre: Double
  let exponent: Int

  /// The centre is near the mean, and is the value itself when all are equal.
  init(_ column: [Double]) {
    let coarse = Self.exponent(of: column)
    let coarseFactor = 1.scaled(by: -coarse)
    let scaled = column.map { $0 * coarseFactor }
    let anchor = scaled.first ?? 0
    let middle = anchor + scaled.reduce(into: 0) { $0 += $1 - anchor } / Double(scaled.count)
    let differences = scaled.map { $0 - middle }
    let fine = Self.exponent(of: differences)
    let fineFactor = 1.scaled(by: -fine)
    values = differences.map { $0 * fineFactor }
    centre = middle * fineFactor
    exponent = coarse + fine
  }

  /// The exponent of the largest magnitude, 0 when all are zero; limited so that its inverse power
  /// of two does not overflow.
  private static func exponent(of column: [Double]) -> Int {
    let largest = column.reduce(0) { max($0, $1.magnitude) }
    return largest == 0 ? 0 : max(-1000, Int(largest.exponent))
  }
}

extension Double {
  /// The number times 2^`exponent`.
  fileprivate func scaled(by exponent: Int) -> Double {
    Double(sign: .plus, exponent: exponent, significand: self)
  }
}
