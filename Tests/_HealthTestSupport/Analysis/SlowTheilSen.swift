/// The line of Theil and Sen by the sorted list of all slopes.
public struct SlowTheilSen: Sendable {
  /// The slopes of all pairs with different *x*, in order of size.
  public let slopes: [Double]

  /// Computes all slopes. - Complexity: O(*n*² log *n*)
  public init(x: [Double], y: [Double]) {
    var slopes: [Double] = []
    for left in x.indices {
      for right in x.indices where x[right] > x[left] {
        slopes.append((y[right] - y[left]) / (x[right] - x[left]))
      }
    }
    self.slopes = slopes.sorted()
  }

  /// The middle slope, or the mean of the two middle ones.
  public var median: Double {
    let half = slopes.count / 2
    return slopes.count % 2 == 1 ? slopes[half] : (slopes[half - 1] + slopes[half]) / 2
  }

  /// 18 times the variance of Kendall's score with the ties of each column, in whole numbers.
  public static func scaledVariance(x: [Double], y: [Double]) -> Int {
    func ties(_ column: [Double]) -> Int {
      Set(column).reduce(0) { sum, value in
        let size = column.count { $0 == value }
        return sum + size * (size - 1) * (2 * size + 5)
      }
    }
    let n = x.count
    return n * (n - 1) * (2 * n + 5) - ties(x) - ties(y)
  }
}
