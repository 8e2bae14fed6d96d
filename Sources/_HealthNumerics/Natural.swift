/// An unbounded natural number with the operations that exact sums need.
package struct Natural: Sendable, Hashable {
  /// The words from the lowest up; the last is not zero.
  package private(set) var words: [UInt]

  /// Zero.
  package init() { words = [] }

  package init(_ word: UInt) { words = word == 0 ? [] : [word] }

  package init(wide value: UInt128) {
    self.init(trimming: [UInt(truncatingIfNeeded: value), UInt(truncatingIfNeeded: value >> 64)])
  }

  package init(trimming words: [UInt]) {
    self.words = words
    while self.words.last == 0 { self.words.removeLast() }
  }

  package var isZero: Bool { words.isEmpty }

  /// The lowest 64 bits.
  package var lowestWord: UInt { words.first ?? 0 }

  /// The number of bits up to the highest set one.
  package var bitWidth: Int {
    words.last.map { words.count * UInt.bitWidth - $0.leadingZeroBitCount } ?? 0
  }

  /// Whether a bit is set.
  package func bit(_ index: Int) -> Bool {
    let word = index / UInt.bitWidth
    return index >= 0 && word < words.count && words[word] >> (index % UInt.bitWidth) & 1 == 1
  }

  /// Whether any bit below `index` is set.
  package func hasBit(below index: Int) -> Bool {
    guard index > 0, !words.isEmpty else { return false }
    let (whole, rest) = index.quotientAndRemainder(dividingBy: UInt.bitWidth)
    if words.prefix(whole).contains(where: { $0 != 0 }) { return true }
    return whole < words.count && words[whole] & (1 << UInt(rest) - 1) != 0
  }

  /// The number of zero bits below the lowest set one.
  package var trailingZeroBitCount: Int {
    guard let word = words.firstIndex(where: { $0 != 0 }) else { return 0 }
    return word * UInt.bitWidth + words[word].trailingZeroBitCount
  }
}

extension Natural: Comparable {
  package static func < (left: Self, right: Self) -> Bool {
    guard left.words.count == right.words.count else {
      return left.words.count < right.words.count
    }
    for (mine, other) in zip(left.words.reversed(), right.words.reversed()) where mine != other {
      return mine < other
    }
    return false
  }
}

extension Natural {
  package static func + (left: Self, right: Self) -> Self {
    let (long, short) = left.words.count < right.words.count ? (right, left) : (left, right)
    var words = long.words
    var carry = false
    for index in words.indices {
      if index >= short.words.count, !carry { break }
      let term = index < short.words.count ? short.words[index] : 0
      let (sum, first) = words[index].addingReportingOverflow(term)
      let (total, second) = sum.addingReportingOverflow(carry ? 1 : 0)
      words[index] = total
      carry = first || second
    }
    if carry { words.append(1) }
    return Natural(trimming: words)
  }

  /// - Precondition: `left >= right`.
  package static func - (left: Self, right: Self) -> Self {
    assert(left >= right)
    var words = left.words
    var borrow = false
    for index in words.indices {
      if index >= right.words.count, !borrow { break }
      let term = index < right.words.count ? right.words[index] : 0
      let (difference, first) = words[index].subtractingReportingOverflow(term)
      let (total, second) = difference.subtractingReportingOverflow(borrow ? 1 : 0)
      words[index] = total
      borrow = first || second
    }
    return Natural(trimming: words)
  }

  /// - Complexity: O(words × words)
  package static func * (left: Self, right: Self) -> Self {
    var words = Array(repeating: UInt(0), count: left.words.count + right.words.count)
    for (index, word) in left.words.enumerated() {
      var carry: UInt = 0
      for (offset, other) in right.words.enumerated() {
        let (high, low) = word.multipliedFullWidth(by: other)
        let (first, overflow) = words[index + offset].addingReportingOverflow(low)
        let (second, more) = first.addingReportingOverflow(carry)
        words[index + offset] = second
        // At most 2^64 - 2, plus one carry from each of the two additions: no overflow.
        carry = high &+ (overflow ? 1 : 0) &+ (more ? 1 : 0)
      }
      words[index + right.words.count] = carry
    }
    return Natural(trimming: words)
  }

  /// Multiplies by a power of two; a negative shift divides and drops the remainder.
  package static func << (left: Self, bits: Int) -> Self {
    guard bits != 0, !left.isZero else { return left }
    let width = UInt.bitWidth
    let (whole, rest) = abs(bits).quotientAndRemainder(dividingBy: width)
    if bits > 0 {
      var words = Array(repeating: UInt(0), count: whole)
      var carry: UInt = 0
      for word in left.words {
        words.append(word << rest | carry)
        carry = rest == 0 ? 0 : word >> (width - rest)
      }
      words.append(carry)
      return Natural(trimming: words)
    }
    let kept = left.words.dropFirst(whole)
    let words = kept.indices.map { index in
      let above = index + 1 < left.words.count && rest > 0 ? left.words[index + 1] : 0
      return left.words[index] >> rest | (rest == 0 ? 0 : above << (width - rest))
    }
    return Natural(trimming: words)
  }

  /// Divides by a power of two and drops the rest.
  package static func >> (left: Self, bits: Int) -> Self { left << -bits }

  /// The number raised to a power, by repeated squaring.
  package func raised(to power: Int) -> Self {
    var result = Natural(1)
    var square = self
    var rest = power
    while rest > 0 {
      if rest & 1 == 1 { result = result * square }
      rest >>= 1
      if rest > 0 { square = square * square }
    }
    return result
  }
}
