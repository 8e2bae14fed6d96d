import HealthSamples

/// What FHIR's profiles of vital signs ask of an Observation: a category, a subject, and one of a few
/// units (https://hl7.org/fhir/R4/observation-vitalsigns.html,
/// https://hl7.org/fhir/R5/observation-vitalsigns.html).
enum VitalSigns {
  /// A unit of a profile.
  struct Unit {
    /// The unit as HealthKit has it.
    let unit: String
    let ucum: String

    init(_ unit: String, _ ucum: String) { (self.unit, self.ucum) = (unit, ucum) }
  }

  /// The units of a type that has a profile, or is a part of one; `nil` for others.
  static func units(of type: SampleType) -> [Unit]? {
    units[HKQuantityTypeIdentifier(rawValue: type.identifier)]
  }

  private static let units: [HKQuantityTypeIdentifier: [Unit]] = [
    .heartRate: [perMinute], .respiratoryRate: [perMinute],
    .oxygenSaturation: [Unit("%", "%")],
    .bodyTemperature: [Unit("degC", "Cel"), Unit("degF", "[degF]")],
    .height: [Unit("cm", "cm"), Unit("in", "[in_i]")],
    .bodyMass: [Unit("kg", "kg"), Unit("g", "g"), Unit("lb", "[lb_av]")],
    .bodyMassIndex: [Unit("count", "kg/m2")],
    .bloodPressureSystolic: [mercury], .bloodPressureDiastolic: [mercury],
  ]
  private static let perMinute = Unit("count/min", "/min")
  private static let mercury = Unit("mmHg", "mm[Hg]")

  /// The category of vital signs.
  static let category = JSON.concept([
    .coding(
      "http://terminology.hl7.org/CodeSystem/observation-category", "vital-signs", "Vital Signs")
  ])
}
