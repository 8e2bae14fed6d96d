package import HealthImport
package import HealthSamples
package import HealthStore

extension ImportCounts {
  /// The differences between the store and the export.
  fileprivate var differences: [JSON.Member] {
    [
      .init("changed", .integer(changed)), .init("onlyInStore", .integer(onlyInStore)),
      .init("deleted", .integer(deleted)), .init("superseded", .integer(superseded)),
    ] + (deletedBefore > 0 ? [.init("deletedBefore", .integer(deletedBefore))] : [])
  }

  /// The counts with the documented keys, in their order.
  fileprivate var members: [JSON.Member] {
    [
      .init("read", .integer(read)), .init("new", .integer(new)), .init("known", .integer(known)),
      .init("duplicates", .integer(duplicates)), .init("skipped", .integer(skipped)),
    ]
  }
}

/// The results of one or more imports.
package struct ImportTotals {
  /// Records by the identifier of their type.
  package private(set) var types: [String: ImportCounts] = [:]
  /// Elements other than records, such as workouts, by kind.
  package private(set) var elements: [ElementKind: ImportCounts] = [:]
  /// The imports, in order.
  package private(set) var imports: [ImportResult] = []
  /// The imported exports, in order.
  package var outcomes: [ImportResult] { imports.flatMap(\.each) }

  /// Nothing imported yet.
  package init() {}

  package var summaries: [ExportSummary] { outcomes.map(\.summary) }

  package mutating func add(_ outcome: ImportResult) {
    imports.append(outcome)
    for (type, counts) in outcome.types { types[type, default: ImportCounts()] += counts }
    for (kind, counts) in outcome.elements { elements[kind, default: ImportCounts()] += counts }
  }

  /// What deletions keep out, by deletion.
  package var keptOut: [ImportSummary.KeptOut] {
    let all = Dictionary(grouping: outcomes.flatMap(\.report.keptOut), by: \.deletion)
    return all.sorted { $0.key < $1.key }.compactMap { _, kept in
      kept.first.map { first in
        .init(
          deletion: first.deletion, deletedAt: first.deletedAt,
          count: kept.reduce(0) { $0.adding($1.count) })
      }
    }
  }

  /// The counts of all records.
  package var total: ImportCounts { types.values.reduce(into: ImportCounts()) { $0 += $1 } }
  package var bytes: Int { added(\.bytes) }

  /// The counts of types and kinds by name.
  package var read: (types: [Named], elements: [Named]) {
    (
      types.filter { $0.value.read > 0 }.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 },
      elements.filter { $0.value.read > 0 }.map { ($0.key.rawValue, $0.value) }
        .sorted { $0.0 < $1.0 }
    )
  }

  package typealias Named = (name: String, counts: ImportCounts)

  /// The counts of types and kinds that differ between the store and the export.
  package var different: [Named] {
    let all =
      types.map { Named($0.key, $0.value) } + elements.map { Named($0.key.rawValue, $0.value) }
    return all.filter(\.counts.isDifferent).sorted { $0.name < $1.name }
  }

  /// The sums of counts by name over all summaries.
  package func added(_ counts: (ExportSummary) -> [String: Int]) -> [String: Int] {
    summaries.reduce(into: [:]) { $0.merge(counts($1)) { $0.adding($1) } }
  }

  /// The sum of a count over all summaries.
  package func added(_ count: (ExportSummary) -> Int) -> Int {
    summaries.reduce(0) { $0.adding(count($1)) }
  }

  /// The skipped items of each type and kind, by reason.
  package var skipped: [String: [SkipReason: Int]] {
    outcomes.reduce(into: [:]) { skipped, outcome in
      for (name, reasons) in outcome.skipped {
        skipped[name, default: [:]].merge(reasons) { $0.adding($1) }
      }
    }
  }

  /// The imported types that are not in the catalogue, with their counts.
  package var unknownTypes: [String: Int] {
    types.filter { Catalogue.type($0.key) == nil && $0.value.read > $0.value.skipped }
      .mapValues { $0.read.adding(-$0.skipped) }
  }

  /// The other files that were not read for a reason, and their number; the list may be truncated.
  package func unread(_ reason: UnreadFile.Reason) -> (files: [UnreadFile], count: Int) {
    let files = summaries.flatMap(\.unreadFiles).filter { $0.reason == reason }
    switch reason {
    case .missing: return (files, added(\.missingFiles))
    case .unreadable: return (files, added(\.unreadableFiles))
    case .unnamed: return (files, added(\.unnamedFiles))
    }
  }

  /// Counts of anomalies that are not errors, by name.
  static let oddities: [(name: String, count: @Sendable (ExportSummary) -> Int)] = [
    ("nestedRecords", \.nestedRecords), ("replacedCharacters", \.replacedCharacters),
    ("negativeDurations", \.negativeDurations), ("impossibleDurations", \.impossibleDurations),
    ("distantDates", \.distantDates),
    ("afterExport", \.afterExport), ("dayTotals", \.dayTotals), ("means", \.means),
    ("placedStages", \.placedStages), ("leftOutLocations", \.leftOutLocations),
    ("duplicateAttributes", \.duplicateAttributes),
    ("malformedElements", \.malformedElements), ("oversizedElements", \.oversizedElements),
    ("otherRoots", \.otherRoots),
  ]

  /// The members of the JSON form of the imports.
  package var json: [JSON.Member] {
    func object(_ named: [Named]) -> JSON {
      .object(named.map { .init($0.name, .object($0.counts.members)) })
    }
    func counts(_ counts: [String: Int]) -> JSON {
      .object(counts.sorted { $0.key < $1.key }.map { .init($0.key, .integer($0.value)) })
    }
    func files(_ reason: UnreadFile.Reason) -> JSON {
      let (files, count) = unread(reason)
      let lines = files.compactMap { file in
        file.line.map { JSON.Member(file.path, .integer($0)) }
      }
      return .object(
        [
          .init("count", .integer(count)),
          .init("files", .array(files.map { .string($0.path) })),
        ] + (lines.isEmpty ? [] : [.init("lines", .object(lines))]))
    }
    let reasons = skipped.sorted { $0.key < $1.key }.map { name, reasons in
      let named = Dictionary(reasons.map { ($0.key.name, $0.value) }) { $0.adding($1) }
      return JSON.Member(name, counts(named))
    }
    let inputs = outcomes.map { outcome in
      JSON.object([
        .init("path", .string(outcome.path)), .init("format", .string(outcome.format.rawValue)),
        .init("files", .array(outcome.summary.files.map { .string($0) })),
        .init("otherExports", .array(outcome.summary.otherExports.map { .string($0) })),
        .init("cutAt", outcome.summary.cutAt.map { .integer($0) } ?? .null),
      ])
    }
    return total.members + [
      .init("superseded", .integer(total.superseded)),
      .init("types", object(read.types)), .init("elements", object(read.elements)),
      .init(
        "differences",
        .object(different.map { .init($0.name, .object($0.counts.differences)) })),
      .init("skippedReasons", .object(reasons)),
      .init("unknownTypes", counts(unknownTypes)),
      .init("otherElements", counts(added(\.otherElements))),
      .init("unknownElements", counts(added(\.unknownElements))),
      .init("unknownAttributes", counts(added(\.unknownAttributes))),
      .init("missingFiles", files(.missing)), .init("unreadableFiles", files(.unreadable)),
      .init("unnamedFiles", files(.unnamed)),
      .init(
        "oddities",
        .object(Self.oddities.map { .init($0.name, .integer(added($0.count))) })),
      .init("inputs", .array(inputs)),
      .init("bytes", .integer(bytes)),
    ]
  }
}

extension UnreadFile {
  /// The path, with the line at which the file cannot be read.
  package var place: String { line.map { "\(path) (line \($0))" } ?? path }
}

extension ImportResult: Encodable {
  /// Encodes what `hkstats import --json` prints of one export, without the seconds.
  public func encode(to encoder: any Encoder) throws {
    var totals = ImportTotals()
    totals.add(self)
    try JSON.object(totals.json).encode(to: encoder)
  }
}

extension SkipReason {
  /// The name in JSON, with the unit if there is one.
  fileprivate var name: String {
    switch self {
    case .missingType: "missingType"
    case .unknownType: "unknownType"
    case .invalidDate: "invalidDate"
    case .dateWithoutOffset: "dateWithoutOffset"
    case .dateOutOfRange: "dateOutOfRange"
    case .missingValue: "missingValue"
    case .invalidValue: "invalidValue"
    case .ambiguousNumber: "ambiguousNumber"
    case .missingUnit: "missingUnit"
    case .unknownUnit(let unit): "unknownUnit: \(unit)"
    case .incompatibleUnit(let unit): "incompatibleUnit: \(unit)"
    case .nameTooLong: "nameTooLong"
    case .tooManyTypes: "tooManyTypes"
    case .tooManyNames: "tooManyNames"
    case .tooManyParts: "tooManyParts"
    case .tooManyElements: "tooManyElements"
    }
  }
}
