/// A small source of random numbers, keyed so that any day of any stream can be drawn by itself.
///
/// The bits are a keyed counter through the finaliser of MurmurHash3 (Appleby, 2011).
struct Chance {
  private var key: UInt64
  private var counter: UInt64 = 0

  /// Numbers that depend on all of `seed`, `stream` and `day`.
  init(seed: UInt64, stream: UInt64, day: Int) {
    key = Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
    key = Self.mix(key ^ stream &* 0xD6E8_FEB8_6659_FD93)
    key = Self.mix(key ^ UInt64(bitPattern: Int64(day)) &* 0xA076_1D64_78BD_642F)
  }

  private static func mix(_ bits: UInt64) -> UInt64 {
    var bits = bits
    bits = (bits ^ (bits >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    bits = (bits ^ (bits >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return bits ^ (bits >> 33)
  }

  /// The next 64 bits.
  mutating func bits() -> UInt64 {
    counter &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(key &+ counter)
  }

  /// A number in `0..<1`.
  mutating func fraction() -> Double { Double(bits() >> 11) * 0x1p-53 }

  /// A number in `range`.
  mutating func number(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * fraction()
  }

  /// A whole number in `range`.
  mutating func whole(in range: ClosedRange<Int>) -> Int {
    range.lowerBound
      + Int(truncatingIfNeeded: bits().multipliedFullWidth(by: UInt64(range.count)).high)
  }

  /// Whether something of this probability happens.
  mutating func happens(_ probability: Double) -> Bool { fraction() < probability }

  /// A bell-shaped number of mean 0 and deviation 1, never beyond 3.5 (a sum of four fractions).
  mutating func bell() -> Double {
    (fraction() + fraction() + fraction() + fraction() - 2) * 1.732_050_807_568_877_2
  }
}
