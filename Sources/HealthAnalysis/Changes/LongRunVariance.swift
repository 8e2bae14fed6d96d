#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The long-run variance of values whose mean may change, by their differences: see
/// ``ChangePoints/Penalty/longRun(factor:)``.
struct LongRunVariance: Sendable, Hashable {
  /// ω²: the limit of *m* times the variance of a mean of *m* values.
  let value: Double
  /// φ, held between 0 and 0.95.
  let autocorrelation: Double

  /// - Complexity: O(*n*)
  ///
  /// - Precondition: there are at least 12 values.
  init(_ values: [Double]) {
    let next = Self.meanSquare(values, distance: 1)
    let level = (5...11).map { Self.meanSquare(values, distance: $0) }.compensatedSum / 7
    autocorrelation = level > 0 ? min(0.95, max(0, 1 - next / level)) : 0
    let rest = 1 - autocorrelation
    value = next / 2 * (1 + autocorrelation) / (rest * rest)
  }

  /// The mean square of the differences of values some places apart.
  private static func meanSquare(_ values: [Double], distance: Int) -> Double {
    let squares = zip(values, values.dropFirst(distance)).lazy.map { ($1 - $0) * ($1 - $0) }
    return squares.compensatedSum / Double(max(1, values.count - distance))
  }
}

extension [Double] {
  /// ln *n*.
  var logarithmOfCount: Double { log(Double(count)) }

  /// The values held near the medians around them: see
  /// ``RegularSeries/changePoints(penalty:leastLength:clippedAt:)``.
  ///
  /// - Parameters:
  ///   - deviations: how far a value may lie from its median, in standard deviations
  ///   - reach: how many values on either side the median sees, where there are as many
  /// - Returns: as many values
  /// - Complexity: O(*n*·reach·log reach)
  func clipped(at deviations: Double, reach: Int) -> [Double] {
    let medians = indices.map { row in
      self[(row - Swift.min(row, reach))..<(row + Swift.min(count - 1 - row, reach) + 1)].median
        ?? self[row]
    }
    let distances = zip(self, medians).map { ($0 - $1).magnitude }
    var spread = 1.4826 * (distances.median ?? 0)
    if spread == 0 { spread = 1.253314 * distances.compensatedSum / Double(Swift.max(1, count)) }
    let limit = deviations * spread
    return zip(self, medians).map { value, median in
      Swift.min(median + limit, Swift.max(median - limit, value))
    }
  }
}
