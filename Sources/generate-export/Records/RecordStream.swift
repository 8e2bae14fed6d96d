/// One type of record: what an export calls it, and the model that makes its rows.
struct RecordStream {
  /// The full identifier.
  let type: String
  /// How values are written, or nothing for a category.
  let unit: RecordUnit?
  /// Whether the export holds the newest record first.
  let isReversed: Bool
  /// Adds the rows of a day.
  let model: Model

  /// A way to make the rows of a day.
  struct Model: Sendable {
    let addRows: @Sendable (inout DayRecorder) -> Void
  }

  /// Every stream, in the order of an export.
  static let all: [RecordStream] = [
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
    quantity("AppleExerciseTime", .minutes, .exerciseTime),
    quantity("RestingHeartRate", .perMinute, isReversed: true, .restingHeartRate),
    quantity("VO2Max", .oxygenUptake, .oxygenUptake),
    quantity("WalkingHeartRateAverage", .perMinute, .walkingHeartRate),
    quantity("EnvironmentalAudioExposure", .decibels, .environmentalSound),
    quantity("HeadphoneAudioExposure", .decibels, .headphoneSound),
    quantity("WalkingDoubleSupportPercentage", .fraction, .walkingDoubleSupport),
    quantity("AppleStandTime", .minutes, .standTime),
    quantity("WalkingAsymmetryPercentage", .fraction, .walkingAsymmetry),
    quantity("WalkingStepLength", .centimetres, .walkingStepLength),
    quantity("WalkingSpeed", .kilometresPerHour, .walkingSpeed),
    quantity("AppleSleepingWristTemperature", .degrees, .wristTemperature),
    quantity("PhysicalEffort", .effort, .physicalEffort),
    quantity("TimeInDaylight", .minutes, .daylight),
    RecordStream(
      type: "HKDataTypeSleepDurationGoal", unit: .hours, isReversed: false, model: .sleepGoal),
    category("SleepAnalysis", .sleep),
    category("AppleStandHour", .standHours),
    category("MindfulSession", .mindfulness),
    quantity("HeartRateVariabilitySDNN", .milliseconds, .heartRateVariability),
  ]

  private static func quantity(
    _ name: String, _ unit: RecordUnit, isReversed: Bool = false, _ model: Model
  ) -> RecordStream {
    RecordStream(
      type: "HKQuantityTypeIdentifier" + name, unit: unit, isReversed: isReversed, model: model)
  }

  private static func category(_ name: String, _ model: Model) -> RecordStream {
    RecordStream(
      type: "HKCategoryTypeIdentifier" + name, unit: nil, isReversed: false, model: model)
  }
}
