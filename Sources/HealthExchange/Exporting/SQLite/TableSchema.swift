import HealthSamples

/// The tables, indexes and views of an exported SQLite file.
enum TableSchema {
  /// `CREATE TABLE` for samples and for every kind of elements.
  static let tables =
    samples + kinds.map { table in create(table, within: nil) }.joined(separator: "\n")

  /// Statements to run after all rows are inserted: references between tables that are resolved by
  /// facts, indexes, and views.
  static let indexesAndViews =
    "CREATE INDEX samples_by_type ON samples (type, start_unix);\n"
    + kinds.flatMap(indexes).joined(separator: "\n")
    + kinds.flatMap(\.all).compactMap(reference).joined(separator: "\n") + views

  private static let kinds = ElementKind.allCases.map(OutputTable.table)

  /// The number of columns of the table of samples.
  static let sampleColumnCount = 18

  private static let samples = """
    CREATE TABLE samples (
      id INTEGER PRIMARY KEY,
      type TEXT NOT NULL,
      "start" TEXT NOT NULL,
      "end" TEXT NOT NULL,
      start_unix REAL NOT NULL,
      end_unix REAL NOT NULL,
      value REAL NOT NULL,
      unit TEXT,              -- NULL for a category
      category TEXT,          -- the constant of a category; NULL for a quantity
      source TEXT NOT NULL,
      entered_by_hand INTEGER NOT NULL,
      source_version TEXT,
      device TEXT,
      created TEXT,
      copies INTEGER NOT NULL,
      metadata TEXT,
      product_type TEXT,
      operating_system TEXT
    ) STRICT;

    """

  /// A table and all of its parts.
  private static func create(_ table: OutputTable, within parent: OutputTable?) -> String {
    let references =
      (parent.map { ["\($0.singular) INTEGER NOT NULL REFERENCES \($0.name)"] } ?? [])
      + (table.link.map { ["\($0.column) INTEGER REFERENCES \($0.table)"] } ?? [])
    let columns = zip(table.columns, table.columnNames).flatMap { column, name in
      column.form == .instant
        ? ["\"\(name)\" TEXT", "\"\(name)_unix\" REAL"]
        : ["\"\(name)\" \(column.form.type)"]
    }
    let lines = ["id INTEGER PRIMARY KEY"] + references + columns
    return "CREATE TABLE \(table.name) (\n  " + lines.joined(separator: ",\n  ") + "\n) STRICT;\n"
      + table.parts.map { create($0, within: table) }.joined()
  }

  private static func indexes(_ table: OutputTable) -> [String] {
    table.parts.flatMap { part in
      ["CREATE INDEX \(part.name)_by_\(table.singular) ON \(part.name) (\(table.singular));"]
        + indexes(part)
    }
  }

  /// Resolves references to rows that a table identifies by facts.
  private static func reference(of table: OutputTable) -> String? {
    switch table.link {
    case .none: nil
    case .sample:
      """
      UPDATE \(table.name) AS this SET sample = (
        SELECT coalesce(min(CASE WHEN other.value = this.value THEN other.id END), min(other.id))
        FROM samples AS other
        WHERE other.type = this.type AND other.start_unix = this.start_unix
          AND other.end_unix = this.end_unix
          AND other.entered_by_hand = this.entered_by_hand
          AND \(comparable("other.source")) = \(comparable("this.source")));

      """
    case .workout:
      """
      UPDATE \(table.name) AS this SET workout = (
        SELECT min(other.id) FROM workouts AS other
        WHERE other.start_unix = this.workout_start_unix
          AND other.end_unix = this.workout_end_unix AND other.activity IS this.activity);

      """
    }
  }

  /// A name of a source without irrelevant differences of spelling.
  private static func comparable(_ column: String) -> String {
    let spellings = [(0xA0, " "), (0x202F, " "), (0x2019, "''"), (0x2018, "''")]
    return "trim("
      + spellings.reduce(column) { "replace(\($0), char(\($1.0)), '\($1.1)')" } + ")"
  }

  private static let views = """

    -- Workouts with their totals: metres, kilocalories, beats a minute.
    CREATE VIEW workout_totals AS
      SELECT workouts.*,
        (SELECT sum FROM workout_statistics WHERE workout = workouts.id
          AND type LIKE 'HKQuantityTypeIdentifierDistance%' AND sum IS NOT NULL
          ORDER BY id LIMIT 1) AS distance_m,
        (SELECT sum FROM workout_statistics WHERE workout = workouts.id
          AND type = 'HKQuantityTypeIdentifierActiveEnergyBurned'
          ORDER BY id LIMIT 1) AS energy_kcal,
        (SELECT round(60 * mean, 3) FROM workout_statistics WHERE workout = workouts.id
          AND type = 'HKQuantityTypeIdentifierHeartRate' ORDER BY id LIMIT 1) AS heart_rate_mean,
        (SELECT round(60 * max, 3) FROM workout_statistics WHERE workout = workouts.id
          AND type = 'HKQuantityTypeIdentifierHeartRate' ORDER BY id LIMIT 1) AS heart_rate_max
      FROM workouts;

    -- Blood pressures, one a row.
    CREATE VIEW blood_pressures AS
      SELECT correlations.id, correlations."start", correlations.start_unix,
        max(CASE WHEN member.type = 'HKQuantityTypeIdentifierBloodPressureSystolic'
          THEN member.value END) AS systolic,
        max(CASE WHEN member.type = 'HKQuantityTypeIdentifierBloodPressureDiastolic'
          THEN member.value END) AS diastolic,
        max(member.unit) AS unit, correlations.source
      FROM correlations JOIN correlation_members AS member ON member.correlation = correlations.id
      WHERE correlations.type = 'HKCorrelationTypeIdentifierBloodPressure'
      GROUP BY correlations.id;

    CREATE VIEW quantities AS SELECT * FROM samples WHERE category IS NULL;
    CREATE VIEW categories AS SELECT * FROM samples WHERE category IS NOT NULL;
    """
}

extension AnswerField.Form {
  /// The type of a column in SQL.
  fileprivate var type: String {
    switch self {
    case .word, .text, .instant, .date, .clock, .json, .group, .list: "TEXT"
    case .count, .truth: "INTEGER"
    case .number, .duration: "REAL"
    }
  }
}

extension OutputTable.Link {
  fileprivate var table: String { self == .sample ? "samples" : "workouts" }
  fileprivate var column: String { self == .sample ? "sample" : "workout" }
}
