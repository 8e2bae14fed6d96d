/// The known attributes and children of elements in exports.
///
/// Real files do not follow their document type; this is what they contain.
enum ElementGrammar {
  private static let facts = [
    "sourceName", "sourceVersion", "device", "creationDate", "startDate", "endDate",
  ]
  private static let lens = [
    "sphere", "cylinder", "axis", "add", "vertex", "prismAmount", "prismAngle", "farPD", "nearPD",
    "baseCurve", "diameter",
  ]

  /// The parameters of a lens, in the order of the document type.
  static let lensParameters = lens

  private static let attributes: [String: Set<String>] = [
    "ActivitySummary": [
      "dateComponents", "activeEnergyBurned", "activeEnergyBurnedGoal", "activeEnergyBurnedUnit",
      "appleMoveTime", "appleMoveTimeGoal", "appleMoveMinutes", "appleMoveMinutesGoal",
      "appleExerciseTime", "appleExerciseTimeGoal", "appleStandHours", "appleStandHoursGoal",
    ],
    "Attachment": ["identifier"],
    "Audiogram": Set(facts + ["type"]),
    "ClinicalRecord": [
      "type", "identifier", "sourceName", "sourceURL", "fhirVersion", "receivedDate",
      "resourceFilePath",
    ],
    "Correlation": Set(facts + ["type"]),
    "ExportDate": ["value"],
    "FileReference": ["path"],
    "LeftEye": Set(lens + lens.map { $0 + "Unit" }),
    "Location": [
      "date", "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy",
      "course", "speed",
    ],
    "MetadataEntry": ["key", "value"],
    "RightEye": Set(lens + lens.map { $0 + "Unit" }),
    "SensitivityPoint": [
      "frequencyValue", "frequencyUnit", "leftEarValue", "leftEarUnit", "rightEarValue",
      "rightEarUnit", "leftEarMasked", "rightEarMasked", "leftEarClampingRangeLowerBound",
      "leftEarClampingRangeUpperBound", "rightEarClampingRangeLowerBound",
      "rightEarClampingRangeUpperBound",
    ],
    "VisionPrescription": ["type", "dateIssued", "expirationDate", "brand"],
    "Workout": Set(
      facts + [
        "workoutActivityType", "duration", "durationUnit", "totalDistance", "totalDistanceUnit",
        "totalEnergyBurned", "totalEnergyBurnedUnit",
      ]),
    "WorkoutActivity": ["uuid", "startDate", "endDate", "duration", "durationUnit"],
    "WorkoutEvent": ["type", "date", "duration", "durationUnit"],
    "WorkoutRoute": Set(facts),
    "WorkoutStatistics": [
      "type", "startDate", "endDate", "average", "minimum", "maximum", "sum", "unit",
    ],
    "WorkoutZone": ["minimum", "maximum", "duration", "durationUnit"],
    "WorkoutZoneGroup": ["type", "source", "unit"],
  ]

  /// Whether an attribute is known; those of `Me` are identifiers.
  static func isKnown(attribute: String, of element: String) -> Bool {
    attributes[element]?.contains(attribute)
      ?? (element == "Me" && attribute.hasPrefix("HKCharacteristicTypeIdentifier"))
  }

  private static let children: [String: Set<String>] = [
    "Audiogram": ["MetadataEntry", "SensitivityPoint"],
    "Correlation": ["MetadataEntry"],
    "VisionPrescription": ["Attachment", "LeftEye", "MetadataEntry", "RightEye"],
    "Workout": [
      "MetadataEntry", "WorkoutActivity", "WorkoutEvent", "WorkoutRoute", "WorkoutStatistics",
      "WorkoutZoneGroup",
    ],
    "WorkoutActivity": ["MetadataEntry", "WorkoutEvent", "WorkoutStatistics"],
    "WorkoutEvent": ["MetadataEntry"],
    "WorkoutRoute": ["FileReference", "Location", "MetadataEntry"],
    "WorkoutZoneGroup": ["WorkoutZone"],
  ]

  /// Whether a child element is known.
  static func isKnown(child: String, of parent: String) -> Bool {
    children[parent]?.contains(child) ?? false
  }
}
