import Foundation
import HealthExchange
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("hkstats sleep and zones, as programs")
final class SleepProgramTests: StoreSuite {
  private static let sleep = "HKCategoryTypeIdentifierSleepAnalysis"

  /// A night that a watch has in stages and a phone in bed, an old one without stages, a nap; the
  /// second night is in Tokyo.
  private static var nights: SmallExport {
    var export = SmallExport()
    func add(_ value: String, from start: String, to end: String, zone: String, phone: Bool = false)
    {
      export.add(
        sleep, "HKCategoryValueSleepAnalysis\(value)", unit: nil, from: start, to: end,
        source: phone ? SmallExport.phone : SmallExport.watch, metadata: ["HKTimeZone": zone])
    }
    let paris = "Europe/Paris"
    add("InBed", from: "2024-03-05T22:00:00", to: "2024-03-06T06:00:00", zone: paris, phone: true)
    add("Asleep", from: "2024-03-05T22:10:00", to: "2024-03-06T05:50:00", zone: paris, phone: true)
    add("AsleepCore", from: "2024-03-05T22:30:00", to: "2024-03-06T01:00:00", zone: paris)
    add("AsleepDeep", from: "2024-03-06T01:00:00", to: "2024-03-06T02:00:00", zone: paris)
    add("Awake", from: "2024-03-06T02:00:00", to: "2024-03-06T02:15:00", zone: paris)
    add("AsleepREM", from: "2024-03-06T02:15:00", to: "2024-03-06T05:50:00", zone: paris)
    add("AsleepUnspecified", from: "2024-03-06T13:00:00", to: "2024-03-06T13:30:00", zone: paris)
    add("AsleepCore", from: "2024-03-07T15:30:00", to: "2024-03-07T21:30:00", zone: "Asia/Tokyo")
    return export
  }

  private func run(
    _ command: String, _ arguments: String..., of export: SmallExport = nights
  ) throws -> ProgramRun {
    let path = try scratch.file("export.xml", export.data)
    return try ProgramRun.hkstats([command] + arguments + ["--export", path])
  }

  @Test("a week from its middle on is whole, as that of stats is, and the answer says so")
  func wholeWeeks() throws {
    func asleep(_ run: ProgramRun, _ list: String, _ key: String) throws -> [Double] {
      try run.rows(list).compactMap { $0[key] as? Double }
    }
    // Its Monday begins on Sunday at noon of UTC.
    let zone = ["--timezone", "Pacific/Auckland", "--format", "json"]
    for (from, to) in [("2024-03-07", "2024-03-08"), ("2024-03-04", "2024-03-11")] {
      let period = ["--from", from, "--to", to]
      let path = try scratch.file("export.xml", Self.nights.data)
      let own = try ProgramRun.hkstats(
        ["sleep", "--by", "week", "--export", path] + period + zone)
      let stats = try ProgramRun.hkstats(
        ["stats", "sleep", "--by", "week", "--top", "9", "--export", path] + period + zone)
      let found = try asleep(own, "weeks", "asleep")
      #expect(try found == asleep(stats, "intervals", "value") && found.count == 1)
      let isWhole = from == "2024-03-04"
      #expect(own.output.contains("before --from; the last interval ends") == !isWhole)
    }
  }

  @Test("the table has a line a night, the mean and who counted")
  func table() throws {
    let run = try run("sleep", "--timezone", "Europe/Paris")
    #expect(run.errors == "")
    #expect(run.exitCode == 0)
    #expect(
      run.output
        == """
        Sleep, Europe/Paris

        night           asleep    deep     REM    core  no stage   awake      in bed  efficiency   from     to  naps             counted by
        Wed 2024-03-06  7 h 25  1 h 00  3 h 35  2 h 30    20 min  15 min      8 h 00        93 %  23:00  06:50  30 min at 14:00  Anna’s Apple Watch 96 %, Anna’s iPhone 4 %
        Thu 2024-03-07  6 h 00       –       –  6 h 00         –       –           –           –  16:30  22:30  –                Anna’s Apple Watch
        mean of 2       6 h 43  30 min  1 h 48  4 h 15    10 min   8 min  8 h 00 (1)    93 % (1)  19:45  02:40

        Where sources overlap, believed in this order: Anna’s Apple\u{A0}Watch, then Anna’s iPhone.
        efficiency: the share of the time in bed that is sleep.
        A night is the longest sleep that ends on the day; sleeps are two when more than 1 h 00 lie between them.
        A number in brackets: the mean is over so many nights; the others did not record it.

        """.replacingOccurrences(of: "Apple Watch", with: "Apple\u{A0}Watch"))
  }

  @Test("a night of a traveller is in the zone that the samples name")
  func recorded() throws {
    let run = try run("sleep", "--timezone", "recorded", "--format", "json")
    let object = try run.object()
    #expect(object["timezone"] as? String == "timeline")
    #expect(object["gap"] as? Double == 3600)
    #expect(object["unit"] as? String == "s")
    let nights = try #require(object["nights"] as? [[String: Any]])
    #expect(nights.map { $0["night"] as? String } == ["2024-03-06", "2024-03-07", "2024-03-08"])
    #expect(nights[0]["asleep"] as? Double == 26_700)
    #expect(nights[0]["efficiency"] as? Double == 26_700.0 / 28_800)
    #expect(nights[0]["asleepFrom"] as? String == "2024-03-05T23:10:00+01:00")
    #expect(nights[1]["asleep"] is NSNull)
    #expect(nights[2]["start"] as? String == "2024-03-08T00:30:00+09:00")
    let sources = try #require(nights[0]["sources"] as? [[String: Any]])
    #expect(sources.map { $0["asleep"] as? Double } == [25_500, 1200])
    #expect(sources.map { $0["masked"] as? Double } == [0, 26_400])
    #expect(sources.map { $0["inBed"] as? Double } == [0, 28_800])
    let means = try #require(object["means"] as? [String: Any])
    #expect(means["nights"] as? Int == 2 && means["asleep"] as? Double == 24_150)
    #expect(means["deep"] as? Double == 1800 && means["stageNights"] as? Int == 2)
    // Half way between 23:10 and 00:30, and between 06:50 and 06:30.
    #expect(means["asleepFromMedian"] as? String == "23:50")
    #expect(means["asleepToMedian"] as? String == "06:40")
    #expect(nights[0]["stretches"] == nil)
    let told = try self.run("sleep", "--timezone", "recorded", "--format", "json", "--stretches")
      .rows("nights")
    let stretches = try #require(told[0]["stretches"] as? [[String: Any]])
    #expect(
      stretches.compactMap { $0["stage"] as? String }.filter { $0 != "inBed" } == [
        "unspecified", "core", "deep", "awake", "rem", "unspecified",
      ])
    #expect(stretches.contains { $0["start"] as? String == "2024-03-06T02:00:00+01:00" })
    let csv = try self.run("sleep", "--timezone", "recorded", "--format", "csv")
    #expect(try csv.line(1).hasPrefix("2024-03-06,2024-03-05T23:00:00+01:00,"))
    #expect(nights[0]["napCount"] as? Int == (nights[0]["naps"] as? [Any])?.count)
    #expect(nights[1]["countedBy"] is NSNull)
  }

  @Test("zones prints the list that --timezone-file takes")
  func zones() throws {
    let printed = try run("zones")
    // Half way between the end of the nap and the next night.
    // A comment says by which zone questions go, which the list leaves alone.
    #expect(printed.lines.first?.hasPrefix("# ") == true)
    #expect(
      Array(printed.lines.dropFirst()) == [
        "Europe/Paris", "2024-03-07T11:30:00+09:00 Asia/Tokyo",
      ])
    let rows = try run("zones", "--format", "json").rows("zones")
    #expect(rows.map { $0["zone"] as? String } == ["Europe/Paris", "Asia/Tokyo"])
    #expect(rows.map { $0["from"] as? String } == [nil, "2024-03-07T11:30:00+09:00"])
    let list = try scratch.file("zones.txt", Data(printed.output.utf8))
    for command in ["sleep", "samples", "stats", "types"] {
      let type = command == "samples" || command == "stats" ? ["sleep"] : []
      let arguments = type + ["--format", "json"]
      let path = try scratch.file("export.xml", Self.nights.data)
      let recorded = try ProgramRun.hkstats(
        [command] + arguments + ["--export", path, "--timezone", "recorded"])
      let listed = try ProgramRun.hkstats(
        [command] + arguments + ["--export", path, "--timezone-file", list])
      #expect(recorded.exitCode == 0 && recorded.output == listed.output, "\(command)")
    }
    let days = try run(
      "stats", "sleepAnalysis", "--by", "day", "--timezone-file", list, "--from", "2024-03-06",
      "--to",
      "2024-03-08", "--stat", "count")
    #expect(try days.line(0).contains("Europe/Paris to Asia/Tokyo with 1 change of zone"))
    #expect(try days.line(4).hasPrefix("Thu 2024-03-07 (16 h)"))
  }

  @Test("weeks, months and pictures")
  func periods() throws {
    let months = try run("sleep", "--by", "month", "--timezone", "Europe/Paris", "--format", "csv")
    #expect(try months.line(0).hasPrefix("month,nights,bedtime,wake,asleep,deep,rem,core,"))
    #expect(try months.line(1).hasPrefix("2024-03,2,19:45,02:40,24150,1800,6450,15300,"))
    let weeks = try run("sleep", "--by", "week", "--timezone", "Europe/Paris", "--format", "json")
    let entries = try #require(try weeks.object()["weeks"] as? [[String: Any]])
    #expect(entries.map { $0["week"] as? String } == ["2024-03-04"])
    #expect(entries[0]["wake"] as? String == "02:40")
    for format in [["night"], ["week"], ["month"]] {
      let run = try run(
        "sleep", "--by", format[0], "--timezone", "Europe/Paris", "--format", "chart")
      #expect(run.exitCode == 0)
      #expect(run.lines.prefix(12).allSatisfy { String($0).displayWidth <= 80 })
      #expect(run.output.contains("█ deep  ▒ core  ▞ REM"))
    }
    let table = try run("sleep", "--by", "week", "--timezone", "Europe/Paris")
    #expect(try table.line(3).hasPrefix("2024-03-04       2  6 h 43  30 min"))
  }

  @Test(
    "what cannot be done is said, with its exit code",
    arguments: [
      (["sleep", "--timezone", "Mars/Olympus"], 64, "no time zone \"Mars/Olympus\""),
      (["sleep", "--timezone", "UTC", "--timezone-file", "x"], 64, "either --timezone or"),
      (["sleep", "--timezone-file", "/nowhere/zones"], 66, "/nowhere/zones cannot be read"),
      (["sleep", "--gap", "20h"], 64, "--gap is at most 12 h"),
      (["sleep", "--gap", "soon"], 64, "There is no duration"),
      (["sleep", "--from", "2024-03-08", "--to", "2024-03-07"], 64, "--to must come after"),
      (["stats", "sleepAnalysis", "--merge", "hc"], 64, "hc merges amounts"),
      (["stats", "sleepAnalysis", "--stat", "mean"], 64, "duration, count"),
      (["trend", "sleep", "--by", "hour"], 64, "night belongs to a day"),
      (["stats", "sleep", "--exact"], 64, "--exact"),
      (["stats", "sleep.deep", "--by-source"], 64, "--by-source"),
      (["stats", "sleep", "--explain"], 64, "--explain"),
    ] as [([String], Int32, String)])
  func refusals(arguments: [String], exitCode: Int32, message: String) throws {
    let path = try scratch.file("export.xml", Self.nights.data)
    let run = try ProgramRun.hkstats(arguments + ["--export", path])
    #expect(run.exitCode == exitCode)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.output == "")
  }

  @Test("a list of zones that is not as it should be names its line")
  func badList() throws {
    for (text, message) in [
      ("Europe/Paris\n2024-06-10 Asia/Tokio", "Line 2 of the list of zones"),
      ("", "it has no zone"),
      (String(repeating: "# long\n", count: 200_000), "no list of zones"),
    ] {
      let list = try scratch.file("zones.txt", Data(text.utf8))
      let run = try run("sleep", "--timezone-file", list)
      #expect(run.exitCode == 65)
      #expect(run.errors.contains(message), "\(run.errors)")
    }
    var plain = SmallExport()
    plain.steps(1, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    let none = try run("zones", of: plain)
    #expect(none.exitCode == 1)
    #expect(none.errors.contains("No sample names its time zone"))
    #expect(try run("sleep", of: plain).output.contains("No data: "))
  }

  @Test("stand hours are counted and timed by value, merged over their sources")
  func categories() throws {
    var export = SmallExport()
    let stand = "HKCategoryTypeIdentifierAppleStandHour"
    func add(_ value: String, _ hour: Int, source: String = SmallExport.watch) {
      export.add(
        stand, "HKCategoryValueAppleStandHour\(value)", unit: nil,
        from: "2024-03-05T\(hour):00:00", to: "2024-03-05T\(hour + 1):00:00", source: source)
    }
    add("Stood", 10)
    add("Idle", 11)
    add("Stood", 10, source: SmallExport.phone)
    add("Stood", 11, source: SmallExport.phone)
    add("Stood", 12, source: SmallExport.phone)
    let zone = ["--timezone", "UTC"]
    let path = try scratch.file("export.xml", export.data)
    func stats(_ arguments: String...) throws -> ProgramRun {
      try ProgramRun.hkstats(["stats", "appleStandHour"] + arguments + zone + ["--export", path])
    }
    let json = try stats("--by", "day", "--by-source", "--explain", "--format", "json")
    #expect(
      json.output == """
        {"type":"\(stand)","unit":"s","timezone":"UTC","merge":"hk","style":"category",\
        "rule":"collection","priority":["Anna’s Apple\u{A0}Watch","Anna’s iPhone"],\
        "asked":{"from":null,"to":null,"start":null,"end":null},"version":"\(EngineVersion.text)",
         "intervals":[
          {"start":"2024-03-05T00:00:00+00:00","end":"2024-03-06T00:00:00+00:00",\
        "values":{"stood":{"duration":7200,"count":2},"idle":{"duration":3600,"count":1}},\
        "sources":{"Anna’s Apple\u{A0}Watch":{"stood":{"duration":3600,"count":1},\
        "idle":{"duration":3600,"count":1}},\
        "Anna’s iPhone":{"stood":{"duration":10800,"count":3},"idle":{"duration":0,"count":0}}},\
        "contributions":[{"source":"Anna’s Apple\u{A0}Watch",\
        "values":{"stood":{"duration":3600,"masked":0},"idle":{"duration":3600,"masked":0}}},\
        {"source":"Anna’s iPhone","values":{"stood":{"duration":3600,"masked":7200}}}]}]}

        """)
    let csv = try stats("--by", "day", "--to", "2024-03-07", "--format", "csv")
    let facts = ",\(stand),s,UTC"
    #expect(
      try csv.line(0)
        == "start,end,stood_duration,stood_count,idle_duration,idle_count,type,unit,timezone")
    #expect(try csv.line(1).hasSuffix("+00:00,7200,2,3600,1" + facts))
    #expect(try csv.line(2).hasSuffix("+00:00,,0,,0" + facts))
    let raw = try stats("--by", "day", "--merge", "none", "--format", "csv", "--stat", "count")
    #expect(try raw.line(1).hasSuffix("+00:00,4,1" + facts))
    let parts = try stats("--by", "day", "--explain", "--format", "csv")
    #expect(
      try parts.line(0) == "start,end,source,rank,value,duration,masked,type,unit,timezone")
    let table = try stats("--by", "day")
    #expect(try table.line(3) == "Tue 2024-03-05  2 h 0 min            2  1 h 0 min           1")
    let explained = try stats("--by", "day", "--explain")
    #expect(
      try explained.line(3)
        == "Tue 2024-03-05  stood           1 h 0 min      1 h 0 min  2 h 0 min  2 h 0 min")
    let chart = try stats("--by", "day", "--format", "chart")
    #expect(try chart.line(2).hasSuffix("█" + String(repeating: "▒", count: 18)))
  }
}
