import _HealthNumerics

/// The least-squares line through points with weights, in closed form, by compensated sums.
///
/// Slope and height are Σw(x − x̄)(y − ȳ)/Σw(x − x̄)² and ȳ, with the weighted means *x̄* and *ȳ*.
struct WeightedLine {
  let slope: Double
  let meanX: Double
  let meanY: Double
  /// Σw(x − x̄)².
  let spread: Double

  /// Fits the line to columns whose magnitudes are about 1.
  ///
  /// - Parameters:
  ///   - x: the x coordinates
  ///   - y: the y coordinates
  ///   - weights: not negative, at most 1; all 1 when `nil`
  /// - Throws: `AnalysisError` when all *x* with a weight are equal
  /// - Complexity: O(*n*)
  init(x: [Double], y: [Double], weights: [Double]?) throws(AnalysisError) {
    let weights = weights ?? Array(repeating: 1, count: x.count)
    let counted = x.indices.filter { weights[$0] > 0 }
    guard let first = counted.first, counted.contains(where: { x[$0] != x[first] }) else {
      throw AnalysisError(.singular)
    }
    let total = weights.compensatedSum
    var sumX = CompensatedSum()
    var sumY = CompensatedSum()
    for row in counted {
      sumX.add(productOf: weights[row], and: x[row])
      sumY.add(productOf: weights[row], and: y[row])
    }
    let meanX = sumX.result / total
    let meanY = sumY.result / total
    var squares = CompensatedSum()
    var products = CompensatedSum()
    for row in counted {
      let distance = x[row] - meanX
      squares.add(productOf: weights[row] * distance, and: distance)
      products.add(productOf: weights[row] * distance, and: y[row] - meanY)
    }
    guard squares.result > 0 else { throw AnalysisError(.singular) }
    self.meanX = meanX
    self.meanY = meanY
    slope = products.quotient(by: squares)
    spread = squares.result
  }

  /// (*y* − *ȳ*) − slope · (*x* − *x̄*), one for each point.
  func residuals(x: [Double], y: [Double]) -> [Double] {
    zip(x, y).map { ($1 - meanY) - slope * ($0 - meanX) }
  }
}
