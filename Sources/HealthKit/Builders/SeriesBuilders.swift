public import Foundation
internal import HealthSamples

/// A builder of a sample that is a series: of heartbeats, or of the places of a workout.
open class HKSeriesBuilder: NSObject, @unchecked Sendable {
  let access: HealthSession
  let ownDevice: HKDevice?

  init(_ access: HealthSession, _ device: HKDevice?) {
    (self.access, ownDevice) = (access, device)
  }

  /// Discards what was collected; the builder cannot be used any more.
  open func discard() {
    access.record(.builder)
    drop()
  }

  /// Drops what was collected.
  func drop() {}
}

/// A builder of a series of heartbeats.
///
/// The series is saved when it is finished. Adding fails with `errorInvalidArgument` once it is
/// finished or discarded.
open class HKHeartbeatSeriesBuilder: HKSeriesBuilder, @unchecked Sendable {
  private let startDate: Date
  private let collected = Collected(HKHeartbeatSeriesSample.Beats())
  /// Saves the series; the builder of a workout adds it to the workout.
  private let save: @Sendable (HKHeartbeatSeriesSample, HealthSession) throws -> Void

  /// Makes a builder of a series that starts at a date.
  public init(healthStore: HKHealthStore, device: HKDevice?, start startDate: Date) {
    self.startDate = startDate
    save = { try $1.save([$0]) }
    super.init(healthStore.session, device)
  }

  init(
    _ access: HealthSession, _ device: HKDevice?, start: Date,
    save: @escaping @Sendable (HKHeartbeatSeriesSample, HealthSession) throws -> Void
  ) {
    startDate = start
    self.save = save
    super.init(access, device)
  }

  /// The most heartbeats of a series, which is more than a day has.
  ///
  /// Apple does not publish its number.
  open class var maximumCount: Int { 1 << 17 }

  /// Adds a heartbeat, in seconds after the start, with whether heartbeats before it are missing.
  ///
  /// The error is `errorInvalidArgument` for a heartbeat before the start, one that is not after the
  /// last one, and one more than ``maximumCount``.
  @preconcurrency
  open func addHeartbeatWithTimeInterval(
    sinceSeriesStartDate timeIntervalSinceStart: TimeInterval, precededByGap: Bool,
    completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let most = type(of: self).maximumCount
    access.perform(.builder, completion) { [collected] _ in
      try collected.change { beats in
        guard timeIntervalSinceStart.isFinite, timeIntervalSinceStart >= 0 else {
          throw HKError.invalid("A heartbeat is before the start of the series")
        }
        guard beats.offsets.last.map({ $0 < timeIntervalSinceStart }) ?? true else {
          throw HKError.invalid("A heartbeat is not after the one before it")
        }
        guard beats.offsets.count < most else {
          throw HKError.invalid("A series has no more than \(most) heartbeats")
        }
        beats.offsets.append(timeIntervalSinceStart)
        beats.areAfterGaps.append(precededByGap)
      }
    }
  }

  /// Adds a heartbeat; see the form with a completion handler.
  open func addHeartbeat(
    at timeIntervalSinceStart: TimeInterval, precededByGap: Bool
  ) async throws {
    try await finishing {
      addHeartbeatWithTimeInterval(
        sinceSeriesStartDate: timeIntervalSinceStart, precededByGap: precededByGap,
        completion: $0)
    }
  }

  /// Adds metadata; an entry replaces that of its key.
  @preconcurrency
  open func addMetadata(
    _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    collected.add(metadata, for: HKSeriesType.heartbeat(), in: access, completion)
  }

  /// Adds metadata; an entry replaces that of its key.
  open func addMetadata(_ metadata: [String: Any]) async throws {
    try await finishing { addMetadata(metadata, completion: $0) }
  }

  /// Saves the series, which ends with its last heartbeat.
  ///
  /// The error is `errorInvalidArgument` without heartbeats. The builder cannot be used any more,
  /// whether it worked or not, unless the store is locked.
  @preconcurrency
  open func finishSeries(
    completion: @escaping @Sendable (HKHeartbeatSeriesSample?, (any Error)?) -> Void
  ) {
    access.perform(.builder, completion) { [self] in try finish(in: $0) }
  }

  /// Saves the series; see the form with a completion handler.
  @discardableResult
  open func finishSeries() async throws -> HKHeartbeatSeriesSample {
    try await finishing { finishSeries(completion: $0) }
  }

  private func finish(in session: HealthSession) throws -> HKHeartbeatSeriesSample {
    try collected.finish { beats, metadata in
      guard let last = beats.offsets.last else {
        throw HKError.invalid("The series has no heartbeats")
      }
      let series = HKHeartbeatSeriesSample(
        beats, start: startDate, end: startDate.addingTimeInterval(last),
        facts: ObjectFacts(device: ownDevice, added: metadata))
      try save(series, session)
      return try session.readBack(series)
    }
  }

  override func drop() { collected.discard(leaving: .init()) }
}

/// A builder of the route of a workout.
///
/// Linux has no Core Location: places are ``RouteLocation``, which has the properties of
/// `CLLocation`. Adding fails with `errorInvalidArgument` once the route is finished or discarded.
open class HKWorkoutRouteBuilder: HKSeriesBuilder, @unchecked Sendable {
  private let collected = Collected([RouteLocation]())

  /// Makes a builder.
  public init(healthStore: HKHealthStore, device: HKDevice?) {
    super.init(healthStore.session, device)
  }

  override init(_ access: HealthSession, _ device: HKDevice?) { super.init(access, device) }

  /// Adds places, which may come in any order: all of them, or none.
  ///
  /// The error is `errorInvalidArgument` for a place that is not on the earth, and for a number
  /// that is not finite.
  @preconcurrency
  open func insertRouteData(
    _ routeData: [RouteLocation], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    access.perform(.builder, completion) { [collected] _ in
      guard routeData.allSatisfy(\.isValid) else {
        throw HKError.invalid("A place of the route is not valid")
      }
      try collected.change { $0 += routeData }
    }
  }

  /// Adds places; see the form with a completion handler.
  open func insertRouteData(_ routeData: [RouteLocation]) async throws {
    try await finishing { insertRouteData(routeData, completion: $0) }
  }

  /// Adds metadata; an entry replaces that of its key.
  @preconcurrency
  open func addMetadata(
    _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    collected.add(metadata, for: HKSeriesType.workoutRoute(), in: access, completion)
  }

  /// Adds metadata; an entry replaces that of its key.
  open func addMetadata(_ metadata: [String: Any]) async throws {
    try await finishing { addMetadata(metadata, completion: $0) }
  }

  /// Saves the route, by time, with a workout that is saved already.
  ///
  /// The error is `errorInvalidArgument` without places, and for a workout that the store does not
  /// have. The builder cannot be used any more, whether it worked or not, unless the store is
  /// locked.
  ///
  /// - Parameters:
  ///   - workout: the workout to which the route belongs
  ///   - metadata: more metadata
  ///   - completion: gets the route or the error
  @preconcurrency
  open func finishRoute(
    with workout: HKWorkout, metadata: [String: Any]?,
    completion: @escaping @Sendable (HKWorkoutRoute?, (any Error)?) -> Void
  ) {
    let metadata = Unchecked(metadata)
    access.perform(.builder, completion) { [self] in
      try finish(workout, metadata.value ?? [:], in: $0)
    }
  }

  /// Saves the route; see the form with a completion handler.
  @discardableResult
  open func finishRoute(
    with workout: HKWorkout, metadata: [String: Any]?
  ) async throws -> HKWorkoutRoute {
    try await finishing { finishRoute(with: workout, metadata: metadata, completion: $0) }
  }

  private func finish(
    _ workout: HKWorkout, _ more: [String: Any], in session: HealthSession
  ) throws -> HKWorkoutRoute {
    try collected.finish { places, added in
      // Places of one time stay in the order in which they came.
      let sorted = places.enumerated().sorted {
        ($0.element.timestamp, $0.offset) < ($1.element.timestamp, $1.offset)
      }.map(\.element)
      guard let first = sorted.first, let last = sorted.last else {
        throw HKError.invalid("The route has no places")
      }
      let metadata = try ObjectMetadata.adding(
        more, to: added, for: HKSeriesType.workoutRoute())
      var locations = LocationColumns()
      for place in sorted { locations.append(place) }
      let route = HKWorkoutRoute(
        locations, start: first.timestamp, end: last.timestamp,
        facts: ObjectFacts(device: ownDevice, added: metadata))
      try session.relate([route], to: workout)
      return try session.readBack(route)
    }
  }

  override func drop() { collected.discard(leaving: []) }
}
