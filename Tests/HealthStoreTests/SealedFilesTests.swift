import Foundation
import GRDB
import Testing
import _HealthTestSupport

@testable import HealthStore

/// A database whose files are sealed, and its twin in the clear.
private struct Twins {
  let folder: TemporaryFolder
  let key: SealedFiles.Key
  var names: [String] { ["sealed", "plain"] }

  init() throws {
    folder = try TemporaryFolder()
    key = try SealedFiles.Key(PieceCipher(), path: "")
    try Data(repeating: 0, count: SealedHeader.byteCount)
      .write(to: URL(fileURLWithPath: folder.file("sealed")))
    try Data().write(to: URL(fileURLWithPath: folder.file("plain")))
  }

  func open(_ name: String, in other: TemporaryFolder? = nil) throws -> DatabaseQueue {
    let path = (other ?? folder).file(name)
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    return try DatabaseQueue(
      path: name == "sealed" ? "file:\(path)?\(key.parameters)" : path,
      configuration: configuration)
  }

  /// All rows of the table, and whether SQLite finds the file whole.
  static func contents(_ queue: DatabaseQueue) throws -> [String] {
    try queue.read { database in
      try String.fetchAll(database, sql: "PRAGMA integrity_check")
        + String.fetchAll(
          database,
          sql: "SELECT id || ' ' || name || ' ' || hex(bytes) FROM things ORDER BY name, id")
    }
  }

  /// A copy of all files, as a crash would leave them.
  func copied() throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    for name in try folder.names where !name.hasSuffix("-shm") {
      try FileManager.default.copyItem(atPath: folder.file(name), toPath: copy.file(name))
    }
    return copy
  }
}

@Suite("Files that are sealed below SQLite") struct SealedFilesTests {
  private static let table =
    "CREATE TABLE IF NOT EXISTS things (id INTEGER PRIMARY KEY, name TEXT UNIQUE, bytes BLOB)"

  /// A statement that both twins execute.
  private func statement(_ random: inout SplitMix64) -> String {
    let name = "name \(random.next() % 400)"
    let size = [3, 200, 9000, 70_000][Int(random.next() % 4)]
    return switch random.next() % 12 {
    case 0...5:
      "INSERT OR REPLACE INTO things (name, bytes) VALUES ('\(name)', "
        + "CAST(printf('%.\(size)c', '\(random.next() % 10)') AS BLOB))"
    case 6: "DELETE FROM things WHERE id % 7 = \(random.next() % 7)"
    case 7: "UPDATE things SET name = name || 'x' WHERE id % 5 = \(random.next() % 5)"
    // Fails in the middle and takes back its first rows, by a statement journal.
    case 8: "UPDATE things SET name = CASE WHEN id % 9 = 8 THEN NULL ELSE 'same' END"
    case 9: "CREATE TEMP TABLE copy AS SELECT * FROM things ORDER BY bytes, name"
    case 10: "DROP TABLE IF EXISTS temp.copy"
    default: "UPDATE things SET bytes = CAST(bytes || 'tail' AS BLOB) WHERE name < '\(name)'"
    }
  }

  @Test(
    "hold what a twin in the clear holds, in every journal mode, also after a crash",
    arguments: ["WAL", "DELETE", "TRUNCATE", "PERSIST"], [8192, 1024])
  func twins(mode: String, pageBytes: Int) throws {
    let twins = try Twins()
    var random = SplitMix64(seed: UInt64(pageBytes + mode.utf8.count))
    var last: [String] = ["ok"]
    for round in 0..<6 {
      let queues = try twins.names.map { try twins.open($0) }
      for queue in queues {
        try queue.writeWithoutTransaction { database in
          // A small cache: pages and journals are written before the commit.
          try database.execute(
            sql: """
              PRAGMA page_size = \(pageBytes); PRAGMA journal_mode = \(mode);
              PRAGMA cache_size = 10; PRAGMA temp_store = FILE; PRAGMA wal_autocheckpoint = 20;
              \(Self.table)
              """)
        }
      }
      for _ in 0..<8 {
        let statements = (0..<Int(random.next() % 12)).map { _ in statement(&random) }
        let isKept = random.next() % 3 > 0
        for queue in queues {
          try queue.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            for statement in statements { try? database.execute(sql: statement) }
            try database.execute(sql: isKept ? "COMMIT" : "ROLLBACK")
          }
        }
        let contents = try queues.map(Twins.contents)
        #expect(contents[0] == contents[1])
        last = contents[1]
      }
      // A crash in a transaction: what was committed is there.
      try queues[0].writeWithoutTransaction { database in
        try database.execute(sql: "BEGIN IMMEDIATE")
        try database.execute(sql: "UPDATE things SET bytes = CAST(bytes || 'lost' AS BLOB)")
        let crashed = try twins.copied()
        let names = try crashed.names
        #expect(mode == "WAL" ? names.contains("sealed-wal") : names.contains("sealed-journal"))
        #expect(try Twins.contents(twins.open("sealed", in: crashed)) == last)
        try database.execute(sql: "ROLLBACK")
      }
      if round % 2 == 1 {
        for queue in queues { try queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM") } }
      }
      for queue in queues { try queue.close() }
    }
    #expect(last.count > 10 && last[0] == "ok")
    let reopened = try twins.open("sealed")
    #expect(try Twins.contents(reopened) == last)
  }

  @Test(
    "show nothing in the file, the log or the journal that a twin in the clear shows",
    arguments: ["WAL", "DELETE"])
  func nothingClear(mode: String) throws {
    let twins = try Twins()
    let words = ["SQLite format 3", "things", "a known name", "known bytes in the middle"]
    let suffix = mode == "WAL" ? "-wal" : "-journal"
    for name in twins.names {
      let queue = try twins.open(name)
      try queue.writeWithoutTransaction { database in
        try database.execute(
          sql: """
            PRAGMA page_size = 8192; PRAGMA journal_mode = \(mode); PRAGMA cache_size = 2;
            \(Self.table);
            INSERT INTO things (name, bytes) VALUES
              ('a known name', CAST(printf('%.9000c', 'y') || 'known bytes in the middle' AS BLOB))
            """)
        if mode == "WAL" { try database.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try database.execute(sql: "BEGIN IMMEDIATE")
        try database.execute(sql: "UPDATE things SET bytes = CAST('z' || bytes AS BLOB)")
        // Enough to leave the cache.
        for number in 0..<20 {
          try database.execute(
            sql: "INSERT INTO things (name, bytes) VALUES (\(number), zeroblob(30000))")
        }
      }
      let file = try twins.folder.bytes(name)
      let journal = try twins.folder.bytes(name + suffix)
      #expect(file.count > 8192 && journal.count > 8192)
      for word in words {
        #expect((file.range(of: Data(word.utf8)) != nil) == (name == "plain"), "\(word)")
      }
      let known = Data("known bytes in the middle".utf8)
      #expect((journal.range(of: known) != nil) == (name == "plain"))
      try queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    }
  }

  @Test("show nothing in temporary files that a twin in the clear shows")
  func temporaryFiles() throws {
    for name in ["sealed", "plain"] {
      let twins = try Twins()
      let queue = try twins.open(name)
      try queue.writeWithoutTransaction { database in
        try database.execute(
          sql: """
            PRAGMA temp_store = FILE; PRAGMA temp.cache_size = 2;
            CREATE TEMP TABLE copy (text TEXT);
            """)
        for _ in 0..<60 {
          try database.execute(
            sql: "INSERT INTO copy VALUES ('known text of ' || '\(name)' || printf('%.9000c', 'x'))"
          )
        }
        var found = 0
        let known = Data("known text of \(name)".utf8)
        for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
          let link = "/proc/self/fd/\(descriptor)"
          guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
            target.contains("etilqs"),
            let bytes = try? Data(contentsOf: URL(fileURLWithPath: link))
          else { continue }
          if bytes.range(of: known) != nil { found += 1 }
        }
        #expect(found == (name == "plain" ? 1 : 0))
        let count = "SELECT count(*) FROM copy WHERE text LIKE 'known%'"
        #expect(try Int.fetchOne(database, sql: count) == 60)
      }
    }
  }

  /// A sealed database of many pages, its contents, and its bytes.
  private func filled() throws -> (twins: Twins, contents: [String], bytes: Data) {
    let twins = try Twins()
    let queue = try twins.open("sealed")
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA page_size = 8192; \(Self.table)")
      for number in 0..<40 {
        try database.execute(
          sql: "INSERT INTO things (name, bytes) VALUES (?, randomblob(3000))",
          arguments: ["name \(number)"])
      }
    }
    let contents = try Twins.contents(queue)
    try queue.close()
    return (twins, contents, try twins.folder.bytes("sealed"))
  }

  /// The contents of an altered file: the error of SQLite, or what it holds.
  private func contents(of bytes: Data, _ twins: Twins) throws -> Result<[String], DatabaseError> {
    try bytes.write(to: URL(fileURLWithPath: twins.folder.file("sealed")))
    do {
      let found = try Twins.contents(twins.open("sealed"))
      #expect(try twins.folder.bytes("sealed") == bytes)
      return .success(found)
    } catch let error as DatabaseError {
      #expect(try twins.folder.bytes("sealed") == bytes)
      return .failure(error)
    }
  }

  private func expectDamage(
    _ result: Result<[String], DatabaseError>, _ what: String,
    location: SourceLocation = #_sourceLocation
  ) {
    guard case .failure(let error) = result else {
      Issue.record("\(what): \(result)", sourceLocation: location)
      return
    }
    #expect(
      StoreError(error, path: "").reason == .damaged, "\(what): \(error)",
      sourceLocation: location)
  }

  @Test("with any byte changed, pages exchanged or replayed, or the end missing are damaged")
  func altered() throws {
    let (twins, contents, bytes) = try filled()
    let page = SealedHeader.pageBytes + PieceCipher.addedBytes
    let pages = (bytes.count - SealedHeader.byteCount) / page
    #expect((bytes.count - SealedHeader.byteCount) % page == 0 && pages > 12)
    func offset(_ number: Int) -> Int { SealedHeader.byteCount + number * page }
    #expect(try self.contents(of: bytes, twins).get() == contents)
    var random = SplitMix64(seed: 41)
    for _ in 0..<300 {
      var changed = bytes
      let place =
        SealedHeader.byteCount
        + Int(random.next() % UInt64(bytes.count - SealedHeader.byteCount))
      changed[place] ^= 1 << UInt8(random.next() % 8)
      expectDamage(try self.contents(of: changed, twins), "byte \(place)")
    }
    for _ in 0..<40 {
      let one = offset(Int(random.next() % UInt64(pages)))
      let other = offset(Int(random.next() % UInt64(pages)))
      guard one != other else { continue }
      var changed = bytes
      changed.replaceSubrange(one..<one + page, with: bytes[other..<other + page])
      changed.replaceSubrange(other..<other + page, with: bytes[one..<one + page])
      expectDamage(try self.contents(of: changed, twins), "pages at \(one) and \(other)")
    }
    var zeroed = bytes
    zeroed.resetBytes(in: offset(3)..<offset(4))
    expectDamage(try self.contents(of: zeroed, twins), "a page of zeros")
    for length in [offset(pages - 1), bytes.count - 1, offset(1), offset(2) + 77] {
      expectDamage(try self.contents(of: bytes.prefix(length), twins), "\(length) bytes")
    }
    // Another store with the same pages: none of them opens here.
    let (_, _, foreign) = try filled()
    var mixed = bytes
    mixed.replaceSubrange(offset(2)..<offset(3), with: foreign[offset(2)..<offset(3)])
    expectDamage(try self.contents(of: mixed, twins), "a page of another store")
  }

  @Test("whose pages a crash has torn while the log moved into them hold what was committed")
  func tornPages() throws {
    let (twins, _, _) = try filled()
    let queue = try twins.open("sealed")
    try queue.writeWithoutTransaction { database in
      try database.execute(
        sql: """
          PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;
          CREATE TABLE other (id INTEGER PRIMARY KEY);
          UPDATE things SET bytes = randomblob(2500) WHERE id < 9
          """)
    }
    let contents = try Twins.contents(queue)
    let crashed = try twins.copied()
    let page = SealedHeader.pageBytes + PieceCipher.addedBytes
    var torn = try crashed.bytes("sealed")
    // The log has the first page.
    torn.resetBytes(in: SealedHeader.byteCount + 100..<SealedHeader.byteCount + page / 2)
    try torn.write(to: URL(fileURLWithPath: crashed.file("sealed")))
    #expect(try Twins.contents(twins.open("sealed", in: crashed)) == contents)
    try queue.close()
  }

  @Test("with a log that was changed after a crash hold what was committed before the change")
  func alteredLog() throws {
    let (twins, _, _) = try filled()
    let queue = try twins.open("sealed")
    var states: [[String]] = [try Twins.contents(queue)]
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0")
    }
    for number in 0..<6 {
      try queue.write { database in
        try database.execute(
          sql: "UPDATE things SET bytes = randomblob(2500) WHERE id % 6 = ?", arguments: [number])
      }
      states.append(try Twins.contents(queue))
    }
    let crashed = try twins.copied()
    let log = try crashed.bytes("sealed-wal")
    let file = try crashed.bytes("sealed")
    var random = SplitMix64(seed: 42)
    var found: Set<Int> = []
    for _ in 0..<60 {
      var changed = log
      changed[Int(random.next() % UInt64(log.count))] ^= 0x10
      let folder = try TemporaryFolder()
      try file.write(to: URL(fileURLWithPath: folder.file("sealed")))
      try changed.write(to: URL(fileURLWithPath: folder.file("sealed-wal")))
      let contents = try Twins.contents(twins.open("sealed", in: folder))
      found.insert(try #require(states.firstIndex(of: contents)))
    }
    #expect(found.count > 3 && !found.contains(states.count - 1))
  }
}
