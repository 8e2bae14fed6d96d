extension Natural {
  /// Quotient and remainder (Knuth, The Art of Computer Programming 2, 4.3.1, algorithm D).
  ///
  /// - Precondition: `divisor` is not zero.
  /// - Complexity: O(words of the quotient × words of the divisor)
  package func quotientAndRemainder(
    dividingBy divisor: Self
  ) -> (quotient: Self, remainder: Self) {
    guard self >= divisor else { return (Natural(), self) }
    if divisor.words.count == 1 { return quotientAndRemainder(dividingBy: divisor.words[0]) }
    // Normalise: with the divisor's highest bit set the estimated digits are nearly right.
    let shift = divisor.words[divisor.words.count - 1].leadingZeroBitCount
    let divisorWords = (divisor << shift).words
    var rest = (self << shift).words
    rest += Array(repeating: 0, count: words.count + 1 - rest.count)
    let length = divisorWords.count
    var quotient = Array(repeating: UInt(0), count: rest.count - length)
    for index in quotient.indices.reversed() {
      var digit = Self.guess(
        high: rest[index + length], middle: rest[index + length - 1],
        low: rest[index + length - 2], divisor: divisorWords)
      if Self.subtract(divisorWords, times: digit, from: &rest, at: index) {
        digit -= 1
        Self.add(divisorWords, to: &rest, at: index)
      }
      quotient[index] = digit
    }
    return (Natural(trimming: quotient), Natural(trimming: rest) << -shift)
  }

  /// Division by one word.
  fileprivate func quotientAndRemainder(
    dividingBy divisor: UInt
  ) -> (quotient: Self, remainder: Self) {
    var quotient = words
    var rest: UInt = 0
    for index in quotient.indices.reversed() {
      (quotient[index], rest) = divisor.dividingFullWidth((rest, quotient[index]))
    }
    return (Natural(trimming: quotient), Natural(rest))
  }

  /// A digit of the quotient, or one more, from three words of the remainder and two of the
  /// divisor.
  private static func guess(high: UInt, middle: UInt, low: UInt, divisor: [UInt]) -> UInt {
    let top = divisor[divisor.count - 1]
    let next = divisor[divisor.count - 2]
    var digit: UInt
    var rest: UInt
    var overflow = false
    if high >= top {
      digit = .max
      (rest, overflow) = middle.addingReportingOverflow(top)
    } else {
      (digit, rest) = top.dividingFullWidth((high, middle))
    }
    while !overflow {
      let product = digit.multipliedFullWidth(by: next)
      guard (product.high, product.low) > (rest, low) else { break }
      digit -= 1
      (rest, overflow) = rest.addingReportingOverflow(top)
    }
    return digit
  }

  /// Subtracts `divisor * digit` from the words of `rest` at `index`; returns whether that was too
  /// much.
  private static func subtract(
    _ divisor: [UInt], times digit: UInt, from rest: inout [UInt], at index: Int
  ) -> Bool {
    var carry: UInt = 0
    var borrow: UInt = 0
    for (offset, word) in (divisor + [0]).enumerated() {
      let product = digit.multipliedFullWidth(by: word)
      let (low, overflow) = product.low.addingReportingOverflow(carry)
      carry = product.high &+ (overflow ? 1 : 0)
      let (first, less) = rest[index + offset].subtractingReportingOverflow(low)
      let (second, lesser) = first.subtractingReportingOverflow(borrow)
      rest[index + offset] = second
      borrow = (less ? 1 : 0) + (lesser ? 1 : 0)
    }
    return borrow != 0
  }

  private static func add(_ divisor: [UInt], to rest: inout [UInt], at index: Int) {
    var carry: UInt = 0
    for (offset, word) in (divisor + [0]).enumerated() {
      let (first, overflow) = rest[index + offset].addingReportingOverflow(word)
      let (second, more) = first.addingReportingOverflow(carry)
      rest[index + offset] = second
      carry = (overflow ? 1 : 0) + (more ? 1 : 0)
    }
  }
}

extension Natural {
  /// The whole quotient.
  package static func / (left: Self, right: Self) -> Self {
    left.quotientAndRemainder(dividingBy: right).quotient
  }

  /// The greatest common divisor (Euclid).
  package static func greatestCommonDivisor(_ left: Self, _ right: Self) -> Self {
    var (large, small) = (left, right)
    while small.words.count > 1 {
      (large, small) = (small, large.quotientAndRemainder(dividingBy: small).remainder)
    }
    guard !small.isZero else { return large }
    // One word is left: the processor divides it.
    var (first, second) = (
      small.lowestWord, large.quotientAndRemainder(dividingBy: small).remainder.lowestWord
    )
    while second != 0 { (first, second) = (second, first % second) }
    return Natural(first)
  }

  /// The double nearest to `self * 2^exponent`, ties to even (IEEE 754); infinite out of range.
  package func rounded(exponent: Int) -> Double {
    let width = bitWidth
    guard width > 0 else { return 0 }
    let leading = width - 1 + exponent
    guard leading <= 1023 else { return .infinity }
    // Below 2^-1022 the last place stays at 2^-1074, so fewer bits are kept.
    let kept = Swift.min(53, leading + 1075)
    guard kept >= 0 else { return 0 }
    let dropped = width - kept
    var significand = (self << -dropped).words.first ?? 0
    if dropped > 0, bit(dropped - 1), hasBit(below: dropped - 1) || significand & 1 == 1 {
      significand += 1
    }
    return Double(sign: .plus, exponent: dropped + exponent, significand: Double(significand))
  }
}

extension Natural: CustomStringConvertible {
  /// The decimal digits.
  package var description: String {
    var groups: [String] = []
    var rest = self
    while !rest.isZero {
      let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
      groups.append(String(remainder.lowestWord))
      rest = quotient
    }
    guard let first = groups.popLast() else { return "0" }
    return groups.reversed().reduce(first) { text, group in
      text + String(repeating: "0", count: 18 - group.utf8.count) + group
    }
  }
}
