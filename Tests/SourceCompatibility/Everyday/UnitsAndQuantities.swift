import HealthKit
import Testing

/// Units as apps spell them, and quantities that change between them.
@Suite
struct UnitsAndQuantities {
  @Test("Factories, prefixes and arithmetic build the unit that a text names")
  func spellings() {
    let beats = HKUnit.count().unitDivided(by: .minute())
    #expect(beats == HKUnit(from: "count/min"))
    #expect(beats.unitString == "count/min")
    let glucose = HKUnit.gramUnit(with: .milli).unitDivided(by: HKUnit.literUnit(with: .deci))
    #expect(glucose == HKUnit(from: "mg/dL"))
    let moles = HKUnit.moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose)
      .unitDivided(by: .liter())
    #expect(HKQuantity(unit: moles, doubleValue: 5).is(compatibleWith: glucose))
    let oxygen = HKUnit.literUnit(with: .milli)
      .unitDivided(by: HKUnit.gramUnit(with: .kilo).unitMultiplied(by: .minute()))
    #expect(oxygen == HKUnit(from: "mL/kg*min"))
    #expect(HKUnit.second().reciprocal() == HKUnit.second().unitRaised(toPower: -1))
    #expect(HKUnit(from: .kilogram) == .gramUnit(with: .kilo))
    #expect(HKUnit(from: LengthFormatter.Unit.mile) == .mile())
    #expect(HKUnit.energyFormatterUnit(from: .kilocalorie()) == .kilocalorie)
  }

  @Test("A quantity reads in every unit of its dimension")
  func conversions() {
    let weight = HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 80)
    #expect(weight.doubleValue(for: .gram()) == 80_000)
    #expect(weight.is(compatibleWith: .pound()))
    #expect(!weight.is(compatibleWith: .meter()))
    let run = HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 5)
    #expect(run.doubleValue(for: .meter()) == 5000)
    let fever = HKQuantity(unit: .degreeFahrenheit(), doubleValue: 212)
    #expect(abs(fever.doubleValue(for: .degreeCelsius()) - 100) < 1e-9)
    let share = HKQuantity(unit: .percent(), doubleValue: 0.97)
    #expect("\(Int(share.doubleValue(for: .percent()) * 100)) %" == "97 %")
  }

  @Test("Quantities are ordered and equal across units")
  func comparisons() {
    let short = HKQuantity(unit: .meter(), doubleValue: 900)
    let long = HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 1)
    #expect(short.compare(long) == .orderedAscending)
    #expect(long.compare(HKQuantity(unit: .meter(), doubleValue: 1000)) == .orderedSame)
    #expect(Set([HKUnit.count(), HKUnit(from: "count")]).count == 1)
  }

  @Test("Preferred units are looked up by type")
  func preferences() {
    let preferred: [HKQuantityType: HKUnit] = [
      HKQuantityType(.bodyMass): .pound(),
      HKQuantityType(.heartRate): .count().unitDivided(by: .minute()),
    ]
    #expect(preferred[HKQuantityType(.bodyMass)] == .pound())
    for (type, unit) in preferred { #expect(type.is(compatibleWith: unit)) }
  }
}
