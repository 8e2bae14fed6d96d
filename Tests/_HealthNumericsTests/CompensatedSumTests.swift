import Testing
import _HealthNumerics
import _HealthTestSupport

@Suite("Compensated sums")
struct CompensatedSumTests {
  /// Any finite doubles, the largest and the smallest among them.
  private func terms(_ count: Int, _ generator: inout SplitMix64) -> [Double] {
    (0..<count).map { _ in
      Double(bitPattern: UInt64.random(in: 0 ... .max, using: &generator))
    }.filter(\.isFinite)
  }

  @Test("a sum and its error are the exact sum, in lanes as one by one")
  func twoSums() {
    var generator = SplitMix64(seed: 60)
    for _ in 0..<500 {
      let terms = terms(40, &generator).prefix(16)
      guard terms.count == 16 else { continue }
      let (left, right) = (SIMD8(terms.prefix(8)), SIMD8(terms.suffix(8)))
      let lanes = twoSum(left, right)
      for lane in 0..<8 {
        let (sum, error) = twoSum(left[lane], right[lane])
        #expect(sum.bitPattern == lanes.sum[lane].bitPattern)
        guard sum.isFinite else { continue }
        #expect(error.bitPattern == lanes.error[lane].bitPattern)
        #expect(Dyadic(sum) + Dyadic(error) == Dyadic(left[lane]) + Dyadic(right[lane]))
      }
    }
  }

  @Test("the result is within its bound of the exact sum")
  func bound() {
    var generator = SplitMix64(seed: 61)
    for _ in 0..<500 {
      let terms = (0..<Int.random(in: 1...60, using: &generator)).map { _ in
        Double(
          sign: .plus, exponent: Int.random(in: -30...14, using: &generator),
          significand: Double.random(in: -1...1, using: &generator))
      }
      var sum = CompensatedSum()
      for term in terms { sum.add(term) }
      let exact = terms.reduce(Dyadic(0)) { $0 + Dyadic($1) }
      let magnitude = terms.reduce(0) { $0 + abs($1) }
      let error = (Dyadic(sum.result) - exact).rounded(dividedBy: Dyadic(1))
      #expect(abs(error) <= 0x1p-52 * magnitude)
    }
  }

  @Test("a sum of finite terms may be infinite, and is never not a number")
  func overflow() {
    var generator = SplitMix64(seed: 62)
    for _ in 0..<300 {
      var sum = CompensatedSum()
      for term in terms(40, &generator) { sum.add(term) }
      #expect(!sum.result.isNaN)
    }
  }
}
