import _HealthNumerics

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The equations (W + λDᵀD)z = Wy of Whittaker's smoother, whose matrix has *d* bands below its
/// diagonal.
struct WhittakerSystem {
  /// 1 in a row with a value, else 0.
  let weights: [Double]
  let order: Int
  /// The polynomial of degree *d* − 1 through the values, by least squares.
  let polynomial: [Double]
  /// The values minus the polynomial; 0 in a gap.
  let rest: [Double]
  /// The coefficients of a difference, (−1)ᵏ·(*d* over *k*).
  let coefficients: [Double]
  let presentCount: Int

  /// A curve for one λ.
  struct Fit {
    let lambda: Double
    let curve: [Double]
    /// The trace of the hat matrix.
    let trace: Double
    /// √Σw(y − z)².
    let residualNorm: Double
    let presentCount: Int

    /// *m* minus the trace; `nil` where nothing but rounding is left of it.
    private var freedom: Double? {
      let freedom = Double(presentCount) - trace
      return freedom > 1e-9 * Double(presentCount) ? freedom : nil
    }
    var residualDeviation: Double? { freedom.map { residualNorm / $0.squareRoot() } }
    var crossValidation: Double? {
      freedom.map { residualNorm * (Double(presentCount).squareRoot() / $0) }
    }
  }

  init(values: [Double], isPresent: [Bool], order: Int) {
    weights = isPresent.map { $0 ? 1 : 0 }
    self.order = order
    coefficients = (0..<order).reduce([1.0]) { row, _ in
      zip([0] + row, row + [0]).map { $1 - $0 }
    }
    presentCount = isPresent.count(where: \.self)
    let weighted = zip(values, weights).map { $0 * $1 }
    polynomial = Self.polynomial(through: weighted, weights: weights, count: order)
    rest = zip(zip(weighted, polynomial), weights).map { ($0.0 - $0.1) * $1 }
  }

  /// The curve for one λ.
  func fit(_ lambda: Double) throws(AnalysisError) -> Fit {
    var factor = band(lambda)
    var smooth = rest
    do {
      try LAPACK.solveBanded(&factor, &smooth)
    } catch {
      // What is not positive definite here is so by rounding alone.
      guard error.reason == .singular else { throw error }
      throw AnalysisError(.notConverged(steps: Self.refinements))
    }
    try refine(&smooth, lambda: lambda, factor: factor)
    let inverse = inverseDiagonal(factor)
    let trace = zip(weights, inverse).map { $0 * $1 }.compensatedSum
    let residuals = zip(zip(rest, smooth), weights).map { ($0.0 - $0.1) * $1 }
    return Fit(
      lambda: lambda, curve: zip(smooth, polynomial).map { $0 + $1 },
      trace: min(Double(presentCount), max(Double(order), trace)), residualNorm: residuals.norm,
      presentCount: presentCount)
  }

  /// The curve with the smallest generalised cross-validation.
  func crossValidatedFit() throws(AnalysisError) -> Fit {
    func attempt(_ exponent: Double) throws(AnalysisError) -> (score: Double, fit: Fit) {
      let fit = try fit(pow(10, exponent))
      return (fit.crossValidation ?? .infinity, fit)
    }
    // The polynomial itself, where nothing but rounding is left of the values.
    if rest.norm <= 1e-14 * Double(rest.count).squareRoot() { return try fit(1e10) }
    let grid = (0...24).map { 10 - Double($0) / 2 }
    var best = try attempt(grid[0])
    var place = grid[0]
    for exponent in grid.dropFirst() {
      let next = try attempt(exponent)
      if next.score < best.score { (best, place) = (next, exponent) }
    }
    var low = max(-2, place - 0.5)
    var high = min(10, place + 0.5)
    let golden = (5.0.squareRoot() - 1) / 2
    var left = try attempt(high - golden * (high - low))
    var right = try attempt(low + golden * (high - low))
    for _ in 0..<40 {
      if left.score < right.score {
        high = low + golden * (high - low)
        right = left
        left = try attempt(high - golden * (high - low))
      } else {
        low = high - golden * (high - low)
        left = right
        right = try attempt(low + golden * (high - low))
      }
    }
    return [right, left].reduce(best) { $1.score < $0.score ? $1 : $0 }.fit
  }

  /// The lower band of W + λDᵀD: row *k* of column *j* is its element (*j* + *k*, *j*).
  private func band(_ lambda: Double) -> Matrix {
    var band = Matrix(rowCount: order + 1, columnCount: weights.count)
    for start in 0..<max(0, weights.count - order) {
      for column in 0...order {
        for row in column...order {
          band[row - column, start + column] += coefficients[row] * coefficients[column]
        }
      }
    }
    for index in band.elements.indices { band.elements[index] *= lambda }
    for row in weights.indices { band[0, row] += weights[row] }
    return band
  }

  /// Improves a solution by solving for what its equations lack, as long as that gets smaller.
  private func refine(
    _ smooth: inout [Double], lambda: Double, factor: Matrix
  ) throws(AnalysisError) {
    let size = rest.reduce(0) { max($0, $1.magnitude) }
    guard size > 0 else { return }
    var before = Double.infinity
    for _ in 0..<Self.refinements {
      let step = Self.solve(factor, lacking(smooth, lambda: lambda))
      let length = step.reduce(0) { max($0, $1.magnitude) }
      guard length < before / 2 else { break }
      for row in smooth.indices { smooth[row] += step[row] }
      before = length
      if length <= 1e-16 * size { break }
    }
    guard before <= 1e-10 * size else {
      throw AnalysisError(.notConverged(steps: Self.refinements))
    }
  }

  private static let refinements = 10

  /// Wy − Wz − λDᵀ(Dz).
  private func lacking(_ smooth: [Double], lambda: Double) -> [Double] {
    var result = zip(zip(rest, smooth), weights).map { ($0.0 - $0.1) * $1 }
    for start in 0..<max(0, smooth.count - order) {
      var difference = 0.0
      for step in 0...order { difference += coefficients[step] * smooth[start + step] }
      for step in 0...order { result[start + step] -= lambda * coefficients[step] * difference }
    }
    return result
  }

  /// Solves LLᵀx = b with a banded factor.
  private static func solve(_ factor: Matrix, _ right: [Double]) -> [Double] {
    let reach = factor.rowCount - 1
    var x = right
    for row in x.indices {
      x[row] /= factor[0, row]
      for step in 1..<(min(reach, x.count - 1 - row) + 1) {
        x[row + step] -= factor[step, row] * x[row]
      }
    }
    for row in x.indices.reversed() {
      for step in 1..<(min(reach, x.count - 1 - row) + 1) {
        x[row] -= factor[step, row] * x[row + step]
      }
      x[row] /= factor[0, row]
    }
    return x
  }

  /// The diagonal of (LLᵀ)⁻¹, from the band of L alone.
  ///
  /// With Z the inverse, Zᵢⱼ = δᵢⱼ/Lᵢᵢ² − Σₖ (Lₖᵢ/Lᵢᵢ) Zₖⱼ over the rows *k* below *i* in the band, from the
  /// last row to the first (Hutchinson and de Hoog, *Numerische Mathematik* 47, 1985, 99–106).
  private func inverseDiagonal(_ factor: Matrix) -> [Double] {
    let count = weights.count
    // Row k of column j is the element (j + k, j) of the inverse.
    var inverse = Matrix(rowCount: order + 1, columnCount: count)
    for row in (0..<count).reversed() {
      let reach = min(order, count - 1 - row)
      let pivot = factor[0, row]
      for other in (0...reach).reversed() {
        var sum = other == 0 ? 1 / (pivot * pivot) : 0
        for step in 1..<(reach + 1) {
          let low = min(step, other)
          sum -= factor[step, row] / pivot * inverse[max(step, other) - low, row + low]
        }
        inverse[other, row] = sum
      }
    }
    return (0..<count).map { inverse[0, $0] }
  }

  /// The polynomial with `count` coefficients through weighted values, by least squares on
  /// polynomials that are orthogonal over the rows with a value.
  private static func polynomial(
    through values: [Double], weights: [Double], count: Int
  ) -> [Double] {
    func product(_ x: [Double], _ y: [Double]) -> Double {
      var sum = CompensatedSum()
      for row in x.indices where weights[row] > 0 { sum.add(productOf: x[row], and: y[row]) }
      return sum.result
    }
    let half = max(0.5, Double(values.count - 1) / 2)
    let times = values.indices.map { Double($0) / half - 1 }
    var basis: [[Double]] = []
    var curve = [Double](repeating: 0, count: values.count)
    for degree in 0..<count {
      var next = degree == 0 ? times.map { _ in 1 } : zip(times, basis[degree - 1]).map { $0 * $1 }
      for _ in 0..<2 {
        for other in basis {
          let share = product(next, other)
          for row in next.indices { next[row] -= share * other[row] }
        }
      }
      let norm = product(next, next).squareRoot()
      basis.append(next.map { $0 / norm })
    }
    for _ in 0..<2 {
      let rest = zip(values, curve).map { $0 - $1 }
      for other in basis {
        let share = product(rest, other)
        for row in curve.indices { curve[row] += share * other[row] }
      }
    }
    return curve
  }
}
