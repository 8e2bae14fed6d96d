import HealthExport
import HealthSamples
import HealthStore

/// What became of the records of one type, of the elements of one kind, or of all: `read` is the
/// sum of `new`, `known`, `duplicates` and `skipped`.
struct ImportCounts: Equatable {
  var read = 0
  var new = 0
  var known = 0
  var duplicates = 0
  var skipped = 0
  /// Known ones that now say something else.
  var changed = 0
  /// What the store has and the export lacks.
  var onlyInStore = 0
  /// What the store had and the export lacked.
  var deleted = 0
  /// Samples of the store whose place others of the export take, which say the same.
  var superseded = 0
  /// Samples of the store that the export contradicts; both count.
  var disagreeing = 0

  init() {}

  /// What a reader saw and what a store made of it.
  ///
  /// Records inside other elements that only repeat one of the top level do not count.
  init(_ seen: TypeCount?, _ stored: ImportReport.Counts?) {
    let stored = stored ?? ImportReport.Counts()
    read = (seen?.read ?? 0) - stored.repeating
    new = stored.new
    known = stored.known
    duplicates = stored.duplicates
    skipped = (seen.map { $0.read - $0.delivered } ?? 0) + stored.skipped
    changed = stored.changed
    onlyInStore = stored.onlyInStore
    deleted = stored.deleted
    superseded = stored.superseded
    disagreeing = stored.disagreeing
  }

  static func += (left: inout Self, right: Self) {
    left.read += right.read
    left.new += right.new
    left.known += right.known
    left.duplicates += right.duplicates
    left.skipped += right.skipped
    left.changed += right.changed
    left.onlyInStore += right.onlyInStore
    left.deleted += right.deleted
    left.superseded += right.superseded
    left.disagreeing += right.disagreeing
  }

  /// What sets the store apart from the export; `nil` when nothing does.
  var differences: [JSON.Member]? {
    if [changed, onlyInStore, deleted, superseded, disagreeing].allSatisfy({ $0 == 0 }) {
      return nil
    }
    return [
      .init("changed", .integer(changed)), .init("onlyInStore", .integer(onlyInStore)),
      .init("deleted", .integer(deleted)), .init("superseded", .integer(superseded)),
      .init("disagreeing", .integer(disagreeing)),
    ]
  }

  /// The counts with the keys of the contract, in its order.
  var members: [JSON.Member] {
    [
      .init("read", .integer(read)), .init("new", .integer(new)), .init("known", .integer(known)),
      .init("duplicates", .integer(duplicates)), .init("skipped", .integer(skipped)),
    ]
  }
}

/// What became of one or more exports.
struct ImportFindings {
  /// Records by the identifier of their type.
  private(set) var types: [String: ImportCounts] = [:]
  /// What stands beside the records, by kind.
  private(set) var elements: [ElementKind: ImportCounts] = [:]
  private(set) var summaries: [ExportSummary] = []

  mutating func add(_ outcome: ImportPipeline.Outcome) {
    summaries.append(outcome.summary)
    let (seen, stored) = (outcome.summary, outcome.report)
    for type in Set(seen.types.keys).union(stored.types.keys) {
      types[type, default: ImportCounts()] += ImportCounts(seen.types[type], stored.types[type])
    }
    for kind in Set(seen.elements.keys).union(stored.elements.keys) {
      elements[kind, default: ImportCounts()] += ImportCounts(
        seen.elements[kind], stored.elements[kind])
    }
  }

  /// The counts of all records.
  var total: ImportCounts { types.values.reduce(into: ImportCounts()) { $0 += $1 } }
  var bytes: Int { summaries.reduce(0) { $0 + $1.bytes } }

  /// The counts of types and kinds by name, of those that were read.
  var read: (types: [Named], elements: [Named]) {
    (
      types.filter { $0.value.read > 0 }.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 },
      elements.filter { $0.value.read > 0 }.map { ($0.key.rawValue, $0.value) }
        .sorted { $0.0 < $1.0 }
    )
  }

  typealias Named = (name: String, counts: ImportCounts)

  /// The counts of types and kinds that set the store apart from the export.
  var different: [Named] {
    let all =
      types.map { Named($0.key, $0.value) } + elements.map { Named($0.key.rawValue, $0.value) }
    return all.filter { $0.counts.differences != nil }.sorted { $0.name < $1.name }
  }

  /// A count of each summary by name, added up.
  func added(_ counts: (ExportSummary) -> [String: Int]) -> [String: Int] {
    summaries.reduce(into: [:]) { $0.merge(counts($1), uniquingKeysWith: +) }
  }

  /// The answer of `import --json`.
  func json(seconds: Double) -> JSON {
    func object(_ named: [Named]) -> JSON {
      .object(named.map { .init($0.name, .object($0.counts.members)) })
    }
    let unknown = added(\.unknownElements).sorted { $0.key < $1.key }
    return .object(
      total.members + [
        .init("superseded", .integer(total.superseded)),
        .init("disagreeing", .integer(total.disagreeing)),
        .init("types", object(read.types)), .init("elements", object(read.elements)),
        .init(
          "differences",
          .object(different.map { .init($0.name, .object($0.counts.differences ?? [])) })),
        .init("unknownElements", .object(unknown.map { .init($0.key, .integer($0.value)) })),
        .init("unreadFiles", .array(summaries.flatMap(\.unreadFiles).map(\.json))),
        .init("bytes", .integer(bytes)), .init("seconds", .number(seconds)),
      ])
  }
}

extension UnreadFile {
  fileprivate var json: JSON {
    .object([
      .init("path", .string(path)), .init("kind", .string(kind.rawValue)),
      .init("reason", .string(isUnreadable ? "unreadable" : "missing")),
    ])
  }
}
