import Foundation
internal import HealthQuery
internal import HealthSamples
internal import HealthStore
import Synchronization

/// What a health store works with: the file of a host, as the app of the host sees it.
final class HealthSession: Sendable {
  let host: HealthHost
  /// Where saves and deletions happen, in the order of the calls.
  private let queue = DispatchQueue(label: "HealthKit store", qos: .userInitiated)
  private let file = Mutex<OpenedFile?>(nil)
  /// What the app might do when the store was open last.
  private let lastPermissions = Mutex<[String: AppAuthorisation]?>(nil)
  /// What posts notifications.
  let poster = Mutex(Poster())

  /// One open store for all sessions of a file.
  private static let opened = Mutex<[String: Opened]>([:])

  private struct Opened {
    weak var file: OpenedFile?
  }

  struct Poster {
    weak var store: HKHealthStore?
  }

  init(_ host: HealthHost) { self.host = host }

  /// Runs a body after the others of this session, and tells its result in the background.
  func perform<Value: Sendable>(
    _ body: @escaping @Sendable (HealthSession) throws -> Value,
    then completion: @escaping @Sendable (Result<Value, HKError>) -> Void
  ) {
    queue.async { completion(Self.catching { try body(self) }) }
  }

  /// The result of a body, with HealthKit's errors only.
  static func catching<Value>(_ body: () throws -> Value) -> Result<Value, HKError> {
    do {
      return .success(try body())
    } catch {
      return .failure(HKError(error))
    }
  }

  /// The store as its owner sees it.
  ///
  /// - Throws: `HKError` if it cannot be reached: the host may say so, or it is locked
  func owner() throws(HKError) -> SampleStore {
    try checkAvailability()
    do {
      return try file.withLock { file in
        // A store that is open stays so when it is locked: an app must not notice a difference.
        guard try SampleStore.protection(path: host.path) != .locked else {
          file = nil
          throw HKError(.errorDatabaseInaccessible)
        }
        if let file { return file.store }
        let opened = try Self.open(host.path)
        opened.add(self)
        file = opened
        return opened.store
      }
    } catch {
      throw HKError(error)
    }
  }

  /// Throws if the host keeps apps from the data.
  private func checkAvailability() throws(HKError) {
    switch host.availability {
    case .available: break
    case .unavailable: throw HKError(.errorHealthDataUnavailable)
    case .restricted: throw HKError(.errorHealthDataRestricted)
    }
  }

  private static func open(_ path: String) throws -> OpenedFile {
    try opened.withLock { opened in
      if let file = opened[path]?.file { return file }
      let file = OpenedFile(try SampleStore(path: path, mode: .readWrite))
      opened[path] = Opened(file: file)
      return file
    }
  }

  /// The store as the app sees it.
  func reader() throws(HKError) -> SampleStore {
    try owner().reading(as: host.bundleIdentifier)
  }

  // MARK: Permission

  /// What the owner answered the app, by the identifiers of types; what is missing was never asked.
  func permissions() throws(HKError) -> [String: AppAuthorisation] {
    let store = try owner()
    do throws(StoreError) {
      let rows = try store.authorisations(of: host.bundleIdentifier)
      let permissions = Dictionary(rows.map { ($0.type, $0) }) { first, _ in first }
      lastPermissions.withLock { $0 = permissions }
      return permissions
    } catch {
      throw HKError(error)
    }
  }

  /// Throws unless the app may save samples of some types, and delete them.
  func checkSharing(of types: Set<HKObjectType>) throws(HKError) {
    try Self.checkSharing(of: types, as: try permissions())
  }

  private static func checkSharing(
    of types: Set<HKObjectType>, as permissions: [String: AppAuthorisation]
  ) throws(HKError) {
    let states = types.map { permissions[$0.identifier]?.share ?? .undetermined }
    if states.contains(.undetermined) { throw HKError(.errorAuthorizationNotDetermined) }
    if states.contains(.denied) { throw HKError(.errorAuthorizationDenied) }
  }

  /// Throws if the owner was never asked whether the app may do anything with some types.
  ///
  /// Whether the answer to reading was yes or no does not show.
  func checkReading(of types: Set<HKObjectType>) throws(HKError) {
    let permissions = try permissions()
    guard types.allSatisfy({ permissions[$0.identifier] != nil }) else {
      throw HKError(.errorAuthorizationNotDetermined)
    }
  }

  /// What of a request was not answered yet.
  func unanswered(
    share: Set<HKSampleType>, read: Set<HKObjectType>
  ) throws(HKError) -> AuthorisationRequest {
    let permissions = try permissions()
    return AuthorisationRequest(
      host,
      share: share.filter { (permissions[$0.identifier]?.share ?? .undetermined) == .undetermined },
      read: read.filter { (permissions[$0.identifier]?.read ?? .undetermined) == .undetermined })
  }

  /// Asks the owner for what was not answered yet, and keeps the answers.
  func request(share: Set<HKSampleType>, read: Set<HKObjectType>) async throws(HKError) {
    let request = try unanswered(share: share, read: read)
    guard !request.share.isEmpty || !request.read.isEmpty else { return }
    guard let answer = await host.answer?(request) else { throw HKError(.errorUserCanceled) }
    let store = try owner()
    func states<Type: HKObjectType>(
      _ asked: Set<Type>, _ allowed: Set<Type>
    ) -> [String: Authorisation] {
      Dictionary(
        asked.map { ($0.identifier, allowed.contains($0) ? .authorised : .denied) },
        uniquingKeysWith: { first, _ in first })
    }
    do throws(StoreError) {
      try store.authorise(
        host.bundleIdentifier, share: states(request.share, answer.share),
        read: states(request.read, answer.read))
    } catch {
      throw HKError(error)
    }
    _ = try permissions()
  }

  // MARK: Changes

  /// Saves quantity and category samples, all or none; into the journal of a locked store.
  func save(_ objects: [HKObject]) throws {
    try checkAvailability()
    guard !objects.isEmpty else { return }
    let samples = try storable(objects, to: "saved")
    let types = Set(samples.map(\.sampleType))
    do {
      try checkSharing(of: types)
      try reader().save(newSamples(of: samples), refusesKnown: true)
    } catch let error as HKError where error.code == .errorDatabaseInaccessible {
      // What the app may do now is locked as well: that counts when the samples enter the store.
      if let last = lastPermissions.withLock({ $0 }) {
        try Self.checkSharing(of: types, as: last)
      }
      try SampleStore.saveLocked(
        newSamples(of: samples), app: host.bundleIdentifier, path: host.path)
    }
  }

  /// Samples as rows with their UUIDs.
  private func newSamples(of samples: [HKSample]) throws -> [NewSample] {
    let source = Source(name: host.name, bundleIdentifier: host.bundleIdentifier)
    let created = host.now().timeIntervalSinceReferenceDate
    var news: [NewSample] = []
    for batch in try SampleRows.rows(of: samples) {
      let rows = batch.columns
      for row in 0..<rows.count {
        guard QueryDate.range.contains(rows.starts[row]), QueryDate.range.contains(rows.ends[row])
        else { throw HKError.invalid("A sample is outside of the years that can be saved") }
        let device = rows.originTable[Int(rows.origins[row])].device
        news.append(
          NewSample(
            type: rows.type, source: source, start: rows.starts[row], end: rows.ends[row],
            value: rows.values[row], label: rows.labelTable[Int(rows.labels[row])],
            created: created, origin: Origin(sourceVersion: host.version ?? "", device: device),
            metadata: rows.metadataTable[Int(rows.metadata[row])], uuid: batch.identities[row]))
      }
    }
    return news
  }

  /// The objects as samples that are rows of the store.
  ///
  /// - Throws: `HKError` for the first object that is none
  private func storable(_ objects: [HKObject], to verb: String) throws(HKError) -> [HKSample] {
    var samples: [HKSample] = []
    for object in objects {
      guard let sample = object as? HKSample, sample.isStorable else {
        throw HKError.invalid("\(type(of: object)) cannot be \(verb) here")
      }
      samples.append(sample)
    }
    return samples
  }

  /// Deletes samples of the app, all or none.
  func delete(_ objects: [HKObject]) throws {
    _ = try owner()
    guard !objects.isEmpty else { return }
    let samples = try storable(objects, to: "deleted")
    let types = Set(samples.map(\.sampleType))
    try checkSharing(of: types)
    let uuids = Set(samples.map(\.uuid))
    let store = try reader()
    try store.snapshot {
      let found = try store.records(
        SampleQuery(types: types.compactMap(\.storedType), predicate: .uuid(uuids)))
      guard found.reduce(0, { $0 + $1.count }) == uuids.count else {
        throw HKError.invalid("Failed to find some objects for deletion.")
      }
    }
    try store.delete(uuids)
  }

  /// Deletes the app's own samples of a type that a predicate matches, and counts them.
  func delete(of type: HKObjectType, _ predicate: NSPredicate) throws -> Int {
    guard let type = type as? HKSampleType, type.storedType != nil else {
      throw HKError.invalid("Objects of \(type.identifier) cannot be deleted here")
    }
    try checkSharing(of: [type])
    let store = try reader()
    var uuids: [UUID] = []
    try SampleRequest([(type, predicate)], order: .store([]), limit: nil).forEach(in: store) {
      if $0.sourceRevision.source.bundleIdentifier == host.bundleIdentifier {
        uuids.append($0.uuid)
      }
      return true
    }
    return uuids.isEmpty ? 0 : try store.delete(uuids)
  }
}

extension SampleStore {
  /// The characteristics of the person that the reader may see.
  func person() throws(StoreError) -> Characteristics {
    var characteristics = Characteristics()
    characteristics.rows = [
      Metadata(try profile().map { Metadata.Entry(key: $0.identifier, value: $0.value) })
    ]
    return characteristics
  }
}

extension HKObjectType {
  /// The type of the rows in which a store has such samples; `nil` for others.
  var storedType: SampleType? {
    switch self {
    case let type as HKQuantityType: type.core
    case let type as HKCategoryType: type.core
    default: nil
    }
  }
}

extension HKSample {
  /// Whether the sample is one row: a quantity with one measurement, or a category.
  fileprivate var isStorable: Bool {
    sampleType.storedType != nil && (self as? HKQuantitySample)?.series == nil
  }
}

extension HKError {
  /// An error of HealthKit for any error of the layers below.
  init(_ error: any Error) {
    switch error {
    case let error as HKError: self = error
    case let error as StoreError: self.init(store: error)
    case let error as ObjectError: self = error.asHealthKitError
    case let error as ColumnError: self = .invalid("\(error)")
    case let error as QueryError:
      if case .store(let reason) = error.reason {
        self.init(store: reason)
      } else {
        self = .invalid("\(error)")
      }
    default: self.init(.unknownError)
    }
  }

  private init(store error: StoreError) {
    let code: Code =
      switch error.reason {
      case .locked, .wrongKey: .errorDatabaseInaccessible
      case .notPermitted: .errorAuthorizationDenied
      case .invalidSample, .knownSample, .invalidBatch, .foreignAnchor: .errorInvalidArgument
      default: .unknownError
      }
    self.init(code, userInfo: [NSLocalizedDescriptionKey: error.explanation])
  }

  /// An argument that is not valid, with the reason.
  static func invalid(_ words: String) -> HKError {
    HKError(.errorInvalidArgument, userInfo: [NSLocalizedDescriptionKey: words])
  }

  /// Something that the machine does not have, with the reason.
  static func unavailable(_ words: String) -> HKError {
    HKError(.errorHealthDataUnavailable, userInfo: [NSLocalizedDescriptionKey: words])
  }
}
