public import Foundation
internal import HealthSamples
import Synchronization

/// A builder of a workout: it is begun, gets samples, events, activities and metadata, is ended, and
/// then finished or discarded.
///
/// Samples are saved when they are added, the workout when it is finished. A method that is called
/// too early or too late fails with `errorInvalidArgument`.
open class HKWorkoutBuilder: NSObject, @unchecked Sendable {
  /// What a builder is doing.
  enum Phase {
    case notBegun
    case collecting
    case ended
    case finished
    case discarded
  }

  /// What a builder has so far.
  struct Progress: @unchecked Sendable {
    var phase = Phase.notBegun
    var start: Date?
    var end: Date?
    var samples: [HKSample] = []
    var identities: Set<UUID> = []
    var events: [HKWorkoutEvent] = []
    var activities: [HKWorkoutActivity] = []
    var metadata: [String: Any] = [:]
    var series: [HKSeriesType: HKSeriesBuilder] = [:]
    /// The zones that were set.
    var customZones: [HKQuantityType: HKWorkoutZoneConfiguration] = [:]
    /// The zones since it began.
    var zones: [HKQuantityType: HKWorkoutZoneConfiguration] = [:]
    /// The saved workout, to which later series belong.
    var workout: HKWorkout?
  }

  let access: HealthSession
  private let configuration: HKWorkoutConfiguration
  private let ownDevice: HKDevice?
  let progress = Mutex(Progress())

  /// Makes a builder of a workout with a configuration, of a device.
  public init(
    healthStore: HKHealthStore, configuration: HKWorkoutConfiguration, device: HKDevice?
  ) {
    access = healthStore.session
    self.configuration = configuration.duplicate
    ownDevice = device
  }

  init(access: HealthSession, configuration: HKWorkoutConfiguration, device: HKDevice?) {
    self.access = access
    self.configuration = configuration.duplicate
    ownDevice = device
  }

  /// The device.
  open var device: HKDevice? { ownDevice }
  /// A copy of what the workout is and where it happens.
  open var workoutConfiguration: HKWorkoutConfiguration { configuration.duplicate }
  /// When it began; `nil` before.
  open var startDate: Date? { progress.withLock { $0.start } }
  /// When it ended; `nil` before.
  open var endDate: Date? { progress.withLock { $0.end } }
  /// The metadata that were added.
  open var metadata: [String: Any] { progress.withLock { Unchecked($0.metadata) }.value }
  /// The events that were added.
  open var workoutEvents: [HKWorkoutEvent] { progress.withLock { $0.events } }
  /// The activities that were added.
  open var workoutActivities: [HKWorkoutActivity] { progress.withLock { $0.activities } }

  // MARK: Begin and end

  /// Begins the workout at a date, which works once.
  @preconcurrency
  open func beginCollection(
    withStart startDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    access.perform(.builder, completion) { [self] session in
      let preferred = session.preferredZones()
      try progress.withLock { progress in
        try progress.check(.notBegun)
        (progress.start, progress.phase) = (startDate, .collecting)
        progress.zones = preferred.merging(progress.customZones) { $1 }
      }
      didChangePhase()
    }
  }

  /// Begins the workout at a date.
  open func beginCollection(at startDate: Date) async throws {
    try await finishing { beginCollection(withStart: startDate, completion: $0) }
  }

  /// Ends the workout at a date, which is not before its start; works once.
  ///
  /// What was collected late can still be added.
  @preconcurrency
  open func endCollection(
    withEnd endDate: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    access.perform(.builder, completion) { [self] _ in
      try progress.withLock { progress in
        try progress.check(.collecting)
        try progress.checkStart(of: endDate, "The end")
        (progress.end, progress.phase) = (endDate, .ended)
      }
      didChangePhase()
    }
  }

  /// Ends the workout at a date.
  open func endCollection(at endDate: Date) async throws {
    try await finishing { endCollection(withEnd: endDate, completion: $0) }
  }

  /// Saves the workout with everything that was added, once it is ended.
  ///
  /// The sample of the workout has the statistics of its samples, the time in zones, its duration
  /// without pauses, and the place of its configuration as metadata. Activities without an end end with it. The samples
  /// are found by ``HKQuery/predicateForObjects(from:)-(HKWorkout)``.
  ///
  /// The completion handler gets the workout as the store has it, or the error, such as
  /// `errorDatabaseInaccessible` while the store is locked; then the builder can be finished again.
  /// Samples that were deleted since they were added are left out.
  @preconcurrency
  open func finishWorkout(
    completion: @escaping @Sendable (HKWorkout?, (any Error)?) -> Void
  ) {
    access.perform(.builder, completion) { [self] in try finish(in: $0) }
  }

  /// Saves the workout; see the form with a completion handler.
  @discardableResult
  open func finishWorkout() async throws -> HKWorkout? {
    try await answering { finishWorkout(completion: $0) }
  }

  /// Discards the workout; samples that were added stay saved.
  ///
  /// A workout that is finished stays as it is.
  open func discardWorkout() {
    access.record(.builder)
    let series = progress.withLock { progress -> [HKSeriesBuilder] in
      guard progress.phase != .finished else { return [] }
      let series = Array(progress.series.values)
      progress = Progress(phase: .discarded, start: progress.start, end: progress.end)
      return series
    }
    for builder in series { builder.drop() }
    didChangePhase()
  }

  // MARK: Adding

  /// Adds samples, and saves those that the store does not have: all of them, or none.
  ///
  /// Errors: those of ``HKHealthStore/save(_:withCompletion:)-([HKObject],_)``, and
  /// `errorInvalidArgument` for a sample that starts before the workout, and for a workout.
  @preconcurrency
  open func add(
    _ samples: [HKSample], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    access.perform(.builder, completion) { [self] session in
      try progress.withLock { progress in
        try progress.check(.collecting, .ended)
        for sample in samples {
          try progress.checkStart(of: sample.startDate, "A sample")
          guard !(sample is HKWorkout) else {
            throw HKError.invalid("A workout cannot be part of a workout")
          }
        }
      }
      try session.saveUnknown(samples)
      let types = append(samples)
      if !types.isEmpty { didCollect(types) }
    }
  }

  /// Adds samples; see the form with a completion handler.
  open func addSamples(_ samples: [HKSample]) async throws {
    try await finishing { add(samples, completion: $0) }
  }

  /// Adds metadata; an entry replaces that of its key.
  @preconcurrency
  open func addMetadata(
    _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let metadata = Unchecked(metadata)
    change(completion) { progress in
      progress.metadata = try ObjectMetadata.adding(
        metadata.value, to: progress.metadata, for: HKObjectType.workoutType())
    }
  }

  /// Adds metadata; an entry replaces that of its key.
  open func addMetadata(_ metadata: [String: Any]) async throws {
    try await finishing { addMetadata(metadata, completion: $0) }
  }

  /// Adds events: all of them, or none.
  ///
  /// The error is `errorInvalidArgument` for an event before the start of the workout.
  @preconcurrency
  open func addWorkoutEvents(
    _ workoutEvents: [HKWorkoutEvent],
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    change(completion) { progress in
      for event in workoutEvents {
        try progress.checkStart(of: event.dateInterval.start, "An event")
      }
      progress.events += workoutEvents
    }
  }

  /// Adds events; see the form with a completion handler.
  open func addWorkoutEvents(_ workoutEvents: [HKWorkoutEvent]) async throws {
    try await finishing { addWorkoutEvents(workoutEvents, completion: $0) }
  }

  /// Adds an activity.
  ///
  /// Errors: `errorWorkoutActivityNotAllowed` for an activity of another kind than the workout,
  /// where a workout of `swimBikeRun` has swimming, cycling, running and transitions;
  /// `errorInvalidArgument` for one that starts before the workout, that overlaps another, or that
  /// was added before.
  @preconcurrency
  open func addWorkoutActivity(
    _ workoutActivity: HKWorkoutActivity,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    change(completion) { [self] progress in
      try progress.checkStart(of: workoutActivity.startDate, "An activity")
      guard configuration.allows(workoutActivity.workoutConfiguration) else {
        throw HKError(.errorWorkoutActivityNotAllowed)
      }
      guard !progress.activities.contains(where: { $0.overlaps(workoutActivity) }) else {
        throw HKError.invalid("An activity overlaps another one")
      }
      progress.activities.append(workoutActivity)
    }
  }

  /// Adds an activity; see the form with a completion handler.
  open func addWorkoutActivity(_ workoutActivity: HKWorkoutActivity) async throws {
    try await finishing { addWorkoutActivity(workoutActivity, completion: $0) }
  }

  /// Sets the end of an activity that was added.
  @preconcurrency
  open func updateActivity(
    uuid: UUID, end endDate: Date,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    update(uuid, completion) { facts in
      guard endDate >= facts.start else { throw ObjectError(.endBeforeStart) }
      facts.end = endDate
    }
  }

  /// Sets the end of an activity that was added.
  open func updateActivity(uuid: UUID, end endDate: Date) async throws {
    try await finishing { updateActivity(uuid: uuid, end: endDate, completion: $0) }
  }

  /// Adds metadata to an activity that was added; an entry replaces that of its key.
  @preconcurrency
  open func updateActivity(
    uuid: UUID, adding metadata: [String: Any],
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let metadata = Unchecked(metadata)
    update(uuid, completion) { facts in
      facts.metadata = try ObjectMetadata.adding(
        metadata.value, to: facts.metadata, for: HKObjectType.workoutType())
    }
  }

  /// Adds metadata to an activity that was added.
  open func updateActivity(uuid: UUID, adding metadata: [String: Any]) async throws {
    try await finishing { updateActivity(uuid: uuid, adding: metadata, completion: $0) }
  }

  private func update(
    _ uuid: UUID, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
    _ change: @escaping @Sendable (inout HKWorkoutActivity.Facts) throws -> Void
  ) {
    self.change(completion) { progress in
      guard let place = progress.activities.firstIndex(where: { $0.uuid == uuid }) else {
        throw HKError.invalid("The workout has no such activity")
      }
      var facts = progress.activities[place].facts
      try change(&facts)
      progress.activities[place] = HKWorkoutActivity(facts: facts)
    }
  }

  /// Changes what the builder has, after what was asked before: while it collects, and once the
  /// workout is ended.
  private func change(
    _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void,
    _ body: @escaping @Sendable (inout Progress) throws -> Void
  ) {
    access.perform(.builder, completion) { [self] _ in
      try progress.withLock { progress in
        try progress.check(.collecting, .ended)
        try body(&progress)
      }
    }
  }

  // MARK: Contents

  /// The seconds from the start to a date, without pauses; 0 before the start, and no more than those
  /// to the end.
  open func elapsedTime(at date: Date) -> TimeInterval {
    progress.withLock { progress in
      guard let start = progress.start, date > start else { return 0 }
      return ActiveTime.seconds(
        from: start, to: progress.end.map { min($0, date) } ?? date, events: progress.events)
    }
  }

  /// Statistics of the samples that were added, by type; samples of several sources all count.
  open var allStatistics: [HKQuantityType: HKStatistics] {
    HKStatistics.byType(progress.withLock { $0.samples })
  }

  /// The statistics of a type; `nil` without samples.
  open func statistics(for quantityType: HKQuantityType) -> HKStatistics? {
    let samples = progress.withLock { $0.samples }
    return HKStatistics.ofSamples(
      samples.compactMap { $0 as? HKQuantitySample }.filter { $0.quantityType == quantityType })
  }

  /// The builder of the workout's route or heartbeats, the same each time; `nil` for heartbeats before
  /// the workout begins, and once it is finished or discarded.
  ///
  /// It is finished on its own. What it makes belongs to the workout.
  open func seriesBuilder(for seriesType: HKSeriesType) -> HKSeriesBuilder? {
    progress.withLock { progress in
      guard progress.phase != .finished, progress.phase != .discarded else { return nil }
      if let known = progress.series[seriesType] { return known }
      let builder: HKSeriesBuilder
      switch seriesType.identifier {
      case HKWorkoutRouteTypeIdentifier:
        builder = HKWorkoutRouteBuilder(access, ownDevice)
      case HKDataTypeIdentifierHeartbeatSeries:
        guard let start = progress.start else { return nil }
        builder = HKHeartbeatSeriesBuilder(access, ownDevice, start: start) {
          [weak self] series, session in
          guard let self else { return try session.save([series]) }
          try save(series, in: session)
        }
      default: return nil
      }
      progress.series[seriesType] = builder
      return builder
    }
  }

  /// Saves a series, together with its relation to the workout once that is saved.
  private func save(_ series: HKHeartbeatSeriesSample, in session: HealthSession) throws {
    if let workout = progress.withLock({ $0.workout }) {
      try session.relate([series], to: workout)
    } else {
      try session.save([series])
      append([series])
    }
  }

  // MARK: For live builders

  /// Adds samples that the store has, once each; returns their types.
  @discardableResult
  func append(_ samples: [HKSample]) -> Set<HKSampleType> {
    progress.withLock { progress in
      var types: Set<HKSampleType> = []
      for sample in samples where progress.identities.insert(sample.uuid).inserted {
        progress.samples.append(sample)
        types.insert(sample.sampleType)
      }
      return types
    }
  }

  /// Removes samples that were deleted; returns their types.
  func remove(_ identities: Set<UUID>) -> Set<HKSampleType> {
    progress.withLock { progress in
      let lost = progress.samples.filter { identities.contains($0.uuid) }
      guard !lost.isEmpty else { return [] }
      progress.samples.removeAll { identities.contains($0.uuid) }
      progress.identities.subtract(identities)
      return Set(lost.map(\.sampleType))
    }
  }

  /// Called when collection begins or ends, and when the builder is finished or discarded.
  func didChangePhase() {}

  /// Called with the types of samples that were added.
  func didCollect(_ types: Set<HKSampleType>) {}

  // MARK: Finishing

  private func finish(in session: HealthSession) throws -> HKWorkout {
    let progress = try progress.withLock { progress in
      try progress.check(.ended)
      return progress
    }
    let saved = try session.save(with: progress.samples) { samples in
      var progress = progress
      progress.samples = samples
      return try workout(of: progress)
    }
    self.progress.withLock { progress in
      (progress.phase, progress.workout) = (.finished, saved)
    }
    didChangePhase()
    return saved
  }

  /// The workout as an object.
  private func workout(of progress: Progress) throws -> HKWorkout {
    guard let start = progress.start, let end = progress.end else {
      throw HKError.invalid("The workout has not ended")
    }
    let metadata = configuration.metadata.merging(progress.metadata) { _, own in own }
    try HKSample.check(
      type: HKObjectType.workoutType(), start: start, end: end, metadata: metadata)
    let statistics = HKStatistics.byType(progress.samples)
    func total(_ identifier: HKQuantityTypeIdentifier) -> HKQuantity? {
      HKQuantityType.types[identifier.rawValue].flatMap { statistics[$0]?.sumQuantity() }
    }
    let activity = configuration.activityType
    let content = HKWorkout.Content(
      activity: activity,
      duration: ActiveTime.seconds(from: start, to: end, events: progress.events),
      events: progress.events.isEmpty ? nil : progress.events,
      activities: progress.activities.map { $0.finished(at: end, progress) },
      energy: total(.activeEnergyBurned),
      distance: total(Catalogue.distanceType(ofWorkoutActivity: activity.constant)),
      flights: total(.flightsClimbed), strokes: total(.swimmingStrokeCount),
      statistics: statistics, zones: progress.zoneGroups(from: start, to: end))
    return HKWorkout(
      content, start: start, end: end,
      facts: ObjectFacts(device: ownDevice, added: metadata))
  }
}

extension HKWorkoutBuilder.Progress {
  /// Throws unless the builder is in any of some phases.
  func check(_ allowed: HKWorkoutBuilder.Phase...) throws(HKError) {
    guard !allowed.contains(phase) else { return }
    switch phase {
    case .notBegun: throw .invalid("The workout has not begun")
    case .collecting:
      throw .invalid(
        allowed == [.notBegun] ? "The workout has begun already" : "The workout has not ended")
    case .ended: throw .invalid("The workout has ended already")
    case .finished: throw .invalid("The workout is finished")
    case .discarded: throw .invalid("The workout was discarded")
    }
  }

  /// Throws for a date before the start.
  func checkStart(of date: Date, _ what: String) throws(HKError) {
    guard let start, date >= start else { throw .invalid("\(what) is before the workout") }
  }
}

extension HKWorkoutConfiguration {
  /// Whether a workout may have an activity with another configuration.
  func allows(_ activity: HKWorkoutConfiguration) -> Bool {
    activityType == .swimBikeRun
      ? [.swimming, .cycling, .running, .transition].contains(activity.activityType)
      : activity.activityType == activityType
  }

  /// The place, as metadata of a workout have it.
  fileprivate var metadata: [String: Any] {
    var metadata: [String: Any] = [:]
    if locationType != .unknown {
      metadata[HKMetadataKeyIndoorWorkout] = locationType == .indoor
    }
    if swimmingLocationType != .unknown {
      metadata[HKMetadataKeySwimmingLocationType] = swimmingLocationType.rawValue
    }
    if let lapLength { metadata[HKMetadataKeyLapLength] = lapLength }
    return metadata
  }
}

extension HKWorkoutActivity {
  /// Whether two activities are the same, or share more than an instant.
  fileprivate func overlaps(_ other: HKWorkoutActivity) -> Bool {
    let isBefore = endDate.map { $0 <= other.startDate } ?? false
    let isAfter = other.endDate.map { $0 <= startDate } ?? false
    return uuid == other.uuid || !isBefore && !isAfter
  }

  /// The activity with the events and the statistics of its time; one that goes on ends at a date.
  fileprivate func finished(
    at end: Date, _ progress: HKWorkoutBuilder.Progress
  ) -> HKWorkoutActivity {
    var facts = facts
    let last = facts.end ?? max(facts.start, end)
    facts.end = last
    facts.events = progress.events.filter {
      facts.start <= $0.dateInterval.start && $0.dateInterval.start < last
    }
    facts.statistics = HKStatistics.byType(
      progress.samples,
      in: (
        facts.start.timeIntervalSinceReferenceDate, last.timeIntervalSinceReferenceDate
      ))
    facts.zones = progress.zoneGroups(from: facts.start, to: last)
    return HKWorkoutActivity(facts: facts)
  }
}
