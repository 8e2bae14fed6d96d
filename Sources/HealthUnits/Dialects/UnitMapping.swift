/// A unit of one dialect in the words of the other, and what that does to values.
///
/// ```swift
/// let mapping = try UnitMapping(of: UnitExpression("%"), to: .ucum)
/// mapping.unit.text(in: .ucum)        // "%"
/// mapping.conversion(0.98)            // 98
/// ```
///
/// HealthKit's `%` is a fraction, UCUM's runs to 100: values scale. Columns of mercury and water keep
/// their numbers, although the dialects make them slightly different pressures. What UCUM cannot say
/// travels as a note: `mmol{M=180.1558800000541}/L`, `dB{A}`, `{count}/min`, `K{degC}/min`.
/// HealthKit → UCUM → HealthKit gives the same unit and the same values.
public struct UnitMapping: Sendable {
  /// The unit in the other dialect.
  public let unit: UnitExpression

  /// What a value in the first unit has to go through; mostly the identity.
  public let conversion: UnitConversion

  /// Says a unit in a dialect.
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

/// Collects the terms of the other dialect and the factor that values get.
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

  /// Whether the unit stands alone, so that a scale with its own zero is a point.
  private var standsAlone: Bool { source.list.isScale(by: UnitTable.standard.facts) }

  // MARK: HealthKit → UCUM

  mutating func mapToUCUM() throws(UnitError) {
    for term in source.terms { try mapToUCUM(term) }
  }

  private mutating func mapToUCUM(_ term: UnitTerm) throws(UnitError) {
    let power = term.power
    switch term.unit {
    case UnitPlaces.count: try add(UnitTable.annotation, note: "count", power: power)
    case UnitPlaces.effort: try add(UnitTable.annotation, note: "appleEffortScore", power: power)
    case UnitPlaces.percent:
      try add(UnitPlaces.ucumPercent, power: power)
      scale(ExactRatio(100 as UInt64), power: power)
    case UnitPlaces.mole: try add(UnitPlaces.ucumMole, prefix: term.prefix, power: power)
    case UnitPlaces.millimeterOfMercury:
      try add(UnitPlaces.meterOfMercury, prefix: UnitPlaces.milli, power: power)
    case UnitPlaces.centimeterOfWater:
      try add(UnitPlaces.meterOfWater, prefix: UnitPlaces.centi, power: power)
    case UnitPlaces.inchOfMercury: try add(UnitPlaces.ucumInchOfMercury, power: power)
    case UnitPlaces.kilocalorie:
      try add(UnitPlaces.calorie, prefix: UnitPlaces.kilo, power: power)
    case UnitPlaces.lux: try add(UnitPlaces.ucumLux, prefix: term.prefix, power: power)
    case UnitPlaces.imperialCup:
      let ten = UnitTerm(PrefixedUnit(unit: UnitTable.number), parameter: 10)
      try add(ten, power: power)
      try add(UnitPlaces.imperialFluidOunce, note: "cup_imp", power: power)
    case UnitPlaces.celsius where !standsAlone:
      try add(UnitPlaces.kelvin, note: "degC", power: power)
    case UnitPlaces.fahrenheit where !standsAlone:
      try add(UnitPlaces.rankine, note: "degF", power: power)
    case UnitPlaces.prismDiopter where standsAlone:
      try add(UnitPlaces.ucumPrismDiopter, power: power)
    case UnitPlaces.soundPressureLevel where standsAlone:
      try add(UnitPlaces.bel, prefix: UnitPlaces.deci, note: "A", power: power)
    case UnitPlaces.hearingLevel where standsAlone:
      try add(UnitPlaces.bel, prefix: UnitPlaces.deci, note: "HL", power: power)
    case UnitPlaces.prismDiopter, UnitPlaces.soundPressureLevel, UnitPlaces.hearingLevel:
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
      try add(Self.annotated[note ?? ""] ?? UnitPlaces.count, power: power)
    case (UnitPlaces.ucumPercent, _):
      try add(UnitPlaces.percent, power: power)
      scale(ExactRatio(1, over: 100), power: power)
    case (UnitPlaces.ucumMole, _): try addPrefixed(UnitPlaces.mole, term)
    case (UnitPlaces.ucumLux, _): try addPrefixed(UnitPlaces.lux, term)
    case (UnitPlaces.meterOfMercury, _):
      try add(UnitPlaces.millimeterOfMercury, power: power)
      scale(prefix.factor * ExactRatio(1000 as UInt64), power: power)
    case (UnitPlaces.meterOfWater, _):
      try add(UnitPlaces.centimeterOfWater, power: power)
      scale(prefix.factor * ExactRatio(100 as UInt64), power: power)
    case (UnitPlaces.ucumInchOfMercury, _): try add(UnitPlaces.inchOfMercury, power: power)
    case (UnitPlaces.calorie, _) where term.prefix == UnitPlaces.kilo:
      try add(UnitPlaces.kilocalorie, power: power)
    case (UnitPlaces.imperialFluidOunce, "cup_imp"):
      try add(UnitPlaces.imperialCup, power: power)
      scale(ExactRatio(1, over: 10), power: power)
    case (UnitPlaces.kelvin, "degC"): try add(UnitPlaces.celsius, power: power)
    case (UnitPlaces.rankine, "degF"): try add(UnitPlaces.fahrenheit, power: power)
    case (UnitPlaces.ucumPrismDiopter, _): try add(UnitPlaces.prismDiopter, power: power)
    case (UnitPlaces.bel, "A") where term.prefix == UnitPlaces.deci:
      try add(UnitPlaces.soundPressureLevel, power: power)
    case (UnitPlaces.bel, "HL") where term.prefix == UnitPlaces.deci:
      try add(UnitPlaces.hearingLevel, power: power)
    default: try addPlain(term)
    }
  }

  /// What a note that stands alone means in HealthKit.
  private static let annotated: [String: UInt16] = [
    "count": UnitPlaces.count, "appleEffortScore": UnitPlaces.effort,
    "pD": UnitPlaces.prismDiopter, "dBASPL": UnitPlaces.soundPressureLevel,
    "dBHL": UnitPlaces.hearingLevel,
  ]

  /// A unit with its prefix, or with the prefix in the factor where HealthKit has none such.
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
    if term.unit == UnitPlaces.moleOfMass || (definition.healthKit != nil && term.prefix == 0) {
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

  /// The unit of HealthKit that says a dimension for which it lacks the unit itself.
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
