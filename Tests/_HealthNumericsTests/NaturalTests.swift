import Testing
import _HealthNumerics
import _HealthTestSupport

@Suite("Whole numbers without a bound")
struct NaturalTests {
  /// Numbers of up to three words, with many words of zeros and ones, where carries run far.
  private func random(_ generator: inout SplitMix64) -> Natural {
    var number = Natural()
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let word: UInt =
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: 0
        case 1: .max
        case 2: 1 << 63
        default: UInt.random(in: 0 ... .max, using: &generator)
        }
      number = (number << 64) + Natural(word)
    }
    return number
  }

  @Test("sums, products and shifts agree with arithmetic on bits")
  func arithmetic() {
    var generator = SplitMix64(seed: 16)
    for _ in 0..<60 {
      let (left, right) = (random(&generator), random(&generator))
      let (slowLeft, slowRight) = (
        ReferenceInteger(words: left.words), ReferenceInteger(words: right.words)
      )
      let sum = left + right
      #expect(ReferenceInteger(words: sum.words) == slowLeft + slowRight)
      #expect(sum - right == left && sum - left == right)
      #expect(ReferenceInteger(words: (left * right).words) == slowLeft * slowRight)
      let shift = Int.random(in: -130...130, using: &generator)
      #expect(ReferenceInteger(words: (left << shift).words) == slowLeft.shifted(by: shift))
      #expect(left.bitWidth == slowLeft.bits.count)
      #expect(left.trailingZeroBitCount == (slowLeft.bits.firstIndex(of: true) ?? 0))
      let place = Int.random(in: 0...260, using: &generator)
      #expect(left.hasBit(below: place) == slowLeft.bits.prefix(place).contains(true))
      #expect(left.bit(place) == (place < slowLeft.bits.count && slowLeft.bits[place]))
    }
  }

  @Test("a quotient times the divisor plus the remainder is the dividend")
  func division() {
    var generator = SplitMix64(seed: 17)
    for _ in 0..<1500 {
      let (dividend, divisor) = (
        random(&generator) * random(&generator) + random(&generator), random(&generator)
      )
      guard !divisor.isZero else { continue }
      let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
      #expect(remainder < divisor)
      #expect(quotient * divisor + remainder == dividend)
    }
  }

  @Test("doubles come back as they were, and half-way cases go to even")
  func rounding() {
    for value in [
      1.0, 3, 0x1p-1074, 0x1.8p-1070, Double.leastNormalMagnitude, .greatestFiniteMagnitude, 0.1,
    ] {
      let exact = Dyadic(value)
      #expect(exact.magnitude.rounded(exponent: exact.exponent) == value)
      let next = Dyadic(value.nextUp)
      guard next.exponent == exact.exponent, value.nextUp.isFinite else { continue }
      let half = (exact.magnitude + next.magnitude).rounded(exponent: exact.exponent - 1)
      #expect(half == (value.significandBitPattern & 1 == 0 ? value : value.nextUp))
      let more = ((exact.magnitude + next.magnitude) << 200) + Natural(1)
      #expect(more.rounded(exponent: exact.exponent - 201) == value.nextUp)
      let less = ((exact.magnitude + next.magnitude) << 200) - Natural(1)
      #expect(less.rounded(exponent: exact.exponent - 201) == value)
    }
    #expect(Natural(1).rounded(exponent: 1024) == .infinity)
    #expect(Natural(1).rounded(exponent: -1076) == 0)
    #expect(Natural(1).rounded(exponent: -1075) == 0)
    #expect(Natural(3).rounded(exponent: -1076) == 0x1p-1074)
  }

  @Test("a power is a product, a wide number its words, and digits are those of their groups")
  func powersAndDigits() {
    for base in [0, 1, 3, 10, UInt.max] {
      var product = Natural(1)
      for power in 0...12 {
        #expect(Natural(base).raised(to: power) == product)
        product = product * Natural(base)
      }
    }
    for power in 0...60 {
      let digits = "1" + String(repeating: "0", count: power)
      #expect(Natural(10).raised(to: power).description == digits)
      #expect(
        (Natural(10).raised(to: power) - Natural(1)).description
          == (power == 0 ? "0" : String(repeating: "9", count: power)))
    }
    var generator = SplitMix64(seed: 23)
    for _ in 0..<100 {
      let number = UInt128.random(in: 0 ... .max, using: &generator)
      #expect(Natural(wide: number).description == number.description)
      #expect(Natural(wide: number) >> 64 == Natural(UInt(number >> 64)))
      #expect(Natural(wide: number).lowestWord == UInt(truncatingIfNeeded: number))
    }
  }

  @Test("a greatest common divisor divides both, and leaves nothing in common")
  func commonDivisors() {
    var generator = SplitMix64(seed: 24)
    for _ in 0..<300 {
      let (left, right, common) = (
        random(&generator), random(&generator), random(&generator)
      )
      let divisor = Natural.greatestCommonDivisor(left * common, right * common)
      guard !common.isZero, !(left.isZero && right.isZero) else { continue }
      #expect((left * common).quotientAndRemainder(dividingBy: divisor).remainder.isZero)
      #expect((right * common).quotientAndRemainder(dividingBy: divisor).remainder.isZero)
      #expect(divisor.quotientAndRemainder(dividingBy: common).remainder.isZero)
      let rest = Natural.greatestCommonDivisor(left * common / divisor, right * common / divisor)
      #expect(rest == Natural(1))
    }
  }
}
