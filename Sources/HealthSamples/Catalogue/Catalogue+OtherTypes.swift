extension Catalogue {
  /// The correlation types.
  public static let correlationTypes: [CorrelationType] = [
    .init(
      "BloodPressure", "8.0", required: ["BloodPressureSystolic", "BloodPressureDiastolic"],
      allowed: "BloodPressure"),
    .init("Food", "8.0", required: [], allowed: "Dietary"),
  ]

  /// The characteristic types: facts that an export has once, in its `Me` element.
  public static let characteristicTypes: [CharacteristicType] = [
    .init("BiologicalSex", "8.0", "HKBiologicalSex", isInExport: true),
    .init("BloodType", "8.0", "HKBloodType", isInExport: true),
    .init("DateOfBirth", "8.0", nil, isInExport: true),
    .init("FitzpatrickSkinType", "9.0", "HKFitzpatrickSkinType", isInExport: true),
    .init("WheelchairUse", "10.0", "HKWheelchairUse", isInExport: false),
    .init("ActivityMoveMode", "14.0", "HKActivityMoveMode", isInExport: false),
    .init("CardioFitnessMedicationsUse", nil, nil, isInExport: true),
  ]

  /// Types that are neither quantity, category, correlation nor characteristic.
  // swift-format-ignore
  public static let otherTypes: [OtherType] = [
    .init("workout", "HKWorkoutTypeIdentifier", "HKWorkoutType", ["HKWorkout"], "8.0"),
    .init("activity summary", "HKActivitySummaryTypeIdentifier", "HKActivitySummaryType", ["HKActivitySummary"], "9.3", isVerified: false),
    .init("workout route", "HKWorkoutRouteTypeIdentifier", "HKSeriesType", ["HKWorkoutRoute"], "11.0"),
    .init("heartbeat series", "HKDataTypeIdentifierHeartbeatSeries", "HKSeriesType", ["HKHeartbeatSeriesSample"], "13.0"),
    .init("electrocardiogram", "HKDataTypeIdentifierElectrocardiogram", "HKElectrocardiogramType", ["HKElectrocardiogram"], "14.0"),
    .init("audiogram", "HKDataTypeIdentifierAudiogram", "HKAudiogramSampleType", ["HKAudiogramSample"], "13.0"),
    .init("CDA document", "HKDocumentTypeIdentifierCDA", "HKDocumentType", ["HKCDADocumentSample"], "10.0"),
    .init("clinical: allergies", "HKClinicalTypeIdentifierAllergyRecord", "HKClinicalType", ["HKClinicalRecord"], "12.0"),
    .init("clinical: clinical notes", "HKClinicalTypeIdentifierClinicalNoteRecord", "HKClinicalType", ["HKClinicalRecord"], "16.4"),
    .init("clinical: conditions", "HKClinicalTypeIdentifierConditionRecord", "HKClinicalType", ["HKClinicalRecord"], "12.0"),
    .init("clinical: coverage", "HKClinicalTypeIdentifierCoverageRecord", "HKClinicalType", ["HKClinicalRecord"], "14.0"),
    .init("clinical: immunizations", "HKClinicalTypeIdentifierImmunizationRecord", "HKClinicalType", ["HKClinicalRecord"], "12.0"),
    .init("clinical: lab results", "HKClinicalTypeIdentifierLabResultRecord", "HKClinicalType", ["HKClinicalRecord"], "12.0"),
    .init("clinical: medications", "HKClinicalTypeIdentifierMedicationRecord", "HKClinicalType", ["HKClinicalRecord"], "12.0"),
    .init("clinical: procedures", "HKClinicalTypeIdentifierProcedureRecord", "HKClinicalType", ["HKClinicalRecord"], "12.0"),
    .init("clinical: vital signs", "HKClinicalTypeIdentifierVitalSignRecord", "HKClinicalType", ["HKClinicalRecord"], "12.0"),
    .init("verifiable clinical record", nil, "HKVerifiableClinicalRecord", ["HKVerifiableClinicalRecord"], "15.0"),
    .init("vision prescription", "HKVisionPrescriptionTypeIdentifier", "HKPrescriptionType", ["HKVisionPrescription", "HKGlassesPrescription", "HKContactsPrescription"], "16.0"),
    .init("state of mind", "HKDataTypeStateOfMind", "HKStateOfMindType", ["HKStateOfMind"], "18.0"),
    .init("GAD-7", "HKScoredAssessmentTypeIdentifierGAD7", "HKScoredAssessmentType", ["HKGAD7Assessment"], "18.0"),
    .init("PHQ-9", "HKScoredAssessmentTypeIdentifierPHQ9", "HKScoredAssessmentType", ["HKPHQ9Assessment"], "18.0"),
    .init("medication dose event", "HKMedicationDoseEventTypeIdentifierMedicationDoseEvent", "HKMedicationDoseEventType", ["HKMedicationDoseEvent"], "26.0"),
    .init("user annotated medication", "HKDataTypeUserAnnotatedMedicationConcept", "HKUserAnnotatedMedicationType", ["HKUserAnnotatedMedication"], "26.0"),
    .init("attachment", nil, "HKAttachment", ["HKAttachment"], "16.0"),
    .init("quantity series", nil, nil, ["HKCumulativeQuantitySample", "HKDiscreteQuantitySample", "HKCumulativeQuantitySeriesSample"], "12.0"),
    .init("sleep duration goal (private)", "HKDataTypeSleepDurationGoal", nil, [], nil),
  ]
}
