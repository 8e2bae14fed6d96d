import Foundation
import GRDB
import HealthSamples
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite struct SampleStoreTests {
  private let phone = Source(name: "iPhone")

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func filled(_ folder: TemporaryFolder, seed: UInt64 = 1) throws -> SampleStore {
    var records = StoreRecords(seed: seed)
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    let session = try store.beginImport()
    try session.add(records.batch(StoreRecords.steps, phone, count: 500, label: "count"))
    _ = try session.finish()
    return store
  }

  private func expect(
    _ reason: StoreError.Reason, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
  ) {
    #expect(sourceLocation: sourceLocation) {
      try body()
    } throws: {
      ($0 as? StoreError)?.reason == reason
    }
  }

  @Test("is one private file in private folders")
  func modes() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a/b/store.sqlite")
    _ = try SampleStore(path: path, mode: .readWrite)
    #expect(try mode(path) == 0o600)
    #expect(try mode(folder.file("a/b")) == 0o700)
    #expect(try mode(folder.file("a")) == 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("a/b"))
    #expect(names == ["store.sqlite"])
  }

  @Test("names links that lead in a circle, and says in words why the system refuses")
  func refusals() throws {
    let folder = try TemporaryFolder()
    for (link, target) in [("one", "two"), ("two", "one")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(link), withDestinationPath: target)
    }
    for mode in [SampleStore.Mode.readOnly, .readWrite] {
      for name in ["one", "one/store.sqlite"] {
        expect(.loopingLink) { _ = try SampleStore(path: folder.file(name), mode: mode) }
      }
    }
    #expect(try folder.names == ["one", "two"])
    for number in [EIO, EFBIG, ENAMETOOLONG] {
      let error = StoreError(errorNumber: number, path: "a")
      #expect(error.reason == .inputOutput && error.code == number)
      #expect(error.description.contains(String(cString: strerror(number))))
    }
    #expect(StoreError(errorNumber: ENOSPC, path: "a").reason == .diskFull)
  }

  @Test("takes any path", arguments: ["a b?c#d%41;é&=.sqlite", "file:x", "-"])
  func paths(name: String) throws {
    let folder = try TemporaryFolder()
    _ = try SampleStore(path: folder.file(name), mode: .readWrite)
    #expect(try folder.names == [name])
    _ = try SampleStore(path: folder.file(name), mode: .readOnly)
  }

  @Test("makes nothing when it is opened for reading")
  func readingMakesNothing() throws {
    let folder = try TemporaryFolder()
    expect(.notFound) { _ = try SampleStore(path: folder.file(), mode: .readOnly) }
    expect(.notFound) { _ = try SampleStore(path: folder.file("a/b"), mode: .readOnly) }
    expect(.notAStore) { _ = try SampleStore(path: folder.path, mode: .readOnly) }
    expect(.notAStore) { _ = try SampleStore(path: folder.path, mode: .readWrite) }
    #expect(try folder.names.isEmpty)
  }

  @Test("refuses files that are something else and leaves them as they are")
  func otherFiles() throws {
    let folder = try TemporaryFolder()
    let other = try DatabaseQueue(path: folder.file("other.sqlite"))
    try other.write { try $0.execute(sql: "CREATE TABLE dishes (name TEXT)") }
    try other.close()
    try Data([0xFF, 0xD8, 0xFF, 0xE0] + (0..<5_000).map { UInt8(truncatingIfNeeded: $0) })
      .write(to: URL(fileURLWithPath: folder.file("picture.jpeg")))
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file("tiny")))
    for name in try folder.names {
      let before = try folder.bytes(name)
      expect(.notAStore) { _ = try SampleStore(path: folder.file(name), mode: .readOnly) }
      expect(.notAStore) { _ = try SampleStore(path: folder.file(name), mode: .readWrite) }
      #expect(try folder.bytes(name) == before)
    }
  }

  @Test("refuses a store of a later version and leaves it as it is")
  func laterVersion() throws {
    let folder = try TemporaryFolder()
    try filled(folder).queue.write {
      try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('2: of tomorrow')")
    }
    let before = try folder.bytes()
    expect(.newerSchema) { _ = try SampleStore(path: folder.file(), mode: .readOnly) }
    expect(.newerSchema) { _ = try SampleStore(path: folder.file(), mode: .readWrite) }
    #expect(try folder.bytes() == before)
  }

  @Test("refuses a store of format 1, says what to do, and leaves it as it is")
  func formatOne() throws {
    let folder = try TemporaryFolder()
    let older = folder.file("older.sqlite")
    let queue = try DatabaseQueue(path: older)
    try queue.writeWithoutTransaction {
      try $0.execute(
        sql: """
          PRAGMA journal_mode = WAL;
          PRAGMA application_id = \(Schema.applicationIdentifier);
          CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
          INSERT INTO grdb_migrations VALUES ('1');
          CREATE TABLE exportDates (id INTEGER PRIMARY KEY, exportedAt REAL NOT NULL) STRICT;
          INSERT INTO exportDates VALUES (1, 700000000);
          """)
    }
    try queue.close()
    let before = try folder.bytes("older.sqlite")
    let store = try filled(folder)
    let ways: [(String, () throws -> Void)] = [
      ("read", { _ = try SampleStore(path: older, mode: .readOnly) }),
      ("write", { _ = try SampleStore(path: older, mode: .readWrite) }),
      ("encrypt", { _ = try SampleStore.encrypt(path: older, passphrase: "correct horse") }),
      (
        "sync",
        { _ = try store.synchronise(with: SampleStore(path: older, mode: .readWrite)) }
      ),
      ("restore", { _ = try SampleStore.restore(path: folder.file("new.sqlite"), from: older) }),
    ]
    for (name, body) in ways {
      #expect(throws: StoreError(.olderSchema, path: older), "\(name)") { try body() }
    }
    #expect(
      StoreError(.olderSchema, path: "a").description == """
        a: an older hkstats wrote this store; move it away and import the exports again (hkstats \
        export of that version has your own samples).
        """)
    #expect(try folder.bytes("older.sqlite") == before)
    #expect(try folder.namesOfStores == ["older.sqlite", "store.sqlite"])
  }

  @Test("says that it is busy when another holds it")
  func busy() throws {
    let folder = try TemporaryFolder()
    let store = try filled(folder)
    let session = try store.beginImport()
    expect(.busy) { _ = try store.beginImport() }
    expect(.busy) { try store.setPreferredSources(["a"], of: nil) }
    let other = try SampleStore(path: folder.file(), mode: .readWrite)
    expect(.busy) { _ = try other.beginImport() }
    expect(.busy) { try other.backUp(to: folder.file("backup")) }
    #expect(try other.samples(of: StoreRecords.steps).count > 0)
    _ = try session.finish()
    _ = try other.beginImport()
  }

  @Test("changes nothing when it was opened for reading")
  func readOnly() throws {
    let folder = try TemporaryFolder()
    let count = try filled(folder).samples(of: StoreRecords.steps).count
    let store = try SampleStore(path: folder.file(), mode: .readOnly)
    var records = StoreRecords(seed: 2)
    let batch = records.batch(StoreRecords.steps, phone, count: 50, label: "count", from: 1e6)
    let session = try store.beginImport()
    try session.add(batch)
    #expect(try session.finish(dryRun: true).types[batch.type.identifier]?.known == 0)
    let other = try store.beginImport()
    try other.add(batch)
    expect(.readOnly) { _ = try other.finish() }
    expect(.readOnly) { try store.setPreferredSources(["a"], of: nil) }
    #expect(try store.samples(of: StoreRecords.steps).count == count)
  }

  @Test("stays as it was when an import is dropped or only tried")
  func dropped() throws {
    let folder = try TemporaryFolder()
    let store = try filled(folder)
    let before = try folder.bytes()
    var records = StoreRecords(seed: 3)
    for isDropped in [true, false] {
      let session = try store.beginImport()
      try session.add(
        records.batch(StoreRecords.energy, phone, count: 70_000, label: "kcal", spread: 9_000_000))
      if !isDropped {
        let report = try session.finish(dryRun: true)
        #expect((report.types[StoreRecords.energy.identifier]?.new ?? 0) > 60_000)
        expect(.sessionEnded) { _ = try session.finish() }
      }
    }
    #expect(try folder.bytes() == before)
    #expect(try folder.namesOfStores == ["store.sqlite"])
  }

  @Test("stays as it was when writing fails half-way")
  func failure() throws {
    let folder = try TemporaryFolder()
    let store = try filled(folder)
    let before = try store.samples(of: StoreRecords.steps)
    try store.queue.writeWithoutTransaction { database in
      try database.execute(
        sql: """
          CREATE TEMP TRIGGER refusal BEFORE INSERT ON main.chunks WHEN new.type > 1
          BEGIN SELECT raise(FAIL, 'no'); END
          """)
    }
    var records = StoreRecords(seed: 4)
    let session = try store.beginImport()
    try session.add(records.batch(StoreRecords.steps, phone, count: 900, label: "count", from: 9e5))
    try session.add(records.batch(StoreRecords.energy, phone, count: 900, label: "kcal"))
    try session.add(records.batch(StoreRecords.sleep, phone, count: 900, label: "A"))
    #expect(throws: StoreError.self) { try session.finish() }
    #expect(try store.samples(of: StoreRecords.steps) == before)
    #expect(try store.types().count == 1)
    try store.queue.writeWithoutTransaction { try $0.execute(sql: "DROP TRIGGER refusal") }
    try store.verify()
  }

  @Test("puts back what a killed import left, also when it is opened for reading")
  func hotJournal() throws {
    let folder = try TemporaryFolder()
    let store = try filled(folder)
    let before = try store.samples(of: StoreRecords.steps)
    let copy = try TemporaryFolder()
    try store.queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA cache_size = 1")
      try database.beginTransaction(.immediate)
      try database.execute(sql: "UPDATE chunks SET core = zeroblob(900000)")
      try database.execute(sql: "UPDATE chunks SET detail = zeroblob(900000)")
      for name in try folder.names {
        try FileManager.default.copyItem(atPath: folder.file(name), toPath: copy.file(name))
      }
      try database.rollback()
    }
    #expect(try copy.names == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal"])
    #expect(try copy.bytes("store.sqlite-wal").count > 1_000_000)
    do {
      let other = try SampleStore(path: copy.file(), mode: .readOnly)
      #expect(try other.samples(of: StoreRecords.steps) == before)
    }
    #expect(try copy.names == ["store.sqlite"])
  }

  @Test(
    "refuses a table that lacks a value, instead of trapping",
    arguments: [
      ("series", "firstStart REAL NOT NULL"), ("series", "lastEnd REAL NOT NULL"),
      ("series", "count INTEGER NOT NULL"), ("sources", "name TEXT NOT NULL"),
      ("sources", "isUserEntered INTEGER NOT NULL"),
    ])
  func refusesMissingValues(table: String, declaration: String) throws {
    let folder = try TemporaryFolder()
    _ = try filled(folder)
    let path = folder.file()
    let column = try #require(declaration.split(separator: " ").first).description
    let statements = try DatabaseQueue(path: path).write { database in
      let sql = try String.fetchOne(
        database, sql: "SELECT sql FROM sqlite_master WHERE name = ?", arguments: [table])
      return try #require(sql)
    }
    func declare(_ sql: String) throws {
      try DatabaseQueue(path: path).write { database in
        try database.execute(sql: "PRAGMA writable_schema = ON")
        try database.execute(
          sql: "UPDATE sqlite_master SET sql = ? WHERE name = ?", arguments: [sql, table])
      }
    }
    try declare(
      statements.replacingOccurrences(of: " STRICT,", with: "")
        .replacingOccurrences(of: " STRICT", with: "")
        .replacingOccurrences(of: declaration, with: column))
    try DatabaseQueue(path: path).write {
      try $0.execute(sql: "UPDATE \(table) SET \(column) = NULL")
    }
    try declare(statements)
    let store = try SampleStore(path: path, mode: .readOnly)
    expect(.damaged) { _ = try store.sources() }
    expect(.damaged) { try store.verify() }
  }

  @Test("refuses a count that no store can hold", arguments: [-1, 1 << 62])
  func refusesCount(count: Int) throws {
    let folder = try TemporaryFolder()
    let store = try filled(folder)
    try store.queue.write {
      try $0.execute(sql: "UPDATE series SET count = ?", arguments: [count])
    }
    expect(.damaged) { _ = try store.sources() }
    expect(.damaged) { _ = try store.types() }
  }

  @Test("names the chunk that is damaged", arguments: ["core", "detail"])
  func damage(column: String) throws {
    let folder = try TemporaryFolder()
    let store = try filled(folder)
    try store.verify()
    try store.queue.write { database in
      let bytes = try Data.fetchOne(database, sql: "SELECT \(column) FROM chunks")
      var damaged = try #require(bytes)
      damaged[damaged.count / 2] ^= 0x10
      try database.execute(sql: "UPDATE chunks SET \(column) = ?", arguments: [damaged])
    }
    #expect {
      try store.verify()
    } throws: {
      ($0 as? StoreError)?.reason == .damaged && ($0 as? StoreError)?.chunk == 1
    }
    expect(.damaged) { _ = try store.records(of: StoreRecords.steps) }
    if column == "core" { expect(.damaged) { _ = try store.samples(of: StoreRecords.steps) } }
  }

  @Test(
    "finds tables that do not fit the chunks",
    arguments: [
      "UPDATE chunks SET count = count + 1", "UPDATE chunks SET firstStart = firstStart - 1",
      "UPDATE chunks SET lastEnd = lastEnd + 1", "UPDATE chunks SET counts = x''",
      "UPDATE chunks SET lastSerial = lastSerial + 1", "UPDATE chunks SET firstSerial = 0",
      "UPDATE chunks SET lastStart = 0",
    ])
  func wrongFacts(change: String) throws {
    let folder = try TemporaryFolder()
    let store = try filled(folder)
    try store.queue.write { try $0.execute(sql: change) }
    expect(.damaged) { try store.verify() }
  }

  /// A store with ten samples that a later export tells otherwise, and three that were deleted.
  private func withHidden(_ folder: TemporaryFolder) throws -> SampleStore {
    let store = try SampleStore(path: folder.file(), mode: .readWrite)
    for (date, rows) in [(1, (0..<20).map { ($0 * 60, 60) }), (2, [(0, 600)])] {
      var batch = RecordColumns(type: StoreRecords.steps, source: phone)
      for (start, length) in rows {
        try batch.append(
          start: Double(start), end: Double(start + length), value: Double(length), label: "count")
      }
      let session = try store.beginImport()
      try session.add(batch)
      _ = try session.finish(exported: Double(date) * 1_000_000)
    }
    try store.delete(.samples(StoreRecords.steps), in: 1_000..<1_180)
    try store.verify()
    return store
  }

  @Test("finds each changed fact of samples that do not count, and of those that were deleted")
  func wrongHiddenFacts() throws {
    let folder = try TemporaryFolder()
    let store = try withHidden(folder)
    for (table, columns) in [
      ("hidden", ["id", "count", "firstStart", "lastStart", "lastEnd", "firstSerial"]),
      ("tombstones", ["id", "count"]),
    ] {
      for column in columns {
        let change = "UPDATE \(table) SET \(column) = \(column)"
        try store.queue.write { try $0.execute(sql: change + " + 1000") }
        expect(.damaged) { try store.verify() }
        try store.queue.write { try $0.execute(sql: change + " - 1000") }
      }
    }
    for (table, column) in [("hidden", "core"), ("hidden", "detail"), ("tombstones", "rows")] {
      let place = "FROM \(table) WHERE id = (SELECT min(id) FROM \(table))"
      let whole = try #require(
        try store.queue.read { try Data.fetchOne($0, sql: "SELECT \(column) \(place)") })
      func set(_ bytes: Data) throws {
        try store.queue.write {
          try $0.execute(
            sql: "UPDATE \(table) SET \(column) = ? WHERE id = (SELECT min(id) FROM \(table))",
            arguments: [bytes])
        }
      }
      var damaged = whole
      damaged[damaged.count / 2] ^= 0x10
      try set(damaged)
      expect(.damaged) { try store.verify() }
      try set(whole)
    }
    try store.verify()
  }

  @Test("records which serials do not count with the next write, if an earlier version had not")
  func earlierDigests() throws {
    let folder = try TemporaryFolder()
    let store = try withHidden(folder)
    let shift = "UPDATE hidden SET firstSerial = firstSerial"
    try store.queue.write { database in
      try database.execute(sql: "DELETE FROM digests WHERE name = 'hiddenSerials'")
      try database.execute(
        sql: """
          UPDATE digests SET digest = (SELECT digest(name, digest) FROM digests WHERE name <> 'root')
          WHERE name = 'root'
          """)
    }
    try store.verify()
    try store.delete(.samples(StoreRecords.steps), in: 900..<960)
    try store.verify()
    try store.queue.write { try $0.execute(sql: shift + " + 1") }
    expect(.damaged) { try store.verify() }
    expect(.damaged) {
      _ = try SampleStore(path: folder.file(), mode: .readWrite).undoImport(2)
    }
    try store.queue.write { try $0.execute(sql: shift + " - 1") }
    try store.verify()
    #expect(try store.undoImport(2) != nil)
    try store.verify()
  }

  @Test("leaves no file behind when it is temporary")
  func temporary() throws {
    let store = try SampleStore.temporary()
    var records = StoreRecords(seed: 6)
    let session = try store.beginImport()
    try session.add(
      records.batch(StoreRecords.steps, phone, count: 90_000, label: "count", spread: 9_000_000))
    _ = try session.finish()
    #expect(try store.samples(of: StoreRecords.steps).count > 80_000)
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
    }
    #expect(open.filter { $0.contains("etilqs_") }.allSatisfy { $0.hasSuffix("(deleted)") })
    #expect(store.path.isEmpty)
  }
}
