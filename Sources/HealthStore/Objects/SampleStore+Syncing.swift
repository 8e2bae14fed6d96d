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
        /// Takes over what is new there; everything, where `mark` is `nil`.
        func pull(after mark: SyncMark?) throws -> StoreSync {
          try Taking(other: other, store: self, mark: mark ?? SyncMark(), dryRun: dryRun).run()
        }
        guard !dryRun else { return try pull(after: try known()) }
        return try writeJointly {
          // Another process may have taken it over meanwhile.
          let mark = try known()
          guard mark != now else { return StoreSync() }
          let sync = try pull(after: mark)
          if mark != nil { try write { database, _ in try now.write(of: peer, to: database) } }
          return sync
        }
      }
    }
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

/// Up to where a store knows another one; nothing of one that is not known.
private struct SyncMark: Equatable {
  /// The last serial: what was saved later is new.
  var serial: Int64 = 0
  var deletion: Int64 = 0
  /// The last association, attachment or setting.
  var register: Int64 = 0
  var act: Int64 = 0
}

extension SyncMark {
  /// The present state of a store.
  fileprivate init(_ database: Database) throws {
    (serial, deletion, register, act) = try database.values(
      """
      SELECT lastSerial, lastDeletion, lastRegister, (SELECT ifnull(max(id), 0) FROM acts)
      FROM identity
      """)
  }

  /// The state in which another store is known.
  fileprivate init(of store: UInt64, in database: Database) throws {
    (serial, deletion, register, act) = try database.values(
      """
      SELECT ifnull(max(serial), 0), ifnull(max(deletion), 0), ifnull(max(register), 0),
        ifnull(max(act), 0) FROM peers WHERE store = ?
      """, [Int64(bitPattern: store)])
  }

  fileprivate func write(of store: UInt64, to database: Database) throws {
    try database.insert(
      into: "peers", "store, serial, deletion, register, act",
      [Int64(bitPattern: store), serial, deletion, register, act], or: "OR REPLACE")
  }
}

/// Takes over what is new in another store.
private struct Taking {
  let other: SampleStore
  let store: SampleStore
  /// The state of the other store of which all is known.
  let mark: SyncMark
  let dryRun: Bool

  func run() throws -> StoreSync {
    var sync = StoreSync()
    let before = try store.read { try $0.tally() }
    sync.saved = try pullSaved()
    (sync.imports, sync.deletions) = try pullHistory()
    sync.relations = try pullRegisters()
    let after = try store.read { try $0.tally() }
    sync.deleted = after.deletions - before.deletions
    sync.added = after.count - before.count + sync.deleted
    return sync
  }

  // MARK: Saved objects

  /// Saves what was saved there, also what is deleted; returns how many objects.
  private func pullSaved() throws -> Int {
    let saved = try other.read { try $0.savedSince(mark.serial) }
    let unknown = try store.read { database in
      let reader = try UUIDReader(store, database)
      return try zip(saved, reader.serials(of: saved.map(\.uuid))).filter { $1 == nil }.map(\.0)
    }
    guard !dryRun, !unknown.isEmpty else { return unknown.count }
    let births = try other.read { try Births($0) }
    let uuids = Dictionary(unknown.map { ($0.place.serial, $0.uuid) }) { first, _ in first }
    /// The UUID of an object, by a serial that it has or had.
    func uuid(of serial: Int64) -> UUID? { uuids[births.birth(of: serial)] }
    for (series, objects) in Dictionary(grouping: unknown, by: \.place.subject.series) {
      let (rows, elements, versions) = try other.read { database in
        (
          try series.map { try database.savedRows(of: $0, objects.map(\.place.start), uuid) },
          try series == nil ? database.savedElements(objects, uuid) : [],
          try database.isEmpty("versions") ? [] : objects.compactMap(database.version(of:))
        )
      }
      try store.write { database, revision in
        if let rows {
          try store.insert([rows], refusesKnown: false, in: database, revision: revision)
        }
        try store.insert(elements, in: database, revision: revision)
        let reader = try UUIDReader(store, database)
        for version in versions {
          guard let birth = try reader.birth(of: version.uuid) else { continue }
          try database.record(version.stamp)
          try database.recordVersion(
            version.key, birth, version.number, at: version.stamp, revision)
        }
      }
    }
    return unknown.count
  }

  // MARK: Files and acts

  /// Takes over files and acts; returns how many acts of files, and how many others.
  private func pullHistory() throws -> (imports: Int, deletions: Int) {
    let known = try store.read { Set(try StoredAct.all(in: $0).map(\.stamp)) }
    let acts = try other.read { try StoredAct.all(in: $0) }
    let new = acts.filter { $0.id > mark.act && !known.contains($0.stamp) }
    let imports = new.count { $0.file != nil }
    let counts = (imports, new.count - imports)
    guard !new.isEmpty, !dryRun else { return counts }
    let theirs = try other.read { try StoreHistory($0) }
    var files: [Int64: Int64] = [:]
    if imports > 0 {
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
      try pull(stored, as: own, new.filter { $0.file == file }, theirs, files)
    }
    for act in new where act.file == nil { try pull(act, theirs) }
    return counts
  }

  /// Takes over acts of a file, with its contents if it is told then and was not.
  private func pull(
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
      let sets = try Provenances(database, theirs)
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
  private func pull(_ act: StoredAct, _ theirs: StoreHistory) throws {
    let session = try store.beginImport()
    let content = try other.read { try act.mapped(from: $0, into: session) }
    let uuids: [UUID] = try other.read { database in
      let sets = try Provenances(database, theirs)
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
      after: { database, revision in
        // Hides or shows the saved objects as the act wants.
        let reader = try UUIDReader(store, database)
        let births = Set(try uuids.compactMap { try reader.birth(of: $0) })
        try database.changeSets(of: births, revision) { sets, _, set in
          try sets.number(of: set, named: .act(number))
        }
      })
  }

  // MARK: Registers

  /// Takes over what belongs together, attachments and settings; returns how many changed.
  private func pullRegisters() throws -> Int {
    let (associations, attachments, all) = try other.read { database in
      (
        try database.associations(after: mark.register),
        try database.attachments(where: "number > ?", [mark.register]),
        try database.settings(after: mark.register)
      )
    }
    let settings = try store.read { database in
      try all.filter { try database.isNews($0.stamp, of: $0.key) }
    }
    let meant =
      associations.flatMap { [$0.association.owner, $0.association.member] }
      + attachments.map(\.object)
    guard !meant.isEmpty || !settings.isEmpty else { return 0 }
    let ends = try ends(Set(meant))
    return try store.write(dryRun: dryRun) { database, revision in
      var count = 0
      try database.reference(
        Set(ends.values.filter { try !database.isReferable($0) }), revision)
      for theirs in associations {
        var association = theirs.association
        guard let owner = ends[association.owner], let member = ends[association.member] else {
          continue
        }
        (association.owner, association.member) = (owner, member)
        try database.record(theirs.stamp)
        let isNew = try database.record(
          association, isEnded: theirs.isEnded, at: theirs.stamp, revision)
        count += isNew ? 1 : 0
      }
      for attachment in attachments {
        guard let object = ends[attachment.object] else { continue }
        let isNew = try database.pull(attachment, of: object) {
          try other.read { try $0.attachmentContent(attachment.id) }
        }
        count += isNew ? 1 : 0
      }
      for (key, value, stamp) in settings {
        try database.record(stamp)
        try database.set(key, to: value, at: stamp)
      }
      return count + settings.count
    }
  }

  /// The own first serials of what associations and attachments mean, by those of the other store;
  /// what is not known here becomes known.
  private func ends(_ meant: Set<Int64>) throws -> [Int64: Int64] {
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
      let known = Dictionary(grouping: own, by: \.key)
      for object in imported {
        ends[object.birth] = known[object.key]?.first { $0.isSame(as: object) }?.birth
      }
      return imported.allSatisfy { ends[$0.birth] != nil }
    }
    guard try !find(), !dryRun else { return ends }
    let session = try store.beginImport()
    try other.read { database in
      let sets = try Provenances(database)
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
  fileprivate func addAll(of database: Database, where isWanted: (UInt32) throws -> Bool) throws {
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
    var reader = try ByteReader(checked: content)
    var writer = ByteWriter()
    let count = try reader.count()
    writer.append(variable: UInt64(count))
    for _ in 0..<count {
      guard let own = files[Int64(bitPattern: try reader.variable())] else { throw Corruption() }
      writer.append(variable: UInt64(bitPattern: own))
    }
    writer.appendChecksum()
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
      writer.appendChecksum()
      return writer.bytes
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
    let columns = "identity, format, exportedAt, lacks, lastEnd, name, importedAt, read, new"
    let row = try other.read { database in
      try Row.fetchOne(
        database, sql: "SELECT \(columns) FROM files WHERE id = ?", arguments: [file.id])
    }
    guard let row else { throw Corruption() }
    return try insert(
      into: "files", "id, \(columns)",
      [try nextID(in: "files")] + StatementArguments(row.databaseValues))
  }

  /// Writes an act of another store.
  fileprivate func insert(
    _ act: StoredAct, id: Int64? = nil, file: Int64? = nil, _ content: [UInt8]
  ) throws {
    try record(act.stamp)
    try insert(act.kind, id, at: act.stamp, file: file, content)
  }

  /// What was saved after a serial, also what was deleted since, with its first serial.
  fileprivate func savedSince(_ serial: Int64) throws -> [SavedObject] {
    try Row.fetchAll(
      self,
      sql: """
        SELECT \(SavedPlace.columns), uuid FROM identities INDEXED BY identitiesBySerial
        WHERE serial > ? ORDER BY serial
        """, arguments: [serial]
    ).map { SavedObject(uuid: try UUID(data: $0.decode(atIndex: 6)), place: try SavedPlace($0)) }
  }

  /// The saved rows of a series, with starts among some, that have a UUID.
  fileprivate func savedRows(
    of series: SeriesNumbers, _ starts: [Double], _ uuid: (Int64) -> UUID?
  ) throws -> NewRows {
    let (type, source) = try SeriesNames(self)[series]
    let sets = try Provenances(self)
    var builder = RecordColumns.Builder(type: type, source: source)
    var uuids: [UUID] = []
    let range = (starts.min() ?? 0)...(starts.max() ?? 0)
    try forEachRow(of: self.series(of: type, source), in: range) {
      try sets.members($0).isSaved
    } _: { cursor, row in
      guard let uuid = uuid(cursor.serial(row)) else { return }
      try builder.append(row..<row + 1, of: cursor)
      uuids.append(uuid)
    }
    return NewRows(builder.rows.unnumbered, identities: uuids, places: Array(uuids.indices))
  }

  /// The elements of the kinds of some saved ones that have a UUID.
  fileprivate func savedElements(
    _ objects: [SavedObject], _ uuid: (Int64) -> UUID?
  ) throws -> [NewElement] {
    try Set(objects.map(\.place.subject.kind)).flatMap { letter in
      guard let kind = ElementKind(storedText: letter) else { throw Corruption() }
      return try storedElements(of: kind).compactMap { element -> NewElement? in
        guard let uuid = uuid(element.serial),
          let batch = try ImportBatch(kind, content: element.content(self), for: .owner)
        else { return nil }
        return NewElement(batch, uuid: uuid)
      }
    }
  }

  /// The version of a saved object; `nil` for one without.
  fileprivate func version(
    of object: SavedObject
  ) throws -> (uuid: UUID, key: Data, number: Double, stamp: Stamp)? {
    guard let key = try versionKey(of: object.place.serial) else { return nil }
    let row = try Row.fetchOne(
      cachedStatement(
        sql: "SELECT version, clock, counter, store FROM versions WHERE key = ? AND birth = ?"),
      arguments: [key, object.place.serial])
    guard let row else { throw Corruption() }
    return (object.uuid, key, try row.decode(atIndex: 0), try Stamp(row, from: 1))
  }

  /// The associations of which acts became known after a number, also ended ones.
  fileprivate func associations(
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
    let sets = try Provenances(self)
    guard try sets.haveReferences() else { return [] }
    func isReferenced(_ set: UInt32) throws -> Bool { try sets.members(set).isReferencedImport }
    let births = try Births(self)
    var objects: [ReferencedObject] = []
    for series in try allSeries() {
      let agreement = ValueAgreement(of: series.type)
      try forEachRow(of: series, where: isReferenced) { cursor, row in
        let key = cursor.key(row)
        objects.append(
          ReferencedObject(
            key: ElementKey(
              name: "\(series.type.identifier) \(key.ordinal)", source: series.source,
              start: key.start, end: key.end),
            birth: births.birth(of: cursor.serial(row)), canonical: key.canonical,
            agreement: agreement))
      }
    }
    for kind in ElementKind.allCases {
      for element in try storedElements(of: kind) where try isReferenced(element.set) {
        var key = element.key
        key.name = "\(kind.storedText) \(key.name)"
        objects.append(ReferencedObject(key: key, birth: births.birth(of: element.serial)))
      }
    }
    return objects
  }

  /// Settings that travel of which acts became known after a number, also those that are no longer
  /// set.
  fileprivate func settings(
    after number: Int64
  ) throws -> [(key: String, value: String?, stamp: Stamp)] {
    try Row.fetchAll(
      self, sql: "SELECT key, value, clock, counter, store FROM settings WHERE number > ?",
      arguments: [number]
    ).compactMap { row in
      let (key, value): (String, String?) = try row.values()
      guard let kind = SettingKind.allCases.first(where: { key.hasPrefix($0.rawValue) }),
        kind.travels
      else { return nil }
      if kind == .sources, let value { _ = try SettingKind.names(of: value) }
      if kind == .file, let value { _ = try SettingKind.facts(of: value) }
      return (key, value, try Stamp(row, from: 2))
    }
  }
}

/// A saved object, and where it is, with its first serial.
private struct SavedObject {
  let uuid: UUID
  let place: SavedPlace
}

/// A row or an element of a file that an association or an attachment means.
private struct ReferencedObject {
  /// The key of an element, with its kind in the name, or what a row has but for its value, with the
  /// type and the place among equal rows.
  let key: ElementKey
  let birth: Int64
  /// Of a row.
  var canonical = 0.0
  var agreement: ValueAgreement?

  /// Whether objects of one key are one: roundings may have come between values.
  func isSame(as other: Self) -> Bool {
    agreement?(canonical, other.canonical, roundings: 10) ?? true
  }
}

extension Provenance {
  fileprivate var isReferencedImport: Bool { flags.contains(.pinned) && !isSaved }
}

extension RecordColumns {
  /// The rows as they were recorded, without serials and sets of members.
  fileprivate var unnumbered: Self {
    var columns = self
    columns.serials = []
    for origin in columns.originTable.indices {
      columns.originTable[origin].memberSet = Provenances.ofChunk
    }
    return columns
  }
}
