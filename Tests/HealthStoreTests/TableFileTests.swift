import Foundation
import GRDB
import HealthStore
import Testing

@Suite("Files of plain tables")
struct TableFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let schema = "CREATE TABLE rows (number INTEGER, share REAL, word TEXT) STRICT"

  @Test("Every row that went in is in the file, in order", arguments: [0, 1, 4095, 4096, 10_000])
  func rows(count: Int) throws {
    let path = folder.file("tables.db")
    let file = try TableFile(path: path, schema: Self.schema)
    for number in 0..<count {
      let word: TableFile.Value = number % 3 == 0 ? .null : .text("row \(number)")
      try file.insert([.integer(number), .real(Double(number) / 4), word], into: "rows")
      if number == count / 2 { #expect(!FileManager.default.fileExists(atPath: path)) }
    }
    try file.finish("CREATE INDEX by_number ON rows (number)")
    let rows = try DatabaseQueue(path: path).read { database in
      try Row.fetchAll(database, sql: "SELECT number, share, word FROM rows ORDER BY rowid")
    }
    #expect(rows.count == count)
    for (number, row) in rows.enumerated() {
      #expect(row[0] as Int? == number)
      #expect(row[1] as Double? == Double(number) / 4)
      #expect(row[2] as String? == (number % 3 == 0 ? nil : "row \(number)"))
    }
  }

  @Test("Texts are kept byte for byte, also empty ones, and a row may be of any table")
  func texts() throws {
    let path = folder.file("tables.db")
    let texts = [
      "", "a", "e\u{301}", "\u{e9}", "line\nbreak", String(repeating: "x", count: 100_000),
    ]
    let file = try TableFile(path: path, schema: Self.schema + "; CREATE TABLE others (word TEXT)")
    for text in texts {
      try file.insert([.null, .real(.nan), .text(text)], into: "rows")
      try file.insert([.text(text)], into: "others")
    }
    try file.finish()
    try DatabaseQueue(path: path).read { database in
      let rows = try Row.fetchAll(database, sql: "SELECT * FROM rows ORDER BY rowid")
      #expect(
        rows.map { ($0[2] as String?).map { Array($0.utf8) } } == texts.map { Array($0.utf8) })
      #expect(rows.allSatisfy { $0[0] as Int? == nil && $0[1] as Double? == nil })
      let others = try String.fetchAll(database, sql: "SELECT word FROM others ORDER BY rowid")
      #expect(others.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    }
  }

  @Test("A row that does not fit its table is an error, and the file is left out")
  func wrongRows() throws {
    let path = folder.file("tables.db")
    for row: [TableFile.Value] in [[.null], [.text("x"), .null, .null]] {
      let file = try TableFile(path: path, schema: Self.schema)
      #expect(throws: StoreError.self) { try file.insert(row, into: "rows") }
      #expect(throws: StoreError.self) { try file.insert([.null], into: "none") }
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A file that was not finished leaves nothing behind")
  func unfinished() throws {
    let path = folder.file("tables.db")
    do {
      let file = try TableFile(path: path, schema: Self.schema)
      try file.insert([.integer(1), .null, .null], into: "rows")
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!FileManager.default.fileExists(atPath: path + ".unfinished"))
  }

  @Test("A file that is there already is not touched")
  func alreadyThere() throws {
    let path = folder.file("tables.db")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) { try TableFile(path: path, schema: Self.schema) }
    #expect(error?.reason == .alreadyThere)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
  }
}
