import _HealthNumerics

/// A column minus its centre, scaled by a power of two so that the largest difference is about 1.
///
/// Neither a large offset (an *x* in seconds since 2001) nor a large or small unit then costs
/// precision, and squares neither overflow nor vanish.
struct ScaledColumn {
  /// (value − centre) · 2^−``exponent``.
  let values: [Double]
  /// The centre, also times 2^−``exponent``.
  let centre: Double
  let exponent: Int

  /// The centre is near the mean, and is the value itself when all are equal; 0 for a column that
  /// is only scaled.
  ///
  /// - Parameters:
  ///   - column: finite numbers
  ///   - isCentred: whether the centre is subtracted
  ///   - counted: which values decide on centre and scale; the others become 0. All of them when
  ///     `nil`.
  /// - Complexity: O(*n*)
  init(_ column: [Double], isCentred: Bool = true, counted: [Bool]? = nil) {
    let rows = counted.map { counted in column.indices.filter { counted[$0] } }
    func pick(_ values: [Double]) -> [Double] { rows.map { $0.map { values[$0] } } ?? values }
    let coarse = Self.exponent(of: pick(column))
    let coarseFactor = 1.scaled(by: -coarse)
    let scaled = pick(column).map { $0 * coarseFactor }
    var middle = 0.0
    if isCentred, let anchor = scaled.first {
      middle = anchor + scaled.reduce(into: 0) { $0 += $1 - anchor } / Double(scaled.count)
    }
    let differences = scaled.map { $0 - middle }
    let fine = Self.exponent(of: differences)
    let fineFactor = 1.scaled(by: -fine)
    let found = differences.map { $0 * fineFactor }
    if let rows {
      var all = [Double](repeating: 0, count: column.count)
      for (row, value) in zip(rows, found) { all[row] = value }
      values = all
    } else {
      values = found
    }
    centre = middle * fineFactor
    exponent = coarse + fine
  }

  /// Whether all values of the column are equal, or zero where it is only scaled.
  var isZero: Bool { values.allSatisfy { $0 == 0 } }

  /// The exponent of the largest magnitude, 0 when all are zero; limited so that its inverse power
  /// of two does not overflow.
  private static func exponent(of column: [Double]) -> Int {
    let largest = column.reduce(0) { max($0, $1.magnitude) }
    return largest == 0 ? 0 : max(-1000, Int(largest.exponent))
  }
}

extension Double {
  /// The number times 2^`exponent`.
  func scaled(by exponent: Int) -> Double {
    Double(sign: .plus, exponent: exponent, significand: self)
  }
}

extension Sequence<Double> {
  /// √Σx², without overflow of a square.
  var norm: Double {
    let largest = reduce(0) { Swift.max($0, $1.magnitude) }
    guard largest > 0, largest.isFinite else { return largest }
    let exponent = Int(largest.exponent)
    let factor = 1.scaled(by: Swift.max(-1022, Swift.min(1022, -exponent)))
    let squares = reduce(into: 0.0) { $0 += ($1 * factor) * ($1 * factor) }
    return squares.squareRoot() / factor
  }

  /// The sum, compensated.
  var compensatedSum: Double {
    reduce(into: CompensatedSum()) { $0.add($1) }.result
  }
}
