import Foundation
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthKit

@Suite struct StoreSavingTests {
  @Test("What is read back has the app as its source, and the object in memory does not change")
  func sourceOfSaved() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let sample = Trial.steps(
      12, from: 5, to: 9, device: Trial.watch, metadata: [HKMetadataKeyWasUserEntered: true])
    let revision = sample.sourceRevision
    try await store.save(sample)
    #expect(sample.sourceRevision === revision)
    let saved = try #require(try file.rows(.stepCount).first as? HKQuantitySample)
    #expect(saved == sample && saved.uuid == sample.uuid)
    #expect(saved.quantity == sample.quantity)
    #expect(saved.startDate == sample.startDate && saved.endDate == sample.endDate)
    #expect(saved.device == sample.device)
    #expect(saved.metadata?[HKMetadataKeyWasUserEntered] as? Bool == true)
    #expect(saved.sourceRevision.source.bundleIdentifier == "com.example.diary")
    #expect(saved.sourceRevision.source.name == "diary")
  }

  @Test("Saving several objects is all or nothing")
  func allOrNone() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let known = Trial.steps(1)
    try await store.save(known)
    for bad in [known, Trial.sleep(.inBed)] as [HKSample] {
      #expect(await healthError { try await store.save([Trial.steps(2), bad]) } != nil)
    }
    #expect(try file.rows(.stepCount) == [known])
  }

  @Test("Saving a UUID that is already stored fails: invalid argument")
  func knownIdentity() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let sample = Trial.steps(1)
    try await store.save(sample)
    #expect(await healthError { try await store.save(sample) } == .errorInvalidArgument)
    let twice = Trial.steps(2)
    #expect(await healthError { try await store.save([twice, twice]) } == .errorInvalidArgument)
    #expect(try file.rows(.stepCount).count == 1)
  }

  @Test("Samples from the earliest permitted date to the year 9999 can be saved")
  func years() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let first = store.earliestPermittedSampleDate()
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    #expect(calendar.component(.year, from: first) == 1)
    func sample(_ date: Date) -> HKSample {
      HKQuantitySample(
        type: HKQuantityType(.bodyMass), quantity: HKQuantity(unit: .gram(), doubleValue: 1),
        start: date, end: date)
    }
    let after = try #require(calendar.date(from: DateComponents(year: 10_000, month: 2)))
    let pregnancy = HKCategoryType(.pregnancy)
    try await store.requestAuthorization(toShare: [pregnancy], read: [])
    let late = HKCategorySample(
      type: pregnancy, value: HKCategoryValue.notApplicable.rawValue, start: Trial.date(0),
      end: after)
    #expect(await healthError { try await store.save(late) } == .errorInvalidArgument)
    try await store.save(sample(first.addingTimeInterval(60)))
    #expect(try file.rows(.bodyMass).count == 1)
  }

  @Test("An app deletes only its own objects, and only with permission to share")
  func deleting() async throws {
    let file = try HealthFile()
    let (first, mine, theirs) = try await file.twoApps()
    #expect(await healthError { try await first.delete(theirs) } == .errorInvalidArgument)
    #expect(await healthError { try await first.delete([mine, theirs]) } == .errorInvalidArgument)
    #expect(
      await healthError { try await first.delete([mine, Trial.steps(3)]) } == .errorInvalidArgument)
    #expect(try file.rows(.stepCount).count == 2)
    let stranger = file.store("com.example.third")
    #expect(
      await healthError { try await stranger.delete(mine) } == .errorAuthorizationNotDetermined)
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    try owner.authorise(
      "com.example.first", type: HKQuantityType(.stepCount).identifier, share: .denied)
    #expect(await healthError { try await first.delete(mine) } == .errorAuthorizationDenied)
    try owner.authorise(
      "com.example.first", type: HKQuantityType(.stepCount).identifier, share: .authorised)
    try await first.delete(mine)
    #expect(try file.rows(.stepCount) == [theirs])
  }

  @Test("Deleting by type and predicate deletes the app's own samples and counts them")
  func deletingByPredicate() async throws {
    let file = try HealthFile()
    let (first, second) = (
      try await file.allowedStore("com.example.first"),
      try await file.allowedStore("com.example.second")
    )
    try await first.save((0..<6).map { Trial.steps(1, from: Double($0)) } + [Trial.mass(70)])
    try await second.save((0..<3).map { Trial.steps(1, from: Double($0)) })
    let type = HKQuantityType(.stepCount)
    let early = HKQuery.predicateForSamples(
      withStart: nil, end: Trial.date(4), options: .strictStartDate)
    let odd = NSPredicate { object, _ in
      ((object as? HKSample)?.startDate.timeIntervalSinceReferenceDate ?? 0)
        .truncatingRemainder(dividingBy: 2) == 1
    }
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [early, odd])
    #expect(try await first.deleteObjects(of: type, predicate: both) == 2)
    #expect(try await first.deleteObjects(of: type, predicate: both) == 0)
    #expect(try await first.deleteObjects(of: type, predicate: early) == 2)
    #expect(try file.rows(.stepCount).count == 5)
    #expect(try file.rows(.bodyMass).count == 1)
  }

  @Test("The async forms call the completion forms dynamically")
  func twins() async throws {
    let mock = Mock(host: try HealthFile().host())
    try await mock.save(Trial.steps())
    try await mock.save([Trial.steps()])
    try await mock.delete(Trial.steps())
    try await mock.delete([Trial.steps()])
    #expect(
      try await mock.deleteObjects(of: HKQuantityType(.stepCount), predicate: .init(value: true))
        == 7)
    try await mock.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
    #expect(
      try await mock.statusForAuthorizationRequest(toShare: [], read: []) == .unknown)
    #expect(try await mock.preferredUnits(for: []).count == 1)
    #expect(mock.calls == 8)
  }

  private final class Mock: HKHealthStore, @unchecked Sendable {
    var calls = 0

    override func save(
      _ object: HKObject, withCompletion completion: @escaping (Bool, (any Error)?) -> Void
    ) {
      calls += 1
      completion(true, nil)
    }
    override func save(
      _ objects: [HKObject], withCompletion completion: @escaping (Bool, (any Error)?) -> Void
    ) {
      calls += 1
      completion(true, nil)
    }
    override func delete(
      _ object: HKObject, withCompletion completion: @escaping (Bool, (any Error)?) -> Void
    ) {
      calls += 1
      completion(true, nil)
    }
    override func delete(
      _ objects: [HKObject], withCompletion completion: @escaping (Bool, (any Error)?) -> Void
    ) {
      calls += 1
      completion(true, nil)
    }
    override func deleteObjects(
      of objectType: HKObjectType, predicate: NSPredicate,
      withCompletion completion: @escaping (Bool, Int, (any Error)?) -> Void
    ) {
      calls += 1
      completion(true, 7, nil)
    }
    override func requestAuthorization(
      toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
      completion: @escaping (Bool, (any Error)?) -> Void
    ) {
      calls += 1
      completion(true, nil)
    }
    override func getRequestStatusForAuthorization(
      toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
      completion: @escaping (HKAuthorizationRequestStatus, (any Error)?) -> Void
    ) {
      calls += 1
      completion(.unknown, nil)
    }
    override func preferredUnits(
      for quantityTypes: Set<HKQuantityType>,
      completion: @escaping ([HKQuantityType: HKUnit], (any Error)?) -> Void
    ) {
      calls += 1
      completion([HKQuantityType(.stepCount): .count()], nil)
    }
  }

  @Test("Characteristics are the owner's; a denied read looks as if they were not set")
  func characteristics() async throws {
    let file = try HealthFile()
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    try owner.setCharacteristic(
      "HKBloodTypeABNegative", of: HKCharacteristicTypeIdentifier.bloodType.rawValue)
    try owner.setCharacteristic(
      "1990-02-28", of: HKCharacteristicTypeIdentifier.dateOfBirth.rawValue)
    let types: Set<HKObjectType> = [
      HKCharacteristicType(.bloodType), HKCharacteristicType(.dateOfBirth),
      HKCharacteristicType(.biologicalSex),
    ]
    let store = file.store()
    #expect(
      await healthError { _ = try store.bloodType() } == .errorAuthorizationNotDetermined)
    try await store.requestAuthorization(toShare: [], read: types)
    #expect(try store.bloodType().bloodType == .abNegative)
    #expect(try store.biologicalSex().biologicalSex == .notSet)
    let birth = try store.dateOfBirthComponents()
    #expect(birth.year == 1990 && birth.month == 2 && birth.day == 28)
    let denied = file.store("com.example.denied") { $0.denied }
    try await denied.requestAuthorization(toShare: [], read: types)
    #expect(try denied.bloodType().bloodType == .notSet)
    #expect(await healthError { _ = try denied.dateOfBirthComponents() } == .errorNoData)
  }

  @Test("Preferred units are the owner's; a type that was never requested is an error")
  func preferredUnits() async throws {
    let file = try HealthFile()
    let store = try await file.allowedStore()
    let (mass, steps) = (HKQuantityType(.bodyMass), HKQuantityType(.stepCount))
    let owner = try SampleStore(path: file.path, mode: .readWrite)
    try owner.setPreferredUnit("st", of: mass.core)
    let units = try await store.preferredUnits(for: [mass, steps])
    #expect(units == [mass: .stone(), steps: .count()])
    #expect(
      await healthError {
        _ = try await store.preferredUnits(for: [mass, HKQuantityType(.height)])
      } == .errorAuthorizationNotDetermined)
  }
}
