internal import HealthUnits

/// A unit: a product of named units with whole powers.
///
/// ```swift
/// HKUnit(from: "mL/kg*min").unitString  // "mL/min·kg"
/// ```
///
/// Units are equal when they have the same names with the same powers, so `Pa` and `kg/m·s^2` are
/// not. Apple's class is open and says not to subclass it; this one cannot be.
public class HKUnit: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  let scale: HealthKitScale

  required init(scale: HealthKitScale) { self.scale = scale }

  convenience init(_ unit: UnitExpression) { self.init(scale: HealthKitScale(of: unit)) }

  /// Parses a unit string.
  ///
  /// Traps for a text that is not a unit; ``parsed(_:)`` throws.
  public convenience init(from string: String) {
    self.init(raising { () throws(ObjectError) in try Self.expression(string) })
  }

  /// The unit of a formatter of masses.
  public convenience init(from massFormatterUnit: MassFormatter.Unit) {
    self.init(scale: Self.scales[massFormatterUnit.unitString])
  }

  /// The unit of a formatter of lengths.
  public convenience init(from lengthFormatterUnit: LengthFormatter.Unit) {
    self.init(scale: Self.scales[lengthFormatterUnit.unitString])
  }

  /// The unit of a formatter of energies.
  public convenience init(from energyFormatterUnit: EnergyFormatter.Unit) {
    self.init(scale: Self.scales[energyFormatterUnit.unitString])
  }

  /// Parses a unit string.
  ///
  /// - Throws: ``ObjectError`` with reason `invalidUnit`, which says where the text is wrong
  public static func parsed(_ string: String) throws(ObjectError) -> HKUnit {
    HKUnit(try expression(string))
  }

  private static func expression(_ string: String) throws(ObjectError) -> UnitExpression {
    do throws(UnitError) {
      return try UnitExpression(string)
    } catch {
      throw ObjectError(
        .invalidUnit(string, .init(offset: error.offset, explanation: error.explanation)))
    }
  }

  /// Reads a unit from an archive.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeText("unit"), let unit = try? UnitExpression(text) else {
      return nil
    }
    scale = HealthKitScale(of: unit)
  }

  /// Writes the unit string, with every digit of molar masses.
  public func encode(with coder: NSCoder) {
    coder.encodeText(scale.unit.archivedText, "unit")
  }

  /// Units are read from secure archives.
  public class var supportsSecureCoding: Bool { true }

  /// The unit itself, which does not change.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// The text of the unit: numerators joined by `·`, then `/` and denominators.
  public var unitString: String { scale.unit.description }

  /// Whether this is the unit of plain numbers without any name, which prints as `()`.
  public func isNull() -> Bool { scale.unit.isNull }

  /// Whether HealthKit converts between two units.
  func isCompatible(with other: HKUnit) -> Bool { scale.isCompatible(with: other.scale) }

  /// Whether the object is a unit with the same names and powers.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? HKUnit else { return false }
    return self === other || scale.unit == other.scale.unit
  }

  /// Hashes names and powers.
  public override var hash: Int { scale.unit.hashValue }

  /// The unit string.
  public override var description: String { unitString }

  // MARK: Arithmetic

  /// The product with a unit; equal names add their powers.
  ///
  /// Traps when the product is out of range; ``multiplied(by:)`` throws.
  public func unitMultiplied(by unit: HKUnit) -> HKUnit {
    raising { () throws(ObjectError) in try multiplied(by: unit) }
  }

  /// The quotient by a unit; equal names cancel.
  ///
  /// Traps when the quotient is out of range; ``divided(by:)`` throws.
  public func unitDivided(by unit: HKUnit) -> HKUnit {
    raising { () throws(ObjectError) in try divided(by: unit) }
  }

  /// The unit raised to a whole power; power 0 gives the null unit.
  ///
  /// Traps when the power is out of range; ``raised(to:)`` throws.
  public func unitRaised(toPower power: Int) -> HKUnit {
    raising { () throws(ObjectError) in try raised(to: power) }
  }

  /// The unit raised to the power -1.
  public func reciprocal() -> HKUnit {
    raising { () throws(ObjectError) in try raised(to: -1) }
  }

  /// The product with a unit; equal names add their powers.
  ///
  /// - Throws: ``ObjectError`` with reason `unitOutOfRange` when a power leaves -127…127
  public func multiplied(by unit: HKUnit) throws(ObjectError) -> HKUnit {
    try Self.inRange { () throws(UnitError) in try scale.unit.multiplied(by: unit.scale.unit) }
  }

  /// The quotient by a unit; equal names cancel.
  ///
  /// - Throws: ``ObjectError`` with reason `unitOutOfRange` when a power leaves -127…127
  public func divided(by unit: HKUnit) throws(ObjectError) -> HKUnit {
    try Self.inRange { () throws(UnitError) in try scale.unit.divided(by: unit.scale.unit) }
  }

  /// The unit raised to a whole power; power 0 gives the null unit.
  ///
  /// - Throws: ``ObjectError`` with reason `unitOutOfRange` when a power leaves -127…127
  public func raised(to power: Int) throws(ObjectError) -> HKUnit {
    try Self.inRange { () throws(UnitError) in try scale.unit.raised(to: power) }
  }

  private static func inRange(
    _ body: () throws(UnitError) -> UnitExpression
  ) throws(ObjectError) -> HKUnit {
    do throws(UnitError) {
      return HKUnit(try body())
    } catch {
      throw ObjectError(.unitOutOfRange)
    }
  }

  // MARK: Factories

  /// The scales of the units that factories and formatters name, each parsed once.
  static let scales = NamedScales()

  private class func named(_ name: String) -> Self { self.init(scale: scales[name]) }

  private class func prefixed(_ prefix: HKMetricPrefix, _ name: String) -> Self {
    named(prefix.symbol + name)
  }

  /// Scores of Apple's workout effort scale.
  public class func appleEffortScore() -> Self { named("appleEffortScore") }
  /// Standard atmospheres.
  public class func atmosphere() -> Self { named("atm") }
  /// Calories of 4.184 J.
  ///
  /// Deprecated: use ``smallCalorie()``.
  #if AppleDeprecations
  @available(*, deprecated)
  #endif
  public class func calorie() -> Self { named("cal") }
  /// Centimetres of water.
  public class func centimeterOfWater() -> Self { named("cmAq") }
  /// Counts.
  public class func count() -> Self { named("count") }
  /// Imperial cups.
  public class func cupImperial() -> Self { named("cup_imp") }
  /// US cups.
  public class func cupUS() -> Self { named("cup_us") }
  /// Days of 24 hours.
  public class func day() -> Self { named("d") }
  /// A-weighted sound pressure levels in decibels.
  public class func decibelAWeightedSoundPressureLevel() -> Self { named("dBASPL") }
  /// Hearing levels in decibels.
  public class func decibelHearingLevel() -> Self { named("dBHL") }
  /// Degrees of arc.
  public class func degreeAngle() -> Self { named("deg") }
  /// Degrees Celsius.
  public class func degreeCelsius() -> Self { named("degC") }
  /// Degrees Fahrenheit.
  public class func degreeFahrenheit() -> Self { named("degF") }
  /// Dioptres.
  public class func diopter() -> Self { named("D") }
  /// Imperial fluid ounces.
  public class func fluidOunceImperial() -> Self { named("fl_oz_imp") }
  /// US fluid ounces.
  public class func fluidOunceUS() -> Self { named("fl_oz_us") }
  /// Feet.
  public class func foot() -> Self { named("ft") }
  /// Grams.
  public class func gram() -> Self { named("g") }
  /// Hertz.
  public class func hertz() -> Self { named("Hz") }
  /// Hours.
  public class func hour() -> Self { named("hr") }
  /// Inches.
  public class func inch() -> Self { named("in") }
  /// Inches of mercury.
  public class func inchesOfMercury() -> Self { named("inHg") }
  /// International units.
  public class func internationalUnit() -> Self { named("IU") }
  /// Joules.
  public class func joule() -> Self { named("J") }
  /// Kelvins.
  public class func kelvin() -> Self { named("K") }
  /// Kilocalories of 4184 J.
  public class func kilocalorie() -> Self { named("kcal") }
  /// Large calories of 4184 J.
  public class func largeCalorie() -> Self { named("Cal") }
  /// Litres.
  public class func liter() -> Self { named("L") }
  /// Lux.
  public class func lux() -> Self { named("lx") }
  /// Metres.
  public class func meter() -> Self { named("m") }
  /// Miles.
  public class func mile() -> Self { named("mi") }
  /// Millimetres of mercury.
  public class func millimeterOfMercury() -> Self { named("mmHg") }
  /// Minutes.
  public class func minute() -> Self { named("min") }
  /// Ounces.
  public class func ounce() -> Self { named("oz") }
  /// Pascals.
  public class func pascal() -> Self { named("Pa") }
  /// Per cent, as fractions from 0 to 1.
  public class func percent() -> Self { named("%") }
  /// Imperial pints.
  public class func pintImperial() -> Self { named("pt_imp") }
  /// US pints.
  public class func pintUS() -> Self { named("pt_us") }
  /// Pounds.
  public class func pound() -> Self { named("lb") }
  /// Prism dioptres.
  public class func prismDiopter() -> Self { named("pD") }
  /// Radians.
  public class func radianAngle() -> Self { named("rad") }
  /// Seconds.
  public class func second() -> Self { named("s") }
  /// Siemens.
  public class func siemen() -> Self { named("S") }
  /// Small calories of 4.184 J.
  public class func smallCalorie() -> Self { named("cal") }
  /// Stones.
  public class func stone() -> Self { named("st") }
  /// Volts.
  public class func volt() -> Self { named("V") }
  /// Watts.
  public class func watt() -> Self { named("W") }
  /// Yards.
  public class func yard() -> Self { named("yd") }
  /// Grams with a prefix.
  public class func gramUnit(with prefix: HKMetricPrefix) -> Self { prefixed(prefix, "g") }
  /// Hertz with a prefix.
  public class func hertzUnit(with prefix: HKMetricPrefix) -> Self { prefixed(prefix, "Hz") }
  /// Joules with a prefix.
  public class func jouleUnit(with prefix: HKMetricPrefix) -> Self { prefixed(prefix, "J") }
  /// Litres with a prefix.
  public class func literUnit(with prefix: HKMetricPrefix) -> Self { prefixed(prefix, "L") }
  /// Lux with a prefix.
  public class func luxUnit(with prefix: HKMetricPrefix) -> Self { prefixed(prefix, "lx") }
  /// Metres with a prefix.
  public class func meterUnit(with prefix: HKMetricPrefix) -> Self { prefixed(prefix, "m") }
  /// Pascals with a prefix.
  public class func pascalUnit(with prefix: HKMetricPrefix) -> Self { prefixed(prefix, "Pa") }
  /// Radians with a prefix.
  public class func radianAngleUnit(with prefix: HKMetricPrefix) -> Self { prefixed(prefix, "rad") }
  /// Seconds with a prefix.
  public class func secondUnit(with prefix: HKMetricPrefix) -> Self { prefixed(prefix, "s") }
  /// Siemens with a prefix.
  public class func siemenUnit(with prefix: HKMetricPrefix) -> Self { prefixed(prefix, "S") }
  /// Volts with a prefix.
  public class func voltUnit(with prefix: HKMetricPrefix) -> Self { prefixed(prefix, "V") }
  /// Watts with a prefix.
  public class func wattUnit(with prefix: HKMetricPrefix) -> Self { prefixed(prefix, "W") }
  /// Moles with a prefix of a substance with a molar mass in grams per mole.
  ///
  /// Traps for a molar mass that is not a positive number; ``mole(with:molarMass:)`` throws.
  public class func moleUnit(with prefix: HKMetricPrefix, molarMass gramsPerMole: Double) -> Self {
    self.init(
      scale: HealthKitScale(
        of: raising { () throws(ObjectError) in try moles(prefix, gramsPerMole) }))
  }

  /// Moles of a substance with a molar mass in grams per mole.
  ///
  /// Traps for a molar mass that is not a positive number; ``mole(with:molarMass:)`` throws.
  public class func moleUnit(withMolarMass gramsPerMole: Double) -> Self {
    moleUnit(with: .none, molarMass: gramsPerMole)
  }

  /// Moles with a prefix of a substance with a molar mass in grams per mole.
  ///
  /// - Throws: ``ObjectError`` with reason `unitOutOfRange` for a molar mass that is not a positive
  ///   number
  public static func mole(
    with prefix: HKMetricPrefix = .none, molarMass gramsPerMole: Double
  ) throws(ObjectError) -> HKUnit {
    HKUnit(try moles(prefix, gramsPerMole))
  }

  private static func moles(
    _ prefix: HKMetricPrefix, _ mass: Double
  ) throws(ObjectError) -> UnitExpression {
    guard let unit = try? UnitExpression("\(prefix.symbol)mol<\(mass)>") else {
      throw ObjectError(.unitOutOfRange)
    }
    return unit
  }

  // MARK: Formatters

  /// The unit of a formatter of masses that is this unit.
  ///
  /// Traps where there is none; ``massFormatterUnit(matching:)`` throws.
  public class func massFormatterUnit(from unit: HKUnit) -> MassFormatter.Unit {
    raising { () throws(ObjectError) in try massFormatterUnit(matching: unit) }
  }

  /// The unit of a formatter of lengths that is this unit.
  ///
  /// Traps where there is none; ``lengthFormatterUnit(matching:)`` throws.
  public class func lengthFormatterUnit(from unit: HKUnit) -> LengthFormatter.Unit {
    raising { () throws(ObjectError) in try lengthFormatterUnit(matching: unit) }
  }

  /// The unit of a formatter of energies that is this unit.
  ///
  /// Traps where there is none; ``energyFormatterUnit(matching:)`` throws.
  public class func energyFormatterUnit(from unit: HKUnit) -> EnergyFormatter.Unit {
    raising { () throws(ObjectError) in try energyFormatterUnit(matching: unit) }
  }

  /// The unit of a formatter of masses that is this unit.
  ///
  /// - Throws: ``ObjectError`` with reason `noFormatterUnit`
  public static func massFormatterUnit(
    matching unit: HKUnit
  ) throws(ObjectError) -> MassFormatter.Unit {
    try first(of: [.gram, .kilogram, .ounce, .pound, .stone], matching: unit, \.unitString)
  }

  /// The unit of a formatter of lengths that is this unit.
  ///
  /// - Throws: ``ObjectError`` with reason `noFormatterUnit`
  public static func lengthFormatterUnit(
    matching unit: HKUnit
  ) throws(ObjectError) -> LengthFormatter.Unit {
    try first(
      of: [.millimeter, .centimeter, .meter, .kilometer, .inch, .foot, .yard, .mile],
      matching: unit, \.unitString)
  }

  /// The unit of a formatter of energies that is this unit.
  ///
  /// - Throws: ``ObjectError`` with reason `noFormatterUnit`
  public static func energyFormatterUnit(
    matching unit: HKUnit
  ) throws(ObjectError) -> EnergyFormatter.Unit {
    try first(of: [.joule, .kilojoule, .calorie, .kilocalorie], matching: unit, \.unitString)
  }

  private static func first<Unit>(
    of units: [Unit], matching unit: HKUnit, _ name: (Unit) -> String
  ) throws(ObjectError) -> Unit {
    let text = unit.unitString
    guard let match = units.first(where: { name($0) == text }) else {
      throw ObjectError(.noFormatterUnit(text))
    }
    return match
  }
}

/// The scales of named units, each parsed once.
struct NamedScales: Sendable {
  private let scales: [String: HealthKitScale]

  init() {
    var scales: [String: HealthKitScale] = ["": HealthKitScale(of: .null)]
    for unit in UnitExpression.named(in: .healthKit) {
      scales[unit.description] = HealthKitScale(of: unit)
      guard unit.takesPrefix(in: .healthKit) else { continue }
      for prefix in HKMetricPrefix.withSymbol {
        let name = prefix.symbol + unit.description
        if let prefixed = try? UnitExpression(name) {
          scales[name] = HealthKitScale(of: prefixed)
        }
      }
    }
    self.scales = scales
  }

  /// The scale of a unit of the table; the null unit for a name that is not in it.
  subscript(name: String) -> HealthKitScale { scales[name] ?? HealthKitScale(of: .null) }
}

extension MassFormatter.Unit {
  fileprivate var unitString: String {
    switch self {
    case .gram: "g"
    case .kilogram: "kg"
    case .ounce: "oz"
    case .pound: "lb"
    case .stone: "st"
    }
  }
}

extension LengthFormatter.Unit {
  fileprivate var unitString: String {
    switch self {
    case .millimeter: "mm"
    case .centimeter: "cm"
    case .meter: "m"
    case .kilometer: "km"
    case .inch: "in"
    case .foot: "ft"
    case .yard: "yd"
    case .mile: "mi"
    }
  }
}

extension EnergyFormatter.Unit {
  fileprivate var unitString: String {
    switch self {
    case .joule: "J"
    case .kilojoule: "kJ"
    case .calorie: "cal"
    case .kilocalorie: "kcal"
    }
  }
}
