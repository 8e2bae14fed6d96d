extension RecordStream {
  /// What a watch and a phone record, and what people type in, in the order of an export.
  static let watch: [RecordStream] = [
    quantity("BodyMass", .kilograms, .bodyMass),
    quantity("Height", .centimetres, .height),
    quantity("BodyFatPercentage", .fraction, .bodyFat),
    quantity("HeartRate", .perMinute, isReversed: true, .heartRate),
    quantity("OxygenSaturation", .fraction, isReversed: true, .oxygen),
    quantity("BloodPressureSystolic", .millimetresOfMercury, .systolicPressure),
    quantity("BloodPressureDiastolic", .millimetresOfMercury, .diastolicPressure),
    quantity("BloodGlucose", .millimolesPerLitre, .bloodGlucose),
    quantity("RespiratoryRate", .perMinute, .respiratoryRate),
    quantity("StepCount", .count, .steps),
    quantity("DistanceWalkingRunning", .kilometres, .walkingDistance),
    quantity("BasalEnergyBurned", .kilocalories, .basalEnergy),
    quantity("ActiveEnergyBurned", .kilocalories, .activeEnergy),
    quantity("FlightsClimbed", .count, .flights),
    quantity("DietaryFatTotal", .grams, .dietaryFat),
    quantity("DietaryCarbohydrates", .grams, .dietaryCarbohydrates),
    quantity("DietaryProtein", .grams, .dietaryProtein),
    quantity("DietaryEnergyConsumed", .kilocalories, .dietaryEnergy),
    quantity("AppleExerciseTime", .minutes, since: .version3, .exerciseTime),
    quantity(
      "RestingHeartRate", .perMinute, since: .version3, isReversed: true, .restingHeartRate),
    quantity("VO2Max", .oxygenUptake, since: .version3, .oxygenUptake),
    quantity("WalkingHeartRateAverage", .perMinute, since: .version3, .walkingHeartRate),
    quantity("EnvironmentalAudioExposure", .decibels, since: .version11a, .environmentalSound),
    quantity("HeadphoneAudioExposure", .decibels, since: .version11a, .headphoneSound),
    quantity(
      "WalkingDoubleSupportPercentage", .fraction, since: .version11a, .walkingDoubleSupport),
    quantity("AppleStandTime", .minutes, since: .version11a, .standTime),
    quantity("WalkingAsymmetryPercentage", .fraction, since: .version11a, .walkingAsymmetry),
    quantity("WalkingStepLength", .centimetres, since: .version11a, .walkingStepLength),
    quantity("WalkingSpeed", .kilometresPerHour, since: .version11a, .walkingSpeed),
    quantity("AppleSleepingWristTemperature", .degrees, since: .version12, .wristTemperature),
    quantity("PhysicalEffort", .effort, since: .version13, .physicalEffort),
    quantity("TimeInDaylight", .minutes, since: .version13, .daylight),
    RecordStream("HKDataTypeSleepDurationGoal", .hours, since: .version8, .sleepGoal),
    category("SleepAnalysis", since: .ios8, .sleep),
    category("AppleStandHour", .standHours),
    category("MindfulSession", .mindfulness),
    quantity("HeartRateVariabilitySDNN", .milliseconds, since: .version3, .heartRateVariability),
  ]

  /// The same streams as ``watch``, where a phone does alone what it would leave to the watch.
  static let iphone: [RecordStream] = watch.map { stream in
    let models: [String: Model] = [
      "ActiveEnergyBurned": .phoneActiveEnergy, "BasalEnergyBurned": .phoneBasalEnergy,
      "HeadphoneAudioExposure": .phoneHeadphoneSound, "WalkingSpeed": .phoneWalkingSpeed,
      "WalkingStepLength": .phoneWalkingStepLength,
      "WalkingDoubleSupportPercentage": .phoneWalkingDoubleSupport,
      "WalkingAsymmetryPercentage": .phoneWalkingAsymmetry,
    ]
    return models[stream.name].map(stream.with) ?? stream
  }

  /// What a watch of another maker hands over beside what the phone records.
  static let garmin: [RecordStream] = [
    quantity("BodyMass", .kilograms, .bodyMass),
    quantity("HeartRate", .perMinute, .connectHeartRate),
    quantity("StepCount", .count, .connectSteps),
    quantity("DistanceWalkingRunning", .kilometres, .connectDistance),
    quantity("BasalEnergyBurned", .kilocalories, .connectBasalEnergy),
    quantity("ActiveEnergyBurned", .kilocalories, .connectActiveEnergy),
    quantity("FlightsClimbed", .count, .flights),
    quantity("RestingHeartRate", .perMinute, since: .version3, .connectRestingHeartRate),
    quantity("HeadphoneAudioExposure", .decibels, since: .version11a, .headphoneSound),
    quantity(
      "WalkingDoubleSupportPercentage", .fraction, since: .version11a, .walkingDoubleSupport),
    quantity("WalkingStepLength", .centimetres, since: .version11a, .walkingStepLength),
    quantity("WalkingSpeed", .kilometresPerHour, since: .version11a, .walkingSpeed),
    category("SleepAnalysis", since: .ios8, .connectSleep),
  ]

  /// What an app for food writes, in the order of an export.
  static let foods: [RecordStream] = [
    food("DietaryFatTotal", .grams, 9),
    food("DietaryFatPolyunsaturated", .grams, 1.6),
    food("DietaryFatMonounsaturated", .grams, 3.4),
    food("DietaryFatSaturated", .grams, 3.1),
    food("DietaryCholesterol", .milligrams, 41),
    food("DietarySodium", .milligrams, 310),
    food("DietaryCarbohydrates", .grams, 24),
    food("DietaryFiber", .grams, 3.2),
    food("DietarySugar", .grams, 8),
    food("DietaryEnergyConsumed", .kilocalories, 230),
    food("DietaryProtein", .grams, 10),
    food("DietaryVitaminA", .micrograms, 84),
    food("DietaryVitaminC", .milligrams, 9.4),
    food("DietaryCalcium", .milligrams, 92),
    food("DietaryIron", .milligrams, 1.3),
    food("DietaryPotassium", .milligrams, 270),
    food("DietaryMagnesium", .milligrams, 31),
    food("DietaryZinc", .milligrams, 0.9),
    food("DietaryCaffeine", .milligrams, 12),
    food("DietaryWater", .millilitres, 110),
  ]

  private static func food(_ name: String, _ unit: RecordUnit, _ amount: Double) -> RecordStream {
    quantity(name, unit, .nutrient(amount))
  }
}
