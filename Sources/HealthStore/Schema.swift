import GRDB
import HealthSamples

/// The tables of a store, and the identifier that marks a file as one.
enum Schema {
  /// In the header of the file.
  static let applicationIdentifier = OwnFile.storeIdentifier

  /// The table of the formats, by whose list a store is recognised as older or newer.
  static let formatTable = "grdb_migrations"

  /// The tables that have rows in an empty store.
  static let describing: Set = [formatTable, "identity", "digests"]

  /// The formats that a store lists: each program that reads format 2 looks for both.
  private static let formats = ["1", "2"]

  /// Throws unless a store has the present format.
  static func checkFormat(of database: Database, path: String) throws {
    let listed = try String.fetchAll(database, sql: "SELECT identifier FROM \(formatTable)")
    guard Set(listed).isSubset(of: formats) else { throw StoreError(.newerSchema, path: path) }
    if listed == ["1"] { throw StoreError(.olderSchema, path: path) }
    guard listed.count == formats.count else { throw Corruption() }
  }

  /// Makes the present tables in an empty file, in one transaction: a part of them would be a damaged
  /// store.
  static func create(in database: Database) throws {
    try database.execute(sql: "PRAGMA application_id = \(applicationIdentifier)")
    try database.execute(
      sql: "CREATE TABLE \(formatTable) (identifier TEXT NOT NULL PRIMARY KEY)")
    for format in formats {
      try database.execute(sql: "INSERT INTO \(formatTable) VALUES (?)", arguments: [format])
    }
    for part in tables { try database.execute(sql: part) }
    try database.makeIdentity()
    try database.resetDigests()
  }

  private static let tables = [
    names, chunks, hidden, zoneMaps, elements, history, relations, settings, digests, revisions,
    authorisations,
  ]

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
      bundleIdentifier TEXT NOT NULL,  -- of the app; empty where an export gives only a name
      matchingName TEXT NOT NULL,  -- by which sources are the same, in NFC
      isUserEntered INTEGER NOT NULL,
      UNIQUE (matchingName, bundleIdentifier, isUserEntered)
    ) STRICT;
    -- Every column, so that its digest is that of the table: a name is looked up here.
    CREATE INDEX sourcesByName
      ON sources (matchingName, bundleIdentifier, isUserEntered, name);
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
      memberSet INTEGER NOT NULL,  -- of rows that have none of their own
      firstSerial INTEGER NOT NULL,  -- the least serial of its rows
      lastSerial INTEGER NOT NULL,
      counts BLOB NOT NULL,  -- rows by label and by device
      core BLOB NOT NULL,    -- times, values, labels
      detail BLOB NOT NULL   -- creation dates, origins, metadata, copies, serials
    ) STRICT;
    CREATE INDEX chunksInTime ON chunks (
      type, source, firstStart, lastStart, lastEnd, count, firstSerial, lastSerial, memberSet);
    """

  private static let hidden = """
    -- Samples that do not count, in the form of chunks: what a later file tells otherwise, what is
    -- deleted or kept out, other wordings, and what was saved too. See SeriesReplay.
    CREATE TABLE hidden (
      id INTEGER PRIMARY KEY,
      type INTEGER NOT NULL REFERENCES types,
      source INTEGER NOT NULL REFERENCES sources,
      count INTEGER NOT NULL,
      firstStart REAL NOT NULL,
      lastStart REAL NOT NULL,
      lastEnd REAL NOT NULL,
      firstSerial INTEGER NOT NULL,
      core BLOB NOT NULL,
      detail BLOB NOT NULL
    ) STRICT;
    CREATE INDEX hiddenInTime ON hidden (type, source, firstStart, lastStart, lastEnd, count);
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
      counts BLOB NOT NULL,  -- rows by label and by device
      PRIMARY KEY (type, source)
    ) STRICT, WITHOUT ROWID;
    """

  private static let elements = """
    -- Workouts, routes, correlations and all else of an export that is no record.
    CREATE TABLE elements (
      id INTEGER PRIMARY KEY,  -- its serial
      kind TEXT NOT NULL,      -- one letter: thousands of beat lists would repeat a long name
      name TEXT NOT NULL,      -- activity, type or identifier; may be empty
      source INTEGER REFERENCES sources,  -- NULL for a kind without sources
      start REAL NOT NULL,
      end REAL NOT NULL,
      memberSet INTEGER NOT NULL,  -- the files that have these words; none with the file of others
      version INTEGER NOT NULL,  -- random, another one after each change: an old row is found
      content BLOB NOT NULL    -- all its fields
    ) STRICT;
    CREATE INDEX elementsInTime ON elements (kind, start, end, name, source, memberSet, version);

    -- Words of elements that do not count: those of earlier files, what is deleted, and what was
    -- saved too. See ElementReplay.
    CREATE TABLE hiddenElements (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      source INTEGER REFERENCES sources,
      start REAL NOT NULL,
      end REAL NOT NULL,
      memberSet INTEGER NOT NULL,
      birth INTEGER NOT NULL,  -- the first serial; 0 if it never counted
      content BLOB NOT NULL
    ) STRICT;
    CREATE INDEX hiddenElementsInTime
      ON hiddenElements (kind, start, end, name, source, memberSet, birth);

    -- Which files had elements of a kind.
    CREATE TABLE kindFiles (
      kind TEXT NOT NULL,
      file INTEGER NOT NULL REFERENCES files,
      PRIMARY KEY (kind, file)
    ) STRICT, WITHOUT ROWID;
    """

  private static let history = """
    -- The files that the store knows; whether one counts follows from its acts.
    CREATE TABLE files (
      id INTEGER PRIMARY KEY,      -- the number of the file
      identity BLOB NOT NULL UNIQUE,  -- a digest of what was read
      format TEXT NOT NULL,
      exportedAt REAL,             -- the date that it states
      lastEnd REAL NOT NULL,       -- of its samples: the place of a file without a date
      name TEXT NOT NULL,          -- may be empty
      importedAt REAL NOT NULL,
      read INTEGER NOT NULL,
      new INTEGER NOT NULL,
      lacks TEXT NOT NULL          -- kinds that it may lack elements of: it replaces none of them
    ) STRICT;

    -- What the owner did, in the order of a hybrid logical clock: see StoredAct.
    CREATE TABLE acts (
      id INTEGER PRIMARY KEY,
      clock INTEGER NOT NULL,      -- milliseconds since 2001-01-01 UTC
      counter INTEGER NOT NULL,
      store INTEGER NOT NULL,
      kind TEXT NOT NULL,
      file INTEGER REFERENCES files,
      content BLOB NOT NULL,
      UNIQUE (clock, counter, store)
    ) STRICT;

    -- Which files had rows of a type and a source.
    CREATE TABLE seriesFiles (
      type INTEGER NOT NULL REFERENCES types,
      source INTEGER NOT NULL REFERENCES sources,
      file INTEGER NOT NULL REFERENCES files,
      PRIMARY KEY (type, source, file)
    ) STRICT, WITHOUT ROWID;

    -- Which files have a row and which acts name it: see Provenance.
    CREATE TABLE memberSets (
      id INTEGER PRIMARY KEY,
      marks INTEGER NOT NULL,
      files TEXT NOT NULL,
      acts TEXT NOT NULL
    ) STRICT;

    -- Earlier identities, which a copy or a restored backup gave up: up to which serial and deletion
    -- they are valid.
    CREATE TABLE epochs (
      id INTEGER PRIMARY KEY,
      store INTEGER NOT NULL,
      key BLOB NOT NULL,
      lastSerial INTEGER NOT NULL,
      lastDeletion INTEGER NOT NULL
    ) STRICT;

    -- Runs of rows that count again, with their first serials: see Births.
    CREATE TABLE returns (
      firstSerial INTEGER PRIMARY KEY,
      count INTEGER NOT NULL,
      firstBirth INTEGER NOT NULL
    ) STRICT;
    """

  private static let relations = """
    -- Which objects belong together, by first serials: see Association. The last act holds.
    CREATE TABLE associations (
      owner INTEGER NOT NULL,
      member INTEGER NOT NULL,
      kind TEXT NOT NULL,
      part TEXT NOT NULL,        -- the UUID of an activity of a workout; empty for all of it
      isEnded INTEGER NOT NULL,
      clock INTEGER NOT NULL,
      counter INTEGER NOT NULL,
      store INTEGER NOT NULL,
      number INTEGER NOT NULL,   -- as of a setting
      PRIMARY KEY (owner, kind, member, part)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX associationsByMember ON associations (member, kind, owner, part, isEnded);

    -- Files that belong to objects, by first serials.
    CREATE TABLE attachments (
      id INTEGER PRIMARY KEY,
      uuid BLOB NOT NULL,
      object INTEGER NOT NULL,
      name TEXT NOT NULL,
      contentType TEXT NOT NULL,
      created REAL NOT NULL,
      size INTEGER NOT NULL,
      metadata TEXT NOT NULL,
      isDetached INTEGER NOT NULL,  -- then only the UUID is kept
      number INTEGER NOT NULL,   -- as of a setting
      content BLOB NOT NULL      -- last, so that a list does not read it
    ) STRICT;

    -- Objects that apps name by an identifier and a version: see SyncedObjects.
    CREATE TABLE versions (
      key BLOB NOT NULL,         -- a hash of app, type and identifier
      birth INTEGER NOT NULL,    -- the first serial
      version REAL NOT NULL,
      clock INTEGER NOT NULL,    -- when it was saved
      counter INTEGER NOT NULL,
      store INTEGER NOT NULL,
      deletion INTEGER REFERENCES acts,  -- the last act that names it, if that is a deletion
      state INTEGER NOT NULL,    -- see VersionDecision.State
      PRIMARY KEY (key, birth)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX versionsByBirth ON versions (birth, key, state);

    -- First serials of saved objects, and of those that associations and attachments mean, that do
    -- not count.
    CREATE TABLE gone (birth INTEGER PRIMARY KEY) STRICT;
    """

  private static let settings = """
    -- What the user sets once for all questions, each with the stamp of the act that set it.
    CREATE TABLE settings (
      key TEXT PRIMARY KEY,
      value TEXT,              -- NULL if it is no longer set
      clock INTEGER NOT NULL,
      counter INTEGER NOT NULL,
      store INTEGER NOT NULL,
      number INTEGER NOT NULL  -- ascending in the order in which acts become known
    ) STRICT, WITHOUT ROWID;

    -- Up to where other stores are known: see SyncMark.
    CREATE TABLE peers (
      store INTEGER PRIMARY KEY,
      serial INTEGER NOT NULL,
      deletion INTEGER NOT NULL,
      register INTEGER NOT NULL,
      act INTEGER NOT NULL
    ) STRICT;
    """

  private static let digests = """
    -- How the rows were when they were last written: see DigestedPart.
    CREATE TABLE digests (
      name TEXT PRIMARY KEY,
      digest INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  private static let authorisations = """
    -- What the owner lets apps do: 0 not asked, 1 denied, 2 allowed.
    CREATE TABLE authorisations (
      app TEXT NOT NULL,   -- bundle identifier
      type TEXT NOT NULL,  -- identifier of a sample type, or of what permits elements
      share INTEGER NOT NULL,
      read INTEGER NOT NULL,
      PRIMARY KEY (app, type)
    ) STRICT, WITHOUT ROWID;

    -- Objects that the owner showed an app, of types that are shown one by one.
    CREATE TABLE objectAuthorisations (
      app TEXT NOT NULL,
      object INTEGER NOT NULL,     -- its first serial
      PRIMARY KEY (app, object)
    ) STRICT, WITHOUT ROWID;

    -- Types of whose changes apps are notified while they do not run.
    CREATE TABLE deliveries (
      app TEXT NOT NULL,
      type TEXT NOT NULL,
      frequency INTEGER NOT NULL,  -- 1 immediate, 2 hourly, 3 daily, 4 weekly
      notified INTEGER NOT NULL,   -- the last change of which the app was notified
      completed INTEGER NOT NULL,  -- the last change that it has handled
      attempted REAL,              -- when it was last notified; NULL if it never was
      failures INTEGER NOT NULL,   -- how often it was notified since it handled one
      PRIMARY KEY (app, type)
    ) STRICT, WITHOUT ROWID;
    """

  private static let revisions = """
    -- The identity of the store, the key of its UUIDs, and the last serial and deletion.
    CREATE TABLE identity (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      store INTEGER NOT NULL,
      key BLOB NOT NULL,
      lastSerial INTEGER NOT NULL,
      lastDeletion INTEGER NOT NULL,
      lastChange INTEGER NOT NULL,
      lastChunk INTEGER NOT NULL,  -- no number of a chunk is used again: an old row is found
      -- Random, another one with each new serial; the file has it, too, outside of its contents: see
      -- FileMark. The mark before is valid after a crash.
      mark INTEGER NOT NULL,
      previousMark INTEGER NOT NULL,
      lastClock INTEGER NOT NULL,  -- of the last act that the store knows
      lastCounter INTEGER NOT NULL,
      lastRegister INTEGER NOT NULL  -- of associations, attachments and settings
    ) STRICT;

    -- UUIDs of saved rows, and where these are; the UUIDs of imported rows follow from the serial.
    -- A row stays when its sample is deleted.
    CREATE TABLE identities (
      uuid BLOB PRIMARY KEY,
      serial INTEGER NOT NULL,
      kind TEXT NOT NULL,        -- of an element; empty for a sample
      name TEXT NOT NULL,        -- the identifier of the type of an element; empty for a sample
      type INTEGER REFERENCES types,  -- of a sample; NULL for an element
      source INTEGER NOT NULL REFERENCES sources,
      start REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX identitiesBySerial ON identities (serial);

    -- Deleted rows in the order of deletion, many in one row.
    CREATE TABLE tombstones (
      id INTEGER PRIMARY KEY,    -- the number of the first deletion
      count INTEGER NOT NULL,
      rows BLOB NOT NULL         -- serials, types and sources
    ) STRICT;

    -- What each commit changed in a series, or in the elements of a kind.
    CREATE TABLE changes (
      id INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,        -- of elements; empty for samples
      type INTEGER REFERENCES types,
      source INTEGER REFERENCES sources,
      firstSerial INTEGER NOT NULL,  -- of added rows; 0 if there are none; -1 for joined elements
      lastSerial INTEGER NOT NULL,   -- without added rows of an element that was deleted or changed
      firstStart REAL NOT NULL,
      lastEnd REAL NOT NULL
    ) STRICT;
    """
}

extension Database {
  /// The names of the tables of a store, in their order.
  func tables() throws -> [String] {
    try String.fetchAll(
      self,
      sql: """
        SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
        ORDER BY name
        """)
  }
}
