import _HealthNumerics

/// A substance whose amounts are measured in mass, in moles or in international units.
///
/// The molar mass belongs to the substance, so that glucose cannot be converted with the mass of
/// cholesterol. Glucose has HealthKit's molar mass, the others those used by laboratories
/// (cholesterol and triglycerides give the factors 38.67 and 88.57 of the clinical literature).
public struct Substance: Sendable, Hashable {
  /// The name, in small letters.
  public let name: String

  /// Grams per mole.
  public let molarMass: Double

  /// Micrograms of one international unit, where one is defined.
  public let microgramsPerInternationalUnit: Double?

  private init(_ name: String, molarMass: Double, micrograms: Double? = nil) {
    self.name = name
    self.molarMass = molarMass
    microgramsPerInternationalUnit = micrograms
  }

  /// Glucose, as HealthKit has it.
  public static let glucose = Substance("glucose", molarMass: 180.15588000005408)
  /// Cholesterol: mmol/L is mg/dL by 38.67.
  public static let cholesterol = Substance("cholesterol", molarMass: 386.654)
  /// Triglycerides: mmol/L is mg/dL by 88.57.
  public static let triglycerides = Substance("triglycerides", molarMass: 885.7)
  /// Creatinine.
  public static let creatinine = Substance("creatinine", molarMass: 113.12)
  /// Uric acid.
  public static let uricAcid = Substance("uric acid", molarMass: 168.112)
  /// Bilirubin.
  public static let bilirubin = Substance("bilirubin", molarMass: 584.673)

  /// Retinol: 1 IU is 0.3 µg.
  public static let vitaminA = Substance("vitamin A", molarMass: 286.459, micrograms: 0.3)

  /// Cholecalciferol: 1 IU is 0.025 µg.
  public static let vitaminD = Substance("vitamin D", molarMass: 384.648, micrograms: 0.025)

  /// d-α-tocopherol: 1 IU is 670 µg (the label rule of 21 CFR 101.9: 0.67 mg).
  public static let vitaminE = Substance("vitamin E", molarMass: 430.717, micrograms: 670)

  /// All substances with named equivalences.
  public static let all: [Substance] = [
    glucose, cholesterol, triglycerides, creatinine, uricAcid, bilirubin, vitaminA, vitaminD,
    vitaminE,
  ]

  /// Prepares the conversion between mass, moles and international units of this substance.
  ///
  /// ```swift
  /// let conversion = try Substance.cholesterol.conversion(
  ///   from: UnitExpression("mg/dL"), to: UnitExpression("mmol/L"))
  /// ```
  ///
  /// A mole without a molar mass means a mole of this substance.
  /// - Throws: `UnitError` with reason `incompatible`, also for a molar mass of another substance.
  public func conversion(
    from source: UnitExpression, to target: UnitExpression
  ) throws(UnitError) -> UnitConversion {
    for unit in [source, target] {
      let isOther = unit.terms.contains {
        $0.unit == UnitIndices.moleOfMass
          && $0.parameter != UnitTerm.parameter(ofMolarMass: molarMass)
      }
      if isOther { throw UnitError.incompatible(from: source, to: target) }
    }
    let from = try inMass(source)
    let to = try inMass(target)
    guard from.unit.isCompatible(with: to.unit) else {
      throw UnitError.incompatible(from: source, to: target)
    }
    let ratio = UnitTable.standard.exactRatio(of: from.unit.terms, to: to.unit.terms)
    return UnitConversion(factor: ratio * from.factor / to.factor)
  }

  /// The unit with moles and international units of this substance replaced by mass.
  private func inMass(
    _ unit: UnitExpression
  ) throws(UnitError) -> (unit: UnitExpression, factor: ExactRatio) {
    var list = UnitTermList()
    var factor = ExactRatio.one
    let mapped = try UnitMapping(of: unit, to: .healthKit)
    for term in mapped.unit.terms {
      var replaced = term.withPower(1)
      let prefix = UnitPrefix.all[Int(term.prefix)]
      switch term.unit {
      case UnitIndices.mole:
        replaced = UnitTerm(
          PrefixedUnit(prefix: term.prefix, unit: UnitIndices.moleOfMass),
          parameter: UnitTerm.parameter(ofMolarMass: molarMass), molarMass: molarMass)
      case UnitIndices.internationalUnit:
        if let micrograms = microgramsPerInternationalUnit {
          replaced = UnitTerm(PrefixedUnit(unit: UnitIndices.gram))
          let grams = ExactRatio(exactly: (micrograms * 1000).rounded()) * .powerOfTen(-9)
          factor = factor * (grams * prefix.factor).raised(to: Int(term.power))
        }
      default: break
      }
      guard list.multiply(by: replaced, power: Int(term.power)) else {
        throw UnitError(.exponentOutOfRange, at: 0, expected: .wholeNumber)
      }
    }
    return (try list.unit(), factor * mapped.conversion.exactFactor)
  }
}
