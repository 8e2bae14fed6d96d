import HealthExport
import HealthStore

/// What became of the records of one type, or of all: `read` is the sum of the others.
struct ImportCounts: Equatable {
  var read = 0
  var new = 0
  var known = 0
  var duplicates = 0
  var skipped = 0

  static func += (left: inout Self, right: Self) {
    left.read += right.read
    left.new += right.new
    left.known += right.known
    left.duplicates += right.duplicates
    left.skipped += right.skipped
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
  private(set) var types: [String: ImportCounts] = [:]
  private(set) var summaries: [ExportSummary] = []

  mutating func add(_ outcome: ImportPipeline.Outcome) {
    summaries.append(outcome.summary)
    for (type, count) in outcome.summary.types {
      let stored = outcome.report.types[type]
      types[type, default: ImportCounts()] += ImportCounts(
        read: count.read, new: stored?.new ?? 0, known: stored?.known ?? 0,
        duplicates: stored?.duplicates ?? 0,
        skipped: count.read - count.delivered + (stored?.skipped ?? 0))
    }
  }

  var total: ImportCounts { types.values.reduce(into: ImportCounts()) { $0 += $1 } }
  var bytes: Int { summaries.reduce(0) { $0 + $1.bytes } }

  /// A count of each summary by name, added up.
  func added(_ counts: (ExportSummary) -> [String: Int]) -> [String: Int] {
    summaries.reduce(into: [:]) { $0.merge(counts($1), uniquingKeysWith: +) }
  }

  /// The answer of `import --json`.
  func json(seconds: Double) -> JSON {
    let unknown = added(\.unknownElements).sorted { $0.key < $1.key }
    return .object(
      total.members + [
        .init(
          "types",
          .object(
            types.sorted { $0.key < $1.key }.map { .init($0.key, .object($0.value.members)) })),
        .init("unknownElements", .object(unknown.map { .init($0.key, .integer($0.value)) })),
        .init("bytes", .integer(bytes)), .init("seconds", .number(seconds)),
      ])
  }
}
