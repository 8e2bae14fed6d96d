import Testing
import _HealthNumerics
import _HealthTestSupport

@Suite("Exact ratios")
struct ExactRatioTests {
  private func number(_ generator: inout SplitMix64) -> (ExactRatio, ReferenceFraction) {
    let top = UInt64.random(in: 1...1000, using: &generator)
    let bottom = UInt64.random(in: 1...1000, using: &generator)
    let isNegative = Bool.random(using: &generator)
    let ratio = ExactRatio(top, over: bottom)
    return (
      isNegative ? ratio.negated : ratio,
      ReferenceFraction(isNegative ? -Int128(top) : Int128(top), over: Int128(bottom))
    )
  }

  @Test("add, multiply, divide and round as fractions do, and print in lowest terms")
  func arithmetic() {
    var generator = SplitMix64(seed: 70)
    func text(_ fraction: ReferenceFraction) -> String {
      fraction.denominator == 1
        ? "\(fraction.numerator)" : "\(fraction.numerator)/\(fraction.denominator)"
    }
    for _ in 0..<500 {
      let ((left, slowLeft), (right, slowRight)) = (number(&generator), number(&generator))
      #expect((left + right).description == text(slowLeft + slowRight))
      #expect((left - right).description == text(slowLeft - slowRight))
      #expect((left * right).description == text(slowLeft * slowRight))
      #expect((left / right).description == text(slowLeft / slowRight))
      #expect(left.raised(to: 3) == left * left * left)
      #expect(left.raised(to: -2) * left * left == .one)
      #expect(left.nearestDouble == slowLeft.nearestDouble)
      let value = Double(Int.random(in: -4000...4000, using: &generator)) / 8
      let slowSum = slowLeft * ReferenceFraction(exactly: value) + slowRight
      let sum = left.nearestDouble(times: value, plus: right)
      #expect(sum == (slowSum.numerator == 0 ? 0 : slowSum.nearestDouble))
    }
  }

  @Test("doubles of any size come back, and middles go to the even neighbour")
  func doubles() {
    var generator = SplitMix64(seed: 71)
    for _ in 0..<1000 {
      let value = Double(bitPattern: UInt64.random(in: 0 ... .max, using: &generator))
      guard value.isFinite, value.nextUp.isFinite else { continue }
      let (exact, next) = (ExactRatio(exactly: value), ExactRatio(exactly: value.nextUp))
      #expect(exact.nearestDouble == value)
      let even = value.significandBitPattern & 1 == 0 ? value : value.nextUp
      #expect(((exact + next) / ExactRatio(2)).nearestDouble == even)
    }
    let large = ExactRatio(exactly: .greatestFiniteMagnitude)
    #expect((large * ExactRatio(2)).nearestDouble == .infinity)
    #expect((large.negated * ExactRatio(2)).nearestDouble == -.infinity)
    #expect(ExactRatio.powerOfTen(-400).nearestDouble == 0)
    #expect(ExactRatio.zero.negated.nearestDouble.sign == .plus)
  }
}
