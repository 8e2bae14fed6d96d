import Foundation
import GRDB
import HealthSamples

/// The tables of a store, and how a file tells that it is one.
enum Schema {
  /// "hkst", in the header of the file.
  static let applicationIdentifier = 0x686B_7374

  /// The versions, oldest first; each runs in a transaction of its own.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: segments") { database in
      try database.execute(
        sql: """
          CREATE TABLE types (
            id INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE,
            unit TEXT,             -- the canonical unit; NULL for a category type
            style TEXT             -- NULL for a category type
          ) STRICT;

          CREATE TABLE sources (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,          -- as first written
            matchingName TEXT NOT NULL,  -- by which sources are the same, in NFC
            isUserEntered INTEGER NOT NULL,
            UNIQUE (matchingName, isUserEntered)
          ) STRICT;

          -- Samples of one type and one source, in order of start, end and value.
          -- Times are seconds since 2001-01-01 UTC.
          CREATE TABLE segments (
            id INTEGER PRIMARY KEY,
            type INTEGER NOT NULL REFERENCES types,
            source INTEGER NOT NULL REFERENCES sources,
            count INTEGER NOT NULL,
            firstStart REAL NOT NULL,
            lastStart REAL NOT NULL,
            lastEnd REAL NOT NULL,
            core BLOB NOT NULL,    -- times, values, labels
            detail BLOB NOT NULL   -- creation dates, origins, metadata, copies
          ) STRICT;
          CREATE INDEX segmentsInTime
            ON segments (type, source, firstStart, lastStart, lastEnd, count);

          -- Rows of a segment by what stands beside the number.
          CREATE TABLE labels (
            segment INTEGER NOT NULL REFERENCES segments ON DELETE CASCADE,
            label TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (segment, label)
          ) STRICT, WITHOUT ROWID;

          -- Rows of a segment by device description.
          CREATE TABLE devices (
            segment INTEGER NOT NULL REFERENCES segments ON DELETE CASCADE,
            device TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (segment, device)
          ) STRICT, WITHOUT ROWID;

          -- Sources that the user puts first; the empty type stands for all types.
          CREATE TABLE preferences (
            type TEXT NOT NULL,
            position INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (type, position)
          ) STRICT, WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("2: summaries") { database in
      try database.execute(
        sql: """
          -- What is known of a segment without decoding it. It stands apart from the segments so
          -- that no question walks along their bytes.
          CREATE TABLE summaries (
            segment INTEGER PRIMARY KEY REFERENCES segments ON DELETE CASCADE,
            type INTEGER NOT NULL,
            source INTEGER NOT NULL,
            firstStart REAL NOT NULL,
            lastStart REAL NOT NULL,
            lastEnd REAL NOT NULL,
            reach REAL NOT NULL,  -- a power of two, at least twice the length of the segment
            blocks BLOB           -- NULL where a segment is damaged
          ) STRICT;
          -- Segments of one reach that meet a range start in it or at most that long before.
          CREATE INDEX summariesInTime 
            ON summaries (type, reach, firstStart, lastEnd, source, lastStart);

          -- The segments of one type and one source, summed up.
          CREATE TABLE streams (
            type INTEGER NOT NULL REFERENCES types,
            source INTEGER NOT NULL REFERENCES sources,
            count INTEGER NOT NULL,
            firstStart REAL NOT NULL,
            lastStart REAL NOT NULL,
            lastEnd REAL NOT NULL,
            device TEXT NOT NULL,  -- that most rows have
            PRIMARY KEY (type, source)
          ) STRICT, WITHOUT ROWID;
          CREATE TABLE streamLabels (
            type INTEGER NOT NULL,
            source INTEGER NOT NULL,
            label TEXT NOT NULL,
            count INTEGER NOT NULL,
            PRIMARY KEY (type, source, label)
          ) STRICT, WITHOUT ROWID;
          """)
      try database.summariseSegments()
    }
    migrator.registerMigration("3: elements") { database in
      try database.execute(
        sql: """
          -- What an export holds beside records: workouts, routes, correlations and so on.
          CREATE TABLE elements (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,      -- activity, type or identifier; may be empty
            source INTEGER REFERENCES sources,  -- NULL for a kind without sources
            start REAL NOT NULL,
            stop REAL NOT NULL,
            copies INTEGER NOT NULL, -- how many equal ones an export held
            format TEXT NOT NULL,    -- which program's file told of it first
            content BLOB NOT NULL    -- all its fields
          ) STRICT;
          CREATE INDEX elementsInTime ON elements (kind, start, stop, name, source);

          -- Which programs' files gave samples of a type and a source. A stream without a row
          -- came from exports of Apple's Health app.
          CREATE TABLE provenance (
            type INTEGER NOT NULL REFERENCES types,
            source INTEGER NOT NULL REFERENCES sources,
            format TEXT NOT NULL,
            PRIMARY KEY (type, source, format)
          ) STRICT, WITHOUT ROWID;

          -- When the latest imported file of each program was made.
          CREATE TABLE exports (
            format TEXT PRIMARY KEY,
            made REAL NOT NULL
          ) STRICT, WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("4: short kinds") { database in
      // Thousands of beat lists would tell the same two long names four times.
      for kind in ElementKind.allCases {
        try database.execute(
          sql: "UPDATE elements SET kind = ? WHERE kind = ?",
          arguments: [kind.storedText, kind.rawValue])
      }
      try database.execute(
        sql: "UPDATE elements SET name = '' WHERE kind = ?",
        arguments: [ElementKind.beatList.storedText])
    }
    migrator.registerMigration("5: digests") { database in
      try database.execute(
        sql: """
          -- How the rows were when they were last written: see DigestedPart.
          CREATE TABLE digests (
            name TEXT PRIMARY KEY,
            digest INTEGER NOT NULL
          ) STRICT, WITHOUT ROWID;
          """)
      try database.bindValues()
    }
    migrator.registerMigration("6: settings") { database in
      try database.execute(
        sql: """
          -- What the user sets once for all questions.
          CREATE TABLE settings (
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL
          ) STRICT, WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("7: tellings") { database in
      try database.execute(
        sql: """
          -- When the newest export was made that told of an element, and the newest that had the
          -- file which it names. NULL stands for the newest of all exports so far, so that an export
          -- which tells the same again changes nothing.
          ALTER TABLE elements ADD COLUMN told REAL;
          ALTER TABLE elements ADD COLUMN fileTold REAL;

          -- When exports of the Health app were made, and which of them had rows of a type and a
          -- source.
          CREATE TABLE exportDates (
            id INTEGER PRIMARY KEY,
            made REAL NOT NULL
          ) STRICT;
          CREATE TABLE streamExports (
            type INTEGER NOT NULL REFERENCES types,
            source INTEGER NOT NULL REFERENCES sources,
            export INTEGER NOT NULL,
            PRIMARY KEY (type, source, export)
          ) STRICT, WITHOUT ROWID;
          -- Which of them told of a row: those at which it begins or ceases to be told, by date.
          CREATE TABLE tellings (
            id INTEGER PRIMARY KEY,
            turns TEXT NOT NULL
          ) STRICT;
          -- The telling of rows of a segment that have none of their own.
          ALTER TABLE segments ADD COLUMN telling INTEGER NOT NULL DEFAULT 1;
          -- Samples whose place what a later export says has taken, in the form of segments.
          CREATE TABLE superseded (
            id INTEGER PRIMARY KEY,
            type INTEGER NOT NULL REFERENCES types,
            source INTEGER NOT NULL REFERENCES sources,
            count INTEGER NOT NULL,
            firstStart REAL NOT NULL,
            lastStart REAL NOT NULL,
            core BLOB NOT NULL,
            detail BLOB NOT NULL
          ) STRICT;
          CREATE INDEX supersededInTime ON superseded (type, source, firstStart);
          """)
    }
    return migrator
  }()
}

extension Database {
  /// Makes every checksum of an older store say whose it is; one that did not fit before does not
  /// fit afterwards.
  fileprivate func bindValues() throws {
    for segment in try Int64.fetchAll(self, sql: "SELECT id FROM segments") {
      try bind("core", of: "segments", "id", segment, to: .core(segment: segment))
      try bind("detail", of: "segments", "id", segment, to: .detail(segment: segment))
    }
    for segment in try Int64.fetchAll(
      self, sql: "SELECT segment FROM summaries WHERE blocks IS NOT NULL")
    {
      try bind("blocks", of: "summaries", "segment", segment, to: .summary(segment: segment))
    }
    for id in try Int64.fetchAll(self, sql: "SELECT id FROM elements") {
      try bind("content", of: "elements", "id", id, to: .element(id))
    }
  }

  private func bind(
    _ column: String, of table: String, _ key: String, _ row: Int64, to owner: ValueOwner
  ) throws {
    let stored = try bytes(
      sql: "SELECT \(column) FROM \(table) WHERE \(key) = ?", arguments: [row])
    // A summary that this version made is bound already.
    guard let stored, (try? ByteReader(sealed: owner.released(stored))) == nil else { return }
    try cachedStatement(sql: "UPDATE \(table) SET \(column) = ? WHERE \(key) = ?")
      .execute(arguments: [Data(owner.bound(stored)), row])
  }
}
