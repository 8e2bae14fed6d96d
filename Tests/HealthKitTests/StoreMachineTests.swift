import Foundation
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthKit

@Suite struct StoreMachineTests {
  private let mass = HKQuantityType(.bodyMass)
  private let height = HKQuantityType(.height)

  private func split(
    _ store: HKHealthStore, _ total: HKQuantity, hours: Double
  ) async throws -> (resting: Double, active: Double) {
    try await withCheckedThrowingContinuation { continuation in
      store.splitTotalEnergy(total, start: Trial.date(0), end: Trial.date(3600 * hours)) {
        resting, active, error in
        if let resting, let active {
          continuation.resume(
            returning: (
              resting.doubleValue(for: .kilocalorie()), active.doubleValue(for: .kilocalorie())
            ))
        } else {
          continuation.resume(throwing: error ?? HKError(.unknownError))
        }
      }
    }
  }

  private func energy(_ kilocalories: Double) -> HKQuantity {
    HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories)
  }

  @Test("The total energy is split into the resting energy and the remainder")
  func splitting() async throws {
    let store = try await HealthFile().allowedStore()
    for total in [0.0, 1, 300, 5000] {
      for hours in [0.0, 0.5, 1, 24] {
        let parts = try await split(store, energy(total), hours: hours)
        #expect(parts.resting >= 0 && parts.active >= 0)
        #expect(abs(parts.resting + parts.active - total) < 1e-9)
      }
    }
    // While it is below the total, the resting energy is proportional to the duration.
    let (one, three) = (
      try await split(store, energy(5000), hours: 1), try await split(store, energy(5000), hours: 3)
    )
    #expect(abs(three.resting - 3 * one.resting) < 1e-9)
    #expect(
      abs(try await split(store, energy(one.resting / 2), hours: 1).active) < 1e-9)
  }

  @Test(
    "The resting energy follows from mass, height, age and sex, as far as the app may read them")
  func person() async throws {
    let file = try HealthFile()
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    let types: Set<HKSampleType> = [mass, height]
    let facts: Set<HKObjectType> = [
      HKCharacteristicType(.dateOfBirth), HKCharacteristicType(.biologicalSex),
    ]
    let store = file.store()
    try await store.requestAuthorization(toShare: types, read: types.union([]))
    try await store.requestAuthorization(toShare: [], read: facts)
    let blind = file.store("com.example.blind") { $0.denied }
    try await blind.requestAuthorization(toShare: types, read: types.union([]))
    func resting(_ store: HKHealthStore) async throws -> Double {
      try await split(store, energy(10_000), hours: 24).resting
    }
    let unknown = try await resting(blind)
    func save(_ kilograms: Double, _ centimetres: Double) async throws {
      try await store.save([
        HKQuantitySample(
          type: mass, quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms),
          start: Trial.date(-10), end: Trial.date(-10)),
        HKQuantitySample(
          type: height,
          quantity: HKQuantity(unit: .meterUnit(with: .centi), doubleValue: centimetres),
          start: Trial.date(-10), end: Trial.date(-10)),
      ])
    }
    // The equation of Mifflin and St Jeor by hand: 600 + 1031.25 - 150, plus 5 or minus 161.
    try await save(60, 165)
    try owner.setCharacteristic(
      "1971-01-01", of: HKCharacteristicTypeIdentifier.dateOfBirth.rawValue)
    for (sex, kilocalories) in [
      ("HKBiologicalSexFemale", 1320.25), ("HKBiologicalSexMale", 1486.25),
    ] {
      try owner.setCharacteristic(
        sex, of: HKCharacteristicTypeIdentifier.biologicalSex.rawValue)
      #expect(abs(try await resting(store) - kilocalories) < 0.1)
    }
    #expect(try await resting(blind) == unknown)
  }

  @Test("Other units, negative energies and negative durations are refused")
  func noEnergy() async throws {
    let store = try await HealthFile().allowedStore()
    let wrong = HKQuantity(unit: .count(), doubleValue: 1)
    #expect(
      await healthError { _ = try await split(store, wrong, hours: 1) } == .errorInvalidArgument)
    #expect(
      await healthError { _ = try await split(store, energy(1), hours: -1) }
        == .errorInvalidArgument)
    #expect(
      await healthError { _ = try await split(store, energy(-1), hours: 1) }
        == .errorInvalidArgument)
  }

  @Test("Calls that need a watch or estimates fail, and one for an extension does nothing")
  func absent() async throws {
    let store = try await HealthFile().allowedStore()
    #expect(
      await healthError { try await store.startWatchApp(toHandle: HKWorkoutConfiguration()) }
        == .errorHealthDataUnavailable)
    #expect(
      await healthError {
        try await store.recalibrateEstimates(sampleType: mass, date: Trial.date(0))
      } == .errorInvalidArgument)
    let walk = HKQuantityType(.sixMinuteWalkTestDistance)
    #expect(walk.allowsRecalibrationForEstimates)
    #expect(
      await healthError {
        try await store.recalibrateEstimates(sampleType: walk, date: Trial.date(0))
      } == .errorHealthDataUnavailable)
    try await store.handleAuthorizationForExtension()
    #expect(store.supportsHealthRecords())
  }
}
