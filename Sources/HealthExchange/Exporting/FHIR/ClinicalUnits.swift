import HealthSamples
import HealthUnits
import _HealthNumerics

/// The codes of one type, and the units that go with them.
struct ClinicalUnits {
  private let type: SampleType
  private let clinical: Catalogue.ClinicalCode?
  /// The LOINC terms of the type, of all kinds of properties.
  private let terms: [Catalogue.LOINCTerm]
  /// The units that a profile allows; `nil` without a profile.
  let allowed: [VitalSigns.Unit]?

  /// A unit of an Observation, and the conversion from a recorded one.
  struct Unit {
    let name: String
    let ucum: String
    let conversion: UnitConversion
  }

  init(of type: SampleType) {
    self.type = type
    clinical = Catalogue.clinicalCode(of: .init(rawValue: type.identifier))
    allowed = VitalSigns.units(of: type)
    // A term of a property that the type has in no unit, such as a rate of a day, is none of the type.
    let usual = clinical.flatMap(Self.usualUCUM)
    let codes = clinical.map { $0.loinc + $0.loincOfOtherProperties } ?? []
    let terms = codes.compactMap(Catalogue.loincTerm)
    self.terms = terms.contains { Self.fits(usual ?? "", $0) } ? terms : []
  }

  /// The CodeableConcept of values in a unit: LOINC where it has a code of the property, and Apple's.
  func code(of ucum: String?) -> JSON {
    let fitting = ucum.map { ucum in terms.filter { Self.fits(ucum, $0) } } ?? []
    return .concept(
      fitting.enumerated().map { place, term in
        .coding(ObservationMeasure.loinc, term.code, place == 0 ? term.name : nil)
      } + [.coding(ObservationMeasure.apple, type.identifier, type.name.printable)])
  }

  /// The units in which values of a recorded unit may be written, the best one first.
  func units(
    recordedIn unit: UnitExpression, canonical: UnitExpression
  ) throws(UnitError) -> [Unit] {
    let target = try clinical.map { row throws(UnitError) in try UnitExpression(row.unit) }
    let kept = try keptUnit(of: unit)
    guard let wanted = try Self.converted(unit, to: target ?? canonical, as: wantedName) else {
      return [kept]
    }
    var units = [wanted, kept]
    for allowed in allowed ?? [] {
      let target = try UnitExpression(allowed.unit)
      units += [try Self.converted(unit, to: target, as: (allowed.ucum, allowed.ucum))]
        .compactMap(\.self)
    }
    return units.filter { unit in
      if let allowed { return allowed.contains { $0.ucum == unit.ucum } }
      return terms.isEmpty || terms.contains { Self.fits(unit.ucum, $0) }
    }
  }

  /// The recorded unit.
  private func keptUnit(of unit: UnitExpression) throws(UnitError) -> Unit {
    // With a LOINC code a mole is one of the substance that the code names.
    let printed =
      terms.isEmpty ? type.printedUnit(unit.description) : unit.shortDescription
    let mapping = try UnitMapping(of: UnitExpression(printed), to: .ucum)
    let text = mapping.unit.text(in: .ucum)
    return Unit(name: text, ucum: text, conversion: mapping.conversion)
  }

  /// The name and code of the unit of the catalogue; `nil` for that of the target.
  private var wantedName: (name: String, ucum: String)? {
    clinical.flatMap { clinical in
      Self.usualUCUM(of: clinical).map { ucum in
        (ucum == clinical.ucum || clinical.ucum == nil ? clinical.displayUnit : ucum, ucum)
      }
    }
  }

  /// The UCUM code of the unit of the catalogue.
  ///
  /// A percentage of a mass in a volume is grams in a decilitre, as LOINC computes 74859-0; its
  /// property has no percentage. What is counted is an annotation.
  private static func usualUCUM(of clinical: Catalogue.ClinicalCode) -> String? {
    let property = clinical.loinc.first.flatMap(Catalogue.loincTerm)?.property
    if clinical.ucum == "%", property == "MCnc" { return "g/dL" }
    return clinical.ucum ?? "{\(clinical.displayUnit.replacing(" ", with: "_"))}"
  }

  /// A unit and the conversion to it; `nil` for a level, which is not linear.
  private static func converted(
    _ recorded: UnitExpression, to target: UnitExpression, as name: (name: String, ucum: String)?
  ) throws(UnitError) -> Unit? {
    let conversion = try UnitConversion(from: recorded, to: target)
    guard conversion.isLinear else { return nil }
    let mapping = try UnitMapping(of: target, to: .ucum)
    let scale = mapping.conversion.exactFactor
    let text = mapping.unit.text(in: .ucum)
    return Unit(
      name: name?.name ?? text, ucum: name?.ucum ?? text,
      conversion: UnitConversion(
        factor: conversion.exactFactor * scale, offset: conversion.exactOffset * scale))
  }

  /// Whether a unit has the property of a term.
  private static func fits(_ ucum: String, _ term: Catalogue.LOINCTerm) -> Bool {
    guard let unit = try? UnitExpression(ucum, dialect: .ucum),
      let known = try? UnitExpression(term.ucum, dialect: .ucum)
    else { return false }
    return unit.isCompatible(with: known)
  }
}
