/// A weighted least squares problem of whole numbers by the normal equations, with fractions.
public enum SlowLeastSquares {
  /// The coefficients of the columns, exact but for one division each; nothing for dependent columns.
  ///
  /// By Cramer's rule with determinants of Bareiss, in whole numbers of 128 bits.
  ///
  /// - Precondition: numbers and weights are small enough for no overflow: up to about 20 for four
  ///   columns.
  public static func coefficients(
    columns: [[Int]], response: [Int], weights: [Int]
  ) -> [Double]? {
    func product(_ left: [Int], _ right: [Int]) -> Int128 {
      left.indices.reduce(0) { $0 + Int128(weights[$1]) * Int128(left[$1]) * Int128(right[$1]) }
    }
    let normal = columns.map { left in columns.map { product(left, $0) } }
    let right = columns.map { product($0, response) }
    let whole = determinant(normal)
    guard whole != 0 else { return nil }
    return columns.indices.map { column in
      var replaced = normal
      for row in replaced.indices { replaced[row][column] = right[row] }
      return Double(determinant(replaced)) / Double(whole)
    }
  }

  /// A determinant without fractions (Bareiss 1968).
  static func determinant(_ matrix: [[Int128]]) -> Int128 {
    var rows = matrix
    var sign: Int128 = 1
    var last: Int128 = 1
    for step in rows.indices.dropLast() {
      guard let pivot = (step..<rows.count).first(where: { rows[$0][step] != 0 }) else { return 0 }
      if pivot != step {
        rows.swapAt(pivot, step)
        sign = -sign
      }
      for row in (step + 1)..<rows.count {
        for column in (step + 1)..<rows.count {
          rows[row][column] =
            (rows[row][column] * rows[step][step] - rows[row][step] * rows[step][column]) / last
        }
      }
      last = rows[step][step]
    }
    return sign * (rows.last?.last ?? 1)
  }
}
