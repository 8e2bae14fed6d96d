import Foundation
import GRDB
import Testing
import _HealthTestSupport

@Suite("hkstats import of other formats, as a program")
final class OtherFormatProgramTests: StoreSuite {
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

  @Test("A table of what people write says the same to import as to add")
  func asAdded() throws {
    let rows = [
      "bodyMass,150.5,lbs", "heartRate,61,bpm", "stepCount,100,steps", "bodyTemperature,36.9,°C",
      "oxygenSaturation,97,%", "bodyFatPercentage,18.5,percent", "dietaryVitaminD,10,µg",
      "dietaryWater,8,fl. oz", "respiratoryRate,14,breaths/min", "vo2Max,42,ml/kg/min",
      "bloodGlucose,5.6,mmol/L", "walkingSpeed,5,km/h",
    ]
    let lines = rows.map { $0 + ",2026-01-07T10:30:00+01:00\n" }
    let table = try scratch.file(
      "table.csv", Data(("type,value,unit,start\n" + lines.joined()).utf8))
    let (added, imported) = (scratch.path("added.sqlite"), scratch.path("imported.sqlite"))
    let saved = try ProgramRun.hkstats(["add", "--csv", table, "--store", added])
    #expect(saved.exitCode == 0, "\(saved.errors)")
    let run = try ProgramRun.hkstats(["import", table, "--store", imported])
    #expect(run.exitCode == 0 && !run.output.contains("Skipped"), "\(run.output)")
    for row in rows {
      let type = String(row.prefix { $0 != "," })
      let samples = try [added, imported].map { store in
        let list = try ProgramRun.hkstats(["samples", type, "--format", "json", "--store", store])
        return try #require(try list.json() as? [[String: Any]])
      }
      #expect(samples[0].count == 1 && samples[1].count == 1)
      let values = samples.map { $0.first?["value"] as? Double }
      let units = samples.map { $0.first?["unit"] as? String }
      #expect(values[0] == values[1] && units[0] == units[1], "\(type)")
    }
  }

  /// Three windows of one metric, as an automation writes them: each later one completes the hours of
  /// the one before.
  private func windows() throws -> [String] {
    let windows = [
      [(7, 300), (8, 500)], [(8, 812), (9, 640), (10, 90)],
      [(7, 300), (8, 812), (9, 640), (10, 455), (11, 20)],
    ]
    try FileManager.default.createDirectory(
      atPath: scratch.path("windows"), withIntermediateDirectories: true)
    return try zip(["c", "a", "b"], windows).map { name, hours in
      let data = hours.map { hour, count in
        #"{"date":"2026-08-05 \#(hour < 10 ? "0" : "")\#(hour):00:00 +0000","qty":\#(count),"#
          + #""source":"Watch"}"#
      }
      let json =
        #"{"data":{"metrics":[{"name":"step_count","units":"count","data":["#
        + data.joined(separator: ",") + "]}]}}"
      return try scratch.file("windows/\(name).json", Data(json.utf8))
    }
  }

  @Test(
    "Windows that overlap give what they give one by one, in whatever order, folder or archive",
    arguments: ["1", "4"])
  func overlappingWindows(jobs: String) throws {
    let files = try windows()
    let texts = try files.map { try scratch.text("windows/" + ($0 as NSString).lastPathComponent) }
    let archive = ZipWriter(zip(["x", "y", "z"], texts).map { .init("in/\($0).json", $1) }).bytes
    let packed = try scratch.file("windows.zip", Data(archive))
    let folder = scratch.path("windows")
    for (place, paths) in [files, files.reversed(), [folder], [packed], [folder, packed]]
      .enumerated()
    {
      let store = ["--store", scratch.path("store\(place).sqlite")]
      for options in [["--json"], ["--json", "--replace"], []] {
        let run = try ProgramRun.hkstats(["import", "--jobs", jobs] + paths + options + store)
        #expect(run.exitCode == 0, "\(run.errors)")
        if options == ["--json"] {
          let counts = try run.object()
          // The last window first: nothing of the others is new.
          #expect(counts["new"] as? Int == (paths == files.reversed() ? 5 : 7))
          #expect((counts["inputs"] as? [Any])?.count == (paths == [folder, packed] ? 6 : 3))
        } else if options.isEmpty, paths == [folder] {
          #expect(run.output.contains("are 3 exports"), "\(run.output)")
        }
        let stats = try ProgramRun.hkstats(["stats", "steps", "--format", "json"] + store)
        #expect(try stats.rows("intervals").map { $0["sum"] as? Double } == [2227])
        #expect(
          try ProgramRun.hkstats(["imports", "--format", "json"] + store)
            .rows("imports").count == 3)
      }
    }
    let imports = try ProgramRun.hkstats(
      ["imports", "--format", "json", "--store", scratch.path("store2.sqlite")])
    #expect(
      Set(try imports.rows("imports").compactMap { $0["file"] as? String })
        == ["windows/a.json", "windows/b.json", "windows/c.json"])
    let direct = try ProgramRun.hkstats(["stats", "steps", "--format", "json", "--export", folder])
    #expect(try direct.rows("intervals").map { $0["sum"] as? Double } == [2227])
  }

  /// Totals of days as Health Auto Export writes them, with the offsets of Paris.
  private func dayTotals() throws -> String {
    let data = [
      ("2026-03-28", "+0100", 1000), ("2026-03-29", "+0100", 2000), ("2026-03-30", "+0200", 3000),
      ("2026-07-01", "+0200", 4000),
    ].map { #"{"date":"\#($0) 00:00:00 \#($1)","qty":\#($2),"source":"Watch|iPhone"}"# }
    let json =
      #"{"data":{"metrics":[{"name":"step_count","units":"count","data":["#
      + data.joined(separator: ",") + "]}]}}"
    return try scratch.file("totals.json", Data(json.utf8))
  }

  @Test(
    "Totals of days count on the days that their dates name, whatever the zone of the machine",
    arguments: ["UTC", "America/New_York", "Pacific/Kiritimati", "Europe/Paris"],
    [[], ["--timezone", "recorded"]])
  func datesOfDays(zone: String, options: [String]) throws {
    let store = ["--store", scratch.path("store.sqlite")]
    let machine = ["TZ": zone]
    let run = try ProgramRun.hkstats(
      ["import", try dayTotals()] + store, environment: machine)
    #expect(run.exitCode == 0, "\(run.errors)")
    let stats = try ProgramRun.hkstats(
      ["stats", "steps", "--by", "day", "--format", "json"] + options + store,
      environment: machine)
    #expect(stats.exitCode == 0 && !stats.errors.contains("zone"), "\(stats.errors)")
    var sums: [String: Double] = [:]
    for day in try stats.rows("intervals") {
      guard let start = day["start"] as? String, let sum = day["sum"] as? Double, sum > 0
      else { continue }
      sums[start] = sum
    }
    #expect(
      sums == [
        "2026-03-28T00:00:00+01:00": 1000, "2026-03-29T00:00:00+01:00": 2000,
        "2026-03-30T00:00:00+02:00": 3000, "2026-07-01T00:00:00+02:00": 4000,
      ])
    if zone == "Europe/Paris", options.isEmpty {
      #expect(try stats.object()["timezone"] as? String == zone)
    }
  }

  @Test(
    "Offsets of dates give way to a zone that is set or asked for, and are gone with their file")
  func zonesBesideDates() throws {
    let store = ["--store", scratch.path("store.sqlite")]
    func zone(_ options: String...) throws -> String? {
      let run = try ProgramRun.hkstats(
        ["stats", "steps", "--by", "day", "--format", "json"] + options + store)
      return try run.object()["timezone"] as? String
    }
    _ = try ProgramRun.hkstats(["import", try dayTotals()] + store)
    #expect(try zone() == "timeline" && zone("--timezone", "Asia/Tokyo") == "Asia/Tokyo")
    let list = try ProgramRun.hkstats(["zones"] + store)
    #expect(list.output.contains("with which dates are written"), "\(list.output)")
    #expect(list.lines.dropFirst().first == "GMT+0100" && list.output.contains("GMT+0200"))
    _ = try ProgramRun.hkstats(["zones", "set", "Asia/Tokyo"] + store)
    #expect(try zone() == "Asia/Tokyo")
    let reset = try ProgramRun.hkstats(["zones", "reset", "--format", "json"] + store)
    #expect(try reset.object()["timezone"] as? String == "timeline")
    _ = try ProgramRun.hkstats(["imports", "undo", "1", "--yes"] + store)
    let empty = try ProgramRun.hkstats(["types", "--format", "json"] + store)
    #expect(try empty.object()["timezone"] as? String == "UTC")
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
