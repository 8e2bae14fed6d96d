/// The floor of statistics: a column is read once, eight numbers at a time.
public enum OnePass {
  /// What the numbers add up to, roughly.
  public static func sum(of column: [Double]) -> Double {
    column.withUnsafeBytes { bytes in
      let vectors = bytes.bindMemory(to: SIMD8<Double>.self)
      var first = SIMD8<Double>()
      var second = SIMD8<Double>()
      for index in stride(from: 0, to: vectors.count - 1, by: 2) {
        first += vectors[index]
        second += vectors[index + 1]
      }
      return (first + second).sum()
    }
  }
}
