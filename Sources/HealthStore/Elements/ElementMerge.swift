import Foundation
import GRDB
import HealthSamples

/// The elements of one import until they are merged into the store.
///
/// Their bytes are in the spill file; memory has only their keys.
struct ElementImport {
  /// One element of the export.
  private struct Fresh {
    var key: ElementKey
    var range: Range<Int>
  }

  private var waiting: [ElementKind: [Fresh]] = [:]

  init() {}

  /// Adds elements; one with invalid columns is refused.
  mutating func add<Columns: StoredElement>(
    _ columns: Columns, to file: SpillFile, path: String, _ digest: inout FileDigest
  ) throws(StoreError) {
    for (index, row) in columns.rows.enumerated() {
      let bytes: [UInt8]
      do throws(Corruption) { bytes = try Columns.encode(row) } catch {
        throw StoreError(.invalidBatch(row: index), path: path)
      }
      digest.add(Columns.kind, bytes)
      let fresh = Fresh(key: Columns.key(of: row), range: try file.append(bytes))
      waiting[Columns.kind, default: []].append(fresh)
    }
  }

  /// Adds a stored element with its copies.
  mutating func add(
    _ kind: ElementKind, _ key: ElementKey, _ content: [UInt8], copies: Int, to file: SpillFile
  ) throws(StoreError) {
    let fresh = Fresh(key: key, range: try file.append(content))
    for _ in 0..<copies { waiting[kind, default: []].append(fresh) }
  }

  /// Matches all elements with those in the store.
  ///
  /// - Complexity: O(*n* log *n*) for *n* elements of the export and the store
  consuming func merge(
    into database: Database, from file: SpillFile, rules: ImportRules, revision: Revision
  ) throws -> [ElementKind: ImportReport.Counts] {
    var report: [ElementKind: ImportReport.Counts] = [:]
    for kind in ElementKind.allCases {
      let fresh = (waiting.removeValue(forKey: kind) ?? []).sorted { $0.key < $1.key }
      var merge = try ElementMerge(kind, database: database, rules: rules, revision: revision)
      var start = 0
      while start < fresh.count {
        let end =
          fresh[start...].firstIndex { $0.key != fresh[start].key } ?? fresh.count
        var contents: [[UInt8]] = []
        for element in fresh[start..<end] { contents.append(try file.bytes(element.range)) }
        try merge.match(fresh[start].key, contents)
        start = end
      }
      let counts = try merge.finish()
      if counts != ImportReport.Counts() { report[kind] = counts }
    }
    return report
  }
}

/// Matches the elements of one kind in an export with those in the store.
///
/// Elements with one key are matched one to one: first those that are equal byte for byte, then
/// those with equal fields, then the rest in order. The fields of a later export replace those of
/// an earlier one.
struct ElementMerge {
  private struct Stored {
    let name: StoredElementName
    let element: ElementVersion
    var isMatched = false
  }

  private struct Candidate {
    var content: [UInt8]
    var copies: Int
    var isMatched = false
  }

  private let kind: ElementKind
  private let columns: any StoredElement.Type
  private let database: Database
  private let rules: ImportRules
  private let revision: Revision
  /// The elements in the store without a match so far.
  private var unmatched: [ElementKey: [StoredElementName]] = [:]
  /// The ids of sources in the store, cached.
  private var sources: [Source: Int64] = [:]
  private var counts = ImportReport.Counts()
  /// The elements that the owner deleted, by key.
  private var deleted: [ElementKey: [Int64]] = [:]

  /// Up to this number, elements with one key are compared pairwise; more only byte for byte.
  private static let mostCompared = 64

  init(
    _ kind: ElementKind, database: Database, rules: ImportRules, revision: Revision
  ) throws {
    self.revision = revision
    self.kind = kind
    self.database = database
    self.rules = rules
    columns = kind.columns
    unmatched = try database.elementKeys(of: kind)
    deleted = try database.deletedElements(of: kind)
  }

  /// Matches the elements of the export with one key.
  mutating func match(_ key: ElementKey, _ contents: [[UInt8]]) throws {
    if contents.count == 1, unmatched[key] == nil, deleted[key] == nil {
      counts.new += 1
      return try insert(key, Candidate(content: contents[0], copies: 1))
    }
    var candidates = try collapsed(contents)
    var stored = try (unmatched[key] ?? []).map { name in
      Stored(name: name, element: try database.element(name.id, newest: rules.newestBefore))
    }
    try matchEqual(&candidates, &stored)
    if !stored.isEmpty, max(candidates.count, stored.count) <= Self.mostCompared {
      try matchAgreeing(&candidates, &stored)
    }
    let rest = zip(
      candidates.indices.filter { !candidates[$0].isMatched },
      stored.indices.filter { !stored[$0].isMatched })
    for (candidate, partner) in rest {
      counts.changed += 1
      try pair(&candidates[candidate], &stored[partner])
      if !rules.isDryRun { revision.change(kind.subject, in: key.span) }
    }
    let left = stored.filter { !$0.isMatched }.map(\.name)
    unmatched[key] = left.isEmpty ? nil : left
    for candidate in candidates {
      counts.duplicates += candidate.copies - 1
      if candidate.isMatched { continue }
      if let row = deleted[key]?.popLast() {
        guard rules.isRestoring else {
          counts.known += 1
          counts.deletedBefore += 1
          continue
        }
        if !rules.isDryRun {
          try database.execute(sql: "DELETE FROM deletedElements WHERE id = ?", arguments: [row])
        }
      }
      counts.new += 1
      try insert(key, candidate)
    }
  }

  private mutating func insert(_ key: ElementKey, _ candidate: Candidate) throws {
    guard !rules.isDryRun else { return }
    try database.insertElement(
      kind, key, source: key.source.map { try number(of: $0) }, version(of: candidate),
      format: rules.format, newest: rules.newest, revision: revision)
  }

  private func version(of candidate: Candidate) throws(Corruption) -> ElementVersion {
    ElementVersion(
      content: candidate.content, copies: candidate.copies, lastSeen: rules.exportedAt,
      fileLastSeen: try columns.hasFile(candidate.content) ? rules.exportedAt : -.infinity)
  }

  private mutating func number(of source: Source) throws -> Int64 {
    if let known = sources[source] { return known }
    let number = try database.identifier(of: source)
    sources[source] = number
    return number
  }

  /// Matches elements that are equal byte for byte.
  private mutating func matchEqual(
    _ candidates: inout [Candidate], _ stored: inout [Stored]
  ) throws {
    var byContent: [[UInt8]: [Int]] = [:]
    for index in stored.indices.reversed() {
      byContent[stored[index].element.content, default: []].append(index)
    }
    for index in candidates.indices {
      if let partner = byContent[candidates[index].content]?.popLast() {
        try pair(&candidates[index], &stored[partner])
      }
    }
  }

  /// Matches elements whose compared fields are equal, or would be with the missing file of one.
  private mutating func matchAgreeing(
    _ candidates: inout [Candidate], _ stored: inout [Stored]
  ) throws {
    for index in candidates.indices where !candidates[index].isMatched {
      let partner = try stored.indices.first { other in
        guard !stored[other].isMatched else { return false }
        let known = stored[other].element.content
        return try columns.fields(columns.completed(candidates[index].content, by: known))
          .agree(with: columns.fields(known))
      }
      if let partner { try pair(&candidates[index], &stored[partner]) }
    }
  }

  private mutating func pair(_ candidate: inout Candidate, _ stored: inout Stored) throws {
    candidate.isMatched = true
    stored.isMatched = true
    counts.known += 1
    // What an app saved stays as it is.
    guard !rules.isDryRun, stored.name.format != nil else { return }
    let known = stored.element
    var element = known
    element.copies = max(known.copies, candidate.copies)
    // Files of another format may have a better version of an element.
    if stored.name.format == rules.format {
      let fresh = try version(of: candidate)
      if rules.format == .appleHealth, !rules.isReplacing, fresh.lastSeen.isFinite {
        element = try columns.joined(known, fresh)
      } else if rules.isLater {
        element = fresh
        element.copies = max(known.copies, candidate.copies)
        element.content = try columns.completed(fresh.content, by: known.content)
      }
    }
    let isSame =
      element.content == known.content && element.copies == known.copies
      && element.dates(whenNewest: rules.newest) == known.dates(whenNewest: rules.newestBefore)
    if !isSame { try database.updateElement(stored.name.id, element, newest: rules.newest) }
  }

  /// Removes duplicates within the export.
  private func collapsed(_ contents: [[UInt8]]) throws -> [Candidate] {
    var candidates: [Candidate] = []
    var byContent: [[UInt8]: Int] = [:]
    for content in contents {
      if let index = byContent[content] {
        candidates[index].copies += 1
      } else {
        byContent[content] = candidates.count
        candidates.append(Candidate(content: content, copies: 1))
      }
    }
    guard candidates.count > 1, candidates.count <= Self.mostCompared else { return candidates }
    var distinct: [Candidate] = []
    for candidate in candidates {
      let twin = try distinct.firstIndex {
        try columns.fields($0.content).agree(with: columns.fields(candidate.content))
      }
      if let twin {
        distinct[twin].copies += candidate.copies
      } else {
        distinct.append(candidate)
      }
    }
    return distinct
  }

  /// Counts the elements that the export lacks, and deletes them if it replaces earlier files of
  /// its format.
  mutating func finish() throws -> ImportReport.Counts {
    let lacking = unmatched.flatMap { key, names in
      names.filter { $0.format == rules.format }.map { (key: key, name: $0) }
    }.sorted { $0.name.id < $1.name.id }
    counts.onlyInStore = lacking.count
    if rules.isReplacing, !rules.incomplete.contains(kind) {
      counts.deleted = lacking.count
      counts.onlyInStore = 0
      if !rules.isDryRun {
        for (key, name) in lacking {
          try database.deleteElement(name.id, kind.subject, key, revision: revision)
        }
      }
    } else if !rules.isDryRun, rules.format == .appleHealth, rules.newest > rules.newestBefore {
      for (_, name) in lacking where name.isNewest {
        try database.dateElement(name.id, newest: rules.newestBefore)
      }
    }
    return counts
  }
}

extension ElementKind {
  /// The columns of the kind.
  var columns: any StoredElement.Type {
    switch self {
    case .workout: Workouts.self
    case .route: Routes.self
    case .correlation: Correlations.self
    case .activitySummary: ActivitySummaries.self
    case .beatList: BeatLists.self
    case .electrocardiogram: Electrocardiograms.self
    case .audiogram: Audiograms.self
    case .visionPrescription: VisionPrescriptions.self
    case .clinicalRecord: ClinicalRecords.self
    case .characteristics: Characteristics.self
    case .savedObject: SavedObjects.self
    }
  }
}
