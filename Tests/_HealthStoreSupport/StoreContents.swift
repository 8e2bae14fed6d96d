public import HealthSamples
public import HealthStore

/// Everything that a store holds, each thing as often as it is there, copies included.
public struct StoreContents: Equatable {
  /// A record or an element.
  public enum Item: Hashable {
    case record(String, StoredRecord)
    case element(ElementKind, AnyHashable)
  }

  public private(set) var counts: [Item: Int] = [:]
  /// How many samples and elements there are of each type and kind.
  public private(set) var totals: [String: Int] = [:]

  /// Reads a whole store.
  public init(_ store: SampleStore) throws {
    for type in try store.types() {
      for record in try store.allRecords(of: type.type) {
        counts[.record(type.type.identifier, record.single), default: 0] += record.copies
      }
      totals[type.type.identifier] = type.count
    }
    add(try store.workouts())
    add(try store.routes())
    add(try store.correlations())
    add(try store.activitySummaries())
    add(try store.beatLists())
    add(try store.electrocardiograms())
    add(try store.audiograms())
    add(try store.visionPrescriptions())
    add(try store.clinicalRecords())
    add(try store.characteristics())
  }

  /// Reads the store at a path.
  public init(path: String) throws { try self.init(SampleStore(path: path, mode: .readOnly)) }

  private mutating func add<Columns: Elements>(_ columns: Columns) {
    for row in columns.rows { counts[.element(Columns.kind, AnyHashable(row)), default: 0] += 1 }
    totals[Columns.kind.rawValue] = columns.count
  }

  /// What is here and not there, each thing as often as it is missing.
  public func subtracting(_ other: Self) -> [Item: Int] {
    counts.reduce(into: [:]) { rest, item in
      let left = item.value - other.counts[item.key, default: 0]
      if left > 0 { rest[item.key] = left }
    }
  }

  /// How many samples and elements there are more than there, where there are more.
  public func surplus(over other: Self) -> [String: Int] {
    totals.merging(other.totals, uniquingKeysWith: -).filter { $0.value > 0 }
  }

  /// The records by type that are here and not there.
  public func records(over other: Self) -> [String: [StoredRecord]] {
    var records: [String: [StoredRecord]] = [:]
    for item in counts.keys where other.counts[item] == nil {
      if case .record(let type, let record) = item { records[type, default: []].append(record) }
    }
    return records
  }
}
