/// An exact number `magnitude * 2^exponent`, as the difference of two doubles or one of them.
struct ScaledNatural {
  let magnitude: Natural
  let exponent: Int

  init(magnitude: Natural, exponent: Int) {
    self.magnitude = magnitude
    self.exponent = exponent
  }

  /// The magnitude of a finite double.
  init(magnitudeOf value: Double) {
    let biased = Int(value.exponentBitPattern)
    let significand = UInt(value.significandBitPattern) | (biased == 0 ? 0 : 1 << 52)
    self.init(magnitude: Natural(significand), exponent: max(biased, 1) - 1075)
  }

  /// `upper - lower` without rounding, for finite `upper >= lower`.
  init(from lower: Double, to upper: Double) {
    let (first, second) = (ScaledNatural(magnitudeOf: upper), ScaledNatural(magnitudeOf: lower))
    let exponent = min(first.exponent, second.exponent)
    let left = first.magnitude << (first.exponent - exponent)
    let right = second.magnitude << (second.exponent - exponent)
    let magnitude: Natural
    if (upper < 0) == (lower < 0) {
      magnitude = left >= right ? left - right : right - left
    } else {
      magnitude = left + right
    }
    self.init(magnitude: magnitude, exponent: exponent)
  }

  /// The same number with an odd magnitude.
  var reduced: ScaledNatural {
    let zeros = magnitude.trailingZeroBitCount
    return ScaledNatural(magnitude: magnitude << -zeros, exponent: exponent + zeros)
  }
}
