extension Decomposition {
  /// max(0, 1 − Var(R)/Var(P + R)), where P is a part and R the remainder, over some rows.
  ///
  /// - Parameters:
  ///   - part: the part, one value a row
  ///   - remainder: the remainder
  ///   - rows: which rows count
  ///   - level: the largest magnitude of the values: a standard deviation below 2^-44 of it is
  ///     rounding
  /// - Returns: from 0 to 1; `nil` when the sum does not vary beyond rounding
  /// - Complexity: O(rows)
  static func strength(
    of part: [Double], remainder: [Double], rows: [Int], level: Double
  ) -> Double? {
    let whole = variance(rows.map { part[$0] + remainder[$0] })
    guard whole.squareRoot() > 0x1p-44 * level else { return nil }
    return max(0, 1 - variance(rows.map { remainder[$0] }) / whole)
  }

  /// The mean square of the distances from the mean, in two passes with a correction for the
  /// rounding of the mean (Chan, Golub and LeVeque, *The American Statistician* 37, 1983).
  private static func variance(_ values: [Double]) -> Double {
    guard !values.isEmpty else { return 0 }
    let count = Double(values.count)
    let mean = values.laneSum { $0 } / count
    let rest = values.laneSum { $0 - mean }
    let squares = values.laneSum { ($0 - mean) * ($0 - mean) }
    return max(0, squares - rest * rest / count) / count
  }
}

extension [Double] {
  /// A sum in eight lanes, the last values in the first of them.
  fileprivate func laneSum(_ term: (SIMD8<Double>) -> SIMD8<Double>) -> Double {
    var sum = SIMD8<Double>.zero
    let whole = count - count % SIMD8<Double>.scalarCount
    withUnsafeBytes { bytes in
      for row in stride(from: 0, to: whole, by: SIMD8<Double>.scalarCount) {
        sum += term(
          bytes.loadUnaligned(
            fromByteOffset: row * MemoryLayout<Double>.stride, as: SIMD8<Double>.self))
      }
    }
    for (lane, row) in (whole..<count).enumerated() {
      sum[lane] += term(SIMD8(repeating: self[row]))[0]
    }
    return sum.sum()
  }
}
