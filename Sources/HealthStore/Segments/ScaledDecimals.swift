/// Doubles that are short decimals, as integers times a power of ten, bit for bit.
///
/// A decimal of at most 15 digits, *n* / 10^*k* with |*n*| < 2^51, is rounded once when it is
/// parsed and once when it is divided out here, so both give the same double.
enum ScaledDecimals {
  /// The powers that are tried; all are exact doubles.
  static let exponents = 0...15
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
  /// Adding this to a double below 2^51 rounds it to an integer, which then stands in its low bits.
  private static let rounder = 0x1.8p52
  /// Below this ``rounder`` works.
  private static let limit = 0x1p51

  /// Writes `values` × 10^`exponent` as integers, and says how many do not read back.
  ///
  /// - Complexity: O(*n*)
  static func scale(
    _ values: UnsafeBufferPointer<Double>, by exponent: Int,
    into numbers: UnsafeMutableBufferPointer<Int64>
  ) -> Int {
    let power = powers[exponent]
    let shift = Int64(bitPattern: rounder.bitPattern)
    var failures = 0
    for index in values.indices {
      let value = values[index]
      let scaled = value * power
      let rounded = scaled + rounder
      let back = (rounded - rounder) / power
      numbers[index] = Int64(bitPattern: rounded.bitPattern) &- shift
      let holds = (back.bitPattern == value.bitPattern) && (scaled.magnitude < limit)
      failures &+= holds ? 0 : 1
    }
    return failures
  }

  /// Whether a value reads back from its integer.
  static func holds(_ value: Double, exponent: Int) -> Bool {
    let scaled = value * powers[exponent]
    return scaled.magnitude < limit
      && ((scaled + rounder - rounder) / powers[exponent]).bitPattern == value.bitPattern
  }

  /// The doubles of integers.
  ///
  /// - Complexity: O(*n*)
  static func unscale(
    _ numbers: UnsafeBufferPointer<Int64>, by exponent: Int,
    into values: UnsafeMutableBufferPointer<Double>
  ) {
    let power = powers[exponent]
    let whole = numbers.count & ~7
    let stride = MemoryLayout<Double>.stride
    let source = UnsafeRawBufferPointer(numbers)
    let target = UnsafeMutableRawBufferPointer(values)
    var beyond = SIMD8<UInt64>()
    for index in Swift.stride(from: 0, to: whole, by: 8) {
      let lanes = source.loadUnaligned(
        fromByteOffset: index * stride, as: SIMD8<UInt64>.self)
      beyond |= (lanes &+ Self.half) &>> 52
      // The other way round of ``rounder``: small integers stand in its low bits.
      let sums = lanes &+ rounder.bitPattern
      var doubles = unsafeBitCast(sums, to: SIMD8<Double>.self) - rounder
      if exponent > 0 { doubles /= power }
      target.storeBytes(of: doubles, toByteOffset: index * stride, as: SIMD8<Double>.self)
    }
    // Only bytes that nobody wrote hold more than ``scale(_:by:into:)`` makes.
    let first = beyond == SIMD8() ? whole : 0
    for index in first..<numbers.count { values[index] = Double(numbers[index]) / power }
  }

  /// 2^51, which makes all that ``rounder`` works for a number below 2^52.
  private static let half: UInt64 = 1 << 51
}
