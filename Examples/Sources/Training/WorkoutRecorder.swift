import HealthKit

/// Records a run while it happens.
///
/// HealthKit calls its delegates on queues of its own: a lock guards what the screen shows.
@available(iOS 26, watchOS 10, *)
public final class WorkoutRecorder: NSObject, @unchecked Sendable {
  /// What the screen shows.
  public struct Screen: Sendable, Equatable {
    /// Whether the person runs, pauses, or has ended.
    public var state = HKWorkoutSessionState.notStarted
    /// The latest heart rate, in beats a minute.
    public var heartRate: Double?
    /// How far the person is, in metres.
    public var meters = 0.0
    /// Why the recording failed or ended.
    public var problem: HKError.Code?
  }

  private let store = HKHealthStore()
  private let lock = NSLock()
  private var shown = Screen()
  private var session: HKWorkoutSession?

  /// What the screen shows.
  public var screen: Screen { lock.withLock { shown } }

  /// Starts to record.
  public func start(at date: Date) async throws {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = .running
    configuration.locationType = .outdoor
    let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
    let builder = session.associatedWorkoutBuilder()
    builder.dataSource = HKLiveWorkoutDataSource(
      healthStore: store, workoutConfiguration: configuration)
    (session.delegate, builder.delegate) = (self, self)
    lock.withLock { self.session = session }
    session.startActivity(with: date)
    try await builder.beginCollection(at: date)
  }

  /// Stops counting until ``resume()``.
  public func pause() { lock.withLock { session }?.pause() }

  /// Goes on after a pause.
  public func resume() { lock.withLock { session }?.resume() }

  /// Ends the run and saves it; after an error, such as on a locked phone, it can be called again.
  @discardableResult
  public func finish(at date: Date) async throws -> HKWorkout? {
    guard let session = lock.withLock({ session }) else { return nil }
    let builder = session.associatedWorkoutBuilder()
    if builder.endDate == nil {
      session.stopActivity(with: date)
      try await builder.endCollection(at: date)
      session.end()
    }
    return try await builder.finishWorkout()
  }

  /// Ends the run without saving it.
  public func discard() {
    guard let session = lock.withLock({ session }) else { return }
    session.end()
    session.associatedWorkoutBuilder().discardWorkout()
  }
}

@available(iOS 26, watchOS 10, *)
extension WorkoutRecorder: HKWorkoutSessionDelegate {
  public func workoutSession(
    _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
    from fromState: HKWorkoutSessionState, date: Date
  ) {
    lock.withLock { shown.state = toState }
  }

  public func workoutSession(
    _ workoutSession: HKWorkoutSession, didFailWithError error: any Error
  ) {
    lock.withLock { shown.problem = (error as? HKError)?.code }
  }
}

@available(iOS 26, watchOS 10, *)
extension WorkoutRecorder: HKLiveWorkoutBuilderDelegate {
  public func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
  ) {
    let rate = workoutBuilder.statistics(for: TrainingAccess.heartRate)?.mostRecentQuantity()
    let distance = workoutBuilder.statistics(for: TrainingAccess.distance)?.sumQuantity()
    lock.withLock {
      shown.heartRate = rate?.doubleValue(for: .perMinute)
      shown.meters = distance?.doubleValue(for: .meter()) ?? 0
    }
  }

  public func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}
}
