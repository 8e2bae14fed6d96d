// Cases have Apple's names and need no doc comment.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The version of the algorithm that classified an electrocardiogram.
public enum HKAppleECGAlgorithmVersion: Int, Sendable {
  case version1 = 1
  case version2 = 2
}

/// When blood glucose was measured, relative to a meal.
public enum HKBloodGlucoseMealTime: Int, Sendable {
  case preprandial = 1
  case postprandial = 2
}

/// Where on the body temperature was measured.
public enum HKBodyTemperatureSensorLocation: Int, Sendable {
  case other = 0
  case armpit = 1
  case body = 2
  case ear = 3
  case finger = 4
  case gastroIntestinal = 5
  case mouth = 6
  case rectum = 7
  case toe = 8
  case earDrum = 9
  case temporalArtery = 10
  case forehead = 11
}

/// The test that gave a functional threshold power.
public enum HKCyclingFunctionalThresholdPowerTestType: Int, Sendable {
  case maxExercise60Minute = 1
  case maxExercise20Minute = 2
  case rampTest = 3
  case predictionExercise = 4
}

/// The side of the body that wears a device.
public enum HKDevicePlacementSide: Int, Sendable {
  case unknown = 0
  case left = 1
  case right = 2
  case central = 3
}

/// How much someone moved while heart rate was measured.
public enum HKHeartRateMotionContext: Int, Sendable {
  case notSet = 0
  case sedentary = 1
  case active = 2
}

/// The test that gave a heart rate recovery.
public enum HKHeartRateRecoveryTestType: Int, Sendable {
  case maxExercise = 1
  case predictionSubMaxExercise = 2
  case predictionNonExercise = 3
}

/// Where on the body heart rate was measured.
public enum HKHeartRateSensorLocation: Int, Sendable {
  case other = 0
  case chest = 1
  case wrist = 2
  case finger = 3
  case hand = 4
  case earLobe = 5
  case foot = 6
}

/// Why insulin was delivered.
public enum HKInsulinDeliveryReason: Int, Sendable {
  case basal = 1
  case bolus = 2
}

/// How physical effort was estimated.
public enum HKPhysicalEffortEstimationType: Int, Sendable {
  case activityLookup = 1
  case deviceSensed = 2
}

/// A style of swimming.
public enum HKSwimmingStrokeStyle: Int, Sendable {
  case unknown = 0
  case mixed = 1
  case freestyle = 2
  case backstroke = 3
  case breaststroke = 4
  case butterfly = 5
  case kickboard = 6
}

/// Whether someone moved while a sample was taken.
public enum HKUserMotionContext: Int, Sendable {
  case notSet = 0
  case stationary = 1
  case active = 2
}

/// The test that gave a maximal oxygen uptake.
public enum HKVO2MaxTestType: Int, Sendable {
  case maxExercise = 1
  case predictionSubMaxExercise = 2
  case predictionNonExercise = 3
  case predictionStepTest = 4
}

/// Whether water is fresh or salty.
public enum HKWaterSalinity: Int, Sendable {
  case freshWater = 1
  case saltWater = 2
}

/// The weather during a sample.
public enum HKWeatherCondition: Int, Sendable {
  case none = 0
  case clear = 1
  case fair = 2
  case partlyCloudy = 3
  case mostlyCloudy = 4
  case cloudy = 5
  case foggy = 6
  case haze = 7
  case windy = 8
  case blustery = 9
  case smoky = 10
  case dust = 11
  case snow = 12
  case hail = 13
  case sleet = 14
  case freezingDrizzle = 15
  case freezingRain = 16
  case mixedRainAndHail = 17
  case mixedRainAndSnow = 18
  case mixedRainAndSleet = 19
  case mixedSnowAndSleet = 20
  case drizzle = 21
  case scatteredShowers = 22
  case showers = 23
  case thunderstorms = 24
  case tropicalStorm = 25
  case hurricane = 26
  case tornado = 27
}
