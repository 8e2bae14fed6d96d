import HealthSamples
import HealthStore

/// Everything that a store holds, each thing as often as it is there.
struct StoreContents: Equatable {
  /// A record or an element.
  enum Item: Hashable {
    case record(String, StoredRecord)
    case element(ElementKind, AnyHashable)

    /// The type or kind under which an import counts it.
    var name: String {
      switch self {
      case .record(let type, _): type
      case .element(let kind, _): kind.rawValue
      }
    }
  }

  private(set) var counts: [Item: Int] = [:]

  /// Reads a whole store.
  init(_ store: SampleStore) throws {
    for type in try store.types() {
      for record in try store.allRecords(of: type.type) {
        counts[.record(type.type.identifier, record), default: 0] += 1
      }
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
  init(path: String) throws { try self.init(SampleStore(path: path, mode: .readOnly)) }

  private mutating func add<Columns: ElementColumns>(_ columns: Columns) {
    for row in columns.rows { counts[.element(Columns.kind, AnyHashable(row)), default: 0] += 1 }
  }

  private init(counts: [Item: Int]) { self.counts = counts }

  /// What is here and not there.
  func subtracting(_ other: Self) -> Self {
    Self(
      counts: counts.reduce(into: [:]) { rest, item in
        let left = item.value - other.counts[item.key, default: 0]
        if left > 0 { rest[item.key] = left }
      })
  }

  var isEmpty: Bool { counts.isEmpty }

  /// How many things there are of each type and kind.
  var totals: [String: Int] {
    counts.reduce(into: [:]) { $0[$1.key.name, default: 0] += $1.value }
  }
}
