/// A positive number rounded to six significant decimal digits.
///
/// The number is scaled in binary first, so one that lies within a rounding error of the middle
/// between two results may get the other one than `printf` gives.
struct SixDigits {
  /// The digits as a whole number, without zeros at the end.
  private(set) var digits: Int
  /// How many digits there are, 1...6.
  private(set) var length: Int
  /// The power of ten that the first digit counts.
  private(set) var exponent: Int

  /// Rounds a positive, finite number.
  init(_ number: Double) {
    exponent = 0
    var scaled = number
    while scaled >= 1_000_000 {
      exponent += 1
      scaled = number / Self.power(exponent)
    }
    while scaled < 100_000 {
      exponent -= 1
      scaled = number * Self.power(-exponent)
    }
    exponent += 5
    digits = Int(scaled.rounded(.toNearestOrEven))
    length = 6
    if digits == 1_000_000 {
      digits = 100_000
      exponent += 1
    }
    while digits % 10 == 0 {
      digits /= 10
      length -= 1
    }
  }

  /// The powers of ten from the zeroth to the sixth.
  static let powers = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

  private static let exactPowers: [Double] = (0...22).map { exponent in
    (0..<exponent).reduce(1.0) { power, _ in power * 10 }
  }

  private static func power(_ exponent: Int) -> Double {
    exponent < exactPowers.count
      ? exactPowers[exponent] : exactPowers[22] * power(exponent - 22)
  }
}
