import HealthKit
import Testing

/// The fixture in place of a phone: a file, and an owner who allows everything.
///
/// The other code of this folder compiles on Apple's platforms as well.
final class Phone: Sendable {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// A store of an app, which keeps the file.
  func store(of app: String = "com.example.app", allows: Bool = true) -> HKHealthStore {
    var host = HealthHost(environment: [:])
    host.path = folder.appendingPathComponent("store.sqlite").path
    (host.bundleIdentifier, host.name) = (app, app)
    host.answer = { [self] in withExtendedLifetime(self) { _ in allows } ? $0.allowed : $0.denied }
    return HKHealthStore(host: host)
  }

  /// The store of an app that may read and save steps, weights and sleep.
  func allowedStore(of app: String = "com.example.app") async throws -> HKHealthStore {
    let store = store(of: app)
    let types: Set<HKSampleType> = [
      HKQuantityType(.stepCount), HKQuantityType(.bodyMass), HKCategoryType(.sleepAnalysis),
    ]
    try await store.requestAuthorization(toShare: types, read: types)
    return store
  }
}

/// Samples of the tests.
enum Sample {
  static let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

  static func steps(
    _ count: Double, at offset: TimeInterval = 0, metadata: [String: Any]? = nil
  ) -> HKQuantitySample {
    HKQuantitySample(
      type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: count),
      start: start.addingTimeInterval(offset), end: start.addingTimeInterval(offset + 60),
      metadata: metadata)
  }

  static func mass(_ kilograms: Double, at offset: TimeInterval = 0) -> HKQuantitySample {
    HKQuantitySample(
      type: HKQuantityType(.bodyMass),
      quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms),
      start: start.addingTimeInterval(offset), end: start.addingTimeInterval(offset))
  }
}

/// Values that handlers collect, from whatever thread they are called on.
final class Collected<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Value] = []

  func add(_ value: Value) { lock.withLock { values.append(value) } }
  var all: [Value] { lock.withLock { values } }

  /// Waits for a number of values, for at most ten seconds.
  func wait(for count: Int) async throws -> [Value] {
    for _ in 0..<1000 where all.count < count {
      try await Task.sleep(nanoseconds: 10_000_000)
    }
    return all
  }
}
