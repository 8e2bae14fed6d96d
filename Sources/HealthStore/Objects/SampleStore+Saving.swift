public import Foundation
import GRDB
import HealthLedger
public import HealthSamples
internal import _HealthNumerics

/// A sample to save.
public struct NewSample: Sendable, Hashable {
  /// The type.
  public var type: SampleType
  /// The app or device that saves it.
  public var source: Source
  /// The start, in seconds since 2001-01-01 UTC.
  public var start: Double
  /// The end, not before the start.
  public var end: Double
  /// The number in the unit of ``label``; for a category type the raw value of the constant.
  public var value: Double
  /// The unit of a quantity, or the constant's name of a category as exports write it.
  public var label: String
  /// When it was created, in seconds since 2001-01-01 UTC; `nil` when not known.
  public var created: Double?
  /// The version of the app, and the device.
  public var origin: Origin
  /// Metadata.
  public var metadata: Metadata
  /// Its identity; `nil` for a new one.
  public var uuid: UUID?

  /// Makes a sample.
  public init(
    type: SampleType, source: Source, start: Double, end: Double, value: Double, label: String,
    created: Double? = nil, origin: Origin = Origin(), metadata: Metadata = Metadata(),
    uuid: UUID? = nil
  ) {
    self.type = type
    self.source = source
    self.start = start
    self.end = end
    self.value = value
    self.label = label
    self.created = created
    self.origin = origin
    self.metadata = metadata
    self.uuid = uuid
  }
}

extension SampleStore {
  /// Saves samples in one transaction: all of them, or none.
  ///
  /// An app saves samples of its own source only, of types that it may share; the name of that source
  /// is the one that the owner gave it.
  ///
  /// A sample whose UUID the store has, or had before it was deleted, is left out. The metadata
  /// entry `HKWasUserEntered` makes a sample one that is entered by hand.
  ///
  /// - Parameters:
  ///   - samples: the samples
  ///   - refusesKnown: whether a sample whose UUID the store has, or had, is an error instead
  /// - Returns: the UUIDs of the samples, in their order
  /// - Throws: ``StoreError``; ``StoreError/Reason/invalidSample(index:)`` or
  ///   ``StoreError/Reason/knownSample(index:)`` for the first sample that cannot be saved
  /// - Complexity: O(*n* log *n*) for *n* samples, and O(1) chunks for each time into which they fall
  @discardableResult
  public func save(
    _ samples: [NewSample], refusesKnown: Bool = false
  ) throws(StoreError) -> [UUID] {
    try write(isForApps: true) { database, revision in
      let objects = NewObjects(samples)
      let uuids = objects.samples.compactMap(\.uuid)
      let replacements = try save(
        objects, refusesKnown: refusesKnown, in: database, revision: revision)
      return replacements.isEmpty ? uuids : uuids.map { replacements[$0] ?? $0 }
    }
  }

  /// Samples as rows, by type and source.
  ///
  /// - Throws: ``StoreError/Reason/invalidSample(index:)`` for the first one that has no row
  static func rows(of samples: [NewSample], path: String) throws(StoreError) -> [NewRows] {
    var batches: [NewRows] = []
    var indices: [SampleSeries: Int] = [:]
    for (index, sample) in samples.enumerated() {
      let uuid = sample.uuid ?? UUID()
      let name = SampleSeries(type: sample.type, source: sample.source)
      let batch = indices[name] ?? batches.count
      if batch == batches.count {
        indices[name] = batch
        batches.append(
          NewRows(
            RecordColumns(type: sample.type, source: sample.source), identities: [], places: []))
      }
      do throws(ColumnError) {
        try batches[batch].columns.append(
          start: sample.start, end: sample.end, value: sample.value, label: sample.label,
          creation: sample.created, origin: sample.origin, metadata: sample.metadata)
      } catch {
        throw StoreError(.invalidSample(index: index), path: path)
      }
      batches[batch].identities.append(uuid)
      batches[batch].places.append(index)
    }
    return batches
  }

  /// Deletes the samples and elements with some UUIDs, in one transaction; unknown ones are ignored.
  ///
  /// An app deletes what is its own, saved or imported, of types that it may share; another's object
  /// that it sees is an error, and one that it does not see is unknown.
  ///
  /// A later import of an export that contains an imported sample does not bring it back.
  ///
  /// - Returns: how many were deleted
  /// - Throws: ``StoreError``
  /// - Complexity: O(rows of the chunks that have the samples)
  @discardableResult
  public func delete(_ uuids: some Sequence<UUID>) throws(StoreError) -> Int {
    try write(isForApps: true) { database, revision in
      let change = try delete(uuids, in: database, revision: revision)
      return change.deletedSamples + change.deletedElements
    }
  }

  /// Deletes the samples and elements with some UUIDs, or says what that would change.
  ///
  /// - Parameters:
  ///   - uuids: the UUIDs; unknown ones are ignored
  ///   - dryRun: says what would change, and changes nothing
  /// - Returns: what changed
  /// - Throws: ``StoreError``
  public func delete(
    _ uuids: some Sequence<UUID>, dryRun: Bool
  ) throws(StoreError) -> HistoryChange {
    try write(dryRun: dryRun) { database, revision in
      try delete(uuids, in: database, revision: revision)
    }
  }

  /// Deletes samples and elements in a transaction; see ``delete(_:)``.
  @discardableResult
  func delete(
    _ uuids: some Sequence<UUID>, in database: Database, revision: Revision
  ) throws -> HistoryChange {
    let reader = try UUIDReader(self, database)
    let permission = try permission(in: database)
    let uuids = Array(uuids)
    let places = try reader.saved(uuids)
    let serials = try reader.serials(of: uuids, saved: places)
    var samples: [SavedPlace] = []
    var imported: [Int64] = []
    imported.reserveCapacity(uuids.count)
    var elements: [Int64: Bool] = [:]
    let visible = try reader.areVisible(uuids, serials, saved: places, to: permission)
    let sharing = try SharePermission(of: self, in: database)
    for (index, uuid) in uuids.enumerated() {
      guard let serial = serials[index], visible[index] else { continue }
      let place = places[uuid]
      if let place, !place.subject.kind.isEmpty {
        try sharing?.checkElement(serial)
        elements[serial] = true
      } else if let place {
        samples.append(place)
      } else {
        imported.append(serial)
      }
    }
    imported = imported.sortedDistinct()
    let chunks = try database.chunks(at: samples).union(
      database.chunks(around: imported).map(\.id))
    guard !chunks.isEmpty || !elements.isEmpty || !imported.isEmpty else { return HistoryChange() }
    var deletion = try Deletion(self, in: database, revision: revision)
    var rows = SoughtSerials(imported + samples.map(\.serial))
    for chunk in chunks.sorted() {
      try deletion.delete(from: chunk) { _, _, cursor, row in rows.find(cursor.serial(row)) }
    }
    let missing = Set(rows.notFound)
    for serial in imported
    where try missing.contains(serial) && database.elementContent(withSerial: serial) != nil {
      try sharing?.checkElement(serial)
      elements[serial] = false
    }
    for (serial, isSaved) in elements {
      try deletion.delete(element: serial, isSaved: isSaved)
    }
    return try deletion.finish()
  }

  /// Deletes all samples and elements of a selection that start in a range, in one transaction.
  ///
  /// Without a body the time of the deleted samples of each source is deleted: what an import brings
  /// there later is kept out, too. Elements with one name, source, start and end go together, and no
  /// import brings them back. An app deletes samples of its own.
  ///
  /// - Parameters:
  ///   - objects: what is deleted
  ///   - range: only what starts in it, or `nil`
  ///   - dryRun: says what would change, and changes nothing
  ///   - isDeleted: gets records and a row; the default chooses all. With a body no element is
  ///     deleted
  ///   - conditions: what the body asks of a row, in words for ``deletions()``
  /// - Returns: what changed
  /// - Throws: ``StoreError``, or what the body throws: then nothing is deleted
  /// - Complexity: O(*n*) for the *n* samples of the chunks that overlap the range, and the elements
  @discardableResult
  public func delete(
    _ objects: ObjectSelection, in range: Range<Double>? = nil, dryRun: Bool = false,
    where isDeleted: ((RecordColumns, Int) throws -> Bool)? = nil, saying conditions: [String] = []
  ) throws -> HistoryChange {
    var stop: (any Error)?
    do {
      return try write(isForApps: true, dryRun: dryRun) { database, revision in
        var deletion = try Deletion(self, in: database, revision: revision)
        for type in try objects.types(in: database) {
          for group in try sources(of: type, in: range, from: database)
          where reader == nil || group.source.bundleIdentifier == reader {
            for chunk in group.chunks {
              try deletion.delete(from: chunk) { type, source, cursor, row in
                if let range, !range.contains(cursor.block.starts[row]) { return false }
                guard let isDeleted else { return true }
                var one = RecordColumns.Builder(type: type, source: source)
                try one.append(row..<row + 1, of: cursor)
                do {
                  return try isDeleted(one.rows, 0)
                } catch {
                  stop = error
                  throw error
                }
              }
            }
          }
        }
        for kind in reader == nil && isDeleted == nil ? objects.kinds : [] {
          try check(.elements(kind), in: database)
          try deletion.delete(kind) { objects.contains($0) && isChosen($0, in: range) }
        }
        return try deletion.finish(
          periods: reader == nil && isDeleted == nil
            ? range ?? -.infinity ..< .infinity : nil, conditions: conditions)
      }
    } catch {
      throw stop ?? error
    }
  }

  /// Whether an element starts in a range, and its source is chosen.
  func isChosen(_ key: ElementKey, in range: Range<Double>?) -> Bool {
    if let range, !range.contains(key.start) { return false }
    return selection.isEverything || key.source.map(selection.contains) ?? false
  }
}

/// What a deletion or a restoration means.
public enum ObjectSelection: Sendable, Hashable {
  /// Samples and elements.
  case all
  /// Samples of a type, or of all.
  case samples(SampleType? = nil)
  /// Elements of a kind, or of all; of a type within it, such as blood pressures, or of all.
  case elements(ElementKind? = nil, type: String? = nil)

  /// The types of samples.
  func types(in database: Database) throws -> [SampleType] {
    switch self {
    case .samples(let type?): [type]
    case .samples(nil), .all: Array(try database.sampleTypes().values)
    case .elements: []
    }
  }

  /// The kinds of elements.
  var kinds: [ElementKind] {
    switch self {
    case .elements(let kind?, _): [kind]
    case .elements(nil, _), .all: ElementKind.allCases
    case .samples: []
    }
  }

  /// Whether an element is of the type within a kind.
  func contains(_ key: ElementKey) -> Bool {
    guard case .elements(_, let type?) = self else { return true }
    // The name of a document has its identifier after the type.
    return key.name == type || key.name.hasPrefix(type + " ")
  }
}

/// What a change of history changed in what counts.
public struct HistoryChange: Sendable, Hashable {
  /// Samples that no longer count.
  public internal(set) var deletedSamples = 0
  /// Samples that count again.
  public internal(set) var returnedSamples = 0
  /// Elements that no longer count.
  public internal(set) var deletedElements = 0
  /// Elements that count again.
  public internal(set) var returnedElements = 0

  /// Adds what changed in samples.
  mutating func add(_ outcome: SeriesReplay.Outcome) {
    deletedSamples += outcome.dropped + outcome.retold
    returnedSamples += outcome.returned
  }

  /// Adds what changed in elements.
  mutating func add(_ outcome: ElementReplay.Outcome) {
    deletedElements += outcome.deleted
    returnedElements += outcome.returned
  }
}

extension ClosedRange {
  /// From the first start to the last end.
  func union(_ other: Self) -> Self {
    Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }
}

extension [Int64] {
  /// The serials in ascending order, each once.
  ///
  /// - Complexity: O(*n*) for serials that lie close together, else O(*n* log *n*)
  fileprivate func sortedDistinct() -> [Int64] {
    guard let first = self.min(), let last = self.max() else { return [] }
    var distinct: [Int64] = []
    distinct.reserveCapacity(count)
    func offset(_ serial: Int64) -> UInt64 { UInt64(bitPattern: serial &- first) }
    guard offset(last) < 64 * UInt64(count) else {
      for serial in sorted() where serial != distinct.last { distinct.append(serial) }
      return distinct
    }
    // A bit for each serial between them.
    var words = [UInt64](repeating: 0, count: Int(offset(last) / 64) + 1)
    for serial in self { words[Int(offset(serial) / 64)] |= 1 << (offset(serial) % 64) }
    for (place, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        distinct.append(first + Int64(64 * place + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
    return distinct
  }
}

/// Serials to be found among the rows of chunks, which mostly follow each other.
private struct SoughtSerials {
  /// In ascending order, each once.
  private let serials: [Int64]
  private var isFound: [Bool]
  /// The place after the one that was found last.
  private var next = 0

  init(_ serials: [Int64]) {
    self.serials = serials.sortedDistinct()
    isFound = Array(repeating: false, count: self.serials.count)
  }

  /// Those that no row had.
  var notFound: [Int64] { zip(serials, isFound).filter { !$0.1 }.map(\.0) }

  /// Whether a serial is one of them.
  ///
  /// - Complexity: O(1) between the last one that was found and the next, else O(log *n*)
  mutating func find(_ serial: Int64) -> Bool {
    if next == serials.count || serials[next] != serial {
      let isAfterLast = next > 0 && serials[next - 1] < serial
      if isAfterLast, next == serials.count || serial < serials[next] { return false }
      next = serials.partitioningIndex { $0 >= serial }
      guard next < serials.count, serials[next] == serial else { return false }
    }
    isFound[next] = true
    next += 1
    return true
  }
}

/// One act that deletes samples and elements.
private struct Deletion {
  private let store: SampleStore
  private let database: Database
  private let revision: Revision
  private let names: SeriesNames
  private let act: Int64
  private let sets: Provenances
  private let births: Births
  private let sharing: SharePermission?
  private var editors: [SeriesNumbers: SeriesEditor] = [:]
  private var replays: [ElementKind: ElementReplay] = [:]
  private typealias Span = (all: ClosedRange<Double>, imported: ClosedRange<Double>?)
  /// The time of the deleted samples of a series, and of those of files.
  private var spans: [SeriesNumbers: Span] = [:]
  private var change = HistoryChange()

  init(_ store: SampleStore, in database: Database, revision: Revision) throws {
    (self.store, self.database, self.revision) = (store, database, revision)
    names = try SeriesNames(database)
    act = try database.appendOwnerAct(deletes: true, at: store.now.instant)
    sets = try Provenances(database, naming: act)
    births = try Births(database)
    sharing = try SharePermission(of: store, in: database)
  }

  /// Deletes rows of a chunk of any series.
  mutating func delete(
    from chunk: Int64, where isDeleted: (SampleType, Source, RowCursor, Int) throws -> Bool
  ) throws {
    let numbers: (Int64, Int64) = try database.values(
      "SELECT type, source FROM chunks WHERE id = ?", [chunk], chunk: chunk)
    let series = SeriesNumbers(type: numbers.0, source: numbers.1)
    let (type, source) = try Corruption.naming(chunk) { try names[series] }
    try store.check(.chunks(type: series.type), in: database)
    var editor =
      try editors.removeValue(forKey: series)
      ?? SeriesEditor(type, source, database: database, revision: revision)
    var span = spans[series]
    let (sharing, sets, act, births) = (sharing, sets, act, births)
    // What the set of the row before says: most rows of a chunk have the same.
    var known: (set: UInt32, isSaved: Bool, named: UInt32)?
    change.deletedSamples += try editor.hide(from: chunk) { cursor, row in
      guard try isDeleted(type, source, cursor, row) else { return nil }
      if known == nil { try sharing?.check([type.identifier], from: source) }
      let set = cursor.memberSet(row)
      let facts: (set: UInt32, isSaved: Bool, named: UInt32)
      if let known, known.set == set {
        facts = known
      } else {
        facts = (
          set, try sets.members(set).isSaved, try sets.number(of: set, named: .act(act))
        )
        known = facts
      }
      let own = cursor.span(row)
      if facts.isSaved {
        revision.undecided.namings.append((births.birth(of: cursor.serial(row)), act))
      }
      span = (
        span?.all.union(own) ?? own,
        facts.isSaved ? span?.imported : span?.imported?.union(own) ?? own
      )
      return facts.named
    }
    editors[series] = editor
    spans[series] = span
  }

  /// Deletes an element: a saved one alone, an imported one with all of its key.
  mutating func delete(element serial: Int64, isSaved: Bool) throws {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: "SELECT id, name, source, start, end, kind FROM elements WHERE id = ?"),
      arguments: [serial])
    guard let row else { return }
    guard let kind = ElementKind(storedText: try row.decode(atIndex: 5)) else { throw Corruption() }
    try store.check(.elements(kind), in: database)
    let key = try ElementKey(row, among: database.sources())
    let births = births
    change.add(
      try replay(of: kind) { replay, act in
        try replay.name(
          key, by: act, saved: isSaved ? [births.birth(of: serial)] : [], imported: !isSaved)
      })
  }

  /// Deletes all elements of a kind whose keys are chosen.
  mutating func delete(_ kind: ElementKind, where isDeleted: (ElementKey) -> Bool) throws {
    let outcome = try replay(of: kind) { replay, act in
      var outcome = ElementReplay.Outcome()
      for (key, wordings) in replay.wordings where isDeleted(key) {
        let visible = wordings.filter(\.isVisible)
        guard !visible.isEmpty else { continue }
        let saved = try visible.filter { try replay.isSaved($0) }
        outcome += try replay.name(
          key, by: act, saved: Set(saved.map(\.birth)), imported: saved.count < visible.count)
      }
      return outcome
    }
    change.add(outcome)
  }

  /// The elements of a kind, read once.
  private mutating func replay<Value>(
    of kind: ElementKind, _ body: (inout ElementReplay, Int64) throws -> Value
  ) throws -> Value {
    var replay =
      try replays.removeValue(forKey: kind)
      ?? ElementReplay(kind, sets, in: database, revision: revision)
    defer { replays[kind] = replay }
    return try body(&replay, act)
  }

  /// Ends the act, which also means what starts in a range and was deleted up to its end.
  mutating func finish(
    periods range: Range<Double>? = nil, conditions: [String] = []
  ) throws -> HistoryChange {
    for series in editors.keys { try editors[series]?.finish() }
    try sets.write(to: database)
    guard change.deletedSamples + change.deletedElements > 0 else {
      try database.execute(sql: "DELETE FROM acts WHERE id = ?", arguments: [act])
      return change
    }
    var periods: [SeriesNumbers: OwnerAct.Period] = [:]
    for (series, span) in spans {
      guard let range, let span = span.imported else { continue }
      let start = range.lowerBound.isFinite ? range.lowerBound : span.lowerBound
      let end = range.upperBound.isFinite ? range.upperBound : span.upperBound
      periods[series] = OwnerAct.Period(
        type: series.type, source: series.source, time: start...end)
    }
    try database.setTerms(
      OwnerAct.Terms(periods: Array(periods.values), conditions: conditions), of: act)
    // Read anew: the act has terms now.
    let sets = try Provenances(database)
    for (series, span) in spans {
      let (type, source) = try names[series]
      let files = try database.files(ofType: series.type, source: series.source)
      guard !files.isEmpty else { continue }
      // With a sample goes what another file tells of it.
      change.add(
        try database.replay(
          type, source, SeriesFiles(sets, files),
          in: periods[series].map { span.all.union($0.time) } ?? span.all, revision: revision))
    }
    return change
  }
}

extension Database {
  /// The chunks that can have saved samples: one for each, unless very many start at one instant.
  ///
  /// - Complexity: O((*n* + *c*) log *c*) for the *c* chunks between the samples of each series
  func chunks(at places: [SavedPlace]) throws -> Set<Int64> {
    var chunks: Set<Int64> = []
    for (subject, places) in Dictionary(grouping: places, by: \.subject) {
      guard let first = places.map(\.start).min(), let last = places.map(\.start).max() else {
        continue
      }
      // Chunks of a series follow each other in time.
      let rows = try Row.fetchAll(
        cachedStatement(
          sql: """
            SELECT id, firstStart, lastStart, firstSerial, lastSerial FROM chunks
            WHERE type = ? AND source = ? AND firstStart <= ? AND lastStart >= ?
            ORDER BY firstStart, lastStart, id
            """),
        arguments: [subject.type, subject.source, last, first]
      ).map { row -> (Int64, Double, Double, Int64, Int64) in try row.values() }
      for place in places {
        for row in rows[..<rows.partitioningIndex { $0.1 > place.start }].reversed() {
          let (id, _, lastStart, firstSerial, lastSerial) = row
          guard lastStart >= place.start else { break }
          if firstSerial <= place.serial, place.serial <= lastSerial { chunks.insert(id) }
        }
      }
    }
    return chunks
  }

  /// The chunks that meet a condition whose ranges of serials have one of some, which are in
  /// ascending order.
  ///
  /// - Complexity: O(*c* log *n*) for *c* chunks
  func chunks(
    around serials: [Int64], where condition: String = "TRUE"
  ) throws -> [(id: Int64, series: SeriesNumbers)] {
    guard let first = serials.first, let last = serials.last else { return [] }
    return try Row.fetchAll(
      self,
      sql: """
        SELECT type, source, id, firstSerial, lastSerial FROM chunks INDEXED BY chunksInTime
        WHERE firstSerial <= ? AND lastSerial >= ? AND \(condition)
        """, arguments: [last, first]
    ).compactMap { row in
      let (id, firstSerial, lastSerial): (Int64, Int64, Int64) = try row.values(from: 2)
      let next = serials.partitioningIndex { $0 >= firstSerial }
      guard next < serials.count, serials[next] <= lastSerial else { return nil }
      return (id, try SeriesNumbers(row))
    }
  }
}

/// A type of samples to save, and who saves them.
struct SampleSeries: Hashable, Comparable {
  let type: SampleType
  let source: Source

  static func < (left: Self, right: Self) -> Bool {
    (left.type.identifier, left.source) < (right.type.identifier, right.source)
  }
}
