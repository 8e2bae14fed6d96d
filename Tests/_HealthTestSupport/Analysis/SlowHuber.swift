import Foundation

/// Huber's line by plain steps of weighted least squares on the normal equations, many of them.
public struct SlowHuber: Sendable {
  public private(set) var intercept = 0.0
  public private(set) var slope = 0.0
  public private(set) var scale = 0.0

  /// Takes a fixed number of steps. - Complexity: O(steps · *n* log *n*)
  public init(x: [Double], y: [Double], tuning: Double, steps: Int) {
    var weights = [Double](repeating: 1, count: x.count)
    for _ in 0...steps {
      let total = weights.reduce(0, +)
      let sumX = zip(weights, x).reduce(0) { $0 + $1.0 * $1.1 }
      let sumY = zip(weights, y).reduce(0) { $0 + $1.0 * $1.1 }
      let sumXX = zip(weights, x).reduce(0) { $0 + $1.0 * $1.1 * $1.1 }
      let sumXY = x.indices.reduce(0) { $0 + weights[$1] * x[$1] * y[$1] }
      slope = (total * sumXY - sumX * sumY) / (total * sumXX - sumX * sumX)
      intercept = (sumY - slope * sumX) / total
      let sizes = x.indices.map { abs(y[$0] - intercept - slope * x[$0]) }
      let sorted = sizes.sorted()
      let half = sorted.count / 2
      let middle = sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
      // The third quartile of the normal distribution, from tables.
      scale = middle / 0.674_489_750_196_081_7
      weights = sizes.map { min(1, tuning * scale / $0) }
    }
  }
}
