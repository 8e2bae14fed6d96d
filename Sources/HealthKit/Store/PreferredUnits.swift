import Foundation
internal import HealthSamples

extension HKQuantityType {
  /// The unit in which people of a country expect the type, unless the owner chose one.
  ///
  /// Apple publishes no table. Rates are per minute. Distances are in kilometres, and in miles in
  /// the United States and the United Kingdom. In the United States masses are in pounds, lengths
  /// in feet or inches, and temperatures in degrees Fahrenheit. Other types have their own unit.
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
