/// Binary logarithms as whole multiples of 2^-100, from nothing but squaring: the square of a number
/// has twice its logarithm, so every squaring gives one more binary place.
public struct ReferenceLogarithm: Sendable {
  /// The logarithm times 2^100.
  public let scaled: Int128

  private init(scaled: Int128) { self.scaled = scaled }

  /// The logarithm of quotient × 2^exponent, for a quotient with its top bit set.
  private init(quotient: UInt128, exponent: Int) {
    var (quotient, logarithm) = (quotient, Int128(exponent + 127))
    for _ in 0..<100 {
      let square = quotient.multipliedFullWidth(by: quotient)
      let isTwo = square.high >> 127 == 1
      quotient = isTwo ? square.high : square.high << 1 | UInt128(square.low >> 127)
      logarithm = logarithm << 1 | (isTwo ? 1 : 0)
    }
    scaled = logarithm
  }

  /// The logarithm of a positive double times a quotient.
  public init(_ value: Double, times top: UInt64 = 1, over bottom: UInt64 = 1) {
    let significand = UInt128(value.significand * 0x1p52) * UInt128(top)
    var exponent = Int(value.exponent) - 52
    var (quotient, rest) = significand.quotientAndRemainder(dividingBy: UInt128(bottom))
    while quotient >> 127 == 0 {
      (quotient, rest, exponent) = (quotient << 1, rest << 1, exponent - 1)
      if rest >= UInt128(bottom) { (quotient, rest) = (quotient | 1, rest - UInt128(bottom)) }
    }
    self.init(quotient: quotient, exponent: exponent)
  }

  /// The logarithm of e, whose digits are the sum of the reciprocal factorials.
  public static let ofE: ReferenceLogarithm = {
    var (sum, term, count) = (UInt128(0), UInt128(1) << 126, UInt128(1))
    while term > 0 {
      sum += term
      term /= count
      count += 1
    }
    return ReferenceLogarithm(quotient: sum, exponent: -126)
  }()

  /// A whole part of the logarithm: that of a root.
  public func divided(by count: Int) -> ReferenceLogarithm {
    ReferenceLogarithm(scaled: scaled / Int128(count))
  }

  /// The logarithm of this number raised to a power below 2^20.
  public func times(_ power: Double) -> ReferenceLogarithm {
    guard power != 0 else { return ReferenceLogarithm(scaled: 0) }
    let significand = UInt128(power.magnitude.significand * 0x1p52)
    let product = significand.multipliedFullWidth(by: scaled.magnitude)
    // At most 155 bits, of which the power's exponent drops thirty or more.
    let places = 52 - Int(power.exponent)
    let whole =
      places >= 128
      ? product.high >> UInt128(places - 128)
      : product.high << UInt128(128 - places) | product.low >> UInt128(places)
    let isNegative = (power < 0) != (scaled < 0)
    return ReferenceLogarithm(scaled: isNegative ? -Int128(whole) : Int128(whole))
  }
}
