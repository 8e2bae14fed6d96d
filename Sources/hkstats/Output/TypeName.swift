import HealthExchange
import HealthSamples

/// Names of types for display.
enum TypeName {
  /// The Swift name, which the command line accepts: `stepCount` for
  /// `HKQuantityTypeIdentifierStepCount`.
  static func short(_ identifier: String) -> String {
    guard !identifier.isEmpty else { return "(no type)" }
    for prefix in ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKDataType"]
    where identifier.hasPrefix(prefix) && identifier.count > prefix.count {
      return Catalogue.swiftName(of: identifier.dropFirst(prefix.count)).printable
    }
    return identifier.printable
  }
}
