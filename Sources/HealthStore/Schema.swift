import GRDB

/// The tables of a store, and the identifier that marks a file as one.
enum Schema {
  /// "hkst", in the header of the file.
  static let applicationIdentifier = 0x686B_7374

  /// The versions, oldest first; each runs in its own transaction.
  static let migrator: DatabaseMigrator = {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1: chunks") { database in
      for part in Schema.tables {
        try database.execute(sql: part)
      }
    }
    return migrator
  }()

  private static let tables = [names, chunks, zoneMaps, elements, exports, settings]

  private static let names = """
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
    """

  private static let chunks = """
    -- Samples of one type and one source, in order of start, end and value.
    -- Times are seconds since 2001-01-01 UTC.
    CREATE TABLE chunks (
      id INTEGER PRIMARY KEY,
      type INTEGER NOT NULL REFERENCES types,
      source INTEGER NOT NULL REFERENCES sources,
      count INTEGER NOT NULL,
      firstStart REAL NOT NULL,
      lastStart REAL NOT NULL,
      lastEnd REAL NOT NULL,
      exportSet INTEGER NOT NULL,  -- of rows that have none of their own
      core BLOB NOT NULL,    -- times, values, labels
      detail BLOB NOT NULL   -- creation dates, origins, metadata, copies
    ) STRICT;
    CREATE INDEX chunksInTime ON chunks (type, source, firstStart, lastStart, lastEnd, count);

    -- Rows of a chunk by recorded unit, or by constant of a category.
    CREATE TABLE labels (
      chunk INTEGER NOT NULL REFERENCES chunks ON DELETE CASCADE,
      label TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (chunk, label)
    ) STRICT, WITHOUT ROWID;

    -- Rows of a chunk by device description.
    CREATE TABLE devices (
      chunk INTEGER NOT NULL REFERENCES chunks ON DELETE CASCADE,
      device TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (chunk, device)
    ) STRICT, WITHOUT ROWID;

    -- Samples that a later export replaces by others, in the form of chunks.
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
    """

  private static let zoneMaps = """
    -- Statistics of the blocks of each chunk. They have a table of their own so that no question
    -- walks along the bytes of chunks.
    CREATE TABLE zoneMaps (
      chunk INTEGER PRIMARY KEY REFERENCES chunks ON DELETE CASCADE,
      type INTEGER NOT NULL,
      source INTEGER NOT NULL,
      firstStart REAL NOT NULL,
      lastStart REAL NOT NULL,
      lastEnd REAL NOT NULL,
      lengthClass REAL NOT NULL,  -- a power of two, at least twice the length of the chunk
      blocks BLOB NOT NULL
    ) STRICT;
    -- Chunks of one length class that overlap a range start in it or at most that long before.
    CREATE INDEX zoneMapsInTime
      ON zoneMaps (type, lengthClass, firstStart, lastEnd, source, lastStart);

    -- Totals of all chunks of one type and one source.
    CREATE TABLE series (
      type INTEGER NOT NULL REFERENCES types,
      source INTEGER NOT NULL REFERENCES sources,
      count INTEGER NOT NULL,
      firstStart REAL NOT NULL,
      lastStart REAL NOT NULL,
      lastEnd REAL NOT NULL,
      device TEXT NOT NULL,  -- that most rows have
      PRIMARY KEY (type, source)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE seriesLabels (
      type INTEGER NOT NULL,
      source INTEGER NOT NULL,
      label TEXT NOT NULL,
      count INTEGER NOT NULL,
      PRIMARY KEY (type, source, label)
    ) STRICT, WITHOUT ROWID;
    """

  private static let elements = """
    -- Workouts, routes, correlations and all else of an export that is no record.
    CREATE TABLE elements (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,      -- one letter: thousands of beat lists would repeat a long name
      name TEXT NOT NULL,      -- activity, type or identifier; may be empty
      source INTEGER REFERENCES sources,  -- NULL for a kind without sources
      start REAL NOT NULL,
      end REAL NOT NULL,
      copies INTEGER NOT NULL, -- how many equal ones an export held
      format TEXT NOT NULL,    -- of the first file that contained it
      -- Dates of the newest export that contained the element, and of the newest that had the file
      -- which it names. NULL stands for the newest of all exports, so that an export which
      -- contains the same again changes nothing.
      lastSeen REAL,
      fileLastSeen REAL,
      content BLOB NOT NULL    -- all its fields
    ) STRICT;
    CREATE INDEX elementsInTime ON elements (kind, start, end, name, source);
    """

  private static let exports = """
    -- The formats of the files that contained samples of a type and a source. A series without a
    -- row came from exports of Apple's Health app.
    CREATE TABLE provenance (
      type INTEGER NOT NULL REFERENCES types,
      source INTEGER NOT NULL REFERENCES sources,
      format TEXT NOT NULL,
      PRIMARY KEY (type, source, format)
    ) STRICT, WITHOUT ROWID;

    -- The date of the latest imported file of each format.
    CREATE TABLE exports (
      format TEXT PRIMARY KEY,
      exportedAt REAL NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- The dates of exports of the Health app, and which of them had rows of a type and a source.
    CREATE TABLE exportDates (
      id INTEGER PRIMARY KEY,
      exportedAt REAL NOT NULL
    ) STRICT;
    CREATE TABLE seriesExports (
      type INTEGER NOT NULL REFERENCES types,
      source INTEGER NOT NULL REFERENCES sources,
      export INTEGER NOT NULL,
      PRIMARY KEY (type, source, export)
    ) STRICT, WITHOUT ROWID;
    -- Sets of exports that contain a row, written as the exports, by date, from which on it is
    -- contained and no longer contained in turns.
    CREATE TABLE exportSets (
      id INTEGER PRIMARY KEY,
      toggles TEXT NOT NULL
    ) STRICT;
    """

  private static let settings = """
    -- Sources that the user puts first; the empty type stands for all types.
    CREATE TABLE preferences (
      type TEXT NOT NULL,
      position INTEGER NOT NULL,
      name TEXT NOT NULL,
      PRIMARY KEY (type, position)
    ) STRICT, WITHOUT ROWID;

    -- What the user sets once for all questions.
    CREATE TABLE settings (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- How the rows were when they were last written: see DigestedPart.
    CREATE TABLE digests (
      name TEXT PRIMARY KEY,
      digest INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
