import HealthSamples

/// Names of workout activities for people.
package enum ActivityName {
  /// The Swift name: `running` for `HKWorkoutActivityTypeRunning`.
  package static func short(_ activity: String) -> String {
    let prefix = "HKWorkoutActivityType"
    guard activity.hasPrefix(prefix), activity.count > prefix.count else {
      return activity.isEmpty ? "(no activity)" : activity.printable
    }
    return Catalogue.workoutActivities.first { $0.constant == activity }?.swiftName
      ?? String(activity.dropFirst(prefix.count)).printable
  }
}
