import _HealthNumerics

/// A unit of one dialect expressed in the other, and the conversion of its values.
///
/// ```swift
/// let mapping = try UnitMapping(of: UnitExpression("%"), to: .ucum)
/// mapping.unit.text(in: .ucum)        // "%"
/// mapping.conversion(0.98)            // 98
/// ```
///
/// HealthKit's `%` is a fraction, UCUM's runs to 100: values are scaled. Columns of mercury and
/// water keep their numbers, although the dialects define slightly different pressures. What UCUM
/// cannot express becomes a note: `mmol{M=180.1558800000541}/L`, `dB{A}`, `{count}/min`,
/// `K{degC}/min`. HealthKit → UCUM → HealthKit gives the same unit and the same values.
public struct UnitMapping: Sendable {
  /// The unit in the other dialect.
  public let unit: UnitExpression

  /// The conversion of a value in the first unit; mostly the identity.
  public let conversion: UnitConversion

  /// Expresses a unit in a dialect.
  ///
  /// - Throws: `UnitError` with reason `notInDialect` when HealthKit has no unit of that dimension.
  public init(of unit: UnitExpression, to dialect: UnitDialect) throws(UnitError) {
    var mapper = UnitMapper(source: unit)
    switch dialect {
    case .ucum: try mapper.mapToUCUM()
    case .healthKit: try mapper.mapToHealthKit()
    }
    self.unit = try mapper.target.unit()
    var factor = mapper.factor
    if mapper.exponentOfPi != 0 {
      factor = factor * UnitConversion.pi.raised(to: mapper.exponentOfPi)
    }
    conversion = UnitConversion(factor: factor)
  }
}

/// Collects the terms in the other dialect and the factor on values.
private struct UnitMapper {
  let source: UnitExpression
  var target = UnitTermList()
  var factor = ExactRatio.one
  var exponentOfPi = 0

  init(source: UnitExpression) { self.source = source }

  private mutating func add(_ term: UnitTerm, power: Int8) throws(UnitError) {
    guard target.multiply(by: term, power: Int(power)) else {
      throw UnitError(.exponentOutOfRange, at: 0, expected: .wholeNumber)
    }
  }

  private mutating func add(
    _ unit: UInt16, prefix: UInt8 = 0, power: Int8
  ) throws(UnitError) {
    try add(UnitTerm(PrefixedUnit(prefix: prefix, unit: unit)), power: power)
  }

  private mutating func add(
    _ unit: UInt16, prefix: UInt8 = 0, note: String, power: Int8
  ) throws(UnitError) {
    try add(target.term(PrefixedUnit(prefix: prefix, unit: unit), note: note), power: power)
  }

  private mutating func scale(_ ratio: ExactRatio, power: Int8) {
    factor = factor * ratio.raised(to: Int(power))
  }

  /// Whether the unit is not part of a product, so that a scale with its own zero is a point.
  private var standsAlone: Bool { source.list.isScale(by: UnitTable.standard.facts) }

  // MARK: HealthKit → UCUM

  mutating func mapToUCUM() throws(UnitError) {
    for term in source.terms { try mapToUCUM(term) }
  }

  private mutating func mapToUCUM(_ term: UnitTerm) throws(UnitError) {
    let power = term.power
    switch term.unit {
    case UnitIndices.count: try add(UnitTable.annotation, note: "count", power: power)
    case UnitIndices.effort: try add(UnitTable.annotation, note: "appleEffortScore", power: power)
    case UnitIndices.percent:
      try add(UnitIndices.ucumPercent, power: power)
      scale(ExactRatio(100 as UInt64), power: power)
    case UnitIndices.mole: try add(UnitIndices.ucumMole, prefix: term.prefix, power: power)
    case UnitIndices.millimeterOfMercury:
      try add(UnitIndices.meterOfMercury, prefix: UnitIndices.milli, power: power)
    case UnitIndices.centimeterOfWater:
      try add(UnitIndices.meterOfWater, prefix: UnitIndices.centi, power: power)
    case UnitIndices.inchOfMercury: try add(UnitIndices.ucumInchOfMercury, power: power)
    case UnitIndices.kilocalorie:
      try add(UnitIndices.calorie, prefix: UnitIndices.kilo, power: power)
    case UnitIndices.lux: try add(UnitIndices.ucumLux, prefix: term.prefix, power: power)
    case UnitIndices.imperialCup:
      let ten = UnitTerm(PrefixedUnit(unit: UnitTable.number), parameter: 10)
      try add(ten, power: power)
      try add(UnitIndices.imperialFluidOunce, note: "cup_imp", power: power)
    case UnitIndices.celsius where !standsAlone:
      try add(UnitIndices.kelvin, note: "degC", power: power)
    case UnitIndices.fahrenheit where !standsAlone:
      try add(UnitIndices.rankine, note: "degF", power: power)
    case UnitIndices.prismDiopter where standsAlone:
      try add(UnitIndices.ucumPrismDiopter, power: power)
    case UnitIndices.soundPressureLevel where standsAlone:
      try add(UnitIndices.bel, prefix: UnitIndices.deci, note: "A", power: power)
    case UnitIndices.hearingLevel where standsAlone:
      try add(UnitIndices.bel, prefix: UnitIndices.deci, note: "HL", power: power)
    case UnitIndices.prismDiopter, UnitIndices.soundPressureLevel, UnitIndices.hearingLevel:
      let name = UnitTable.standard.definitions[Int(term.unit)].healthKit
      try add(UnitTable.annotation, note: name ?? "", power: power)
    default:
      copyNote(of: term)
      try add(term.withPower(1), power: power)
    }
  }

  private mutating func copyNote(of term: UnitTerm) {
    if let note = source.list.notes[term.parameter] {
      _ = target.term(PrefixedUnit(prefix: term.prefix, unit: term.unit), note: note)
    }
  }

  // MARK: UCUM → HealthKit

  mutating func mapToHealthKit() throws(UnitError) {
    for term in source.terms { try mapToHealthKit(term) }
  }

  private mutating func mapToHealthKit(_ term: UnitTerm) throws(UnitError) {
    let power = term.power
    let note = source.list.notes[term.parameter]
    let prefix = UnitPrefix.all[Int(term.prefix)]
    switch (term.unit, note) {
    case (UnitTable.number, _): scale(ExactRatio(term.parameter), power: power)
    case (UnitTable.annotation, let note):
      try add(Self.annotated[note ?? ""] ?? UnitIndices.count, power: power)
    case (UnitIndices.ucumPercent, _):
      try add(UnitIndices.percent, power: power)
      scale(ExactRatio(1, over: 100), power: power)
    case (UnitIndices.ucumMole, _): try addPrefixed(UnitIndices.mole, term)
    case (UnitIndices.ucumLux, _): try addPrefixed(UnitIndices.lux, term)
    case (UnitIndices.meterOfMercury, _):
      try add(UnitIndices.millimeterOfMercury, power: power)
      scale(prefix.factor * ExactRatio(1000 as UInt64), power: power)
    case (UnitIndices.meterOfWater, _):
      try add(UnitIndices.centimeterOfWater, power: power)
      scale(prefix.factor * ExactRatio(100 as UInt64), power: power)
    case (UnitIndices.ucumInchOfMercury, _): try add(UnitIndices.inchOfMercury, power: power)
    case (UnitIndices.calorie, _) where term.prefix == UnitIndices.kilo:
      try add(UnitIndices.kilocalorie, power: power)
    case (UnitIndices.imperialFluidOunce, "cup_imp"):
      try add(UnitIndices.imperialCup, power: power)
      scale(ExactRatio(1, over: 10), power: power)
    case (UnitIndices.kelvin, "degC"): try add(UnitIndices.celsius, power: power)
    case (UnitIndices.rankine, "degF"): try add(UnitIndices.fahrenheit, power: power)
    case (UnitIndices.ucumPrismDiopter, _): try add(UnitIndices.prismDiopter, power: power)
    case (UnitIndices.bel, "A") where term.prefix == UnitIndices.deci:
      try add(UnitIndices.soundPressureLevel, power: power)
    case (UnitIndices.bel, "HL") where term.prefix == UnitIndices.deci:
      try add(UnitIndices.hearingLevel, power: power)
    default: try addPlain(term)
    }
  }

  /// The HealthKit unit of a note without a unit.
  private static let annotated: [String: UInt16] = [
    "count": UnitIndices.count, "appleEffortScore": UnitIndices.effort,
    "pD": UnitIndices.prismDiopter, "dBASPL": UnitIndices.soundPressureLevel,
    "dBHL": UnitIndices.hearingLevel,
  ]

  /// A unit with its prefix, or with the prefix in the factor where HealthKit does not have it.
  private mutating func addPrefixed(_ unit: UInt16, _ term: UnitTerm) throws(UnitError) {
    let prefix = UnitPrefix.all[Int(term.prefix)]
    let definition = UnitTable.standard.definitions[Int(unit)]
    if term.prefix == 0 || (prefix.healthKit != nil && definition.takesPrefix(in: .healthKit)) {
      try add(unit, prefix: term.prefix, power: term.power)
    } else if definition.isSpecial {
      throw UnitError(.notInDialect(.healthKit), at: 0, expected: .unit)
    } else {
      try add(unit, power: term.power)
      scale(prefix.factor, power: term.power)
    }
  }

  private mutating func addPlain(_ term: UnitTerm) throws(UnitError) {
    let definition = UnitTable.standard.definitions[Int(term.unit)]
    if term.unit == UnitIndices.moleOfMass || (definition.healthKit != nil && term.prefix == 0) {
      return try add(term.withPower(1), power: term.power)
    }
    if definition.healthKit != nil { return try addPrefixed(term.unit, term) }
    guard !definition.isSpecial, let coherent = Self.coherent[definition.dimension] else {
      throw UnitError(.notInDialect(.healthKit), at: 0, expected: .unit)
    }
    let (below, above) = (
      UnitTable.standard.definitions[Int(coherent)].factor, definition.factor
    )
    if !definition.dimension.isScalar { try add(coherent, power: term.power) }
    scale(above.rational / below.rational, power: term.power)
    scale(UnitPrefix.all[Int(term.prefix)].factor, power: term.power)
    exponentOfPi += (above.exponentOfPi - below.exponentOfPi) * Int(term.power)
  }

  /// The coherent HealthKit unit of a dimension, for units that HealthKit lacks.
  private static let coherent: [UnitDimension: UInt16] = {
    var places: [UnitDimension: UInt16] = [:]
    let names = ["count", "g", "m", "s", "K", "rad", "Pa", "J", "W", "V", "S", "Hz", "L", "D"]
    for (place, definition) in UnitTable.standard.definitions.enumerated() {
      if let name = definition.healthKit, names.contains(name) {
        places[definition.dimension] = UInt16(place)
      }
    }
    return places
  }()
}
