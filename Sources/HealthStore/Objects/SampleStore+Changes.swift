public import Foundation
import GRDB
import GRDBSQLite
public import HealthSamples
internal import _HealthNumerics

/// A sample or an element that was deleted.
public struct DeletedRow: Sendable, Hashable {
  /// The UUID that it had.
  public let uuid: UUID
  /// The type of a sample; `nil` for an element.
  public let type: SampleType?
  /// The kind of an element; `nil` for a sample.
  public let kind: ElementKind?
  /// The identifier of the type of an element that an app had saved; else `nil`.
  public let name: String?
  /// The source; `nil` for an imported element.
  public let source: Source?
  /// The identifier under which apps synchronised it (`HKMetadataKeySyncIdentifier`), when it was
  /// deleted; `nil` without one, and for what an earlier version deleted.
  public let syncIdentifier: String?
  /// The version under which apps synchronised it (`HKMetadataKeySyncVersion`), the same.
  public let syncVersion: Double?
  /// The serial that it had.
  public let serial: Int64
  /// The number of the deletion, ascending in the order of commits.
  public let deletion: Int64
}

/// What one commit, or several, changed in the samples of a type and a source, or in the elements
/// of a kind.
public struct StoreChange: Sendable, Hashable {
  /// The number of the change, ascending in the order of commits.
  public let id: Int64
  /// The type of samples; `nil` for elements.
  public let type: SampleType?
  /// The kind of elements; `nil` for samples.
  public let kind: ElementKind?
  /// The source of samples; `nil` for elements.
  public let source: Source?
  /// The serials of added rows lie in this range; `nil` if none was added.
  ///
  /// A joined change of elements has all up to its last one.
  public let serials: ClosedRange<Int64>?
  /// Everything that was added, deleted or changed lies in this range, in seconds since 2001-01-01
  /// UTC, from the first start to the last end; a prescription lies where it was issued.
  public let span: ClosedRange<Double>
  /// The identifiers of the types of elements, for an app; `nil` where they are not known.
  package let names: Set<String>?
}

extension Database {
  /// The anchor of everything.
  fileprivate func anchor() throws -> StoreAnchor {
    let (store, serial, deletion): (Int64, Int64, Int64) = try values(
      "SELECT store, lastSerial, lastDeletion FROM identity")
    return StoreAnchor(store: UInt64(bitPattern: store), serial: serial, deletion: deletion)
  }
}

extension SampleStore {
  /// The anchor of the present state, or of the snapshot; for an app of what it sees, and for that app
  /// only.
  ///
  /// - Complexity: O(1); for an app O(chunks + elements + deletions), and O(rows of the chunks that end
  ///   after a limit of its history)
  public func anchor() throws(StoreError) -> StoreAnchor {
    let now = try read { try $0.anchor() }
    guard reader != nil else { return now }
    let origin = StoreAnchor(before: now)
    let lastRow = try read { try lastVisibleRow(in: $0) }
    return try anchor(
      origin, serial: max(lastRow, lastVisibleElement()),
      deletion: deletions(after: origin).last?.deletion ?? 0)
  }

  /// Throws if an anchor is of another store, of a later state of one of which this is a copy, or, for
  /// an app, one that it did not get from this store.
  package func check(_ anchor: StoreAnchor) throws(StoreError) {
    try read { try check(anchor, in: $0) }
  }

  private func check(_ anchor: StoreAnchor, in database: Database) throws {
    let identity = try StoreIdentity(database)
    guard identity.issued(anchor, to: reader),
      try identity.knows(anchor, now: database.anchor())
    else { throw StoreError(.foreignAnchor, path: path) }
  }

  /// The anchor of a state with which to go on after a page of deletions.
  ///
  /// - Parameters:
  ///   - deletion: the last row of the page
  ///   - anchor: the anchor that gave the page
  /// - Returns: an anchor after that deletion
  /// - Throws: ``StoreError``
  public func anchor(
    after deletion: DeletedRow, of anchor: StoreAnchor
  ) throws(StoreError) -> StoreAnchor {
    try check(anchor)
    return try self.anchor(anchor, serial: anchor.serial, deletion: deletion.deletion)
  }

  /// An anchor of a state between two that the reader has got, such as after a page of changes.
  package func anchor(
    _ anchor: StoreAnchor, serial: Int64, deletion: Int64
  ) throws(StoreError) -> StoreAnchor {
    try read { database in
      try StoreIdentity(database).issue(
        StoreAnchor(store: anchor.store, serial: serial, deletion: deletion), to: reader)
    }
  }

  /// The serial of the last sample that the reader sees; 0 without any.
  private func lastVisibleRow(in database: Database) throws -> Int64 {
    let permission = try permission(in: database)
    let names = try SeriesNames(database)
    var last: Int64 = 0
    let chunks = try Row.fetchCursor(
      database,
      sql: """
        SELECT type, source, id, lastSerial, max(lastStart, lastEnd) FROM chunks
        WHERE \(permission.condition(type: "type", source: "source")) ORDER BY lastSerial DESC
        """)
    while let chunk = try chunks.next() {
      let (id, serial, end): (Int64, Int64, Double) = try chunk.values(from: 2)
      if serial <= last { break }
      let series = try SeriesNumbers(chunk)
      func isSeen(endingAt end: Double) -> Bool {
        permission.contains(type: series.type, source: series.source, endingAt: end)
      }
      if permission.containsAll(type: series.type, source: series.source) { return serial }
      guard isSeen(endingAt: end) else { continue }
      // Which of its rows are seen, and how late these came, only they say.
      try check(.chunks(type: series.type), in: database)
      var units = RecordedUnits(of: try names[series].type)
      let cursor = try database.cursor(of: id, units: &units)
      try cursor.forEachRow { row in
        if isSeen(endingAt: cursor.span(row).upperBound) { last = max(last, cursor.serial(row)) }
      }
    }
    return last
  }

  /// What was deleted after an anchor, in the order of deletion.
  ///
  /// A sample that was added and deleted after the anchor is among them. Of types whose history the
  /// owner limited an app hears of what it would have seen: of what ended before the limit neither the
  /// deletion nor its names.
  ///
  /// - Parameters:
  ///   - anchor: an anchor of this store
  ///   - type: only samples of a type, or `nil`
  ///   - limit: the most rows; continue with ``anchor(after:of:)`` of the last one
  /// - Returns: deleted samples and elements
  /// - Throws: ``StoreError``; ``StoreError/Reason/foreignAnchor`` for an anchor of another store
  /// - Complexity: O(deletions after the anchor)
  public func deletions(
    after anchor: StoreAnchor, of type: SampleType? = nil, limit: Int? = nil
  ) throws(StoreError) -> [DeletedRow] {
    try read { database in
      try check(anchor, in: database)
      let (types, sources) = (try database.typesByNumber(), try database.sources())
      let wanted = try type.map { try database.storedIdentifier(of: $0) ?? -1 }
      let ids = try Int64.fetchAll(
        database,
        sql: "SELECT id FROM tombstones WHERE id + count > ? ORDER BY id",
        arguments: [anchor.deletion + 1])
      var deleted: [DeletedRow] = []
      let permission = try permission(in: database)
      let uuids = try UUIDReader(self, database)
      var elements = try SeenElements(self, database, permission)
      for id in ids {
        for (index, row) in try Tombstones.rows(of: id, in: database).enumerated() {
          let deletion = id + Int64(index)
          guard deletion > anchor.deletion, wanted == nil || row.subject.type == wanted else {
            continue
          }
          let kind = ElementKind(storedText: row.subject.kind)
          let (isVisible, hasNames) =
            if permission.isOwner {
              (true, true)
            } else {
              try elements.sees(row, kind)
            }
          guard isVisible else { continue }
          if let limit, deleted.count >= limit { return deleted }
          let source = row.subject.source.flatMap { sources[$0] }
          if let source, !selection.contains(source) { continue }
          let uuid = try uuids.uuid(of: row.serial)
          deleted.append(
            DeletedRow(
              uuid: uuid, type: row.subject.type.flatMap { types[$0] }, kind: kind,
              name: kind == nil ? nil : try uuids.saved(uuid)?.name, source: source,
              syncIdentifier: hasNames ? row.keys?.identifier : nil,
              syncVersion: hasNames ? row.keys?.version : nil,
              serial: row.serial, deletion: deletion))
        }
      }
      return deleted
    }
  }

  /// The UUIDs of samples and elements with serials.
  ///
  /// - Throws: ``StoreError``; ``StoreError/Reason/notPermitted`` for an app
  /// - Complexity: O(*n*), and O(log *i*) each for *i* saved samples
  public func uuids(of serials: some Sequence<Int64>) throws(StoreError) -> [UUID] {
    try checkOwner()
    return try identities(of: serials)
  }

  /// The UUIDs of rows that the reader has got, by their serials; see ``uuids(of:)``.
  ///
  /// Serials of what it has not got would show how much there is of it.
  package func identities(of serials: some Sequence<Int64>) throws(StoreError) -> [UUID] {
    try read { database in
      try UUIDReader(self, database).uuids(of: Array(serials))
    }
  }

  /// The serials of those of some UUIDs that this store gave or took, whether or not the sample was
  /// deleted since; for an app only those of what it sees, of imported samples of those that count.
  ///
  /// - Complexity: O(*n*), and O(log *i*) each for *i* saved samples
  public func serials(of uuids: some Sequence<UUID>) throws(StoreError) -> [UUID: Int64] {
    try read { database in
      let reader = try UUIDReader(self, database)
      let uuids = Array(uuids)
      let serials = try reader.serials(of: uuids)
      let areVisible = try reader.areVisible(uuids, serials, to: permission(in: database))
      var found: [UUID: Int64] = [:]
      for index in uuids.indices where areVisible[index] { found[uuids[index]] = serials[index] }
      return found
    }
  }

  /// What changed after a number of a ``StoreChange``, or since the store was made.
  ///
  /// Old changes are joined: then a change covers a longer span than what was changed since.
  ///
  /// - Complexity: O(changes)
  public func changes(after id: Int64 = 0) throws(StoreError) -> [StoreChange] {
    var changes: [StoreChange] = []
    try forEachChange(after: id, isNewestFirst: false) { change in
      changes.append(change)
      return true
    }
    return changes
  }

  /// The number of the last change; the observer of a store begins with it.
  public func lastChange() throws(StoreError) -> Int64 {
    guard reader != nil else {
      return try read { try Int64.fetchOne($0, sql: "SELECT lastChange FROM identity") ?? 0 }
    }
    var last: Int64 = 0
    try forEachChange(after: 0, isNewestFirst: true) { change in
      last = change.id
      return false
    }
    return last
  }

  /// Visits the changes that the reader sees, until a body returns false.
  private func forEachChange(
    after id: Int64, isNewestFirst: Bool, _ body: (StoreChange) -> Bool
  ) throws(StoreError) {
    try read { database in
      try check(.changes, in: database)
      let (types, sources) = (try database.typesByNumber(), try database.sources())
      let permission = try permission(in: database)
      var elements = permission.isOwner ? nil : try ChangedElements(self, database, permission)
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT id, kind, type, source, firstSerial, lastSerial, firstStart, lastEnd
          FROM changes WHERE id > ? ORDER BY id \(isNewestFirst ? "DESC" : "ASC")
          """, arguments: [id])
      while let row = try rows.next() {
        let subject = try Revision.Subject(row, from: 1)
        let kind = ElementKind(storedText: subject.kind)
        let source = subject.source.flatMap { sources[$0] }
        if let source, !selection.contains(source) { continue }
        let (first, last, start, end): (Int64, Int64, Double, Double) = try row.values(from: 4)
        let serials = (first: first, last: last)
        guard first <= last, start <= end else { throw Corruption() }
        let (type, number) = (subject.type, subject.source)
        guard kind != nil || permission.contains(type: type, source: number, endingAt: end)
        else { continue }
        var added = serials.first == 0 ? nil : max(1, serials.first)...max(1, serials.last)
        var span = start...end
        var names: Set<String>?
        if let kind, elements != nil {
          let seen = try elements?.seen(kind, source: subject.source, serials: serials, in: span)
          guard let seen else { continue }
          (added, span, names) = (seen.added, seen.span, seen.names)
        }
        let change = StoreChange(
          id: try row.decode(atIndex: 0), type: subject.type.flatMap { types[$0] }, kind: kind,
          source: source, serials: added, span: span, names: names)
        guard body(change) else { return }
      }
    }
  }
}

/// Maps between serials and UUIDs in one snapshot.
struct UUIDReader {
  private let store: SampleStore
  let database: Database
  private let identity: StoreIdentity
  private let births: Births
  private let hasSaved: Bool

  init(_ store: SampleStore, _ database: Database) throws {
    self.store = store
    self.database = database
    identity = try StoreIdentity(database)
    births = try Births(database)
    hasSaved = try !database.isEmpty("identities")
  }

  /// The UUID of a serial.
  func uuid(of serial: Int64) throws -> UUID { try uuids(of: [serial])[0] }

  /// The UUIDs of serials, in their order.
  ///
  /// - Complexity: O(*n*) for serials that are close together, else O(log *i*) each for *i* saved
  ///   samples
  func uuids(of serials: [Int64]) throws -> [UUID] {
    let serials = births.isEmpty ? serials : serials.map(births.birth)
    guard hasSaved, let first = serials.min(), let last = serials.max() else {
      return try identity.uuids(of: serials)
    }
    for bucket in Set(serials.map { $0 >> 16 }) {
      try store.check(.serials(bucket: bucket), in: database)
    }
    var saved: [Int64: UUID] = [:]
    if last - first < 4 * Int64(serials.count) {
      saved.reserveCapacity(serials.count)
      try readSaved(first...last) { saved[$0] = $1 }
    } else {
      for serial in serials { try readSaved(serial...serial) { saved[$0] = $1 } }
    }
    let given = try identity.uuids(of: serials.filter { saved[$0] == nil })
    var next = given.makeIterator()
    return try serials.map { serial in
      guard let uuid = saved[serial] ?? next.next() else { throw Corruption() }
      return uuid
    }
  }

  /// Reads the UUIDs of the saved samples whose serials lie in a range.
  private func readSaved(_ serials: ClosedRange<Int64>, _ body: (Int64, UUID) -> Void) throws {
    let statement = try database.cachedStatement(
      sql: """
        SELECT serial, uuid FROM identities INDEXED BY identitiesBySerial
        WHERE serial BETWEEN ? AND ? ORDER BY serial
        """
    ).sqliteStatement
    defer { sqlite3_reset(statement) }
    sqlite3_bind_int64(statement, 1, serials.lowerBound)
    sqlite3_bind_int64(statement, 2, serials.upperBound)
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw DatabaseError(stepping: database, code) }
      guard let bytes = sqlite3_column_blob(statement, 1), sqlite3_column_bytes(statement, 1) == 16
      else { throw Corruption() }
      body(sqlite3_column_int64(statement, 0), UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
    }
  }

  /// The serial of a UUID that this store gave or took; `nil` for any other.
  func serial(of uuid: UUID) throws -> Int64? { try serials(of: [uuid])[0] }

  /// The serials of UUIDs that this store gave or took, in their order; `nil` for any other.
  ///
  /// A caller that has read ``saved(_:)-([UUID])`` of them passes that.
  ///
  /// - Complexity: O(*n*), and O(log *i*) each for *i* saved samples
  func serials(of uuids: [UUID], saved places: [UUID: SavedPlace]? = nil) throws -> [Int64?] {
    var serials = try identity.serials(of: uuids)
    let others = hasSaved ? serials.indices.filter { serials[$0] == nil } : []
    let last =
      try Int64.fetchOne(database.cachedStatement(sql: "SELECT lastSerial FROM identity")) ?? 0
    for index in serials.indices {
      if let serial = serials[index], serial < 1 || last < serial { serials[index] = nil }
    }
    if !births.isEmpty {
      let given = serials.indices.filter { serials[$0] != nil }
      let known = births.serials(ofBirths: given.compactMap { serials[$0] })
      for (index, serial) in zip(given, known) { serials[index] = serial }
    }
    guard !others.isEmpty else { return serials }
    let places = try places ?? saved(others.map { uuids[$0] })
    if places.isEmpty { return serials }
    for index in others { serials[index] = places[uuids[index]]?.serial }
    return serials
  }

  /// The first serial of a UUID that this store gave or took; `nil` for any other.
  func birth(of uuid: UUID) throws -> Int64? {
    guard let serial = try serial(of: uuid) else { return nil }
    return births.birth(of: serial)
  }

  /// Whether this store gave a UUID to a sample that it got without one.
  func isGiven(_ uuid: UUID) throws -> Bool {
    guard try identity.serial(of: uuid) != nil else { return false }
    return try serial(of: uuid) != nil
  }

  /// Throws if UUIDs of saved samples that begin with some bytes were altered.
  func checkSaved(_ firstBytes: Set<UInt8>) throws {
    guard hasSaved else { return }
    for byte in firstBytes { try store.check(.uuids(firstByte: byte), in: database) }
  }

  /// Whether a reader sees objects with some UUIDs and serials, in their order: saved ones also if
  /// they are deleted, but for samples of a type whose history is limited; imported ones and these only
  /// if they count.
  ///
  /// - Complexity: O(*n*); for an app also O(rows of the chunks whose serials are around those that must
  ///   count)
  func areVisible(
    _ uuids: [UUID], _ serials: [Int64?], saved places: [UUID: SavedPlace]? = nil,
    to permission: ReadPermission
  ) throws -> [Bool] {
    guard !permission.isOwner else { return serials.map { $0 != nil } }
    let places = try places ?? saved(uuids)
    var elements = try SeenElements(store, database, permission)
    var counting: [Int64] = []
    var areVisible = try zip(uuids, serials).map { uuid, serial in
      guard let serial else { return false }
      if permission.isShown(serial) { return true }
      let subject = places[uuid]?.subject
      if let subject, subject.kind.isEmpty {
        if permission.containsAll(type: subject.type, source: subject.source) { return true }
        // When it ends decides, which only its row says.
        if permission.contains(type: subject.type, source: subject.source) {
          counting.append(serial)
        }
        return false
      }
      let kind =
        try subject.flatMap { ElementKind(storedText: $0.kind) }
        ?? database.elementContent(withSerial: serial)?.kind
      if let kind {
        // Without words it does not count: then only what is seen whenever it ended.
        return try elements.types(
          of: serial, kind, source: subject?.source, endingAt: -.infinity) != nil
      }
      counting.append(serial)
      return false
    }
    let found = try series(ofCounting: counting, to: permission)
    for (index, serial) in serials.enumerated() where !areVisible[index] {
      areVisible[index] = serial.map { found[$0] != nil } ?? false
    }
    return areVisible
  }

  /// The series of samples that count, by serial; those that a reader does not see are missing.
  ///
  /// - Complexity: O(rows of the chunks whose serials are around them)
  func series(
    ofCounting serials: [Int64], to permission: ReadPermission = .owner
  ) throws -> [Int64: SeriesNumbers] {
    let wanted = Set(serials)
    let order = wanted.sorted()
    if order.isEmpty { return [:] }
    let condition = permission.condition(type: "type", source: "source")
    let names = try SeriesNames(database)
    var found: [Int64: SeriesNumbers] = [:]
    for (id, series) in try database.chunks(around: order, where: condition) {
      try store.check(.chunks(type: series.type), in: database)
      var units = RecordedUnits(of: try names[series].type)
      let cursor = try database.cursor(of: id, units: &units)
      try cursor.forEachRow { row in
        guard wanted.contains(cursor.serial(row)) else { return }
        let end = cursor.span(row).upperBound
        if permission.contains(type: series.type, source: series.source, endingAt: end) {
          found[cursor.serial(row)] = series
        }
      }
    }
    return found
  }

  /// Where a saved sample is, or was.
  func saved(_ uuid: UUID) throws -> SavedPlace? { try saved([uuid])[uuid] }

  /// Where those of some UUIDs that are saved samples' are, or were.
  ///
  /// - Complexity: O(*n* + *i*) for *n* UUIDs and fewer saved samples, *i*; else O(log *i*) each
  func saved(_ uuids: [UUID]) throws -> [UUID: SavedPlace] {
    guard hasSaved else { return [:] }
    try checkSaved(Set(uuids.map(\.uuid.0)))
    let uuids = try withoutUnsaved(uuids)
    let statement = try database.cachedStatement(
      sql: "SELECT \(SavedPlace.columns) FROM identities WHERE uuid = ?")
    var places: [UUID: SavedPlace] = [:]
    for uuid in uuids {
      guard let row = try Row.fetchOne(statement, arguments: [uuid.data]) else { continue }
      places[uuid] = try SavedPlace(row)
    }
    let found = Array(places.keys)
    let serials = births.serials(ofBirths: found.compactMap { places[$0]?.serial })
    for (uuid, serial) in zip(found, serials) { places[uuid]?.serial = serial }
    return places
  }

  /// Those of many UUIDs that are saved samples'; all if the store has as many saved samples.
  ///
  /// - Complexity: O(*n*)
  private func withoutUnsaved(_ uuids: [UUID]) throws -> [UUID] {
    guard uuids.count > 1 else { return uuids }
    // The order keeps SQLite to the table whose digests are checked.
    let saved = try Data.fetchAll(
      database.cachedStatement(sql: "SELECT uuid FROM identities ORDER BY uuid LIMIT ?"),
      arguments: [uuids.count])
    guard saved.count < uuids.count else { return uuids }
    let known = try Set(saved.map { try UUID(data: $0) })
    return uuids.filter(known.contains)
  }
}

/// The series and the time of a saved sample, or the kind, the source and the time of a saved
/// element.
struct SavedPlace {
  var serial: Int64
  var subject: Revision.Subject
  /// The identifier of the type of an element; empty for a sample.
  var name = ""
  var start: Double
}

extension SavedPlace {
  /// The columns of a place.
  static let columns = "serial, kind, type, source, name, start"

  init(_ row: Row) throws {
    self.init(
      serial: try row.decode(atIndex: 0), subject: try .init(row, from: 1),
      name: try row.decode(atIndex: 4), start: try row.decode(atIndex: 5))
  }
}

extension Database {
  /// The types in the store by number.
  func typesByNumber() throws -> [Int64: SampleType] {
    let types = try sampleTypes()
    var numbers: [Int64: SampleType] = [:]
    for row in try Row.fetchAll(self, sql: "SELECT id, identifier FROM types NOT INDEXED") {
      let (id, identifier): (Int64, String) = try row.values()
      numbers[id] = types[identifier]
    }
    return numbers
  }
}
