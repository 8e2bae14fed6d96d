/// What exports are known to hold: the attributes of elements, and elements inside others.
///
/// Real files do not obey their document type; this is what they were seen to hold.
enum ElementGrammar {
  private static let facts = [
    "sourceName", "sourceVersion", "device", "creationDate", "startDate", "endDate",
  ]
  private static let lens = [
    "sphere", "cylinder", "axis", "add", "vertex", "prismAmount", "prismAngle", "farPD", "nearPD",
    "baseCurve", "diameter",
  ]

  /// The numbers of a lens, in the order of the document type.
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

  /// Whether exports are known to write the attribute; what `Me` holds goes by identifiers.
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

  /// Whether exports are known to hold an element inside another one.
  static func isKnown(child: String, of parent: String) -> Bool {
    children[parent]?.contains(child) ?? false
  }
}
