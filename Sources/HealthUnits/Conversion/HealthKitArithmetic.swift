internal import CKernels
import _HealthNumerics

/// A unit's scale and offset as HealthKit's arithmetic has them:
/// `(value × scale + offset − offset′) / scale′` in doubles.
///
/// The scale of a product is the product of its factors in printing order, each raised to its power
/// by `pow`. Gram, second, metre, joule, pascal, watt, volt, siemens and kelvin have scale 1, the
/// litre 0.001.
package final class HealthKitScale: Sendable {
  /// The unit.
  package let unit: UnitExpression
  /// The scale with 1,000 for a joule, which is as many grams times square metres per square second.
  private let gramScale: Double
  /// The scale with 1 for a joule.
  private let jouleScale: Double
  private let offset: Double
  /// The power of 1000 between the two scales.
  private let thousands: Int
  /// The power of watts in the unit.
  private let watts: Int

  /// Computes the scale of a unit once for many conversions.
  package init(of unit: UnitExpression) {
    self.unit = unit
    gramScale = Self.scale(of: unit, withUnitJoule: false)
    jouleScale = Self.scale(of: unit, withUnitJoule: true)
    offset = Self.offset(of: unit)
    let definitions = unit.terms.map {
      (UnitTable.standard.definitions[Int($0.unit)], Int($0.power))
    }
    thousands = definitions.reduce(0) { $0 + Self.thousands(in: $1.0) * $1.1 }
    watts = definitions.reduce(0) { $0 + ($1.0.dimension == .power ? $1.1 : 0) }
  }

  /// Whether HealthKit converts between the units: their dimensions are equal, and it does not
  /// resolve a watt to joules a second.
  package func isCompatible(with other: HealthKitScale) -> Bool {
    self === other || unit.dimension == other.unit.dimension && watts == other.watts
  }

  /// The value in another unit of the same dimension.
  package func convert(_ value: Double, to other: HealthKitScale) -> Double {
    if self === other || unit == other.unit { return value }
    let hasUnitJoule = thousands == other.thousands
    let scale = hasUnitJoule ? jouleScale : gramScale
    let otherScale = hasUnitJoule ? other.jouleScale : other.gramScale
    return (value * scale + offset - other.offset) / otherScale
  }

  /// The value in the units of scale 1.
  package func base(_ value: Double) -> Double { value * gramScale + offset }

  private static func scale(of unit: UnitExpression, withUnitJoule isUnit: Bool) -> Double {
    let numerators = unit.terms.filter { $0.power > 0 }
    let denominators = unit.terms.filter { $0.power < 0 }
    return (numerators + denominators).reduce(1) { product, term in
      product * hk_pow(scale(of: term, withUnitJoule: isUnit), Double(term.power))
    }
  }

  private static func scale(of term: UnitTerm, withUnitJoule isUnit: Bool) -> Double {
    let definition = UnitTable.standard.definitions[Int(term.unit)]
    var value =
      Int(term.unit) < scales.count
      ? (isUnit ? scales[Int(term.unit)].joule : scales[Int(term.unit)].gram)
      : scale(of: definition, withUnitJoule: isUnit)
    if definition.scale == .molarMass { value *= term.molarMass }
    if definition.scale == .number { value = Double(term.parameter) }
    return prefixScales[Int(term.prefix)] * value
  }

  private static func scale(of definition: UnitDefinition, withUnitJoule isUnit: Bool) -> Double {
    var scale = definition.factor.rational
    if isUnit { scale = scale / ExactRatio(1000 as UInt64).raised(to: thousands(in: definition)) }
    var value = scale.nearestDouble
    for _ in 0..<abs(definition.factor.exponentOfPi) { value *= .pi }
    return value
  }

  /// The scales of HealthKit's units, which come first in the table.
  private static let scales = UnitTable.standard.definitions
    .prefix(UnitTable.healthKitUnits.count).map { definition in
      (
        gram: scale(of: definition, withUnitJoule: false),
        joule: scale(of: definition, withUnitJoule: true)
      )
    }

  private static let prefixScales = UnitPrefix.all.map(\.factor.nearestDouble)

  /// The power of 1000 by which a unit of joules, pascals, watts, volts or siemens is larger in
  /// grams than in kilograms.
  private static func thousands(in definition: UnitDefinition) -> Int {
    let named: [UnitDimension] = [.energy, .pressure, .power, .potential, .conductance]
    return named.contains(definition.dimension) ? definition.dimension[.mass] : 0
  }

  private static func offset(of unit: UnitExpression) -> Double {
    let table = UnitTable.standard
    let shift = table.shift(of: unit.terms)
    return shift.isZero ? 0 : (shift * table.factor(of: unit.terms).rational).nearestDouble
  }
}

/// A conversion as HealthKit computes it.
struct HealthKitArithmetic: Sendable {
  private let source: HealthKitScale
  private let target: HealthKitScale

  init(from source: UnitExpression, to target: UnitExpression) {
    self.source = HealthKitScale(of: source)
    self.target = HealthKitScale(of: target)
  }

  func callAsFunction(_ value: Double) -> Double { source.convert(value, to: target) }
}
