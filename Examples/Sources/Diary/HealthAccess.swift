import HealthKit

/// What the diary reads and writes, and asks for when it starts.
public enum HealthAccess {
  static let steps = HKQuantityType(.stepCount)
  static let systolic = HKQuantityType(.bloodPressureSystolic)
  static let diastolic = HKQuantityType(.bloodPressureDiastolic)

  /// Asks the person for everything that was not answered before.
  ///
  /// It returns when the person has answered, whatever the answer was.
  public static func request(of store: HKHealthStore) async throws {
    guard HKHealthStore.isHealthDataAvailable() else {
      throw HKError(.errorHealthDataUnavailable)
    }
    // A correlation has no permission of its own: its parts have.
    try await store.requestAuthorization(
      toShare: [systolic, diastolic], read: [steps, systolic, diastolic])
  }
}

/// What a screen shows.
public enum Screen<Content: Sendable & Equatable>: Sendable, Equatable {
  /// Nothing was asked yet.
  case empty
  /// There is no data, or the diary may not read it: an app cannot tell these apart.
  case noData
  /// What was found.
  case content(Content)
  /// Why nothing could be found.
  case problem(String)

  init(_ error: any Error) {
    switch error {
    case HKError.errorAuthorizationNotDetermined:
      self = .problem("Allow the diary to use health data in the settings.")
    case HKError.errorDatabaseInaccessible:
      self = .problem("Unlock the device to see health data.")
    default:
      self = .problem(error.localizedDescription)
    }
  }
}
