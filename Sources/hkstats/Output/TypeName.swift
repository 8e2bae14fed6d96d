import HealthSamples

/// Names of types for people.
enum TypeName {
  /// The Swift name that a person can type: `stepCount` for `HKQuantityTypeIdentifierStepCount`.
  static func short(_ identifier: String) -> String {
    guard !identifier.isEmpty else { return "(no type)" }
    for prefix in ["HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier", "HKDataType"]
    where identifier.hasPrefix(prefix) && identifier.count > prefix.count {
      return lowerFirst(String(identifier.dropFirst(prefix.count)))
    }
    return identifier.printable.truncated(to: 60)
  }

  /// `VO2Max` → `vo2Max`, `StepCount` → `stepCount`: capitals go down to the last before a word.
  private static func lowerFirst(_ name: String) -> String {
    let capitals = name.prefix { $0.isUppercase || $0.isNumber }
    let lowered = capitals.count > 1 && capitals.count < name.count
      ? capitals.dropLast() : capitals
    return lowered.lowercased() + name.dropFirst(lowered.count)
  }
}
