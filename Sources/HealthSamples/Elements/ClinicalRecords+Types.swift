extension ClinicalRecords {
  /// The types of FHIR resources, which exports write, with the identifiers of HealthKit's types.
  package static let typesOfResources: [(resource: String, type: HKClinicalTypeIdentifier)] = [
    ("AllergyIntolerance", .allergyRecord), ("Condition", .conditionRecord),
    ("Coverage", .coverageRecord), ("DiagnosticReport", .labResultRecord),
    ("DocumentReference", .clinicalNoteRecord), ("Immunization", .immunizationRecord),
    ("MedicationDispense", .medicationRecord), ("MedicationOrder", .medicationRecord),
    ("MedicationRequest", .medicationRecord), ("MedicationStatement", .medicationRecord),
    ("Observation", .labResultRecord), ("Procedure", .procedureRecord),
  ]

  /// The code of the category of observations that are vital signs (FHIR, observation-category).
  fileprivate static let vitalSigns = Array("\"vital-signs\"".utf8)

  fileprivate static let types = Dictionary(uniqueKeysWithValues: typesOfResources)
}

extension ClinicalRecords.Row {
  /// The identifier of HealthKit's type, also where ``type`` is that of a FHIR resource.
  ///
  /// An observation is a vital sign if its document names that category, else a lab result.
  ///
  /// - Complexity: O(*n*) for the *n* bytes of an observation
  package var typeIdentifier: String {
    if type == "Observation", resource.holds(ClinicalRecords.vitalSigns) {
      return HKClinicalTypeIdentifier.vitalSignRecord.rawValue
    }
    return ClinicalRecords.types[type]?.rawValue ?? type
  }
}

extension [UInt8] {
  fileprivate func holds(_ word: [UInt8]) -> Bool {
    indices.contains { self[$0] == word[0] && self[$0...].starts(with: word) }
  }
}
