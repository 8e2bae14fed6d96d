/// Correlations, effective counts and adjusted *p*-values straight from their definitions.
public enum SlowCorrelation {
  /// The rank of each value: how many are smaller, and half of how many are equal.
  public static func ranks(_ values: [Double]) -> [Double] {
    values.map { value in
      Double(values.count { $0 < value }) + Double(values.count { $0 == value } + 1) / 2
    }
  }

  /// The pairs of row *t* of one column and row *t* + `lag` of the other, where both are there.
  public static func pairs(
    _ x: [Double?], _ y: [Double?], lag: Int
  ) -> (x: [Double], y: [Double]) {
    var pairs: (x: [Double], y: [Double]) = ([], [])
    for row in x.indices where y.indices.contains(row + lag) {
      guard let left = x[row], let right = y[row + lag] else { continue }
      pairs.x.append(left)
      pairs.y.append(right)
    }
    return pairs
  }

  /// Pearson's coefficient; `nil` where all values of a column are equal.
  public static func pearson(_ x: [Double], _ y: [Double]) -> Double? {
    guard Set(x).count > 1, Set(y).count > 1 else { return nil }
    let left = x.map { $0 - x.reduce(0, +) / Double(x.count) }
    let right = y.map { $0 - y.reduce(0, +) / Double(y.count) }
    let product = zip(left, right).map { $0 * $1 }.reduce(0, +)
    let squares = left.map { $0 * $0 }.reduce(0, +) * right.map { $0 * $0 }.reduce(0, +)
    return product / squares.squareRoot()
  }

  /// Spearman's coefficient; `nil` where all values of a column are equal.
  public static func spearman(_ x: [Double], _ y: [Double]) -> Double? {
    pearson(ranks(x), ranks(y))
  }

  /// *n*/(1 + 2Σ(1 − j/n)·*a*ⱼ·*b*ⱼ) over the distances 1–28 below *n*, between 4 and *n*.
  public static func effectiveCount(
    _ x: [Double?], _ y: [Double?], count: Int, ofRanks: Bool
  ) -> Double {
    var sum = 1.0
    for distance in 1..<min(29, x.count) where distance < count {
      let weight = 1 - Double(distance) / Double(count)
      sum +=
        2 * weight * autocorrelation(x, distance, ofRanks: ofRanks)
        * autocorrelation(y, distance, ofRanks: ofRanks)
    }
    return min(Double(count), max(4, Double(count) / max(1, sum)))
  }

  private static func autocorrelation(
    _ column: [Double?], _ distance: Int, ofRanks: Bool
  ) -> Double {
    let present = column.compactMap(\.self)
    let compared = ofRanks ? ranks(present) : present
    let mean = compared.reduce(0, +) / Double(compared.count)
    let variance =
      compared.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(compared.count)
    var next = 0
    let all = column.map { value -> Double? in
      guard value != nil else { return nil }
      next += 1
      return compared[next - 1] - mean
    }
    let pairs = pairs(all, all, lag: distance)
    guard !pairs.x.isEmpty else { return 0 }
    let product = zip(pairs.x, pairs.y).map { $0 * $1 }.reduce(0, +) / Double(pairs.x.count)
    return max(-1, min(1, product / variance))
  }

  /// The smallest false discovery rate at which a test is among those that are found, for each.
  public static func benjaminiHochberg(_ pValues: [Double]) -> [Double] {
    pValues.map { own in
      pValues.filter { $0 >= own }.map { limit in
        limit * Double(pValues.count) / Double(pValues.count { $0 <= limit })
      }.reduce(1, min)
    }
  }

  /// The smallest level at which Holm's steps reach a test, for each.
  public static func holm(_ pValues: [Double]) -> [Double] {
    pValues.map { own in
      pValues.filter { $0 <= own }.map { limit in
        min(1, limit * Double(pValues.count - pValues.count { $0 < limit }))
      }.reduce(0, max)
    }
  }
}
