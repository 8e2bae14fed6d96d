import Foundation

/// A cosinor model by the normal equations and Gauss' elimination, with the errors of amplitude and
/// acrophase by differences instead of derivatives, and F by fitting again without a rhythm.
public struct SlowCosinor {
  /// M, then β and γ of each period.
  public let coefficients: [Double]
  /// Their covariances.
  public let covariance: [[Double]]
  public let residualSquares: Double
  /// For each period: amplitude and its error, acrophase and its error, F.
  public let rhythms: [(Double, Double, Double, Double, Double)]
  /// F of all periods together.
  public let f: Double
  /// 1 − Σ(y − ŷ)²/Σ(y − ȳ)².
  public let rSquared: Double

  public init(times: [Double], values: [Double], periods: [Double]) {
    let rows = times.map { time in
      [1.0] + periods.flatMap { [cos(2 * .pi * time / $0), sin(2 * .pi * time / $0)] }
    }
    let width = rows[0].count
    let freedom = Double(times.count - width)
    let (estimates, inverse, squares) = Self.fit(rows, values)
    let variance = squares / freedom
    let covariance = inverse.map { $0.map { $0 * variance } }
    let mean = values.reduce(0, +) / Double(values.count)
    let total = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }

    rhythms = periods.indices.map { index in
      let at = 1 + 2 * index
      let (beta, gamma) = (estimates[at], estimates[at + 1])
      func error(of quantity: (Double, Double) -> Double) -> Double {
        let step = 1e-5 * (beta * beta + gamma * gamma).squareRoot()
        let slopes = [
          (quantity(beta + step, gamma) - quantity(beta - step, gamma)) / (2 * step),
          (quantity(beta, gamma + step) - quantity(beta, gamma - step)) / (2 * step),
        ]
        var sum = 0.0
        for i in 0..<2 {
          for j in 0..<2 { sum += slopes[i] * slopes[j] * covariance[at + i][at + j] }
        }
        return max(0, sum).squareRoot()
      }
      // Angles from the estimate on, so that no difference goes around the circle.
      let angle = atan2(-gamma, beta)
      let without = rows.map { row in
        row.indices.filter { $0 != at && $0 != at + 1 }.map { row[$0] }
      }
      let restricted = Self.fit(without, values).squares
      return (
        (beta * beta + gamma * gamma).squareRoot(),
        error { ($0 * $0 + $1 * $1).squareRoot() }, angle,
        error { remainder(atan2(-$1, $0) - angle, 2 * .pi) },
        (restricted - squares) / 2 / variance
      )
    }
    coefficients = estimates
    self.covariance = covariance
    residualSquares = squares
    f = (total - squares) / Double(width - 1) / variance
    rSquared = 1 - squares / total
  }

  /// The coefficients, (XᵀX)⁻¹, and the sum of squared residuals.
  static func fit(
    _ rows: [[Double]], _ values: [Double]
  ) -> (coefficients: [Double], inverse: [[Double]], squares: Double) {
    let width = rows[0].count
    // XᵀX with the unit matrix and Xᵀy beside it.
    var table = (0..<width).map { i in
      (0..<width).map { j in rows.reduce(0) { $0 + $1[i] * $1[j] } }
        + (0..<width).map { $0 == i ? 1.0 : 0 }
        + [zip(rows, values).reduce(0) { $0 + $1.0[i] * $1.1 }]
    }
    for column in 0..<width {
      let pivot = (column..<width).reduce(column) {
        abs(table[$1][column]) > abs(table[$0][column]) ? $1 : $0
      }
      table.swapAt(column, pivot)
      let factor = table[column][column]
      table[column] = table[column].map { $0 / factor }
      for row in 0..<width where row != column {
        let share = table[row][column]
        table[row] = zip(table[row], table[column]).map { $0 - share * $1 }
      }
    }
    let coefficients = table.map { $0[2 * width] }
    let squares = zip(rows, values).reduce(0) { sum, pair in
      let fitted = zip(pair.0, coefficients).reduce(0) { $0 + $1.0 * $1.1 }
      return sum + (pair.1 - fitted) * (pair.1 - fitted)
    }
    return (coefficients, table.map { Array($0[width..<2 * width]) }, squares)
  }
}
