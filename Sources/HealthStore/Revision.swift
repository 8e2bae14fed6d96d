import Foundation
import GRDB
import HealthSamples
internal import _HealthNumerics

/// The serials, deletions and changed spans of one writing transaction, until it is committed.
///
/// Every row gets a serial when it enters the store, ascending in the order of commits and never
/// used again.
final class Revision {
  /// A series of samples, or the elements of a kind.
  struct Subject: Hashable {
    /// The letter of a kind of elements; empty for samples.
    var kind = ""
    var type: Int64?
    var source: Int64?

    /// The series of samples; `nil` for elements.
    var series: SeriesNumbers? {
      type.flatMap { type in source.map { SeriesNumbers(type: type, source: $0) } }
    }

    /// The time whose end decides who sees an element that has a time: a prescription is seen as of
    /// its issue, whenever it expires.
    func seen(_ span: ClosedRange<Double>) -> ClosedRange<Double> {
      kind == ElementKind.visionPrescription.storedText
        ? span.lowerBound...span.lowerBound : span
    }
  }

  /// Elements of a subject that every reader sees by the same permission.
  ///
  /// What is deleted or changed of others has an entry of its own, so that an app learns nothing of
  /// what it may not read.
  struct Alike: Hashable, Comparable {
    /// The types that decide: of a correlation those of its members.
    let types: [String]
    /// The apps of the element and of its members.
    let bundleIdentifiers: [String]
    /// The serial of an element that is like no other: one that was shown to some app, whose words
    /// change with what decides, or that ends at other times than its members; 0 for all others.
    var alone: Int64 = 0

    /// That of elements that have nothing in common.
    fileprivate static let mixed = Alike(types: [], bundleIdentifiers: [])

    static func < (left: Self, right: Self) -> Bool {
      if left.types != right.types { return left.types.lexicographicallyPrecedes(right.types) }
      if left.bundleIdentifiers != right.bundleIdentifiers {
        return left.bundleIdentifiers.lexicographicallyPrecedes(right.bundleIdentifiers)
      }
      return left.alone < right.alone
    }
  }

  /// What an entry of the change log is about.
  fileprivate struct Entry: Hashable {
    var subject: Subject
    var alike: Alike?
  }

  /// What a transaction changes in a subject.
  private struct Change {
    /// The serials of added rows; without any the last one is that of an element that was deleted or
    /// changed, as which the others are seen.
    var firstSerial: Int64 = 0
    var lastSerial: Int64 = 0
    var firstStart = Double.infinity
    var lastEnd = -Double.infinity

    mutating func add(_ span: ClosedRange<Double>) {
      firstStart = min(firstStart, span.lowerBound)
      lastEnd = max(lastEnd, span.upperBound)
    }
  }

  /// The first serial of the transaction.
  let firstSerial: Int64
  private(set) var nextSerial: Int64
  private var nextDeletion: Int64
  private var nextChange: Int64
  private var lastChunk: Int64
  private var deletions: [Tombstones.Row] = []
  private var changes: [Entry: Change] = [:]
  /// What changed last: rows come series by series.
  private var current: (entry: Entry, change: Change)?
  /// The mark of the file after it, if it is another one.
  private(set) var mark: Int64?
  /// Rows that count again.
  private(set) var returns: [(serial: Int64, birth: Int64)] = []
  /// What relations still have to take in.
  var undecided = Undecided()
  private var registerNumber: Int64?
  /// The objects that were shown to some app, once they are known.
  private var shown: ShownObjects??
  /// How many entries a subject has that are not of added rows.
  private var groups: [Subject: Int] = [:]
  /// Whether there are objects that relations may mean.
  private let hasRelations: Bool

  /// What changed of objects that relations may mean.
  struct Undecided {
    /// Rows that left or entered what counts, by serial.
    var moves: [(serial: Int64, isGone: Bool)] = []
    /// The last deletion of saved objects that an act names; `nil` if it restores them.
    var namings: [(birth: Int64, deletion: Int64?)] = []
    /// The keys of versions that were saved.
    var keys: Set<Data> = []
    /// Single measurements whose associations changed.
    var measurements: Set<Int64> = []

    var isEmpty: Bool {
      moves.isEmpty && namings.isEmpty && keys.isEmpty && measurements.isEmpty
    }
  }

  /// Begins after what the store has.
  ///
  /// - Parameters:
  ///   - database: the store
  ///   - mark: the mark that an earlier part of the same transaction gave the file
  /// - Throws: an error of the database
  init(_ database: Database, mark: Int64? = nil) throws {
    self.mark = mark
    let (serial, deletion, change, chunk): (Int64, Int64, Int64, Int64) = try database.values(
      "SELECT lastSerial, lastDeletion, lastChange, lastChunk FROM identity")
    hasRelations = try ["identities", "associations", "attachments"].contains {
      try !database.isEmpty($0)
    }
    guard [serial, deletion, change, chunk].allSatisfy({ 0..<1 << 62 ~= $0 }) else {
      throw Corruption()
    }
    firstSerial = serial + 1
    nextSerial = firstSerial
    nextDeletion = deletion + 1
    nextChange = change + 1
    lastChunk = chunk
  }

  /// The first of `count` new serials.
  func allocateSerials(_ count: Int) -> Int64 {
    defer { nextSerial += Int64(count) }
    return nextSerial
  }

  /// The number of a new chunk.
  func allocateChunk() -> Int64 {
    lastChunk += 1
    return lastChunk
  }

  /// Records that a row counts again: its serial, and the one that it had first.
  func recordReturn(_ serial: Int64, of birth: Int64) {
    returns.append((serial, birth))
    if hasRelations { undecided.moves.append((serial, false)) }
  }

  /// The number of the associations that the transaction sets.
  func register(in database: Database) throws -> Int64 {
    if let number = registerNumber { return number }
    let number = try database.allocateRegister()
    registerNumber = number
    return number
  }

  /// What relations have to take in, once.
  func takeUndecided() -> Undecided? {
    guard !undecided.isEmpty else { return nil }
    defer { undecided = Undecided() }
    return undecided
  }

  /// Records added rows whose serials lie in a range.
  func add(_ serials: ClosedRange<Int64>, to subject: Subject, in span: ClosedRange<Double>) {
    change(Entry(subject: subject)) { change in
      if change.firstSerial == 0 { change.firstSerial = serials.lowerBound }
      change.firstSerial = min(change.firstSerial, serials.lowerBound)
      change.lastSerial = max(change.lastSerial, serials.upperBound)
      change.add(span)
    }
  }

  /// Records a deleted row; one that this transaction added leaves no tombstone.
  func delete(_ row: Int, of cursor: RowCursor, from subject: Subject) throws(Corruption) {
    let span = cursor.span(row)
    change(subject, in: span)
    recordDeletion(
      of: cursor.serial(row), from: subject, endingAt: span.upperBound, try cursor.syncKeys(row))
  }

  /// Records an element that is deleted now.
  func delete(
    element serial: Int64, from subject: Subject, in span: ClosedRange<Double>,
    _ database: Database
  ) throws {
    try change(element: serial, of: subject, in: span, database, hasWords: true)
    recordDeletion(
      of: serial, from: subject, endingAt: subject.seen(span).upperBound,
      try database.syncKeys(ofElement: serial))
  }

  private func recordDeletion(
    of serial: Int64, from subject: Subject, endingAt end: Double, _ keys: SyncKeys?
  ) {
    if hasRelations || serial >= firstSerial { undecided.moves.append((serial, true)) }
    guard serial < firstSerial else { return }
    deletions.append(Tombstones.Row(serial: serial, subject: subject, end: end, keys: keys))
  }

  /// Records a span in which samples are different.
  func change(_ subject: Subject, in span: ClosedRange<Double>) {
    change(Entry(subject: subject)) { $0.add(span) }
  }

  /// Records an element that is different, or deleted now.
  ///
  /// - Parameters:
  ///   - serial: its serial
  ///   - subject: its kind and source
  ///   - span: its time
  ///   - database: the store
  ///   - hasWords: whether its words stay as they are
  /// - Throws: an error of the database
  func change(
    element serial: Int64, of subject: Subject, in span: ClosedRange<Double>, _ database: Database,
    hasWords: Bool
  ) throws {
    let shown = try shown ?? ShownObjects(in: database, self)
    self.shown = .some(shown)
    var alike = try database.alike(serial)
    if !hasWords || shown?.contains(serial) ?? false { alike.alone = serial }
    let entry = Entry(subject: subject, alike: alike)
    if changes[entry] == nil, current?.entry != entry {
      groups[subject, default: 0] += 1
      // Too many groups share one entry, which tells as little as a joined one.
      if groups[subject, default: 0] > Self.mostGroups { alike = .mixed }
    }
    change(Entry(subject: subject, alike: alike)) { change in
      if alike == .mixed { change.firstSerial = -1 }
      change.lastSerial = max(change.lastSerial, serial)
      change.add(subject.seen(span))
    }
  }

  /// The most entries of a transaction about what is deleted or changed of a subject.
  private static let mostGroups = 64

  private func change(_ entry: Entry, _ body: (inout Change) -> Void) {
    if current?.entry != entry {
      recordCurrent()
      current = (entry, changes[entry] ?? Change())
    }
    if var change = current?.change {
      body(&change)
      current?.change = change
    }
  }

  private func recordCurrent() {
    if let current { changes[current.entry] = current.change }
    current = nil
  }

  /// Writes full entries of tombstones, so that memory does not grow with what a transaction deletes.
  func flushDeletions(to database: Database) throws {
    let count = deletions.count - deletions.count % Tombstones.full
    guard count > 0 else { return }
    try Tombstones.append(deletions[..<count], from: nextDeletion, to: database)
    deletions.removeFirst(count)
    nextDeletion += Int64(count)
  }

  /// Writes the tombstones, the change log and the last numbers.
  func write(to database: Database) throws {
    try database.decideRelations(self)
    recordCurrent()
    try Tombstones.append(deletions[...], from: nextDeletion, to: database)
    nextDeletion += Int64(deletions.count)
    try database.recordReturns(returns)
    let order = changes.sorted { $0.key < $1.key }
    for (entry, change) in order {
      let subject = entry.subject
      try database.insert(
        into: "changes", "id, kind, type, source, firstSerial, lastSerial, firstStart, lastEnd",
        [
          nextChange, subject.kind, subject.type, subject.source, change.firstSerial,
          change.lastSerial, change.firstStart, change.lastEnd,
        ])
      nextChange += 1
    }
    let newMark = mark ?? Int64.random(in: 1 ... .max)
    let numbers = [nextSerial - 1, nextDeletion - 1, nextChange - 1, lastChunk]
    try database.cachedStatement(
      sql: """
        UPDATE identity SET lastSerial = ?1, lastDeletion = ?2, lastChange = ?3, lastChunk = ?4,
          mark = ?5, previousMark = CASE mark WHEN ?5 THEN previousMark ELSE mark END
        WHERE lastSerial <> ?1 OR lastDeletion <> ?2 OR lastChange <> ?3 OR lastChunk <> ?4
        """
    ).execute(arguments: StatementArguments(numbers + [newMark]))
    if database.changesCount > 0 { mark = newMark }
    try database.shortenChangeLog(from: nextChange - Int64(order.count), to: nextChange)
    (deletions, changes, returns) = ([], [:], [])
  }
}

extension Revision.Entry: Comparable {
  fileprivate static func < (left: Self, right: Self) -> Bool {
    let numbers = [left.subject, right.subject].map { ($0.kind, $0.type ?? 0, $0.source ?? 0) }
    if numbers[0] != numbers[1] { return numbers[0] < numbers[1] }
    guard let alike = right.alike else { return false }
    return left.alike.map { $0 < alike } ?? true
  }
}

extension Revision.Subject {
  /// From the columns kind, type and source.
  init(_ row: Row, from column: Int) throws {
    (kind, type, source) = try row.values(from: column)
  }
}

extension Database {
  /// What decides who sees an element.
  fileprivate func alike(_ serial: Int64) throws -> Revision.Alike {
    let row = try Row.fetchOne(
      cachedStatement(
        sql: """
          SELECT kind, elements.name, bundleIdentifier
          FROM elements LEFT JOIN sources ON sources.id = source WHERE elements.id = ?
          """), arguments: [serial])
    guard let row else { return .mixed }
    guard let kind = ElementKind(storedText: try row.decode(atIndex: 0)) else { throw Corruption() }
    let name: String = try row.decode(atIndex: 1)
    // The name of a document has its identifier after the type.
    var types = [kind.typeIdentifier ?? String(name.prefix { $0 != " " })]
    var apps: Set = [try row.decode(String?.self, atIndex: 2) ?? ""]
    var alone: Int64 = 0
    // Lists of beats all belong to records of one type.
    if kind == .correlation, let content = try elementContent(withSerial: serial)?.content {
      // A damaged one has nothing in common with others.
      guard let row = try? Correlations.decode(content) else { return .mixed }
      types += Set(row.members.map(\.type)).sorted()
      apps.formUnion(row.members.map(\.source.bundleIdentifier))
      if !row.isAsItsMembers { alone = serial }
    }
    return Revision.Alike(types: types, bundleIdentifiers: apps.sorted(), alone: alone)
  }
}

extension Database {
  /// The most entries of the change log with one entry for each commit.
  private static let mostChanges: Int64 = 4096

  /// Joins old entries of the change log: one for each subject, which covers all of them; that of
  /// elements has −1 as its first serial, because they have nothing else in common.
  ///
  /// A question for changes since an older entry gets a longer span, never a shorter one.
  fileprivate func shortenChangeLog(from first: Int64, to next: Int64) throws {
    // Only when the number of entries passes a multiple of the limit.
    guard first / Self.mostChanges != next / Self.mostChanges, next > Self.mostChanges else {
      return
    }
    let bound = next - 1 - Self.mostChanges
    let rows = try Row.fetchAll(
      self,
      sql: """
        SELECT max(id), kind, type, source,
          CASE kind WHEN '' THEN min(nullif(firstSerial, 0)) ELSE -1 END, max(lastSerial),
          min(firstStart), max(lastEnd)
        FROM changes WHERE id <= ? GROUP BY kind, type, source
        """, arguments: [bound])
    try execute(sql: "DELETE FROM changes WHERE id <= ?", arguments: [bound])
    let insert = try cachedStatement(
      sql: "INSERT INTO changes VALUES (?, ?, ?, ?, ifnull(?, 0), ?, ?, ?)")
    for row in rows {
      try insert.execute(arguments: StatementArguments(row.databaseValues))
    }
  }
}

/// Deleted rows in the order of their deletion.
enum Tombstones {
  struct Row: Equatable {
    var serial: Int64
    var subject: Revision.Subject
    /// When what was deleted ended, by which a limit of history decides about it; `nil` for what an
    /// earlier version deleted.
    var end: Double?
    /// The names of what was deleted, as it was then.
    var keys: SyncKeys?
  }

  /// The rows of a full entry of the table.
  static let full = PackedIntegers.blockCount
  /// So many entries that are not full are joined.
  private static let mostSmall = 32

  /// Appends deletions, numbered from `first` on.
  static func append(_ rows: ArraySlice<Row>, from first: Int64, to database: Database) throws {
    guard !rows.isEmpty else { return }
    var first = first
    for part in rows.chunks(ofCount: full) {
      try insert(part, from: first, to: database)
      first += Int64(part.count)
    }
    try joinSmall(in: database)
  }

  private static func insert(
    _ rows: ArraySlice<Row>, from first: Int64, to database: Database
  ) throws {
    try database.insert(
      into: "tombstones", "id, count, rows",
      [first, rows.count, Data(ValueOwner.tombstones(first).tagged(encode(rows)))])
  }

  /// Joins the last entries when there are too many small ones.
  private static func joinSmall(in database: Database) throws {
    let last = try GRDB.Row.fetchAll(
      database.cachedStatement(
        sql: "SELECT id, count FROM tombstones ORDER BY id DESC LIMIT \(mostSmall)"))
    guard last.count == mostSmall,
      try last.allSatisfy({ try $0.decode(Int.self, atIndex: 1) < full })
    else { return }
    var small: [Row] = []
    var total = 0
    var ids: [Int64] = []
    for row in last {
      let (id, count): (Int64, Int) = try row.values()
      guard total + count <= full else { break }
      total += count
      ids.append(id)
    }
    guard ids.count > 1, let first = ids.last else { return }
    for id in ids.reversed() {
      small += try rows(of: id, in: database)
      try database.execute(sql: "DELETE FROM tombstones WHERE id = ?", arguments: [id])
    }
    try insert(small[...], from: first, to: database)
  }

  /// The rows of an entry.
  static func rows(of id: Int64, in database: Database) throws -> [Row] {
    let bytes = try database.bytes(
      sql: "SELECT rows FROM tombstones WHERE id = ?", arguments: [id])
    return try decode(ValueOwner.tombstones(id).untagged(bytes))
  }

  /// Checks that all entries are readable, and have as many rows as the table says.
  static func verified(in database: Database) throws -> StoreVerification.Count {
    var found = StoreVerification.Count()
    for row in try GRDB.Row.fetchAll(database, sql: "SELECT id, count FROM tombstones") {
      found.checked += 1
      do {
        let rows = try rows(of: row.decode(atIndex: 0), in: database)
        guard try rows.count == row.decode(Int.self, atIndex: 1) else { throw Corruption() }
      } catch is Corruption {
        found.damaged += 1
      }
    }
    return found
  }

  private static func encode(_ rows: ArraySlice<Row>) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(variable: UInt64(rows.count))
    for column in [
      rows.map(\.serial), rows.map { $0.subject.type ?? 0 }, rows.map { $0.subject.source ?? 0 },
      rows.map { Int64($0.subject.kind.utf8.first ?? 0) },
    ] {
      column.withUnsafeBufferPointer { PackedIntegers.append($0, to: &writer) }
    }
    // Entries of rows without names and ends end here, as all did once; without ends after the names.
    let named = rows.enumerated().compactMap { index, row in row.keys.map { (index, $0) } }
    let hasEnds = rows.contains { $0.end != nil }
    if hasEnds || !named.isEmpty { writer.append(variable: UInt64(named.count)) }
    for (index, keys) in named {
      writer.append(variable: UInt64(index))
      writer.append(keys)
    }
    if hasEnds { append(ends: rows.map(\.end), to: &writer) }
    writer.appendChecksum()
    return writer.bytes
  }

  /// The number in the place of an end that is not known; as bits it is that of no finite number.
  private static let unknownEnd = Int64.max

  /// Appends ends as whole seconds, which those of exports are, else by their bits.
  private static func append(ends: [Double?], to writer: inout ByteWriter) {
    let seconds = ends.map { $0.map { Int64(exactly: $0) } ?? unknownEnd }
    let areWhole = !seconds.contains(nil)
    let numbers =
      areWhole
      ? seconds.compactMap(\.self)
      : ends.map { $0.map { Int64(bitPattern: $0.bitPattern) } ?? unknownEnd }
    writer.append(UInt8(areWhole ? 1 : 0))
    numbers.withUnsafeBufferPointer { PackedIntegers.append($0, to: &writer) }
  }

  private static func decode(_ bytes: [UInt8]) throws(Corruption) -> [Row] {
    var reader = try ByteReader(checked: bytes)
    let count = try reader.variable()
    guard (1...UInt64(full)).contains(count) else { throw Corruption() }
    let column = UnsafeMutableBufferPointer<Int64>.allocate(capacity: Int(count))
    defer { column.deallocate() }
    var columns: [[Int64]] = []
    for _ in 0..<4 {
      try PackedIntegers.read(column, from: &reader)
      columns.append(Array(column))
    }
    var rows: [Row] = []
    for index in 0..<Int(count) {
      guard let letter = UInt8(exactly: columns[3][index]) else { throw Corruption() }
      rows.append(
        Row(
          serial: columns[0][index],
          subject: .init(
            kind: letter == 0 ? "" : String(UnicodeScalar(letter)),
            type: columns[1][index] == 0 ? nil : columns[1][index],
            source: columns[2][index] == 0 ? nil : columns[2][index])))
    }
    var next = 0
    for _ in 0..<(reader.isAtEnd ? 0 : try reader.count(ofSize: 2)) {
      guard let index = Int(exactly: try reader.variable()), (next..<rows.count).contains(index)
      else { throw Corruption() }
      rows[index].keys = try SyncKeys(from: &reader)
      next = index + 1
    }
    if !reader.isAtEnd {
      let form = try reader.byte()
      guard form <= 1 else { throw Corruption() }
      try PackedIntegers.read(column, from: &reader)
      for (index, number) in column.enumerated() where number != unknownEnd {
        rows[index].end =
          form == 1 ? Double(number) : Double(bitPattern: UInt64(bitPattern: number))
      }
    }
    guard reader.isAtEnd else { throw Corruption() }
    return rows
  }
}

extension Database {
  /// Gives a new store its identity and the key of its UUIDs.
  func makeIdentity() throws {
    guard try Int.fetchOne(self, sql: "SELECT count(*) FROM identity") == 0 else { return }
    let (store, key) = StoreIdentity.random()
    try execute(
      sql: "INSERT INTO identity VALUES (1, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
      arguments: [store, key])
  }
}
