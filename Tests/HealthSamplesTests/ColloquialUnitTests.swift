import HealthSamples
import HealthUnits
import Testing

/// Units as people write them for values of a type.
@Suite struct ColloquialUnitTests {
  @Test(
    "what people write is read as the unit it means",
    arguments: [
      (.bodyMass, "lbs", "lb"), (.bodyMass, "kgs", "kg"), (.bodyMass, "Pounds", "lb"),
      (.bodyMass, "stone", "st"), (.bodyMass, " kg ", "kg"), (.heartRate, "bpm", "count/min"),
      (.heartRate, "beats per minute", "count/min"), (.heartRate, "count / min", "count/min"),
      (.bodyTemperature, "°C", "degC"), (.bodyTemperature, "°F", "degF"),
      (.bodyTemperature, "celsius", "degC"), (.dietaryVitaminC, "µg", "mcg"),
      (.dietaryVitaminC, "μg", "mcg"), (.dietaryVitaminC, "ug", "mcg"),
      (.walkingSpeed, "km/h", "km/hr"), (.walkingSpeed, "kph", "km/hr"),
      (.walkingSpeed, "mph", "mi/hr"), (.walkingSpeed, "m/sec", "m/s"),
      (.bloodGlucose, "mmol/L", "mmol<180.1558800000541>/L"),
      (.bloodGlucose, "mmol/l", "mmol<180.1558800000541>/L"),
      (.bloodGlucose, "mmol<180.1558800000541>/L", "mmol<180.1558800000541>/L"),
      (.bloodGlucose, "mM", "mmol<180.1558800000541>/L"), (.bloodGlucose, "mg/dl", "mg/dL"),
      (.activeEnergyBurned, "kcal", "kcal"), (.activeEnergyBurned, "Cal", "Cal"),
      (.activeEnergyBurned, "kilojoules", "kJ"), (.activeEnergyBurned, "kj", "kJ"),
      (.oxygenSaturation, "%", "%"), (.oxygenSaturation, "percent", "%"),
      (.appleExerciseTime, "hours", "hr"), (.appleExerciseTime, "h", "hr"),
      (.appleExerciseTime, "min", "min"), (.appleExerciseTime, "minutes", "min"),
      (.distanceWalkingRunning, "miles", "mi"), (.distanceWalkingRunning, "kilometers", "km"),
      (.distanceWalkingRunning, "Km", "km"), (.bloodPressureSystolic, "mm Hg", "mmHg"),
      (.bloodPressureSystolic, "mm[Hg]", "mmHg"), (.bloodPressureSystolic, "kpa", "kPa"),
      (.vo2Max, "mL/kg/min", "mL/min·kg"), (.vo2Max, "ml/(kg*min)", "mL/min·kg"),
      (.dietaryWater, "fl oz", "fl_oz_us"), (.dietaryWater, "cups", "cup_us"),
      (.stepCount, "steps", "count"),
    ] as [(HKQuantityTypeIdentifier, String, String)])
  func reads(type: HKQuantityTypeIdentifier, text: String, unit: String) throws {
    let type = SampleType(type)
    #expect(try type.unit(colloquial: text) == UnitExpression(unit))
    _ = try UnitConversion(
      from: try #require(type.canonicalUnit), to: type.unit(colloquial: text))
  }

  @Test(
    "what is of another dimension, incomplete or misprinted is refused",
    arguments: [
      (.bodyMass, "bpm"), (.bodyMass, "5 kg"), (.bodyMass, "kilogrms"), (.bodyMass, "(kg"),
      (.heartRate, "kg"), (.stepCount, "mmol/L"), (.bloodGlucose, "mmol"), (.bodyMass, "kg^"),
      (.dietaryVitaminC, "mmol"), (.bodyMass, ""), (.bodyMass, "  "), (.bodyMass, "furlong"),
    ] as [(HKQuantityTypeIdentifier, String)])
  func refuses(type: HKQuantityTypeIdentifier, text: String) throws {
    let type = SampleType(type)
    let error = #expect(throws: UnitError.self) { try type.unit(colloquial: text) }
    if let suggestion = error?.suggestion {
      #expect(
        try type.unit(colloquial: suggestion).isCompatible(with: #require(type.canonicalUnit)))
    }
  }

  @Test("the strict reader stays strict")
  func strict() {
    for text in ["lbs", "bpm", "°C", "µg", "km/h", "hours"] {
      #expect(throws: UnitError.self) { try UnitExpression(text) }
    }
  }

  @Test("everyday units of every type convert to its own")
  func everyday() throws {
    for type in Catalogue.types {
      guard let canonical = type.canonicalUnit else { continue }
      #expect(!type.everydayUnits.isEmpty)
      for name in type.everydayUnits {
        #expect(try type.unit(colloquial: name).isCompatible(with: canonical), "\(type) \(name)")
      }
    }
    #expect(SampleType(.bloodGlucose).everydayUnits.contains("mmol/L"))
    #expect(!SampleType(.stepCount).everydayUnits.contains("kg"))
  }

  @Test("people see a unit without the molar mass of what is measured")
  func short() throws {
    #expect(try UnitExpression("mmol<180.1558800000541>/L").shortDescription == "mmol/L")
    #expect(try UnitExpression("mL/kg·min").shortDescription == "mL/min·kg")
  }
}
