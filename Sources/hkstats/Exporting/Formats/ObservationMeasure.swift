import HealthSamples
import HealthUnits

/// What Observations of one type share: the code, and the unit in which their values stand.
struct ObservationMeasure {
  /// The CodeableConcept of the type.
  let code: JSON
  /// The labels of the batch: recorded units, or constants of a category.
  private let labels: [String]
  /// For each label how to come to the catalogue's unit; empty for a category.
  private let conversions: [UnitConversion]
  /// From there to the code: HealthKit's percent is a fraction, UCUM's is not.
  private let mapping: UnitConversion?
  private let unit: (name: String, code: String)

  static let loinc = "http://loinc.org"
  static let apple = "http://developer.apple.com/documentation/healthkit"
  static let ucum = "http://unitsofmeasure.org"

  init(of type: SampleType, labels: [String]) throws(Failure) {
    self.labels = labels
    let clinical = Catalogue.clinicalCode(of: .init(rawValue: type.identifier))
    var codings: [JSON] = []
    for (index, loinc) in (clinical?.loinc ?? []).enumerated() {
      codings.append(
        .coding(Self.loinc, loinc, index == 0 ? clinical?.loincName : nil))
    }
    codings.append(.coding(Self.apple, type.identifier, TypeName.short(type.identifier)))
    code = .concept(codings)
    guard let canonical = type.canonicalUnit else {
      conversions = []
      mapping = nil
      unit = ("", "")
      return
    }
    var target = canonical
    do throws(UnitError) {
      if let clinical { target = try UnitExpression(clinical.unit) }
      let mapping = try UnitMapping(of: target, to: .ucum)
      let name = clinical?.displayUnit ?? mapping.unit.text(in: .ucum)
      let counted = "{\(name.replacing(" ", with: "_"))}"
      unit = (name, clinical.map { $0.ucum ?? counted } ?? mapping.unit.text(in: .ucum))
      conversions = try labels.map { (label) throws(UnitError) in
        try UnitConversion(from: try UnitExpression(label), to: target)
      }
      self.mapping = mapping.conversion
    } catch {
      throw Failure(error, from: labels.first ?? "", to: target.description)
    }
  }

  /// The member `value[x]` of a sample; `nil` for a category that was recorded without one.
  func value(_ value: Double, label: Int) -> JSON.Member? {
    if let mapping {
      return .init(
        "valueQuantity",
        .object([
          .init("value", .number(mapping(conversions[label](value)))),
          .init("unit", .string(unit.name)),
          .init("system", .string(Self.ucum)), .init("code", .string(unit.code)),
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
