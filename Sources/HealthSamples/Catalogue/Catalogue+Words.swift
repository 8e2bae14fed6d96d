extension Catalogue {
  /// A common word for a type.
  struct Word: Sendable {
    let spelling: String
    let identifier: String
  }

  /// Common words for types that HealthKit names differently.
  static let words: [Word] = [
    quantity("active calories", "ActiveEnergyBurned"),
    quantity("active energy", "ActiveEnergyBurned"),
    quantity("alcohol", "NumberOfAlcoholicBeverages"),
    quantity("basal energy", "BasalEnergyBurned"),
    quantity("bike distance", "DistanceCycling"),
    quantity("blood oxygen", "OxygenSaturation"),
    quantity("blood sugar", "BloodGlucose"),
    quantity("BMI", "BodyMassIndex"),
    quantity("body fat", "BodyFatPercentage"),
    quantity("caffeine", "DietaryCaffeine"),
    quantity("calories", "ActiveEnergyBurned"),
    quantity("carbs", "DietaryCarbohydrates"),
    quantity("cardio fitness", "VO2Max"),
    quantity("cycling", "DistanceCycling"),
    quantity("daylight", "TimeInDaylight"),
    quantity("depth", "UnderwaterDepth"),
    quantity("diastolic", "BloodPressureDiastolic"),
    quantity("distance", "DistanceWalkingRunning"),
    quantity("energy", "ActiveEnergyBurned"),
    quantity("exercise", "AppleExerciseTime"),
    quantity("exercise minutes", "AppleExerciseTime"),
    quantity("falls", "NumberOfTimesFallen"),
    quantity("fat", "DietaryFatTotal"),
    quantity("fiber", "DietaryFiber"),
    quantity("flights", "FlightsClimbed"),
    quantity("floors", "FlightsClimbed"),
    quantity("glucose", "BloodGlucose"),
    quantity("headphones", "HeadphoneAudioExposure"),
    quantity("heart rate variability", "HeartRateVariabilitySDNN"),
    quantity("heart rate recovery", "HeartRateRecoveryOneMinute"),
    quantity("HR", "HeartRate"),
    quantity("HRV", "HeartRateVariabilitySDNN"),
    quantity("insulin", "InsulinDelivery"),
    quantity("lean mass", "LeanBodyMass"),
    quantity("move minutes", "AppleMoveTime"),
    quantity("noise", "EnvironmentalAudioExposure"),
    quantity("protein", "DietaryProtein"),
    quantity("pulse", "HeartRate"),
    quantity("pushes", "PushCount"),
    quantity("respiration", "RespiratoryRate"),
    quantity("resting energy", "BasalEnergyBurned"),
    quantity("resting HR", "RestingHeartRate"),
    quantity("RHR", "RestingHeartRate"),
    quantity("RMSSD", "HeartRateVariabilityRMSSD"),
    quantity("running distance", "DistanceWalkingRunning"),
    quantity("SDNN", "HeartRateVariabilitySDNN"),
    quantity("sodium", "DietarySodium"),
    quantity("SpO2", "OxygenSaturation"),
    quantity("stand minutes", "AppleStandTime"),
    quantity("steps", "StepCount"),
    quantity("strokes", "SwimmingStrokeCount"),
    quantity("sugar", "DietarySugar"),
    quantity("swimming", "DistanceSwimming"),
    quantity("systolic", "BloodPressureSystolic"),
    quantity("temperature", "BodyTemperature"),
    quantity("waist", "WaistCircumference"),
    quantity("walking distance", "DistanceWalkingRunning"),
    quantity("walking HR", "WalkingHeartRateAverage"),
    quantity("water", "DietaryWater"),
    quantity("weight", "BodyMass"),
    quantity("wheelchair distance", "DistanceWheelchair"),
    quantity("wrist temperature", "AppleSleepingWristTemperature"),
    category("handwashing", "HandwashingEvent"),
    category("meditation", "MindfulSession"),
    category("mindful minutes", "MindfulSession"),
    category("mindfulness", "MindfulSession"),
    category("period", "MenstrualFlow"),
    category("sleep", "SleepAnalysis"),
    category("sleep apnea", "SleepApneaEvent"),
    category("stand hours", "AppleStandHour"),
    category("toothbrushing", "ToothbrushingEvent"),
  ]

  private static func quantity(_ spelling: String, _ suffix: String) -> Word {
    Word(spelling: spelling, identifier: HKQuantityTypeIdentifier(suffix: suffix).rawValue)
  }

  private static func category(_ spelling: String, _ suffix: String) -> Word {
    Word(spelling: spelling, identifier: HKCategoryTypeIdentifier(suffix: suffix).rawValue)
  }
}
