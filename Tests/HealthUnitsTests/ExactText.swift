import _HealthNumerics

extension ExactRatio {
  /// A decimal number as people write it, exactly: `6.30`, `1e-7`, `0.0063`.
  init?(decimal text: some StringProtocol) {
    let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
    guard let mantissa = parts.first, let exponent = parts.count > 1 ? Int(parts[1]) : 0 else {
      return nil
    }
    let digits = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    guard digits.count <= 2, !mantissa.isEmpty else { return nil }
    var value = ExactRatio.zero
    for digit in digits.joined() {
      guard let number = digit.wholeNumberValue else { return nil }
      value = value * ExactRatio(10) + ExactRatio(UInt64(number))
    }
    self = value * .powerOfTen(exponent - (digits.count == 2 ? digits[1].count : 0))
  }

  /// Rounded to significant digits, half away from zero, as tables round.
  func rounded(digits: Int) -> ExactRatio {
    guard !isZero else { return self }
    var exponent = 0
    let limit = ExactRatio.powerOfTen(digits)
    while (self * .powerOfTen(exponent)) < limit / ExactRatio(10) { exponent += 1 }
    while !((self * .powerOfTen(exponent)) < limit) { exponent -= 1 }
    let scaled = self * .powerOfTen(exponent)
    let half = scaled + ExactRatio(1, over: 2)
    return ExactRatio(half.numerator / half.denominator)
      * .powerOfTen(-exponent)
  }

  /// Whether a number that is not negative is smaller than another.
  static func < (left: ExactRatio, right: ExactRatio) -> Bool {
    left.numerator * right.denominator < right.numerator * left.denominator
  }
}

extension StringProtocol {
  /// How many digits a decimal number has, without leading zeros.
  var significantDigits: Int {
    let mantissa = lowercased().prefix { $0 != "e" }.filter(\.isNumber)
    return Swift.max(1, mantissa.drop { $0 == "0" }.count)
  }
}
