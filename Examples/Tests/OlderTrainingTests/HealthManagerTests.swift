import Foundation
import HealthKit
import HealthKitTesting
import OlderTraining
import Testing

/// Waits for what a completion handler gets.
func both<First, Second>(
  _ call: (@escaping (First, Second) -> Void) -> Void
) async -> (First, Second) {
  await withCheckedContinuation { continuation in
    call { continuation.resume(returning: ($0, $1)) }
  }
}

func one<Value>(_ call: (@escaping (Value) -> Void) -> Void) async -> Value {
  await withCheckedContinuation { continuation in call { continuation.resume(returning: $0) } }
}

private let mainQueue: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()

/// Whether the caller is on the main queue, which on Linux need not be the main thread's.
func isOnMainQueue() -> Bool { DispatchQueue.getSpecific(key: mainQueue) ?? false }

func code(_ error: Error?) -> HKError.Code? { (error as? HKError)?.code }

func date(_ month: Int, _ day: Int, _ hour: Int = 12) -> Date {
  calendar.date(from: DateComponents(year: 2026, month: month, day: day, hour: hour))
    ?? .distantPast
}

let calendar: Calendar = {
  var calendar = Calendar(identifier: .iso8601)
  calendar.timeZone = TimeZone(identifier: "Europe/Paris") ?? .gmt
  return calendar
}()

func sample(
  _ type: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit, at date: Date
) -> HKQuantitySample {
  HKQuantitySample(
    type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value), start: date,
    end: date)
}

func weight(_ kilograms: Double, at date: Date) -> HKQuantitySample {
  sample(.bodyMass, kilograms, HealthManager.weightUnit, at: date)
}

/// Where another app's work is done: the scale of the person.
var scale: HKHealthStore { TestHealthStore.current.otherApp("com.example.scale") }

private let manager = HealthManager.shared

/// The one object of the app serves all of these at a time: each call is on the store of its test.
@Suite("The manager of the app", .healthStore(.authorised))
struct HealthManagerTests {
  @Test(
    "A person who allows can save weights, and the screen hears of it on the main queue",
    .healthStore(.allowingAll))
  func allowing() async {
    #expect(!manager.canSaveWeights && !isOnMainQueue())
    let (success, isMain) = await withCheckedContinuation { continuation in
      manager.requestAccess { success, _ in
        continuation.resume(returning: (success, isOnMainQueue()))
      }
    }
    #expect(success && isMain)
    #expect(manager.canSaveWeights)
  }

  @Test("A person who denies sees no button, and no weight is saved", .healthStore(.denyingAll))
  func denying() async {
    let (success, error) = await both(manager.requestAccess)
    #expect(success && error == nil)
    #expect(!manager.canSaveWeights)
    let refused = await one { manager.saveWeight(70, on: date(10, 20), completion: $0) }
    #expect(code(refused) == .errorAuthorizationDenied)
  }

  @Test("Before the person is asked nothing is saved or read", .healthStore(.allowingAll))
  func early() async {
    let refused = await one { manager.saveWeight(70, on: date(10, 20), completion: $0) }
    #expect(code(refused) == .errorAuthorizationNotDetermined)
    let (weight, error) = await both(manager.latestWeight)
    #expect(weight == nil && code(error) == .errorAuthorizationNotDetermined)
  }

  @Test("The latest weight is that of the scale, if it came later")
  func latest() async throws {
    let failed = await one { manager.saveWeight(71, on: date(10, 20, 7), completion: $0) }
    #expect(failed == nil)
    try await scale.save(weight(70.5, at: date(10, 20, 8)))
    let (found, _) = await both(manager.latestWeight)
    #expect(found == 70.5)
  }

  @Test("Without a weight there is none, and no error")
  func none() async {
    let (weight, error) = await both(manager.latestWeight)
    #expect(weight == nil && error == nil)
  }

  @Test("Months have their mean, and a month without weights none")
  func months() async throws {
    try await scale.save([
      weight(72, at: date(8, 1, 0)), weight(70, at: date(8, 31, 23)),
      weight(69, at: date(10, 1, 0)),
    ])
    let (weights, error) = await both {
      manager.monthlyWeights(4, until: date(10, 20), calendar: calendar, completion: $0)
    }
    #expect(weights == [nil, 71, nil, 69] && error == nil)
  }

  @Test("Deleting takes the diary's own weights, and leaves those of the scale")
  func deleting() async throws {
    try await scale.save(weight(70, at: date(10, 19)))
    for day in 20...22 {
      _ = await one { manager.saveWeight(71, on: date(10, day), completion: $0) }
    }
    let (count, error) = await both(manager.deleteWeights)
    #expect(count == 3 && error == nil)
    let (left, _) = await both(manager.latestWeight)
    #expect(left == 70)
  }

  @Test("The steps of a day are those that begin on it")
  func steps() async throws {
    try await scale.save([
      sample(.stepCount, 100, .count(), at: date(10, 20, 0)),
      sample(.stepCount, 20, .count(), at: date(10, 20, 23)),
      sample(.stepCount, 3, .count(), at: date(10, 21, 0)),
    ])
    let day = DateInterval(start: date(10, 20, 0), end: date(10, 21, 0))
    let (steps, _) = await both { manager.steps(on: day, completion: $0) }
    #expect(steps == 120)
  }

  @Test("Fifty weights that are saved at once are all there")
  func many() async throws {
    let failures = await withTaskGroup(of: Bool.self) { group in
      for place in 0..<50 {
        group.addTask {
          let date = date(10, 20, 0) + 60 * Double(place)
          return await one { manager.saveWeight(70, on: date, completion: $0) } != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(failures == 0)
    let (count, _) = await both(manager.deleteWeights)
    #expect(count == 50)
  }

  @Test("A locked phone is an error, and not a person without weights")
  func locked() async throws {
    try await scale.save(weight(70, at: date(10, 19)))
    TestHealthStore.current.lock()
    let (hidden, error) = await both(manager.latestWeight)
    #expect(hidden == nil && code(error) == .errorDatabaseInaccessible)
    TestHealthStore.current.unlock()
    let (shown, _) = await both(manager.latestWeight)
    #expect(shown == 70)
  }
}

/// What the manager calls from a queue of its own is for the only test that runs.
@Suite(
  "The manager of the app, from its queue", .healthStore(.authorised, exclusive: true),
  .timeLimit(.minutes(5)))
struct QueueTests {
  private let day = DateInterval(start: date(10, 20, 0), end: date(10, 21, 0))

  @Test("The overview has all that the person has")
  func overview() async throws {
    try await scale.save([
      weight(70, at: date(10, 19)), sample(.stepCount, 900, .count(), at: date(10, 20)),
    ])
    try await TestHealthStore.current.load(
      .characteristics(RecordedPerson(biologicalSex: .female)))
    let overview = await one { manager.overview(of: day, completion: $0) }
    #expect(overview == HealthManager.Overview(weight: 70, steps: 900, hasSex: true))
  }

  @Test("The overview of a person who denies is empty", .healthStore(.denyingAll, exclusive: true))
  func denying() async throws {
    try await scale.save(weight(70, at: date(10, 19)))
    _ = await both(manager.requestAccess)
    let overview = await one { manager.overview(of: day, completion: $0) }
    #expect(overview == HealthManager.Overview())
  }

  @Test("On a locked phone the weight comes once it is unlocked")
  func patience() async throws {
    let store = TestHealthStore.current
    try await scale.save(weight(70, at: date(10, 19)))
    store.lock()
    async let answer = both { manager.patientWeight(times: 10_000, completion: $0) }
    for _ in 0..<2_000 where store.calls.count(where: { $0.call == .query }) < 3 {
      try await Task.sleep(for: .milliseconds(5))
    }
    store.unlock()
    let (weight, error) = await answer
    #expect(weight == 70 && error == nil)
  }

  @Test("On a phone that stays locked the screen gives up")
  func givingUp() async {
    TestHealthStore.current.lock()
    let (weight, error) = await both { manager.patientWeight(times: 3, completion: $0) }
    #expect(weight == nil && code(error) == .errorDatabaseInaccessible)
    #expect(TestHealthStore.current.calls.count { $0.call == .query } == 3)
  }
}
