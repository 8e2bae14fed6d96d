/// Indices in the unit table of the units that the mapping between the dialects names.
enum UnitIndices {
  static let mole = healthKit("mol", scale: .linear)
  static let moleOfMass = healthKit("mol", scale: .molarMass)
  static let count = healthKit("count")
  static let percent = healthKit("%")
  static let millimeterOfMercury = healthKit("mmHg")
  static let centimeterOfWater = healthKit("cmAq")
  static let inchOfMercury = healthKit("inHg")
  static let kilocalorie = healthKit("kcal")
  static let calorie = healthKit("cal")
  static let gram = healthKit("g")
  static let internationalUnit = healthKit("IU")
  static let kelvin = healthKit("K")
  static let celsius = healthKit("degC")
  static let fahrenheit = healthKit("degF")
  static let prismDiopter = healthKit("pD")
  static let lux = healthKit("lx")
  static let soundPressureLevel = healthKit("dBASPL")
  static let hearingLevel = healthKit("dBHL")
  static let effort = healthKit("appleEffortScore")
  static let imperialCup = healthKit("cup_imp")
  static let imperialFluidOunce = healthKit("fl_oz_imp")

  static let ucumMole = ucum("mol")
  static let ucumPercent = ucum("%")
  static let ucumLux = ucum("lx")
  static let meterOfMercury = ucum("m[Hg]")
  static let meterOfWater = ucum("m[H2O]")
  static let ucumInchOfMercury = ucum("[in_i'Hg]")
  static let ucumPrismDiopter = ucum("[p'diop]")
  static let rankine = ucum("[degR]")
  static let bel = ucum("B")

  /// The conventional columns by the HealthKit columns that they replace.
  static let conventional: [UInt16: UInt16] = Dictionary(
    uniqueKeysWithValues: zip(
      [millimeterOfMercury, centimeterOfWater, inchOfMercury],
      UnitTable.standard.definitions.indices.suffix(3).map(UInt16.init)))

  /// Indices in the list of prefixes.
  static let milli: UInt8 = prefix("m")
  static let centi: UInt8 = prefix("c")
  static let deci: UInt8 = prefix("d")
  static let kilo: UInt8 = prefix("k")

  private static func healthKit(
    _ name: String, scale: UnitDefinition.Scale? = nil
  ) -> UInt16 {
    index { $0.healthKit == name && (scale == nil || $0.scale == scale) }
  }

  private static func ucum(_ name: String) -> UInt16 { index { $0.ucum == name } }

  private static func index(where matches: (UnitDefinition) -> Bool) -> UInt16 {
    guard let index = UnitTable.standard.definitions.firstIndex(where: matches) else {
      preconditionFailure("the table of units lacks a unit that a rule names")
    }
    return UInt16(index)
  }

  private static func prefix(_ name: String) -> UInt8 {
    guard let index = UnitPrefix.all.firstIndex(where: { $0.ucum == name }) else {
      preconditionFailure("the list of prefixes lacks a prefix that a rule names")
    }
    return UInt8(index)
  }
}
