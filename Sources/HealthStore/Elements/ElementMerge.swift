import Foundation
import GRDB
import HealthSamples

/// Meets the elements that an export holds of one kind with those in the store.
///
/// Elements with one key are matched one to one: first those that are equal byte for byte, then
/// those that say the same, then the rest in their order. What a later export says of an element
/// replaces what an earlier one said.
struct ElementMerge {
  private struct Stored {
    let name: StoredElementName
    let element: ElementTelling
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
  /// The elements in the store that the export has not met yet.
  private var unmet: [ElementKey: [StoredElementName]] = [:]
  /// The numbers of sources in the store, as far as they were needed.
  private var sources: [Source: Int64] = [:]
  private var counts = ImportReport.Counts()

  /// So many elements with one key are compared each with each; more only byte for byte.
  private static let mostCompared = 64

  init(_ kind: ElementKind, database: Database, rules: ImportRules) throws {
    self.kind = kind
    self.database = database
    self.rules = rules
    columns = kind.columns
    unmet = try database.elementKeys(of: kind)
  }

  /// Meets the elements of the export that have one key.
  mutating func meet(_ key: ElementKey, _ contents: [[UInt8]]) throws {
    if contents.count == 1, unmet[key] == nil {
      counts.new += 1
      return try insert(key, Candidate(content: contents[0], copies: 1))
    }
    var candidates = try collapsed(contents)
    var stored = try (unmet[key] ?? []).map { name in
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
      try match(&candidates[candidate], &stored[partner])
    }
    let left = stored.filter { !$0.isMatched }.map(\.name)
    unmet[key] = left.isEmpty ? nil : left
    for candidate in candidates {
      counts.duplicates += candidate.copies - 1
      if candidate.isMatched { continue }
      counts.new += 1
      try insert(key, candidate)
    }
  }

  private mutating func insert(_ key: ElementKey, _ candidate: Candidate) throws {
    guard !rules.isDryRun else { return }
    try database.insertElement(
      kind, key, source: key.source.map { try number(of: $0) }, telling(candidate),
      format: rules.format, newest: rules.newest)
  }

  private func telling(_ candidate: Candidate) throws(SegmentDamage) -> ElementTelling {
    ElementTelling(
      content: candidate.content, copies: candidate.copies, told: rules.made,
      fileTold: try columns.hasFile(candidate.content) ? rules.made : -.infinity)
  }

  private mutating func number(of source: Source) throws -> Int64 {
    if let known = sources[source] { return known }
    let number = try database.identifier(of: source)
    sources[source] = number
    return number
  }

  /// Matches what is equal byte for byte.
  private mutating func matchEqual(
    _ candidates: inout [Candidate], _ stored: inout [Stored]
  ) throws {
    var places: [[UInt8]: [Int]] = [:]
    for place in stored.indices.reversed() {
      places[stored[place].element.content, default: []].append(place)
    }
    for index in candidates.indices {
      if let partner = places[candidates[index].content]?.popLast() {
        try match(&candidates[index], &stored[partner])
      }
    }
  }

  /// Matches what says the same in other words, or the same but for a file that is missing.
  private mutating func matchAgreeing(
    _ candidates: inout [Candidate], _ stored: inout [Stored]
  ) throws {
    for index in candidates.indices where !candidates[index].isMatched {
      let partner = try stored.indices.first { place in
        guard !stored[place].isMatched else { return false }
        let known = stored[place].element.content
        return try columns.fields(columns.completed(candidates[index].content, by: known))
          .agree(with: columns.fields(known))
      }
      if let partner { try match(&candidates[index], &stored[partner]) }
    }
  }

  private mutating func match(_ candidate: inout Candidate, _ stored: inout Stored) throws {
    candidate.isMatched = true
    stored.isMatched = true
    counts.known += 1
    guard !rules.isDryRun else { return }
    let known = stored.element
    var element = known
    element.copies = max(known.copies, candidate.copies)
    // Files of another format may know an element better.
    if stored.name.format == rules.format {
      let fresh = try telling(candidate)
      if rules.format == .appleHealth, !rules.isReplacing, fresh.told.isFinite {
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

  /// Puts together what the export says twice.
  private func collapsed(_ contents: [[UInt8]]) throws -> [Candidate] {
    var candidates: [Candidate] = []
    var places: [[UInt8]: Int] = [:]
    for content in contents {
      if let place = places[content] {
        candidates[place].copies += 1
      } else {
        places[content] = candidates.count
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

  /// Counts what the export lacks, and deletes it when it replaces what its format told before.
  mutating func finish() throws -> ImportReport.Counts {
    let lacking = unmet.values.joined().filter { $0.format == rules.format }
    counts.onlyInStore = lacking.count
    if rules.isReplacing, !rules.incomplete.contains(kind) {
      counts.deleted = lacking.count
      counts.onlyInStore = 0
      if !rules.isDryRun { for name in lacking { try database.deleteElement(name.id) } }
    } else if !rules.isDryRun, rules.format == .appleHealth, rules.newest > rules.newestBefore {
      for name in lacking where name.isNewest {
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
    case .workout: WorkoutColumns.self
    case .route: RouteColumns.self
    case .correlation: CorrelationColumns.self
    case .activitySummary: ActivitySummaryColumns.self
    case .beatList: BeatListColumns.self
    case .electrocardiogram: ElectrocardiogramColumns.self
    case .audiogram: AudiogramColumns.self
    case .visionPrescription: VisionPrescriptionColumns.self
    case .clinicalRecord: ClinicalRecordColumns.self
    case .characteristics: Characteristics.self
    }
  }
}
