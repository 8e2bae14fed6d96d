internal import CKernels
import _HealthNumerics

/// How a level relates to the ratio of a quantity and its reference.
package enum LevelFunction: Sendable, Hashable {
  case naturalLogarithm
  case binaryLogarithm
  case decimalLogarithm
  /// Of field quantities, whose square is a power.
  case twiceDecimalLogarithm
  /// The number of successive dilutions by a ratio; for a ratio of 10, the acidity.
  case dilution(Int)
  /// A slope in per cent, or prism dioptres, of an angle.
  case hundredfoldTangent
  case squareRoot

  /// The logarithm of the ratio is the level times this multiple of the logarithm of the base; nil
  /// for functions that are not logarithms.
  fileprivate var logarithm: (base: LogarithmBase, multiple: ExactRatio)? {
    switch self {
    case .naturalLogarithm: return (.e, .one)
    case .binaryLogarithm: return (.whole(2), .one)
    case .decimalLogarithm: return (.whole(10), .one)
    case .twiceDecimalLogarithm: return (.whole(10), ExactRatio(1, over: 2))
    case .dilution(let factor):
      let digits = String(factor)
      guard digits.first == "1", digits.dropFirst().allSatisfy({ $0 == "0" }) else {
        return (.whole(UInt64(factor)), ExactRatio.one.negated)
      }
      return (.whole(10), ExactRatio(UInt64(digits.utf8.count - 1)).negated)
    case .hundredfoldTangent, .squareRoot: return nil
    }
  }
}

private enum LogarithmBase: Equatable {
  case e
  case whole(UInt64)

  /// The natural logarithm of the base.
  var natural: ExactRatio {
    switch self {
    case .e: .one
    case .whole(2): .naturalLogarithmOfTwo
    case .whole(10): .naturalLogarithmOfTen
    case .whole(let base): .naturalLogarithm(of: ExactRatio(base))
    }
  }

  /// The logarithm of a positive ratio: exact where the ratio is a power of the base.
  func logarithm(of ratio: ExactRatio) -> ExactRatio {
    if ratio == .one { return .zero }
    let quotient = ExactRatio.naturalLogarithm(of: ratio) / natural
    if case .whole(let base) = self {
      let power = Int(quotient.nearestDouble.rounded())
      if ExactRatio(base).raised(to: power) == ratio {
        let count = ExactRatio(UInt64(power.magnitude))
        return power < 0 ? count.negated : count
      }
    }
    return quotient
  }
}

/// A level unit prepared for conversion: its function and prefix.
struct LevelScale: Sendable, Hashable {
  fileprivate let function: LevelFunction
  fileprivate let prefix: ExactRatio

  init(_ function: LevelFunction, prefix: ExactRatio) {
    self.function = function
    self.prefix = prefix
  }

  /// The natural logarithm of the ratio that one level unit stands for; zero where the function is
  /// not a logarithm.
  fileprivate var step: ExactRatio {
    guard let logarithm = function.logarithm else { return .zero }
    return logarithm.multiple * logarithm.base.natural * prefix
  }

  /// The linear function from a level of this scale to one of another.
  ///
  /// One logarithm is a linear function of another, and each function is one of itself. `reference`
  /// is this reference as a multiple of the other.
  func linear(
    to other: LevelScale, reference: ExactRatio
  ) -> (factor: ExactRatio, offset: ExactRatio)? {
    guard let own = function.logarithm, let others = other.function.logarithm else {
      guard function == other.function, reference == .one else { return nil }
      return (prefix / other.prefix, .zero)
    }
    var factor = own.multiple * prefix / (others.multiple * other.prefix)
    if own.base != others.base { factor = factor * own.base.natural / others.base.natural }
    let offset = others.base.logarithm(of: reference) / (others.multiple * other.prefix)
    return (factor, offset)
  }
}

/// The conversion between a level and the quantity that it measures.
///
/// It computes in double-double, so that nearly all of the error is the last rounding.
struct LevelConversion: Sendable {
  private let function: LevelFunction
  private let prefix: ExactRatio

  /// The ratio of the quantity's unit to the reference, from 1 to below 2, and its power of two.
  private let factor: DoubleDouble
  private let exponent: Int
  private let exactFactor: ExactRatio

  /// The binary logarithm of the ratio that one level unit stands for, and the reciprocal of its
  /// natural logarithm.
  private let bits: DoubleDouble
  private let reciprocalStep: DoubleDouble

  /// `exact` is the factor from ratio to quantity, or from quantity to ratio.
  init(_ scale: LevelScale, factor exact: ExactRatio) {
    let step = scale.step
    (function, prefix) = (scale.function, scale.prefix)
    exactFactor = exact
    var exponent = exact.numerator.bitWidth - exact.denominator.bitWidth
    var scaled = exact.scaled(byPowerOfTwo: -exponent)
    if scaled.numerator < scaled.denominator {
      exponent -= 1
      scaled = exact.scaled(byPowerOfTwo: -exponent)
    }
    factor = DoubleDouble(scaled)
    self.exponent = exponent
    bits = DoubleDouble(step / .naturalLogarithmOfTwo)
    reciprocalStep = step.isZero ? DoubleDouble(0) : DoubleDouble(.one / step)
  }

  /// The quantity of a level.
  func quantity(of level: Double) -> Double {
    guard level.isFinite else { return infiniteQuantity(of: level) }
    switch function {
    case .hundredfoldTangent:
      // For small angles tan(x) = x.
      guard level.magnitude > 0x1p-40 else {
        return (exactFactor * prefix / ExactRatio(100)).nearestDouble(times: level, plus: .zero)
      }
      let slope = DoubleDouble(prefix) * level / 100
      let angle = DoubleDouble(hk_atan(slope.high))
      let rest = slope.low / (1 + slope.high * slope.high)
      return ((angle + rest) * factor).scaled(byPowerOfTwo: exponent)
    case .squareRoot:
      guard level != 0 else { return 0 }
      let root = DoubleDouble(prefix) * level.significand
      let square = root * root * factor
      return square.scaled(byPowerOfTwo: exponent + 2 * Int(level.exponent))
    default:
      // Out of the range of all factors and doubles.
      guard (bits.high * level).magnitude < 0x1p20 else {
        return bits.high * level < 0 ? 0 : .infinity
      }
      let bits = bits * level
      let whole = bits.high.rounded()
      let power = ((bits + -whole) * .naturalLogarithmOfTwo).exponential
      return (power * factor).scaled(byPowerOfTwo: exponent + Int(whole))
    }
  }

  private func infiniteQuantity(of level: Double) -> Double {
    switch function {
    case .hundredfoldTangent: (hk_atan(level) * factor.high).scaled(byPowerOfTwo: exponent)
    case .squareRoot: level * level
    default: level.isNaN ? level : (level < 0) == (bits.high < 0) ? .infinity : 0
    }
  }

  /// The level of a quantity; NaN for one that has none.
  func level(of quantity: Double) -> Double {
    guard quantity.isFinite, quantity != 0 else { return levelOfExtreme(quantity) }
    var ratio = factor * quantity.significand * (quantity < 0 ? -1 : 1)
    var exponent = exponent + Int(quantity.exponent)
    switch function {
    case .hundredfoldTangent:
      let angle = ratio.high.scaled(byPowerOfTwo: exponent)
      guard angle.magnitude > 0x1p-40 else {
        return (exactFactor * ExactRatio(100) / prefix).nearestDouble(times: quantity, plus: .zero)
      }
      let rest = ratio.low.scaled(byPowerOfTwo: exponent)
      // The addition theorem of the tangent.
      let tangent = hk_tan(angle)
      let correction = rest * (1 + tangent * tangent) / (1 - tangent * rest)
      return ((DoubleDouble(tangent) + correction) * 100 / DoubleDouble(prefix)).high
    case .squareRoot:
      if quantity < 0 { return .nan }
      if exponent % 2 != 0 { (ratio, exponent) = (ratio * 2, exponent - 1) }
      return (ratio.squareRoot / DoubleDouble(prefix)).scaled(byPowerOfTwo: exponent / 2)
    default: break
    }
    if quantity < 0 { return .nan }
    // Reduces to both sides of 1, so that exponent and logarithm do not cancel.
    while ratio.high > 0x1.6ap0 { (ratio, exponent) = (ratio * 0.5, exponent + 1) }
    guard exponent != 0 || (ratio.high - 1).magnitude > 0x1p-40 else {
      // Next to 1 the rounding error of the double-double ratio matters.
      let difference = DoubleDouble(exactFactor * ExactRatio(exactly: quantity) - .one)
      let logarithm = difference + difference * difference * -0.5
      return (logarithm * reciprocalStep).high
    }
    let logarithm = DoubleDouble.naturalLogarithmOfTwo * Double(exponent) + ratio.logarithm
    return (logarithm * reciprocalStep).high
  }

  private func levelOfExtreme(_ quantity: Double) -> Double {
    switch function {
    case .hundredfoldTangent: quantity == 0 ? quantity : .nan
    case .squareRoot: quantity.squareRoot()
    default:
      quantity == 0
        ? (reciprocalStep.high < 0 ? .infinity : -.infinity)
        : quantity > 0 ? quantity * reciprocalStep.high : .nan
    }
  }
}
