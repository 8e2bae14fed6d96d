import HealthKit

/// A workout as the server has it.
public struct SyncedWorkout: Sendable, Equatable, Codable {
  /// The identity of the workout.
  public let id: UUID
  /// When it began.
  public let start: Date
  /// How long it took, without pauses.
  public let seconds: Double
  /// How far it went; `nil` where that was not measured.
  public let meters: Double?

  init(_ workout: HKWorkout) {
    (id, start, seconds) = (workout.uuid, workout.startDate, workout.duration)
    meters = workout.statistics(for: TrainingAccess.distance)?.sumQuantity()?
      .doubleValue(for: .meter())
  }
}

/// The server of the diary.
public protocol TrainingServer: Sendable {
  /// Adds workouts; one that it has already counts once.
  func add(_ workouts: [SyncedWorkout]) async throws
  /// Removes workouts; those that it does not have are left out.
  func remove(_ ids: [UUID]) async throws
}

/// Brings the workouts of the person, and what is deleted of them, to the server.
public actor TrainingSync {
  private let store = HKHealthStore()
  private let server: any TrainingServer
  /// Where the anchor is kept between launches.
  private let bookmark: URL
  private let page: Int
  private var last: Task<Void, any Error>?

  /// Makes a sync that goes on where the last one ended.
  ///
  /// - Parameters:
  ///   - server: the server
  ///   - bookmark: the file that says how far the server is
  ///   - page: the most workouts of a request
  public init(with server: any TrainingServer, bookmark: URL, page: Int = 100) {
    (self.server, self.bookmark, self.page) = (server, bookmark, page)
  }

  /// Sends what is new, after the calls before it.
  public func run() async throws {
    let before = last
    let task = Task {
      _ = await before?.result
      try await send()
    }
    last = task
    try await task.value
  }

  private func send() async throws {
    while true {
      let query = HKAnchoredObjectQueryDescriptor(
        predicates: [.workout()], anchor: readAnchor(), limit: page)
      let changes = try await query.result(for: store)
      let (added, deleted) = (changes.addedSamples, changes.deletedObjects)
      if !added.isEmpty { try await server.add(added.map(SyncedWorkout.init)) }
      if !deleted.isEmpty { try await server.remove(deleted.map(\.uuid)) }
      // Only what the server has is behind the anchor.
      try NSKeyedArchiver.archivedData(
        withRootObject: changes.newAnchor, requiringSecureCoding: true
      ).write(to: bookmark, options: .atomic)
      if added.count + deleted.count < page { return }
    }
  }

  private func readAnchor() -> HKQueryAnchor? {
    guard let data = try? Data(contentsOf: bookmark) else { return nil }
    return try? NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data)
  }
}

/// Syncs in the background, whenever a workout is added or deleted.
public final class BackgroundSync: Sendable {
  private let store = HKHealthStore()
  private let sync: TrainingSync
  private let willSync: @Sendable () -> Void
  private let didSync: @Sendable (Bool) -> Void

  /// Makes it; nothing runs before ``start()``.
  ///
  /// - Parameters:
  ///   - sync: what runs
  ///   - willSync: hears before each run
  ///   - didSync: hears after each run whether the server is up to date
  public init(
    _ sync: TrainingSync, willSync: @escaping @Sendable () -> Void = {},
    didSync: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    (self.sync, self.willSync, self.didSync) = (sync, willSync, didSync)
  }

  /// Starts, at each launch of the app.
  public func start() async throws {
    let type = HKObjectType.workoutType()
    try await store.enableBackgroundDelivery(for: type, frequency: .immediate)
    store.execute(
      HKObserverQuery(
        sampleType: type, predicate: nil
      ) { [sync, willSync, didSync] _, completion, error in
        guard error == nil else { return didSync(false) }
        willSync()
        nonisolated(unsafe) let completion = completion
        Task {
          do {
            try await sync.run()
            completion()
            didSync(true)
          } catch {
            // An update that is not completed is one that the system repeats.
            didSync(false)
          }
        }
      })
  }
}
