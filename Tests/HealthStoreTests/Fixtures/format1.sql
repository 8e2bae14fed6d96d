PRAGMA page_size = 8192;
PRAGMA user_version = 0;
PRAGMA application_id = 1751872372;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
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
CREATE INDEX sourcesByName
  ON sources (matchingName, bundleIdentifier, isUserEntered, name);
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  type INTEGER NOT NULL REFERENCES types,
  source INTEGER NOT NULL REFERENCES sources,
  count INTEGER NOT NULL,
  firstStart REAL NOT NULL,
  lastStart REAL NOT NULL,
  lastEnd REAL NOT NULL,
  exportSet INTEGER NOT NULL,  -- of rows that have none of their own
  firstSerial INTEGER NOT NULL,  -- the least serial of its rows
  lastSerial INTEGER NOT NULL,
  counts BLOB NOT NULL,  -- rows by label and by device
  core BLOB NOT NULL,    -- times, values, labels
  detail BLOB NOT NULL   -- creation dates, origins, metadata, copies, serials
) STRICT;
CREATE INDEX chunksInTime ON chunks (
  type, source, firstStart, lastStart, lastEnd, count, firstSerial, lastSerial);
CREATE TABLE hidden (
  id INTEGER PRIMARY KEY,
  type INTEGER NOT NULL REFERENCES types,
  source INTEGER NOT NULL REFERENCES sources,
  isDeleted INTEGER NOT NULL,  -- by the owner; else a later export replaces them by others
  count INTEGER NOT NULL,
  firstStart REAL NOT NULL,
  lastStart REAL NOT NULL,
  firstSerial INTEGER NOT NULL,
  core BLOB NOT NULL,
  detail BLOB NOT NULL
) STRICT;
CREATE INDEX hiddenInTime ON hidden (type, source, isDeleted, firstStart);
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
CREATE INDEX zoneMapsInTime
  ON zoneMaps (type, lengthClass, firstStart, lastEnd, source, lastStart);
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
CREATE TABLE elements (
  id INTEGER PRIMARY KEY,  -- its serial
  kind TEXT NOT NULL,      -- one letter: thousands of beat lists would repeat a long name
  name TEXT NOT NULL,      -- activity, type or identifier; may be empty
  source INTEGER REFERENCES sources,  -- NULL for a kind without sources
  start REAL NOT NULL,
  end REAL NOT NULL,
  copies INTEGER NOT NULL, -- how many equal ones an export held
  format TEXT NOT NULL,    -- of the first file that contained it; "saved" without a file
  -- Dates of the newest export that contained the element, and of the newest that had the file
  -- which it names. NULL stands for the newest of all exports, so that an export which
  -- contains the same again changes nothing.
  lastSeen REAL,
  fileLastSeen REAL,
  version INTEGER NOT NULL,  -- random, another one after each change: an old row is found
  content BLOB NOT NULL    -- all its fields
) STRICT;
CREATE INDEX elementsInTime ON elements (kind, start, end, name, source, version);
CREATE TABLE deletedElements (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  source INTEGER REFERENCES sources,
  start REAL NOT NULL,
  end REAL NOT NULL
) STRICT;
CREATE TABLE provenance (
  type INTEGER NOT NULL REFERENCES types,
  source INTEGER NOT NULL REFERENCES sources,
  format TEXT NOT NULL,
  PRIMARY KEY (type, source, format)
) STRICT, WITHOUT ROWID;
CREATE TABLE exports (
  format TEXT PRIMARY KEY,
  exportedAt REAL NOT NULL
) STRICT, WITHOUT ROWID;
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
CREATE TABLE exportSets (
  id INTEGER PRIMARY KEY,
  toggles TEXT NOT NULL
) STRICT;
CREATE TABLE preferences (
  type TEXT NOT NULL,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (type, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE digests (
  name TEXT PRIMARY KEY,
  digest INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE identity (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  store INTEGER NOT NULL,
  key BLOB NOT NULL,
  lastSerial INTEGER NOT NULL,
  lastDeletion INTEGER NOT NULL,
  lastChange INTEGER NOT NULL,
  lastChunk INTEGER NOT NULL  -- no number of a chunk is used again: an old row is found
) STRICT;
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
CREATE TABLE associations (
  owner INTEGER NOT NULL,
  member INTEGER NOT NULL,
  kind TEXT NOT NULL,
  part TEXT NOT NULL,        -- the UUID of an activity of a workout; empty for all of it
  PRIMARY KEY (owner, kind, member, part)
) STRICT, WITHOUT ROWID;
CREATE INDEX associationsByMember ON associations (member, kind, owner, part);
CREATE TABLE attachments (
  id INTEGER PRIMARY KEY,
  uuid BLOB NOT NULL,
  object INTEGER NOT NULL,   -- the serial of the sample or element
  name TEXT NOT NULL,
  contentType TEXT NOT NULL,
  created REAL NOT NULL,
  size INTEGER NOT NULL,
  metadata TEXT NOT NULL,
  content BLOB NOT NULL      -- last, so that a list does not read it
) STRICT;
CREATE TABLE synced (
  key BLOB PRIMARY KEY,      -- a hash of app, type and identifier
  serial INTEGER NOT NULL,
  version REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX syncedBySerial ON synced (serial);
CREATE TABLE tombstones (
  id INTEGER PRIMARY KEY,    -- the number of the first deletion
  count INTEGER NOT NULL,
  rows BLOB NOT NULL         -- serials, types and sources
) STRICT;
CREATE TABLE changes (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,        -- of elements; empty for samples
  type INTEGER REFERENCES types,
  source INTEGER REFERENCES sources,
  firstSerial INTEGER NOT NULL,  -- of added rows; 0 if there are none
  lastSerial INTEGER NOT NULL,
  firstStart REAL NOT NULL,
  lastEnd REAL NOT NULL
) STRICT;
CREATE TABLE imports (
  id INTEGER PRIMARY KEY,
  format TEXT NOT NULL,
  importedAt REAL NOT NULL,
  exportedAt REAL,
  file TEXT NOT NULL,        -- the name of the file; may be empty
  firstSerial INTEGER NOT NULL,  -- of the rows that it added
  lastSerial INTEGER NOT NULL,
  read INTEGER NOT NULL,
  new INTEGER NOT NULL
) STRICT;
CREATE TABLE authorisations (
  app TEXT NOT NULL,   -- bundle identifier
  type TEXT NOT NULL,  -- identifier of a sample type, or of what permits elements
  share INTEGER NOT NULL,
  read INTEGER NOT NULL,
  PRIMARY KEY (app, type)
) STRICT, WITHOUT ROWID;
CREATE TABLE objectAuthorisations (
  app TEXT NOT NULL,
  object INTEGER NOT NULL,     -- its serial
  PRIMARY KEY (app, object)
) STRICT, WITHOUT ROWID;
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
