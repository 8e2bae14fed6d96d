internal import CKernels

/// How a level relates to the ratio of a quantity and its reference.
package enum LevelFunction: Sendable, Hashable {
  case naturalLogarithm
  case binaryLogarithm
  case decimalLogarithm
  /// Of field quantities, whose square is a power.
  case twiceDecimalLogarithm
  /// How often something was diluted so many times; with 10, the acidity.
  case dilution(Int)
  /// A slope in per cent, or prism dioptres, of an angle.
  case hundredfoldTangent
  case squareRoot

  var isLogarithm: Bool { self != .hundredfoldTangent && self != .squareRoot }
}

/// A level unit made ready: its function and prefix.
///
/// The logarithms run through base 2 with their factor as a sum of two doubles, so that a level of
/// some hundred decibels does not multiply the rounding of its exponent: the error is at most 2 ulp.
struct LevelScale: Sendable, Hashable {
  private let function: LevelFunction
  private let prefix: Double

  /// The exponent of two for one unit, as a sum of two doubles.
  private let exponent: Double
  private let exponentRest: Double

  init(_ function: LevelFunction, prefix: ExactRatio) {
    self.function = function
    self.prefix = prefix.nearestDouble
    let bits = prefix * Self.binaryLogarithm(of: function)
    exponent = bits.nearestDouble
    exponentRest = (bits - ExactRatio(exactly: exponent)).nearestDouble
  }

  /// The binary logarithm of what one unit multiplies, to 36 places; 0 where it is no logarithm.
  private static func binaryLogarithm(of function: LevelFunction) -> ExactRatio {
    // log2(10) = 3.321928094887362347870319429489390175…, log2(e) = 1.442695040888963407359924681001892137…
    let ten =
      ExactRatio(3_321_928_094_887_362_347 as UInt64) * .powerOfTen(-18)
      + ExactRatio(870_319_429_489_390_175 as UInt64) * .powerOfTen(-36)
    switch function {
    case .naturalLogarithm:
      return ExactRatio(1_442_695_040_888_963_407 as UInt64) * .powerOfTen(-18)
        + ExactRatio(359_924_681_001_892_137 as UInt64) * .powerOfTen(-36)
    case .binaryLogarithm: return .one
    case .decimalLogarithm: return ten
    case .twiceDecimalLogarithm: return ten / ExactRatio(2)
    case .dilution(50000):
      // 50000 = 10^5 / 2
      return (ten * ExactRatio(5) - .one).negated
    case .dilution(let base):
      let tens = String(base).utf8.count - 1
      return (ten * ExactRatio(UInt64(tens))).negated
    case .hundredfoldTangent, .squareRoot: return .zero
    }
  }

  /// The ratio that a level stands for, times a factor given as a sum of two doubles.
  func ratio(of level: Double, times factor: Double, _ factorRest: Double) -> Double {
    switch function {
    case .hundredfoldTangent: return hk_atan(level * prefix / 100) * factor
    case .squareRoot: return level * level * factor
    default: break
    }
    let bits = level * exponent
    guard bits.magnitude < 4096 else { return bits < 0 ? 0 : .infinity }
    let rest = (-bits).addingProduct(level, exponent) + level * exponentRest
    let whole = bits.rounded()
    // 2^(bits + rest) = 2^whole · 2^(bits - whole) · (1 + rest · ln 2)
    let power = hk_exp2(bits - whole)
    let correction = rest * 0x1.62e42fefa39efp-1 + factorRest / factor
    let scaled = power * factor
    let lost = (-scaled).addingProduct(power, factor)
    return Double(sign: .plus, exponent: Int(whole), significand: 1).isNormal
      ? (scaled + (lost + scaled * correction))
        * Double(sign: .plus, exponent: Int(whole), significand: 1)
      : (scaled + (lost + scaled * correction))
        * Double(sign: .plus, exponent: Int(whole) / 2, significand: 1)
        * Double(sign: .plus, exponent: Int(whole) - Int(whole) / 2, significand: 1)
  }

  /// The level of a value that is a factor, given as a sum of two doubles, times its reference.
  func level(of value: Double, times factor: Double, _ factorRest: Double) -> Double {
    // The reference itself is level 0 although no double may hold it exactly.
    if value * factor == 1, function.isLogarithm { return 0 }
    let ratio = value * factor
    let rest = (-ratio).addingProduct(value, factor) + value * factorRest
    switch function {
    case .hundredfoldTangent: return hk_tan(ratio) * 100 / prefix
    case .squareRoot: return ratio.squareRoot()
    default: break
    }
    // log2(ratio + rest) = log2(ratio) + rest / (ratio · ln 2)
    let correction = ratio.isNormal ? rest / ratio * 0x1.71547652b82fep+0 : 0
    return (hk_log2(ratio) + correction) / exponent
  }
}
