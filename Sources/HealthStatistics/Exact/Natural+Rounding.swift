extension Natural {
  /// The double nearest to `self * 2^exponent`, ties to even (IEEE 754); infinite out of range.
  func rounded(exponent: Int) -> Double {
    let width = bitWidth
    guard width > 0 else { return 0 }
    let leading = width - 1 + exponent
    guard leading <= 1023 else { return .infinity }
    // Below 2^-1022 the last bit stays at 2^-1074, so fewer bits are kept.
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
