import HealthKit

/// The types of the training diary.
public enum TrainingAccess {
  static let distance = HKQuantityType(.distanceWalkingRunning)
  static let energy = HKQuantityType(.activeEnergyBurned)
  static let heartRate = HKQuantityType(.heartRate)
  static let restingHeartRate = HKQuantityType(.restingHeartRate)
  static let sleep = HKCategoryType(.sleepAnalysis)

  /// What the diary saves.
  public static let share: Set<HKSampleType> = [
    .workoutType(), HKSeriesType.workoutRoute(), distance, energy,
  ]
  /// What the diary reads.
  public static let read: Set<HKObjectType> = [
    .workoutType(), HKSeriesType.workoutRoute(), HKSeriesType.heartbeat(), distance, energy,
    heartRate, restingHeartRate, sleep, .electrocardiogramType(), .audiogramSampleType(),
    HKCharacteristicType(.dateOfBirth),
  ]
}

/// The first screens: why the diary needs health data, and what the person decided.
@MainActor
public final class PermissionFlow {
  /// Which screen is shown.
  public enum State: Sendable, Equatable {
    /// Nothing was looked up yet.
    case start
    /// The device has no health data.
    case unavailable
    /// Why the diary asks, with a button that asks.
    case explanation
    /// The diary.
    case ready
    /// The diary without the buttons that record and edit.
    case onlyReading
    /// What went wrong.
    case problem(String)
  }

  /// Which screen is shown.
  public private(set) var state = State.start
  private let store = HKHealthStore()

  /// Makes the flow, which looks up nothing before ``start()``.
  public init() {}

  /// Chooses the screen at launch.
  public func start() async {
    guard HKHealthStore.isHealthDataAvailable() else {
      state = .unavailable
      return
    }
    do {
      let status = try await store.statusForAuthorizationRequest(
        toShare: TrainingAccess.share, read: TrainingAccess.read)
      let canSave = TrainingAccess.share.allSatisfy {
        store.authorizationStatus(for: $0) == .sharingAuthorized
      }
      state = status == .shouldRequest ? .explanation : canSave ? .ready : .onlyReading
    } catch {
      state = .problem(error.localizedDescription)
    }
  }

  /// Asks; a person who closes the sheet without an answer can ask again.
  public func allow() async {
    do {
      try await store.requestAuthorization(
        toShare: TrainingAccess.share, read: TrainingAccess.read)
      await start()
    } catch HKError.errorUserCanceled {
      state = .explanation
    } catch {
      state = .problem(error.localizedDescription)
    }
  }
}
