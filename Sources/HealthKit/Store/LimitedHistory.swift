public import Foundation
internal import HealthSamples
internal import HealthStore

// The history that an app may read: the owner may limit it, type by type, to what ends at a date or
// later. The store keeps the dates and applies them to elements; to rows they are applied here.

extension HealthHost {
  /// Limits what the app may read of some types to what ends at a date or later, as a person does who
  /// shows an app recent data only; `nil` shows the app all again.
  ///
  /// The app's own samples stay visible. The store keeps the limit, which also holds if the app is
  /// allowed to read the types only later.
  ///
  /// - Throws: ``HKError`` if the store cannot be reached, `errorInvalidArgument` for a date that is not
  ///   finite
  public func limitHistory(of types: Set<HKSampleType>, from date: Date?) throws {
    do {
      try HealthSession(self).owner().limitHistory(
        of: bundleIdentifier, types: types.reduce(into: []) { $0.formUnion($1.historyTypes) },
        from: date)
    } catch {
      throw HKError(error)
    }
  }
}

extension HKHealthStore {
  /// When what the app may read of some types begins, for those whose history the owner limited.
  ///
  /// Types that the app may read in full, and those that it may not read, are left out: which is the
  /// case does not show. A sample that began before such a date but ends after it can be read.
  @preconcurrency
  public func getEarliestAuthorizedSampleDate(
    for types: Set<HKObjectType>,
    completion: @escaping @Sendable ([HKObjectType: Date]?, (any Error)?) -> Void
  ) {
    session.perform(.other(types), completion) { try $0.earliestDates(of: types) }
  }

  /// When what the app may read of some types begins; see the form with a completion handler.
  public func earliestAuthorizedSampleDate(
    for types: Set<HKObjectType>
  ) async throws -> [HKObjectType: Date] {
    try await finishing { getEarliestAuthorizedSampleDate(for: types, completion: $0) }
  }
}

extension HealthSession {
  fileprivate func earliestDates(of types: Set<HKObjectType>) throws -> [HKObjectType: Date] {
    let permissions = try permissions()
    let limits = try owner().historyLimits(of: host.bundleIdentifier)
    var dates: [HKObjectType: Date] = [:]
    for case let type as HKSampleType in types {
      // A correlation begins where all its samples are readable.
      let parts = type.historyTypes
      guard parts.allSatisfy({ permissions[$0]?.read == .authorised }) else { continue }
      dates[type] = parts.compactMap { limits[$0] }.max()
    }
    return dates
  }
}

extension HKSampleType {
  /// The identifiers of the types whose limits count: those of the samples of a correlation.
  var historyTypes: Set<String> {
    let (all, any) = permittedTypes
    return all.union(any)
  }
}

/// The rows that the reader of a store may see, of types whose history the owner limited.
struct ReadableHistory {
  /// When what it may read begins, by the identifiers of types.
  private let earliest: [String: Double]
  /// The app, whose samples it always sees.
  private let app: String?
  /// Its own sources.
  private let own: Set<HKSource>

  init(of store: SampleStore) throws {
    (earliest, app) = (try store.historyLimits(), store.reader)
    let sources = earliest.isEmpty ? [] : try store.allSources()
    own = Set(sources.filter { $0.bundleIdentifier == store.reader }.map(HKSource.init))
  }

  /// A tree for samples of a type that the reader may see alone.
  func limiting(_ tree: PredicateTree, of type: SampleType) -> PredicateTree {
    guard let limit = earliest[type.identifier] else { return tree }
    let isLate = HKQuery.predicateForSamples(
      withStart: Date(timeIntervalSinceReferenceDate: limit), end: nil)
    let isOwn = HKQuery.predicateForObjects(from: own)
    // First, because a block of the app must not see what the owner hides.
    return .all([own.isEmpty ? isLate.tree : .any([isLate.tree, isOwn.tree]), tree])
  }

  /// Whether the reader may see a row.
  func contains(_ row: Int, of batch: RecordColumns) -> Bool {
    guard let limit = earliest[batch.type.identifier] else { return true }
    return SampleTime.end(from: batch.starts[row], to: batch.ends[row]) >= limit
      || batch.source.bundleIdentifier == app
  }
}
