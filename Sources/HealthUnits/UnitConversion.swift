/// The way from values in one unit to values in another, prepared once for many values.
///
/// Every result is the double nearest to the exact product (and sum, for temperatures), ties to
/// even, for every finite value: no intermediate overflows, underflows or rounds. Where π takes part
/// (degrees of arc) the result is that of π to 60 digits.
///
/// ```swift
/// let conversion = try UnitConversion(from: UnitExpression("lb"), to: UnitExpression("kg"))
/// conversion(154)                     // 69.85322498
/// ```
public struct UnitConversion: Sendable {
  /// The exact factor and what is added behind it.
  package let exactFactor: ExactRatio
  package let exactOffset: ExactRatio

  /// Factor and offset, each as a sum of two doubles.
  private let factor: Double
  private let factorRest: Double
  private let offset: Double
  private let offsetRest: Double

  /// The magnitudes of values for which no intermediate result leaves the normal range.
  private let safeMagnitudes: ClosedRange<Double>

  /// Prepares the way between two units.
  ///
  /// - Throws: `UnitError` with reason `incompatible` when the dimensions differ.
  public init(from source: UnitExpression, to target: UnitExpression) throws(UnitError) {
    guard source.isCompatible(with: target) else {
      throw UnitError.incompatible(from: source, to: target)
    }
    let table = UnitTable.standard
    let (above, below) = (table.factor(of: source.terms), table.factor(of: target.terms))
    var ratio = above.rational / below.rational
    let exponentOfPi = above.exponentOfPi - below.exponentOfPi
    if exponentOfPi != 0 { ratio = ratio * Self.pi.raised(to: exponentOfPi) }
    // base = factor × (value + shift), once there and once back.
    let offset = table.shift(of: source.terms) * ratio - table.shift(of: target.terms)
    self.init(factor: ratio, offset: offset)
  }

  package init(factor exactFactor: ExactRatio, offset exactOffset: ExactRatio = .zero) {
    self.exactFactor = exactFactor
    self.exactOffset = exactOffset
    factor = exactFactor.nearestDouble
    factorRest =
      factor.isNormal ? (exactFactor - ExactRatio(exactly: factor)).nearestDouble : 0
    offset = exactOffset.nearestDouble
    offsetRest = offset.isFinite ? (exactOffset - ExactRatio(exactly: offset)).nearestDouble : 0
    safeMagnitudes = Self.safeMagnitudes(factor: factor)
  }

  private static func safeMagnitudes(factor: Double) -> ClosedRange<Double> {
    let (least, most) = (0x1p-900, 0x1p900)
    guard (least...most).contains(factor) else { return Double.infinity...Double.infinity }
    return max(least, least / factor)...min(most, most / factor)
  }

  /// π to 60 decimal places.
  private static let pi =
    ExactRatio(3_141_592_653_589_793_238)
    * .powerOfTen(-18)
    + ExactRatio(4_626_433_832_795_028_841) * .powerOfTen(-37)
    + ExactRatio(9_716_939_937_510_582_097) * .powerOfTen(-56)
    + ExactRatio(4944) * .powerOfTen(-60)

  /// Whether every value stays as it is.
  public var isIdentity: Bool { exactFactor == .one && exactOffset.isZero }

  /// The converted value; not-a-number and infinities stay what they are.
  public func callAsFunction(_ value: Double) -> Double {
    guard value.isFinite, !isIdentity else { return value }
    if value == 0 { return exactOffset.isZero ? value : offset }
    guard safeMagnitudes.contains(value.magnitude) else { return exactly(value) }
    let product = value * factor
    let lost = (-product).addingProduct(value, factor)
    let sum = product + offset
    let back = sum - product
    let sumLost = (product - (sum - back)) + (offset - back)
    let rest = (sumLost + (lost + offsetRest)).addingProduct(value, factorRest)
    // All that the rest leaves out is smaller than this: when both ends round to one double, it
    // is the nearest; else the exact value lies next to a tie.
    let doubt = (product.magnitude + offset.magnitude) * 0x1p-100
    let (low, high) = (sum + (rest - doubt), sum + (rest + doubt))
    return low == high ? low : exactly(value)
  }

  private func exactly(_ value: Double) -> Double {
    (ExactRatio(exactly: value) * exactFactor + exactOffset).nearestDouble
  }

  /// Converts a whole column in place, each value as the call for one value does.
  public func apply(to column: inout [Double]) {
    if isIdentity { return }
    for index in column.indices { column[index] = self(column[index]) }
  }
}

extension UnitTable {
  /// What is added to a value of a temperature scale before the factor; 0 for all other units.
  ///
  /// Only a scale that stands alone is a point: in a product its degree is an interval.
  func shift(of terms: [UnitTerm]) -> ExactRatio {
    guard terms.count == 1, terms[0].power == 1,
      case .shifted(let shift) = definitions[Int(terms[0].unit)].scale
    else { return .zero }
    return shift.rational
  }
}

extension UnitError {
  /// The error of two units that do not convert, with a hint for the slips that people make.
  static func incompatible(from source: UnitExpression, to target: UnitExpression) -> UnitError {
    let (a, b) = (source.dimension, target.dimension)
    var hint: Hint?
    let acceleration = UnitDimension(length: 1, time: -2)
    if a == b.reciprocal {
      hint = .reciprocal
    } else if a.powers &+ acceleration.powers == b.powers
      || b.powers &+ acceleration.powers == a.powers
    {
      hint = .massIsNotForce
    }
    return UnitError(.incompatible(from: a, to: b), at: 0, expected: .sameDimension, hint: hint)
  }
}
