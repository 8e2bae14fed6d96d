import Foundation
import GRDB
import HealthLedger
import HealthSamples

/// What a store takes over from another.
public struct StoreSync: Sendable, Hashable {
  /// Samples and elements that count and did not.
  public internal(set) var added = 0
  /// Samples and elements that do not count any more.
  public internal(set) var deleted = 0
  /// Samples and elements that apps and the owner saved.
  public internal(set) var saved = 0
  /// Imports, and imports that are undone.
  public internal(set) var imports = 0
  /// Deletions and restorations.
  public internal(set) var deletions = 0
  /// Associations, attachments and settings.
  public internal(set) var relations = 0
}

extension SampleStore {
  /// Makes two stores equal: both then have the samples, elements and deletions of either.
  ///
  /// Both then know the same files and the same acts, and the last act decides. Any number of stores
  /// become equal in any order of syncs.
  /// Serials, anchors, the UUIDs of imported samples, permissions, the commands that start apps and
  /// keys stay each store's own.
  ///
  /// Each store remembers up to where it knows the other, so the next sync reads only what is new. A
  /// store takes over all that is new in one transaction: an interrupted sync leaves each as it was or
  /// as it is after, the next one goes on, and of two at a time one waits.
  ///
  /// - Parameters:
  ///   - other: another store, opened for writing
  ///   - dryRun: counts what either would take over, but for what would count then, and changes
  ///     nothing
  /// - Returns: what each store took over
  /// - Throws: ``StoreError``
  /// - Complexity: O(*n* · *e*) for *n* samples and *e* exports that one of the stores lacks, and
  ///   O(chunks)
  public func synchronise(
    with other: SampleStore, dryRun: Bool = false
  ) throws(StoreError) -> (received: StoreSync, sent: StoreSync) {
    let received = try absorb(other, dryRun: dryRun)
    let sent = try other.absorb(self, dryRun: dryRun)
    // What it got from here is known here.
    if !dryRun { _ = try absorb(other) }
    return (received, sent)
  }

  /// Takes over what another store has.
  ///
  /// What is taken over are files and acts: what the store holds follows from them.
  ///
  /// - Parameters:
  ///   - other: another store, which is only read
  ///   - dryRun: counts what it would take over
  /// - Returns: what changed
  /// - Throws: ``StoreError``
  public func absorb(_ other: SampleStore, dryRun: Bool = false) throws(StoreError) -> StoreSync {
    try checkOwner()
    try other.checkOwner()
    return try StoreError.naming(path) {
      try other.snapshot {
        let (peer, now) = try other.read { (try StoreIdentity($0).store, try SyncMark($0)) }
        /// The last known state of the other store; `nil` for a copy with the identity of this one.
        func known() throws -> SyncMark? {
          let isTwin = try read { try StoreIdentity($0).store } == peer
          return try isTwin ? nil : read { try SyncMark(of: peer, in: $0) }
        }
        guard try known() != now else { return StoreSync() }
        guard !dryRun else { return try take(other, after: try known(), dryRun: true) }
        return try writeJointly {
          // Another process may have taken it over meanwhile.
          let mark = try known()
          guard mark != now else { return StoreSync() }
          let sync = try take(other, after: mark, dryRun: false)
          if mark != nil { try write { database, _ in try now.write(of: peer, to: database) } }
          return sync
        }
      }
    }
  }

  /// Takes over what is new in another store; everything, where `mark` is `nil`.
  private func take(
    _ other: SampleStore, after mark: SyncMark?, dryRun: Bool
  ) throws -> StoreSync {
    var taking = Taking(other: other, store: self, mark: mark ?? .beginning, dryRun: dryRun)
    try taking.run()
    return taking.sync
  }

  /// How many seconds the last act of a store lies in the future: it decides against all acts until
  /// then.
  ///
  /// - Throws: ``StoreError``
  public func secondsAhead() throws(StoreError) -> Double {
    try checkOwner()
    let clock = try read { database in
      try Int64.fetchOne(database, sql: "SELECT lastClock FROM identity") ?? 0
    }
    return Double(clock) / 1_000 - now.instant
  }
}

/// Up to where a store knows another one.
private struct SyncMark: Equatable {
  /// Of a store that is not known.
  static let beginning = SyncMark(numbers: [0, 0, 0, 0])

  private let numbers: [Int64]

  private init(numbers: [Int64]) { self.numbers = numbers }

  /// The last serial: what was saved later is new.
  var serial: Int64 { numbers[0] }
  /// The last association, attachment or setting.
  var register: Int64 { numbers[2] }
  /// The last act.
  var act: Int64 { numbers[3] }

  /// The present state of a store.
  init(_ database: Database) throws {
    let numbers: (Int64, Int64, Int64, Int64) = try database.values(
      """
      SELECT lastSerial, lastDeletion, lastRegister, (SELECT ifnull(max(id), 0) FROM acts)
      FROM identity
      """)
    self.numbers = [numbers.0, numbers.1, numbers.2, numbers.3]
  }

  /// The state in which another store is known; the beginning, if it is not.
  init(of store: UInt64, in database: Database) throws {
    let row = try Row.fetchOne(
      database, sql: "SELECT serial, deletion, register, act FROM peers WHERE store = ?",
      arguments: [Int64(bitPattern: store)])
    self =
      try row.map { row in
        SyncMark(numbers: try (0..<4).map { try row.decode(atIndex: $0) })
      } ?? .beginning
  }

  func write(of store: UInt64, to database: Database) throws {
    try database.insert(
      into: "peers", "store, serial, deletion, register, act",
      [Int64(bitPattern: store)] + StatementArguments(numbers), or: "OR REPLACE")
  }
}

/// Takes over what is new in another store.
private struct Taking {
  let other: SampleStore
  let store: SampleStore
  /// The state of the other store of which all is known.
  let mark: SyncMark
  let dryRun: Bool
  var sync = StoreSync()

  mutating func run() throws {
    let before = try store.read { try $0.tally() }
    try takeSaved()
    try takeHistory()
    try takeRelations()
    let after = try store.read { try $0.tally() }
    sync.deleted = after.deletions - before.deletions
    sync.added = after.count - before.count + sync.deleted
  }

  // MARK: Saved objects

  /// Saves what was saved there, also what is deleted.
  private mutating func takeSaved() throws {
    let saved = try other.read { [mark] in try $0.savedSince(mark.serial) }
    let unknown = try store.read { database in
      let reader = try UUIDReader(store, database)
      return try zip(saved, reader.serials(of: saved.map(\.uuid))).filter { $1 == nil }.map(\.0)
    }
    sync.saved = unknown.count
    guard !dryRun, !unknown.isEmpty else { return }
    let saves = try other.read { try UnknownSaves(unknown, in: $0) }
    for (series, objects) in Dictionary(grouping: unknown, by: \.series) {
      if let series {
        try takeSamples(of: series, objects, saves)
      } else {
        try takeElements(objects, saves)
      }
    }
  }

  private func takeSamples(
    of series: SeriesNumbers, _ objects: [SavedObject], _ saves: UnknownSaves
  ) throws {
    let starts = objects.map(\.start)
    guard let first = starts.min(), let last = starts.max() else { return }
    let rows: NewRows? = try other.read { database in
      let (type, source) = try saves.names[series]
      var builder = RecordColumns.Builder(type: type, source: source)
      var identities: [UUID] = []
      func isSaved(_ set: UInt32) throws -> Bool { try saves.sets.members(set).isSaved }
      try database.forEachRow(
        of: database.series(of: type, source), in: first...last, where: isSaved
      ) { cursor, row in
        guard let uuid = saves.uuid(of: cursor.serial(row)) else { return }
        try builder.append(row..<row + 1, of: cursor)
        identities.append(uuid)
      }
      return identities.isEmpty
        ? nil
        : NewRows(
          builder.rows.unnumbered, identities: identities, places: Array(identities.indices))
    }
    guard let rows else { return }
    try store.write { database, revision in
      try store.insert([rows], refusesKnown: false, in: database, revision: revision)
      try store.note(saves.versions, of: rows.identities, in: database, revision)
    }
  }

  private func takeElements(_ objects: [SavedObject], _ saves: UnknownSaves) throws {
    for letter in Set(objects.map(\.kind)) {
      guard let kind = ElementKind(storedText: letter) else { throw Corruption() }
      let news = try other.read { database in
        try database.storedElements(of: kind).compactMap { element -> NewElement? in
          guard let uuid = saves.uuid(of: element.serial),
            let batch = try ImportBatch(kind, content: element.content(database), for: .owner)
          else { return nil }
          return NewElement(batch, uuid: uuid)
        }
      }
      guard !news.isEmpty else { continue }
      try store.write { database, revision in
        try store.insert(news, in: database, revision: revision)
        try store.note(saves.versions, of: news.map(\.uuid), in: database, revision)
      }
    }
  }

  // MARK: Files and acts

  /// Takes over files and acts.
  private mutating func takeHistory() throws {
    let known = try store.read { Set(try StoredAct.all(in: $0).map(\.stamp)) }
    let acts = try other.read { try StoredAct.all(in: $0) }
    let new = acts.filter { $0.id > mark.act && !known.contains($0.stamp) }
    sync.imports = new.count { $0.file != nil }
    sync.deletions = new.count - sync.imports
    guard !new.isEmpty, !dryRun else { return }
    let theirs = try other.read { try StoreHistory($0) }
    var files: [Int64: Int64] = [:]
    if sync.imports > 0 {
      try store.write { database, _ in
        for file in theirs.files.values.sorted(by: { $0.id < $1.id }) {
          files[file.id] = try database.identifier(of: file, from: other)
        }
      }
    }
    let changed = Set(new.compactMap(\.file)).sorted()
    let told = changed.filter { theirs.files[$0]?.isTold ?? false }
    // What is told comes first: a sample that an undone file had, too, keeps its UUID.
    for file in told + changed.filter({ !told.contains($0) }) {
      guard let own = files[file], let stored = theirs.files[file] else { throw Corruption() }
      try take(stored, as: own, new.filter { $0.file == file }, theirs, files)
    }
    for act in new where act.file == nil { try take(act, theirs) }
  }

  /// Takes over acts of a file, with its contents if it is told then and was not.
  private func take(
    _ file: KnownFile, as own: Int64, _ acts: [StoredAct], _ theirs: StoreHistory,
    _ files: [Int64: Int64]
  ) throws {
    let (wasTold, last) = try store.read { database in
      (
        try StoreHistory(database).files[own]?.isTold ?? false,
        try (StoredAct.all(in: database).filter { $0.file == own } + acts)
          .max { $0.stamp < $1.stamp }
      )
    }
    func write(_ database: Database) throws {
      for act in acts { try database.insert(act, file: own, try act.mapped(files)) }
    }
    guard last?.kind == .importing, !wasTold, file.isTold else {
      return try store.write { database, revision in
        try write(database)
        _ = try database.replayAll(revision)
      }
    }
    let session = try store.beginImport(from: file.format)
    try other.read { database in
      let sets = try MemberSets(database, theirs)
      for series in try database.allSeries() {
        let files = try SeriesFiles(sets, database.files(of: series))
        guard let index = files.files.firstIndex(where: { $0.id == file.id }) else { continue }
        try session.add(series, of: database) { try files.presence($0)[index] }
      }
      for kind in ElementKind.allCases {
        let files = try SeriesFiles(sets, database.files(of: kind), of: kind)
        guard let index = files.files.firstIndex(where: { $0.id == file.id }) else { continue }
        try session.add(kind, of: database) { try files.presence($0)[index] }
      }
    }
    _ = try session.finish(as: .file(own), before: write)
  }

  /// Takes over a deletion or a restoration.
  private func take(_ act: StoredAct, _ theirs: StoreHistory) throws {
    let session = try store.beginImport()
    let content = try other.read { try act.mapped(from: $0, into: session) }
    let uuids: [UUID] = try other.read { database in
      let sets = try MemberSets(database, theirs)
      let reader = try UUIDReader(other, database)
      func isNamed(_ set: UInt32, isSaved: Bool) throws -> Bool {
        let members = try sets.members(set)
        return members.isSaved == isSaved && members.acts.contains(act.id)
      }
      try session.addAll(of: database) { try isNamed($0, isSaved: false) }
      return try reader.uuids(of: database.serials { try isNamed($0, isSaved: true) })
    }
    let number = try session.transaction.run { try $0.nextID(in: "acts") }
    _ = try session.finish(
      as: .name(.act(number)), before: { try $0.insert(act, id: number, content) },
      after: { try store.name(uuids, by: number, in: $0, revision: $1) })
  }

  // MARK: Registers

  /// Takes over what belongs together, attachments and settings: of each the last act holds.
  private mutating func takeRelations() throws {
    let (associations, attachments, settings) = try other.read { [mark] database in
      (
        try database.registeredAssociations(after: mark.register),
        try database.attachments(where: "number > ?", [mark.register]),
        try database.registeredSettings(after: mark.register)
      )
    }
    let mine = try store.read { try $0.registeredSettings(after: -1) }
    let news = settings.filter { key, setting in
      mine[key].map { $0.stamp < setting.stamp } ?? true
    }
    let ends =
      associations.isEmpty && attachments.isEmpty
      ? [:] : try ends(of: associations.map(\.association), attachments)
    let (store, other) = (store, other)
    func take(_ database: Database, _ revision: Revision) throws -> Int {
      var count = news.count
      try database.reference(
        Set(ends.values.filter { try !database.isReferable($0) }), revision)
      for theirs in associations {
        var association = theirs.association
        guard let owner = ends[association.owner], let member = ends[association.member] else {
          continue
        }
        (association.owner, association.member) = (owner, member)
        try database.note(theirs.stamp)
        let isNew = try database.note(
          association, isEnded: theirs.isEnded, at: theirs.stamp, revision)
        count += isNew ? 1 : 0
      }
      for attachment in attachments {
        guard let object = ends[attachment.object] else { continue }
        let known = try database.attachments(where: "uuid = ?", [attachment.uuid.data]).first
        if let known {
          guard attachment.isDetached, !known.isDetached else { continue }
          try database.detach(known.id)
        } else {
          var own = attachment
          own.object = object
          own.content = try other.read { try $0.attachmentContent(attachment.id) }
          try own.check()
          try database.insert(own)
        }
        count += 1
      }
      for (key, setting) in news {
        try database.note(setting.stamp)
        try database.set(key, to: setting.value, at: setting.stamp)
      }
      return count
    }
    guard !news.isEmpty || !associations.isEmpty || !attachments.isEmpty else { return }
    sync.relations = try store.write(dryRun: dryRun, take)
  }

  /// The own first serials of what associations and attachments mean, by those of the other store;
  /// what is not known here becomes known.
  private func ends(
    of associations: [StoredAssociation], _ attachments: [AttachmentRow]
  ) throws -> [Int64: Int64] {
    let meant = Set(associations.flatMap { [$0.owner, $0.member] } + attachments.map(\.object))
    var ends: [Int64: Int64] = [:]
    let (uuids, imported) = try other.read { database in
      let saved = try meant.filter { try database.isSaved($0) }
      let uuids = try UUIDReader(other, database).uuids(of: Array(saved))
      let imported =
        saved.count == meant.count
        ? [] : try database.referencedObjects().filter { meant.contains($0.birth) }
      return (Dictionary(zip(saved, uuids)) { first, _ in first }, imported)
    }
    try store.read { database in
      let reader = try UUIDReader(store, database)
      for (birth, uuid) in uuids { ends[birth] = try reader.birth(of: uuid) }
    }
    guard !imported.isEmpty else { return ends }
    func find() throws -> Bool {
      let own = try store.read { try $0.referencedObjects() }
      let known = Dictionary(grouping: own, by: \.name)
      for object in imported {
        ends[object.birth] = known[object.name]?.first { $0.isSame(as: object) }?.birth
      }
      return imported.allSatisfy { ends[$0.birth] != nil }
    }
    guard try !find(), !dryRun else { return ends }
    let session = try store.beginImport()
    try other.read { database in
      let sets = try MemberSets(database)
      try session.addAll(of: database) { try sets.members($0).isReferencedImport }
    }
    _ = try session.finish(as: .name(.association))
    _ = try find()
    return ends
  }
}

extension ImportSession {
  /// Adds rows of another store whose sets are chosen, as they were recorded.
  fileprivate func add(
    _ series: StoredSeries, of database: Database, where isWanted: (UInt32) throws -> Bool
  ) throws {
    keepsOrdinals = true
    var builder = RecordColumns.Builder(type: series.type, source: series.source)
    func flush() throws {
      guard builder.count > 0 else { return }
      try add(builder.rows.unnumbered)
      builder = RecordColumns.Builder(type: series.type, source: series.source)
    }
    try database.forEachRow(of: series, where: isWanted) { cursor, row in
      try builder.append(row..<row + 1, of: cursor)
      if builder.count == RowBlock.capacity { try flush() }
    }
    try flush()
  }

  /// Adds elements of another store whose sets are chosen.
  fileprivate func add(
    _ kind: ElementKind, of database: Database, where isWanted: (UInt32) throws -> Bool
  ) throws {
    for element in try database.storedElements(of: kind) where try isWanted(element.set) {
      try add(kind, element.key, element.content(database))
    }
  }

  /// Adds rows and elements of another store whose sets are chosen.
  fileprivate func addAll(
    of database: Database, where isWanted: (UInt32) throws -> Bool
  ) throws {
    for series in try database.allSeries() {
      try add(series, of: database, where: isWanted)
    }
    for kind in ElementKind.allCases { try add(kind, of: database, where: isWanted) }
  }
}

extension StoredAct {
  /// The content of an import, which names files.
  fileprivate func mapped(_ files: [Int64: Int64]) throws -> [UInt8] {
    guard kind == .importing else { return content }
    var reader = try ByteReader(sealed: content)
    var writer = ByteWriter()
    let count = try reader.count()
    writer.append(variable: UInt64(count))
    for _ in 0..<count {
      guard let own = files[Int64(bitPattern: try reader.variable())] else { throw Corruption() }
      writer.append(variable: UInt64(bitPattern: own))
    }
    writer.seal()
    return writer.bytes
  }

  /// The content of a deletion or a restoration, which names types and sources.
  fileprivate func mapped(from other: Database, into session: ImportSession) throws -> [UInt8] {
    let names = try SeriesNames(other)
    return try session.transaction.run { database in
      var terms = try self.terms
      for index in terms.periods.indices {
        let period = terms.periods[index]
        let (type, source) = try names[SeriesNumbers(type: period.type, source: period.source)]
        terms.periods[index].type = try database.identifier(of: type)
        terms.periods[index].source = try database.identifier(of: source)
      }
      var writer = ByteWriter()
      writer.append(terms)
      writer.seal()
      return writer.bytes
    }
  }
}

extension SampleStore {
  /// Names saved samples and elements by an act, and hides or shows them as it wants.
  fileprivate func name(
    _ uuids: [UUID], by act: Int64, in database: Database, revision: Revision
  ) throws {
    let reader = try UUIDReader(self, database)
    let births = Set(try uuids.compactMap { try reader.birth(of: $0) })
    try database.changeSets(of: births, revision) { sets, _, set in
      try sets.number(of: set, named: .act(act))
    }
  }
}

extension Database {
  /// Visits the rows of a series whose sets are chosen, also those that do not count.
  ///
  /// - Complexity: O(rows of the chunks that have chosen sets + chunks)
  fileprivate func forEachRow(
    of series: StoredSeries, in range: ClosedRange<Double>? = nil,
    where isWanted: (UInt32) throws -> Bool, _ body: (RowCursor, Int) throws -> Void
  ) throws {
    var units = RecordedUnits(of: series.type)
    let hidden = try chunks(.hidden, of: series.type, series.source)
    for (chunk, isHidden) in series.chunks.map({ ($0, false) }) + hidden.map({ ($0, true) }) {
      if let range, chunk.lastStart < range.lowerBound || range.upperBound < chunk.firstStart {
        continue
      }
      let cursor = try cursor(
        of: chunk.id, hasMemberSets: true, isHidden: isHidden, units: &units)
      let wanted = try cursor.originTable.map { try isWanted($0.memberSet) }
      guard wanted.contains(true) else { continue }
      try cursor.forEachRow { row in
        if wanted[Int(cursor.block.origins[row])] { try body(cursor, row) }
      }
    }
  }

  /// The serials of the rows and elements whose sets are chosen, also of those that do not count.
  fileprivate func serials(where isWanted: (UInt32) throws -> Bool) throws -> [Int64] {
    var serials: [Int64] = []
    for series in try allSeries() {
      try forEachRow(of: series, where: isWanted) { serials.append($0.serial($1)) }
    }
    for kind in ElementKind.allCases {
      serials += try storedElements(of: kind).filter { try isWanted($0.set) }.map(\.serial)
    }
    return serials
  }

  /// How many samples and elements count, and how many deletions there were.
  fileprivate func tally() throws -> (count: Int, deletions: Int) {
    let tally: (Int, Int) = try values(
      """
      SELECT (SELECT ifnull(sum(count), 0) FROM series)
        + (SELECT count(*) FROM elements INDEXED BY elementsInTime), lastDeletion FROM identity
      """)
    return tally
  }

  /// The number of a file of another store, which is recorded if it is not known.
  fileprivate func identifier(of file: KnownFile, from other: SampleStore) throws -> Int64 {
    let known = try Int64.fetchOne(
      self, sql: "SELECT id FROM files WHERE identity = ?", arguments: [file.identity])
    if let known { return known }
    let row = try other.read { database in
      try Row.fetchOne(
        database, sql: "SELECT lastEnd, name, importedAt, read, new FROM files WHERE id = ?",
        arguments: [file.id])
    }
    guard let row else { throw Corruption() }
    return try insert(
      into: "files",
      "id, identity, format, exportedAt, lacks, lastEnd, name, importedAt, read, new",
      [
        try nextID(in: "files"), file.identity, file.format.rawValue, file.exportedAt,
        file.lacks.storedText,
      ]
        + StatementArguments((0..<5).map { row[$0] as DatabaseValue }))
  }

  /// Writes an act of another store.
  fileprivate func insert(
    _ act: StoredAct, id: Int64? = nil, file: Int64? = nil, _ content: [UInt8]
  ) throws {
    try note(act.stamp)
    try insert(act.kind, id, at: act.stamp, file: file, content)
  }

  /// What was saved after a serial, also what was deleted since.
  fileprivate func savedSince(_ serial: Int64) throws -> [SavedObject] {
    try Row.fetchAll(
      self,
      sql: """
        SELECT serial, uuid, kind, type, source, start
        FROM identities INDEXED BY identitiesBySerial WHERE serial > ? ORDER BY serial
        """, arguments: [serial]
    ).map { row in
      typealias Values = (Int64, Data, String, Int64?, Int64, Double)
      let (birth, uuid, kind, type, source, start): Values = try row.values()
      return SavedObject(
        birth: birth, uuid: try UUID(data: uuid), kind: kind,
        series: type.map { SeriesNumbers(type: $0, source: source) }, start: start)
    }
  }
}

/// A row or an element of a file that an association or an attachment means.
private struct ReferencedObject {
  /// What identifies it but its value.
  struct Name: Hashable {
    /// The identifier of the type of a sample, or the letter of the kind of an element.
    var type: String
    var name = ""
    var source: Source?
    var start: Double
    var end: Double
    var ordinal: UInt32 = 0
  }

  let name: Name
  /// `nil` for an element.
  let row: (canonical: Double, agreement: ValueAgreement)?
  let birth: Int64

  /// Whether both are one sample: roundings may have come between their values.
  func isSame(as other: Self) -> Bool {
    guard let row, let other = other.row else { return true }
    return row.agreement(row.canonical, other.canonical, roundings: 10)
  }
}

extension Provenance {
  fileprivate var isReferencedImport: Bool { flags.contains(.pinned) && !isSaved }
}

/// A saved object, and where it is.
private struct SavedObject {
  let birth: Int64
  let uuid: UUID
  /// The kind of an element; empty for a sample.
  let kind: String
  /// Of a sample; `nil` for an element.
  let series: SeriesNumbers?
  let start: Double
}

/// A version of a saved object.
private struct NamedVersion {
  let key: Data
  let number: Double
  let stamp: Stamp
}

/// What reads the saved objects of a store that another one does not know.
private struct UnknownSaves {
  let names: SeriesNames
  let sets: MemberSets
  let versions: [UUID: NamedVersion]
  private let births: Births
  private let uuids: [Int64: UUID]

  init(_ objects: [SavedObject], in database: Database) throws {
    names = try SeriesNames(database)
    sets = try MemberSets(database)
    versions = try database.versions(of: objects)
    births = try Births(database)
    uuids = Dictionary(objects.map { ($0.birth, $0.uuid) }) { first, _ in first }
  }

  /// The UUID of one of the objects, by a serial that it has or had.
  func uuid(of serial: Int64) -> UUID? { uuids[births.birth(of: serial)] }
}

extension SampleStore {
  /// Records the versions of objects of another store.
  fileprivate func note(
    _ versions: [UUID: NamedVersion], of uuids: [UUID], in database: Database, _ revision: Revision
  ) throws {
    guard !versions.isEmpty else { return }
    let reader = try UUIDReader(self, database)
    for uuid in uuids {
      guard let version = versions[uuid], let birth = try reader.birth(of: uuid) else { continue }
      try database.note(version.stamp)
      try database.noteVersion(version.key, birth, version.number, at: version.stamp, revision)
    }
  }
}

extension Database {
  /// The versions of named objects by UUID.
  fileprivate func versions(of objects: [SavedObject]) throws -> [UUID: NamedVersion] {
    var versions: [UUID: NamedVersion] = [:]
    if try isEmpty("versions") { return versions }
    let statement = try cachedStatement(
      sql: """
        SELECT key, version, clock, counter, store FROM versions
        WHERE key = (SELECT key FROM versions INDEXED BY versionsByBirth WHERE birth = ?1)
          AND birth = ?1
        """)
    for object in objects {
      guard let row = try Row.fetchOne(statement, arguments: [object.birth]) else { continue }
      let (key, number): (Data, Double) = try row.values()
      guard key.count == SyncedObjects.keyLength else { throw Corruption() }
      versions[object.uuid] = NamedVersion(
        key: key, number: number, stamp: try Stamp(row, from: 2))
    }
    return versions
  }

  /// The associations of which acts became known after a number, also ended ones.
  fileprivate func registeredAssociations(
    after number: Int64
  ) throws -> [(association: StoredAssociation, isEnded: Bool, stamp: Stamp)] {
    try Row.fetchAll(
      self,
      sql: """
        SELECT owner, member, kind, part, isEnded, clock, counter, store FROM associations
        WHERE number > ?
        """, arguments: [number]
    ).map { row in
      let (owner, member, kind, part, isEnded): (Int64, Int64, String, String, Bool) =
        try row.values()
      guard let kind = Association.Kind(rawValue: kind) else { throw Corruption() }
      let association = StoredAssociation(owner: owner, member: member, kind: kind, part: part)
      return (association, isEnded, try Stamp(row, from: 5))
    }
  }

  /// The rows and elements of files that associations and attachments mean.
  fileprivate func referencedObjects() throws -> [ReferencedObject] {
    let sets = try MemberSets(self)
    guard try sets.haveReferences() else { return [] }
    let births = try Births(self)
    var objects: [ReferencedObject] = []
    for series in try allSeries() {
      func isReferenced(_ set: UInt32) throws -> Bool { try sets.members(set).isReferencedImport }
      let agreement = ValueAgreement(of: series.type)
      try forEachRow(of: series, where: isReferenced) { cursor, row in
        let key = cursor.key(row)
        objects.append(
          ReferencedObject(
            name: .init(
              type: series.type.identifier, source: series.source, start: key.start, end: key.end,
              ordinal: key.ordinal),
            row: (key.canonical, agreement), birth: births.birth(of: cursor.serial(row))))
      }
    }
    for kind in ElementKind.allCases {
      for element in try storedElements(of: kind)
      where try sets.members(element.set).isReferencedImport {
        let key = element.key
        objects.append(
          ReferencedObject(
            name: .init(
              type: kind.storedText, name: key.name, source: key.source, start: key.start,
              end: key.end),
            row: nil, birth: births.birth(of: element.serial)))
      }
    }
    return objects
  }

  /// Settings that travel of which acts became known after a number, also those that are no longer
  /// set.
  fileprivate func registeredSettings(
    after number: Int64
  ) throws -> [String: (value: String?, stamp: Stamp)] {
    var settings: [String: (value: String?, stamp: Stamp)] = [:]
    for row in try Row.fetchAll(
      self, sql: "SELECT key, value, clock, counter, store FROM settings WHERE number > ?",
      arguments: [number])
    {
      let (key, value): (String, String?) = try row.values()
      guard let kind = SettingKind.allCases.first(where: { key.hasPrefix($0.rawValue) }),
        kind.travels
      else { continue }
      if kind == .sources, let value { _ = try SettingKind.names(of: value) }
      if kind == .file, let value { _ = try SettingKind.facts(of: value) }
      settings[key] = (value, try Stamp(row, from: 2))
    }
    return settings
  }
}

extension RecordColumns {
  /// The rows as they were recorded, without serials and sets of members.
  fileprivate var unnumbered: Self {
    var columns = self
    columns.serials = []
    for origin in columns.originTable.indices {
      columns.originTable[origin].memberSet = MemberSets.ofChunk
    }
    return columns
  }
}
