import HealthSamples

/// Where Health Connect keeps what, and as which of HealthKit's types that counts.
///
/// Table and column names are those of Android's own source; units are those that its database
/// stores: grams, metres, calories (not kilocalories), litres, degrees Celsius, percent.
enum HealthConnectTables {
  /// One column of numbers.
  struct Quantity {
    let table: String
    let column: String
    let type: HKQuantityTypeIdentifier
    /// The unit, in HealthKit's spelling.
    let unit: String
    /// What brings a stored number into ``unit``.
    let factor: Double

    init(
      _ table: String, _ column: String, _ type: HKQuantityTypeIdentifier, _ unit: String,
      times factor: Double = 1
    ) {
      self.table = table + "_record_table"
      self.column = column
      self.type = type
      self.unit = unit
      self.factor = factor
    }
  }

  /// One table of series: rows of their own below a record.
  struct Series {
    let table: String
    let rows: String
    let column: String
    let type: HKQuantityTypeIdentifier
    let unit: String
  }

  static let quantities: [Quantity] = [
    .init("steps", "count", .stepCount, "count"),
    .init("distance", "distance", .distanceWalkingRunning, "m"),
    .init("active_calories_burned", "energy", .activeEnergyBurned, "cal"),
    .init("floors_climbed", "floors", .flightsClimbed, "count"),
    .init("wheelchair_pushes", "count", .pushCount, "count"),
    .init("weight", "weight", .bodyMass, "g"),
    .init("lean_body_mass", "mass", .leanBodyMass, "g"),
    .init("height", "height", .height, "m"),
    .init("body_fat", "percentage", .bodyFatPercentage, "%", times: 0.01),
    .init("oxygen_saturation", "percentage", .oxygenSaturation, "%", times: 0.01),
    .init("respiratory_rate", "rate", .respiratoryRate, "count/min"),
    .init("resting_heart_rate", "beats_per_minute", .restingHeartRate, "count/min"),
    .init("body_temperature", "temperature", .bodyTemperature, "degC"),
    .init("basal_body_temperature", "temperature", .basalBodyTemperature, "degC"),
    .init("blood_glucose", "level", .bloodGlucose, "mmol<180.1558800000541>/L"),
    .init("blood_pressure", "systolic", .bloodPressureSystolic, "mmHg"),
    .init("blood_pressure", "diastolic", .bloodPressureDiastolic, "mmHg"),
    .init("hydration", "volume", .dietaryWater, "L"),
    .init("vo2_max", "vo2_milliliters_per_minute_kilogram", .vo2Max, "mL/kg·min"),
    .init("nutrition", "energy", .dietaryEnergyConsumed, "cal"),
    .init("nutrition", "protein", .dietaryProtein, "g"),
    .init("nutrition", "total_carbohydrate", .dietaryCarbohydrates, "g"),
    .init("nutrition", "total_fat", .dietaryFatTotal, "g"),
    .init("nutrition", "dietary_fiber", .dietaryFiber, "g"),
    .init("nutrition", "sugar", .dietarySugar, "g"),
    .init("nutrition", "sodium", .dietarySodium, "g"),
    .init("nutrition", "caffeine", .dietaryCaffeine, "g"),
  ]

  static let series: [Series] = [
    .init(
      table: "heart_rate_record_table", rows: "heart_rate_record_series_table",
      column: "beats_per_minute", type: .heartRate, unit: "count/min")
  ]

  static let sleepSessions = "sleep_session_record_table"
  static let sleepStages = "sleep_stages_table"

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
}
