import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("hkstats stats of several types, and what is made of intervals")
struct SeriesProgramTests {
  private let scratch: Scratch
  private let path: String

  init() throws {
    scratch = try Scratch()
    path = try scratch.file("export.xml", Self.export.data)
  }

  /// Ten days with 1,000 steps more each, without the fifth; a resting heart rate on every other.
  private static var export: SmallExport {
    var export = SmallExport()
    // The data begin with the first day, so that it counts.
    export.steps(0, from: "2024-03-01T00:00:00", to: "2024-03-01T00:00:00")
    for day in 1...10 where day != 5 {
      let date = "2024-03-" + (day < 10 ? "0" : "") + "\(day)"
      export.steps(day * 1_000, from: "\(date)T10:00:00", to: "\(date)T10:10:00")
      guard day.isMultiple(of: 2) else { continue }
      export.add(
        "HKQuantityTypeIdentifierRestingHeartRate", "\(50 + day)", unit: "count/min",
        from: "\(date)T08:00:00", to: "\(date)T08:00:00")
    }
    return export
  }

  private func stats(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun.hkstats(
      ["stats"] + arguments + ["--timezone", "UTC", "--export", path])
  }

  private func rows(_ run: ProgramRun, _ list: String) throws -> [[String: Any]] {
    try #require(try run.object()[list] as? [[String: Any]])
  }

  /// The first fields behind those that name the type.
  private func firstThreeFields(_ csv: String) -> [String] {
    csv.split(separator: "\n").dropFirst().map { line in
      line.split(separator: ",")[4..<7].joined(separator: ",")
    }
  }

  @Test("several types are columns of a table, rows or columns of csv, and an array of json")
  func types() throws {
    let types = "steps,restingHeartRate.max,sleep"
    let period = ["--by", "day", "--from", "2024-03-02", "--to", "2024-03-05"]
    func run(_ more: String...) throws -> ProgramRun {
      try ProgramRun.hkstats(
        ["stats", types] + period + more + ["--timezone", "UTC", "--export", path])
    }
    #expect(
      try run().output.hasPrefix(
        """
        Steps, Resting heart rate: max in bpm, Sleep, UTC

        day             Steps  Resting heart rate: max  Sleep
        Sat 2024-03-02  2,000                       52      –
        Sun 2024-03-03  3,000                        –      –
        Mon 2024-03-04  4,000                       54      –

        """))
    let long = try run("--format", "csv").output.split(separator: "\n")
    #expect(long.count == 10)
    #expect(long[0] == "name,type,statistic,unit,start,end,value,timezone")
    #expect(
      long[4]
        == "restingHeartRate.max,HKQuantityTypeIdentifierRestingHeartRate,max,count/min,2024-03-02T00:00:00+00:00,2024-03-03T00:00:00+00:00,52,UTC"
    )
    let wide = try run("--format", "csv", "--wide").output.split(separator: "\n")
    #expect(wide[0] == "start,end,steps_count,resting_heart_rate.max_count_min,sleep_s,timezone")
    #expect(wide[2] == "2024-03-03T00:00:00+00:00,2024-03-04T00:00:00+00:00,3000,,,UTC")
    let lines = try run("--format", "ndjson").output.split(separator: "\n")
    #expect(lines.count == 9 && lines[0].hasPrefix(#"{"name":"steps","type":"#))
    let array = try #require(
      try JSONSerialization.jsonObject(with: Data(try run("--format", "json").output.utf8))
        as? [[String: Any]])
    #expect(array.map { $0["name"] as? String } == ["steps", "restingHeartRate.max", "sleep"])
    #expect(array.map { $0["unit"] as? String } == ["count", "count/min", "s"])
    #expect(array.allSatisfy { ($0["intervals"] as? [Any])?.count == 3 })
    let chart = try run("--format", "chart")
    #expect(chart.exitCode == 0 && chart.output.contains("4,000"))
  }

  @Test("the largest, those above, runs, groups, rolling means and comparisons")
  func derivations() throws {
    let top = try rows(
      try stats("steps", "--by", "day", "--top", "2", "--format", "json"), "intervals")
    #expect(top.map { $0["value"] as? Double } == [10_000, 9_000])
    let least = try rows(
      try stats("steps", "--by", "day", "--top", "1", "--least", "--format", "json"), "intervals")
    #expect(least.map { $0["value"] as? Double } == [1_000])
    let above = try rows(
      try stats("steps", "--by", "day", "--above", "8000", "--format", "json"), "intervals")
    #expect(above.map { $0["value"] as? Double } == [8_000, 9_000, 10_000])
    let streaks = try stats(
      "steps", "--by", "day", "--above", "3000", "--streaks", "--format", "csv")
    // The day without data parts two runs.
    #expect(
      firstThreeFields(streaks.output) == [
        "2024-03-06T00:00:00+00:00,2024-03-11T00:00:00+00:00,5",
        "2024-03-03T00:00:00+00:00,2024-03-05T00:00:00+00:00,2",
      ])
    let gaps = try stats("steps", "--by", "day", "--gaps", "--format", "csv")
    #expect(
      firstThreeFields(gaps.output) == ["2024-03-05T00:00:00+00:00,2024-03-06T00:00:00+00:00,1"])
    let counted = try stats("steps", "--by", "day", "--gaps", "--format", "json").object()
    #expect(counted["intervals"] as? Int == 10 && counted["empty"] as? Int == 1)
    #expect((counted["gaps"] as? [Any])?.count == 1)
    #expect(
      try stats("steps", "--by", "day", "--gaps").output.contains("1 of 10 intervals without data.")
    )
    let lone = try stats("restingHeartRate", "--by", "day", "--stat", "stddev", "--top", "3")
    #expect(lone.output.contains("No interval has this number."))
    let whole = try stats(
      "steps", "--by", "day", "--gaps", "--from", "2024-03-06", "--to", "2024-03-08")
    #expect(whole.output.contains("No gaps: all 2 intervals have data."))
    let full = try stats(
      "steps", "--by", "day", "--gaps", "--from", "2024-03-06", "--to", "2024-03-08", "--format",
      "json"
    ).object()
    #expect(full["intervals"] as? Int == 2 && full["empty"] as? Int == 0)
    #expect((full["gaps"] as? [Any])?.isEmpty == true)
    let none = try stats("steps", "--by", "day", "--above", "1e9")
    #expect(none.output.contains("No interval is within these bounds."))
    let groups = try rows(
      try stats("steps", "--by", "day", "--group", "weekday", "--format", "json"), "groups")
    #expect(groups.map { $0["group"] as? String }.first == "Monday" && groups.count == 7)
    // The fourth was a Monday, the fifth has no data.
    #expect(groups[0]["mean"] as? Double == 4_000 && groups[0]["intervals"] as? Int == 1)
    #expect(groups[1]["mean"] is NSNull && groups[1]["intervals"] as? Int == 0)
    #expect(groups[4]["mean"] as? Double == 4_500 && groups[4]["max"] as? Double == 8_000)
    let rolling = try rows(
      try stats(
        "steps", "--by", "day", "--from", "2024-03-06", "--to", "2024-03-07", "--rolling", "3",
        "--format", "json"), "intervals")
    #expect(rolling.map { $0["rolling"] as? Double } == [5_000])
    #expect(rolling.map { $0["rollingIntervals"] as? Int } == [2])
    let compared = try rows(
      try stats("steps", "--by", "day", "--compare", "previous", "--format", "json"), "intervals")
    #expect(compared.map { $0["compared"] as? Double }.prefix(3) == [nil, 1_000, 2_000])
    #expect(compared[1]["change"] as? Double == 1_000)
    #expect(compared[1]["changeShare"] as? Double == 1)
    let cut = ["--by", "month", "--from", "2024-03-01", "--to", "2024-03-05", "--clip"]
    for types in ["restingHeartRate", "restingHeartRate,sleep"] {
      let run = try ProgramRun.hkstats(
        ["stats", types] + cut + ["--compare", "year", "--timezone", "UTC", "--export", path])
      #expect(run.output.contains("– so far") && run.output.contains("2024-03-01 – 2024-03-05"))
      #expect(run.output.contains("so far: both up to the same day"))
    }
    try checkSpread()
    for arguments in [
      ["--top", "3"], ["--above", "3", "--streaks"], ["--group", "weekday"], ["--rolling", "2"],
      ["--compare", "previous"], ["--gaps"], ["--spread"],
    ] {
      for format in ["table", "chart"] {
        let run = try ProgramRun.hkstats(
          ["stats", "steps", "--by", "day", "--export", path, "--format", format] + arguments)
        #expect(run.exitCode == 0 && run.output.contains("\n"), "\(arguments) \(format)")
      }
    }
  }

  /// The spread of the nine days with steps.
  private func checkSpread() throws {
    let days = ["steps", "--by", "day", "--spread", "--format"]
    func run(_ arguments: [String]) throws -> ProgramRun {
      try ProgramRun.hkstats(["stats"] + arguments + ["--timezone", "UTC", "--export", path])
    }
    let spread = try #require(try run(days + ["json"]).object()["spread"] as? [String: Any])
    #expect(spread["start"] as? String == "2024-03-01T00:00:00+00:00")
    #expect(spread["end"] as? String == "2024-03-11T00:00:00+00:00")
    #expect(spread["count"] as? Int == 9 && spread["empty"] as? Int == 1)
    for (name, value) in [
      ("min", 1_000), ("p5", 1_400), ("p20", 2_600), ("p25", 3_000), ("p40", 4_400),
      ("median", 6_000), ("p60", 6_800), ("p75", 8_000), ("p80", 8_400), ("p95", 9_600),
      ("max", 10_000), ("mean", 50_000 / 9.0), ("stddev", 1_000 * (92.5 / 9).squareRoot()),
    ] as [(String, Double)] {
      let found = try #require(spread[name] as? Double)
      #expect(abs(found - value) < 1e-6 * value, "\(name)")
    }
    #expect(
      try run(days + ["csv"]).output.hasPrefix(
        "name,type,statistic,unit,start,end,count,empty,min,p5,p20,p25,p40,median,p60,p75,p80,p95,max,mean,stddev,timezone"
      ))
    let line = try run(days + ["ndjson"]).object()
    #expect(line["median"] as? Double == 6_000 && line["unit"] as? String == "count")
    let both = try run(["steps,restingHeartRate", "--by", "day", "--spread"]).output
    #expect(both.contains("median      6,000"))
    #expect(both.contains("9 of 10 intervals from 2024-03-01 to 2024-03-10 count."))
    #expect(both.contains("Resting heart rate: 5 of 10 intervals"))
    let chart = try run(days + ["chart"]).output
    #expect(chart.contains("p25 to p75") && chart.contains("● median"))
  }

  @Test("imports encode themselves as the command prints them")
  func encodedImports() throws {
    let imported = try ProgramRun.hkstats([
      "import", path, "--json", "--store", scratch.path("store.sqlite"),
    ])
    let result = try SampleStore.temporary().importFile(at: URL(filePath: path))
    var printed = try imported.object()
    #expect(printed.removeValue(forKey: "seconds") != nil)
    let ours = try JSONSerialization.jsonObject(with: JSONEncoder().encode(result))
    #expect(ours as? NSDictionary == printed as NSDictionary)
  }

  @Test("errors have a name that stays, and their sentence")
  func codes() throws {
    let error = try #require(throws: QueryError.self) {
      try Question(json: Data(#"{"type": "steps", "bye": 1}"#.utf8))
    }
    #expect(error.reasonCode == "unknownWord")
    #expect(QueryError(.dateOutOfRange).reasonCode == "dateOutOfRange")
    let object = try #require(
      try JSONSerialization.jsonObject(with: try JSONEncoder().encode(error)) as? [String: Any])
    #expect(object["code"] as? String == "unknownWord")
    #expect(object["message"] as? String == error.description)
  }

  @Test("nights are asked for in any style of capitals")
  func capitals() throws {
    #expect(
      try stats("Sleep", "--by", "day", "--from", "2024-03-02", "--to", "2024-03-04").output
        == stats("sleep", "--by", "day", "--from", "2024-03-02", "--to", "2024-03-04").output)
  }

  @Test(
    "json says of which intervals an answer is made, and how, with bounds in its unit",
    arguments: [
      (
        ["steps", "--above", "5,000"], "day",
        #"{"above": 5000, "streaks": false, "unit": "count"}"#
      ),
      (
        ["steps", "--below", "5000", "--above", "1000", "--streaks", "--by", "week"], "week",
        #"{"above": 1000, "below": 5000, "streaks": true, "unit": "count"}"#
      ),
      (["sleep", "--below", "7h"], "day", #"{"below": 25200, "streaks": false, "unit": "s"}"#),
      (["steps", "--group", "weekday"], "day", #"{"group": "weekday"}"#),
      (["steps", "--group", "hour"], "hour", #"{"group": "hour"}"#),
      (["steps", "--rolling", "3"], "day", #"{"rolling": 3}"#),
      (["steps", "--top", "2", "--least"], "day", #"{"top": 2, "least": true}"#),
      (["steps", "--gaps"], "day", #"{"gaps": true}"#),
      (["steps", "--spread"], "day", #"{"spread": true}"#),
      (["steps", "--by", "month", "--compare", "year"], "month", #"{"compare": "year"}"#),
    ])
  func derivations(arguments: [String], interval: String, made: String) throws {
    let run = try ProgramRun.hkstats(
      ["stats"] + arguments + ["--timezone", "UTC", "--format", "json", "--export", path])
    let object = try run.object()
    let expected = try JSONSerialization.jsonObject(with: Data(made.utf8)) as? [String: Any]
    #expect(object["interval"] as? String == interval)
    let found = try #require(object["derivation"] as? [String: Any])
    #expect(found as NSDictionary == (try #require(expected)) as NSDictionary, "\(run.output)")
  }

  @Test("the spread of days stands beside their mean")
  func spread() throws {
    let month = try rows(
      try stats(
        "steps", "--by", "month", "--per", "day", "--stat", "sum,min,p25,median,max", "--format",
        "json"), "intervals")
    let totals = [1, 2, 3, 4, 6, 7, 8, 9, 10].map { Double($0) * 1_000 }
    #expect(month[0]["dayMin"] as? Double == totals.first)
    #expect(month[0]["dayP25"] as? Double == totals[2])
    #expect(month[0]["dayMedian"] as? Double == totals[4])
    #expect(month[0]["dayMax"] as? Double == totals.last)
    #expect(month[0]["days"] as? Int == totals.count)
  }

  @Test(
    "what cannot be asked is said, with its exit code",
    arguments: [
      (["steps", "--by", "day", "--top", "3", "--rolling", "2"], "either --rolling or --top"),
      (["steps", "--by", "day", "--least"], "--top"),
      (["steps", "--by", "day", "--spread", "--gaps"], "either --gaps or --spread"),
      (["steps", "--by", "day", "--streaks"], "--above"),
      (["steps", "--by", "day", "--top", "0"], "a whole number from 1"),
      (["steps", "--by", "day", "--above", "lots"], "is no bound"),
      (["steps", "--by", "week", "--group", "weekday"], "intervals of a day or less"),
      (["steps", "--by", "day", "--group", "weekdays"], "Did you mean: weekday"),
      (["steps,stepz", "--by", "day"], "Did you mean: steps"),
      (["steps,", "--by", "day"], "--type"), (["sleep.dream", "--by", "day"], "column of nights"),
      (["sleep", "--by", "hour"], "A night belongs to a day"),
      (["steps,sleep", "--by", "day", "--explain"], "leave it out here"),
      (["steps", "--by", "day", "--top", "2", "--by-source"], "leave it out here"),
      (["heartRate,steps", "--during", "sleep"], "about the samples of one type"),
      (["sleep", "--during", "sleep"], "about the samples of one type"),
      (["workouts", "--during", "sleep"], "about the samples of one type"),
      (["heartRate", "--during", "sleep", "--by", "week"], "answers by night"),
    ])
  func refused(arguments: [String], sentence: String) throws {
    let run = try ProgramRun.hkstats(["stats"] + arguments + ["--export", path])
    #expect(run.exitCode == 64)
    #expect(run.errors.contains(sentence), "\(run.errors)")
    #expect(run.output == "")
  }
}
