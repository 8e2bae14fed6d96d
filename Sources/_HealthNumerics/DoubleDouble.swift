internal import CKernels

/// A number as an unevaluated sum of two doubles, the second at most half an ulp of the first.
///
/// Products and sums are accurate to about 100 bits.
package struct DoubleDouble: Sendable {
  package let high: Double
  package let low: Double

  /// Stores both doubles unchanged.
  private init(high: Double, low: Double) {
    self.high = high
    self.low = low
  }

  package init(_ value: Double) { self.init(high: value, low: 0) }

  /// A sum whose first summand is the larger one.
  private init(ordered high: Double, _ low: Double) {
    let sum = high + low
    self.init(high: sum, low: low - (sum - high))
  }

  package init(_ exact: ExactRatio) {
    let high = exact.nearestDouble
    let low = high.isFinite ? (exact - ExactRatio(exactly: high)).nearestDouble : 0
    self.init(high: high, low: low)
  }

  package static let naturalLogarithmOfTwo = DoubleDouble(ExactRatio.naturalLogarithmOfTwo)

  package static func * (left: DoubleDouble, right: DoubleDouble) -> DoubleDouble {
    let product = left.high * right.high
    let lost = (-product).addingProduct(left.high, right.high)
    return DoubleDouble(
      ordered: product, lost.addingProduct(left.high, right.low).addingProduct(left.low, right.high)
    )
  }

  package static func * (left: DoubleDouble, right: Double) -> DoubleDouble {
    left * DoubleDouble(right)
  }

  package static func + (left: DoubleDouble, right: DoubleDouble) -> DoubleDouble {
    let high = twoSum(left.high, right.high)
    let low = twoSum(left.low, right.low)
    let first = DoubleDouble(ordered: high.sum, high.error + low.sum)
    return DoubleDouble(ordered: first.high, first.low + low.error)
  }

  package static func + (left: DoubleDouble, right: Double) -> DoubleDouble {
    left + DoubleDouble(right)
  }

  package static func / (left: DoubleDouble, right: DoubleDouble) -> DoubleDouble {
    let quotient = left.high / right.high
    let rest = left + (right * -quotient)
    return DoubleDouble(ordered: quotient, rest.high / right.high)
  }

  package static func / (left: DoubleDouble, right: Double) -> DoubleDouble {
    left / DoubleDouble(right)
  }

  /// The square root of a positive number.
  package var squareRoot: DoubleDouble {
    let root = high.squareRoot()
    let rest = high.addingProduct(-root, root) + low
    return DoubleDouble(ordered: root, rest / (2 * root))
  }

  /// The reciprocal factorials from 1/10! to 1/3!, the last terms of the exponential series first.
  private static let reciprocalFactorials: [DoubleDouble] = (3...10).reversed().map { count in
    DoubleDouble(ExactRatio(1, over: (1...UInt64(count)).reduce(1, *)))
  }

  /// The exponential function of a number between -1 and 1.
  package var exponential: DoubleDouble {
    // e^x - 1 for x / 2^6, then (1 + y)^2 - 1 = 2y + y^2 six times: 1 + y would lose bits of y.
    let reduced = self * 0x1p-6
    var series = DoubleDouble(0)
    for coefficient in Self.reciprocalFactorials { series = series * reduced + coefficient }
    let square = reduced * reduced
    var difference = reduced + (square * 0.5 + square * reduced * series)
    for _ in 0..<6 { difference = difference * 2 + difference * difference }
    return difference + 1
  }

  /// The natural logarithm of a number between 1/2 and 2.
  package var logarithm: DoubleDouble {
    // One step of Newton's method from the logarithm in double precision.
    let start = hk_log(high)
    let error = DoubleDouble(-start).exponential * self + -1
    return DoubleDouble(start) + error
  }

  /// The double nearest to the sum times a power of two.
  package func scaled(byPowerOfTwo exponent: Int) -> Double { high.scaled(byPowerOfTwo: exponent) }
}

extension Double {
  /// The product with a power of two, which overflows and underflows only where the result does.
  package func scaled(byPowerOfTwo exponent: Int) -> Double {
    Double(sign: .plus, exponent: Swift.min(Swift.max(exponent, -5000), 5000), significand: self)
  }
}
