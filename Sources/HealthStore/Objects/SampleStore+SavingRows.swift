package import Foundation
import GRDB
import GRDBSQLite
package import HealthSamples

/// Samples of one type and one source to save, as rows.
package struct NewRows: Sendable {
  /// The rows; their serials, sets of members and copies do not count.
  package var columns: RecordColumns
  /// The UUID of each row.
  package var identities: [UUID]
  /// The place of each row among all samples that are saved together, ascending.
  package var places: [Int]

  /// Makes rows; each has a place and a UUID.
  package init(_ columns: RecordColumns, identities: [UUID], places: [Int]) {
    (self.columns, self.identities, self.places) = (columns, identities, places)
  }
}

extension SampleStore {
  /// Inserts rows in a transaction; the index of a sample in an error is its place.
  ///
  /// - Complexity: O(*n* log *n*) for *n* rows
  func insert(
    _ batches: [NewRows], refusesKnown: Bool, in database: Database, revision: Revision
  ) throws {
    var series: [SeriesRows] = []
    var indices: [SampleSeries: Int] = [:]
    var invalid: Int?
    for batch in batches where batch.columns.count > 0 {
      let columns = batch.columns
      let type = try database.resolved(columns.type)
      if let place = batch.firstUnstorablePlace(of: type) { invalid = min(invalid ?? .max, place) }
      for (isUserEntered, rows) in batch.splitByEntry() {
        let source = Source(
          name: columns.source.name, bundleIdentifier: columns.source.bundleIdentifier,
          isUserEntered: isUserEntered || columns.source.isUserEntered)
        let name = SampleSeries(type: type, source: source)
        let index = indices[name] ?? series.count
        if index == series.count {
          indices[name] = index
          series.append(SeriesRows(name))
        }
        series[index].append(rows)
      }
    }
    var identities: [NewIdentity] = []
    for index in series.indices {
      let type = try database.identifier(of: series[index].name.type)
      let source = try database.identifier(of: series[index].name.source)
      identities += series[index].identities(type: type, source: source)
    }
    guard !identities.isEmpty else { return }
    let known = try knownPlaces(in: identities, from: revision.nextSerial, database)
    if refusesKnown, let first = known.first, first <= invalid ?? .max {
      throw StoreError(.knownSample(index: first), path: path)
    }
    if let invalid { throw StoreError(.invalidSample(index: invalid), path: path) }
    guard known.count < identities.count else { return }
    // Serials ascend in the order of the samples.
    let first = revision.allocateSerials(1 + (identities.map(\.index).max() ?? 0))
    let left = Set(known)
    for rows in series.sorted(by: { $0.name < $1.name }) {
      let new = rows.saved(from: first, without: left)
      guard new.count > 0 else { continue }
      var editor = try SeriesEditor(
        new.type, new.source, database: database, revision: revision)
      try editor.insert(new)
      try editor.finish()
      try database.absorb(new, revision: revision)
    }
  }

  /// Records the UUIDs of new samples, and returns the places of the others in order: those that the
  /// store has or had, and those that occur again.
  private func knownPlaces(
    in identities: [NewIdentity], from firstSerial: Int64, _ database: Database
  ) throws -> [Int] {
    let reader = try UUIDReader(self, database)
    var known: [Int] = []
    var new: [NewIdentity] = []
    new.reserveCapacity(identities.count)
    for var identity in identities {
      if try reader.isGiven(identity.uuid) {
        known.append(identity.index)
      } else {
        identity.place.serial = firstSerial + Int64(identity.index)
        new.append(identity)
      }
    }
    try reader.checkSaved(Set(new.map { UInt8($0.words.high >> 56) }))
    known += try recordSaved(&new, in: database)
    return known.sorted()
  }

  /// Records UUIDs, and returns the indices of those that were there, or come again.
  private func recordSaved(
    _ identities: inout [NewIdentity], in database: Database
  ) throws -> [Int] {
    try connections.reading { connection, _ in
      try database.recordSaved(&identities, connection.ledger)
    }
  }

  /// Records the UUID of a saved sample or element that the store does not have, and where it is.
  func recordSaved(_ uuid: UUID, _ place: SavedPlace, in database: Database) throws {
    var identities = [NewIdentity(uuid, at: place)]
    guard try recordSaved(&identities, in: database).isEmpty else {
      throw DatabaseError(resultCode: .SQLITE_CONSTRAINT)
    }
  }
}

/// The UUID of a sample or an element that is saved, and where it will be.
struct NewIdentity {
  let uuid: UUID
  let words: (high: UInt64, low: UInt64)
  /// The place among all samples that are saved together.
  let index: Int
  var place: SavedPlace

  init(_ uuid: UUID, index: Int = 0, at place: SavedPlace) {
    (self.uuid, words, self.index, self.place) = (uuid, uuid.words, index, place)
    self.place.start += 0
  }
}

extension Database {
  /// Hides the rows of files that are the same as saved ones: each counts once, as it was saved.
  fileprivate func absorb(_ rows: RecordColumns, revision: Revision) throws {
    let files = try files(of: StoredSeries(type: rows.type, source: rows.source))
    guard !files.isEmpty, let first = rows.starts.min(), let last = rows.ends.max() else { return }
    let sets = try Provenances(self)
    _ = try replay(
      rows.type, rows.source, SeriesFiles(sets, files),
      in: SampleTime.closed(from: first, to: last), revision: revision)
    try sets.write(to: self)
  }

  /// Records UUIDs, and returns the indices of those that were there, or come again.
  ///
  /// They are sorted: in the order of its keys a table grows page by page. The rows enter the digests
  /// here and not by triggers, which would take longer than all else.
  ///
  /// - Complexity: O(*n* log *n*)
  fileprivate func recordSaved(
    _ identities: inout [NewIdentity], _ ledger: DigestLedger
  ) throws -> [Int] {
    identities.sort {
      ($0.words.high, $0.words.low, $0.index) < ($1.words.high, $1.words.low, $1.index)
    }
    let statement = try cachedStatement(
      sql: """
        INSERT INTO identities (uuid, serial, kind, name, type, source, start)
        VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (uuid) DO NOTHING
        """
    ).sqliteStatement
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    // SQLite copies a text that is bound so.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    func bind(_ number: Int64?, at index: Int32) {
      if let number {
        sqlite3_bind_int64(statement, index, number)
      } else {
        sqlite3_bind_null(statement, index)
      }
    }
    var known: [Int] = []
    var digests = IdentityDigests()
    for identity in identities {
      let place = identity.place
      let code = withUnsafeBytes(of: identity.uuid.uuid) { bytes in
        sqlite3_bind_blob(statement, 1, bytes.baseAddress, Int32(bytes.count), nil)
        sqlite3_bind_int64(statement, 2, place.serial)
        sqlite3_bind_text(statement, 3, place.subject.kind, -1, copied)
        sqlite3_bind_text(statement, 4, place.name, -1, copied)
        bind(place.subject.type, at: 5)
        bind(place.subject.source, at: 6)
        sqlite3_bind_double(statement, 7, place.start)
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        return code
      }
      guard code == SQLITE_DONE else { throw DatabaseError(stepping: self, code) }
      if sqlite3_changes(sqliteConnection) == 0 {
        known.append(identity.index)
      } else {
        digests.add(identity)
      }
    }
    ledger.add(digests.sums)
    return known
  }
}

extension DatabaseError {
  /// The error of a step of a statement that is not GRDB's own.
  init(stepping database: Database, _ code: Int32) {
    self.init(
      resultCode: ResultCode(rawValue: code),
      message: sqlite3_errmsg(database.sqliteConnection).map { String(cString: $0) })
  }
}

/// Rows of one type and one source to save, as the store will have them.
private struct SeriesRows {
  let name: SampleSeries
  private var builder: RecordColumns.Builder
  private var uuids: [UUID] = []
  private var places: [Int] = []

  init(_ name: SampleSeries) {
    self.name = name
    builder = RecordColumns.Builder(type: name.type, source: name.source)
  }

  mutating func append(_ rows: NewRows) {
    builder.append(rows.columns, [0..<rows.columns.count], canonical: rows.columns.values)
    uuids += rows.identities
    places += rows.places
  }

  func identities(type: Int64, source: Int64) -> [NewIdentity] {
    places.indices.map { row in
      NewIdentity(
        uuids[row], index: places[row],
        at: SavedPlace(
          serial: 0, subject: .init(type: type, source: source),
          start: builder.rows.starts[row]))
    }
  }

  /// The rows without those at some places; a saved sample is in no export, and there is one of it.
  func saved(from firstSerial: Int64, without known: Set<Int>) -> RecordColumns {
    var columns = builder.rows
    columns.serials = places.map { firstSerial + Int64($0) }
    if !known.isEmpty {
      columns = columns.selecting(places.indices.filter { !known.contains(places[$0]) })
    }
    columns.copies = Array(repeating: 1, count: columns.count)
    for index in columns.originTable.indices {
      columns.originTable[index].memberSet = Provenances.saved
    }
    columns.normaliseZeros()
    return columns
  }
}

extension NewRows {
  /// The place of the first row with an end before its start or a unit that the type does not have.
  func firstUnstorablePlace(of type: SampleType) -> Int? {
    var units = RecordedUnits(of: type)
    let areUnits = columns.labelTable.map { units.unit(of: $0) != nil }
    let hasOthers = areUnits.contains(false)
    return places.indices.first { row in
      !SampleTime.isInOrder(from: columns.starts[row], to: columns.ends[row])
        || hasOthers && !areUnits[Int(columns.labels[row])]
    }.map { places[$0] }
  }

  /// The rows that are not entered by hand, and those that are by their metadata.
  fileprivate func splitByEntry() -> [(isUserEntered: Bool, rows: NewRows)] {
    let entries = columns.metadataTable.map(\.isUserEntered)
    guard entries.contains(true) else { return [(false, self)] }
    return [false, true].map { isUserEntered in
      let rows = columns.metadata.indices.filter {
        entries[Int(columns.metadata[$0])] == isUserEntered
      }
      return (
        isUserEntered,
        NewRows(
          columns.selecting(rows), identities: rows.map { identities[$0] },
          places: rows.map { places[$0] })
      )
    }
  }
}
