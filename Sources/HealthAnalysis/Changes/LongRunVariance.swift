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
    let level = Self.distances.map { Self.meanSquare(values, distance: $0) }.compensatedSum / 7
    autocorrelation = level > next ? Self.autocorrelation(ratio: next / level) : 0
    let rest = 1 - autocorrelation
    value = next / 2 * (1 + autocorrelation) / (rest * rest)
  }

  /// The distances at which neighbours have forgotten one another, or nearly.
  private static let distances = 5...11

  /// The φ of an autoregression with *V*₁ = `ratio` times the mean of *V*₅ … *V*₁₁, by bisection.
  private static func autocorrelation(ratio: Double) -> Double {
    var low = 0.0
    var high = 0.95
    for _ in 0..<60 {
      let middle = low + (high - low) / 2
      let kept = distances.map { pow(middle, Double($0)) }.reduce(0, +) / 7
      if (1 - middle) / (1 - kept) > ratio { low = middle } else { high = middle }
    }
    return low + (high - low) / 2
  }

  /// The mean square of the differences of values some places apart, clipped.
  ///
  /// 0.9205 is the mean of min(z², 4) of a normal *z*.
  private static func meanSquare(_ values: [Double], distance: Int) -> Double {
    let lengths = zip(values, values.dropFirst(distance)).map { ($1 - $0).magnitude }
    let limit = 2 * lengths.deviation
    let squares = lengths.lazy.map { min($0, limit) * min($0, limit) }
    return squares.compensatedSum / Double(max(1, lengths.count)) / 0.9205
  }
}

extension Int {
  /// ln *n*.
  var logarithm: Double { log(Double(self)) }
}

extension [Double] {
  /// The values held near the medians around them: see
  /// ``RegularSeries/changePoints(penalty:leastLength:clippedAt:)``.
  ///
  /// - Parameters:
  ///   - deviations: how far a value may lie from its median, in standard deviations
  ///   - leastLength: how many values a segment has at least; the median sees half as many on either
  ///     side, and three at least, where there are as many
  /// - Returns: as many values
  /// - Complexity: O(*n*·leastLength·log leastLength)
  func clipped(at deviations: Double, leastLength: Int) -> [Double] {
    let reach = Swift.max(3, leastLength / 2)
    let medians = indices.map { row in
      self[(row - Swift.min(row, reach))..<(row + Swift.min(count - 1 - row, reach) + 1)].median
        ?? self[row]
    }
    let distances = zip(self, medians).map { ($0 - $1).magnitude }
    let limit = deviations * distances.deviation
    return zip(self, medians).map { value, median in
      Swift.min(median + limit, Swift.max(median - limit, value))
    }
  }

  /// The standard deviation of normal values of which these are the distances from their centre: by
  /// the median, or by the mean where that is 0.
  fileprivate var deviation: Double {
    let deviation = 1.4826 * (median ?? 0)
    return deviation > 0
      ? deviation : 1.253314 * compensatedSum / Double(Swift.max(1, count))
  }
}
