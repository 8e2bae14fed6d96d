import HealthSamples

/// The names of types in Health Auto Export that differ from HealthKit's.
///
/// Its names are lower-case words joined by `_`. Those with the words of HealthKit's own name in
/// the same order are found by the catalogue.
enum HealthAutoExportNames {
  /// The type of a metric; `nil` when unknown.
  static func type(ofMetric name: String) -> SampleType? {
    let suffix = quantities[name] ?? name
    if let type = try? Catalogue.type(named: suffix) { return type }
    return try? Catalogue.type(named: "dietary" + suffix)
  }

  /// The identifier of the type with the column name `name`; `nil` if there is none.
  ///
  /// An identifier is accepted unchanged, since a newer system may have the type. Otherwise the
  /// catalogue decides, and the names of the app, in any style of capitals, spaces, `-` and `_`. An
  /// ambiguous word is rejected.
  static func identifier(ofColumn name: String) -> String? {
    if name.hasPrefix("HK") { return name }
    let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
    return ambiguousWords.contains(plain) ? nil : type(ofMetric: name)?.identifier
  }

  /// Words that the catalogue accepts from a person, who sees the result, but not from a file.
  private static let ambiguousWords: Set = [
    "calories", "cycling", "depth", "distance", "energy", "exercise", "fat", "noise", "strokes",
    "swimming", "temperature",
  ]

  /// The constant of a stage of sleep.
  static func sleepConstant(_ stage: String) -> String? {
    sleepStages[stage.lowercased().filter { $0.isLetter }]
      .map { "HKCategoryValueSleepAnalysis" + $0 }
  }

  /// The category type of a symptom or an event by its English name in Apple's app.
  static func categoryType(_ name: String) -> SampleType? {
    let letters = name.filter(\.isLetter)
    let type = try? Catalogue.type(named: displayNames[letters.lowercased()] ?? letters)
    return type?.kind == .category ? type : nil
  }

  /// The raw value of a case of an enumeration by its name in any style, such as `daily_mood`, `Not
  /// Logged` and `selfCare`; `nil` if there is none.
  static func number(ofCase name: String, of enumeration: String) -> Int? {
    numbersOfCases[enumeration]?[name.filter(\.isLetter).lowercased()]
  }

  private static let numbersOfCases = Dictionary(
    grouping: Catalogue.enumerationCases, by: \.enumeration
  ).mapValues { cases in
    Dictionary(
      cases.compactMap { row in row.rawValue.map { (row.swiftName.lowercased(), $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The activity for a workout's name, such as `Outdoor Run` or `Traditional Strength Training`.
  static func activity(_ name: String) -> String {
    let key = name.filter { $0.isLetter }.lowercased()
    let known = activities[key] ?? key
    let match = Catalogue.workoutActivities.first { $0.swiftName.lowercased() == known }
    return match?.constant ?? name
  }

  /// A member of a workout that is a statistic of the whole workout.
  struct Total {
    enum Part { case sum, average, minimum, maximum }

    let key: StaticString
    let type: HKQuantityTypeIdentifier
    let part: Part

    init(_ key: StaticString, _ type: HKQuantityTypeIdentifier, _ part: Part) {
      self.key = key
      self.type = type
      self.part = part
    }
  }

  /// The first member of a type and part is used; a series is reduced to its sum or mean.
  static let totals: [Total] = [
    .init("activeEnergyBurned", .activeEnergyBurned, .sum),
    .init("activeEnergy", .activeEnergyBurned, .sum),
    .init("basalEnergy", .basalEnergyBurned, .sum),
    .init("distance", .distanceWalkingRunning, .sum),
    .init("walkingAndRunningDistance", .distanceWalkingRunning, .sum),
    .init("cyclingDistance", .distanceCycling, .sum),
    .init("swimDistance", .distanceSwimming, .sum),
    .init("stepCount", .stepCount, .sum),
    .init("flightsClimbed", .flightsClimbed, .sum),
    .init("totalSwimmingStrokeCount", .swimmingStrokeCount, .sum),
    .init("swimStroke", .swimmingStrokeCount, .sum),
    .init("cyclingCadence", .cyclingCadence, .average),
    .init("cyclingPower", .cyclingPower, .average),
    .init("cyclingSpeed", .cyclingSpeed, .average),
    .init("avgHeartRate", .heartRate, .average),
    .init("heartRateData", .heartRate, .average),
    .init("maxHeartRate", .heartRate, .maximum),
  ]

  /// The members of the heart rate of a workout.
  static let heartRates: [Total] = [
    .init("min", .heartRate, .minimum), .init("avg", .heartRate, .average),
    .init("max", .heartRate, .maximum),
  ]

  /// The members of a workout that are read.
  static let workoutMembers: Set<String> = {
    let others: Set = [
      "start", "end", "duration", "source", "heartRate", "heartRateRecovery", "elevation",
      "isIndoor", "metadata", "route",
    ]
    let keys = totals.map(\.key) + (workoutTexts + workoutQuantities).map(\.0)
    return others.union(keys.map(\.description))
  }()

  /// Text members of a workout, with their metadata keys.
  static let workoutTexts: [(StaticString, String)] = [
    ("id", "id"), ("name", "name"), ("location", "location"), ("strokeStyle", "strokeStyle"),
    ("salinity", "salinity"), ("swolfScore", "HKSWOLFScore"),
  ]

  /// Quantity members of a workout, with their metadata keys.
  static let workoutQuantities: [(StaticString, String)] = [
    ("elevationUp", "HKElevationAscended"), ("elevationDown", "HKElevationDescended"),
    ("avgSpeed", "HKAverageSpeed"), ("maxSpeed", "HKMaximumSpeed"), ("speed", "HKAverageSpeed"),
    ("temperature", "HKWeatherTemperature"), ("humidity", "HKWeatherHumidity"),
    ("lapLength", "HKLapLength"), ("intensity", "HKAverageMETs"), ("intesity", "HKAverageMETs"),
    ("stepCadence", "stepCadence"), ("swimCadence", "swimCadence"), ("totalEnergy", "totalEnergy"),
  ]

  /// English names in Apple's app that differ from HealthKit's names.
  private static let displayNames = [
    "bodyandmuscleache": "generalizedBodyAche",
    "congestion": "sinusCongestion",
    "heartbeatrapidpoundingorfluttering": "rapidPoundingOrFlutteringHeartbeat",
    "mindfulminutes": "mindfulSession",
    "period": "menstrualFlow",
    "menstruation": "menstrualFlow",
    "sexualactivity": "sexualActivity",
    "spotting": "intermenstrualBleeding",
    "ovulationtest": "ovulationTestResult",
    "pregnancytest": "pregnancyTestResult",
    "progesteronetest": "progesteroneTestResult",
    "coughing": "coughing",
    "hotflushes": "hotFlashes",
  ]

  private static let quantities = [
    "weight_body_mass": "bodyMass",
    "active_energy": "activeEnergyBurned",
    "walking_running_distance": "distanceWalkingRunning",
    "cycling_distance": "distanceCycling",
    "swimming_distance": "distanceSwimming",
    "wheelchair_distance": "distanceWheelchair",
    "distance_downhill_snow_sports": "distanceDownhillSnowSports",
    "blood_oxygen_saturation": "oxygenSaturation",
    "heart_rate_variability": "heartRateVariabilitySDNN",
    "cardio_recovery": "heartRateRecoveryOneMinute",
    "stair_speed_up": "stairAscentSpeed",
    "stair_speed_down": "stairDescentSpeed",
    "six_minute_walking_test_distance": "sixMinuteWalkTestDistance",
    "underwater_temperature": "waterTemperature",
    "dietary_energy": "dietaryEnergyConsumed",
    "dietary_water": "dietaryWater",
    "dietary_sugar": "dietarySugar",
    "total_fat": "dietaryFatTotal",
    "saturated_fat": "dietaryFatSaturated",
    "monosaturated_fat": "dietaryFatMonounsaturated",
    "monounsaturated_fat": "dietaryFatMonounsaturated",
    "polyunsaturated_fat": "dietaryFatPolyunsaturated",
    "alcohol_consumption": "numberOfAlcoholicBeverages",
    "breathing_disturbances": "appleSleepingBreathingDisturbances",
    "mindful_minutes": "mindfulSession",
  ]

  private static let sleepStages = [
    "inbed": "InBed", "asleep": "AsleepUnspecified", "unspecified": "AsleepUnspecified",
    "asleepunspecified": "AsleepUnspecified", "core": "AsleepCore", "asleepcore": "AsleepCore",
    "deep": "AsleepDeep", "asleepdeep": "AsleepDeep", "rem": "AsleepREM",
    "asleeprem": "AsleepREM", "awake": "Awake",
  ]

  private static let activities = [
    "outdoorrun": "running", "indoorrun": "running", "run": "running", "outdoorwalk": "walking",
    "indoorwalk": "walking", "walk": "walking", "outdoorcycle": "cycling",
    "indoorcycle": "cycling", "outdoorcycling": "cycling", "indoorcycling": "cycling",
    "poolswim": "swimming", "openwaterswim": "swimming", "swim": "swimming", "hike": "hiking",
    "hiit": "highintensityintervaltraining", "rower": "rowing", "stairstepper": "stairs",
  ]
}
