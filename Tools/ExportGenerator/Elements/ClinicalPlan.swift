/// What a hospital says of a person at one visit: one resource of FHIR.
struct ClinicalPlan {
  /// What FHIR calls the resource.
  let type: String
  let identifier: String
  /// `1.0.2` or `4.0.1`.
  let fhirVersion: String
  let received: Int
  /// The date of the visit.
  let date: String
  /// The resource, as JSON.
  let resource: String

  static let source = "Hôpital Saint-Ex &amp; Fils"
  static let server = "https://fhir.example.org/r/"

  /// The path of the resource's file, from the top folder.
  var path: String { "/clinical-records/\(type)-\(identifier).json" }
}

extension ExportPlan {
  private static let daysBetweenVisits = 25
  /// The first day of the year in which hospitals here went from DSTU2 to R4.
  private static let firstDayOfR4 = 18_993

  /// The resources of a visit on a day; most days have none.
  func clinicalRecords(of day: DayPlan) -> [ClinicalPlan] {
    var chance = Chance(seed: day.variation, stream: 0x6B, day: day.index)
    guard person.profile.hasClinicalRecords, version.hasClinicalRecords,
      day.index % Self.daysBetweenVisits == 3
    else { return [] }
    let number = timeline.firstDay + day.index
    let isR4 = number >= Self.firstDayOfR4 && version > .version8
    let date = CivilDate(day: number).description
    return (0..<chance.whole(in: 3...8)).map { item in
      let kind = ClinicalKind.all[chance.whole(in: 0...ClinicalKind.all.count - 1)]
      let seed = UInt64(bitPattern: Int64(day.start)) &* 16 &+ UInt64(item)
      let identifier = UniqueName(seed: seed).text
      let value = (55 + 8 * chance.bell()).rounded() / 10
      return ClinicalPlan(
        type: isR4 ? kind.type : kind.oldType, identifier: identifier,
        fhirVersion: isR4 ? "4.0.1" : "1.0.2", received: day.start + 32_400 + 7 * item, date: date,
        resource: kind.resource(
          isR4 ? kind.type : kind.oldType, identifier: identifier, date: date, value: value))
    }
  }
}

/// A kind of resource that hospitals hand over.
private struct ClinicalKind {
  let type: String
  /// Its name in DSTU2.
  let oldType: String
  /// The code system, the code and its name.
  let system: String
  let code: String
  let name: String
  /// The key of the date, and the unit of a measured value, if it has one.
  let dateKey: String
  let unit: String?

  private static let snomed = "http://snomed.info/sct"
  private static let loinc = "http://loinc.org"

  static let all = [
    ClinicalKind(
      type: "Observation", oldType: "Observation", system: loinc, code: "4548-4",
      name: "Hemoglobin A1c/Hemoglobin.total in Blood", dateKey: "effectiveDateTime", unit: "%"),
    ClinicalKind(
      type: "DiagnosticReport", oldType: "DiagnosticReport", system: loinc, code: "58410-2",
      name: "CBC panel - Blood by Automated count", dateKey: "effectiveDateTime", unit: nil),
    ClinicalKind(
      type: "Condition", oldType: "Condition", system: snomed, code: "232353008",
      name: "Perennial allergic rhinitis", dateKey: "onsetDateTime", unit: nil),
    ClinicalKind(
      type: "AllergyIntolerance", oldType: "AllergyIntolerance", system: snomed, code: "91936005",
      name: "Allergy to penicillin", dateKey: "recordedDate", unit: nil),
    ClinicalKind(
      type: "Immunization", oldType: "Immunization", system: "http://hl7.org/fhir/sid/cvx",
      code: "140", name: "Influenza, seasonal", dateKey: "occurrenceDateTime", unit: nil),
    ClinicalKind(
      type: "MedicationRequest", oldType: "MedicationOrder", system: loinc, code: "1049502",
      name: "Cetirizine 10 MG Oral Tablet", dateKey: "authoredOn", unit: nil),
  ]

  func resource(_ type: String, identifier: String, date: String, value: Double) -> String {
    let coding = #"{"coding":[{"system":"\#(system)","code":"\#(code)","display":"\#(name)"}]}"#
    let measured = unit.map {
      #","valueQuantity":{"value":\#(value),"unit":"\#($0)","code":"\#($0)"}"#
    }
    return """
      {"resourceType":"\(type)","id":"\(identifier)","status":"final","code":\(coding),\
      "subject":{"reference":"Patient/example"},"\(dateKey)":"\(date)"\(measured ?? "")}

      """
  }
}
