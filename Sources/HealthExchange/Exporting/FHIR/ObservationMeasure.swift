import HealthSamples
import HealthUnits
import _HealthNumerics

/// The common data of Observations of one type: codes, and the units of their values.
///
/// A value is in the unit of the catalogue for its type if it has a finite decimal expansion there,
/// otherwise in its recorded unit: no digit results from rounding. A unit has the LOINC codes of its
/// own kind of property alone, so that glucose in moles has another code than in mass. A recorded unit
/// of no such kind, or that the profile of a vital sign does not have, is not written: then the value
/// is converted, and rounded where it must be.
struct ObservationMeasure {
  /// The category of vital signs; `nil` for other types.
  let category: JSON?
  /// The labels of the batch: recorded units, or constants of a category.
  private let labels: [String]
  /// For each label the units to try in order; empty for a category.
  private let forms: [[Form]]
  /// The CodeableConcept of a type without units.
  private let plainCode: JSON

  /// A unit, the conversion from the recorded unit, and the code of values in it.
  private struct Form {
    let name: String
    let ucum: String
    let conversion: UnitConversion
    let code: JSON

    /// The value with all its digits; `nil` if they do not terminate.
    func text(_ value: Double) -> String? {
      if conversion.isIdentity { return NumberText.exact(value) }
      return NumberText.decimal(of: value).flatMap {
        NumberText.clinicalDecimal($0 * conversion.exactFactor + conversion.exactOffset)
      }
    }

    /// Whether values with few digits have few digits in this unit.
    var terminates: Bool { NumberText.clinicalDecimal(conversion.exactFactor) != nil }
  }

  static let loinc = "http://loinc.org"
  static let apple = "http://developer.apple.com/documentation/healthkit"
  static let ucum = "http://unitsofmeasure.org"

  init(of type: SampleType, labels: [String]) throws(OutputError) {
    self.labels = labels
    let codes = ClinicalUnits(of: type)
    plainCode = codes.code(of: nil)
    category = codes.allowed == nil ? nil : VitalSigns.category
    guard let canonical = type.canonicalUnit else {
      forms = []
      return
    }
    do throws(UnitError) {
      forms = try labels.map { (label) throws(UnitError) in
        try codes.units(recordedIn: UnitExpression(label), canonical: canonical).map { unit in
          Form(
            name: unit.name, ucum: unit.ucum, conversion: unit.conversion,
            code: codes.code(of: unit.ucum))
        }
      }.map { forms in
        // All values of a unit are written in one, although some would terminate by chance in another.
        let terminating = forms.filter(\.terminates)
        return terminating.isEmpty ? Array(forms.prefix(1)) : terminating
      }
    } catch {
      throw OutputError(
        .notConvertible(error, from: labels.first ?? "", to: canonical.description))
    }
  }

  /// The code of a sample, and its member `value[x]`, which a category has not that was recorded
  /// without one.
  func observed(_ value: Double, label: Int) -> (code: JSON, value: JSON.Member?) {
    guard !forms.isEmpty else {
      let constant = labels[label]
      return (
        plainCode,
        constant.isEmpty
          ? nil : .init("valueCodeableConcept", .concept([.coding(Self.apple, constant, nil)]))
      )
    }
    // A number with more digits than FHIR allows is written as its double.
    let best = forms[label].lazy.compactMap { form in form.text(value).map { (form, $0) } }.first
    guard let form = best?.0 ?? forms[label].first else { return (plainCode, nil) }
    return (
      form.code,
      .init(
        "valueQuantity",
        .object([
          .init("value", .written(best?.1 ?? NumberText.exact(form.conversion(value)))),
          .init("unit", .string(form.name)), .init("system", .string(Self.ucum)),
          .init("code", .string(form.ucum)),
        ]))
    )
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
