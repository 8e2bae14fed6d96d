public import HealthUnits

extension Catalogue {
  /// The customary units of a country.
  public enum MeasurementSystem: Sendable, Hashable, CaseIterable {
    /// Those of most countries.
    case metric
    /// Those of the United States.
    case us
    /// Those of the United Kingdom.
    case uk
  }
}

extension SampleType {
  /// The unit in which people of a country speak about the type; `nil` for a category type.
  ///
  /// Apple publishes no table. Rates are per minute, nutrients in the grams, milligrams or
  /// micrograms of ``Catalogue/clinicalCodes``. Distances are in kilometres and speeds in kilometres
  /// per hour, and in miles in the United States and the United Kingdom. In the United States masses
  /// are in pounds, lengths in feet or inches, and temperatures in degrees Fahrenheit. Other types
  /// have their own unit.
  public func everydayUnit(in system: Catalogue.MeasurementSystem = .metric) -> UnitExpression? {
    guard let canonical = canonicalUnit else { return nil }
    guard let unit = everydayUnitName(in: system).flatMap({ try? UnitExpression($0) }),
      unit.isCompatible(with: canonical)
    else { return canonical }
    return unit
  }

  /// The unit in which values are shown that were recorded in a unit: a rate per second, as the first
  /// exports have it, per minute; any other as it is.
  public func shownUnit(recordedIn label: String) -> String {
    guard let unit = try? UnitExpression(label), unit == Self.perSecond,
      let everyday = everydayUnit(), everyday == Self.perMinute
    else { return label }
    return everyday.description
  }

  private func everydayUnitName(in system: Catalogue.MeasurementSystem) -> String? {
    let type = HKQuantityTypeIdentifier(rawValue: identifier)
    if Self.rates.contains(type) { return "count/min" }
    if Self.swims.contains(type) { return system == .us ? "yd" : "m" }
    if Self.distances.contains(type) { return system == .metric ? "km" : "mi" }
    if Self.speeds.contains(type) { return system == .metric ? "km/hr" : "mi/hr" }
    if Self.masses.contains(type) { return system == .us ? "lb" : "kg" }
    if type == .height { return system == .us ? "ft" : "cm" }
    if Self.lengths.contains(type) { return system == .us ? "in" : "cm" }
    if type == .electrodermalActivity { return "mcS" }
    if Self.nutrients.contains(type) { return Catalogue.clinicalCode(of: type)?.unit }
    if system == .us, canonicalUnit == Self.celsius { return "degF" }
    return nil
  }

  private static let perSecond = try? UnitExpression("count/s")
  private static let perMinute = try? UnitExpression("count/min")
  private static let celsius = try? UnitExpression("degC")
  private static let rates: Set<HKQuantityTypeIdentifier> = [.heartRate, .respiratoryRate]
  private static let swims: Set<HKQuantityTypeIdentifier> = [.distanceSwimming]
  private static let distances = Set(
    Catalogue.quantityTypes.map(\.identifier).filter {
      $0.rawValue.hasPrefix(HKQuantityTypeIdentifier.prefix + "Distance")
    })
  private static let speeds: Set<HKQuantityTypeIdentifier> = [
    .walkingSpeed, .runningSpeed, .cyclingSpeed, .crossCountrySkiingSpeed, .paddleSportsSpeed,
    .rowingSpeed,
  ]
  private static let masses: Set<HKQuantityTypeIdentifier> = [.bodyMass, .leanBodyMass]
  private static let lengths: Set<HKQuantityTypeIdentifier> = [
    .waistCircumference, .walkingStepLength,
  ]
  private static let nutrients = Set(
    Catalogue.quantityTypes.filter { $0.chapter == .nutrition }.map(\.identifier))
}
