/// Smoothing by its definition.
public enum SlowSmoothing {
  /// The curve of Whittaker and the trace of its hat matrix, by Gaussian elimination on the dense
  /// matrix W + λDᵀD.
  public static func whittaker(
    _ values: [Double?], order: Int, lambda: Double
  ) -> (curve: [Double], trace: Double) {
    let count = values.count
    // D: differences of the rows of an identity matrix.
    var differences = (0..<count).map { row in (0..<count).map { $0 == row ? 1.0 : 0 } }
    for _ in 0..<order {
      differences = zip(differences.dropFirst(), differences).map { zip($0, $1).map { $0 - $1 } }
    }
    var matrix = (0..<count).map { row in
      (0..<count).map { column in
        lambda * differences.reduce(0) { $0 + $1[row] * $1[column] }
          + (row == column && values[row] != nil ? 1 : 0)
      }
    }
    // The right sides: Wy, and the columns of an identity matrix for the inverse.
    var right = (0..<count).map { row in
      [values[row] ?? 0] + (0..<count).map { $0 == row ? 1.0 : 0 }
    }
    for column in 0..<count {
      let pivot =
        (column..<count).max {
          matrix[$0][column].magnitude < matrix[$1][column].magnitude
        } ?? column
      matrix.swapAt(column, pivot)
      right.swapAt(column, pivot)
      for row in 0..<count where row != column && matrix[row][column] != 0 {
        let factor = matrix[row][column] / matrix[column][column]
        for other in column..<count { matrix[row][other] -= factor * matrix[column][other] }
        for other in right[row].indices { right[row][other] -= factor * right[column][other] }
      }
    }
    let solution = (0..<count).map { row in right[row].map { $0 / matrix[row][row] } }
    let trace = (0..<count).reduce(0.0) { $0 + (values[$1] == nil ? 0 : solution[$1][$1 + 1]) }
    return (solution.map { $0[0] }, trace)
  }

  /// Moving means, each from all rows that are near enough.
  public static func movingMean(
    _ values: [Double?], before: Int, after: Int, least: Int
  ) -> [Double?] {
    values.indices.map { row in
      let near = values.indices.filter { $0 >= row - before && $0 <= row + after }
        .compactMap { values[$0] }
      return near.count < least ? nil : near.reduce(0, +) / Double(near.count)
    }
  }
}
