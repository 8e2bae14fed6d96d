import Foundation
internal import HealthSamples

extension HKQuantityType {
  /// The unit in which people of a country expect the type, unless the owner chose one.
  ///
  /// Apple publishes no table. Rates count by the minute and distances in kilometres; in the United
  /// States bodies weigh pounds, measure feet and inches and are as warm as Fahrenheit's degrees, and
  /// distances are miles, as in the United Kingdom. All else is in the type's own unit.
  func unit(in system: Locale.MeasurementSystem) -> HKUnit {
    let type = HKQuantityTypeIdentifier(rawValue: identifier)
    if Self.rates.contains(type) { return HKUnit.count().unitDivided(by: .minute()) }
    if Self.swims.contains(type) { return system == .us ? .yard() : .meter() }
    if identifier.hasPrefix("HKQuantityTypeIdentifierDistance") {
      return system == .metric ? .meterUnit(with: .kilo) : .mile()
    }
    if Self.masses.contains(type) { return system == .us ? .pound() : .gramUnit(with: .kilo) }
    if type == .height { return system == .us ? .foot() : .meterUnit(with: .centi) }
    if Self.lengths.contains(type) { return system == .us ? .inch() : .meterUnit(with: .centi) }
    if system == .us, HKUnit(core.unit) == .degreeCelsius() { return .degreeFahrenheit() }
    return HKUnit(core.unit)
  }

  private static let rates: Set<HKQuantityTypeIdentifier> = [.heartRate, .respiratoryRate]
  private static let swims: Set<HKQuantityTypeIdentifier> = [.distanceSwimming]
  private static let masses: Set<HKQuantityTypeIdentifier> = [.bodyMass, .leanBodyMass]
  private static let lengths: Set<HKQuantityTypeIdentifier> = [
    .waistCircumference, .walkingStepLength,
  ]
}
