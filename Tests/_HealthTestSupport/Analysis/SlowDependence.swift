import Foundation

/// Dependent errors by whole matrices: correlations of all pairs of rows, elimination, and sums over all
/// models of errors.
public struct SlowDependence: Sendable {
  /// A model of errors: ρ, τ, how likely it is, and the deviation of an error beside that of a residual.
  public struct Node: Sendable {
    public let kept, noise, weight, deviation: Double
  }

  public let nodes: [Node]
  public let freedom: Int
  private let rows: [Int]

  /// Learns from residuals; `keptCount` values of ρ are looked at.
  public init(of residuals: [Double], rows: [Int], design: [[Double]], keptCount: Int) {
    self.rows = rows
    let freedom = rows.count - design.count
    let plain = residuals.reduce(0) { $0 + $1 * $1 } / Double(freedom)
    var found: [(kept: Double, noise: Double, logarithm: Double, deviation: Double)] = []
    for part in 0..<keptCount {
      let angle = { (place: Double) in sin(place / Double(keptCount) * .pi / 2) }
      let (kept, share) = (angle(Double(part) + 0.5), angle(Double(part) + 1) - angle(Double(part)))
      for (noise, prior) in [(0, 0.9), (0.2, 0.1 / 3), (0.5, 0.1 / 3), (0.8, 0.1 / 3)] {
        let fit = Self.fit(residuals, by: design, rows: rows, kept: kept, noise: noise)
        let logarithm =
          -(fit.correlations + fit.information + Double(freedom) * log(fit.residual)) / 2
          + log(share * prior)
        found.append(
          (kept, noise, logarithm, (fit.residual / Double(freedom) / plain).squareRoot()))
      }
    }
    let most = found.map(\.logarithm).max() ?? 0
    let total = found.reduce(0) { $0 + exp($1.logarithm - most) }
    nodes = found.map {
      Node(
        kept: $0.kept, noise: $0.noise, weight: exp($0.logarithm - most) / total,
        deviation: $0.deviation)
    }
    self.freedom = freedom
  }

  /// The correlations of the errors of all pairs of rows.
  public static func correlations(rows: [Int], kept: Double, noise: Double) -> [[Double]] {
    rows.indices.map { one in
      rows.indices.map { other in
        one == other ? 1 : (1 - noise) * pow(kept, Double(abs(rows[one] - rows[other])))
      }
    }
  }

  /// Generalised least squares of a column on others.
  ///
  /// - Returns: ln |R|, ln |XᵀR⁻¹X|, the coefficients, and what they leave
  public static func fit(
    _ column: [Double], by design: [[Double]], rows: [Int], kept: Double, noise: Double
  ) -> (correlations: Double, information: Double, coefficients: [Double], residual: Double) {
    let correlations = Self.correlations(rows: rows, kept: kept, noise: noise)
    let (solved, logarithm) = solve(correlations, for: design + [column])
    func product(_ one: [Double], _ other: [Double]) -> Double {
      zip(one, other).map { $0 * $1 }.reduce(0, +)
    }
    let information = design.map { one in design.indices.map { product(one, solved[$0]) } }
    let right = design.map { product($0, solved[design.count]) }
    let (coefficients, size) = solve(information, for: [right])
    let rest = product(column, solved[design.count]) - product(right, coefficients[0])
    return (logarithm, size, coefficients[0], rest)
  }

  /// How far from 0 an estimate lies as the mean of Student's tails over all models, on both sides.
  public func pValue(_ statistic: Double, influence: [Double]) -> Double {
    let scales = scales(of: influence)
    return zip(nodes, scales).reduce(0) {
      $0 + $1.0.weight
        * (1 - SlowStudentDistribution.central(statistic / $1.1, degreesOfFreedom: freedom))
    }
  }

  /// The scale of each model for Σhy, beside that of independent rows.
  public func scales(of influence: [Double]) -> [Double] {
    let squares = influence.reduce(0) { $0 + $1 * $1 }
    return nodes.map { node in
      let correlations = Self.correlations(rows: rows, kept: node.kept, noise: node.noise)
      let variance = zip(influence, correlations).reduce(0) { sum, one in
        sum + one.0 * zip(influence, one.1).reduce(0) { $0 + $1.0 * $1.1 }
      }
      return node.deviation * (variance / squares).squareRoot()
    }
  }

  /// Solves *Ax* = *b* for several *b* by elimination.
  ///
  /// - Returns: the solutions, and ln |*A*|
  private static func solve(
    _ matrix: [[Double]], for sides: [[Double]]
  ) -> (solutions: [[Double]], logarithm: Double) {
    var rows = matrix.indices.map { row in matrix[row] + sides.map { $0[row] } }
    var logarithm = 0.0
    for pivot in rows.indices {
      let best = (pivot..<rows.count).max { rows[$0][pivot].magnitude < rows[$1][pivot].magnitude }
      rows.swapAt(pivot, best ?? pivot)
      logarithm += log(rows[pivot][pivot].magnitude)
      for row in rows.indices where row != pivot {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        guard factor != 0 else { continue }
        for column in pivot..<rows[row].count { rows[row][column] -= factor * rows[pivot][column] }
      }
    }
    let count = matrix.count
    return (
      sides.indices.map { side in rows.indices.map { rows[$0][count + side] / rows[$0][$0] } },
      logarithm
    )
  }
}
