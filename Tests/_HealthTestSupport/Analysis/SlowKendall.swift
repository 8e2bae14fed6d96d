/// Kendall's score by all pairs, and its distribution by all orders.
public enum SlowKendall {
  /// Concordant pairs minus discordant ones. - Complexity: O(*n*²)
  public static func score(x: [Double], y: [Double]) -> Int {
    var score = 0
    for left in x.indices {
      for right in x.indices where right > left {
        score += sign(x[right], x[left]) * sign(y[right], y[left])
      }
    }
    return score
  }

  private static func sign(_ left: Double, _ right: Double) -> Int {
    left > right ? 1 : left < right ? -1 : 0
  }

  /// The number of pairs of equal values.
  public static func equalPairs(_ column: [Double]) -> Int {
    column.indices.reduce(0) { sum, left in
      sum + column.indices.count { $0 > left && column[$0] == column[left] }
    }
  }

  /// The mean and the largest share: (Σ S²/m, share of |S| ≥ |score|) over all *m* orders of *y*.
  ///
  /// - Precondition: there are no more than eight points.
  public static func overAllOrders(
    x: [Double], y: [Double]
  ) -> (variance: Double, probability: Double) {
    precondition(x.count <= 8)
    let limit = score(x: x, y: y).magnitude
    var squares = 0
    var extreme = 0
    var orders = 0
    func visit(_ prefix: [Double], _ rest: [Double]) {
      guard !rest.isEmpty else {
        let score = score(x: x, y: prefix)
        squares += score * score
        extreme += score.magnitude >= limit ? 1 : 0
        orders += 1
        return
      }
      for index in rest.indices {
        var others = rest
        let value = others.remove(at: index)
        visit(prefix + [value], others)
      }
    }
    visit([], y)
    return (Double(squares) / Double(orders), Double(extreme) / Double(orders))
  }
}
