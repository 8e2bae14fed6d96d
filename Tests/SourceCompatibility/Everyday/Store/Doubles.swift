import HealthKit
import Testing

// How apps test without a store: a protocol to which the store conforms, or a subclass.

protocol HealthStoring: AnyObject {
  func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus
  func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>) async throws
  func save(_ object: HKObject) async throws
  func execute(_ query: HKQuery)
  func stop(_ query: HKQuery)
  func enableBackgroundDelivery(
    for type: HKObjectType, frequency: HKUpdateFrequency,
    withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void)
}

extension HKHealthStore: HealthStoring {}

/// An overload that an app adds to a method of HealthKit, with a more specific argument.
extension HKHealthStore {
  @discardableResult
  func save(_ samples: [HKQuantitySample]) async throws -> Int {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      save(samples as [HKObject]) { success, error in
        if success {
          continuation.resume()
        } else {
          continuation.resume(throwing: error ?? HKError(.unknownError))
        }
      }
    }
    return samples.count
  }
}

/// A store that records its calls, and overrides the forms with completion handlers only.
final class StoreDouble: HKHealthStore, @unchecked Sendable {
  private(set) var saved: [HKObject] = []
  private(set) var deleted: [HKObject] = []
  private(set) var executed: [HKQuery] = []
  private(set) var requested: Set<HKObjectType> = []
  private(set) var delivered: [HKObjectType: HKUpdateFrequency] = [:]
  var problem: (any Error)?

  override class func isHealthDataAvailable() -> Bool { false }

  override func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
    requested.contains(type) ? .sharingAuthorized : .notDetermined
  }

  override func requestAuthorization(
    toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
    completion: @escaping (Bool, (any Error)?) -> Void
  ) {
    requested = typesToShare ?? []
    completion(problem == nil, problem)
  }

  override func save(
    _ object: HKObject, withCompletion completion: @escaping (Bool, (any Error)?) -> Void
  ) {
    if problem == nil { saved.append(object) }
    completion(problem == nil, problem)
  }

  override func save(
    _ objects: [HKObject], withCompletion completion: @escaping (Bool, (any Error)?) -> Void
  ) {
    if problem == nil { saved += objects }
    completion(problem == nil, problem)
  }

  override func delete(
    _ objects: [HKObject], withCompletion completion: @escaping (Bool, (any Error)?) -> Void
  ) {
    deleted += objects
    completion(true, nil)
  }

  override func deleteObjects(
    of objectType: HKObjectType, predicate: NSPredicate,
    withCompletion completion: @escaping (Bool, Int, (any Error)?) -> Void
  ) {
    completion(true, 42, nil)
  }

  override func getRequestStatusForAuthorization(
    toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
    completion: @escaping (HKAuthorizationRequestStatus, (any Error)?) -> Void
  ) {
    completion(.unnecessary, nil)
  }

  override func preferredUnits(
    for quantityTypes: Set<HKQuantityType>,
    completion: @escaping ([HKQuantityType: HKUnit], (any Error)?) -> Void
  ) {
    completion(Dictionary(uniqueKeysWithValues: quantityTypes.map { ($0, .stone()) }), nil)
  }

  override func enableBackgroundDelivery(
    for type: HKObjectType, frequency: HKUpdateFrequency,
    withCompletion completion: @escaping (Bool, (any Error)?) -> Void
  ) {
    delivered[type] = frequency
    completion(problem == nil, problem)
  }

  override func disableBackgroundDelivery(
    for type: HKObjectType, withCompletion completion: @escaping (Bool, (any Error)?) -> Void
  ) {
    delivered[type] = nil
    completion(problem == nil, problem)
  }

  override func execute(_ query: HKQuery) { executed.append(query) }
  override func stop(_ query: HKQuery) { executed.removeAll { $0 === query } }

  override func biologicalSex() throws -> HKBiologicalSexObject { FemaleObject() }

  override func dateOfBirthComponents() throws -> DateComponents {
    DateComponents(year: 1990, month: 5, day: 1)
  }
}

/// A query whose handler a test calls.
final class SampleQueryDouble: HKSampleQuery, @unchecked Sendable {
  let handler: (HKSampleQuery, [HKSample]?, (any Error)?) -> Void

  override init(
    sampleType: HKSampleType, predicate: NSPredicate?, limit: Int,
    sortDescriptors: [NSSortDescriptor]?,
    resultsHandler: @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
  ) {
    handler = resultsHandler
    super.init(
      sampleType: sampleType, predicate: predicate, limit: limit,
      sortDescriptors: sortDescriptors, resultsHandler: resultsHandler)
  }
}

final class ObserverQueryDouble: HKObserverQuery, @unchecked Sendable {
  let handler: (HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?) -> Void

  override init(
    sampleType: HKSampleType, predicate: NSPredicate?,
    updateHandler:
      @escaping @Sendable (
        HKObserverQuery, @escaping HKObserverQueryCompletionHandler, (any Error)?
      ) -> Void
  ) {
    handler = updateHandler
    super.init(sampleType: sampleType, predicate: predicate, updateHandler: updateHandler)
  }
}

@Suite
struct Doubles {
  @Test("Async calls reach a subclass that overrides only the form with a handler")
  func awaited() async throws {
    let double = StoreDouble()
    let (steps, mass) = (HKQuantityType(.stepCount), HKQuantityType(.bodyMass))
    let first = Sample.steps(1)
    try await double.requestAuthorization(toShare: [steps], read: [mass])
    #expect(double.authorizationStatus(for: steps) == .sharingAuthorized)
    #expect(double.authorizationStatus(for: mass) == .notDetermined)
    try await double.save(first)
    try await double.save([Sample.steps(2), Sample.steps(3)] as [HKObject])
    #expect(double.saved.count == 3 && double.saved.first === first)
    try await double.delete([first])
    #expect(double.deleted == [first])
    let everything = NSPredicate(value: true)
    #expect(try await double.deleteObjects(of: steps, predicate: everything) == 42)
    #expect(
      try await double.statusForAuthorizationRequest(toShare: [], read: [steps]) == .unnecessary)
    #expect(try await double.preferredUnits(for: [mass]) == [mass: .stone()])
    try await double.enableBackgroundDelivery(for: steps, frequency: .immediate)
    try await double.enableBackgroundDelivery(for: mass, frequency: .hourly)
    try await double.disableBackgroundDelivery(for: mass)
    #expect(double.delivered == [steps: .immediate])
    double.problem = HKError(.errorDatabaseInaccessible)
    await #expect(throws: HKError(.errorDatabaseInaccessible)) { try await double.save(first) }
    await #expect(throws: HKError(.errorDatabaseInaccessible)) {
      try await double.requestAuthorization(toShare: [steps], read: [])
    }
    #expect(try double.biologicalSex().biologicalSex == .female)
    #expect(try double.dateOfBirthComponents().year == 1990)
    #expect(!StoreDouble.isHealthDataAvailable())
  }

  @Test("The store and the double conform to a protocol of the app")
  func protocols() async throws {
    let (real, double) = (try await Phone().allowedStore(), StoreDouble())
    for store in [real as any HealthStoring, double] {
      let observer = HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) {
        _, completion, _ in completion()
      }
      store.execute(observer)
      try await store.save(Sample.steps(4))
      store.stop(observer)
    }
    #expect(double.saved.count == 1 && double.executed.isEmpty)
    #expect(try await real.save([Sample.steps(5), Sample.steps(6, at: 60)]) == 2)
  }

  @Test("Subclasses of queries expose the handler that an app passed in")
  func queries() {
    let seen = Collected<Int>()
    let query = SampleQueryDouble(
      sampleType: HKQuantityType(.stepCount), predicate: nil, limit: 1, sortDescriptors: nil
    ) { _, samples, _ in seen.add(samples?.count ?? -1) }
    query.handler(query, [Sample.steps(1)], nil)
    let observer = ObserverQueryDouble(sampleType: HKQuantityType(.stepCount), predicate: nil) {
      _, completion, error in
      seen.add(error == nil ? 0 : -2)
      completion()
    }
    observer.handler(observer, { seen.add(7) }, nil)
    #expect(seen.all == [1, 0, 7])
    #expect(query.limit == 1 && query.objectType == HKQuantityType(.stepCount))
  }
}
