/// A natural number of any size, as 32-bit limbs, the lowest first.
///
/// Exact factors need a few hundred bits, and only while a conversion is prepared or a value lies
/// on a rounding boundary: schoolbook arithmetic is fast enough.
package struct BigNatural: Hashable, Sendable {
  /// No leading zero limb: zero has no limbs.
  package private(set) var limbs: [UInt32]

  package init(_ value: UInt64) {
    limbs = [UInt32(truncatingIfNeeded: value), UInt32(truncatingIfNeeded: value >> 32)]
    trim()
  }

  package init(wide value: UInt128) {
    self =
      BigNatural(UInt64(truncatingIfNeeded: value >> 64)) << 64
      + BigNatural(UInt64(truncatingIfNeeded: value))
  }

  private mutating func trim() {
    while limbs.last == 0 { limbs.removeLast() }
  }

  package var isZero: Bool { limbs.isEmpty }

  package var bitWidth: Int {
    guard let top = limbs.last else { return 0 }
    return limbs.count * 32 - top.leadingZeroBitCount
  }

  package var trailingZeroBitCount: Int {
    for (index, limb) in limbs.enumerated() where limb != 0 {
      return index * 32 + limb.trailingZeroBitCount
    }
    return 0
  }

  package static func * (left: BigNatural, right: BigNatural) -> BigNatural {
    guard !left.isZero, !right.isZero else { return BigNatural(0) }
    var product = BigNatural(0)
    product.limbs = Array(repeating: 0, count: left.limbs.count + right.limbs.count)
    for (i, a) in left.limbs.enumerated() {
      var carry: UInt64 = 0
      for (j, b) in right.limbs.enumerated() {
        let sum = UInt64(a) * UInt64(b) + UInt64(product.limbs[i + j]) + carry
        product.limbs[i + j] = UInt32(truncatingIfNeeded: sum)
        carry = sum >> 32
      }
      product.limbs[i + right.limbs.count] = UInt32(carry)
    }
    product.trim()
    return product
  }

  package static func + (left: BigNatural, right: BigNatural) -> BigNatural {
    var sum = BigNatural(0)
    var carry: UInt64 = 0
    for i in 0..<max(left.limbs.count, right.limbs.count) {
      let a = i < left.limbs.count ? UInt64(left.limbs[i]) : 0
      let b = i < right.limbs.count ? UInt64(right.limbs[i]) : 0
      carry += a + b
      sum.limbs.append(UInt32(truncatingIfNeeded: carry))
      carry >>= 32
    }
    if carry != 0 { sum.limbs.append(UInt32(carry)) }
    return sum
  }

  /// The difference; the left side must not be smaller.
  package static func - (left: BigNatural, right: BigNatural) -> BigNatural {
    var difference = left
    var borrow: Int64 = 0
    for i in left.limbs.indices {
      let b = i < right.limbs.count ? Int64(right.limbs[i]) : 0
      var value = Int64(left.limbs[i]) - b - borrow
      borrow = value < 0 ? 1 : 0
      if value < 0 { value += 1 << 32 }
      difference.limbs[i] = UInt32(value)
    }
    precondition(borrow == 0, "a natural number cannot be negative")
    difference.trim()
    return difference
  }

  package static func << (left: BigNatural, count: Int) -> BigNatural {
    guard !left.isZero, count > 0 else { return left }
    var result = BigNatural(0)
    result.limbs = Array(repeating: 0, count: count / 32)
    let shift = UInt64(count % 32)
    var carry: UInt64 = 0
    for limb in left.limbs {
      carry |= UInt64(limb) << shift
      result.limbs.append(UInt32(truncatingIfNeeded: carry))
      carry >>= 32
    }
    if carry != 0 { result.limbs.append(UInt32(carry)) }
    return result
  }

  package static func >> (left: BigNatural, count: Int) -> BigNatural {
    let skipped = count / 32
    guard count > 0, skipped < left.limbs.count else { return count > 0 ? BigNatural(0) : left }
    let shift = UInt64(count % 32)
    var result = BigNatural(0)
    for i in skipped..<left.limbs.count {
      let above = i + 1 < left.limbs.count ? UInt64(left.limbs[i + 1]) : 0
      let pair = above << 32 | UInt64(left.limbs[i])
      result.limbs.append(UInt32(truncatingIfNeeded: pair >> shift))
    }
    result.trim()
    return result
  }

  /// The quotient and the remainder; the divisor must not be zero (Knuth, volume 2, 4.3.1 D).
  package func dividedBy(_ divisor: BigNatural) -> (quotient: BigNatural, remainder: BigNatural) {
    precondition(!divisor.isZero, "division by zero")
    if self < divisor { return (BigNatural(0), self) }
    if divisor.limbs.count == 1 { return dividedBy(limb: divisor.limbs[0]) }
    let shift = divisor.limbs[divisor.limbs.count - 1].leadingZeroBitCount
    let v = (divisor << shift).limbs
    var u = (self << shift).limbs
    while u.count <= limbs.count { u.append(0) }
    let n = v.count
    var quotient = BigNatural(0)
    quotient.limbs = Array(repeating: 0, count: u.count - n)
    for j in stride(from: u.count - n - 1, through: 0, by: -1) {
      let top = UInt64(u[j + n]) << 32 | UInt64(u[j + n - 1])
      var guess = top / UInt64(v[n - 1])
      var rest = top % UInt64(v[n - 1])
      while guess >> 32 != 0 || guess * UInt64(v[n - 2]) > rest << 32 | UInt64(u[j + n - 2]) {
        guess -= 1
        rest += UInt64(v[n - 1])
        if rest >> 32 != 0 { break }
      }
      if Self.subtract(v, times: guess, from: &u, at: j) {
        guess -= 1
        Self.add(v, to: &u, at: j)
      }
      quotient.limbs[j] = UInt32(truncatingIfNeeded: guess)
    }
    quotient.trim()
    var remainder = BigNatural(0)
    remainder.limbs = u
    remainder.trim()
    return (quotient, remainder >> shift)
  }

  /// Subtracts a multiple in place; true when the quotient digit was one too large.
  private static func subtract(
    _ v: [UInt32], times guess: UInt64, from u: inout [UInt32], at j: Int
  ) -> Bool {
    var borrow: Int64 = 0
    var carry: UInt64 = 0
    for i in v.indices {
      carry += guess * UInt64(v[i])
      let value = Int64(u[i + j]) - borrow - Int64(carry & 0xFFFF_FFFF)
      u[i + j] = UInt32(truncatingIfNeeded: value)
      borrow = value < 0 ? 1 : 0
      carry >>= 32
    }
    let value = Int64(u[j + v.count]) - borrow - Int64(carry)
    u[j + v.count] = UInt32(truncatingIfNeeded: value)
    return value < 0
  }

  private static func add(_ v: [UInt32], to u: inout [UInt32], at j: Int) {
    var carry: UInt64 = 0
    for i in v.indices {
      carry += UInt64(u[i + j]) + UInt64(v[i])
      u[i + j] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    u[j + v.count] = UInt32(truncatingIfNeeded: UInt64(u[j + v.count]) + carry)
  }

  private func dividedBy(limb: UInt32) -> (quotient: BigNatural, remainder: BigNatural) {
    var quotient = self
    var rest: UInt64 = 0
    for i in limbs.indices.reversed() {
      let value = rest << 32 | UInt64(limbs[i])
      quotient.limbs[i] = UInt32(value / UInt64(limb))
      rest = value % UInt64(limb)
    }
    quotient.trim()
    return (quotient, BigNatural(rest))
  }

  /// The number raised to a power, by repeated squaring.
  package func raised(to power: Int) -> BigNatural {
    var result = BigNatural(1)
    var square = self
    var rest = power
    while rest > 0 {
      if rest & 1 == 1 { result = result * square }
      rest >>= 1
      if rest > 0 { square = square * square }
    }
    return result
  }

  /// The greatest common divisor (Euclid).
  package static func greatestCommonDivisor(_ a: BigNatural, _ b: BigNatural) -> BigNatural {
    var (a, b) = (a, b)
    while b.bitWidth > 64 { (a, b) = (b, a.dividedBy(b).remainder) }
    if b.isZero { return a }
    (a, b) = (b, a.dividedBy(b).remainder)
    var (x, y) = (a.low64, b.low64)
    while y != 0 { (x, y) = (y, x % y) }
    return BigNatural(x)
  }

  /// The lowest 64 bits.
  package var low64: UInt64 {
    var value: UInt64 = limbs.isEmpty ? 0 : UInt64(limbs[0])
    if limbs.count > 1 { value |= UInt64(limbs[1]) << 32 }
    return value
  }
}

extension BigNatural: Comparable {
  package static func < (left: BigNatural, right: BigNatural) -> Bool {
    if left.limbs.count != right.limbs.count { return left.limbs.count < right.limbs.count }
    for i in left.limbs.indices.reversed() where left.limbs[i] != right.limbs[i] {
      return left.limbs[i] < right.limbs[i]
    }
    return false
  }
}

extension BigNatural: CustomStringConvertible {
  /// The decimal digits.
  package var description: String {
    var groups: [String] = []
    var rest = self
    while !rest.isZero {
      let (quotient, remainder) = rest.dividedBy(limb: 1_000_000_000)
      groups.append(String(remainder.low64))
      rest = quotient
    }
    guard let first = groups.popLast() else { return "0" }
    return groups.reversed().reduce(first) { text, group in
      text + String(repeating: "0", count: 9 - group.utf8.count) + group
    }
  }
}
