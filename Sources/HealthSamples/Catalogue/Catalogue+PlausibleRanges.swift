import HealthUnits

extension Catalogue {
  /// The values of a type that people and devices have; others are most likely slips of the pen.
  public struct PlausibleRange: Sendable, Hashable {
    /// The type.
    public let identifier: HKQuantityTypeIdentifier
    /// The range as people say it, in ``unit``: 30 to 100 for `%`.
    public let range: ClosedRange<Double>
    /// The unit of ``range``.
    public let unit: String
    /// Who publishes the limits.
    public let source: String

    init(
      _ suffix: String, _ low: Double, _ high: Double, _ unit: String, _ source: String
    ) {
      identifier = HKQuantityTypeIdentifier(suffix: suffix)
      range = low...high
      self.unit = unit
      self.source = source
    }

    /// The range as it is said in a unit; `nil` for a unit of another quantity.
    public func bounds(in spoken: DisplayUnit) -> ClosedRange<Double>? {
      guard let own = (try? UnitExpression(unit)).map(DisplayUnit.init),
        let conversion = try? UnitConversion(from: own.unit, to: spoken.unit)
      else { return nil }
      let low = spoken.spoken(conversion(own.stored(range.lowerBound)))
      let high = spoken.spoken(conversion(own.stored(range.upperBound)))
      return min(low, high)...max(low, high)
    }
  }

  /// Ranges of one sample, by type; wide enough for records and for the ill.
  // swift-format-ignore
  public static let plausibleRanges: [PlausibleRange] = [
    .init("ActiveEnergyBurned", 0, 30_000, "kcal", "16,310 kcal in a run of 100 miles (Dumke et al. 2006)"),
    .init("AppleExerciseTime", 0, 1440, "min", "A day has 1,440 minutes"),
    .init("AppleMoveTime", 0, 1440, "min", "A day has 1,440 minutes"),
    .init("AppleSleepingWristTemperature", 13, 47, "degC", "Survived core temperatures: 13.7 °C (Gilbert et al. 2000), 46.5 °C (Slovis et al. 1982)"),
    .init("AppleStandTime", 0, 1440, "min", "A day has 1,440 minutes"),
    .init("BasalBodyTemperature", 13, 47, "degC", "Survived core temperatures: 13.7 °C (Gilbert et al. 2000), 46.5 °C (Slovis et al. 1982)"),
    .init("BasalEnergyBurned", 0, 10_000, "kcal", "Health Connect, BasalMetabolicRateRecord: at most 10,000 kcal a day"),
    .init("BloodAlcoholContent", 0, 1.6, "%", "Highest survived: 1.5 % (Johnson et al. 1982)"),
    .init("BloodGlucose", 10, 900, "mg/dL", "Health Connect, BloodGlucoseRecord: at most 50 mmol/L; meters begin at 10 mg/dL"),
    .init("BloodPressureDiastolic", 10, 350, "mmHg", "Health Connect, BloodPressureRecord: from 10; 350 under a heavy load (MacDougall et al. 1985)"),
    .init("BloodPressureSystolic", 20, 480, "mmHg", "Health Connect, BloodPressureRecord: from 20; 480 under a heavy load (MacDougall et al. 1985)"),
    .init("BodyFatPercentage", 2, 80, "%", "Essential fat of men: from 2 % (American Council on Exercise)"),
    .init("BodyMass", 0.2, 650, "kg", "Guinness World Records: 212 g at birth, 635 kg"),
    .init("BodyMassIndex", 5, 210, "count", "Guinness World Records: 610 kg at 1.73 m; 5 is below any survivor of starvation (Henry 1990)"),
    .init("BodyTemperature", 13, 47, "degC", "Survived core temperatures: 13.7 °C (Gilbert et al. 2000), 46.5 °C (Slovis et al. 1982)"),
    .init("CyclingCadence", 0, 300, "count/min", "Health Connect, CyclingPedalingCadenceRecord: at most 10,000; sprinters reach about 200"),
    .init("CyclingFunctionalThresholdPower", 20, 600, "W", "The hour record takes about 450 W"),
    .init("CyclingPower", 0, 3000, "W", "Track sprinters reach about 2,500 W; Health Connect, PowerRecord: at most 100,000"),
    .init("CyclingSpeed", 0, 300, "km/hr", "Guinness World Records: 296 km/h behind a car"),
    .init("DietaryCaffeine", 0, 10_000, "mg", "Fatal from about 10 g (EFSA 2015)"),
    .init("DietaryCarbohydrates", 0, 2000, "g", "About 1,000 g on days of the Tour de France (Saris et al. 1989)"),
    .init("DietaryEnergyConsumed", 0, 20_000, "kcal", "7,700 kcal on a day of the Tour de France (Saris et al. 1989)"),
    .init("DietaryFatTotal", 0, 2000, "g", "18,000 kcal; see DietaryEnergyConsumed"),
    .init("DietaryProtein", 0, 1000, "g", "Well above what the liver turns into urea in a day, about 250 g (Rudman et al. 1973)"),
    .init("DietarySodium", 0, 50_000, "mg", "Fatal from about 10 g at once (Campbell et al. 2017)"),
    .init("DietaryWater", 0, 30, "L", "Health Connect, HydrationRecord: at most 100; kidneys excrete about 20 L a day"),
    .init("DistanceCycling", 0, 1100, "km", "World record of 24 hours: 1,026 km"),
    .init("DistanceSwimming", 0, 400, "km", "Guinness World Records: 225 km of open water"),
    .init("DistanceWalkingRunning", 0, 400, "km", "World record of 24 hours: 319.6 km"),
    .init("DistanceWheelchair", 0, 400, "km", "Guinness World Records: 182 km in 24 hours"),
    .init("EnvironmentalAudioExposure", 0, 194, "dBASPL", "The loudest undistorted sound in air is 194 dB"),
    .init("FlightsClimbed", 0, 10_000, "count", "Health Connect, FloorsClimbedRecord: at most 1,000,000; 10,000 are 30 km of height"),
    .init("ForcedExpiratoryVolume1", 0.1, 8, "L", "Spirometers reach 8 L (ATS/ERS 2019)"),
    .init("ForcedVitalCapacity", 0.1, 12, "L", "Spirometers reach 8 L (ATS/ERS 2019); the largest reported is 11.7 L"),
    .init("HeadphoneAudioExposure", 0, 194, "dBASPL", "The loudest undistorted sound in air is 194 dB"),
    .init("HeartRate", 20, 300, "count/min", "Health Connect, HeartRateRecord: at most 300; Guinness World Records: 27 at rest"),
    .init("HeartRateRecoveryOneMinute", 0, 150, "count/min", "Normal from 12 up (Cole et al. 1999)"),
    .init("HeartRateVariabilityRMSSD", 1, 500, "ms", "Health Connect, HeartRateVariabilityRmssdRecord: 1 to 200"),
    .init("HeartRateVariabilitySDNN", 1, 500, "ms", "Healthy days: 141 ± 39 ms (Task Force of the ESC and NASPE 1996)"),
    .init("Height", 20, 280, "cm", "Guinness World Records: 272 cm; the shortest newborns"),
    .init("InhalerUsage", 0, 200, "count", "An inhaler holds about 200 puffs"),
    .init("InsulinDelivery", 0, 1500, "IU", "Pens hold 300 to 1,500 IU"),
    .init("LeanBodyMass", 0.2, 300, "kg", "121 kg in sumo wrestlers (Kondo et al. 1994)"),
    .init("OxygenSaturation", 30, 100, "%", "34 % on Mount Everest (Grocott et al. 2009)"),
    .init("PeakExpiratoryFlowRate", 20, 1000, "L/min", "Peak flow meters reach 800 L/min (EN ISO 23747)"),
    .init("PeripheralPerfusionIndex", 0.02, 20, "%", "Range of pulse oximeters (Masimo)"),
    .init("PhysicalEffort", 0, 30, "kcal/hr·kg", "Compendium of Physical Activities 2011: at most 23 MET"),
    .init("PushCount", 0, 1_000_000, "count", "Health Connect, WheelchairPushesRecord: 1 to 1,000,000"),
    .init("RespiratoryRate", 2, 150, "count/min", "Ventilators reach 150 breaths a minute"),
    .init("RestingHeartRate", 20, 250, "count/min", "Guinness World Records: 27 at rest; tachycardia reaches 250"),
    .init("RunningPower", 0, 3000, "W", "As for cycling; Health Connect, PowerRecord: at most 100,000"),
    .init("RunningSpeed", 0, 45, "km/hr", "World Athletics: 44.7 km/h in the 100 m of 2009"),
    .init("SixMinuteWalkTestDistance", 0, 1500, "m", "15 km/h, the speed of race walkers"),
    .init("StepCount", 0, 1_000_000, "count", "Health Connect, StepsRecord: 1 to 1,000,000"),
    .init("SwimmingStrokeCount", 0, 400_000, "count", "Guinness World Records: 225 km of open water"),
    .init("TimeInDaylight", 0, 1440, "min", "A day has 1,440 minutes"),
    .init("UVExposure", 0, 45, "count", "Highest index measured: 43.3 (Cabrol et al. 2014)"),
    .init("UnderwaterDepth", 0, 340, "m", "Guinness World Records: 332 m with scuba"),
    .init("VO2Max", 5, 100, "mL/min·kg", "Health Connect, Vo2MaxRecord: at most 100"),
    .init("WaistCircumference", 20, 310, "cm", "Guinness World Records: 302 cm"),
    .init("WalkingDoubleSupportPercentage", 5, 100, "%", "Healthy gait: 20 to 40 % (Apple, Measuring Walking Quality, 2022)"),
    .init("WalkingHeartRateAverage", 20, 300, "count/min", "Health Connect, HeartRateRecord: at most 300"),
    .init("WalkingSpeed", 0, 16, "km/hr", "World Athletics: race walk of 20 km at 15.7 km/h"),
    .init("WalkingStepLength", 5, 200, "cm", "Above the step of the tallest person, 272 cm (Guinness World Records)"),
    .init("WaterTemperature", -3, 60, "degC", "Sea water freezes at −1.9 °C"),
  ]

  private static let plausibleRangesByType = Dictionary(
    plausibleRanges.map { ($0.identifier.rawValue, $0) }, uniquingKeysWith: { first, _ in first })

  /// The plausible range of a type; `nil` where none is known.
  ///
  /// It is for questions to a person who types a value, and says whether 0.97 beside `%` is a fraction
  /// (``DisplayUnit/share(_:within:)``); no value is refused by it.
  ///
  /// - Complexity: O(1)
  public static func plausibleRange(of type: SampleType) -> PlausibleRange? {
    plausibleRangesByType[type.identifier]
  }
}
