// SCAFFOLD: replaced by the catalogue helper's work. The signatures are the contract.
import HealthUnits

public struct HKQuantityTypeIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public static let stepCount = Self(rawValue: "HKQuantityTypeIdentifierStepCount")
}
public struct CatalogueError: Error, Sendable, Hashable {
  public let name: String
  public let suggestions: [String]
}
public enum Catalogue {
  /// By full identifier.
  public static func type(_ identifier: String) -> SampleType? { types.first { $0.identifier == identifier } }
  /// By any name a person may use: `steps`, `stepCount`, `StepCount`, full identifier.
  public static func type(named name: String) throws(CatalogueError) -> SampleType {
    guard let type = types.first(where: { $0.identifier.hasSuffix(name) }) else {
      throw CatalogueError(name: name, suggestions: [])
    }
    return type
  }
  /// Raw value of an enum constant as exports write it (`HKCategoryValueSleepAnalysisAsleepREM`).
  public static func rawValue(ofCategoryConstant name: String) -> Int? { name.hasSuffix("InBed") ? 0 : nil }
  public static var types: [SampleType] {
    func quantity(_ name: String, _ unit: String, _ style: AggregationStyle) -> SampleType? {
      (try? UnitExpression(unit)).map {
        SampleType(identifier: "HKQuantityTypeIdentifier" + name, kind: .quantity(canonicalUnit: $0, style: style))
      }
    }
    return [
      quantity("StepCount", "count", .cumulative), quantity("ActiveEnergyBurned", "kcal", .cumulative),
      quantity("BasalEnergyBurned", "kcal", .cumulative),
      quantity("DistanceWalkingRunning", "m", .cumulative), quantity("HeartRate", "count/s", .discreteTemporallyWeighted),
      quantity("RestingHeartRate", "count/min", .discreteTemporallyWeighted), quantity("BodyMass", "kg", .discreteArithmetic),
      quantity("EnvironmentalAudioExposure", "dBASPL", .discreteEquivalentContinuousLevel),
      SampleType(identifier: "HKCategoryTypeIdentifierSleepAnalysis", kind: .category),
      SampleType(identifier: "HKCategoryTypeIdentifierMindfulSession", kind: .category),
    ].compactMap { $0 }
  }
}
