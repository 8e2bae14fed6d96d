extension ExportVersion {
  /// From `<!DOCTYPE` to the line end before `<HealthData`, byte for byte as Apple wrote it; empty
  /// for iOS 8.
  var documentType: String {
    guard self > .ios8 else { return "" }
    let number = min(self, .version14).name.filter(\.isNumber)
    let elements = Self.declarations.filter { $0.versions.contains(self) }.map(\.text).joined()
    let rest = self == .version12 ? Self.leftovers : ""
    return """
      <!DOCTYPE HealthData [
      <!-- HealthKit Export Version: \(number) -->
      \(elements)\(rest)]>

      """
  }

  /// What stands behind the last element of version 12, and makes it not well-formed.
  private static let leftovers = """
      device           CDATA #IMPLIED
    <!ELEMENT MetadataEntry EMPTY>
    <!ATTLIST MetadataEntry
      key              CDATA #IMPLIED
      value            CDATA #IMPLIED
    >
    >

    """

  private static let dates = "sourceName! sourceVersion device creationDate startDate! endDate!"
  private static let eye = """
    sphere sphereUnit cylinder cylinderUnit axis axisUnit add addUnit vertex vertexUnit prismAmount \
    prismAmountUnit prismAngle prismAngleUnit farPD farPDUnit nearPD nearPDUnit baseCurve \
    baseCurveUnit diameter diameterUnit
    """
  private static let me = """
    HKCharacteristicTypeIdentifierDateOfBirth! HKCharacteristicTypeIdentifierBiologicalSex! \
    HKCharacteristicTypeIdentifierBloodType! HKCharacteristicTypeIdentifierFitzpatrickSkinType!
    """
  private static let workout = """
    workoutActivityType! duration durationUnit totalDistance totalDistanceUnit totalEnergyBurned \
    totalEnergyBurnedUnit \(dates)
    """
  private static let energy =
    "dateComponents activeEnergyBurned activeEnergyBurnedGoal activeEnergyBurnedUnit"
  private static let hours =
    "appleExerciseTime appleExerciseTimeGoal appleStandHours appleStandHoursGoal"
  private static let statistics = "type! startDate! endDate! average minimum maximum sum"
  private static let point = "frequencyValue! frequencyUnit! leftEarValue leftEarUnit"
  private static let correlationNote = """
    Any Records that appear as children of a correlation also appear as top-level records in this \
    document.
    """
  private static let beatsNote = """
    Heart Rate Variability records captured by Apple Watch may include an associated list of \
    instantaneous beats-per-minute readings.
    """

  private static func health(_ more: String) -> String {
    "(ExportDate,Me,(Record|Correlation|Workout|ActivitySummary\(more))*)"
  }

  private static let declarations: [ElementDeclaration] = [
    .init(.version3 ... .version3, "HealthData", health(""), 0, "locale!"),
    .init(.version8 ... .version11, "HealthData", health("|ClinicalRecord"), 0, "locale!"),
    .init(
      .version12 ... .version12, "HealthData", health("|ClinicalRecord|VisionPrescription"), 0,
      "locale!"),
    .init(
      .version13 ... .ios27, "HealthData", health("|ClinicalRecord|Audiogram|VisionPrescription"),
      0, "locale!"),
    .init(.version3 ... .ios27, "ExportDate", "EMPTY", 0, "value!"),
    .init(.version3 ... .version11, "Me", "EMPTY", 50, me),
    .init(.version12 ... .version12, "Me", "EMPTY", 60, me),
    .init(
      .version13 ... .ios27, "Me", "EMPTY", 60,
      me + " HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse!"),
    .init(
      .version3 ... .version3, "Record", "(MetadataEntry*)", 14, "type! unit value \(dates)"),
    .init(
      .version8 ... .ios27, "Record", "((MetadataEntry|HeartRateVariabilityMetadataList)*)", 14,
      "type! unit value \(dates)"),
    .init(
      .version3 ... .ios27, "Correlation", "((MetadataEntry|Record)*)", 14, "type! \(dates)",
      note: correlationNote),
    .init(.version3 ... .version3, "Workout", "((MetadataEntry|WorkoutEvent)*)", 22, workout),
    .init(
      .version8 ... .version12, "Workout", "((MetadataEntry|WorkoutEvent|WorkoutRoute)*)", 22,
      workout),
    .init(
      .version13 ... .ios27, "Workout",
      "((MetadataEntry|WorkoutEvent|WorkoutRoute|WorkoutStatistics)*)", 22, workout),
    .init(
      .version12 ... .ios27, "WorkoutActivity", "((MetadataEntry)*)", 21,
      "uuid! startDate! endDate duration durationUnit"),
    .init(.version3 ... .version3, "WorkoutEvent", "EMPTY", 5, "type! date!"),
    .init(
      .version8 ... .version11, "WorkoutEvent", "EMPTY", 13, "type! date! duration durationUnit"),
    .init(
      .version12 ... .version12, "WorkoutEvent", "EMPTY", 21, "type! date! duration durationUnit"),
    .init(
      .version13 ... .ios27, "WorkoutEvent", "((MetadataEntry)*)", 21,
      "type! date! duration durationUnit"),
    .init(.version12 ... .version12, "WorkoutStatistics", "EMPTY", 21, statistics),
    .init(.version13 ... .ios27, "WorkoutStatistics", "EMPTY", 21, statistics + " unit"),
    .init(.version8 ... .version8, "WorkoutRoute", "((MetadataEntry|Location)*)", 14, dates),
    .init(.version11a ... .ios27, "WorkoutRoute", "((MetadataEntry|FileReference)*)", 14, dates),
    .init(
      .version8 ... .version8, "Location", "EMPTY", 19,
      "date! latitude! longitude! altitude! horizontalAccuracy! verticalAccuracy! course! speed!"),
    .init(.version11a ... .ios27, "FileReference", "EMPTY", 5, "path!"),
    .init(.version3 ... .version8, "ActivitySummary", "EMPTY", 25, "\(energy) \(hours)"),
    .init(
      .version11a ... .version11a, "ActivitySummary", "EMPTY", 25,
      "\(energy) appleMoveMinutes appleMoveMinutesGoal \(hours)"),
    .init(
      .version11 ... .ios27, "ActivitySummary", "EMPTY", 25,
      "\(energy) appleMoveTime appleMoveTimeGoal \(hours)"),
    .init(.version3 ... .ios27, "MetadataEntry", "EMPTY", 6, "key! value!"),
    .init(
      .version8 ... .ios27, "HeartRateVariabilityMetadataList", "(InstantaneousBeatsPerMinute*)",
      note: beatsNote),
    .init(.version8 ... .ios27, "InstantaneousBeatsPerMinute", "EMPTY", 5, "bpm! time!"),
    .init(
      .version8 ... .ios27, "ClinicalRecord", "EMPTY", 18,
      "type! identifier! sourceName! sourceURL! fhirVersion! receivedDate! resourceFilePath!"),
    .init(.version11a ... .version11, "Audiogram", "EMPTY", 14, "type! \(dates)"),
    .init(
      .version12 ... .ios27, "Audiogram", "((MetadataEntry|SensitivityPoint)*)", 14,
      "type! \(dates)"),
    .init(
      .version11a ... .version13, "SensitivityPoint", "EMPTY", 17,
      "\(point) rightEarValue rightEarUnit"),
    .init(
      .version14 ... .ios27, "SensitivityPoint", "EMPTY", 17,
      """
      \(point) leftEarMasked+2 leftEarClampingRangeLowerBound+2 leftEarClampingRangeUpperBound+2 \
      rightEarValue rightEarUnit rightEarMasked+3 rightEarClampingRangeLowerBound+1 \
      rightEarClampingRangeUpperBound+1
      """),
    .init(
      .version12 ... .version12, "VisionPrescription",
      "((RightEye|LeftEye|Attachment|MetadataEntry)*)", 17,
      "type! dateIssued! expirationDate! brand", isClosed: false),
    .init(
      .version13 ... .ios27, "VisionPrescription",
      "((RightEye|LeftEye|Attachment|MetadataEntry)*)", 17,
      "type! dateIssued! expirationDate brand"),
    .init(.version12 ... .ios27, "RightEye", "EMPTY", 17, eye),
    .init(.version12 ... .ios27, "LeftEye", "EMPTY", 17, eye),
    .init(.version13 ... .ios27, "Attachment", "EMPTY", 17, "identifier"),
  ]
}
