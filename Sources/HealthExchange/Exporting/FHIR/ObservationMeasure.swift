import HealthSamples
import HealthUnits
import _HealthNumerics

/// The common data of Observations of one type: the code, and the units of their values.
///
/// A value is in the unit of the catalogue for its type if it has a finite decimal expansion there,
/// otherwise in its recorded unit: no digit results from rounding.
struct ObservationMeasure {
  /// The CodeableConcept of the type.
  let code: JSON
  /// The labels of the batch: recorded units, or constants of a category.
  private let labels: [String]
  /// For each label the units to try in order; empty for a category.
  private let forms: [[Form]]

  /// A unit, and the conversion from the recorded unit.
  private struct Form {
    let name: String
    let code: String
    let factor: ExactRatio
    let offset: ExactRatio

    /// The value with all its digits; `nil` if they do not terminate.
    func text(_ value: Double) -> String? {
      if factor == .one, offset.isZero { return NumberText.exact(value) }
      return NumberText.decimal(of: value).flatMap {
        NumberText.clinicalDecimal($0 * factor + offset)
      }
    }
  }

  static let loinc = "http://loinc.org"
  static let apple = "http://developer.apple.com/documentation/healthkit"
  static let ucum = "http://unitsofmeasure.org"

  init(of type: SampleType, labels: [String]) throws(OutputError) {
    self.labels = labels
    let clinical = Catalogue.clinicalCode(of: .init(rawValue: type.identifier))
    var codings: [JSON] = []
    for (index, loinc) in (clinical?.loinc ?? []).enumerated() {
      codings.append(
        .coding(Self.loinc, loinc, index == 0 ? clinical?.loincName : nil))
    }
    codings.append(.coding(Self.apple, type.identifier, type.name.printable))
    code = .concept(codings)
    guard let canonical = type.canonicalUnit else {
      forms = []
      return
    }
    var target = canonical
    do throws(UnitError) {
      if let clinical { target = try UnitExpression(clinical.unit) }
      let mapping = try UnitMapping(of: target, to: .ucum)
      let name = clinical?.displayUnit ?? mapping.unit.text(in: .ucum)
      let counted = "{\(name.replacing(" ", with: "_"))}"
      let code = clinical.map { $0.ucum ?? counted } ?? mapping.unit.text(in: .ucum)
      forms = try labels.map { (label) throws(UnitError) in
        let unit = try UnitExpression(label)
        let conversion = try UnitConversion(from: unit, to: target)
        let recorded = try UnitMapping(
          of: UnitExpression(type.printedUnit(label)), to: .ucum)
        let recordedCode = recorded.unit.text(in: .ucum)
        let kept = Form(
          name: recordedCode, code: recordedCode, factor: recorded.conversion.exactFactor,
          offset: .zero)
        guard conversion.isLinear else { return [kept] }
        let scale = mapping.conversion.exactFactor
        let wanted = Form(
          name: name, code: code, factor: conversion.exactFactor * scale,
          offset: conversion.exactOffset * scale)
        // All values of a unit are written in one, although some would terminate by chance in the
        // other.
        return NumberText.clinicalDecimal(wanted.factor) == nil ? [kept] : [wanted, kept]
      }
    } catch {
      throw OutputError(
        .notConvertible(error, from: labels.first ?? "", to: target.description))
    }
  }

  /// The member `value[x]` of a sample; `nil` for a category that was recorded without one.
  func value(_ value: Double, label: Int) -> JSON.Member? {
    if !forms.isEmpty {
      // A number with more digits than FHIR allows is written as its double.
      let best = forms[label].lazy.compactMap { form in form.text(value).map { (form, $0) } }.first
      let (form, text) = best ?? (forms[label][0], NumberText.exact(value))
      return .init(
        "valueQuantity",
        .object([
          .init("value", .written(text)), .init("unit", .string(form.name)),
          .init("system", .string(Self.ucum)), .init("code", .string(form.code)),
        ]))
    }
    guard !labels[label].isEmpty else { return nil }
    return .init(
      "valueCodeableConcept", .concept([.coding(Self.apple, labels[label], nil)]))
  }
}

extension JSON {
  /// A CodeableConcept.
  static func concept(_ codings: [JSON]) -> JSON { .object([.init("coding", .array(codings))]) }

  /// A Coding.
  static func coding(_ system: String, _ code: String, _ display: String?) -> JSON {
    .object(
      [.init("system", .string(system)), .init("code", .string(code))]
        + (display.map { [.init("display", .string($0))] } ?? []))
  }
}
