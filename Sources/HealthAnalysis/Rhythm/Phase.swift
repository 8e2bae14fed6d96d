#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Where a time lies in its period.
enum Phase {
  /// cos and sin of 2π·`time`/`period`.
  ///
  /// The remainder of a division is exact, so that a time far from 0 costs no digits.
  static func cosineAndSine(of time: Double, period: Double) -> (cosine: Double, sine: Double) {
    let angle = 2 * Double.pi * (time.remainder(dividingBy: period) / period)
    return (cos(angle), sin(angle))
  }

  /// A time or angle in 0..<`period`.
  static func wrapped(_ time: Double, period: Double) -> Double {
    let rest = time.remainder(dividingBy: period)
    guard rest < 0 else { return rest + 0 }
    // A negative rest of less than an ulp of the period would round up to the period itself.
    let wrapped = rest + period
    return wrapped < period ? wrapped : 0
  }
}
