import Foundation
import HealthStore
import Synchronization
import Testing
import _HealthTestSupport

@testable import HealthKit

@Suite struct StorePreferenceTests {
  private let steps = HKQuantityType(.stepCount)
  private let mass = HKQuantityType(.bodyMass)

  @Test("Without a setting of the owner the preferred units are those of the region")
  func countries() async throws {
    let types: [HKQuantityTypeIdentifier] = [
      .bodyMass, .height, .distanceWalkingRunning, .bodyTemperature, .heartRate, .stepCount,
    ]
    func units(_ system: Locale.MeasurementSystem) -> [String] {
      types.map { HKQuantityType($0).unit(in: system).unitString }
    }
    #expect(units(.metric) == ["kg", "cm", "km", "degC", "count/min", "count"])
    #expect(units(.us) == ["lb", "ft", "mi", "degF", "count/min", "count"])
    #expect(units(.uk) == ["kg", "cm", "mi", "degC", "count/min", "count"])
    for system in [Locale.MeasurementSystem.metric, .us, .uk] {
      for type in HKQuantityType.types.values {
        #expect(type.is(compatibleWith: type.unit(in: system)), "\(type.identifier)")
      }
    }
    let store = try await HealthFile().allowedStore()
    #expect(
      try await store.preferredUnits(for: [mass])
        == [mass: mass.unit(in: Locale.current.measurementSystem)])
  }

  @Test(
    "A change of the owner is posted once for each store object of an app that asked for the type")
  func notification() async throws {
    let file = try HealthFile()
    let first = try await file.allowedStore()
    let second = file.store()
    _ = try await second.preferredUnits(for: [mass])
    let stranger = try await file.allowedStore("com.example.stranger", [steps])
    let posted = Mutex<[ObjectIdentifier]>([])
    let stores = [first, second, stranger].map { ObjectIdentifier($0) }
    let token = NotificationCenter.default.addObserver(
      forName: .HKUserPreferencesDidChange, object: nil, queue: nil
    ) { notification in
      guard let store = notification.object as? HKHealthStore else { return }
      let identifier = ObjectIdentifier(store)
      if stores.contains(identifier) { posted.withLock { $0.append(identifier) } }
    }
    defer { NotificationCenter.default.removeObserver(token) }

    // Another connection, as another process has.
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    try owner.setPreferredUnit("st", of: mass.core)
    try await eventually("two notifications") { posted.withLock { $0.count } == 2 }
    #expect(Set(posted.withLock { $0 }) == Set(stores.prefix(2)))
    #expect(try await first.preferredUnits(for: [mass]) == [mass: .stone()])

    // Neither the same unit nor a save is posted.
    try owner.setPreferredUnit("st", of: mass.core)
    try await first.save(Trial.mass(70))
    try await Task.sleep(for: .milliseconds(600))
    #expect(posted.withLock { $0.count } == 2)
    try owner.setPreferredUnit(nil, of: mass.core)
    try await eventually("two more notifications") { posted.withLock { $0.count } == 4 }
    #expect(try await first.preferredUnits(for: [mass]) != [mass: .stone()])
    withExtendedLifetime((first, second, stranger)) {}
  }
}
