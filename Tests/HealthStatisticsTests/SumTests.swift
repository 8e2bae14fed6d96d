import HealthStatistics
import Testing
import _HealthTestSupport

@Suite("Exact sums of doubles")
struct SumTests {
  /// Terms of different sizes whose sum has more bits than a double, and fewer than 128.
  private func terms(_ generator: inout SplitMix64) -> [Double] {
    (0..<Int.random(in: 1...30, using: &generator)).map { _ in
      let size = Double(
        sign: .plus, exponent: Int.random(in: -30...14, using: &generator), significand: 0x1p40)
      return (Double.random(in: -1...1, using: &generator) * size).rounded() * 0x1p-40
    }
  }

  @Test("an exact sum is correctly rounded, and so is its mean")
  func bounds() {
    var generator = SplitMix64(seed: 18)
    for _ in 0..<500 {
      let terms = terms(&generator)
      let exact = terms.reduce(ReferenceFraction(0)) { $0 + ReferenceFraction(exactly: $1) }
      var sum = ExactSum()
      for term in terms { sum.add(term) }
      #expect(sum.result == exact.nearestDouble)
      let mean = exact / ReferenceFraction(Int128(terms.count))
      #expect(sum.mean(count: terms.count) == mean.nearestDouble)
    }
  }

  @Test("an exact sum does not depend on order or on chunks")
  func orderAndChunks() {
    var generator = SplitMix64(seed: 19)
    for _ in 0..<300 {
      let terms = (0..<40).map { _ in
        Double(bitPattern: UInt64.random(in: 0 ... .max, using: &generator))
      }.filter(\.isFinite)
      func sum(_ terms: some Sequence<Double>) -> ExactSum {
        var sum = ExactSum()
        for term in terms { sum.add(term) }
        return sum
      }
      let whole = sum(terms).result
      #expect(sum(terms.shuffled(using: &generator)).result == whole)
      let cut = Int.random(in: 0...terms.count, using: &generator)
      var first = sum(terms[..<cut])
      first.merge(sum(terms[cut...]))
      #expect(first.result == whole)
      // What was added can be taken away again.
      #expect(sum(terms + terms.map { -$0 }).result == 0)
    }
  }

  @Test("the shares of all parts of a sample add up to it, whatever the cuts")
  func shares() {
    var generator = SplitMix64(seed: 20)
    for _ in 0..<200 {
      let value = Double.random(in: -1e6...1e6, using: &generator)
      let start = Double.random(in: -1e9...1e9, using: &generator)
      let cuts = (0..<7).map { _ in start + Double.random(in: 0...1e5, using: &generator) }
      let edges = Set(cuts + [start]).sorted()
      guard let end = edges.last, edges.count > 1 else { continue }
      var sum = ExactSum()
      sum.add(0.5)
      for (from, to) in zip(edges, edges.dropFirst()) {
        sum.add(value, start: start, end: end, partStart: from, partEnd: to)
      }
      #expect(sum.result == value + 0.5)
    }
  }

  @Test(
    "a sum of fractions that lies half-way between two doubles goes to even, of either sign",
    arguments: [1.0, -1])
  func ties(sign: Double) {
    for (value, expected) in [(0x1p53, 0x1p53), (0x1p53 + 2, 0x1p53 + 4)] {
      var sum = ExactSum()
      sum.add(sign * value)
      // Parts of one that add up to it, and no two of which are over one denominator.
      for (from, to, end) in [(0.0, 2.0, 3.0), (2, 3, 5), (0, 2, 15)] {
        sum.add(sign, start: 0, end: end, partStart: from, partEnd: to)
      }
      #expect(sum.result == sign * expected)
      let more = sum
      sum.add(sign * 0x1p-1074, start: 0, end: 3, partStart: 0, partEnd: 1)
      #expect(sum.result == sign * (value + 2))
      sum = more
      sum.add(-sign * 0x1p-1074, start: 0, end: 3, partStart: 0, partEnd: 1)
      #expect(sum.result == sign * value)
    }
  }

  @Test("means of fractions are rounded once, ties to even")
  func quotients() {
    var generator = SplitMix64(seed: 27)
    for _ in 0..<300 {
      var sum = ExactSum()
      var exact = ReferenceFraction(0)
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let value = Double(Int.random(in: -4000...4000, using: &generator)) / 8
        let end = Double(Int.random(in: 2...12, using: &generator))
        let part = Double(Int.random(in: 1..<Int(end), using: &generator))
        sum.add(value, start: 0, end: end, partStart: 0, partEnd: part)
        exact =
          exact
          + ReferenceFraction(exactly: value) * ReferenceFraction(exactly: part)
          / ReferenceFraction(exactly: end)
      }
      let count = Int.random(in: 1...20, using: &generator)
      #expect(sum.mean(count: count) == (exact / ReferenceFraction(Int128(count))).nearestDouble)
    }
    // A third of three times a number between two doubles.
    var sum = ExactSum()
    for _ in 0..<3 { sum.add(0x1p53) }
    for _ in 0..<9 { sum.add(1, start: 0, end: 3, partStart: 0, partEnd: 1) }
    #expect(sum.mean(count: 3) == 0x1p53)
    sum.add(0x1p-1074, start: 0, end: 5, partStart: 0, partEnd: 1)
    #expect(sum.mean(count: 3) == 0x1p53 + 2)
  }
}
