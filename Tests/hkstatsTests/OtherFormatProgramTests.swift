import Foundation
import GRDB
import Testing

@Suite("hkstats import of other formats, as a program")
struct OtherFormatProgramTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Two heart rates as Apple's export, Health Auto Export and Simple Health Export tell them.
  private func files() throws -> [String] {
    var apple = SmallExport()
    for (minute, value) in [("00", "61"), ("05", "64")] {
      apple.add(
        "HKQuantityTypeIdentifierHeartRate", value, unit: "count/min",
        from: "2024-03-05T10:\(minute):00", to: "2024-03-05T10:\(minute):00")
    }
    let json = """
      {"data":{"metrics":[{"name":"heart_rate","units":"bpm","data":[
      {"date":"2024-03-05 2:00:00\u{202F}AM -0800","Min":61,"Avg":61,"Max":61,
      "source":"\(SmallExport.watch)"},
      {"date":"2024-03-05 2:05:00\u{202F}AM -0800","Min":64,"Avg":64.00001,"Max":64,
      "source":"Anna's Apple Watch"}]}]}}
      """
    let csv = """
      type;sourceName;startDate;endDate;unit;value
      HKQuantityTypeIdentifierHeartRate;\(SmallExport.watch);2024-03-05 10:00:00 +0000;\
      2024-03-05 10:00:00 +0000;count/min;61,0
      """
    return [
      try scratch.file("apple.xml", apple.data), try scratch.file("auto.txt", Data(json.utf8)),
      try scratch.file("simple.txt", Data(csv.utf8)),
    ]
  }

  @Test("A sample that several formats tell counts once, whichever comes first")
  func overlap() throws {
    let files = try files()
    for (place, order) in [[0, 1, 2], [2, 1, 0], [1, 2, 0]].enumerated() {
      let store = scratch.path("store\(place).sqlite")
      let run = try ProgramRun.hkstats(
        ["import"] + order.map { files[$0] } + ["--store", store, "--json"])
      #expect(run.exitCode == 0, "\(run.errors)")
      let counts = try run.object()
      #expect(counts["read"] as? Int == 5 && counts["new"] as? Int == 2)
      #expect(counts["known"] as? Int == 3)
    }
  }

  @Test("A table whose types lack their prefix answers under their names")
  func plainNames() throws {
    let table = """
      type,sourceName,startDate,endDate,unit,value
      StepCount,iPhone,2024-01-01 08:00:00 +0000,2024-01-01 09:00:00 +0000,count,100
      Mood,iPhone,2024-01-01 08:00:00 +0000,2024-01-01 09:00:00 +0000,count,3
      """
    let store = scratch.path("store.sqlite")
    let run = try ProgramRun.hkstats([
      "import", try scratch.file("health.csv", Data(table.utf8)), "--store", store,
    ])
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.output.contains("no type of HealthKit on Mood: 1"))
    let stats = try ProgramRun.hkstats(["stats", "steps", "--store", store, "--format", "json"])
    let intervals = try #require(try stats.object()["intervals"] as? [[String: Any]])
    #expect(intervals.map { $0["sum"] as? Double } == [100])
  }

  @Test(
    "An answer as csv is not taken for samples, whatever the name of its file",
    arguments: [
      "stats steps,heartRate --by day", "stats steps --by day --rolling 2",
      "stats steps --by day --above 0", "stats sleepAnalysis --by day", "stats sleep --by day",
      "sleep", "course steps", "workouts --by month", "samples steps",
    ])
  func answers(question: String) throws {
    var export = SmallExport()
    for day in 10..<30 {
      export.steps(day, from: "2024-03-\(day)T08:00:00", to: "2024-03-\(day)T08:10:00")
      export.add(
        "HKQuantityTypeIdentifierHeartRate", "61", unit: "count/min",
        from: "2024-03-\(day)T08:00:00", to: "2024-03-\(day)T08:00:00")
      export.add(
        "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepCore",
        unit: nil, from: "2024-03-\(day)T01:00:00", to: "2024-03-\(day)T06:00:00")
    }
    export.add(
      lines: """
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" \
        durationUnit="min" sourceName="iPhone" startDate="2024-03-12 10:00:00 +0000" \
        endDate="2024-03-12 10:30:00 +0000"/>
        """)
    let store = ["--store", scratch.path("store.sqlite")]
    let file = try scratch.file("export.xml", export.data)
    #expect(try ProgramRun.hkstats(["import", file] + store).exitCode == 0)
    let answer = try ProgramRun.hkstats(
      question.split(separator: " ").map(String.init) + ["--format", "csv"] + store)
    #expect(answer.exitCode == 0 && answer.lines.count > 1, "\(answer.errors)")
    let types = try ProgramRun.hkstats(["types"] + store)
    for name in ["answer.csv", "StepCount.csv", "SleepAnalysis.csv"] {
      let table = try scratch.file(name, Data(answer.output.utf8))
      let run = try ProgramRun.hkstats(["import", table] + store)
      #expect(run.exitCode == 65 && run.errors.contains("was written by hkstats"), "\(run.errors)")
    }
    #expect(try ProgramRun.hkstats(["types"] + store).output == types.output)
  }

  @Test("A table without a column for the unit is refused, the column named, and nothing stored")
  func missingColumn() throws {
    let table = """
      value,type,sourceName,startDate,endDate
      5,SleepAnalysis,iPhone,2024-01-01 08:00:00 +0000,2024-01-01 09:00:00 +0000
      100,StepCount,iPhone,2024-01-01 08:00:00 +0000,2024-01-01 09:00:00 +0000
      """
    let run = try ProgramRun.hkstats([
      "import", try scratch.file("health.csv", Data(table.utf8)), "--store",
      scratch.path("store.sqlite"),
    ])
    #expect(run.exitCode == 65)
    #expect(run.errors.contains("is a table without a column for unit"), "\(run.errors)")
    let types = try ProgramRun.hkstats([
      "types", "--store", scratch.path("store.sqlite"), "--format", "ndjson",
    ])
    #expect(types.output == "")
  }

  @Test("A comma that no other number explains is skipped and the reason told")
  func ambiguousComma() throws {
    let table = """
      type,sourceName,startDate,unit,value
      StepCount,iPhone,2024-01-01 08:00:00 +0000,count,"1,234"
      """
    let run = try ProgramRun.hkstats([
      "import", try scratch.file("health.csv", Data(table.utf8)), "--store",
      scratch.path("store.sqlite"),
    ])
    #expect(run.exitCode == 0)
    #expect(
      run.output.contains(
        "a comma that may be a decimal mark or between thousands on stepCount: 1"),
      "\(run.output)")
  }

  @Test(
    "An import of a backup that ends in whatever way leaves no file behind",
    arguments: [0, SIGINT, SIGTERM, SIGHUP, SIGKILL])
  func leftovers(signal: Int32) throws {
    let database = scratch.path("health.db")
    try DatabaseQueue(path: database).inDatabase { database in
      try database.execute(
        sql: """
          PRAGMA journal_mode = WAL;
          CREATE TABLE steps_record_table (row_id INTEGER PRIMARY KEY, start_time INTEGER,
            end_time INTEGER, count INTEGER);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
            INSERT INTO steps_record_table
            SELECT i, 1700000000000 + i * 60000, 1700000030000 + i * 60000, i % 100 FROM n;
          """)
    }
    let files = FileManager.default
    for folder in ["temporary", "home"] {
      try files.createDirectory(
        atPath: scratch.path(folder), withIntermediateDirectories: true)
    }
    let process = try ProgramRun.start(
      "hkstats", ["import", database, "--store", scratch.path("store.sqlite")], in: scratch,
      environment: ["TMPDIR": scratch.path("temporary")])
    if signal != 0 {
      Thread.sleep(forTimeInterval: 0.3)
      kill(process.processIdentifier, signal)
    }
    process.waitUntilExit()
    if signal == 0 { #expect(process.terminationStatus == 0) }
    #expect(try files.contentsOfDirectory(atPath: scratch.path("temporary")) == [])
    #expect(try files.contentsOfDirectory(atPath: scratch.path("home")) == [])
    let others = try files.contentsOfDirectory(atPath: scratch.path(""))
      .filter { !$0.hasPrefix("store.sqlite") }
    #expect(Set(others) == ["errors", "health.db", "home", "input", "output", "temporary"])
  }

  @Test("An archive that is encrypted is told to be so")
  func encrypted() throws {
    let path = scratch.path("export.zip")
    let run = try ProgramRun.run("generate-export", ["--out", path, "--years", "0.01"])
    try #require(run.exitCode == 0)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    // The flag of every entry in the directory and before its data.
    for (signature, flags) in [([0x50, 0x4B, 1, 2], 8), ([0x50, 0x4B, 3, 4], 6)] as [([UInt8], Int)]
    {
      for place in bytes.indices.dropLast(flags) where bytes[place...].starts(with: signature) {
        bytes[place + flags] |= 1
      }
    }
    let locked = try ProgramRun.hkstats([
      "import", try scratch.file("locked.zip", Data(bytes)), "--store",
      scratch.path("store.sqlite"),
    ])
    #expect(locked.exitCode == 65 && locked.errors.contains("is encrypted"))
    #expect(try scratch.storeFiles().isEmpty)
  }

  @Test("A backup that is damaged is refused with the code for bad data, and nothing is stored")
  func damaged() throws {
    let bytes = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0xA5, count: 8176)
    let run = try ProgramRun.hkstats([
      "import", try scratch.file("health_connect_export.db", Data(bytes)), "--store",
      scratch.path("store.sqlite"),
    ])
    #expect(run.exitCode == 65)
    #expect(!run.errors.isEmpty)
  }
}
