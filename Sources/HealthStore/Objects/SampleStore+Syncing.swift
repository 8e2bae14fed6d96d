import Foundation
import GRDB
import HealthSamples

/// What a store took over from another.
public struct StoreSync: Sendable, Hashable {
  /// Samples and elements that it did not have.
  public internal(set) var added = 0
  /// Samples that the other store had deleted.
  public internal(set) var deleted = 0
}

extension SampleStore {
  /// Makes two stores equal: both then have the samples, elements and deletions of either.
  ///
  /// Both then know the same files and the same acts, and the last act decides. Any number of stores
  /// become equal in any order of syncs.
  /// Serials, anchors, the UUIDs of imported samples, permissions, the commands that start apps and
  /// keys stay each store's own.
  ///
  /// An interrupted sync leaves both stores whole; the next one goes on.
  ///
  /// - Parameter other: another store, opened for writing
  /// - Returns: what each store took over
  /// - Throws: ``StoreError``
  /// - Complexity: O(*n* · *e*) for *n* samples and *e* exports that one of the stores lacks
  public func synchronise(
    with other: SampleStore
  ) throws(StoreError) -> (received: StoreSync, sent: StoreSync) {
    let received = try absorb(other)
    return (received, try other.absorb(self))
  }

  /// Takes over what another store has.
  ///
  /// What is taken over are files and acts: what the store holds follows from them.
  ///
  /// - Parameter other: another store, which is only read
  /// - Returns: what changed
  /// - Throws: ``StoreError``
  public func absorb(_ other: SampleStore) throws(StoreError) -> StoreSync {
    try checkOwner()
    try other.checkOwner()
    do {
      return try other.snapshot {
        var sync = StoreSync()
        try sync.takeSaved(from: other, into: self)
        try sync.takeSavedElements(from: other, into: self)
        try sync.takeHistory(from: other, into: self)
        try sync.takeDeletedElements(from: other, into: self)
        try sync.takeRelations(from: other, into: self)
        return sync
      }
    } catch {
      throw StoreError(error, path: path)
    }
  }
}

extension StoreSync {
  /// Saves the samples that the other store saved, also those that are deleted.
  fileprivate mutating func takeSaved(from other: SampleStore, into store: SampleStore) throws {
    let versions = try other.read { try $0.versions(in: other) }
    for series in try other.read({ try $0.allSeries() }) {
      let samples: [NewSample] = try other.read { database in
        let uuids = try UUIDReader(other, database)
        let sets = try MemberSets(StoreHistory(database), database)
        var samples: [NewSample] = []
        try database.forEachRow(of: series) { cursor, row in
          guard try sets.members(cursor.memberSet(row)).isSaved else { return }
          let uuid = try uuids.uuid(of: cursor.serial(row))
          let isKnown = try store.read { try UUIDReader(store, $0).serial(of: uuid) != nil }
          if isKnown { return }
          samples.append(
            NewSample(try cursor.recorded([row], series.type, series.source), uuid: uuid))
        }
        return samples
      }
      guard !samples.isEmpty else { continue }
      try store.write { database, revision in
        try store.insert(samples, refusesKnown: false, in: database, revision: revision)
        try store.note(versions, of: samples.compactMap(\.uuid), in: database, revision)
      }
      added += samples.count
    }
  }

  fileprivate mutating func takeSavedElements(
    from other: SampleStore, into store: SampleStore
  ) throws {
    let versions = try other.read { try $0.versions(in: other) }
    for kind in ElementKind.allCases {
      var news: [NewElement] = []
      let saved = try other.read { try $0.savedElements(of: kind) }
      for (serial, content) in saved {
        guard let uuid = try other.uuids(of: [serial]).first,
          try store.serials(of: [uuid]).isEmpty,
          let element = try ExportBatch(kind, content: content, for: .owner)
        else { continue }
        news.append(NewElement(element, uuid: uuid))
      }
      guard !news.isEmpty else { continue }
      try store.write { database, revision in
        try store.insert(news, in: database, revision: revision)
        try store.note(versions, of: news.map(\.uuid), in: database, revision)
      }
      added += news.count
    }
  }

  /// Takes over what belongs together, attachments and settings: of each the last act holds.
  fileprivate func takeRelations(from other: SampleStore, into store: SampleStore) throws {
    let (associations, attachments) = try other.read { database in
      (try database.registeredAssociations(), try database.attachments())
    }
    if !associations.isEmpty || !attachments.isEmpty {
      let ends = try takeReferences(from: other, into: store)
      try store.write { database, revision in
        let known = Set(try database.relatedObjects())
        try database.reference(
          Set(ends.values.filter { try !known.contains($0) && !database.isSaved($0) }), revision)
        for (association, isEnded, stamp) in associations {
          guard let owner = ends[association.owner], let member = ends[association.member] else {
            continue
          }
          let own = StoredAssociation(
            owner: owner, member: member, kind: association.kind, part: association.part)
          try database.note(stamp)
          _ = try database.note(own, isEnded: isEnded, at: stamp, revision)
        }
        for attachment in attachments {
          guard let object = ends[attachment.object] else { continue }
          let known = try database.attachments(where: "uuid = ?", [attachment.uuid.data]).first
          if let known {
            if attachment.isDetached, !known.isDetached { try database.detach(known.id) }
            continue
          }
          var own = attachment
          own.object = object
          own.content = try other.read { try $0.attachmentContent(attachment.id) }
          try database.insert(own)
        }
      }
    }
    let settings = try other.read { try $0.allSettings() }
    let mine = try store.read { try $0.allSettings() }
    let news = settings.filter { mine[$0.key].map { $0.stamp } ?? .first < $0.value.stamp }
    guard !news.isEmpty else { return }
    try store.write { database, _ in
      for (key, setting) in news {
        try database.note(setting.stamp)
        try database.set(key, to: setting.value, at: setting.stamp)
      }
    }
  }

  /// Makes known what associations and attachments of another store mean.
  ///
  /// - Returns: own first serials by those of the other store
  private func takeReferences(
    from other: SampleStore, into store: SampleStore
  ) throws -> [Int64: Int64] {
    let meant = try other.read { try $0.referencedObjects() }
    func ends() throws -> [Int64: Int64] {
      let own = try store.read { try $0.referencedObjects() }
      let known = Dictionary(grouping: own, by: \.name)
      var ends: [Int64: Int64] = [:]
      for object in meant {
        ends[object.birth] = known[object.name]?.first { $0.agrees(with: object) }?.birth
      }
      return ends
    }
    var all = try ends()
    if all.count < meant.count {
      let session = try store.beginImport()
      try other.read { database in
        let sets = try MemberSets(StoreHistory(database), database)
        for series in try database.allSeries() {
          try session.add(series, of: database) { cursor, row in
            try sets.members(cursor.memberSet(row)).isReferencedImport
          }
        }
        for kind in ElementKind.allCases {
          for element in try database.storedElements(of: kind)
          where try sets.members(element.set).isReferencedImport {
            try session.add(kind, element.key, element.content(database))
          }
        }
      }
      _ = try session.finish(as: .name(.association)) { _ in }
      all = try ends()
    }
    let saved = try other.read { database in
      let uuids = try UUIDReader(other, database)
      let rest = try database.relatedObjects().filter { all[$0] == nil }
      return Array(zip(rest, try uuids.uuids(of: rest)))
    }
    try store.read { database in
      let reader = try UUIDReader(store, database)
      for (birth, uuid) in saved { all[birth] = try reader.birth(of: uuid) }
    }
    return all
  }

  /// Takes over files and acts.
  ///
  /// A file and its acts are one transaction, and so is each deletion and restoration.
  fileprivate mutating func takeHistory(from other: SampleStore, into store: SampleStore) throws {
    let (theirs, acts) = try other.read { (try StoreHistory($0), try StoredAct.all(in: $0)) }
    let known = try store.read { Set(try StoredAct.all(in: $0).map(\.stamp)) }
    let new = acts.filter { !known.contains($0.stamp) }
    guard !new.isEmpty else { return }
    var files: [Int64: Int64] = [:]
    try store.write { database, _ in
      for file in theirs.files.values.sorted(by: { $0.id < $1.id }) {
        files[file.id] = try database.identifier(of: file, from: other)
      }
    }
    func mapped(_ file: Int64) throws -> Int64 {
      guard let own = files[file] else { throw Corruption() }
      return own
    }
    for (file, acts) in Dictionary(grouping: new.filter { $0.file != nil }, by: \.file) {
      guard let file, let stored = theirs.files[file] else { throw Corruption() }
      let own = try mapped(file)
      let wasTold = try store.read { try StoreHistory($0).files[own]?.isTold ?? false }
      func write(_ database: Database) throws {
        for act in acts { try database.insert(act, file: own, try act.mapped(mapped)) }
      }
      let last = try store.read { database in
        try (StoredAct.all(in: database).filter { $0.file == own } + acts)
          .max { $0.stamp < $1.stamp }
      }
      guard last?.kind == .importing, !wasTold, stored.isTold else {
        try store.write { database, revision in
          try write(database)
          let change = try database.replayAll(revision)
          deleted += change.deletedSamples + change.deletedElements
        }
        continue
      }
      let session = try store.beginImport(from: stored.format)
      try other.read { database in
        let sets = try MemberSets(theirs, database)
        for series in try database.allSeries() {
          let files = try SeriesFiles(sets, database.files(of: series))
          guard let index = files.files.firstIndex(where: { $0.id == file }) else { continue }
          try session.add(series, of: database) { cursor, row in
            try files.presence(cursor.memberSet(row))[index]
          }
        }
      }
      try other.read { try session.addElements(of: file, StoreHistory($0), $0) }
      let report = try session.finish(as: .file(own), write)
      added += report.new
      deleted += report.types.values.reduce(0) { $0 + $1.superseded }
    }
    for act in new where act.file == nil {
      let session = try store.beginImport()
      let content = try other.read { try act.mapped(from: $0, into: session) }
      try other.read { database in
        let sets = try MemberSets(theirs, database)
        for series in try database.allSeries() {
          try session.add(series, of: database) { cursor, row in
            let members = try sets.members(cursor.memberSet(row))
            return !members.isSaved && members.acts.contains(act.id)
          }
        }
        try session.addElements(namedBy: act.id, sets, database)
      }
      let number = try session.transaction.run { try $0.nextID(in: "acts") }
      let before = try store.read { try $0.sampleCount() }
      _ = try session.finish(as: .name(.act(number))) {
        try $0.insert(act, id: number, content)
      }
      let uuids: [UUID] = try other.read { database in
        let sets = try MemberSets(theirs, database)
        let reader = try UUIDReader(other, database)
        var uuids: [UUID] = []
        for series in try database.allSeries() {
          try database.forEachRow(of: series) { cursor, row in
            let members = try sets.members(cursor.memberSet(row))
            if members.isSaved, members.acts.contains(act.id) {
              uuids.append(try reader.uuid(of: cursor.serial(row)))
            }
          }
        }
        for kind in ElementKind.allCases {
          for element in try database.storedElements(of: kind) {
            let members = try sets.members(element.set)
            if members.isSaved, members.acts.contains(act.id) {
              uuids.append(try reader.uuid(of: element.serial))
            }
          }
        }
        return uuids
      }
      try store.write { database, revision in
        try store.name(uuids, by: number, in: database, revision: revision)
      }
      deleted += max(0, before - (try store.read { try $0.sampleCount() }))
    }
  }

  /// Deletes the saved elements that the other store has deleted.
  fileprivate mutating func takeDeletedElements(
    from other: SampleStore, into store: SampleStore
  ) throws {
    let saved = try other.read { try $0.deletedSaves() }
    deleted += try store.delete(saved.map(\.uuid))
    try store.write { database, revision in
      let reader = try UUIDReader(store, database)
      for gone in saved where try reader.serial(of: gone.uuid) == nil {
        try database.noteDeletedSave(gone, revision, of: store)
      }
    }
  }
}

/// The UUID of a saved sample that was deleted, and where it was.
private struct DeletedSave {
  var uuid: UUID
  /// `nil` for an element.
  var type: SampleType?
  /// The kind and the type of an element; empty for a sample.
  var kind: String
  var name: String
  var source: Source
  var start: Double
}

extension ImportSession {
  /// Adds the elements that a file has in another store.
  fileprivate func addElements(
    of file: Int64, _ history: StoreHistory, _ database: Database
  ) throws {
    let sets = try MemberSets(history, database)
    for kind in ElementKind.allCases {
      let files = try SeriesFiles(sets, database.files(of: kind), of: kind)
      guard let index = files.files.firstIndex(where: { $0.id == file }) else { continue }
      for element in try database.storedElements(of: kind)
      where try files.presence(element.set)[index] {
        try add(kind, element.key, element.content(database))
      }
    }
  }

  /// Adds the elements of imports that an act names in another store.
  fileprivate func addElements(
    namedBy act: Int64, _ sets: MemberSets, _ database: Database
  ) throws {
    for kind in ElementKind.allCases {
      for element in try database.storedElements(of: kind) {
        let members = try sets.members(element.set)
        guard !members.isSaved, members.acts.contains(act) else { continue }
        try add(kind, element.key, element.content(database))
      }
    }
  }
}

extension ImportSession {
  /// Adds rows of another store, as they were recorded.
  fileprivate func add(
    _ series: StoredSeries, of database: Database, where isWanted: (RowCursor, Int) throws -> Bool
  ) throws {
    var builder = RecordColumns.Builder(type: series.type, source: series.source)
    func flush() throws {
      guard builder.count > 0 else { return }
      try add(builder.rows.unnumbered)
      builder = RecordColumns.Builder(type: series.type, source: series.source)
    }
    try database.forEachRow(of: series) { cursor, row in
      guard try isWanted(cursor, row) else { return }
      try builder.append(row..<row + 1, of: cursor)
      if builder.count == RowBlock.capacity { try flush() }
    }
    try flush()
  }
}

extension StoredAct {
  /// The content of an import, which names files.
  fileprivate func mapped(_ file: (Int64) throws -> Int64) throws -> [UInt8] {
    guard kind == .importing else { return content }
    var reader = try ByteReader(sealed: content)
    var writer = ByteWriter()
    let count = try reader.count()
    writer.append(variable: UInt64(count))
    for _ in 0..<count {
      writer.append(variable: UInt64(bitPattern: try file(Int64(bitPattern: reader.variable()))))
    }
    writer.seal()
    return writer.bytes
  }

  /// The content of a deletion or a restoration, which names types and sources.
  fileprivate func mapped(from other: Database, into session: ImportSession) throws -> [UInt8] {
    let (types, sources) = (try other.typesByNumber(), try other.sources())
    return try session.transaction.run { database in
      var periods = try self.periods
      for index in periods.indices {
        guard let type = types[periods[index].type], let source = sources[periods[index].source]
        else { throw Corruption() }
        periods[index].type = try database.identifier(of: type)
        periods[index].source = try database.identifier(of: source)
      }
      var writer = ByteWriter()
      writer.append(periods)
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
    var serials: Set<Int64> = []
    for uuid in uuids { if let serial = try reader.serial(of: uuid) { serials.insert(serial) } }
    guard !serials.isEmpty else { return }
    let births = try Births(database)
    let wanted = Set(serials.map(births.birth))
    let sets = try MemberSets(StoreHistory(database), database)
    for series in try database.allSeries() {
      var replay = try SeriesReplay(
        series.type, series.source, SeriesFiles(sets, database.files(of: series)),
        units: RecordedUnits(of: series.type),
        naming: { cursor, row, hidden, set in
          let serial = cursor.serial(row)
          let isNamed = wanted.contains(hidden == nil ? births.birth(of: serial) : serial)
          return try isNamed ? sets.number(of: set, named: .act(act)) : set
        }, in: database, revision: revision)
      _ = try replay.run()
    }
    for kind in ElementKind.allCases {
      var replay = try ElementReplay(kind, sets, in: database, revision: revision)
      for key in replay.wordings.keys {
        try replay.name(key, by: act, saved: wanted, imported: false)
      }
    }
    try sets.write(to: database)
  }
}

extension Database {
  /// Visits the rows of a series, also those that do not count.
  fileprivate func forEachRow(
    of series: StoredSeries, _ body: (RowCursor, Int) throws -> Void
  ) throws {
    var units = RecordedUnits(of: series.type)
    let hidden = try hiddenChunks(of: series.type, series.source)
    for (chunk, isHidden) in series.chunks.map({ ($0, false) }) + hidden.map({ ($0, true) }) {
      let cursor = try cursor(
        of: chunk.id, hasMemberSets: true, isHidden: isHidden, units: &units)
      while !cursor.isAtEnd {
        for row in 0..<cursor.rowCount { try body(cursor, row) }
        try cursor.advanceBlock()
      }
    }
  }

  /// The first serials of all saved samples and elements that are known, deleted or not.
  fileprivate func savedSerials() throws -> Set<Int64> {
    let sets = try MemberSets(StoreHistory(self), self)
    let births = try Births(self)
    var serials: Set<Int64> = []
    for series in try allSeries() {
      try forEachRow(of: series) { cursor, row in
        guard try sets.members(cursor.memberSet(row)).isSaved else { return }
        serials.insert(births.birth(of: cursor.serial(row)))
      }
    }
    for kind in ElementKind.allCases {
      for element in try storedElements(of: kind)
      where try sets.members(element.set).isSaved {
        serials.insert(births.birth(of: element.serial))
      }
    }
    return serials
  }

  /// The samples that count.
  fileprivate func sampleCount() throws -> Int {
    try Int.fetchOne(self, sql: "SELECT sum(count) FROM chunks") ?? 0
  }

  /// The number of a file of another store, which is recorded if it is not known.
  fileprivate func identifier(of file: StoredFile, from other: SampleStore) throws -> Int64 {
    let known = try Int64.fetchOne(
      self, sql: "SELECT id FROM files WHERE identity = ?", arguments: [file.identity])
    if let known { return known }
    let row = try other.read { database in
      try Row.fetchOne(
        database, sql: "SELECT lastEnd, name, importedAt, read, new FROM files WHERE id = ?",
        arguments: [file.id])
    }
    guard let row else { throw Corruption() }
    let id = try nextID(in: "files")
    try execute(
      sql: """
        INSERT INTO files
          (id, identity, format, exportedAt, lastEnd, name, importedAt, read, new, lacks)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        id, file.identity, file.format.rawValue, file.exportedAt, row[0] as Double,
        row[1] as String, row[2] as Double, row[3] as Int64, row[4] as Int64,
        file.lacks.storedText,
      ])
    return id
  }

  /// Writes an act of another store.
  fileprivate func insert(
    _ act: StoredAct, id: Int64? = nil, file: Int64? = nil, _ content: [UInt8]
  ) throws {
    try note(act.stamp)
    try execute(
      sql: """
        INSERT INTO acts (id, clock, counter, store, kind, file, content)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        try id ?? nextID(in: "acts"), act.stamp.clock, act.stamp.counter, act.stamp.store,
        act.kind.rawValue, file, Data(content),
      ])
  }

  /// The elements of a kind that apps saved, deleted or not: serials and bytes.
  fileprivate func savedElements(
    of kind: ElementKind
  ) throws -> [(serial: Int64, content: [UInt8])] {
    let sets = try MemberSets(StoreHistory(self), self)
    return try storedElements(of: kind).filter { try sets.members($0.set).isSaved }
      .map { ($0.serial, try $0.content(self)) }
  }

  /// The saved samples and elements that a store of format 1 deleted.
  fileprivate func deletedSaves() throws -> [DeletedSave] {
    let (types, sources) = (try typesByNumber(), try sources())
    var deleted: [DeletedSave] = []
    var kept: Set<Int64>?
    for id in try Int64.fetchAll(self, sql: "SELECT id FROM tombstones ORDER BY id") {
      for row in try Tombstones.rows(of: id, in: self) {
        let saved = try Row.fetchOne(
          cachedStatement(
            sql: """
              SELECT uuid, type, source, start, kind, name FROM identities WHERE serial = ?
              """),
          arguments: [row.serial])
        guard let saved else { continue }
        // The acts say whether one is deleted that is still known.
        kept = try kept ?? savedSerials()
        if kept?.contains(row.serial) == true { continue }
        let type = try saved.decode(Int64?.self, atIndex: 1).flatMap { types[$0] }
        let kind: String = try saved.decode(atIndex: 4)
        guard kind.isEmpty == (type != nil), let source = sources[try saved.decode(atIndex: 2)]
        else { throw Corruption() }
        deleted.append(
          DeletedSave(
            uuid: try UUID(data: saved.decode(atIndex: 0)), type: type, kind: kind,
            name: try saved.decode(atIndex: 5), source: source,
            start: try saved.decode(atIndex: 3)))
      }
    }
    return deleted
  }

  /// Records that a sample is deleted that never was here, so that no other store brings it.
  fileprivate func noteDeletedSave(
    _ gone: DeletedSave, _ revision: Revision, of store: SampleStore
  ) throws {
    let subject = Revision.Subject(
      kind: gone.kind, type: try gone.type.map { try identifier(of: $0) },
      source: try identifier(of: gone.source))
    let serial = revision.takeSerials(1)
    try store.noteSaved(
      gone.uuid,
      SavedPlace(serial: serial, subject: subject, name: gone.name, start: gone.start), in: self)
    revision.deleteUnseen(serial, from: subject)
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
  }

  let name: Name
  /// `nil` for an element.
  let key: RowKey?
  let birth: Int64

  func agrees(with other: Self) -> Bool {
    guard let key, let otherKey = other.key else { return true }
    return key.isTwin(of: otherKey)
  }
}

extension Members {
  fileprivate var isReferencedImport: Bool { marks.contains(.referenced) && !isSaved }
}

extension Stamp {
  /// Before all others.
  fileprivate static let first = Stamp(clock: .min, counter: 0, store: 0)
}

/// A version of a saved object.
private struct NamedVersion {
  let key: Data
  let number: Double
  let stamp: Stamp
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
  fileprivate func versions(in store: SampleStore) throws -> [UUID: NamedVersion] {
    let rows = try Row.fetchAll(
      self, sql: "SELECT birth, key, version, clock, counter, store FROM versions ORDER BY birth")
    let births = try rows.map { try $0.decode(Int64.self, atIndex: 0) }
    let uuids = try UUIDReader(store, self).uuids(of: births)
    var versions: [UUID: NamedVersion] = [:]
    for (uuid, row) in zip(uuids, rows) {
      versions[uuid] = NamedVersion(
        key: try row.decode(atIndex: 1), number: try row.decode(atIndex: 2),
        stamp: try Stamp(row, from: 3))
    }
    return versions
  }

  /// All associations, also ended ones.
  fileprivate func registeredAssociations() throws -> [(StoredAssociation, Bool, Stamp)] {
    try Row.fetchAll(
      self,
      sql: "SELECT owner, member, kind, part, isEnded, clock, counter, store FROM associations"
    ).map { row in
      guard let kind = Association.Kind(rawValue: try row.decode(atIndex: 2)) else {
        throw Corruption()
      }
      let association = StoredAssociation(
        owner: try row.decode(atIndex: 0), member: try row.decode(atIndex: 1), kind: kind,
        part: try row.decode(atIndex: 3))
      return (association, try row.decode(atIndex: 4), try Stamp(row, from: 5))
    }
  }

  /// The first serials of all that associations and attachments mean.
  fileprivate func relatedObjects() throws -> [Int64] {
    try Int64.fetchAll(
      self,
      sql: """
        SELECT owner FROM associations UNION SELECT member FROM associations
        UNION SELECT object FROM attachments
        """)
  }

  /// The rows and elements of files that associations and attachments mean.
  fileprivate func referencedObjects() throws -> [ReferencedObject] {
    let sets = try MemberSets(StoreHistory(self), self)
    guard sets.haveReferences else { return [] }
    let births = try Births(self)
    var objects: [ReferencedObject] = []
    for series in try allSeries() {
      try forEachRow(of: series) { cursor, row in
        guard try sets.members(cursor.memberSet(row)).isReferencedImport else { return }
        let key = cursor.key(row)
        objects.append(
          ReferencedObject(
            name: .init(
              type: series.type.identifier, source: series.source, start: key.start, end: key.end),
            key: key, birth: births.birth(of: cursor.serial(row))))
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
            key: nil, birth: births.birth(of: element.serial)))
      }
    }
    return objects
  }

  /// Settings that travel, also those that are no longer set.
  fileprivate func allSettings() throws -> [String: (value: String?, stamp: Stamp)] {
    let local = SettingKind.allCases.filter { !$0.travels }
    var settings: [String: (value: String?, stamp: Stamp)] = [:]
    for row in try Row.fetchAll(
      self, sql: "SELECT key, value, clock, counter, store FROM settings")
    {
      let key: String = try row.decode(atIndex: 0)
      if local.contains(where: { key.hasPrefix($0.rawValue) }) { continue }
      settings[key] = (try row.decode(atIndex: 1), try Stamp(row, from: 2))
    }
    return settings
  }
}

extension RowCursor {
  /// Rows of the block as they were recorded, without serials and sets of members.
  fileprivate func recorded(
    _ rows: [Int], _ type: SampleType, _ source: Source
  ) throws(Corruption) -> RecordColumns {
    var builder = RecordColumns.Builder(type: type, source: source)
    for row in rows { try builder.append(row..<row + 1, of: self) }
    return builder.rows.unnumbered
  }

  fileprivate func recorded(
    _ row: Int, _ type: SampleType, _ source: Source
  ) throws(Corruption) -> RecordColumns { try recorded([row], type, source) }
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

extension NewSample {
  /// The only row of a batch.
  fileprivate init(_ batch: RecordColumns, uuid: UUID) {
    self.init(
      type: batch.type, source: batch.source, start: batch.starts[0], end: batch.ends[0],
      value: batch.values[0], label: batch.labelTable[Int(batch.labels[0])],
      created: batch.creation(row: 0), origin: batch.originTable[Int(batch.origins[0])],
      metadata: batch.metadataTable[Int(batch.metadata[0])], uuid: uuid)
  }
}
