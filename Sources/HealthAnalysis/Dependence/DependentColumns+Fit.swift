#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension DependentColumns.Products {
  /// What the generalised least squares of the last column on some of the others leaves.
  struct Fit {
    /// The logarithm of the determinant of the products of the columns.
    let logarithm: Double
    /// The sum of the squared residuals.
    let residual: Double
    /// Cholesky's factor *L* of the products of the columns with the last one after them, row by row.
    fileprivate let factor: [Double]
    /// How many columns there are with the last one.
    fileprivate let width: Int

    /// The coefficients of the columns. - Complexity: O(columns²)
    var coefficients: [Double] {
      let count = width - 1
      var found = [Double](repeating: 0, count: count)
      for column in (0..<count).reversed() {
        let known = (column + 1..<count).reduce(0) { $0 + factor[$1 * width + column] * found[$1] }
        found[column] = (factor[count * width + column] - known) / factor[column * width + column]
      }
      return found
    }

    /// How much the residual grows when a column is left out: the square of its coefficient over the
    /// diagonal of the inverse.
    ///
    /// - Complexity: O(columns³)
    var contributions: [Double] {
      let count = width - 1
      return zip(coefficients, 0..<count).map { coefficient, column in
        // The column of the identity, solved for, is that of the inverse of L.
        var inverse = [Double](repeating: 0, count: count)
        for row in column..<count {
          let known = (column..<row).reduce(0) { $0 + factor[row * width + $1] * inverse[$1] }
          inverse[row] = ((row == column ? 1 : 0) - known) / factor[row * width + row]
        }
        return coefficient * coefficient / inverse.reduce(0) { $0 + $1 * $1 }
      }
    }
  }

  /// Fits the last column by some of the others.
  ///
  /// - Parameters:
  ///   - columns: the numbers of the columns
  ///   - width: how many columns there are with the last one
  /// - Returns: the coefficients, and what they leave
  /// - Complexity: O(columns³)
  func fit(of columns: [Int], width: Int) -> Fit {
    let chosen = columns + [width - 1]
    var factor = [Double](repeating: 0, count: chosen.count * chosen.count)
    for row in chosen.indices {
      for column in 0...row {
        let (one, other) = (
          max(chosen[row], chosen[column]), min(chosen[row], chosen[column])
        )
        var rest = values[one * width + other]
        for inner in 0..<column {
          rest -= factor[row * chosen.count + inner] * factor[column * chosen.count + inner]
        }
        if row == column {
          // What is left of a square is never negative but for rounding.
          factor[row * chosen.count + row] = max(rest, .leastNormalMagnitude).squareRoot()
        } else {
          factor[row * chosen.count + column] = rest / factor[column * chosen.count + column]
        }
      }
    }
    let pivots = columns.indices.map { factor[$0 * chosen.count + $0] }
    let last = factor[chosen.count * chosen.count - 1]
    return Fit(
      logarithm: 2 * pivots.map { log($0) }.reduce(0, +), residual: last * last, factor: factor,
      width: chosen.count)
  }
}
