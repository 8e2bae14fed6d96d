/// Tells whether a double is the nearest to value × factor + offset, by comparing whole numbers.
///
/// It computes no quotient and rounds nothing: both ends of the interval that rounds to the double
/// are multiplied out against the exact value.
public struct UnitOracle: Sendable {
  private let numerator: Whole
  private let denominator: Whole
  private let offsetNumerator: Whole
  private let offsetDenominator: Whole

  /// A factor and an offset as quotients of decimal numbers: `45359237/100000`, `-5463/20`.
  public init(factor: String, offset: String = "0") {
    (numerator, denominator) = Self.quotient(factor)
    (offsetNumerator, offsetDenominator) = Self.quotient(offset)
  }

  private static func quotient(_ text: String) -> (Whole, Whole) {
    let parts = text.split(separator: "/")
    return (Whole(decimal: parts[0]), parts.count > 1 ? Whole(decimal: parts[1]) : Whole(1))
  }

  /// Whether the result is the nearest double, of two equally near ones the even one.
  public func isNearest(_ result: Double, to value: Double) -> Bool {
    // exact = (value·n·od + on·d) / (d·od), with value and result as whole numbers of 2^-1076.
    let exact =
      Whole(double: value) * numerator * offsetDenominator
      + (Whole(1).shifted(1076) * offsetNumerator * denominator)
    let scale = denominator * offsetDenominator
    let isEven = result.significandBitPattern & 1 == 0
    let below = Self.midpoint(result, result.nextDown) * scale
    let above = Self.midpoint(result, result.nextUp) * scale
    let twice = exact + exact
    // Infinity is the nearest to everything beyond the last interval.
    if result.isInfinite { return result > 0 ? !(twice < below) : !(above < twice) }
    return isEven
      ? !(twice < below) && !(above < twice) : below < twice && twice < above
  }

  /// Twice the number between two neighbours, as a whole number of 2^-1076.
  private static func midpoint(_ a: Double, _ b: Double) -> Whole {
    Whole(double: a) + Whole(double: b)
  }
}

/// A whole number with its sign, as long as it needs to be: schoolbook arithmetic and no more.
private struct Whole: Sendable {
  var isNegative = false
  /// Base 2^32, the lowest first, without leading zeros.
  var digits: [UInt64] = []

  init(_ value: UInt64) {
    digits = [value & 0xFFFF_FFFF, value >> 32]
    trim()
  }

  init(decimal text: some StringProtocol) {
    for character in text.drop(while: { $0 == "-" }) {
      self = self * Whole(10) + Whole(UInt64(character.wholeNumberValue ?? 0))
    }
    isNegative = text.hasPrefix("-") && !digits.isEmpty
  }

  /// A double in units of 2^-1076; infinity stands for 2^1024, the end of the last interval.
  init(double value: Double) {
    if value.isInfinite {
      self = Whole(1).shifted(1024 + 1076)
    } else {
      let exponent = Int(value.exponentBitPattern)
      let mantissa = value.significandBitPattern | (exponent == 0 ? 0 : 1 << 52)
      self = Whole(mantissa).shifted(max(exponent, 1) - 1 + 2)
    }
    isNegative = value < 0
  }

  private mutating func trim() {
    while digits.last == 0 { digits.removeLast() }
  }

  func shifted(_ count: Int) -> Whole {
    var result = self
    result.digits = Array(repeating: 0, count: count / 32)
    var carry: UInt64 = 0
    for digit in digits {
      carry |= digit << UInt64(count % 32)
      result.digits.append(carry & 0xFFFF_FFFF)
      carry >>= 32
    }
    result.digits.append(carry)
    result.trim()
    return result
  }

  static func * (left: Whole, right: Whole) -> Whole {
    var product = Whole(0)
    product.digits = Array(repeating: 0, count: left.digits.count + right.digits.count)
    for (i, a) in left.digits.enumerated() {
      var carry: UInt64 = 0
      for (j, b) in right.digits.enumerated() {
        carry += a * b + product.digits[i + j]
        product.digits[i + j] = carry & 0xFFFF_FFFF
        carry >>= 32
      }
      product.digits[i + right.digits.count] = carry
    }
    product.trim()
    product.isNegative = left.isNegative != right.isNegative && !product.digits.isEmpty
    return product
  }

  static func + (left: Whole, right: Whole) -> Whole {
    if left.isNegative == right.isNegative {
      var sum = left
      sum.digits = []
      var carry: UInt64 = 0
      for i in 0..<max(left.digits.count, right.digits.count) {
        carry += i < left.digits.count ? left.digits[i] : 0
        carry += i < right.digits.count ? right.digits[i] : 0
        sum.digits.append(carry & 0xFFFF_FFFF)
        carry >>= 32
      }
      sum.digits.append(carry)
      sum.trim()
      return sum
    }
    let isLeftSmaller = left.isShorter(than: right)
    let (large, small) = isLeftSmaller ? (right, left) : (left, right)
    var difference = large
    var borrow: UInt64 = 0
    for i in large.digits.indices {
      let taken = (i < small.digits.count ? small.digits[i] : 0) + borrow
      borrow = large.digits[i] < taken ? 1 : 0
      difference.digits[i] = large.digits[i] + (borrow << 32) - taken
    }
    difference.trim()
    if difference.digits.isEmpty { difference.isNegative = false }
    return difference
  }

  private func isShorter(than other: Whole) -> Bool {
    if digits.count != other.digits.count { return digits.count < other.digits.count }
    for (a, b) in zip(digits.reversed(), other.digits.reversed()) where a != b { return a < b }
    return false
  }

  static func < (left: Whole, right: Whole) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    return left.isNegative ? right.isShorter(than: left) : left.isShorter(than: right)
  }
}
