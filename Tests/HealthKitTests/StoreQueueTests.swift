import Foundation
import HealthSamples
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthKit

/// What handlers note, from any thread.
private final class Notes<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  func add(_ value: Value) { values.withLock { $0.append(value) } }

  var all: [Value] { values.withLock { $0 } }
  var count: Int { all.count }
}

/// What a handler holds.
private final class Held: Sendable {}

private struct Weakly {
  weak var held: Held?
}

/// A place where handlers wait until a test lets them go on.
private final class Barrier: Sendable {
  private let isOpen = Mutex(false)

  /// Waits; the thread is one of the module.
  func wait() { while !isOpen.withLock({ $0 }) { usleep(1000) } }

  func open() { isOpen.withLock { $0 = true } }
}

extension HKHealthStore {
  /// Saves, and waits on this thread.
  fileprivate func saveNow(_ samples: [HKSample]) -> Bool {
    let done = DispatchSemaphore(value: 0)
    let isSaved = Atomic(false)
    save(samples) { success, _ in
      isSaved.store(success, ordering: .releasing)
      done.signal()
    }
    done.wait()
    return isSaved.load(ordering: .acquiring)
  }

  /// Has every query learn of what was committed.
  fileprivate func look() throws { try session.openedFile().store.hub().look() }
}

/// Threads, handlers and the observation of files.
@Suite struct StoreQueueTests {
  private let steps = HKQuantityType(.stepCount)
  private let mass = HKQuantityType(.bodyMass)

  /// Waits long enough for a call that must not come.
  private func settle() async throws { try await Task.sleep(for: .milliseconds(200)) }

  private func collection(
    _ update: @escaping @Sendable (Double) -> Void
  ) -> HKStatisticsCollectionQuery {
    let query = HKStatisticsCollectionQuery(
      quantityType: steps, quantitySamplePredicate: nil, options: .cumulativeSum,
      anchorDate: Trial.date(0), intervalComponents: DateComponents(year: 1))
    query.statisticsUpdateHandler = { _, statistics, _, _ in
      update(statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0)
    }
    return query
  }

  // MARK: Handlers

  @Test("K15, 2.10, row 103: handlers may wait for other calls and queries of the same store")
  func waitingHandlers() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let done = Notes<Bool>()
    let (steps, mass) = (steps, mass)
    for number in 0..<24 {
      store.save(Trial.steps(1, from: Double(number))) { success, _ in
        let isSaved = store.saveNow([Trial.mass(70)])
        let answered = DispatchSemaphore(value: 0)
        store.execute(
          HKSampleQuery(sampleType: steps, predicate: nil, limit: 1, sortDescriptors: nil) {
            _, samples, _ in
            // A handler in a handler in a handler.
            store.preferredUnits(for: [mass]) { _, _ in answered.signal() }
          })
        answered.wait()
        done.add(success && isSaved)
      }
    }
    try await eventually("all handlers") { done.count == 24 }
    #expect(done.all.allSatisfy { $0 })
    try await eventually("nothing runs") { store.session.work.isIdle }
  }

  @Test("Store work is serial: calls of one store run in their order")
  func serialWork() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let done = Notes<Bool>()
    for number in 0..<20 {
      let sample = Trial.steps(1, from: Double(number))
      store.save(sample) { success, _ in done.add(success) }
      // A deletion finds what the call before it saved.
      store.delete(sample) { success, _ in done.add(success) }
    }
    try await eventually("all handlers") { done.count == 40 }
    #expect(done.all.allSatisfy { $0 })
    #expect(try file.rows(.stepCount).isEmpty)
  }

  @Test("The handlers of a query are called one at a time; a save does not wait for them")
  func serialHandlers() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let inside = Atomic(0)
    let overlaps = Atomic(0)
    let seen = Notes<Int>()
    let note: @Sendable ([HKSample]?) -> Void = { samples in
      if inside.add(1, ordering: .acquiringAndReleasing).newValue > 1 {
        overlaps.add(1, ordering: .relaxed)
      }
      usleep(2000)
      seen.add(samples?.count ?? -1)
      inside.subtract(1, ordering: .acquiringAndReleasing)
    }
    let query = HKAnchoredObjectQuery(
      type: steps, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
    ) { _, samples, _, _, _ in note(samples) }
    query.updateHandler = { _, samples, _, _, _ in note(samples) }
    store.execute(query)
    for number in 0..<40 { try await store.save(Trial.steps(1, from: Double(number))) }
    try await eventually("all samples") { seen.all.reduce(0, +) == 40 }
    #expect(overlaps.load(ordering: .relaxed) == 0)
    store.stop(query)
  }

  @Test("The handlers of a query are released at its end: an answer, a stop, an error, a client")
  func releasedHandlers() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let stranger = file.store("com.example.stranger")
    let answers = Notes<Bool>()
    func sampleQuery(_ held: Held) -> HKQuery {
      HKSampleQuery(sampleType: steps, predicate: nil, limit: 1, sortDescriptors: nil) {
        answers.add($2 == nil)
        withExtendedLifetime(held) {}
      }
    }
    func liveQuery(_ held: Held) -> HKQuery {
      let query = HKAnchoredObjectQuery(
        type: steps, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
      ) { _, _, _, _, error in
        answers.add(error == nil)
        withExtendedLifetime(held) {}
      }
      query.updateHandler = { _, _, _, _, _ in withExtendedLifetime(held) {} }
      return query
    }
    func execute(
      _ store: HKHealthStore, _ make: (Held) -> HKQuery
    ) -> (query: HKQuery, held: Weakly) {
      let held = Held()
      let query = make(held)
      store.execute(query)
      return (query, Weakly(held: held))
    }
    // The app keeps the query, and nothing else.
    let answered = execute(store, sampleQuery)
    try await eventually("the end by an answer") { answered.held.held == nil }
    let failed = execute(stranger, liveQuery)
    try await eventually("the end by an error") { failed.held.held == nil }
    let stopped = execute(store, liveQuery)
    try await eventually("all answers") { answers.count == 3 }
    #expect(answers.all.sorted { $0 && !$1 } == [true, true, false])
    #expect(stopped.held.held != nil)
    store.stop(stopped.query)
    try await eventually("the end by a stop") { stopped.held.held == nil }
    withExtendedLifetime((answered.query, failed.query, stopped.query)) {}

    // A live query that nobody keeps goes on, and an iterator that is gone ends its query.
    do {
      var changes = HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: steps)], anchor: nil
      ).results(for: store).makeAsyncIterator()
      _ = try await changes.next()
    }
    try await eventually("nothing runs") { store.session.work.isIdle }
  }

  @Test("The delegate of a workout session may wait for calls of its store")
  func waitingDelegate() async throws {
    final class Delegate: NSObject, HKWorkoutSessionDelegate, @unchecked Sendable {
      let store: HKHealthStore
      let saved = Notes<Bool>()

      init(_ store: HKHealthStore) { self.store = store }

      func workoutSession(
        _ workoutSession: HKWorkoutSession, didChangeTo toState: HKWorkoutSessionState,
        from fromState: HKWorkoutSessionState, date: Date
      ) { saved.add(store.saveNow([Trial.mass(70)])) }

      func workoutSession(
        _ workoutSession: HKWorkoutSession, didFailWithError error: any Error
      ) {}
    }
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let session = try HKWorkoutSession(
      healthStore: store, configuration: HKWorkoutConfiguration())
    let delegate = Delegate(store)
    session.delegate = delegate
    session.prepare()
    session.startActivity(with: nil)
    session.end()
    try await eventually("three calls") { delegate.saved.count == 3 }
    #expect(delegate.saved.all.allSatisfy { $0 })
  }

  @Test("The work of a file counts handlers and delegates that run")
  func counted() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let work = file.store("com.example.other").session.work
    #expect(work === store.session.work)
    try await eventually("nothing runs") { work.isIdle }
    let barrier = Barrier()
    store.save(Trial.steps()) { _, _ in barrier.wait() }
    try await settle()
    #expect(!work.isIdle)
    barrier.open()
    try await eventually("nothing runs") { work.isIdle }
    // A query that only observes does not count.
    let query = HKObserverQuery(sampleType: steps, predicate: nil) { _, completion, _ in
      completion()
    }
    store.execute(query)
    try await eventually("nothing runs") { work.isIdle }
    store.stop(query)
  }

  // MARK: Errors

  /// The four live queries, whose errors are noted by name.
  private func liveQueries(_ errors: Notes<String>, _ answers: Notes<String>) -> [HKQuery] {
    @Sendable func note(_ name: String, _ error: (any Error)?) {
      (error == nil ? answers : errors).add(name)
    }
    let anchored = HKAnchoredObjectQuery(
      type: steps, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
    ) { note("anchored", $4) }
    anchored.updateHandler = { note("anchored", $4) }
    let collection = HKStatisticsCollectionQuery(
      quantityType: steps, quantitySamplePredicate: nil, options: .cumulativeSum,
      anchorDate: Trial.date(0), intervalComponents: DateComponents(day: 1))
    collection.initialResultsHandler = { note("collection", $2) }
    collection.statisticsUpdateHandler = { note("collection", $3) }
    let summaries = HKActivitySummaryQuery(predicate: nil) { note("summaries", $2) }
    summaries.updateHandler = { note("summaries", $2) }
    return [
      HKObserverQuery(sampleType: steps, predicate: nil) { _, completion, error in
        completion()
        note("observer", error)
      },
      anchored, collection, summaries,
    ]
  }

  private static let names = ["anchored", "collection", "observer", "summaries"]

  private func readingStore(_ file: HealthFile) async throws -> HKHealthStore {
    let store = file.store()
    try await store.requestAuthorization(
      toShare: [steps], read: [steps, HKObjectType.activitySummaryType()])
    return store
  }

  @Test("2.8: a query whose file is replaced tells the error once and is over")
  func failedObservation() async throws {
    let file = try HealthFile()
    let store = try await readingStore(file)
    try await store.save(Trial.steps(1))
    let (errors, answers) = (Notes<String>(), Notes<String>())
    let queries = liveQueries(errors, answers)
    for query in queries { store.execute(query) }
    try await eventually("the first answers") { answers.count == 4 }
    // As `restore` does.
    let copy = file.folder.path + "/copy.sqlite"
    try SampleStore(path: file.path, mode: .readOnly).backUp(to: copy)
    try #require(rename(copy, file.path) == 0)
    try await eventually("an error for each") { errors.count == 4 }
    #expect(errors.all.sorted() == Self.names)
    try await settle()
    #expect(errors.count == 4 && answers.count == 4)
  }

  @Test("2.8: a query that reads a locked store tells the error once, also after the unlock")
  func failedReading() async throws {
    let file = try HealthFile()
    let passphrase = "between us"
    try SampleStore.encrypt(path: file.path, passphrase: passphrase)
    do throws(StoreError) {
      try SampleStore.unlock(path: file.path, key: .passphrase(passphrase))
    } catch {
      // A machine that keeps no keys.
      return #expect(error.reason == .noKeyPlace)
    }
    let store = try await readingStore(file)
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    let (errors, answers) = (Notes<String>(), Notes<String>())
    // Summaries do not change, and so are not read.
    let queries = Array(liveQueries(errors, answers).prefix(3))
    for query in queries { store.execute(query) }
    try await eventually("the first answers") { answers.count == 3 }
    try SampleStore.lock(path: file.path)
    func save(_ second: Double) throws {
      try owner.save([
        NewSample(
          type: steps.core, source: Source(name: "a"), start: second, end: second, value: 1,
          label: "count")
      ])
    }
    try save(1)
    try await eventually("an error for each") { errors.count == 3 }
    #expect(errors.all.sorted() == Array(Self.names.prefix(3)))
    try SampleStore.unlock(path: file.path, key: .passphrase(passphrase))
    defer { try? SampleStore.lock(path: file.path) }
    try save(2)
    try store.look()
    try await settle()
    #expect(errors.count == 3 && answers.count == 3)
  }

  // MARK: Permission

  @Test("2.12, row 64: ten requests at once of two stores of an app are one question to the owner")
  func oneQuestion() async throws {
    let file = try HealthFile()
    let asked = Notes<Int>()
    var host = file.host()
    host.answer = { request in
      asked.add(request.read.count)
      try? await Task.sleep(for: .milliseconds(100))
      return request.allowed
    }
    let stores = [HKHealthStore(host: host), HKHealthStore(host: host)]
    let results = Notes<Bool>()
    for number in 0..<10 {
      stores[number % 2].requestAuthorization(toShare: [steps], read: [steps, mass]) {
        success, _ in results.add(success)
      }
    }
    try await eventually("all results") { results.count == 10 }
    #expect(results.all.allSatisfy { $0 })
    #expect(asked.all == [2])
  }

  @Test("2.12: a request for more asks for the rest afterwards, and all get an owner's refusal")
  func laterQuestions() async throws {
    let file = try HealthFile()
    let asked = Notes<Set<String>>()
    let barrier = Barrier()
    var host = file.host()
    host.answer = { request in
      asked.add(Set(request.read.map(\.identifier)))
      while !barrier.isPassed { try? await Task.sleep(for: .milliseconds(5)) }
      return request.allowed
    }
    let store = HKHealthStore(host: host)
    async let first: Void = store.requestAuthorization(toShare: [], read: [steps])
    try await eventually("the question") { asked.count == 1 }
    async let second: Void = store.requestAuthorization(toShare: [], read: [steps, mass])
    try await settle()
    #expect(asked.count == 1)
    barrier.open()
    _ = try await (first, second)
    #expect(asked.all == [[steps.identifier], [mass.identifier]])

    let silent = file.store("com.example.silent") { _ in nil }
    let codes = Notes<HKError.Code?>()
    for _ in 0..<10 {
      silent.requestAuthorization(toShare: [], read: [mass]) { codes.add(($1 as? HKError)?.code) }
    }
    try await eventually("all results") { codes.count == 10 }
    #expect(codes.all.allSatisfy { $0 == .errorUserCanceled })
  }

  @Test("2.12: two apps do not wait for each other's questions")
  func questionsOfApps() async throws {
    let file = try HealthFile()
    let barrier = Barrier()
    let asked = Notes<String>()
    var host = file.host()
    host.answer = { request in
      asked.add(request.app)
      while !barrier.isPassed { try? await Task.sleep(for: .milliseconds(5)) }
      return request.allowed
    }
    let slow = HKHealthStore(host: host)
    async let waiting: Void = slow.requestAuthorization(toShare: [], read: [steps])
    try await eventually("the question") { asked.count == 1 }
    let other = try await file.allowedStore("com.example.other")
    #expect(other.authorizationStatus(for: steps) == .sharingAuthorized)
    barrier.open()
    try await waiting
  }

  // MARK: Observing

  @Test("50 live queries need two threads and one watch at most, and each sees every change")
  func fiftyQueries() async throws {
    await #expect(processExitsWith: .success) {
      let file = try HealthFile()
      let steps = HKQuantityType(.stepCount)
      let store = try await file.allowedStore()
      try await store.save(Trial.steps(1))
      let (threads, watches) = (runningThreads(), watchCount())
      let seen = Notes<Int>()
      var queries: [HKQuery] = []
      for number in 0..<50 {
        let query: HKQuery
        switch number % 3 {
        case 0:
          query = HKObserverQuery(sampleType: steps, predicate: nil) { _, completion, _ in
            completion()
            seen.add(number)
          }
        case 1:
          let anchored = HKAnchoredObjectQuery(
            type: steps, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
          ) { _, _, _, _, _ in seen.add(number) }
          anchored.updateHandler = { _, _, _, _, _ in seen.add(number) }
          query = anchored
        default:
          let collection = HKStatisticsCollectionQuery(
            quantityType: steps, quantitySamplePredicate: nil, options: .cumulativeSum,
            anchorDate: Trial.date(0), intervalComponents: DateComponents(day: 1))
          collection.initialResultsHandler = { _, _, _ in seen.add(number) }
          collection.statisticsUpdateHandler = { _, _, _, _ in seen.add(number) }
          query = collection
        }
        store.execute(query)
        queries.append(query)
      }
      try await eventually("the first answers") { seen.count == 50 }
      for round in 1...3 {
        try await store.save(Trial.steps(Double(round), from: Double(round)))
        try await eventually("an update for each") { seen.count == 50 * (round + 1) }
      }
      try #require(Set(seen.all).count == 50)
      // Threads that are free go after some seconds.
      try await eventually("few threads") { runningThreads() <= threads + 2 }
      try #require(watchCount().instances <= max(1, watches.instances))
      try #require(watchCount().folders <= watches.folders + 1)
      for query in queries { store.stop(query) }
      try await store.save(Trial.steps(9, from: 9))
      try await Task.sleep(for: .milliseconds(200))
      try #require(seen.count == 200)
    }
  }

  @Test("Changes while the handlers of a query run are one more run, with the last state")
  func oneMoreRun() async throws {
    let file = try HealthFile()
    var host = file.host()
    host.joinsChanges = false
    let store = HKHealthStore(host: host)
    try await store.requestAuthorization(toShare: [steps], read: [steps])
    let barrier = Barrier()
    let sums = Notes<Double>()
    let query = collection {
      sums.add($0)
      if $0 == 1 { barrier.wait() }
    }
    store.execute(query)
    try await eventually("the first answer") { store.session.work.isIdle }
    try await store.save(Trial.steps(1))
    try await eventually("the first update") { sums.all == [1] }
    for second in 1...20 { try await store.save(Trial.steps(1, from: Double(second))) }
    try store.look()
    barrier.open()
    try await eventually("the second update") { store.session.work.isIdle }
    #expect(sums.all == [1, 21])
    store.stop(query)
  }

  @Test("1,000 saves are at most 50 recomputations of live statistics; the last state is told")
  func joinedChanges() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let sums = Notes<Double>()
    let query = collection { sums.add($0) }
    store.execute(query)
    try await eventually("the first answer") { store.session.work.isIdle }
    let start = ContinuousClock.now
    for second in 0..<1000 {
      store.save(Trial.steps(1, from: Double(second))) { success, _ in #expect(success) }
    }
    try await eventually("the last state") { sums.all.last == 1000 }
    // A machine that is busy takes longer for the saves: at most ten runs in each second.
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    #expect(sums.count <= max(50, Int(10 * seconds) + 2))
    print("1,000 saves in \(seconds) s are \(sums.count) recomputations")
    #expect(sums.all == sums.all.sorted())
    store.stop(query)
  }

  @Test("Without joining, as under a manual clock, no update waits")
  func separateChanges() async throws {
    let file = try HealthFile()
    var host = file.host()
    host.joinsChanges = false
    let store = HKHealthStore(host: host)
    try await store.requestAuthorization(toShare: [steps], read: [steps])
    let sums = Notes<Double>()
    let query = collection { sums.add($0) }
    store.execute(query)
    try await eventually("the first answer") { store.session.work.isIdle }
    for number in 1...10 {
      try await store.save(Trial.steps(1, from: Double(number)))
      // Every query knows of the change when this returns, and has a run to do for it.
      try store.look()
      try await eventually("the run") { store.session.work.isIdle }
      #expect(sums.all.last == Double(number))
    }
    #expect(sums.count == 10)
    store.stop(query)
  }

  // MARK: Sequences

  @Test("SequenceDescriptors: a slow client gets the newest state, and none piles up")
  func newestState() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    func sum(_ result: HKStatisticsCollectionQueryDescriptor.Result?) -> Double? {
      result?.statisticsCollection.statistics().first?.sumQuantity()?.doubleValue(for: .count())
    }
    try await store.save(Trial.steps(1))
    var states = HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: steps), options: .cumulativeSum, anchorDate: Trial.date(0),
      intervalComponents: DateComponents(year: 1)
    ).results(for: store).makeAsyncIterator()
    #expect(sum(try await states.next()) == 1)
    for round in 1...3 {
      for second in 1...10 {
        try await store.save(Trial.steps(1, from: Double(100 * round + second)))
        try store.look()
      }
      // Nothing more runs for a client that does not ask.
      try await eventually("nothing runs") { store.session.work.isIdle }
      let state = try await states.next()
      #expect(sum(state) == Double(1 + 10 * round))
      #expect(state?.updatedStatistics?.count == 1)
    }
  }

  @Test("allChanges: a slow client of changes misses none, and gets each once")
  func everyChange() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    var changes = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: steps)], anchor: nil
    ).results(for: store).makeAsyncIterator()
    #expect(try await changes.next()?.addedSamples.isEmpty == true)
    var saved: [HKQuantitySample] = []
    var read: [HKQuantitySample] = []
    for round in 0..<4 {
      for second in 0..<8 {
        let sample = Trial.steps(1, from: Double(100 * round + second))
        try await store.save(sample)
        saved.append(sample)
      }
      try store.look()
      let page = try #require(try await changes.next())
      // One page has all that happened since the one before.
      #expect(page.addedSamples.count == 8)
      read += page.addedSamples
    }
    #expect(read == saved)
    try await store.delete(saved[3])
    let last = try await changes.next()
    #expect(last?.deletedObjects.map(\.uuid) == [saved[3].uuid])
    #expect(last?.addedSamples.isEmpty == true)
  }

  @Test("A cancelled client and an error end a sequence; the query is over")
  func endedSequences() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let pages = Notes<Int>()
    let task = Task { [steps] in
      let descriptor = HKAnchoredObjectQueryDescriptor(
        predicates: [.quantitySample(type: steps)], anchor: nil)
      for try await page in descriptor.results(for: store) { pages.add(page.addedSamples.count) }
    }
    try await eventually("the first page") { pages.count == 1 }
    task.cancel()
    try await task.value
    let stranger = file.store("com.example.stranger")
    var failing = HKAnchoredObjectQueryDescriptor(
      predicates: [.quantitySample(type: steps)], anchor: nil
    ).results(for: stranger).makeAsyncIterator()
    #expect(
      await healthError { _ = try await failing.next() } == .errorAuthorizationNotDetermined)
    #expect(try await failing.next() == nil)
  }

  // MARK: Pages

  @Test("SeriesQueries: handlers run outside of the snapshot, in pages that join to the whole")
  func seriesPages() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    // Some of one time, and some that overlap the next ones.
    let samples = (0..<10_600).map { number -> HKQuantitySample in
      let start = Double(number / 3)
      return Trial.steps(Double(number), from: start, to: start + Double(number % 7))
    }
    try await store.save(samples)
    let values = Notes<Double>()
    let ends = Notes<Bool>()
    let query = HKQuantitySeriesSampleQuery(quantityType: steps, predicate: nil) {
      _, quantity, interval, _, isDone, error in
      #expect(error == nil)
      // The first page is read: what is saved now comes with a later one.
      if values.count == 0 { ends.add(store.saveNow([Trial.steps(99_999, from: 1e6)])) }
      if let quantity { values.add(quantity.doubleValue(for: .count())) }
      if isDone { ends.add(true) }
    }
    store.execute(query)
    try await eventually("the last measurement") { ends.count == 2 }
    let all = values.all
    #expect(all.count == samples.count + 1 && all.last == 99_999)
    var expected = Set((0..<10_600).map(Double.init))
    expected.insert(99_999)
    #expect(Set(all) == expected)

    // A client that takes one by one gets the same.
    var taken: [Double] = []
    let results = HKQuantitySeriesSampleQueryDescriptor(predicate: .quantitySample(type: steps))
      .results(for: store)
    var starts: [Date] = []
    for try await result in results {
      taken.append(result.quantity.doubleValue(for: .count()))
      starts.append(result.dateInterval.start)
    }
    #expect(taken == all)
    #expect(starts == starts.sorted())
  }
}

extension Barrier {
  fileprivate var isPassed: Bool { isOpen.withLock { $0 } }
}

/// The threads of this process.
private func runningThreads() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? .max
}

/// The instances of inotify of this process, and the folders that they watch.
private func watchCount() -> (instances: Int, folders: Int) {
  let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
  var count = (instances: 0, folders: 0)
  for descriptor in descriptors {
    let target = try? FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/self/fd/\(descriptor)")
    guard target?.contains("inotify") == true else { continue }
    let facts = try? String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)
    count.instances += 1
    let lines = (facts ?? "").split(separator: "\n")
    count.folders += lines.filter { $0.hasPrefix("inotify wd") }.count
  }
  return count
}
