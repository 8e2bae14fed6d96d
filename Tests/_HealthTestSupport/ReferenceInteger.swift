/// Whole numbers above or at zero as bits, lowest first: the slow twin of exact arithmetic.
///
/// Everything is done by adding, shifting and comparing single bits.
public struct ReferenceInteger: Sendable, Equatable {
  public private(set) var bits: [Bool]

  public init(_ value: UInt64 = 0) {
    bits = (0..<64).map { value >> $0 & 1 == 1 }
    trim()
  }

  public init(words: [UInt]) {
    bits = words.flatMap { word in (0..<UInt.bitWidth).map { word >> $0 & 1 == 1 } }
    trim()
  }

  private mutating func trim() {
    while bits.last == false { bits.removeLast() }
  }

  private func bit(_ index: Int) -> Bool { index < bits.count && bits[index] }

  public static func + (left: Self, right: Self) -> Self {
    var sum = Self()
    var carry = false
    for index in 0...max(left.bits.count, right.bits.count) {
      let ones = [left.bit(index), right.bit(index), carry].count { $0 }
      sum.bits.append(ones & 1 == 1)
      carry = ones > 1
    }
    sum.trim()
    return sum
  }

  public func shifted(by count: Int) -> Self {
    var result = self
    result.bits =
      count >= 0
      ? Array(repeating: false, count: count) + bits : Array(bits.dropFirst(-count))
    result.trim()
    return result
  }

  public static func * (left: Self, right: Self) -> Self {
    var product = Self()
    for (index, bit) in left.bits.enumerated() where bit {
      product = product + right.shifted(by: index)
    }
    return product
  }
}
