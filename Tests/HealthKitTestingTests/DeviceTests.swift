import Foundation
import HealthKit
import HealthKitTesting
import Synchronization
import Testing

private let steps = HKQuantityType(.stepCount)
private let mass = HKQuantityType(.bodyMass)
private let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

private func walk(_ count: Double = 100, at minutes: Double = 0) -> HKQuantitySample {
  HKQuantitySample(
    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count),
    start: start + 60 * minutes, end: start + 60 * minutes + 60)
}

private func count() async throws -> Int {
  try await HKSampleQueryDescriptor(
    predicates: [.quantitySample(type: steps)], sortDescriptors: []
  ).result(for: HKHealthStore()).count
}

func code(_ body: () async throws -> Void) async -> HKError.Code? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? HKError)?.code
  }
}

/// What an observer query tells, and what completes it.
private final class Updates: Sendable {
  private let state = Mutex((count: 0, completions: [@Sendable () -> Void]()))
  private let completes: Bool

  init(completes: Bool) { self.completes = completes }

  var count: Int { state.withLock { $0.count } }

  /// Begins to observe, as an app does when it is launched.
  func observe() {
    HKHealthStore().execute(
      HKObserverQuery(sampleType: steps, predicate: nil) { [self] _, completion, error in
        guard error == nil else { return }
        state.withLock { $0.count += 1 }
        if completes { completion() }
      })
  }
}

/// What the delegate of a workout session hears.
private final class Steps: NSObject, HKWorkoutSessionDelegate {
  private let heard = Mutex((states: [HKWorkoutSessionState](), errors: [HKError.Code]()))
  var states: [HKWorkoutSessionState] { heard.withLock { $0.states } }
  var errors: [HKError.Code] { heard.withLock { $0.errors } }

  func workoutSession(
    _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
    from fromState: HKWorkoutSessionState, date: Date
  ) {
    heard.withLock { $0.states.append(toState) }
  }

  func workoutSession(_ workoutSession: HKWorkoutSession, didFailWithError error: any Error) {
    if let error = error as? HKError { heard.withLock { $0.errors.append(error.code) } }
  }
}

private var running: HKWorkoutConfiguration {
  let configuration = HKWorkoutConfiguration()
  configuration.activityType = .running
  return configuration
}

/// The questions that a person gets.
private final class Questions: Sendable {
  private let state = Mutex((open: 0, most: 0, count: 0))
  var count: Int { state.withLock { $0.count } }
  /// How many were open at a time.
  var most: Int { state.withLock { $0.most } }

  func ask() async {
    state.withLock { state in
      (state.open, state.count) = (state.open + 1, state.count + 1)
      state.most = max(state.most, state.open)
    }
    try? await Task.sleep(for: .milliseconds(50))
    state.withLock { $0.open -= 1 }
  }
}

private let questions = Questions()

@Suite("A device in a test", .healthStore(.authorised.clock(.manual(start))))
struct DeviceTests {
  private var store: TestHealthStore { .current }

  @Test("A locked device reads nothing, and keeps what is saved until it is unlocked")
  func lock() async throws {
    let band = store.otherApp("com.example.band")
    try await HKHealthStore().save(walk())
    store.lock()
    #expect(await code { _ = try await count() } == .errorDatabaseInaccessible)
    try await band.save(walk(at: 5))
    #expect(await code { _ = try await count() } == .errorDatabaseInaccessible)
    store.unlock()
    #expect(try await count() == 2)
    store.lock()
    try await HKHealthStore().save(walk(at: 20))
    store.unlock()
    #expect(try await count() == 3)
  }

  @Test("What is saved while locked enters under the permissions at unlocking")
  func lockAndRevoke() async throws {
    store.lock()
    try await HKHealthStore().save(walk())
    try store.revoke(steps)
    store.unlock()
    #expect(HKHealthStore().authorizationStatus(for: steps) == .sharingDenied)
    #expect(await code { try await HKHealthStore().save(walk(at: 5)) } == .errorAuthorizationDenied)
    let all = try await HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: steps)], sortDescriptors: []
    ).result(for: store.otherApp("com.example.band"))
    #expect(all.isEmpty)
  }

  @Test("What the store has already keeps nothing else of a locked save out")
  func lockAndRepeat() async throws {
    let (known, new) = (walk(), walk(at: 5))
    try await HKHealthStore().save(known)
    store.lock()
    try await HKHealthStore().save([known, new])
    store.unlock()
    #expect(try await count() == 2)
  }

  @Test("No save is lost or fails beside locking and unlocking")
  func lockRace() async throws {
    let times = 200
    async let toggled: Void = {
      for _ in 0..<times {
        store.lock()
        store.unlock()
        await Task.yield()
      }
    }()
    for place in 0..<times { try await HKHealthStore().save(walk(at: Double(place))) }
    await toggled
    store.unlock()
    await store.idle()
    #expect(try await count() == times)
  }

  @Test("The next calls fail as often as a test says, and nothing is saved", arguments: 1...3)
  func faults(times: Int) async throws {
    store.fail(next: .save, times: times, with: .errorDatabaseInaccessible)
    for place in 0..<times {
      let found = await code { try await HKHealthStore().save(walk(at: Double(place))) }
      #expect(found == .errorDatabaseInaccessible)
    }
    #expect(try await count() == 0)
    try await HKHealthStore().save(walk())
    store.fail(next: .query, with: .errorNoData)
    #expect(await code { _ = try await count() } == .errorNoData)
    #expect(try await count() == 1)
    store.fail(next: .characteristics, with: .errorHealthDataRestricted)
    #expect(
      await code { _ = try HKHealthStore().biologicalSex() } == .errorHealthDataRestricted)
    store.fail(next: .requestAuthorization, with: .errorUserCanceled)
    #expect(
      await code { try await HKHealthStore().requestAuthorization(toShare: [], read: [steps]) }
        == .errorUserCanceled)
  }

  @Test("A call waits for the clock, and the others do not wait for it")
  func delays() async throws {
    store.delay(next: .save, by: .seconds(30))
    let saved = Mutex(false)
    await confirmation { done in
      HKHealthStore().save(walk()) { success, _ in
        saved.withLock { $0 = success }
        done()
      }
      try? await HKHealthStore().save(walk(at: 5))
      await store.clock.advance(by: .seconds(29))
      #expect(!saved.withLock { $0 })
      await store.clock.advance(by: .seconds(1))
      #expect(saved.withLock { $0 })
    }
    #expect(try await count() == 2)
    #expect(store.clock.now == start + 30)
  }

  @Test("Calls are recorded with their objects and types, in their order")
  func calls() async throws {
    let sample = walk()
    try await HKHealthStore().save([sample])
    _ = try await count()
    try await HKHealthStore().delete(sample)
    #expect(store.calls.map(\.call) == [.save, .query, .delete])
    #expect(store.calls[0].objects == [sample] && store.calls[0].types == [steps])
    #expect(store.calls[1].query is HKSampleQuery)
    #expect(store.calls.allSatisfy { $0.app == "com.example.app" && $0.date == start })
  }

  @Test("After idle() every live query has seen the last change")
  func idle() async throws {
    let updates = Updates(completes: true)
    updates.observe()
    await store.idle()
    #expect(updates.count == 1)
    for place in 1...20 {
      try await store.otherApp("com.example.band").save(walk(at: Double(place)))
      await store.idle()
      #expect(updates.count == place + 1)
    }
  }

  @Test("After idle() a task that iterates a query's results has handled the last change")
  func idleLoops() async throws {
    let counted = Mutex(0)
    let summed = Mutex(0.0)
    let tasks = [
      Task {
        let query = HKAnchoredObjectQueryDescriptor(
          predicates: [.quantitySample(type: steps)], anchor: nil)
        for try await changes in query.results(for: HKHealthStore()) {
          for _ in 0..<20 { await Task.yield() }
          counted.withLock { $0 += changes.addedSamples.count }
        }
      },
      Task {
        let query = HKStatisticsCollectionQueryDescriptor(
          predicate: .quantitySample(type: steps), options: .cumulativeSum, anchorDate: start,
          intervalComponents: DateComponents(day: 1))
        for try await answer in query.results(for: HKHealthStore()) {
          let sums = answer.statisticsCollection.statistics().compactMap { $0.sumQuantity() }
          for _ in 0..<20 { await Task.yield() }
          summed.withLock { $0 = sums.reduce(0) { $0 + $1.doubleValue(for: .count()) } }
        }
      },
    ]
    while store.calls.count < 2 { await Task.yield() }
    for place in 1...100 {
      // The second change comes while the first one is handled, or as its client asks again.
      for part in 0..<2 {
        try await store.otherApp("com.example.band").save(walk(at: Double(2 * place + part)))
      }
      await store.idle()
      #expect(counted.withLock { $0 } == 2 * place)
      #expect(summed.withLock { $0 } == Double(200 * place))
    }
    for task in tasks { task.cancel() }
    await store.idle()
  }

  @Test("A task that is quick over each of many answers is waited for until the last")
  func idleAnswers() async throws {
    let beats = (0..<300).map { start + Double($0) }
    try await store.load(.heartbeats(beats))
    let series = try #require(
      try await HKSampleQueryDescriptor(predicates: [.heartbeatSeries()], sortDescriptors: [])
        .result(for: HKHealthStore()).first)
    let seen = Mutex(0)
    let before = store.calls.count
    let task = Task {
      for try await _ in HKHeartbeatSeriesQueryDescriptor(series).results(for: HKHealthStore()) {
        try await Task.sleep(for: .milliseconds(1))
        seen.withLock { $0 += 1 }
      }
    }
    while store.calls.count == before { await Task.yield() }
    await store.idle()
    #expect(seen.withLock { $0 } == beats.count)
    try await task.value
  }

  @Test("A client that does not ask for results is not waited for, and then gets all that happened")
  func idleIterator() async throws {
    let query = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: steps)], anchor: nil)
    var answers = query.results(for: HKHealthStore()).makeAsyncIterator()
    #expect(try await answers.next()?.addedSamples.isEmpty == true)
    for place in 1...5 {
      for part in 0..<2 {
        try await HKHealthStore().save(walk(at: Double(2 * place + part)))
        await store.idle()
      }
      #expect(try await answers.next()?.addedSamples.count == 2)
    }
  }

  @Test("An update that was not completed holds back the next by the clock, or until deliver()")
  func delivery() async throws {
    let updates = Updates(completes: false)
    try await HKHealthStore().enableBackgroundDelivery(for: steps, frequency: .immediate)
    updates.observe()
    await store.idle()
    let band = store.otherApp("com.example.band")
    try await band.save(walk(at: 1))
    await store.idle()
    #expect(updates.count == 2)
    try await band.save(walk(at: 2))
    await store.clock.advance(by: .seconds(59))
    #expect(updates.count == 2)
    await store.clock.advance(by: .seconds(1))
    #expect(updates.count == 3)
    try await band.save(walk(at: 3))
    await store.idle()
    #expect(updates.count == 3)
    await store.deliver()
    #expect(updates.count == 4)
  }

  @Test("After a relaunch old queries answer no more, and new ones do")
  func relaunch() async throws {
    let (old, new) = (Updates(completes: true), Updates(completes: true))
    old.observe()
    await store.relaunch()
    #expect(old.count == 1)
    new.observe()
    await store.idle()
    try await store.otherApp("com.example.band").save(walk(at: 1))
    await store.idle()
    #expect(old.count == 1 && new.count == 2)
    #expect(try await count() == 1)
  }

  @Test("Hourly background delivery brings what another app saved")
  func hourly() async throws {
    let updates = Updates(completes: true)
    try await HKHealthStore().enableBackgroundDelivery(for: steps, frequency: .hourly)
    updates.observe()
    await store.idle()
    try await store.otherApp("com.example.band").save(walk())
    await store.clock.advance(by: .seconds(3_600))
    #expect(updates.count == 2)
    #expect(store.clock.now == start + 3_600)
  }

  @Test("A limited history begins at its date, until it is shown in full")
  func history() async throws {
    try await store.otherApp("com.example.band").save([walk(), walk(at: 60)])
    try store.limitHistory(of: [steps], from: start + 1_800)
    #expect(try await count() == 1)
    #expect(
      try await HKHealthStore().earliestAuthorizedSampleDate(for: [steps, mass])
        == [steps: start + 1_800])
    try store.limitHistory(of: [steps], from: nil)
    #expect(try await count() == 2)
  }

  @Test("Medications and zones are what the person has now")
  func medications() async throws {
    let query = HKUserAnnotatedMedicationQueryDescriptor()
    #expect(try await query.result(for: HKHealthStore()).isEmpty)
    store.medications = [HealthHost.medication(named: "Aspirin")]
    try await HKHealthStore().requestPerObjectReadAuthorization(
      for: HKObjectType.userAnnotatedMedicationType(), predicate: nil)
    let found = try await query.result(for: HKHealthStore())
    #expect(found.map(\.medication.displayText) == ["Aspirin"])
    let heart = HKQuantityType(.heartRate)
    let unit = HKUnit.count().unitDivided(by: .minute())
    let zones = try HKWorkoutZoneConfiguration(
      quantityType: heart,
      zoneBoundaries: [120, 150].map { HKQuantity(unit: unit, doubleValue: $0) })
    store.workoutZones = [zones]
    let preferred = try await HKHealthStore().preferredWorkoutZoneConfiguration(for: heart)
    #expect(preferred?.zones.count == 3)
  }

  @Test("A live builder's own queries are no calls of the app")
  func liveBuilder() async throws {
    store.fail(next: .query, with: .errorNoData)
    let session = try HKWorkoutSession(
      healthStore: HKHealthStore(), configuration: running)
    let builder = session.associatedWorkoutBuilder()
    builder.dataSource = HKLiveWorkoutDataSource(
      healthStore: HKHealthStore(), workoutConfiguration: running)
    session.startActivity(with: start)
    try await builder.beginCollection(at: start)
    await store.idle()
    #expect(!store.calls.contains { $0.call == .query })
    #expect(await code { _ = try await count() } == .errorNoData)
  }

  /// What an app can do with a workout session, in an order that its states allow.
  private static let sessionSteps: [@Sendable (HKWorkoutSession) -> Void] = [
    { $0.prepare() }, { $0.startActivity(with: start) }, { $0.pause() }, { $0.resume() },
    { $0.beginNewActivity(configuration: running, date: start + 1, metadata: nil) },
    { $0.endCurrentActivity(on: start + 2) }, { $0.stopActivity(with: start + 3) }, { $0.end() },
  ]

  @Test("Each step of a workout session is recorded, fails for its delegate, and waits")
  func sessionCalls() async throws {
    let heard = Steps()
    let session = try HKWorkoutSession(healthStore: HKHealthStore(), configuration: running)
    session.delegate = heard
    for (place, step) in Self.sessionSteps.enumerated() {
      let (before, code) = (session.state, HKError.Code.errorHealthDataRestricted)
      store.fail(next: .workoutSession, with: code)
      step(session)
      await store.idle()
      #expect(session.state == before && heard.errors == Array(repeating: code, count: place + 1))
      store.delay(next: .workoutSession, by: .seconds(5))
      step(session)
      await store.clock.advance(by: .seconds(4))
      #expect(session.state == before)
      await store.clock.advance(by: .seconds(1))
      #expect(heard.errors.count == place + 1)
    }
    #expect(heard.states == [.prepared, .running, .paused, .running, .stopped, .ended])
    #expect(store.calls.map(\.call) == Array(repeating: .workoutSession, count: 16))
    store.fail(next: .workoutSession, with: .errorNoData)
    #expect(
      await code { try await session.startMirroringToCompanionDevice() } == .errorNoData)
  }

  @Test("A session that another one ends makes no call of the app")
  func takenOver() async throws {
    let sessions = try (0..<2).map { _ in
      try HKWorkoutSession(healthStore: HKHealthStore(), configuration: running)
    }
    for session in sessions { session.startActivity(with: start) }
    await store.idle()
    #expect(sessions.map(\.state) == [.ended, .running])
    #expect(store.calls.map(\.call) == [.workoutSession, .workoutSession])
  }

  @Test("What a builder does without an answer is recorded, and a sudden call fails at once")
  func builderCalls() async throws {
    let builder = HKWorkoutBuilder(
      healthStore: HKHealthStore(), configuration: running, device: nil)
    try await builder.beginCollection(at: start)
    _ = builder.seriesBuilder(for: .workoutRoute())
    builder.discardWorkout()
    let series = HKQuantitySeriesSampleBuilder(
      healthStore: HKHealthStore(), quantityType: steps, startDate: start, device: nil)
    store.delay(next: .builder, by: .seconds(5))
    store.fail(next: .builder, with: .errorDatabaseInaccessible)
    series.discard()
    let one = HKQuantity(unit: .count(), doubleValue: 1)
    #expect(await code { try series.insert(one, at: start) } == .errorDatabaseInaccessible)
    #expect(store.calls.map(\.call) == Array(repeating: .builder, count: 4))
    // The delay is for the first call that can wait.
    let later = HKWorkoutBuilder(healthStore: HKHealthStore(), configuration: running, device: nil)
    let ended = Mutex(false)
    later.beginCollection(withStart: start) { _, _ in ended.withLock { $0 = true } }
    await store.clock.advance(by: .seconds(4))
    #expect(!ended.withLock { $0 })
    await store.clock.advance(by: .seconds(1))
    #expect(ended.withLock { $0 })
  }

  @Test("Characteristics, which are read at once, cannot wait: a test that says so gets an issue")
  func delayedCharacteristics() throws {
    withKnownIssue { store.delay(next: .characteristics, by: .seconds(5)) }
    #expect(try HKHealthStore().biologicalSex().biologicalSex == .notSet)
  }

  @Test("Zones have kinds of their own: those of the person, and those of a builder")
  func zoneCalls() async throws {
    let heart = HKQuantityType(.heartRate)
    _ = try await HKHealthStore().preferredWorkoutZoneConfiguration(for: heart)
    let builder = HKWorkoutBuilder(
      healthStore: HKHealthStore(), configuration: running, device: nil)
    _ = try await builder.zoneConfiguration(for: heart)
    let unit = HKUnit.count().unitDivided(by: .minute())
    let own = try HKWorkoutZoneConfiguration(
      quantityType: heart,
      zoneBoundaries: [120, 150].map { HKQuantity(unit: unit, doubleValue: $0) })
    try await builder.setCustomZoneConfiguration(own, for: heart)
    _ = try await builder.zoneConfiguration(for: heart)
    #expect(store.calls.map(\.call) == [.workoutZones, .builder, .builder, .builder])
    #expect(store.calls[0].types == [heart])
    store.fail(next: .workoutZones, with: .errorNoData)
    #expect(
      await code {
        _ = try await HKHealthStore().preferredWorkoutZoneConfiguration(for: heart)
      } == .errorNoData)
  }

  @Test("Permissions can be read while the device is locked, as they are kept apart from the data")
  func lockedPermissions() async throws {
    store.lock()
    #expect(HKHealthStore().authorizationStatus(for: steps) == .sharingAuthorized)
    #expect(
      try await HKHealthStore().statusForAuthorizationRequest(toShare: [steps], read: [steps])
        == .unnecessary)
    try store.revoke(steps)
    #expect(HKHealthStore().authorizationStatus(for: steps) == .sharingDenied)
  }

  @Test("A query that waits is not ended by a delivery, and answers in its time")
  func delayedQuery() async throws {
    let updates = Updates(completes: true)
    store.delay(next: .query, by: .seconds(5))
    updates.observe()
    await store.deliver()
    #expect(updates.count == 0)
    await store.clock.advance(by: .seconds(5))
    #expect(updates.count == 1)
  }

  @Test("Time does not go back, and a year passes soon")
  func year() async throws {
    let updates = Updates(completes: false)
    try await HKHealthStore().enableBackgroundDelivery(for: steps, frequency: .immediate)
    updates.observe()
    await store.idle()
    for place in 1...4 {
      try await store.otherApp("com.example.band").save(walk(at: Double(place)))
      await store.clock.advance(by: .seconds(3_600))
    }
    await store.clock.advance(by: .seconds(365 * 86_400))
    let now = store.clock.now
    await store.clock.advance(by: .seconds(-60))
    #expect(store.clock.now == now && now == start + 365 * 86_400 + 4 * 3_600)
  }

  @Test("A workout session has the dates of the clock")
  func session() async throws {
    let session = try HKWorkoutSession(
      healthStore: HKHealthStore(), configuration: running)
    session.startActivity(with: nil)
    await store.clock.advance(by: .seconds(600))
    session.end()
    await store.idle()
    #expect(session.startDate == start && session.endDate == start + 600)
  }

  @Test(
    "2.14: A guest reads, and nothing is asked, saved or deleted",
    .healthStore(.denyingAll.device(.visionGuest)))
  func guest() async throws {
    try await HKHealthStore().requestAuthorization(toShare: [mass], read: [mass])
    #expect(HKHealthStore().authorizationStatus(for: mass) == .notDetermined)
    let sample = walk()
    #expect(
      await code { try await HKHealthStore().save(sample) } == .errorNotPermissibleForGuestUserMode)
    #expect(
      await code { try await HKHealthStore().delete(sample) }
        == .errorNotPermissibleForGuestUserMode)
  }

  @Test(
    "Of objects that need permission one by one the person shows none who denies",
    .healthStore(.denyingAll))
  func objects() async throws {
    let store = HKHealthStore()
    let type = HKObjectType.visionPrescriptionType()
    let lens = HKGlassesLensSpecification(
      sphere: HKQuantity(unit: .diopter(), doubleValue: 1), cylinder: nil, axis: nil, addPower: nil,
      vertexDistance: nil, prism: nil, farPupillaryDistance: nil, nearPupillaryDistance: nil)
    try await TestHealthStore.current.otherApp("com.example.optician").save(
      HKGlassesPrescription(
        rightEyeSpecification: lens, leftEyeSpecification: nil, dateIssued: start,
        expirationDate: nil, device: nil, metadata: nil))
    try await store.requestPerObjectReadAuthorization(for: type, predicate: nil)
    let found = try? await HKSampleQueryDescriptor(
      predicates: [.sample(type: type)], sortDescriptors: []
    ).result(for: store)
    #expect(found?.isEmpty ?? true)
  }

  @Test(
    "2.12: Requests by object ask one question at a time, and share that for the same objects",
    .healthStore(
      .answering({
        await questions.ask()
        return $0.allowed
      }) { request in
        await questions.ask()
        return request.all
      }))
  func questionsAtOnce() async throws {
    let (glasses, drugs) = (
      HKObjectType.visionPrescriptionType(), HKObjectType.userAnnotatedMedicationType()
    )
    func ask(_ type: HKObjectType, times: Int) async throws {
      try await withThrowingTaskGroup { group in
        for _ in 0..<times {
          group.addTask {
            try await HKHealthStore().requestPerObjectReadAuthorization(for: type, predicate: nil)
          }
        }
        try await group.waitForAll()
      }
    }
    // A busy machine may begin a request only after the answer.
    var counts: [Int] = []
    repeat {
      let before = questions.count
      try await ask(glasses, times: 10)
      counts.append(questions.count - before)
    } while counts.last != 1 && counts.count < 5
    #expect(counts.last == 1)
    async let types: Void = HKHealthStore().requestAuthorization(toShare: [], read: [steps])
    async let some: Void = ask(glasses, times: 3)
    async let others: Void = ask(drugs, times: 3)
    _ = try await (types, some, others)
    #expect(questions.most == 1)
    // Nevertheless each request asks.
    let before = questions.count
    for _ in 0..<3 { try await ask(glasses, times: 1) }
    #expect(questions.count == before + 3)
  }

  @Test("Medications are shown as the person answers", .healthStore(.denyingAll))
  func deniedMedications() async throws {
    try await askForMedications()
    #expect(try await HKUserAnnotatedMedicationQueryDescriptor().result(for: .init()).isEmpty)
  }

  @Test("A person who does not answer is no yes to medications", .healthStore(.unanswered))
  func unansweredMedications() async throws {
    #expect(await code { try await askForMedications() } == .errorUserCanceled)
  }

  @Test(
    "A closure decides about medications",
    .healthStore(.answering({ $0.allowed }) { $0.medications.count == 1 ? $0.all : [] }))
  func chosenMedications() async throws {
    let query = HKUserAnnotatedMedicationQueryDescriptor()
    try await askForMedications()
    #expect(try await query.result(for: .init()).count == 1)
    store.medications.append(HealthHost.medication(named: "Ibuprofen"))
    try await askForMedications()
    #expect(try await query.result(for: .init()).isEmpty)
  }

  private func askForMedications() async throws {
    if store.medications.isEmpty { store.medications = [HealthHost.medication(named: "Aspirin")] }
    try await HKHealthStore().requestPerObjectReadAuthorization(
      for: HKObjectType.userAnnotatedMedicationType(), predicate: nil)
  }

  @Test("An iPad of iPadOS 16 has no health data", .healthStore(.authorised.device(.iPad16)))
  func iPad() async throws {
    #expect(!HKHealthStore.isHealthDataAvailable())
    #expect(await code { _ = try await count() } == .errorHealthDataUnavailable)
  }

  @Test(
    "K8: Without its entitlement a request fails",
    .healthStore(.allowingAll.entitlements(["com.apple.developer.healthkit"])))
  func entitlements() async throws {
    let store = HKHealthStore()
    try await store.requestAuthorization(toShare: [steps], read: [steps])
    #expect(
      await code { try await store.enableBackgroundDelivery(for: steps, frequency: .hourly) }
        == .errorAuthorizationDenied)
    #expect(
      await code {
        try await store.requestAuthorization(toShare: [], read: [HKClinicalType(.labResultRecord)])
      } == .errorAuthorizationDenied)
  }

  @Test(
    "K8: Without the entitlement nothing can be asked", .healthStore(.allowingAll.entitlements([])))
  func noEntitlement() async throws {
    #expect(
      await code { try await HKHealthStore().requestAuthorization(toShare: [], read: [steps]) }
        == .errorAuthorizationDenied)
    #expect(HKHealthStore().authorizationStatus(for: steps) == .notDetermined)
  }

  @Test(
    "2.14: A required clinical type that is denied is an error",
    .healthStore(
      .allowing(share: [], read: [HKClinicalType(.allergyRecord)])
        .requiring([HKClinicalType(.allergyRecord), HKClinicalType(.labResultRecord)])))
  func required() async throws {
    let store = HKHealthStore()
    try await store.requestAuthorization(toShare: [], read: [HKClinicalType(.allergyRecord)])
    #expect(
      await code {
        try await store.requestAuthorization(
          toShare: [], read: [HKClinicalType(.allergyRecord), HKClinicalType(.labResultRecord)])
      } == .errorRequiredAuthorizationDenied)
  }

  @Test(
    "A request with its usage texts is asked",
    .healthStore(.allowingAll.infoPlist(["NSHealthShareUsageDescription": "Shows steps"])))
  func usage() async throws {
    try await HKHealthStore().requestAuthorization(toShare: [], read: [steps])
    #expect(throws: (any Error).self) {
      var host = HealthHost(environment: [:])
      host.usageTexts = ["NSHealthShareUsageDescription": "Shows steps"]
      try AuthorisationRequest.check(share: [steps], read: [], by: host)
    }
  }
}
