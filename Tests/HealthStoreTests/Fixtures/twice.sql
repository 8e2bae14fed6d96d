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
INSERT INTO "grdb_migrations" VALUES ('1');
INSERT INTO "types" VALUES (1, 'HKQuantityTypeIdentifierStepCount', 'count', 'cumulative');
INSERT INTO "types" VALUES (2, 'HKQuantityTypeIdentifierDistanceWalkingRunning', 'm', 'cumulative');
INSERT INTO "sources" VALUES (1, 'Watch', '', 'Watch', 0);
INSERT INTO "chunks" VALUES (7, 1, 1, 4, 0.0, 100.0, 160.0, 1, 3, 6, X'0105636F756E7404010A6E616D653A5761746368044B28F73B1DA66193', X'01040105636F756E7400000600000020CB063200990C8C0000083C00153300AA0000004A6A2D64581D258B', X'0104040431302E300A6E616D653A5761746368030431302E300A6E616D653A5761746368060431302E320A6E616D653A5761746368030431302E310A6E616D653A576174636806000000000A00020000E4000000000200040303004001C97DEDF0032C86D8');
INSERT INTO "chunks" VALUES (9, 2, 1, 4, 0.0, 90.0, 150.0, 1, 7, 10, X'01016D04010A6E616D653A576174636804BFA735AFF2876ECD', X'010401016D00000600000080CA07500000B7820200000A9E010000540C2515000000132160A4F158268C', X'0104030431302E300A6E616D653A57617463680B0431302E300A6E616D653A57617463680A0431302E310A6E616D653A57617463680B000000000A0002000024000000000200000303002D0613473C8AEF6D6F73');
INSERT INTO "zoneMaps" VALUES (7, 1, 1, 0.0, 100.0, 160.0, 512.0, X'01040105636F756E74090000000000000000000000000000594000000000000064400000000000A0764000000000000000000000000000003E400000000000006940F4798E17333DFA3A');
INSERT INTO "zoneMaps" VALUES (9, 2, 1, 0.0, 90.0, 150.0, 512.0, X'010401016D05000000000000000000000000008056400000000000C062400000000000D49B4000000000000000000000000000C053400000000000208B40979772487588E2AF');
INSERT INTO "series" VALUES (1, 1, 4, 0.0, 100.0, 160.0, X'0105636F756E7404010A6E616D653A5761746368046DD3569FAB287496');
INSERT INTO "series" VALUES (2, 1, 4, 0.0, 90.0, 150.0, X'01016D04010A6E616D653A576174636804DA163EFD47A7BD36');
INSERT INTO "exports" VALUES ('appleHealth', 5000.0);
INSERT INTO "exportDates" VALUES (1, 1000.0);
INSERT INTO "exportDates" VALUES (2, 2000.0);
INSERT INTO "exportDates" VALUES (3, 3000.0);
INSERT INTO "exportDates" VALUES (4, 4000.0);
INSERT INTO "exportDates" VALUES (5, 5000.0);
INSERT INTO "seriesExports" VALUES (1, 1, 1);
INSERT INTO "seriesExports" VALUES (1, 1, 3);
INSERT INTO "seriesExports" VALUES (2, 1, 4);
INSERT INTO "seriesExports" VALUES (2, 1, 5);
INSERT INTO "exportSets" VALUES (3, '1');
INSERT INTO "exportSets" VALUES (4, '2');
INSERT INTO "exportSets" VALUES (5, '1 2');
INSERT INTO "exportSets" VALUES (6, '3');
INSERT INTO "exportSets" VALUES (7, '2 3');
INSERT INTO "exportSets" VALUES (8, '1 2 3');
INSERT INTO "exportSets" VALUES (9, '4');
INSERT INTO "exportSets" VALUES (10, '5');
INSERT INTO "exportSets" VALUES (11, '4 5');
INSERT INTO "digests" VALUES ('chunks 1', -8957395354110657384);
INSERT INTO "digests" VALUES ('chunks 2', -5743641058217333351);
INSERT INTO "digests" VALUES ('root', 5368890863003270971);
INSERT INTO "digests" VALUES ('schema', 2348316902650090900);
INSERT INTO "digests" VALUES ('table changes', -4925679717204622017);
INSERT INTO "digests" VALUES ('table exportDates', 4371245238325871036);
INSERT INTO "digests" VALUES ('table exportSets', -7232047701437734940);
INSERT INTO "digests" VALUES ('table exports', 3875857430371221264);
INSERT INTO "digests" VALUES ('table identity', -4173280800708610891);
INSERT INTO "digests" VALUES ('table imports', -1117906695230733159);
INSERT INTO "digests" VALUES ('table series', 4607470306126155001);
INSERT INTO "digests" VALUES ('table seriesExports', -2674060192970381541);
INSERT INTO "digests" VALUES ('table sources', -9136129063709578262);
INSERT INTO "digests" VALUES ('table tombstones', -2087225893383790522);
INSERT INTO "digests" VALUES ('table types', 578021417114905484);
INSERT INTO "digests" VALUES ('zoneMaps 1', 3919602299382709839);
INSERT INTO "digests" VALUES ('zoneMaps 2', 1758413605428107564);
INSERT INTO "identity" VALUES (1, 2215011672027388191, X'CBEC0D6087EAC1B3CB8F89A42A0C28BEB2622C44961E19446929CE29B5A4C6F3', 10, 2, 6, 9);
INSERT INTO "tombstones" VALUES (1, 2, X'0201020002000200000200000000A5CC2BF08D40E089');
INSERT INTO "changes" VALUES (1, '', 1, 1, 1, 2, 0.0, 75.0);
INSERT INTO "changes" VALUES (2, '', 1, 1, 3, 3, 0.0, 75.0);
INSERT INTO "changes" VALUES (3, '', 1, 1, 4, 4, 100.0, 160.0);
INSERT INTO "changes" VALUES (4, '', 1, 1, 5, 6, 0.0, 75.0);
INSERT INTO "changes" VALUES (5, '', 2, 1, 7, 9, 0.0, 150.0);
INSERT INTO "changes" VALUES (6, '', 2, 1, 10, 10, 0.0, 150.0);
INSERT INTO "imports" VALUES (1, 'appleHealth', 8.17271123991239547765e+08, 1000.0, '0.zip', 1, 2, 2, 2);
INSERT INTO "imports" VALUES (3, 'appleHealth', 817271124.018627, 3000.0, '2.zip', 4, 4, 2, 1);
INSERT INTO "imports" VALUES (4, 'appleHealth', 8.17271124038550734504e+08, 4000.0, 'older.zip', 7, 9, 3, 3);
INSERT INTO "imports" VALUES (5, 'appleHealth', 817271124.056975, 5000.0, 'newer.zip', 10, 10, 1, 1);
