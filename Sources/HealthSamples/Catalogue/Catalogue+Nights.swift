extension Catalogue {
  /// The quantity types of which HealthKit measures one value over a night.
  static let nightTypes: [HKQuantityTypeIdentifier] = [
    .appleSleepingBreathingDisturbances, .appleSleepingWristTemperature,
  ]

  private static let identifiersOfNights = Set(nightTypes.map(\.rawValue))

  /// Whether a sample of a type is the value of a night, which has the date on which the night ends.
  ///
  /// - Complexity: O(1)
  public static func isMeasuredOverNights(_ type: SampleType) -> Bool {
    identifiersOfNights.contains(type.identifier)
  }
}
