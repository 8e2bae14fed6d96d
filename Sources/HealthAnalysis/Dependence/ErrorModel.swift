#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How the errors of rows go together: a share of noise that each row has by itself, and for the rest an
/// autoregression of the first order.
///
/// The correlation of two rows *d* apart is (1 − τ)ρᵈ. A weight that comes and goes over weeks, and is
/// read a little wrong each day, has a ρ near 1 and a τ above 0; an autoregression alone, as most series
/// of weeks are, has τ = 0.
struct ErrorModel: Sendable, Hashable {
  /// ρ: how much of what is not noise the next row keeps, from 0 to below 1.
  let kept: Double
  /// τ: the share of noise in the variance, from 0 to below 1.
  let noise: Double

  /// How much errors of neighbouring rows go together.
  var autocorrelation: Double { (1 - noise) * kept }

  /// ρ at the midpoints of `count` equal parts of arcsin ρ from 0 to π/2.
  ///
  /// In arcsin ρ the estimate of ρ is about as certain near 1 as near 0, so that no part of the range is
  /// finer than the data can tell.
  ///
  /// - Returns: each ρ, and the length of its part in ρ as a share of all
  static func keptShares(count: Int) -> [(kept: Double, share: Double)] {
    let angles = (0...2 * count).map { Double($0) / Double(4 * count) * .pi }
    return (0..<count).map { part in
      (sin(angles[2 * part + 1]), sin(angles[2 * part + 2]) - sin(angles[2 * part]))
    }
  }
}

/// Columns as rows, of which several models of errors take the dependence out.
struct DependentColumns {
  /// The values, one row after the other.
  private let values: [Double]
  /// How many columns there are.
  let width: Int
  /// How many rows lie between a row and the one before it, at least 1; the first has none.
  private let distances: [Int]

  /// Makes rows of columns.
  ///
  /// - Precondition: there is a column, each has as many values as there are rows, and the rows ascend.
  init(_ columns: [[Double]], rows: [Int]) {
    width = columns.count
    values = rows.indices.flatMap { row in columns.map { $0[row] } }
    distances = zip(rows.dropFirst(), rows).map { $0 - $1 }
  }

  /// The products of each pair of columns after the rows are made independent, with the logarithm of the
  /// determinant of the correlations of rows.
  struct Products {
    /// *XᵀR⁻¹X*, one row after the other; above the diagonal without meaning.
    var values: [Double]
    /// ln |*R*|.
    var logarithm: Double
  }

  /// ρ to the power of each distance.
  func powers(of kept: Double) -> [Double] {
    distances.map { $0 == 1 ? kept : pow(kept, Double($0)) }
  }

  /// Makes the rows independent by Kalman's filter, and multiplies the columns with one another.
  ///
  /// The state is what is not noise; its variance before a row, and so the weight of the row, depends on
  /// the distances of rows alone.
  ///
  /// - Parameters:
  ///   - model: how the errors of rows go together
  ///   - powers: ρ to the power of each distance
  /// - Returns: the products
  /// - Complexity: O(*n* · width²)
  func products(by model: ErrorModel, powers: [Double]) -> Products {
    var products = [Double](repeating: 0, count: width * width)
    var states = [Double](repeating: 0, count: width)
    var innovations = states
    var (logarithm, determinant) = (0.0, 1.0)
    var variance = 1 - model.noise
    values.withUnsafeBufferPointer { values in
      products.withUnsafeMutableBufferPointer { products in
        states.withUnsafeMutableBufferPointer { states in
          innovations.withUnsafeMutableBufferPointer { innovations in
            for row in 0...distances.count {
              let decay = row == 0 ? 0 : powers[row - 1]
              if row > 0 {
                let square = decay * decay
                variance = square * variance + (1 - model.noise) * (1 - square)
              }
              let precision = 1 / (variance + model.noise)
              let gain = variance * precision
              determinant *= variance + model.noise
              variance *= 1 - gain
              if determinant < 1e-200 {
                logarithm += log(determinant)
                determinant = 1
              }
              for column in 0..<width {
                let before = decay * states[column]
                let innovation = values[row &* width &+ column] - before
                innovations[column] = innovation
                states[column] = before + gain * innovation
                let weighted = innovation * precision
                for other in 0...column {
                  products[column &* width &+ other] += weighted * innovations[other]
                }
              }
            }
          }
        }
      }
    }
    return Products(values: products, logarithm: logarithm + log(determinant))
  }

  /// The variance of Σ*hₜeₜ*, where *h* is a column and the errors *e* of variance 1 are an autoregression.
  ///
  /// - Complexity: O(*n*)
  func autoregressiveVariance(of influence: [Double], powers: [Double]) -> Double {
    var (sum, squares, state) = (0.0, 0.0, 0.0)
    for (row, value) in influence.enumerated() {
      state = value + (row == 0 ? 0 : powers[row - 1]) * state
      sum += value * state
      squares += value * value
    }
    return 2 * sum - squares
  }
}
