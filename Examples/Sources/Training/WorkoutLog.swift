import CoreLocation
import HealthKit

/// The runs of the person, from any app, and those that the person types in.
public final class WorkoutLog: Sendable {
  /// What the person types in.
  public struct Entry: Sendable {
    /// When it began.
    public var start: Date
    /// When it ended.
    public var end: Date
    /// How far it went.
    public var meters: Double
    /// When the person paused.
    public var pauses: [DateInterval] = []
    /// The places of the way.
    public var route: [CLLocation] = []
    /// The entry that this one corrects, and how often that was corrected already.
    public var key = UUID()
    /// How often the entry was corrected.
    public var version = 1

    /// Makes an entry.
    public init(from start: Date, to end: Date, meters: Double) {
      (self.start, self.end, self.meters) = (start, end, meters)
    }
  }

  /// A line of the list.
  public struct Run: Sendable, Equatable, Identifiable {
    /// The identity of the workout.
    public let id: UUID
    /// When it began.
    public let start: Date
    /// How long it took, without pauses.
    public let seconds: Double
    /// How far it went; `nil` where that was not measured.
    public let meters: Double?
    /// Whether the diary itself has saved it.
    public let isOwn: Bool
  }

  /// Why an entry cannot be saved or deleted.
  public enum Problem: Error, Equatable {
    /// The entry ends before it begins, or has no distance.
    case unlikely
    /// The person did not allow the diary to save workouts.
    case notAllowed
    /// Another app has saved the run.
    case notOurs
    /// The phone is locked.
    case locked
  }

  private let store = HKHealthStore()

  /// Makes the log.
  public init() {}

  /// Saves a run.
  public func add(_ entry: Entry) async throws {
    guard entry.start < entry.end, entry.meters > 0 else { throw Problem.unlikely }
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .running
    configuration.locationType = .outdoor
    let builder = HKWorkoutBuilder(
      healthStore: store, configuration: configuration, device: .local())
    try await telling {
      try await builder.beginCollection(at: entry.start)
      try await builder.addSamples([
        HKQuantitySample(
          type: TrainingAccess.distance,
          quantity: HKQuantity(unit: .meter(), doubleValue: entry.meters), start: entry.start,
          end: entry.end, metadata: metadata(of: entry, "distance"))
      ])
      let events = entry.pauses.flatMap { pause in
        [(HKWorkoutEventType.pause, pause.start), (.resume, pause.end)].map {
          HKWorkoutEvent(
            type: $0, dateInterval: DateInterval(start: $1, duration: 0), metadata: nil)
        }
      }
      if !events.isEmpty { try await builder.addWorkoutEvents(events) }
      try await builder.addMetadata(metadata(of: entry, "run"))
      try await builder.endCollection(at: entry.end)
      let saved = try await builder.finishWorkout()
      if let saved, !entry.route.isEmpty {
        let route = HKWorkoutRouteBuilder(healthStore: store, device: .local())
        try await route.insertRouteData(entry.route)
        try await route.finishRoute(with: saved, metadata: nil)
      }
    }
  }

  /// What makes a corrected entry take the place of the one before.
  private func metadata(of entry: Entry, _ part: String) -> [String: Any] {
    [
      HKMetadataKeySyncIdentifier: "\(entry.key.uuidString).\(part)",
      HKMetadataKeySyncVersion: entry.version, HKMetadataKeyWasUserEntered: true,
    ]
  }

  /// The latest runs, newest first.
  public func runs(most: Int = 50) async throws -> [Run] {
    try await workouts(limit: most).map { workout in
      let meters = workout.statistics(for: TrainingAccess.distance)?.sumQuantity()?
        .doubleValue(for: .meter())
      return Run(
        id: workout.uuid, start: workout.startDate, seconds: workout.duration, meters: meters,
        isOwn: workout.sourceRevision.source == .default())
    }
  }

  /// Deletes a run of the list, with its distance.
  public func delete(_ run: Run) async throws {
    guard run.isOwn else { throw Problem.notOurs }
    try await telling {
      for workout in try await workouts(HKQuery.predicateForObject(with: run.id)) {
        let parts = HKQuery.predicateForObjects(from: workout)
        try await store.deleteObjects(of: TrainingAccess.distance, predicate: parts)
        try await store.delete(workout)
      }
    }
  }

  /// The way of a run, in the order of time.
  public func route(of run: Run) async throws -> [CLLocation] {
    guard let workout = try await workouts(HKQuery.predicateForObject(with: run.id)).first else {
      return []
    }
    let routes = try await HKSampleQueryDescriptor(
      predicates: [.workoutRoute(HKQuery.predicateForObjects(from: workout))],
      sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
    var places: [CLLocation] = []
    for route in routes {
      for try await place in HKWorkoutRouteQueryDescriptor(route).results(for: store) {
        places.append(place)
      }
    }
    return places
  }

  /// The list, now and after each change.
  public func liveRuns() -> AsyncThrowingStream<[Run], any Error> {
    AsyncThrowingStream { continuation in
      let query = HKObserverQuery(sampleType: .workoutType(), predicate: nil) {
        [self] _, completion, error in
        completion()
        if let error { return continuation.finish(throwing: error) }
        Task {
          do {
            continuation.yield(try await runs())
          } catch {
            continuation.finish(throwing: error)
          }
        }
      }
      continuation.onTermination = { [store] _ in store.stop(query) }
      store.execute(query)
    }
  }

  private func workouts(_ more: NSPredicate? = nil, limit: Int? = nil) async throws -> [HKWorkout] {
    let runs = HKQuery.predicateForWorkouts(with: .running)
    let wanted = NSCompoundPredicate(
      andPredicateWithSubpredicates: [runs] + (more.map { [$0] } ?? []))
    return try await HKSampleQueryDescriptor(
      predicates: [.workout(wanted)],
      sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: limit
    ).result(for: store)
  }

  private func telling(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch HKError.errorAuthorizationDenied, HKError.errorAuthorizationNotDetermined {
      throw Problem.notAllowed
    } catch HKError.errorDatabaseInaccessible {
      throw Problem.locked
    }
  }
}
