import HealthKit

/// The types that the diary reads and writes, and the request for them.
public enum HealthAccess {
  static let steps = HKQuantityType(.stepCount)
  static let systolic = HKQuantityType(.bloodPressureSystolic)
  static let diastolic = HKQuantityType(.bloodPressureDiastolic)

  /// Asks the person for permission for the types that have no answer yet.
  ///
  /// Returns after the answer, allowed or denied.
  public static func request(of store: HKHealthStore) async throws {
    guard HKHealthStore.isHealthDataAvailable() else {
      throw HKError(.errorHealthDataUnavailable)
    }
    // The samples of a correlation have permissions, the correlation itself has none.
    try await store.requestAuthorization(
      toShare: [systolic, diastolic], read: [steps, systolic, diastolic])
  }
}

/// The state of a screen.
public enum Screen<Content: Sendable & Equatable>: Sendable, Equatable {
  /// Nothing was queried yet.
  case empty
  /// There is no data, or the diary may not read it: an app cannot tell these apart.
  case noData
  /// The result of the query.
  case content(Content)
  /// Why the query failed.
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
