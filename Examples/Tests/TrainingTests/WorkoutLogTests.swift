import CoreLocation
import Foundation
import HealthKit
import HealthKitTesting
import Training
import XCTest

final class WorkoutLogTests: HealthKitTestCase {
  private let log = WorkoutLog()

  override var healthStoreSetup: HealthStoreSetup { .authorised.app("com.example.diary") }

  private func entry(_ day: Int = 20, meters: Double = 5_000) -> WorkoutLog.Entry {
    WorkoutLog.Entry(from: date(10, day, 9), to: date(10, day, 9, 30), meters: meters)
  }

  private func kilometres() async throws -> Double? {
    try await Charts(calendar: calendar).weeks(1, until: date(10, 20)).first
  }

  func testARunIsListedWithItsDistance() async throws {
    try await log.add(entry())
    let runs = try await log.runs()
    XCTAssertEqual(runs.map(\.start), [date(10, 20, 9)])
    XCTAssertEqual(runs.map(\.meters), [5_000])
    XCTAssertEqual(runs.map(\.isOwn), [true])
  }

  func testPausesDoNotCount() async throws {
    var entry = entry()
    entry.pauses = [(5.0, 60.0), (20, 240)].map {
      DateInterval(start: entry.start + $0 * 60, duration: $1)
    }
    try await log.add(entry)
    let runs = try await log.runs()
    XCTAssertEqual(runs.map(\.seconds), [1_500])
  }

  func testTheNewestRunIsFirstAndTheListEnds() async throws {
    for day in [20, 22, 21] { try await log.add(entry(day)) }
    let runs = try await log.runs(most: 2)
    XCTAssertEqual(runs.map(\.start), [date(10, 22, 9), date(10, 21, 9)])
  }

  func testACorrectedRunTakesThePlaceOfTheOldOne() async throws {
    var entry = entry()
    try await log.add(entry)
    (entry.meters, entry.version) = (6_000, 2)
    try await log.add(entry)
    let runs = try await log.runs()
    XCTAssertEqual(runs.map(\.meters), [6_000])
    let kilometres = try await kilometres()
    XCTAssertEqual(kilometres, 6)
  }

  func testADeletedRunIsGoneWithItsDistance() async throws {
    try await log.add(entry(20))
    try await log.add(entry(21, meters: 3_000))
    let first = try await log.runs().last
    try await log.delete(XCTUnwrap(first))
    let runs = try await log.runs()
    XCTAssertEqual(runs.map(\.meters), [3_000])
    let kilometres = try await kilometres()
    XCTAssertEqual(kilometres, 3)
  }

  func testAnotherAppsRunIsListedAndStays() async throws {
    try await saveWorkout(from: date(10, 20), meters: 4_000)
    let found = try await log.runs().first
    let run = try XCTUnwrap(found)
    XCTAssertFalse(run.isOwn)
    XCTAssertEqual(run.meters, 4_000)
    do {
      try await log.delete(run)
      XCTFail("Another app's run was deleted")
    } catch WorkoutLog.Problem.notOurs {}
    let runs = try await log.runs()
    XCTAssertEqual(runs, [run])
  }

  func testAnotherActivityIsNotListed() async throws {
    try await saveWorkout(.cycling, from: date(10, 20))
    try await saveWorkout(.running, from: date(10, 21))
    let runs = try await log.runs()
    XCTAssertEqual(runs.map(\.start), [date(10, 21)])
  }

  func testAnImplausibleRunIsNotSaved() async throws {
    let wrong = [
      WorkoutLog.Entry(from: date(10, 20), to: date(10, 20), meters: 5_000),
      WorkoutLog.Entry(from: date(10, 20), to: date(10, 19), meters: 5_000),
      WorkoutLog.Entry(from: date(10, 20), to: date(10, 21), meters: 0),
      WorkoutLog.Entry(from: date(10, 20), to: date(10, 21), meters: .nan),
    ]
    for entry in wrong {
      do {
        try await log.add(entry)
        XCTFail("A wrong entry was saved")
      } catch WorkoutLog.Problem.unlikely {}
    }
    let runs = try await log.runs()
    XCTAssertEqual(runs, [])
  }

  func testTheRouteIsKeptInTheOrderOfTime() async throws {
    var entry = entry()
    let latitudes = (0..<250).map { 48 + Double($0) / 10_000 }
    entry.route = latitudes.enumerated().reversed().map { place, latitude in
      CLLocation(
        coordinate: .init(latitude: latitude, longitude: 2), altitude: 35, horizontalAccuracy: 5,
        verticalAccuracy: 5, timestamp: entry.start + Double(place))
    }
    try await log.add(entry)
    let found = try await log.runs().first
    let route = try await log.route(of: XCTUnwrap(found))
    XCTAssertEqual(route.map(\.coordinate.latitude), latitudes)
  }

  func testTheListFollowsOtherApps() async throws {
    var lists = log.liveRuns().makeAsyncIterator()
    let first = try await lists.next()
    XCTAssertEqual(first, [])
    let run = try await saveWorkout(from: date(10, 20))
    let second = try await lists.next()
    XCTAssertEqual(second?.map(\.id), [try XCTUnwrap(run).uuid])
    try await band.delete(XCTUnwrap(run))
    let third = try await lists.next()
    XCTAssertEqual(third, [])
  }

  func testALockedPhoneSaysSo() async throws {
    TestHealthStore.current.lock()
    do {
      try await log.add(entry())
      XCTFail("A run was saved on a locked phone")
    } catch WorkoutLog.Problem.locked {}
    TestHealthStore.current.unlock()
    let runs = try await log.runs()
    XCTAssertEqual(runs, [])
    try await log.add(entry(21))
    let later = try await log.runs()
    XCTAssertEqual(later.count, 1)
  }
}

/// Test cases that cannot inherit from the kit's.
final class RefusedLogTests: XCTestCase {
  private let log = WorkoutLog()
  private let entry = WorkoutLog.Entry(from: date(10, 20, 9), to: date(10, 20, 10), meters: 9_000)

  private func isRefused() async throws {
    do {
      try await log.add(entry)
      XCTFail("A run was saved without permission")
    } catch WorkoutLog.Problem.notAllowed {}
  }

  func testAPersonWhoDeniesSavesNothing() async throws {
    try beginHealthStore(.denyingAll)
    try await HKHealthStore().requestAuthorization(
      toShare: TrainingAccess.share, read: TrainingAccess.read)
    try await isRefused()
    let runs = try await log.runs()
    XCTAssertEqual(runs, [])
  }

  func testBeforeThePersonIsAskedNothingIsSaved() async throws {
    try beginHealthStore(.allowingAll)
    try await isRefused()
    try await HKHealthStore().requestAuthorization(
      toShare: TrainingAccess.share, read: TrainingAccess.read)
    try await log.add(entry)
    let runs = try await log.runs()
    XCTAssertEqual(runs.map(\.meters), [9_000])
  }
}

final class RecorderTests: XCTestCase {
  private let start = date(10, 20, 9)
  private let recorder = WorkoutRecorder()
  private var store: TestHealthStore { .current }

  override func setUpWithError() throws {
    try beginHealthStore(.authorised.clock(.manual(start)))
  }

  /// What the band measures after some minutes.
  private func measure(_ rate: Double, after minutes: Double) async throws {
    try await band.save(HKQuantitySample(.heartRate, rate, .beats, at: start + minutes * 60))
    await store.idle()
  }

  func testTheScreenShowsWhatTheBandMeasures() async throws {
    try await recorder.start(at: start)
    await store.idle()
    XCTAssertEqual(recorder.screen.state, .running)
    try await measure(120, after: 1)
    XCTAssertEqual(recorder.screen.heartRate, 120)
    try await measure(131, after: 2)
    XCTAssertEqual(recorder.screen.heartRate, 131)
    try await band.save(
      HKQuantitySample(
        .distanceWalkingRunning, 400, .meter(), at: start + 60, seconds: 120))
    await store.idle()
    XCTAssertEqual(recorder.screen.meters, 400)
    try await recorder.finish(at: start + 600)
    let runs = try await WorkoutLog().runs()
    XCTAssertEqual(runs.map(\.meters), [400])
    XCTAssertEqual(runs.map(\.seconds), [600])
  }

  func testPausedTimeDoesNotCount() async throws {
    try await recorder.start(at: start)
    await store.clock.advance(by: .seconds(300))
    recorder.pause()
    await store.idle()
    XCTAssertEqual(recorder.screen.state, .paused)
    await store.clock.advance(by: .seconds(120))
    recorder.resume()
    await store.clock.advance(by: .seconds(180))
    try await recorder.finish(at: store.clock.now)
    let runs = try await WorkoutLog().runs()
    XCTAssertEqual(runs.map(\.seconds), [480])
  }

  func testAnotherRecordingEndsTheFirst() async throws {
    let second = WorkoutRecorder()
    try await recorder.start(at: start)
    try await second.start(at: start + 60)
    await store.idle()
    XCTAssertEqual(recorder.screen.state, .ended)
    XCTAssertEqual(recorder.screen.problem, .errorAnotherWorkoutSessionStarted)
    XCTAssertEqual(second.screen.state, .running)
    XCTAssertNil(second.screen.problem)
  }

  func testADiscardedRunIsNotSaved() async throws {
    try await recorder.start(at: start)
    try await measure(120, after: 1)
    recorder.discard()
    await store.idle()
    XCTAssertEqual(recorder.screen.state, .ended)
    let runs = try await WorkoutLog().runs()
    XCTAssertEqual(runs, [])
  }

  func testARunThatEndsOnALockedPhoneIsSavedLater() async throws {
    try await recorder.start(at: start)
    try await measure(120, after: 1)
    store.lock()
    do {
      try await recorder.finish(at: start + 600)
      XCTFail("A run was saved on a locked phone")
    } catch HKError.errorDatabaseInaccessible {}
    store.unlock()
    let finished = try await recorder.finish(at: start + 660)
    let run = try XCTUnwrap(finished)
    XCTAssertEqual(run.endDate, start + 600)
    let rates = try await Charts(calendar: calendar).heartRates(of: run)
    XCTAssertEqual(rates?.mean, 120)
  }
}
