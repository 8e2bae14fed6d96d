/// A whole number without a bound.
struct SignedNatural {
  let isNegative: Bool
  let magnitude: Natural

  init(isNegative: Bool = false, magnitude: Natural) {
    self.isNegative = isNegative
    self.magnitude = magnitude
  }

  init(_ left: Natural, minus right: Natural) {
    self.init(
      isNegative: left < right, magnitude: left < right ? right - left : left - right)
  }

  /// The double nearest to `self * 2^exponent`, ties to even.
  func rounded(exponent: Int) -> Double {
    let value = magnitude.rounded(exponent: exponent)
    return isNegative ? -value : value
  }
}

extension Natural {
  /// Makes a number from digits of 32 bits, lowest first, each within its 32 bits.
  init(digits: [Int]) {
    let words = stride(from: 0, to: digits.count, by: 2).map { index in
      let high = index + 1 < digits.count ? UInt(digits[index + 1]) : 0
      return UInt(digits[index]) | high << 32
    }
    self.init(trimming: words)
  }
}
