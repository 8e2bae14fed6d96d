import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthKit

/// The calls of the delegates of a session and its builder, in order.
private final class Listener: NSObject, HKWorkoutSessionDelegate, HKLiveWorkoutBuilderDelegate {
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  override init() {
    (stream, continuation) = AsyncStream<String>.makeStream()
    super.init()
  }

  /// Waits for the next calls.
  func next(_ count: Int) async -> [String] {
    var calls: [String] = []
    for await text in stream {
      calls.append(text)
      if calls.count == count { break }
    }
    return calls
  }

  private func seconds(_ date: Date) -> Int { Int(date.timeIntervalSinceReferenceDate) }

  func workoutSession(
    _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
    from fromState: HKWorkoutSessionState, date: Date
  ) {
    continuation.yield("\(fromState) to \(toState) at \(seconds(date))")
  }

  func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
    continuation.yield("\((error as? HKError)?.code ?? .unknownError)")
  }

  func workoutSession(_ workoutSession: HKWorkoutSession, didGenerate event: HKWorkoutEvent) {
    continuation.yield("\(event.type) at \(seconds(event.dateInterval.start))")
  }

  func workoutSession(
    _ workoutSession: HKWorkoutSession,
    didBeginActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
  ) {
    continuation.yield("began \(workoutConfiguration.activityType) at \(seconds(date))")
  }

  func workoutSession(
    _ workoutSession: HKWorkoutSession,
    didEndActivityWith workoutConfiguration: HKWorkoutConfiguration, date: Date
  ) {
    continuation.yield("ended \(workoutConfiguration.activityType) at \(seconds(date))")
  }

  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
  ) {
    continuation.yield("collected \(collectedTypes.map(\.identifier).sorted())")
  }

  func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {
    continuation.yield("event \(workoutBuilder.workoutEvents.count)")
  }

  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didBegin workoutActivity: HKWorkoutActivity
  ) {
    continuation.yield("part \(workoutActivity.workoutConfiguration.activityType)")
  }

  func workoutBuilder(
    _ workoutBuilder: HKLiveWorkoutBuilder, didEnd workoutActivity: HKWorkoutActivity
  ) {
    continuation.yield("part over \(workoutActivity.workoutConfiguration.activityType)")
  }
}

@Suite struct WorkoutSessionTests {
  private func configuration(
    _ activity: HKWorkoutActivityType = .running
  ) -> HKWorkoutConfiguration {
    let configuration = HKWorkoutConfiguration()
    configuration.activityType = activity
    configuration.locationType = .outdoor
    return configuration
  }

  private enum Call: CaseIterable {
    case prepare
    case start
    case pause
    case resume
    case stop
    case end

    func perform(_ session: HKWorkoutSession) {
      switch self {
      case .prepare: session.prepare()
      case .start: session.startActivity(with: nil)
      case .pause: session.pause()
      case .resume: session.resume()
      case .stop: session.stopActivity(with: nil)
      case .end: session.end()
      }
    }
  }

  /// The calls that lead to each state, and the next state of each valid call; others fail.
  private static let table:
    [(state: HKWorkoutSessionState, path: [Call], steps: [Call: HKWorkoutSessionState])] = [
      (.notStarted, [], [.prepare: .prepared, .start: .running, .end: .ended]),
      (.prepared, [.prepare], [.start: .running, .end: .ended]),
      (.running, [.prepare, .start], [.pause: .paused, .stop: .stopped, .end: .ended]),
      (.paused, [.start, .pause], [.resume: .running, .stop: .stopped, .end: .ended]),
      (.stopped, [.start, .stop], [.end: .ended]),
      (.ended, [.start, .stop, .end], [:]),
    ]

  @Test("Each call moves the session as the table says, or fails and changes nothing")
  func states() async throws {
    let file = try HealthFile()
    for row in Self.table {
      for call in Call.allCases {
        let session = try HKWorkoutSession(
          healthStore: file.store(), configuration: configuration())
        for step in row.path { step.perform(session) }
        #expect(session.state == row.state)
        let listener = Listener()
        session.queue.sync {}
        session.delegate = listener
        call.perform(session)
        if let next = row.steps[call] {
          #expect(session.state == next)
          #expect(await listener.next(1) == ["\(row.state) to \(next) at 1000"])
        } else {
          #expect(session.state == row.state)
          #expect(await listener.next(1) == ["\(HKError.Code.errorInvalidArgument)"])
        }
        session.delegate = nil
        if session.state != .ended { session.end() }
      }
    }
  }

  @Test("The delegate gets the states with dates by the host's clock, and the pauses as events")
  func delegate() async throws {
    let file = try HealthFile()
    let clock = TrialClock(0)
    let session = try HKWorkoutSession(
      healthStore: file.store(clock: clock), configuration: configuration())
    let listener = Listener()
    session.delegate = listener
    #expect(session.state == .notStarted && session.startDate == nil && session.endDate == nil)
    clock.set(10)
    session.startActivity(with: nil)
    #expect(session.startDate == Trial.date(10))
    clock.set(20)
    session.pause()
    clock.set(30)
    session.resume()
    session.stopActivity(with: Trial.date(40))
    #expect(session.endDate == Trial.date(40))
    clock.set(50)
    session.end()
    #expect(session.endDate == Trial.date(40))
    #expect(
      await listener.next(7) == [
        "notStarted to running at 10", "running to paused at 20", "pause at 20",
        "paused to running at 30", "resume at 30", "running to stopped at 40",
        "stopped to ended at 50",
      ])
  }

  @Test("The start of a second session on the store ends the first, with an error")
  func another() async throws {
    let file = try HealthFile()
    let first = try HKWorkoutSession(healthStore: file.store(), configuration: configuration())
    first.startActivity(with: nil)
    first.queue.sync {}
    let listener = Listener()
    first.delegate = listener
    let second = try HKWorkoutSession(
      healthStore: file.store("com.example.other"), configuration: configuration())
    second.prepare()
    #expect(first.state == .running)
    second.startActivity(with: nil)
    #expect(first.state == .ended && second.state == .running)
    #expect(
      await listener.next(2)
        == ["\(HKError.Code.errorAnotherWorkoutSessionStarted)", "running to ended at 1000"])
    let elsewhere = try HKWorkoutSession(
      healthStore: HealthFile().store(), configuration: configuration())
    elsewhere.startActivity(with: nil)
    #expect(second.state == .running)
    elsewhere.end()
    second.end()
  }

  @Test("The session that runs in the process is recovered by its app, and no other")
  func recovering() async throws {
    let file = try HealthFile()
    let store = file.store()
    #expect(try await store.recoverActiveWorkoutSession() == nil)
    let session = try HKWorkoutSession(healthStore: store, configuration: configuration())
    session.startActivity(with: nil)
    #expect(try await file.store().recoverActiveWorkoutSession() === session)
    #expect(try await file.store("com.example.other").recoverActiveWorkoutSession() == nil)
    session.end()
    #expect(try await store.recoverActiveWorkoutSession() == nil)
  }

  @Test("The methods of the store control the session")
  func storeMethods() throws {
    let store = try HealthFile().store()
    let session = HKWorkoutSession(activityType: .cycling, locationType: .indoor)
    #expect(session.activityType == .cycling && session.locationType == .indoor)
    #expect(session.workoutConfiguration.activityType == .cycling && session.type == .primary)
    store.start(session)
    #expect(session.state == .running)
    store.pause(session)
    #expect(session.state == .paused)
    store.resumeWorkoutSession(session)
    #expect(session.state == .running)
    store.end(session)
    #expect(session.state == .ended)
  }

  @Test("Calls that need a companion device fail: unavailable")
  func companion() async throws {
    let store = try HealthFile().store()
    let session = try HKWorkoutSession(healthStore: store, configuration: configuration())
    let calls: [() async throws -> Void] = [
      { try await session.startMirroringToCompanionDevice() },
      { try await session.stopMirroringToCompanionDevice() },
      { try await session.sendToRemoteWorkoutSession(data: Data()) },
      { try await store.startWatchApp(toHandle: HKWorkoutConfiguration()) },
    ]
    for call in calls { #expect(await healthError(call) == .errorHealthDataUnavailable) }
    #expect(store.workoutSessionMirroringStartHandler == nil)
    store.workoutSessionMirroringStartHandler = { _ in }
    #expect(store.workoutSessionMirroringStartHandler != nil)
  }

  @Test("A session cannot be made where the host has no health data")
  func unavailable() async throws {
    let file = try HealthFile()
    for (availability, code) in HealthFile.unavailable {
      let store = file.store(availability: availability)
      #expect(
        await healthError {
          _ = try HKWorkoutSession(healthStore: store, configuration: configuration())
        } == code)
    }
  }

  @Test("An archived session keeps its configuration and dates, and does not run any more")
  func archive() throws {
    let file = try HealthFile()
    let session = try HKWorkoutSession(
      healthStore: file.store(), configuration: configuration(.rowing))
    func again() throws -> HKWorkoutSession {
      let data = try NSKeyedArchiver.archivedData(
        withRootObject: session, requiringSecureCoding: true)
      return try #require(
        try NSKeyedUnarchiver.unarchivedObject(ofClass: HKWorkoutSession.self, from: data))
    }
    #expect(try again().state == .notStarted)
    session.startActivity(with: Trial.date(5))
    let read = try again()
    #expect(read.state == .ended && read.startDate == Trial.date(5))
    #expect(read.workoutConfiguration == session.workoutConfiguration)
    #expect(read.currentActivity == session.currentActivity)
    session.end()
  }

  // MARK: Activities

  @Test("A new activity ends the one before; activities that a workout cannot have are refused")
  func parts() async throws {
    let file = try HealthFile()
    let session = try HKWorkoutSession(
      healthStore: file.store(), configuration: configuration(.swimBikeRun))
    let builder = session.associatedWorkoutBuilder()
    let listener = Listener()
    session.delegate = listener
    builder.delegate = listener
    session.beginNewActivity(
      configuration: configuration(.swimming), date: Trial.date(1), metadata: nil)
    #expect(await listener.next(1) == ["\(HKError.Code.errorInvalidArgument)"])
    session.startActivity(with: Trial.date(0))
    try await builder.beginCollection(at: Trial.date(0))
    #expect(session.currentActivity.workoutConfiguration.activityType == .swimBikeRun)
    session.beginNewActivity(
      configuration: configuration(.swimming), date: Trial.date(1), metadata: ["a": 1])
    #expect(session.currentActivity.workoutConfiguration.activityType == .swimming)
    #expect(builder.currentWorkoutActivity == session.currentActivity)
    session.beginNewActivity(
      configuration: configuration(.cycling), date: Trial.date(5), metadata: nil)
    session.beginNewActivity(
      configuration: configuration(.yoga), date: Trial.date(6), metadata: nil)
    session.endCurrentActivity(on: Trial.date(4))
    session.endCurrentActivity(on: Trial.date(9))
    session.endCurrentActivity(on: Trial.date(9))
    #expect(
      await listener.next(12) == [
        "notStarted to running at 0", "began swimming at 1", "part swimming",
        "ended swimming at 5", "part over swimming", "began cycling at 5", "part cycling",
        "\(HKError.Code.errorWorkoutActivityNotAllowed)", "\(HKError.Code.errorInvalidArgument)",
        "ended cycling at 9", "part over cycling", "\(HKError.Code.errorInvalidArgument)",
      ])
    #expect(builder.currentWorkoutActivity == nil)
    #expect(builder.workoutActivities.map(\.startDate) == [Trial.date(1), Trial.date(5)])
    #expect(builder.workoutActivities.map(\.endDate) == [Trial.date(5), Trial.date(9)])
    session.end()
  }

  // MARK: The live builder

  @Test("A session has one live builder, with its configuration")
  func builder() throws {
    let session = try HKWorkoutSession(
      healthStore: HealthFile().store(), configuration: configuration(.hiking))
    let builder = session.associatedWorkoutBuilder()
    #expect(builder === session.associatedWorkoutBuilder() && builder.workoutSession === session)
    #expect(builder.workoutConfiguration == session.workoutConfiguration)
    #expect(builder.shouldCollectWorkoutEvents && builder.dataSource == nil)
  }

  @Test("The builder collects what any app saves for the time in which the session runs")
  func collecting() async throws {
    let file = try HealthFile()
    let clock = TrialClock(0)
    let store = file.store(clock: clock)
    let types: Set<HKSampleType> = [HKQuantityType(.heartRate), HKQuantityType(.stepCount)]
    try await store.requestAuthorization(toShare: types, read: types)
    let other = try await file.allowedStore("com.example.band", types)
    func rate(_ number: Double, at second: Double) -> HKQuantitySample {
      HKQuantitySample(
        type: HKQuantityType(.heartRate),
        quantity: HKQuantity(
          unit: .count().unitDivided(by: .minute()), doubleValue: number),
        start: Trial.date(second), end: Trial.date(second))
    }
    let session = try HKWorkoutSession(healthStore: store, configuration: configuration())
    let builder = session.associatedWorkoutBuilder()
    let source = HKLiveWorkoutDataSource(
      healthStore: store, workoutConfiguration: session.workoutConfiguration)
    builder.dataSource = source
    let listener = Listener()
    builder.delegate = listener
    try await other.save(rate(50, at: 5))
    session.startActivity(with: Trial.date(10))
    try await builder.beginCollection(at: Trial.date(10))
    let deleted = rate(180, at: 12)
    try await other.save([rate(100, at: 11), deleted, Trial.steps(7, from: 11)])
    let heart = "collected [\"HKQuantityTypeIdentifierHeartRate\"]"
    #expect(await listener.next(1) == [heart])
    func mean() -> Double? {
      builder.statistics(for: HKQuantityType(.heartRate))?.averageQuantity()?
        .doubleValue(for: .count().unitDivided(by: .minute())).rounded()
    }
    #expect(mean() == 140)
    try await other.delete(deleted)
    #expect(await listener.next(1) == [heart])
    #expect(mean() == 100)
    // A paused session collects nothing; a resumed one does.
    clock.set(20)
    session.pause()
    #expect(await listener.next(1) == ["event 1"])
    try await other.save(rate(60, at: 21))
    clock.set(30)
    session.resume()
    #expect(await listener.next(1) == ["event 2"])
    try await other.save(rate(120, at: 31))
    #expect(await listener.next(1) == [heart])
    #expect(mean() == 110)
    #expect(builder.elapsedTime == 10)
    clock.set(40)
    #expect(builder.elapsedTime == 20)
    // Steps are collected from the beginning once they are asked for.
    source.enableCollection(
      for: HKQuantityType(.stepCount),
      predicate: HKQuery.predicateForQuantitySamples(
        with: .greaterThan, quantity: HKQuantity(unit: .count(), doubleValue: 5)))
    #expect(await listener.next(1) == ["collected [\"HKQuantityTypeIdentifierStepCount\"]"])
    session.stopActivity(with: Trial.date(40))
    try await other.save([rate(200, at: 45), Trial.steps(4, from: 35), Trial.steps(9, from: 36)])
    #expect(await listener.next(1) == ["collected [\"HKQuantityTypeIdentifierStepCount\"]"])
    #expect(mean() == 110)
    #expect(
      builder.statistics(for: HKQuantityType(.stepCount))?.sumQuantity()?
        .doubleValue(for: .count()) == 16)
    try await builder.endCollection(at: Trial.date(40))
    session.end()
  }

  @Test("The builder leaves out the events of the session if the app turns them off")
  func ownEvents() async throws {
    let file = try HealthFile()
    let session = try HKWorkoutSession(healthStore: file.store(), configuration: configuration())
    let builder = session.associatedWorkoutBuilder()
    builder.shouldCollectWorkoutEvents = false
    session.startActivity(with: Trial.date(0))
    try await builder.beginCollection(at: Trial.date(0))
    session.pause()
    session.resume()
    #expect(builder.workoutEvents.isEmpty)
    session.end()
  }

  @Test(
    "A data source has the types of its activity, follows a new one, and keeps the app's choice")
  func dataSource() async throws {
    let store = try HealthFile().store()
    func source(_ configuration: HKWorkoutConfiguration?) -> HKLiveWorkoutDataSource {
      HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration)
    }
    let energy: Set = [
      HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned),
      HKQuantityType(.basalEnergyBurned),
    ]
    #expect(source(nil).typesToCollect.isEmpty)
    #expect(source(configuration(.yoga)).typesToCollect == energy)
    let cycling = source(configuration(.cycling))
    #expect(cycling.typesToCollect == energy.union([HKQuantityType(.distanceCycling)]))
    cycling.follow(configuration(.swimming))
    #expect(cycling.typesToCollect == energy.union([HKQuantityType(.distanceSwimming)]))
    cycling.disableCollection(for: HKQuantityType(.basalEnergyBurned))
    cycling.enableCollection(for: HKQuantityType(.stepCount), predicate: nil)
    let own = cycling.typesToCollect
    #expect(
      own == [
        HKQuantityType(.heartRate), HKQuantityType(.activeEnergyBurned),
        HKQuantityType(.distanceSwimming), HKQuantityType(.stepCount),
      ])
    cycling.follow(configuration(.running))
    #expect(cycling.typesToCollect == own)
  }
}
