public import Foundation
internal import HealthStore
import Synchronization

extension HealthSession {
  /// Relates a sample of effort to a workout, or to one of its activities.
  func relateEffort(
    _ sample: HKSample, to workout: HKWorkout, _ activity: HKWorkoutActivity?
  ) throws {
    try checkEffort(sample, workout, activity)
    try relate([sample], to: workout, .effort, part: activity)
  }

  /// Ends the relation of a sample of effort.
  func unrelateEffort(
    _ sample: HKSample, from workout: HKWorkout, _ activity: HKWorkoutActivity?
  ) throws {
    try checkEffort(sample, workout, activity)
    let relation = Association(workout.uuid, sample.uuid, .effort, part: activity?.uuid)
    guard try reader().dissociate([relation]) > 0 else {
      throw HKError.invalid("The sample is not related to the workout")
    }
  }

  private func checkEffort(
    _ sample: HKSample, _ workout: HKWorkout, _ activity: HKWorkoutActivity?
  ) throws {
    guard HKWorkoutEffortRelationship.sampleTypes.contains(sample.sampleType) else {
      throw HKError.invalid("\(sample.sampleType.identifier) is not a type of workout effort")
    }
    if let activity, !workout.workoutActivities.contains(activity) {
      throw HKError.invalid("The activity is not one of the workout")
    }
    try checkSharing(of: [workout.sampleType, sample.sampleType])
  }
}

extension HKWorkoutEffortRelationship {
  /// The types of samples of workout effort, the more relevant first.
  static let sampleTypes: [HKSampleType] = [
    HKQuantityType(.workoutEffortScore), HKQuantityType(.estimatedWorkoutEffortScore),
  ]

  /// The identities, whatever the order of the samples.
  fileprivate var key: Key {
    Key(
      workout: workout.uuid, activity: activity?.uuid, samples: Set((samples ?? []).map(\.uuid)))
  }

  fileprivate struct Key: Hashable {
    let workout: UUID
    let activity: UUID?
    let samples: Set<UUID>
  }

  /// The relationships of the workouts that match, where a workout or a sample was added after an
  /// anchor.
  ///
  /// The most relevant sample is the last that the person gave, else the last estimate.
  fileprivate static func all(
    _ predicate: NSPredicate?, after anchor: HKQueryAnchor?,
    _ options: HKWorkoutEffortRelationshipQueryOptions, in store: SampleStore
  ) throws -> [HKWorkoutEffortRelationship] {
    try store.snapshot {
      let start = try anchor?.anchor(in: store, now: store.anchor())
      if let start { try store.check(start) }
      let relations = Dictionary(grouping: try store.associations(.effort), by: \.owner)
      let samples = try store.samples(withIdentities: Set(relations.values.joined().map(\.member)))
      let workouts = try SampleRequest(
        [(.workoutType(), predicate)], order: .store([]), limit: nil
      ).samples(in: store)
      let serials = try store.serials(of: workouts.map(\.uuid) + samples.keys)
      func isNew(_ uuids: [UUID]) -> Bool {
        guard let start else { return true }
        return uuids.contains { serials[$0] ?? 0 > start.serial }
      }
      var relationships: [HKWorkoutEffortRelationship] = []
      for case let workout as HKWorkout in workouts {
        let own = relations[workout.uuid] ?? []
        for activity in [nil] + workout.workoutActivities.map(Optional.some) {
          var related = own.filter { $0.part == activity?.uuid }.compactMap { samples[$0.member] }
          guard !related.isEmpty, isNew([workout.uuid] + related.map(\.uuid)) else { continue }
          related.sort { left, right in
            let ranks = [left, right].map { sampleTypes.firstIndex(of: $0.sampleType) ?? 0 }
            if ranks[0] != ranks[1] { return ranks[0] < ranks[1] }
            return serials[left.uuid] ?? 0 > serials[right.uuid] ?? 0
          }
          relationships.append(
            HKWorkoutEffortRelationship(
              workout: workout, activity: activity,
              samples: options == .mostRelevant ? Array(related.prefix(1)) : related))
        }
      }
      return relationships
    }
  }
}

/// A query for the samples of effort that are related to workouts, now and after every change.
open class HKWorkoutEffortRelationshipQuery: HKQuery, @unchecked Sendable {
  private let start: HKQueryAnchor?
  private let options: HKWorkoutEffortRelationshipQueryOptions
  private let handler:
    QueryHandler<
      @Sendable (
        HKWorkoutEffortRelationshipQuery, [HKWorkoutEffortRelationship]?, HKQueryAnchor?,
        (any Error)?
      ) -> Void
    >
  /// The relationships that the handler got last.
  private let reported = Mutex<Set<HKWorkoutEffortRelationship.Key>>([])

  /// Makes a query for the relationships of workouts.
  ///
  /// - Parameters:
  ///   - predicate: what workouts must be; all match without one
  ///   - anchor: the state after which a workout or a sample counts; `nil` for all
  ///   - options: whether only the most relevant sample of each is wanted
  ///   - resultsHandler: gets the relationships and the new anchor, or the error; then again those
  ///     that any process changes
  @preconcurrency
  public init(
    predicate: NSPredicate?, anchor: HKQueryAnchor?,
    options: HKWorkoutEffortRelationshipQueryOptions,
    resultsHandler:
      @escaping @Sendable (
        HKWorkoutEffortRelationshipQuery, [HKWorkoutEffortRelationship]?, HKQueryAnchor?,
        (any Error)?
      ) -> Void
  ) {
    start = anchor
    self.options = options
    handler = QueryHandler(resultsHandler)
    super.init(objectType: HKObjectType.workoutType(), predicate: predicate)
  }

  override func run(_ execution: QueryExecution) {
    let types = [HKObjectType.workoutType()] + HKWorkoutEffortRelationship.sampleTypes
    let error = execution.observe(types) { [self] failure in
      answer(execution, isFirst: false, failure)
    }
    answer(execution, isFirst: true, error)
  }

  private func answer(_ execution: QueryExecution, isFirst: Bool, _ failure: HKError?) {
    if let failure { return execution.end { [self] in handler.function?(self, nil, nil, failure) } }
    let result = execution.result(of: [HKObjectType.workoutType()]) { store in
      try store.snapshot {
        let all = try HKWorkoutEffortRelationship.all(predicate, after: nil, options, in: store)
        let found =
          isFirst && start != nil
          ? try HKWorkoutEffortRelationship.all(predicate, after: start, options, in: store) : all
        return (found, all, HKQueryAnchor(text: try store.anchor().description))
      }
    }
    guard let result else { return }
    guard let (found, all, anchor) = result.value else {
      return execution.end { [self] in handler.function?(self, nil, nil, result.error) }
    }
    let now = Set(all.map(\.key))
    let before = reported.withLock { reported in
      defer { reported = now }
      return reported
    }
    let news = isFirst ? found : found.filter { !before.contains($0.key) }
    if isFirst || !news.isEmpty {
      execution.tell { [self] in handler.function?(self, news, anchor, nil) }
    }
  }

  override func releaseHandlers() { handler.function = nil }
}

/// A query for the samples of effort that are related to workouts.
public struct HKWorkoutEffortRelationshipQueryDescriptor: HKAsyncQuery, HKAsyncSequenceQuery {
  /// What workouts must be; all match without one.
  public var predicate: NSPredicate?
  /// The state after which a workout or a sample counts; `nil` for all.
  public var anchor: HKQueryAnchor?
  /// Whether only the most relevant sample of each is wanted.
  public var option: HKWorkoutEffortRelationshipQueryOptions

  /// Makes a query.
  public init(
    predicate: NSPredicate?, anchor: HKQueryAnchor?,
    option: HKWorkoutEffortRelationshipQueryOptions
  ) {
    self.predicate = predicate
    self.anchor = anchor
    self.option = option
  }

  /// Relationships.
  public struct Result: Sendable {
    /// The relationships, by the start of their workouts.
    public let relationships: [HKWorkoutEffortRelationship]
    /// The state after them.
    public let newAnchor: HKQueryAnchor

    fileprivate init?(
      _ relationships: [HKWorkoutEffortRelationship]?, _ anchor: HKQueryAnchor?
    ) {
      guard let relationships, let anchor else { return nil }
      (self.relationships, newAnchor) = (relationships, anchor)
    }
  }

  /// The relationships up to now, then those that any process changes.
  public typealias Results = QueryResults<Result>

  /// The relationships up to now.
  public func result(
    for healthStore: HKHealthStore
  ) async throws -> HKWorkoutEffortRelationshipQueryDescriptor.Result {
    try await healthStore.first { answer in query { answer(Result($1, $2), $3) } }
  }

  /// The relationships up to now, then those that any process changes.
  public func results(
    for healthStore: HKHealthStore
  ) -> HKWorkoutEffortRelationshipQueryDescriptor.Results {
    Results(of: healthStore) { answers in query { answers.add(Result($1, $2), $3) } }
  }

  private func query(
    _ handler:
      @escaping @Sendable (
        HKWorkoutEffortRelationshipQuery, [HKWorkoutEffortRelationship]?, HKQueryAnchor?,
        (any Error)?
      ) -> Void
  ) -> HKWorkoutEffortRelationshipQuery {
    HKWorkoutEffortRelationshipQuery(
      predicate: predicate, anchor: anchor, options: option, resultsHandler: handler)
  }
}
