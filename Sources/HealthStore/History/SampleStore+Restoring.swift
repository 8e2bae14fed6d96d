public import Foundation
import GRDB
import HealthLedger
public import HealthSamples

/// A deletion by the owner, or by an app of its own samples.
public struct StoredDeletion: Sendable, Hashable {
  /// The number of the deletion.
  public let id: Int64
  /// When it was made, in seconds since 2001-01-01 UTC.
  public let deletedAt: Double
  /// The samples of imports that it keeps out, by type.
  public internal(set) var keptOut: [SampleType: Int] = [:]
  /// The elements of imports that it keeps out, by kind.
  public internal(set) var keptOutElements: [ElementKind: Int] = [:]
  /// The saved samples that it deletes, by type, without those that it keeps out of imports, too.
  public internal(set) var saved: [SampleType: Int] = [:]
  /// The saved elements that it deletes, by kind, without those that it keeps out of imports, too.
  public internal(set) var savedElements: [ElementKind: Int] = [:]
  /// The types that it means, also those of which nothing is there at present.
  public internal(set) var types: Set<SampleType> = []
  /// The kinds of elements that it names, the same.
  public internal(set) var kinds: Set<ElementKind> = []
  /// The sources that it means.
  public internal(set) var sources: Set<Source> = []
  /// From when to when what it means starts and ends: its own time, else that of what it took; `nil`
  /// for what has no time, or is there no more.
  public internal(set) var span: ClosedRange<Double>?
  /// What was asked of each sample besides, such as `value>220 count/min`.
  public internal(set) var conditions: [String] = []
  /// Whether restorations took all of it back.
  public internal(set) var isRestored = false

  /// Takes in something that it means.
  fileprivate mutating func mean(_ source: Source?, _ span: ClosedRange<Double>, hasPeriods: Bool) {
    if let source { sources.insert(source) }
    if !hasPeriods { self.span = self.span?.union(span) ?? span }
  }
}

/// A sample of an import that does not count because the owner deleted it, or what it tells again.
public struct KeptOutSample: Sendable, Hashable {
  /// The type.
  public let type: SampleType
  /// The source.
  public let source: Source
  /// The start, in seconds since 2001-01-01 UTC.
  public let start: Double
  /// The end.
  public let end: Double
  /// The value in the canonical unit.
  public let value: Double
  /// Which of the samples of this time and value it is.
  package let ordinal: UInt32
  /// The number of the deletion.
  public let deletion: Int64?

  init(_ row: SeriesReplay.KeptOut, of series: StoredSeries) {
    (type, source, start, end) = (series.type, series.source, row.key.start, row.key.end)
    (value, ordinal, deletion) = (row.key.canonical, row.key.ordinal, row.act)
  }
}

extension SampleStore {
  /// The deletions, the earliest first, with what they keep out of imports, and what was saved.
  ///
  /// - Throws: ``StoreError``
  /// - Complexity: O(*n*) for the samples of types and sources with hidden ones
  public func deletions() throws(StoreError) -> [StoredDeletion] {
    try checkOwner()
    return try read { database in
      let history = try StoreHistory(database)
      let (sets, revision) = (try Provenances(database, history), try Revision(database))
      let (types, sources) = (try database.typesByNumber(), try database.sources())
      var deletions = history.acts.filter(\.value.isDeletion).mapValues { act in
        var deletion = StoredDeletion(id: act.id, deletedAt: act.stamp.time)
        deletion.conditions = act.terms.conditions
        for period in act.periods {
          if let type = types[period.type] { deletion.types.insert(type) }
          deletion.mean(sources[period.source], period.time, hasPeriods: false)
        }
        deletion.isRestored = act.isRestored(by: history.acts.values)
        return deletion
      }
      func mean(_ act: Int64?, _ source: Source?, _ span: ClosedRange<Double>) {
        guard let act, let mark = history.acts[act] else { return }
        deletions[act]?.mean(source, span, hasPeriods: !mark.periods.isEmpty)
        deletions[act]?.isRestored = false
      }
      for series in try database.allSeries() {
        let rows = try database.keptOut(of: series, sets, revision)
        for row in rows {
          mean(row.act, series.source, row.key.time)
          if let act = row.act { deletions[act]?.types.insert(series.type) }
        }
        let kept = Dictionary(grouping: rows.filter(\.isOut)) { $0.act ?? 0 }
        for (act, rows) in kept { deletions[act]?.keptOut[series.type, default: 0] += rows.count }
        for (act, rows) in Dictionary(grouping: rows.filter(\.isSaved), by: { $0.act ?? 0 }) {
          let agreement = ValueAgreement(of: series.type)
          let others = Dictionary(grouping: kept[act] ?? []) { $0.key.start }
          let count = rows.count { row in
            others[row.key.start]?.contains { agreement($0.key, row.key) } != true
          }
          if count > 0 { deletions[act]?.saved[series.type, default: 0] += count }
        }
      }
      for kind in ElementKind.allCases {
        try check(.elements(kind), in: database)
        let all = try ElementReplay(kind, sets, in: database, revision: revision).deleted()
        for element in all {
          mean(element.act, element.key.source, element.key.span)
          deletions[element.act]?.kinds.insert(kind)
        }
        let kept = Dictionary(grouping: all.filter { !$0.files.isEmpty }, by: \.act)
        for (act, elements) in kept { deletions[act]?.keptOutElements[kind] = elements.count }
        for (act, elements) in Dictionary(grouping: all.filter(\.isSaved), by: \.act) {
          let others = Set((kept[act] ?? []).map(\.key))
          let count = elements.count { !others.contains($0.key) }
          if count > 0 { deletions[act]?.savedElements[kind] = count }
        }
      }
      return history.acts.values.filter(\.isDeletion).sorted { $0.stamp < $1.stamp }
        .compactMap { deletions[$0.id] }
    }
  }

  /// The samples of present imports that deletions keep out.
  ///
  /// - Parameter type: only of this type
  /// - Returns: the samples, by type, source and start
  /// - Throws: ``StoreError``
  /// - Complexity: O(*n*) for the samples of types and sources with hidden ones
  public func keptOut(of type: SampleType? = nil) throws(StoreError) -> [KeptOutSample] {
    try checkOwner()
    return try read { database in
      var samples: [KeptOutSample] = []
      let sets = try Provenances(database)
      let revision = try Revision(database)
      for series in try database.allSeries() where type == nil || series.type == type {
        for row in try database.keptOut(of: series, sets, revision) where row.isOut {
          samples.append(KeptOutSample(row, of: series))
        }
      }
      return samples
    }
  }

  /// Takes back what deletions did to a selection of samples and elements, in one transaction.
  ///
  /// The words of a deletion take it back, also when the phone has joined the samples meanwhile: what
  /// is kept out counts again with what it overlaps. Without a body the time is restored, too.
  ///
  /// - Parameters:
  ///   - objects: what is restored
  ///   - range: only what starts in it, or `nil`
  ///   - dryRun: says what would change, and changes nothing
  ///   - isRestored: gets a sample; the default chooses all. With a body no element is restored
  /// - Returns: what changed
  /// - Throws: ``StoreError``
  /// - Complexity: O(*n* log *n*) for the samples of the types, and the elements
  @discardableResult
  public func restore(
    _ objects: ObjectSelection, in range: Range<Double>? = nil, dryRun: Bool = false,
    where isRestored: ((KeptOutSample) -> Bool)? = nil
  ) throws(StoreError) -> HistoryChange {
    try write(dryRun: dryRun) { database, revision in
      try checkAll(in: database)
      var restoration = try Restoration(self, in: database, revision: revision)
      let types = Set(try objects.types(in: database))
      for series in try database.allSeries()
      where types.contains(series.type) && selection.contains(series.source) {
        try restoration.restore(series, periods: isRestored == nil ? range : nil) { row in
          if let range, !range.contains(row.key.start) { return false }
          guard let isRestored else { return true }
          return isRestored(KeptOutSample(row, of: series))
        }
      }
      for kind in isRestored == nil ? objects.kinds : [] {
        try restoration.restore(kind) { element in
          objects.contains(element.key) && isChosen(element.key, in: range)
        }
      }
      return try restoration.finish(hasPeriods: isRestored == nil)
    }
  }

  /// Takes back the deletion of samples and elements with some UUIDs, in one transaction.
  ///
  /// - Parameters:
  ///   - uuids: the UUIDs; unknown ones are ignored
  ///   - dryRun: says what would change, and changes nothing
  /// - Returns: what changed
  /// - Throws: ``StoreError``
  /// - Complexity: O(*n*) for the samples and elements of the store
  @discardableResult
  public func restore(
    _ uuids: some Sequence<UUID>, dryRun: Bool = false
  ) throws(StoreError) -> HistoryChange {
    try write(dryRun: dryRun) { database, revision in
      try checkAll(in: database)
      let reader = try UUIDReader(self, database)
      let births = try Births(database)
      let serials = Set(try reader.serials(of: Array(uuids)).compactMap { $0.map(births.birth) })
      var restoration = try Restoration(self, in: database, revision: revision)
      for series in try database.allSeries() {
        try restoration.restore(series, withKeptOut: false) { row in
          row.births.contains(where: serials.contains)
        }
      }
      for kind in ElementKind.allCases {
        try restoration.restore(kind) { !$0.births.isDisjoint(with: serials) }
      }
      return try restoration.finish(hasPeriods: false)
    }
  }

  /// Takes a deletion back: names what it named, in one transaction.
  ///
  /// - Parameters:
  ///   - id: the number of the deletion
  ///   - dryRun: says what would change, and changes nothing
  /// - Returns: what changed; `nil` if there is no such deletion
  /// - Throws: ``StoreError``
  /// - Complexity: O(*n* log *n*) for the samples of the types and sources that it named
  public func restoreDeletion(
    _ id: Int64, dryRun: Bool = false
  ) throws(StoreError) -> HistoryChange? {
    try write(dryRun: dryRun) { database, revision in
      try checkAll(in: database)
      guard let act = try StoreHistory(database).acts[id], act.isDeletion else { return nil }
      let restored = try database.appendOwnerAct(
        deletes: false, periods: act.periods, at: now.instant)
      let sets = try Provenances(database, naming: restored)
      var change = HistoryChange()
      for series in try database.allSeries() {
        change.add(
          try database.replay(
            series.type, series.source, SeriesFiles(sets, database.files(of: series)),
            naming: { cursor, row, _, set in
              try sets.members(cursor.memberSet(row)).acts.contains(id)
                ? sets.number(of: set, named: .act(restored)) : set
            }, revision: revision))
      }
      for kind in ElementKind.allCases {
        var replay = try ElementReplay(kind, sets, in: database, revision: revision)
        for element in try replay.deleted() where element.acts.contains(id) {
          change.add(try replay.name(element, by: restored))
        }
      }
      try sets.write(to: database)
      return change
    }
  }
}

/// One act that restores samples and elements.
struct Restoration {
  private let database: Database
  private let revision: Revision
  private let act: Int64
  let sets: Provenances
  private var chosen: [(series: StoredSeries, numbers: Set<Int>)] = []
  private var elements: [DeletedElement] = []
  private var periods: [OwnerAct.Period] = []

  init(_ store: SampleStore, in database: Database, revision: Revision) throws {
    (self.database, self.revision) = (database, revision)
    act = try database.appendOwnerAct(deletes: false, at: store.now.instant)
    sets = try Provenances(database)
  }

  /// Chooses rows of a series, and what is kept out or deleted of others that they overlap.
  mutating func restore(
    _ series: StoredSeries, periods range: Range<Double>? = nil,
    withKeptOut: Bool = true, where isChosen: (SeriesReplay.KeptOut) throws -> Bool
  ) throws {
    let kept = try database.keptOut(of: series, sets, revision)
    var isRestored = try kept.map(isChosen)
    func extend(_ isOther: (SeriesReplay.KeptOut) -> Bool) {
      let spans = SpanIndex(
        kept.indices.filter { isRestored[$0] && !kept[$0].isSaved }.map { kept[$0].span })
      for index in kept.indices where !isRestored[index] && !kept[index].isSaved {
        if isOther(kept[index]), spans.overlaps(kept[index].span) { isRestored[index] = true }
      }
    }
    if withKeptOut { extend(\.isOut) }
    extend { _ in true }
    let rows = kept.indices.filter { isRestored[$0] }.map { kept[$0] }
    guard !rows.isEmpty else { return }
    chosen.append((series, Set(rows.flatMap(\.numbers))))
    let imported = rows.filter { !$0.isSaved }.map(\.key)
    guard let first = imported.map(\.start).min(), let last = imported.map(\.time.upperBound).max()
    else { return }
    let start = range.map(\.lowerBound).flatMap { $0.isFinite ? $0 : nil } ?? first
    let end = range.map(\.upperBound).flatMap { $0.isFinite ? $0 : nil } ?? last
    let numbers = try database.numbers(of: series.type, series.source)
    periods.append(
      OwnerAct.Period(type: numbers.type, source: numbers.source, time: start...end))
  }

  /// Chooses deleted elements of a kind.
  mutating func restore(
    _ kind: ElementKind, where isChosen: (DeletedElement) throws -> Bool
  ) throws {
    let replay = try ElementReplay(kind, sets, in: database, revision: revision)
    elements += try replay.deleted().filter(isChosen)
  }

  /// Ends the act.
  mutating func finish(hasPeriods: Bool) throws -> HistoryChange {
    guard !chosen.isEmpty || !elements.isEmpty else {
      try database.execute(sql: "DELETE FROM acts WHERE id = ?", arguments: [act])
      return HistoryChange()
    }
    if hasPeriods { try database.setTerms(OwnerAct.Terms(periods: periods), of: act) }
    // Earlier numbers of sets stay valid.
    try sets.write(to: database)
    let sets = try Provenances(database, naming: act)
    var change = HistoryChange()
    for (series, numbers) in chosen {
      change.add(
        try database.replay(
          series.type, series.source, SeriesFiles(sets, database.files(of: series)),
          naming: { [act] _, _, hidden, set in
            try hidden.map(numbers.contains) ?? false
              ? sets.number(of: set, named: .act(act)) : set
          }, revision: revision))
    }
    for (kind, elements) in Dictionary(grouping: elements, by: \.kind) {
      var replay = try ElementReplay(kind, sets, in: database, revision: revision)
      for element in elements { change.add(try replay.name(element, by: act)) }
    }
    try sets.write(to: database)
    return change
  }
}

extension ElementReplay {
  /// Names a deleted element by an act.
  fileprivate mutating func name(_ element: DeletedElement, by act: Int64) throws -> Outcome {
    try name(
      element.key, by: act, saved: element.isSaved ? element.births : [],
      imported: !element.isSaved)
  }
}

extension Database {
  /// What deletions keep out of a series, or have deleted.
  func keptOut(
    of series: StoredSeries, _ sets: Provenances, _ revision: Revision
  ) throws -> [SeriesReplay.KeptOut] {
    var replay = try SeriesReplay(
      series.type, series.source, SeriesFiles(sets, files(of: series)),
      units: RecordedUnits(of: series.type), in: self, revision: revision)
    return try replay.keptOut()
  }
}
