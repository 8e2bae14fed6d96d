internal import CKernels
import _HealthNumerics

/// A conversion as HealthKit computes it: `(value × scale + offset − offset′) / scale′` in doubles.
///
/// The scale of a product is the product of its factors in printing order, each raised to its power
/// by `pow`. Gram, second, metre, joule, pascal, watt, volt, siemens and kelvin have scale 1, the
/// litre 0.001.
struct HealthKitArithmetic: Sendable {
  private let scale: Double
  private let offset: Double
  private let targetScale: Double
  private let targetOffset: Double
  private let isIdentity: Bool

  init(from source: UnitExpression, to target: UnitExpression) {
    isIdentity = source == target
    let kilo = Self.thousands(in: source) == Self.thousands(in: target)
    scale = Self.scale(of: source, withUnitJoule: kilo)
    targetScale = Self.scale(of: target, withUnitJoule: kilo)
    offset = Self.offset(of: source)
    targetOffset = Self.offset(of: target)
  }

  func callAsFunction(_ value: Double) -> Double {
    isIdentity ? value : (value * scale + offset - targetOffset) / targetScale
  }

  private static func scale(of unit: UnitExpression, withUnitJoule isUnit: Bool) -> Double {
    let numerators = unit.terms.filter { $0.power > 0 }
    let denominators = unit.terms.filter { $0.power < 0 }
    return (numerators + denominators).reduce(1) { product, term in
      product * hk_pow(scale(of: term, withUnitJoule: isUnit), Double(term.power))
    }
  }

  private static func scale(of term: UnitTerm, withUnitJoule isUnit: Bool) -> Double {
    let definition = UnitTable.standard.definitions[Int(term.unit)]
    var scale = definition.factor.rational
    if isUnit { scale = scale / ExactRatio(1000 as UInt64).raised(to: thousands(in: definition)) }
    var value = scale.nearestDouble
    for _ in 0..<abs(definition.factor.exponentOfPi) { value *= .pi }
    if definition.scale == .molarMass { value *= term.molarMass }
    if definition.scale == .number { value = Double(term.parameter) }
    return UnitPrefix.all[Int(term.prefix)].factor.nearestDouble * value
  }

  /// The power of 1000 by which a unit of joules, pascals, watts, volts or siemens is larger in
  /// grams than in kilograms.
  private static func thousands(in definition: UnitDefinition) -> Int {
    let named: [UnitDimension] = [.energy, .pressure, .power, .potential, .conductance]
    return named.contains(definition.dimension) ? definition.dimension[.mass] : 0
  }

  private static func thousands(in unit: UnitExpression) -> Int {
    unit.terms.reduce(0) { sum, term in
      sum + thousands(in: UnitTable.standard.definitions[Int(term.unit)]) * Int(term.power)
    }
  }

  private static func offset(of unit: UnitExpression) -> Double {
    let table = UnitTable.standard
    let shift = table.shift(of: unit.terms)
    return shift.isZero ? 0 : (shift * table.factor(of: unit.terms).rational).nearestDouble
  }
}

/// The order of two values.
public enum ValueOrder: Sendable, Hashable {
  case ascending
  case same
  case descending
}

extension UnitConversion {
  /// Compares two values as HealthKit does: converts the second to the unit of the first in
  /// HealthKit's order of operations and treats a difference below 2^-52 as equal.
  ///
  /// - Throws: `UnitError` with reason `incompatible` when the dimensions differ.
  public static func healthKitOrder(
    of value: Double, _ unit: UnitExpression, and other: Double, _ otherUnit: UnitExpression
  ) throws(UnitError) -> ValueOrder {
    let conversion = try UnitConversion(from: otherUnit, to: unit, arithmetic: .healthKit)
    let difference = value - conversion(other)
    if difference.magnitude < 0x1p-52 { return .same }
    return difference < 0 ? .ascending : .descending
  }
}
