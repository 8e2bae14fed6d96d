import HealthKit
import Testing

/// A manager around a store, as apps have it: completion handlers at its edge, errors of its own.
final class HealthManager {
  enum Problem: Error, Equatable { case unavailable, notAllowed }

  let healthStore: HKHealthStore
  // swift-format-ignore: NeverForceUnwrap
  private let readTypes: Set<HKObjectType> = [
    HKObjectType.quantityType(forIdentifier: .stepCount)!,
    HKObjectType.quantityType(forIdentifier: .bodyMass)!,
    HKObjectType.characteristicType(forIdentifier: .dateOfBirth)!,
  ]
  // swift-format-ignore: NeverForceUnwrap
  private let shareTypes: Set = [HKSampleType.quantityType(forIdentifier: .bodyMass)!]

  init(_ healthStore: HKHealthStore) { self.healthStore = healthStore }

  func requestAuthorization(completion: @escaping @Sendable (Result<Void, Problem>) -> Void) {
    guard HKHealthStore.isHealthDataAvailable() else {
      return completion(.failure(.unavailable))
    }
    healthStore.requestAuthorization(toShare: shareTypes, read: readTypes) { success, error in
      if success {
        completion(.success(()))
      } else {
        completion(.failure(error == nil ? .notAllowed : .unavailable))
      }
    }
  }

  var canSaveWeights: Bool {
    healthStore.authorizationStatus(for: HKQuantityType(.bodyMass)) == .sharingAuthorized
  }

  func needsRequest() async throws -> Bool {
    try await healthStore.statusForAuthorizationRequest(toShare: shareTypes, read: readTypes)
      == .shouldRequest
  }

  func save(weight kilograms: Double, on date: Date) async throws {
    let quantity = HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms)
    let sample = HKQuantitySample(
      type: HKQuantityType(.bodyMass), quantity: quantity, start: date, end: date,
      metadata: [HKMetadataKeyWasUserEntered: true, HKMetadataKeyTimeZone: "Europe/Paris"])
    do {
      try await healthStore.save(sample)
    } catch HKError.errorAuthorizationDenied, HKError.errorAuthorizationNotDetermined {
      throw Problem.notAllowed
    }
  }

  func latestWeight(completion: @escaping @Sendable (Double?, (any Error)?) -> Void) {
    let sort = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
    let query = HKSampleQuery(
      sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: 1, sortDescriptors: [sort]
    ) { _, samples, error in
      let sample = samples?.first as? HKQuantitySample
      completion(sample?.quantity.doubleValue(for: .gramUnit(with: .kilo)), error)
    }
    healthStore.execute(query)
  }
}

@Suite
struct SavingAndAsking {
  @Test("A manager asks for permission, saves a weight and reads it back")
  func manager() async throws {
    let phone = try Phone()
    let manager = HealthManager(phone.store())
    #expect(!manager.canSaveWeights)
    #expect(try await manager.needsRequest())
    await #expect(throws: HealthManager.Problem.notAllowed) {
      try await manager.save(weight: 80, on: Sample.start)
    }
    let result = await withCheckedContinuation { continuation in
      manager.requestAuthorization { continuation.resume(returning: $0) }
    }
    #expect(throws: Never.self) { try result.get() }
    #expect(manager.canSaveWeights)
    #expect(try await !manager.needsRequest())
    try await manager.save(weight: 80, on: Sample.start)
    try await manager.save(weight: 79.5, on: Sample.start.addingTimeInterval(86_400))
    let weight = await withCheckedContinuation { continuation in
      manager.latestWeight { weight, _ in continuation.resume(returning: weight) }
    }
    #expect(weight == 79.5)
  }

  @Test("Denied permission to read looks like no data, denied permission to save is an error")
  func denied() async throws {
    let phone = try Phone()
    let other = try await phone.allowedStore(of: "com.example.scale")
    try await other.save(Sample.mass(70))
    let store = phone.store(of: "com.example.denied", allows: false)
    let mass = HKQuantityType(.bodyMass)
    try await store.requestAuthorization(toShare: [mass], read: [mass])
    #expect(store.authorizationStatus(for: mass) == .sharingDenied)
    let query = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: mass)], sortDescriptors: [])
    #expect(try await query.result(for: store).isEmpty)
    do {
      try await store.save(Sample.mass(71))
      Issue.record("saved")
    } catch let error as HKError {
      #expect(error.code == .errorAuthorizationDenied)
    }
  }

  @Test("Objects are saved and deleted one by one, as lists and by predicate")
  func deleting() async throws {
    let store = try await Phone().allowedStore()
    let samples = (0..<5).map { Sample.steps(Double($0 + 1), at: Double($0) * 100) }
    try await store.save(samples[0])
    try await store.save(Array(samples[1...]))
    try await store.delete(samples[0])
    try await store.delete([samples[1]])
    let later = HKQuery.predicateForSamples(
      withStart: samples[3].startDate, end: nil, options: .strictStartDate)
    let count = try await store.deleteObjects(of: HKQuantityType(.stepCount), predicate: later)
    #expect(count == 2)
    let query = HKSampleQueryDescriptor(
      predicates: [.quantitySample(type: HKQuantityType(.stepCount))], sortDescriptors: [])
    #expect(try await query.result(for: store).map(\.uuid) == [samples[2].uuid])
    let again = await #expect(throws: HKError.self) { try await store.save(samples[2]) }
    #expect(again?.code == .errorInvalidArgument)
  }

  @Test("The forms with completion handlers are called on a background queue")
  func completions() async throws {
    let store = try await Phone().allowedStore()
    let sample = Sample.steps(10)
    let saved = await withCheckedContinuation { continuation in
      store.save(sample) { success, error in
        continuation.resume(returning: success && error == nil && !Thread.isMainThread)
      }
    }
    #expect(saved)
    let deleted = await withCheckedContinuation { continuation in
      store.deleteObjects(
        of: HKQuantityType(.stepCount), predicate: HKQuery.predicateForObject(with: sample.uuid)
      ) { _, count, _ in continuation.resume(returning: count) }
    }
    #expect(deleted == 1)
  }

  @Test("Characteristics are read by throwing methods, and units are preferred by type")
  func person() async throws {
    let store = try await Phone().allowedStore()
    let sex = HKCharacteristicType(.biologicalSex)
    let birth = HKCharacteristicType(.dateOfBirth)
    try await store.requestAuthorization(toShare: [], read: [sex, birth])
    #expect(try store.biologicalSex().biologicalSex == .notSet)
    #expect(throws: HKError(.errorNoData)) { try store.dateOfBirthComponents() }
    let mass = HKQuantityType(.bodyMass)
    let units = try await store.preferredUnits(for: [mass])
    #expect(units[mass]?.isNull() == false)
  }
}
