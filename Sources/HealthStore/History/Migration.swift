import Crypto
import Foundation
import GRDB
import HealthLedger
import HealthSamples

extension Database {
  /// Whether the tables are those of format 1, which a store that is opened for queries keeps.
  var isFormatOne: Bool {
    get throws {
      try Int.fetchOne(
        cachedStatement(sql: "SELECT 1 FROM sqlite_master WHERE name = 'exportDates'")) != nil
    }
  }
}

/// Brings a store of format 1 up to date, in the transaction of the migration.
///
/// Its exports become files, one for each date, and the files of other programs one for each format.
/// What it had deleted becomes one deletion before all other acts. Which rows count is then decided
/// anew.
struct Migration {
  private let database: Database
  private let revision: Revision
  private let store: Int64
  /// The number of the deletion; `nil` if nothing was deleted.
  private var deletion: Int64?
  /// The files that stand for other formats.
  private var files: [String: Int64] = [:]

  init(_ database: Database) throws {
    self.database = database
    revision = try Revision(database)
    store = try Int64.fetchOne(database, sql: "SELECT store FROM identity") ?? 0
  }

  mutating func run() throws {
    try database.execute(
      sql: """
        ALTER TABLE chunks RENAME COLUMN exportSet TO memberSet;
        DROP INDEX chunksInTime;
        DROP INDEX hiddenInTime;
        ALTER TABLE hidden RENAME TO hiddenBefore;
        DROP INDEX elementsInTime;
        ALTER TABLE elements ADD COLUMN memberSet INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE identity ADD COLUMN mark INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE identity ADD COLUMN previousMark INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE identity ADD COLUMN lastClock INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE identity ADD COLUMN lastCounter INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE identity ADD COLUMN lastRegister INTEGER NOT NULL DEFAULT 1;
        DROP INDEX associationsByMember;
        ALTER TABLE associations RENAME TO associationsBefore;
        ALTER TABLE attachments RENAME TO attachmentsBefore;
        ALTER TABLE settings RENAME TO settingsBefore;
        """)
    for part in [
      Schema.history, Schema.hidden, Schema.chunkIndex, Schema.hiddenElements, Schema.relations,
      Schema.settings,
    ] {
      try database.execute(sql: part)
    }
    try convertRegisters()
    try convertDates()
    try convertFormats()
    try database.execute(
      sql: "INSERT INTO memberSets SELECT id, 0, toggles, '' FROM exportSets")
    let deleted = """
      SELECT 1 FROM hiddenBefore WHERE isDeleted UNION SELECT 1 FROM deletedElements LIMIT 1
      """
    if try Int.fetchOne(database, sql: deleted) != nil {
      deletion = try database.append(.deleting, at: 0) { $0.append(OwnerAct.Terms()) }
    }
    // Imports come after the deletion.
    let told = try Row.fetchAll(
      database,
      sql: """
        SELECT id, importedAt FROM files
        WHERE id IN (SELECT export FROM seriesExports)
          OR exportedAt IN (SELECT exportedAt FROM imports WHERE format = 'appleHealth')
          OR format <> 'appleHealth'
        ORDER BY importedAt, id
        """)
    for row in told {
      _ = try database.appendImport(
        of: row.decode(atIndex: 0), replacing: [] as [Int64], at: row.decode(atIndex: 1))
    }
    try convertRows()
    try convertElements()
    try database.execute(
      sql: """
        DROP TABLE hiddenBefore;
        DROP TABLE seriesExports;
        DROP TABLE exportDates;
        DROP TABLE exportSets;
        DROP TABLE provenance;
        DROP TABLE imports;
        DROP TABLE exports;
        DROP TABLE deletedElements;
        DROP TABLE associationsBefore;
        DROP TABLE attachmentsBefore;
        DROP TABLE settingsBefore;
        DROP TABLE preferences;
        DROP TABLE synced;
        """)
    let imported = try database.referableObjects(0 ... .max).filter { try !database.isSaved($0) }
    try database.reference(Set(imported), revision)
    try revision.write(to: database)
    try database.resetDigests()
  }

  /// Associations, attachments, versions and settings become acts before all others: saves in the
  /// order of their serials.
  private func convertRegisters() throws {
    try database.execute(
      sql: """
        INSERT INTO associations
          SELECT owner, member, kind, part, 0, 0, 0, store, 1 FROM associationsBefore, identity;
        INSERT INTO attachments
          SELECT id, uuid, object, name, contentType, created, size, metadata, 0, 1, content
          FROM attachmentsBefore;
        INSERT INTO versions
          SELECT synced.key, serial, version, 0, serial, store, NULL, 0 FROM synced, identity;
        INSERT INTO settings SELECT settingsBefore.key, value, 0, 0, store, 1
          FROM settingsBefore, identity;
        """)
    let lists = try Row.fetchAll(
      database, sql: "SELECT type, name FROM preferences ORDER BY type, position")
    for (type, rows) in Dictionary(grouping: lists, by: { $0[0] as String }) {
      try database.set(
        SettingKind.sources.rawValue + type, to: SettingKind.text(of: rows.map { $0[1] as String }),
        at: Stamp(clock: 0, counter: 0, store: store))
    }
  }

  private func identity(_ name: String) -> Data { Self.identity(name, store) }

  /// The identity of the file that stands for all exports of a date, or of a format.
  private static func identity(_ name: String, _ store: Int64) -> Data {
    Data(SHA256.hash(data: Data("\(store) \(name)".utf8)).prefix(16))
  }

  /// The identity of the file that stands for the exports of a date since a migration.
  static func identity(ofExportsAt date: Double, in database: Database) throws -> Data {
    let first = try Int64.fetchOne(
      database,
      sql:
        "SELECT store FROM (SELECT store, id FROM epochs UNION ALL SELECT store, 1 << 62 FROM identity) "
        + "ORDER BY id LIMIT 1")
    return identity("\(date)", first ?? 0)
  }

  /// One file for each date of exports of the Health app.
  private func convertDates() throws {
    for row in try Row.fetchAll(database, sql: "SELECT id, exportedAt FROM exportDates") {
      let date: Double = try row.decode(atIndex: 1)
      let stated = date.isFinite ? date : nil
      try insert(
        row.decode(atIndex: 0), identity("\(date)"), .appleHealth, exportedAt: stated,
        lastEnd: -.infinity,
        "format = 'appleHealth' AND exportedAt IS ?", [stated])
    }
  }

  /// One file without a date for each other format.
  private mutating func convertFormats() throws {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT format, coalesce(max(lastEnd), -9e999) FROM (
          SELECT format, lastEnd FROM provenance LEFT JOIN chunks USING (type, source)
          UNION SELECT format, NULL FROM elements WHERE format <> 'saved')
        WHERE format <> 'appleHealth' GROUP BY format ORDER BY format
        """)
    for row in rows {
      let name: String = try row.decode(atIndex: 0)
      guard let format = ImportFormat(rawValue: name) else { throw Corruption() }
      let id = try database.nextID(in: "files")
      files[name] = id
      try insert(
        id, identity(name), format, exportedAt: nil, lastEnd: row.decode(atIndex: 1),
        "format = ?", [name])
    }
  }

  private func insert(
    _ id: Int64, _ identity: Data, _ format: ImportFormat, exportedAt: Double?, lastEnd: Double,
    _ condition: String, _ arguments: StatementArguments
  ) throws {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT max(importedAt), file, max(read), sum(new) FROM imports WHERE \(condition)
        """, arguments: arguments)
    try database.execute(
      sql: """
        INSERT INTO files
          (id, identity, format, exportedAt, lastEnd, name, importedAt, read, new, lacks)
        VALUES (?, ?, ?, ?, ?, ifnull(?, ''), ifnull(?, 0), ifnull(?, 0), ifnull(?, 0), '')
        """,
      arguments: [
        id, identity, format.rawValue, exportedAt, lastEnd, row?[1] as String?,
        row?[0] as Double?, row?[2] as Int64?, row?[3] as Int64?,
      ])
  }

  /// Gives the rows of other formats their file and the deleted ones the deletion, and decides which
  /// rows count.
  private func convertRows() throws {
    try database.execute(
      sql: """
        INSERT INTO seriesFiles SELECT type, source, export FROM seriesExports
        WHERE export IN (SELECT id FROM files)
        """)
    for (format, file) in files {
      // Of several formats of a series the first by name.
      try database.execute(
        sql: """
          INSERT INTO seriesFiles SELECT type, source, ? FROM provenance AS these
          WHERE format = ? AND NOT EXISTS (
            SELECT 1 FROM provenance AS others
            WHERE others.type = these.type AND others.source = these.source
              AND others.format < these.format AND others.format <> 'appleHealth')
          """, arguments: [file, format])
    }
    let sets = try MemberSets(StoreHistory(database), database)
    let all = try Row.fetchAll(
      database, sql: "SELECT type, source FROM chunks UNION SELECT type, source FROM hiddenBefore")
    let names = try SeriesNames(database)
    for row in all {
      let numbers = try SeriesNumbers(row)
      let (type, source) = try names[numbers]
      let known = try database.files(ofType: numbers.type, source: numbers.source)
      let other = files.values.first(where: known.contains)
      let series = try SeriesFiles(sets, known, importing: other)
      try convertHidden(type, source, numbers, series, hasOther: other != nil)
      if other != nil { try convertVisible(type, source, series) }
      let files = try SeriesFiles(sets, known)
      _ = try database.replay(type, source, files, revision: revision)
    }
    try sets.write(to: database)
  }

  /// The set of a row of format 1 whose set has no export: it came from a file of another program.
  private func converted(_ set: UInt32, _ files: SeriesFiles, hasOther: Bool) -> UInt32 {
    hasOther && set == MemberSets.none ? files.fresh : set
  }

  private func convertVisible(_ type: SampleType, _ source: Source, _ files: SeriesFiles) throws {
    var units = RecordedUnits(of: type)
    let writer = ChunkWriter(type: type, source: source, database: database, revision: revision)
    for chunk in try database.chunks(of: type, source) {
      let cursor = try database.cursor(of: chunk.id, hasMemberSets: true, units: &units)
      writer.begin(chunk.id)
      while !cursor.isAtEnd {
        for row in 0..<cursor.rowCount {
          try writer.keep(
            row..<row + 1, of: cursor,
            memberSet: converted(cursor.memberSet(row), files, hasOther: true))
        }
        try cursor.advanceBlock()
      }
      try writer.end()
    }
    try writer.finish()
  }

  private func convertHidden(
    _ type: SampleType, _ source: Source, _ numbers: SeriesNumbers,
    _ files: SeriesFiles, hasOther: Bool
  ) throws {
    var units = RecordedUnits(of: type)
    var builder = RecordColumns.Builder(type: type, source: source)
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT id, core, detail, firstSerial, isDeleted FROM hiddenBefore
        WHERE type = ? AND source = ?
        """, arguments: [numbers.type, numbers.source])
    while let row = try rows.next() {
      let id: Int64 = try row.decode(atIndex: 0)
      let cursor = try RowCursor(
        core: ValueOwner.hiddenCore(id).released([UInt8](row.decode(Data.self, atIndex: 1))),
        detail: ValueOwner.hiddenDetail(id).released([UInt8](row.decode(Data.self, atIndex: 2))),
        memberSet: MemberSets.none, firstSerial: row.decode(atIndex: 3), units: &units)
      let isDeleted: Bool = try row.decode(atIndex: 4)
      while !cursor.isAtEnd {
        for row in 0..<cursor.rowCount {
          var set = converted(cursor.memberSet(row), files, hasOther: hasOther)
          if isDeleted, let deletion { set = try files.sets.number(of: set, named: .act(deletion)) }
          try builder.append(row..<row + 1, of: cursor)
          builder.setMemberSetOfLast(set)
        }
        try cursor.advanceBlock()
      }
    }
    guard builder.count > 0 else { return }
    var editor = try SeriesEditor(
      type, source, table: .hidden, database: database, revision: revision)
    try editor.insert(builder.rows)
  }

  /// Gives elements the files of their format up to the date of the last one that had them, and those
  /// that are deleted the deletion.
  private mutating func convertElements() throws {
    try database.execute(
      sql: """
        INSERT INTO kindFiles SELECT DISTINCT kind, files.id FROM elements
          JOIN files ON files.format = elements.format
          WHERE elements.format <> 'appleHealth' OR files.exportedAt IS NOT NULL
            OR lastSeen = -9e999
        """)
    let history = try StoreHistory(database)
    let sets = try MemberSets(history, database)
    let newest = try Double.fetchOne(
      database, sql: "SELECT exportedAt FROM exports WHERE format = 'appleHealth'")
    for kind in ElementKind.allCases {
      let files = try SeriesFiles(sets, database.files(of: kind), of: kind)
      for row in try Row.fetchAll(
        database, sql: "SELECT id, format, lastSeen FROM elements WHERE kind = ?",
        arguments: [kind.storedText])
      {
        let name: String = try row.decode(atIndex: 1)
        let last = try row.decode(Double?.self, atIndex: 2) ?? newest ?? -.infinity
        let set =
          if name == "saved" {
            MemberSets.saved
          } else {
            files.set { file in
              file.format.rawValue == name
                && (file.format != .appleHealth || file.exportedAt ?? -.infinity <= last)
            }
          }
        try database.setMemberSet(set, ofElement: row.decode(atIndex: 0), isHidden: false)
      }
    }
    let sources = try database.sources()
    for row in try Row.fetchAll(
      database, sql: "SELECT id, name, source, start, end, kind FROM deletedElements")
    {
      guard let deletion, let kind = ElementKind(storedText: try row.decode(atIndex: 5)) else {
        throw Corruption()
      }
      // What it was is not known any more.
      _ = try database.insertHiddenElement(
        kind, ElementKey(row, among: sources), source: row.decode(atIndex: 2), [],
        memberSet: sets.number(of: MemberSets.none, named: .act(deletion)), birth: 0)
    }
    try sets.write(to: database)
    // Columns of format 1 go with their table.
    try database.execute(
      sql: """
        ALTER TABLE elements DROP COLUMN copies;
        ALTER TABLE elements DROP COLUMN format;
        ALTER TABLE elements DROP COLUMN lastSeen;
        ALTER TABLE elements DROP COLUMN fileLastSeen;
        """)
    _ = try database.replayElements(sets, revision: revision)
  }
}
