import Foundation
import HealthKit
import HealthKitTesting
import Synchronization
import Testing
import Training

@Suite("Sync", .healthStore(.authorised.app("com.example.diary")), .timeLimit(.minutes(5)))
struct SyncTests {
  private let server = Server()
  private let bookmark = Bookmark()
  private let sync: TrainingSync

  init() { sync = TrainingSync(with: server, bookmark: bookmark.url, page: 10) }

  @Test("A run of any app is uploaded once, with its distance")
  func once() async throws {
    let run = try #require(try await saveWorkout(from: date(10, 19), meters: 5_000))
    try await sync.run()
    try await sync.run()
    let workouts = await server.workouts
    #expect(workouts[run.uuid]?.meters == 5_000)
    #expect(workouts[run.uuid]?.seconds == 1_800)
    #expect(await server.sizes == [1])
  }

  @Test("A run that the person deletes leaves the server")
  func deletion() async throws {
    let run = try #require(try await saveWorkout(by: HKHealthStore(), from: date(10, 19)))
    try await saveWorkout(from: date(10, 20))
    try await sync.run()
    try await HKHealthStore().delete(run)
    try await sync.run()
    #expect(await server.removed == [run.uuid])
    #expect(await server.workouts.count == 1)
  }

  @Test("What the server did not take is sent again")
  func failure() async throws {
    try await saveWorkout(from: date(10, 19))
    await server.fail(1)
    await #expect(throws: (any Error).self) { try await sync.run() }
    #expect(await server.workouts.isEmpty)
    try await sync.run()
    #expect(await server.workouts.count == 1)
  }

  @Test("Many workouts are sent in pages, none twice")
  func pages() async throws {
    for day in 1...25 { try await saveWorkout(from: date(10, day)) }
    try await sync.run()
    #expect(await server.sizes == [10, 10, 5])
    #expect(await server.workouts.count == 25)
  }

  @Test("The next launch goes on where the last one ended")
  func relaunch() async throws {
    try await saveWorkout(from: date(10, 19))
    try await sync.run()
    await TestHealthStore.current.relaunch()
    let later = try #require(try await saveWorkout(from: date(10, 20)))
    try await TrainingSync(with: server, bookmark: bookmark.url).run()
    #expect(await server.sizes == [1, 1])
    #expect(await server.workouts[later.uuid] != nil)
  }

  @Test("A locked phone uploads nothing, and everything once it is unlocked")
  func locked() async throws {
    try await saveWorkout(from: date(10, 19))
    TestHealthStore.current.lock()
    let error = await #expect(throws: HKError.self) { try await sync.run() }
    #expect(error?.code == .errorDatabaseInaccessible)
    TestHealthStore.current.unlock()
    try await sync.run()
    #expect(await server.workouts.count == 1)
  }
}

@Suite("Sync in the background", .healthStore(.authorised), .timeLimit(.minutes(5)))
struct BackgroundTests {
  private let server = Server()
  private let bookmark = Bookmark()

  /// How many runs a launch of the app began.
  ///
  /// The observer's handler counts them, for which `idle()` waits; a run itself goes on after it.
  private final class Begun: Sendable {
    private let state = Mutex(0)
    var count: Int { state.withLock { $0 } }
    func add() { state.withLock { $0 += 1 } }
  }

  /// Launches the app; the sequence has whether each run left the server up to date.
  private func launch(
    _ begun: Begun = Begun()
  ) async throws -> AsyncStream<Bool>.Iterator {
    let (runs, continuation) = AsyncStream.makeStream(of: Bool.self)
    let sync = TrainingSync(with: server, bookmark: bookmark.url)
    let background = BackgroundSync(sync) {
      begun.add()
    } didSync: {
      continuation.yield($0)
    }
    try await background.start()
    return runs.makeAsyncIterator()
  }

  @Test("A run of another app is uploaded without a touch")
  func uploads() async throws {
    var runs = try await launch()
    #expect(await runs.next() == true)
    #expect(await server.workouts.isEmpty)
    let run = try #require(try await saveWorkout(from: date(10, 19)))
    #expect(await runs.next() == true)
    #expect(await server.workouts[run.uuid] != nil)
  }

  @Test("After an upload that failed the next comes a minute later, and brings both")
  func backOff() async throws {
    let begun = Begun()
    var runs = try await launch(begun)
    #expect(await runs.next() == true)
    await server.fail(1)
    try await saveWorkout(from: date(10, 19))
    #expect(await runs.next() == false)
    try await saveWorkout(from: date(10, 20))
    await TestHealthStore.current.clock.advance(by: .seconds(59))
    #expect(begun.count == 2)
    await TestHealthStore.current.clock.advance(by: .seconds(1))
    #expect(begun.count == 3)
    #expect(await runs.next() == true)
    #expect(await server.sizes == [2])
  }

  @Test("After the app was ended only the new launch uploads")
  func relaunch() async throws {
    let (before, after) = (Begun(), Begun())
    var old = try await launch(before)
    #expect(await old.next() == true)
    await TestHealthStore.current.relaunch()
    var new = try await launch(after)
    #expect(await new.next() == true)
    try await saveWorkout(from: date(10, 19))
    #expect(await new.next() == true)
    await TestHealthStore.current.idle()
    #expect(before.count == 1 && after.count == 2)
    #expect(await server.sizes == [1])
  }
}
