/// The measures with a row of their own: family, order, unit, decimals, words of comparison.
enum Measures {
  /// Every row, in the order of the page.
  // swift-format-ignore
  static let all: [Measure] = rows([
    // Activity
    .sum("stepCount", .activity, "count", 0, .counted),
    .sum("activeEnergyBurned", .activity, "kcal", 0, .mass),
    .sum("appleExerciseTime", .activity, "min", 0, .mass),
    .sum("distanceWalkingRunning", .activity, "km", 1, .mass),
    .sum("flightsClimbed", .activity, "count", 0, .counted),
    .sum("appleStandTime", .activity, "min", 0, .mass),
    .sum("appleStandHour", .activity, "hr", 0, .counted),
    .sum("appleMoveTime", .activity, "min", 0, .mass),
    .sum("basalEnergyBurned", .activity, "kcal", 0, .mass),
    .sum("timeInDaylight", .activity, "min", 0, .mass),
    .level("physicalEffort", .activity, "kcal/hr·kg", 1),
    .sum("distanceCycling", .activity, "km", 1, .mass),
    .sum("distanceSwimming", .activity, "m", 0, .mass),
    .sum("swimmingStrokeCount", .activity, "count", 0, .counted),
    .sum("distanceWheelchair", .activity, "km", 1, .mass),
    .sum("pushCount", .activity, "count", 0, .counted),
    .level("runningSpeed", .activity, "km/hr", 1),
    .level("runningPower", .activity, "W", 0),
    .level("cyclingSpeed", .activity, "km/hr", 1),
    .level("cyclingPower", .activity, "W", 0),
    .level("cyclingCadence", .activity, "count/min", 0),
    .sum("mindfulSession", .activity, "min", 0, .mass),
    // Heart and breath
    .level("restingHeartRate", .heart, "count/min", 0),
    .level("heartRateVariabilitySDNN", .heart, "ms", 0),
    .level("heartRateVariabilityRMSSD", .heart, "ms", 0),
    .level("heartRate", .heart, "count/min", 0),
    .level("walkingHeartRateAverage", .heart, "count/min", 0),
    .level("heartRateRecoveryOneMinute", .heart, "count/min", 0),
    .level("vo2Max", .heart, "mL/min·kg", 1),
    .level("oxygenSaturation", .heart, "%", 1),
    .level("respiratoryRate", .heart, "count/min", 1),
    .level("atrialFibrillationBurden", .heart, "%", 1),
    .level("peripheralPerfusionIndex", .heart, "%", 1),
    .level("forcedVitalCapacity", .heart, "L", 2),
    .level("forcedExpiratoryVolume1", .heart, "L", 2),
    .level("peakExpiratoryFlowRate", .heart, "L/min", 0),
    .sum("inhalerUsage", .heart, "count", 0, .counted),
    // Sleep
    .init("sleep", .sleep, "min", 0, .duration, .night, .mass),
    .level("appleSleepingWristTemperature", .sleep, "degC", 2),
    .level("appleSleepingBreathingDisturbances", .sleep, "count", 1),
    // Body
    .level("bodyMass", .body, "kg", 1),
    .level("bodyFatPercentage", .body, "%", 1),
    .level("leanBodyMass", .body, "kg", 1),
    .level("bodyMassIndex", .body, "count", 1),
    .level("waistCircumference", .body, "cm", 1, .size),
    .level("height", .body, "cm", 0, .size),
    .level("bloodPressureSystolic", .body, "mmHg", 0),
    .level("bloodPressureDiastolic", .body, "mmHg", 0),
    .level("bodyTemperature", .body, "degC", 1),
    .level("basalBodyTemperature", .body, "degC", 2),
    .level("electrodermalActivity", .body, "mcS", 2),
    // Glucose and food
    .level("bloodGlucose", .food, "mg/dL", 0),
    .sum("insulinDelivery", .food, "IU", 1, .mass),
    .sum("dietaryEnergyConsumed", .food, "kcal", 0, .mass),
    .sum("dietaryProtein", .food, "g", 0, .mass),
    .sum("dietaryCarbohydrates", .food, "g", 0, .counted),
    .sum("dietaryFatTotal", .food, "g", 0, .mass),
    .sum("dietaryFatSaturated", .food, "g", 0, .mass),
    .sum("dietarySugar", .food, "g", 0, .mass),
    .sum("dietaryFiber", .food, "g", 0, .mass),
    .sum("dietarySodium", .food, "mg", 0, .mass),
    .sum("dietaryCholesterol", .food, "mg", 0, .mass),
    .sum("dietaryWater", .food, "L", 1, .mass),
    .sum("dietaryCaffeine", .food, "mg", 0, .mass),
    .sum("numberOfAlcoholicBeverages", .food, "count", 1, .counted),
    .level("bloodAlcoholContent", .food, "%", 2),
    // Walking and hearing
    .level("walkingSpeed", .walk, "km/hr", 1),
    .level("walkingStepLength", .walk, "cm", 0, .length),
    .level("walkingDoubleSupportPercentage", .walk, "%", 1),
    .level("walkingAsymmetryPercentage", .walk, "%", 1),
    .level("appleWalkingSteadiness", .walk, "%", 1),
    .level("sixMinuteWalkTestDistance", .walk, "m", 0, .length),
    .level("stairAscentSpeed", .walk, "m/s", 2),
    .level("stairDescentSpeed", .walk, "m/s", 2),
    .sum("numberOfTimesFallen", .walk, "count", 0, .counted),
    .level("environmentalAudioExposure", .walk, "dBASPL", 0),
    .level("headphoneAudioExposure", .walk, "dBASPL", 0),
    .level("environmentalSoundReduction", .walk, "dBASPL", 0),
  ])

  static let byIdentifier = Dictionary(
    all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })

  private static func rows(_ rows: [Row]) -> [Measure] {
    rows.enumerated().map { order, row in
      Measure(
        id: row.id, family: row.family, order: order, unit: row.unit, digits: row.digits,
        form: row.form, per: row.per, comparison: row.comparison)
    }
  }

  private struct Row {
    let id: String
    let family: Measure.Family
    let unit: String
    let digits: Int
    let form: Measure.Form
    let per: Measure.Per
    let comparison: Measure.Comparison

    init(
      _ id: String, _ family: Measure.Family, _ unit: String, _ digits: Int, _ form: Measure.Form,
      _ per: Measure.Per, _ comparison: Measure.Comparison
    ) {
      (self.id, self.family, self.unit, self.digits) = (id, family, unit, digits)
      (self.form, self.per, self.comparison) = (form, per, comparison)
    }

    /// What is added up over a day.
    static func sum(
      _ id: String, _ family: Measure.Family, _ unit: String, _ digits: Int,
      _ comparison: Measure.Comparison
    ) -> Row {
      Row(id, family, unit, digits, .number, .day, comparison)
    }

    /// What has a mean.
    static func level(
      _ id: String, _ family: Measure.Family, _ unit: String, _ digits: Int,
      _ comparison: Measure.Comparison = .level
    ) -> Row {
      Row(id, family, unit, digits, .number, .none, comparison)
    }
  }
}
