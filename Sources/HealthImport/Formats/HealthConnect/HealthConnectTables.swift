import HealthSamples

/// The tables of Health Connect, and their HealthKit types.
///
/// Table and column names are from Android's source code. Its database stores grams, metres,
/// calories (not kilocalories), litres, degrees Celsius and percent; values are converted to the
/// units in which people enter them: a body mass to kilograms. Data without an equivalent type is
/// left out, such as calories that include resting energy.
enum HealthConnectTables {
  /// One column of numbers.
  struct Quantity {
    let table: String
    let column: String
    let type: HKQuantityTypeIdentifier
    /// The unit, in HealthKit's spelling.
    let unit: String
    /// The power of ten from a stored number to ``unit``.
    let tens: Int

    init(
      _ table: String, _ column: String, _ type: HKQuantityTypeIdentifier, _ unit: String,
      tens: Int = 0
    ) {
      self.table = table + "_record_table"
      self.column = column
      self.type = type
      self.unit = unit
      self.tens = tens
    }

    /// A stored number in ``unit``, rounded once: only the decimal exponent changes.
    func value(_ stored: Double) -> Double {
      guard tens != 0, stored.isFinite else { return stored }
      let parts = stored.description.split(separator: "e")
      let exponent = parts.count == 2 ? Int(parts[1]) ?? 0 : 0
      return Double("\(parts[0])e\(exponent + tens)") ?? stored
    }
  }

  /// One table of series: child rows of a record.
  struct Series {
    /// The table of the records, most of which have a different naming style.
    let table: String
    let rows: String
    let column: String
    let type: HKQuantityTypeIdentifier
    let unit: String
  }

  /// One column of codes, or a table in which the existence of a row is the value.
  struct Category {
    let table: String
    let column: String?
    let type: HKCategoryTypeIdentifier
    /// The suffix of the constant after the name of the enumeration, by code; empty if the type has
    /// no values.
    let values: [Int: String]

    init(
      _ table: String, _ column: String?, _ type: HKCategoryTypeIdentifier,
      _ values: [Int: String] = [:]
    ) {
      self.table = table + "_record_table"
      self.column = column
      self.type = type
      self.values = values
    }
  }

  /// A column with additional information, and its metadata key.
  struct Detail {
    let table: String
    let column: String
    let key: String
    /// The stored value by code; `nil` for a text, which is stored unchanged.
    let values: [Int: String]?

    init(_ table: String, _ column: String, _ key: String, _ values: [Int: String]? = nil) {
      self.table = table + "_record_table"
      self.column = column
      self.key = key
      self.values = values
    }
  }

  static let quantities: [Quantity] = [
    .init("steps", "count", .stepCount, "count"),
    .init("distance", "distance", .distanceWalkingRunning, "m"),
    .init("active_calories_burned", "energy", .activeEnergyBurned, "kcal", tens: -3),
    .init("floors_climbed", "floors", .flightsClimbed, "count"),
    .init("wheelchair_pushes", "count", .pushCount, "count"),
    .init("weight", "weight", .bodyMass, "kg", tens: -3),
    .init("lean_body_mass", "mass", .leanBodyMass, "kg", tens: -3),
    .init("height", "height", .height, "m"),
    .init("body_fat", "percentage", .bodyFatPercentage, "%", tens: -2),
    .init("oxygen_saturation", "percentage", .oxygenSaturation, "%", tens: -2),
    .init("respiratory_rate", "rate", .respiratoryRate, "count/min"),
    .init("resting_heart_rate", "beats_per_minute", .restingHeartRate, "count/min"),
    .init(
      "heart_rate_variability_rmssd", "heart_rate_variability_millis", .heartRateVariabilityRMSSD,
      "ms"),
    .init("body_temperature", "temperature", .bodyTemperature, "degC"),
    .init("basal_body_temperature", "temperature", .basalBodyTemperature, "degC"),
    .init("blood_glucose", "level", .bloodGlucose, "mmol<180.1558800000541>/L"),
    .init("blood_pressure", "systolic", .bloodPressureSystolic, "mmHg"),
    .init("blood_pressure", "diastolic", .bloodPressureDiastolic, "mmHg"),
    .init("hydration", "volume", .dietaryWater, "L"),
    .init("vo2_max", "vo2_milliliters_per_minute_kilogram", .vo2Max, "mL/kg·min"),
    .init("nutrition", "energy", .dietaryEnergyConsumed, "kcal", tens: -3),
    .init("nutrition", "protein", .dietaryProtein, "g"),
    .init("nutrition", "total_carbohydrate", .dietaryCarbohydrates, "g"),
    .init("nutrition", "total_fat", .dietaryFatTotal, "g"),
    .init("nutrition", "saturated_fat", .dietaryFatSaturated, "g"),
    .init("nutrition", "monounsaturated_fat", .dietaryFatMonounsaturated, "g"),
    .init("nutrition", "polyunsaturated_fat", .dietaryFatPolyunsaturated, "g"),
    .init("nutrition", "cholesterol", .dietaryCholesterol, "mg", tens: 3),
    .init("nutrition", "dietary_fiber", .dietaryFiber, "g"),
    .init("nutrition", "sugar", .dietarySugar, "g"),
    .init("nutrition", "sodium", .dietarySodium, "mg", tens: 3),
    .init("nutrition", "caffeine", .dietaryCaffeine, "mg", tens: 3),
    .init("nutrition", "biotin", .dietaryBiotin, "mcg", tens: 6),
    .init("nutrition", "calcium", .dietaryCalcium, "mg", tens: 3),
    .init("nutrition", "chloride", .dietaryChloride, "mg", tens: 3),
    .init("nutrition", "chromium", .dietaryChromium, "mcg", tens: 6),
    .init("nutrition", "copper", .dietaryCopper, "mcg", tens: 6),
    .init("nutrition", "folate", .dietaryFolate, "mcg", tens: 6),
    .init("nutrition", "iodine", .dietaryIodine, "mcg", tens: 6),
    .init("nutrition", "iron", .dietaryIron, "mg", tens: 3),
    .init("nutrition", "magnesium", .dietaryMagnesium, "mg", tens: 3),
    .init("nutrition", "manganese", .dietaryManganese, "mg", tens: 3),
    .init("nutrition", "molybdenum", .dietaryMolybdenum, "mcg", tens: 6),
    .init("nutrition", "niacin", .dietaryNiacin, "mg", tens: 3),
    .init("nutrition", "pantothenic_acid", .dietaryPantothenicAcid, "mg", tens: 3),
    .init("nutrition", "phosphorus", .dietaryPhosphorus, "mg", tens: 3),
    .init("nutrition", "potassium", .dietaryPotassium, "mg", tens: 3),
    .init("nutrition", "riboflavin", .dietaryRiboflavin, "mg", tens: 3),
    .init("nutrition", "selenium", .dietarySelenium, "mcg", tens: 6),
    .init("nutrition", "thiamin", .dietaryThiamin, "mg", tens: 3),
    .init("nutrition", "vitamin_a", .dietaryVitaminA, "mcg", tens: 6),
    .init("nutrition", "vitamin_b12", .dietaryVitaminB12, "mcg", tens: 6),
    .init("nutrition", "vitamin_b6", .dietaryVitaminB6, "mg", tens: 3),
    .init("nutrition", "vitamin_c", .dietaryVitaminC, "mg", tens: 3),
    .init("nutrition", "vitamin_d", .dietaryVitaminD, "mcg", tens: 6),
    .init("nutrition", "vitamin_e", .dietaryVitaminE, "mg", tens: 3),
    .init("nutrition", "vitamin_k", .dietaryVitaminK, "mcg", tens: 6),
    .init("nutrition", "zinc", .dietaryZinc, "mg", tens: 3),
  ]

  /// Tables whose columns are a correlation.
  static let correlations: [String: HKCorrelationTypeIdentifier] = [
    "blood_pressure_record_table": .bloodPressure, "nutrition_record_table": .food,
  ]

  static let series: [Series] = [
    .init(
      table: "heart_rate_record_table", rows: "heart_rate_record_series_table",
      column: "beats_per_minute", type: .heartRate, unit: "count/min"),
    .init(
      table: "CyclingPedalingCadenceRecordTable", rows: "cycling_pedaling_cadence_record_table",
      column: "revolutions_per_minute", type: .cyclingCadence, unit: "count/min"),
  ]

  static let categories: [Category] = [
    .init("mindfulness_session", nil, .mindfulSession),
    .init("intermenstrual_bleeding", nil, .intermenstrualBleeding),
    .init("sexual_activity", nil, .sexualActivity),
    .init(
      "menstruation_flow", "flow", .menstrualFlow,
      [0: "Unspecified", 1: "Light", 2: "Medium", 3: "Heavy"]),
    .init(
      "ovulation_test", "result", .ovulationTestResult,
      [0: "Indeterminate", 1: "LuteinizingHormoneSurge", 2: "EstrogenSurge", 3: "Negative"]),
    .init(
      "cervical_mucus", "appearance", .cervicalMucusQuality,
      [1: "Dry", 2: "Sticky", 3: "Creamy", 4: "Watery", 5: "EggWhite"]),
  ]

  static let details: [Detail] = [
    .init("nutrition", "meal_name", "HKFoodType"),
    .init("blood_glucose", "relation_to_meal", "HKBloodGlucoseMealTime", [3: "1", 4: "2"]),
    .init(
      "sexual_activity", "protection_used", "HKSexualActivityProtectionUsed", [1: "1", 2: "0"]),
    .init("mindfulness_session", "title", "title"),
    .init("mindfulness_session", "notes", "notes"),
    .init("exercise_session", "title", "title"),
    .init("exercise_session", "notes", "notes"),
  ]

  static let sleepSessions = "sleep_session_record_table"
  static let sleepStages = "sleep_stages_table"
  static let exercises = "exercise_session_record_table"
  static let laps = "exercise_laps_table"
  static let segments = "exercise_segments_table"
  static let routes = "exercise_route_table"

  /// Parts of the names of tables without health data.
  static let housekeeping = [
    "_info_table", "_log", "preference", "priority", "metadata", "migration", "token",
    "activity_date", "data_source", "sqlite_", "indices",
  ]

  /// What a device is by its number in Android, in the words of ``DeviceKind`` and others.
  static let deviceKinds = [
    1: "watch", 2: "phone", 3: "scale", 4: "ring", 5: "head-mounted display", 6: "fitness band",
    7: "chest strap", 8: "smart display", 9: "medical device", 10: "glasses", 11: "hearable",
    12: "fitness machine", 13: "fitness equipment", 14: "portable computer", 15: "meter",
  ]

  /// The number of the category of data to which a type belongs.
  static func dataCategory(of type: String) -> Int {
    if type.hasPrefix("HKQuantityTypeIdentifierDietary") { return 4 }
    return dataCategories[type] ?? 6
  }

  /// The categories of types that are neither nutrients nor vital signs.
  private static let dataCategories: [String: Int] = {
    let activity: [HKQuantityTypeIdentifier] = [
      .stepCount, .distanceWalkingRunning, .activeEnergyBurned, .flightsClimbed, .pushCount,
      .vo2Max,
      .cyclingCadence,
    ]
    let body: [HKQuantityTypeIdentifier] = [.bodyMass, .leanBodyMass, .height, .bodyFatPercentage]
    let cycle: [HKCategoryTypeIdentifier] = [
      .intermenstrualBleeding, .menstrualFlow, .ovulationTestResult, .cervicalMucusQuality,
      .sexualActivity,
    ]
    let named =
      activity.map { ($0.rawValue, 1) } + body.map { ($0.rawValue, 2) }
      + cycle.map { ($0.rawValue, 3) }
      + [
        (HKCategoryTypeIdentifier.sleepAnalysis.rawValue, 5),
        (HKCategoryTypeIdentifier.mindfulSession.rawValue, 7),
      ]
    return Dictionary(uniqueKeysWithValues: named)
  }()

  /// The constant of a stage of sleep by its number in Health Connect.
  static func sleepConstant(_ stage: Int) -> String? {
    switch stage {
    case 1, 3, 7: "HKCategoryValueSleepAnalysisAwake"
    case 2: "HKCategoryValueSleepAnalysisAsleepUnspecified"
    case 4: "HKCategoryValueSleepAnalysisAsleepCore"
    case 5: "HKCategoryValueSleepAnalysisAsleepDeep"
    case 6: "HKCategoryValueSleepAnalysisAsleepREM"
    default: nil
    }
  }

  /// The activity of an exercise by its number in the Android platform, which differs from that of
  /// the Jetpack library.
  static func activity(_ exercise: Int) -> String {
    let suffix = activities.indices.contains(exercise) ? activities[exercise] : "Other"
    return "HKWorkoutActivityType" + suffix
  }

  static let activities = [
    "Other", "Badminton", "Baseball", "Basketball", "Cycling", "Cycling", "CrossTraining",
    "Boxing", "FunctionalStrengthTraining", "Cricket", "SocialDance", "MixedCardio", "Fencing",
    "AmericanFootball", "AustralianFootball", "DiscSports", "Golf", "MindAndBody", "Gymnastics",
    "Handball", "HighIntensityIntervalTraining", "Hiking", "Hockey", "SkatingSports",
    "MartialArts", "PaddleSports", "Other", "Pilates", "Racquetball", "Climbing", "Hockey",
    "Rowing", "Rugby", "Running", "Running", "Sailing", "UnderwaterDiving", "SkatingSports",
    "DownhillSkiing", "Snowboarding", "SnowSports", "Soccer", "Softball", "Squash",
    "StairClimbing", "TraditionalStrengthTraining", "Flexibility", "SurfingSports", "Swimming",
    "Swimming", "TableTennis", "Tennis", "Volleyball", "Walking", "WaterPolo",
    "TraditionalStrengthTraining", "WheelchairRunPace", "Yoga", "Other", "StairClimbing",
    "Elliptical", "Rowing",
  ]
}
