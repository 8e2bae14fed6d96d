import Foundation
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("Questions as people put them, as a program")
final class QuestionProgramTests: StoreSuite {
  override init() throws {
    try super.init()
    try load(Self.export)
  }

  /// Steps of a watch and a phone, some by hand, a heart rate, a weight, and a night that names its
  /// zone.
  private static var export: SmallExport {
    var export = SmallExport()
    export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    export.steps(
      240, from: "2024-03-05T10:00:00", to: "2024-03-05T10:20:00", source: SmallExport.phone)
    export.steps(
      30, from: "2024-03-07T23:57:00", to: "2024-03-08T00:02:00", source: SmallExport.phone)
    export.add(
      "HKQuantityTypeIdentifierStepCount", "50", unit: "count", from: "2024-03-09T12:00:00",
      to: "2024-03-09T12:00:00", source: "Health", metadata: ["HKWasUserEntered": "1"])
    export.add(
      "HKQuantityTypeIdentifierStepCount", "7", unit: "count", from: "2024-03-09T14:00:00",
      to: "2024-03-09T14:05:00", source: "Health")
    export.add(
      "HKQuantityTypeIdentifierHeartRate", "62", unit: "count/min", from: "2024-03-05T10:00:00",
      to: "2024-03-05T10:00:00")
    export.add(
      "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepCore", unit: nil,
      from: "2024-03-05T22:00:00", to: "2024-03-06T05:00:00",
      metadata: ["HKTimeZone": "Europe/Paris"])
    return export
  }

  private func ask(_ arguments: String..., zone: String? = "UTC") throws -> ProgramRun {
    try ask(arguments, zone: zone)
  }

  private func ask(_ arguments: [String], zone: String? = "UTC") throws -> ProgramRun {
    try ProgramRun.hkstats(
      arguments + ["--store", store] + (zone.map { ["--timezone", $0] } ?? []))
  }

  /// The answer in each form, and in each the text in which notes stand.
  private func forms(_ arguments: String...) throws -> [(form: String, run: ProgramRun)] {
    try ["table", "chart", "csv", "ndjson", "json"].map { form in
      (form, try ask(arguments + ["--format", form]))
    }
  }

  /// Where a note stands in a form.
  private func notes(_ form: String, _ run: ProgramRun) throws -> String {
    switch form {
    case "csv", "ndjson": run.errors
    case "json": (try run.object()["notes"] as? [String] ?? []).joined(separator: "\n")
    // Lines of charts are broken between words.
    default: run.output.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
  }

  // MARK: - The period

  @Test("an interval of nights that begins before the period has all its nights, as others do")
  func nightsOfWholeWeeks() throws {
    var export = SmallExport()
    for (from, to) in [
      ("2024-03-04T22:00:00", "2024-03-05T06:00:00"),
      ("2024-03-06T23:00:00", "2024-03-07T05:00:00"),
      ("2024-03-12T22:00:00", "2024-03-13T05:30:00"),
    ] {
      export.add(
        "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepCore",
        unit: nil, from: from, to: to)
    }
    let path = try scratch.file("nights.xml", export.data)
    for (from, to) in [("04", "18"), ("06", "18"), ("10", "18"), ("04", "12")] {
      let run = try ProgramRun.hkstats([
        "stats", "sleep", "--by", "week", "--from", "2024-03-" + from, "--to", "2024-03-" + to,
        "--compare", "previous", "--export", path, "--format", "json",
      ])
      let rows = try run.rows("intervals")
      let hours = rows.map { ($0["value"] as? Double ?? 0) / 3600 }
      #expect(hours == [7, 7.5], "\(from) \(to)")
      let before = rows.last?["compared"] as? Double ?? 0
      #expect(before / 3600 == 7, "\(from) \(to)")
    }
  }

  @Test("every form says that intervals reach beyond the period, and --clip gives it exactly")
  func beyond() throws {
    let year = ["stats", "steps", "--by", "year"]
    for (form, run) in try forms(
      "stats", "steps", "--by", "year", "--from", "2024-03-05", "--to", "2024-03-08T00:00")
    {
      let text = try notes(form, run).lowercased()
      #expect(text.contains("the first interval begins 2024-01-01, before --from"), "\(form)")
      #expect(text.contains("the last interval ends 2025-01-01, after --to"), "\(form)")
      #expect(text.contains("--clip") && run.exitCode == 0)
    }
    for (form, run) in try forms(
      "stats", "steps", "--by", "year", "--from", "2024", "--to", "2025")
    {
      #expect(try !notes(form, run).contains("interval"), "\(form)")
    }
    for by in [[], ["--by", "year"]] {
      let run = try ask(
        ["stats", "steps", "--from", "2024-03-05", "--to", "2024-03-08", "--clip", "--format"]
          + ["json"] + by)
      let answer = try run.object()
      let rows = try #require(answer["intervals"] as? [[String: Any]])
      #expect(rows.count == 1 && rows.first?["sum"] as? Double == 220 + 18)
      #expect(answer["rule"] as? String == "collection" && answer["notes"] == nil)
      #expect(rows.first?["start"] as? String == "2024-03-05T00:00:00+00:00")
      #expect(rows.first?["end"] as? String == "2024-03-08T00:00:00+00:00")
    }
    // A unit of the calendar that was cut is not called by its name.
    let cut = try ask(year + ["--from", "2024-03-05", "--to", "2024-03-08", "--clip"])
    #expect(cut.output.contains("2024-03-05 – 2024-03-08"))
    // One row has exactly the period: two of the five minutes across midnight.
    let one = try ask(
      "stats", "steps", "--from", "2024-03-08", "--to", "2024-03-09", "--format", "json"
    ).object()
    let row = try #require((one["intervals"] as? [[String: Any]])?.first)
    #expect(row["sum"] as? Double == 12 && one["notes"] == nil)
    #expect(row["start"] as? String == "2024-03-08T00:00:00+00:00")
    #expect(try ask("stats", "steps", "--clip").exitCode == 64)
  }

  @Test("every form says where the data end that are older than the period")
  func ends() throws {
    for type in ["steps", "sleepAnalysis"] {
      for (form, run) in try forms("stats", type, "--by", "day", "--from", "2024-06-01") {
        let end = type == "steps" ? "2024-03-09" : "2024-03-06"
        #expect(try notes(form, run).contains("the data end on \(end)."), "\(type) \(form)")
        #expect(run.exitCode == 0)
        if form == "table" || form == "chart" { #expect(!run.output.contains("2024-06-01")) }
      }
      for (form, run) in try forms("stats", type, "--by", "day", "--to", "2023-06-01") {
        #expect(try notes(form, run).contains("the data begin on 2024-03-05."), "\(type) \(form)")
      }
    }
    #expect(try ask("sleep", "--from", "2024-06-01").output.contains("the data end on 2024-03-06."))
    let gap = try ask("stats", "steps", "--by", "day", "--from", "2024-03-06", "--to", "2024-03-07")
    #expect(gap.output.contains("the data go from 2024-03-05 to 2024-03-09"))
    let none = try ask("stats", "bodyMass", "--by", "day", "--from", "2024-03-06")
    #expect(none.output.contains("there are no samples of bodyMass"))
    let comparison = try ask("sources", "compare", "steps", "--from", "2024-06-01")
    #expect(comparison.output.contains("the data end on 2024-03-09."))
    let trend = try ask("trend", "steps", "--by", "day", "--from", "2024-06-01")
    #expect(trend.errors.contains("the data end on 2024-03-09.") && trend.exitCode == 1)
  }

  @Test("months and years are their first instants; quarters are intervals")
  func dates() throws {
    let march = try ask(
      "stats", "steps", "--from", "2024-03", "--to", "2024-04", "--by", "month", "--format", "csv")
    #expect(try march.line(1).hasPrefix("2024-03-01T00:00:00+00:00,2024-04-01T00:00:00+00:00,307"))
    #expect(march.lines.count == 2 && march.errors == "")
    let quarter = try ask("stats", "steps", "--by", "quarter", "--from", "2024", "--to", "2025")
    #expect(quarter.output.contains("quarter") && quarter.output.contains("2024-Q1  307"))
    #expect(quarter.output.contains("2024-Q4    –"))
    let meant = try ask("stats", "steps", "--from", "10/31/2024")
    #expect(meant.exitCode == 64 && meant.errors.contains("Did you mean: 2024-10-31?"))
  }

  // MARK: - Sums by day

  @Test("--per day is the mean of the whole days that have data, in every form")
  func perDay() throws {
    for (form, run) in try forms("stats", "steps", "--by", "month", "--per", "day") {
      switch form {
      case "table":
        #expect(run.output.contains("per day  days") && run.output.contains("     29     3"))
      case "chart":
        #expect(run.output.contains("Steps, per day") && run.output.contains("29"))
      case "csv":
        #expect(try run.line(0).hasPrefix("start,end,sum,count,perDay,days,type,unit,timezone"))
        #expect(try run.line(1).contains(",307,5,29,3,"))
      case "ndjson":
        let row = try run.object()
        #expect(row["perDay"] as? Double == 29 && row["days"] as? Int == 3)
      default:
        let rows = try #require(try run.object()["intervals"] as? [[String: Any]])
        #expect(rows.first?["perDay"] as? Double == 29)
      }
      // The sum has the day on which the data begin, their mean has not.
      #expect(
        try notes(form, run).lowercased().contains(
          "left out of means, extremes, groups and comparisons: 2024-03-05, where the data begin."),
        "\(form)")
    }
    let hours = try ask(
      "stats", "steps", "--by", "day", "--from", "2024-03-07", "--to", "2024-03-09", "--per",
      "hour", "--format", "csv", "--stat", "count")
    #expect(try hours.line(0).contains("count,perHour,hours"))
    #expect(try hours.line(1).contains(",1,18,1,") && hours.line(2).contains(",1,12,1,"))
    let empty = try ask(
      "stats", "steps", "--by", "day", "--from", "2024-03-06", "--to", "2024-03-09", "--per",
      "hour", "--format", "csv")
    #expect(try empty.line(1).contains(",,0,,0,"))
    for wrong in [
      ["heartRate", "--by", "day", "--per", "day"], ["sleepAnalysis", "--per", "day"],
      ["steps", "--by", "hour", "--per", "day"], ["steps", "--by", "day", "--per", "week"],
    ] {
      #expect(try ask(["stats"] + wrong).exitCode == 64, "\(wrong)")
    }
  }

  // MARK: - Sources

  @Test("--source and --exclude answer as if the others had never measured")
  func sources() throws {
    let steps = [
      "stats", "steps", "--from", "2024", "--to", "2025", "--format", "csv", "--by", "year",
    ]
    for (options, sum) in [
      (["--source", "Anna's iPhone"], "270"), (["--source", "Anna's Apple Watch"], "100"),
      (["--exclude", "Anna's iPhone"], "157"), (["--source", "Health (entered by hand)"], "50"),
      (["--source", "Health"], "57"), (["--exclude", "Health (entered by hand)"], "257"),
      (["--source", "Health", "--source", " Anna’s iPhone"], "327"),
      (["--source", "Health", "--exclude", "Health (entered by hand)"], "7"),
    ] {
      let run = try ask(steps + options)
      #expect(try run.line(1).split(separator: ",")[2] == sum, "\(options)")
    }
    for (name, meant) in [("Anna’s iPhne", "Anna’s iPhone"), ("watch", "Anna’s Apple")] {
      let run = try ask(steps + ["--source", name])
      #expect(run.exitCode == 64 && run.errors.contains("Did you mean: \(meant)"), "\(name)")
      #expect(run.output == "")
    }
    // Without a source that is not there the answer is the same, and the slip is said.
    for command in [steps, ["trend", "steps", "--by", "day"], ["samples", "steps"]] {
      let run = try ask(command + ["--exclude", "Anna’s iPhne"])
      let all = try ask(command)
      #expect((run.exitCode, run.output) == (all.exitCode, all.output), "\(command)")
      #expect(run.errors.contains("Did you mean: Anna’s iPhone?"), "\(run.errors)")
    }
    // What hands data out does not take a slip for a wish.
    #expect(try ask("export", "steps", "--exclude", "Strava").exitCode == 64)
    // A source of other types has nothing here, and says so.
    let none = try ask("stats", "sleepAnalysis", "--source", "Anna's iPhone", "--by", "day")
    #expect(none.errors.contains("has no samples of sleepAnalysis") && none.exitCode == 0)
    for command in [
      ["trend", "steps", "--by", "day"], ["sources", "compare", "steps"], ["samples", "steps"],
      ["sleep"], ["export", "steps"],
    ] {
      let run = try ask(command + ["--source", "Nobody at all"])
      #expect(run.exitCode == 64 && run.errors.contains("There is no source"), "\(command)")
    }
    let samples = try ask("samples", "steps", "--exclude", "Anna's iPhone", "--format", "csv")
    #expect(samples.lines.count == 4 && !samples.output.contains("Anna’s iPhone"))
    let export = try ask("export", "steps", "--source", "Anna's iPhone", "--format", "csv")
    #expect(export.lines.count == 3)
  }

  @Test("an order takes printed names, refuses unknown ones, and is shown")
  func order() throws {
    func order(_ words: String...) throws -> ProgramRun {
      try ask(["sources"] + words, zone: nil)
    }
    #expect(try order("prefer", "steps", "Health (entered by hand)", "Anna’s iPhone").exitCode == 0)
    let listed = try order("steps", "--format", "csv")
    #expect(try listed.line(0).hasPrefix("rank,preferred,source"))
    #expect(try listed.line(1).hasPrefix("1,1,Health (entered by hand),"))
    #expect(try listed.line(2).hasPrefix("2,2,Anna’s iPhone,"))
    #expect(try listed.line(4).hasPrefix("4,,"))
    let wrong = try order("prefer", "steps", "Anna’s iPhon")
    #expect(wrong.exitCode == 64 && wrong.errors.contains("Did you mean: Anna’s iPhone?"))
    #expect(try order("steps", "--format", "csv").output == listed.output)
    #expect(try order("prefer", "steps", "New Watch", "--force").exitCode == 0)
    #expect(try order("steps").errors.contains("New Watch"))
    let asked = try ask("stats", "steps", "--prefer", "iphone", "--by", "year")
    #expect(asked.exitCode == 0 && asked.errors.contains("Did you mean: Anna’s iPhone?"))
  }

  // MARK: - Zones

  @Test(
    "the zone that is set in the store is that of questions; a wrong one of the machine is named")
  func zones() throws {
    let day = ["stats", "steps", "--by", "day", "--from", "2024-03-08", "--to", "2024-03-09"]
    let csv = day + ["--format", "csv"]
    for form in ["table", "chart", "csv", "ndjson", "json"] {
      let text = try ask(day + ["--format", form], zone: nil).errors
      #expect(text.contains("Europe/Paris") && text.contains("zones set"), "\(form)")
    }
    #expect(try ask(["sleep"], zone: nil).errors.contains("names the zone Europe/Paris"))
    #expect(try ask(csv, zone: "UTC").errors == "")
    let wrong = try ask(["zones", "set", "Europe/Pari"], zone: nil)
    #expect(wrong.exitCode == 64 && wrong.errors.contains("Did you mean: Europe/Paris?"))
    #expect(try ask(["zones", "set", "Europe/Paris"], zone: nil).exitCode == 0)
    let set = try ask(csv, zone: nil)
    #expect(set.errors == "" && set.output.contains("2024-03-08T00:00:00+01:00"))
    #expect(set.output.contains(",Europe/Paris,"))
    #expect(try ask(csv, zone: "Asia/Tokyo").output.contains(",Asia/Tokyo,"))
    #expect(try ask(["zones"], zone: nil).output.hasPrefix("# Questions go by Europe/Paris"))
    #expect(try ask(["zones", "reset"], zone: nil).exitCode == 0)
    #expect(try ask(csv, zone: nil).output.contains(",UTC,"))
    // The list with its comment is one that --timezone-file reads.
    let list = try scratch.file(
      "zones.txt", Data(try ask(["zones"], zone: nil).output.utf8))
    let listed = try ask(csv + ["--timezone-file", list], zone: nil)
    #expect(listed.output.contains("2024-03-08T00:00:00+01:00"))
    // An export that is asked directly has no store that could be set.
    let export = try ProgramRun.hkstats(csv + ["--export", scratch.path("export.xml")])
    #expect(export.errors.contains("names the zone Europe/Paris"))
    #expect(!export.errors.contains("zones set"))
  }

  // MARK: - Rows, words and mistakes

  @Test("statistics stand in the order in which they were asked for")
  func statOrder() throws {
    let run = { (format: String) in
      try self.ask(
        "stats", "heartRate", "--by", "day", "--stat", "max,p10,min,mean,median,max", "--format",
        format)
    }
    #expect(try run("csv").line(0).hasPrefix("start,end,max,p10,min,mean,median,type"))
    let titles = try #require(try run("table").lines.first { $0.hasPrefix("day") })
    #expect(
      titles.split(separator: " ").dropFirst() == ["max", "p10", "min", "mean", "median"])
    #expect(try run("ndjson").output.contains("\"max\":62,\"p10\":62,\"min\":62,\"mean\":62"))
  }

  @Test(
    "what is misspelt is refused with what may be meant",
    arguments: [
      ("stat steps", "hkstats stats"), ("help bogus", "hkstats has: import"),
      ("help stat", "hkstats stats"), ("sources comapre steps", "hkstats sources compare"),
      ("units convrt 1 kg lb", "hkstats units convert"), ("zones sett", "hkstats zones set"),
      ("stats stps", "steps"), ("samples workot", "workout"), ("export workuots", "workouts"),
      ("workouts --activity runing", "running"), ("stats steps --stat meen", "mean"),
      ("stats steps --stat average", "mean"), ("stats steps --by dya", "day"),
      ("stats steps --by monthly", "month"), ("stats steps --by 15m", "15min or 15mo"),
      ("stats steps --merge highst", "highest"), ("stats steps --per dya", "day"),
      ("stats steps --timezone Europe/Pars", "Europe/Paris"),
      ("stats steps --from tomorow", "tomorrow"),
    ])
  func misspelt(words: String, meant: String) throws {
    let run = try ask(words.split(separator: " ").map(String.init), zone: nil)
    #expect(run.exitCode == 64 && run.output == "")
    #expect(run.errors.contains(meant), "\(run.errors)")
    #expect(run.errors.contains("Did you mean") || meant.contains(" has:"), "\(run.errors)")
  }

  @Test("what one form cannot do is said, or drawn")
  func forms() throws {
    let explained = try ask("stats", "heartRate", "--by", "day", "--explain")
    #expect(explained.exitCode == 64 && !explained.errors.contains("sum"))
    let drawn = try ask("stats", "steps", "--by", "day", "--format", "chart", "--by-source")
    #expect(drawn.output.contains("Anna’s iPhone") && drawn.output.contains("merged"))
    #expect(
      try ask("stats", "sleepAnalysis", "--by", "day", "--format", "chart", "--by-source").exitCode
        == 64)
    #expect(try ask("stats", "steps", "--by", "day", zone: "UTC").output.contains("UTC"))
    #expect(try ask("stats", "steps", "--format", "json", zone: "GMT").output.contains("\"UTC\""))
  }

  @Test("a trend keeps the intervals at the ends where the data reach through them")
  func trendEnds() throws {
    var export = SmallExport(offset: 0)
    for day in 1...31 {
      let text = day < 10 ? "0\(day)" : "\(day)"
      // The first and the last day of the data are halves.
      let hours = day == 1 ? ["18"] : day == 31 ? ["06"] : ["00", "06", "12", "18"]
      for hour in hours {
        export.steps(
          100 * day, from: "2024-05-\(text)T\(hour):00:00", to: "2024-05-\(text)T\(hour):30:00")
      }
    }
    let path = try scratch.file("may.xml", export.data)
    func trend(_ arguments: [String] = []) throws -> [String: Any] {
      try ProgramRun.hkstats(
        [
          "trend", "steps", "--by", "day", "--format", "json", "--export", path, "--timezone",
          "UTC",
        ]
          + arguments
      ).object()
    }
    // Of all days the first is left out, of a part of them none is; the last is whole, since the file is
    // of the day after it.
    #expect(try trend()["count"] as? Int == 30)
    let part = try trend(["--from", "2024-05-10", "--to", "2024-05-20"])
    #expect(part["count"] as? Int == 10 && part["slopeUnit"] as? String == "count/d")
    #expect(abs((part["slopePerDay"] as? Double ?? 0) - 400) < 1e-6)
    // The sums of two days grow by twice as much a day as the means of their days.
    let cases: [([String], Double, String)] = [
      ([], 800, "sum"), (["--per", "day"], 400, "perDay"),
    ]
    for (arguments, slope, statistic) in cases {
      let period = ["--from", "2024-05-10", "--to", "2024-05-20", "--by", "2d"]
      let answer = try trend(period + arguments)
      #expect(abs((answer["slopePerDay"] as? Double ?? 0) - slope) < 1e-6)
      #expect(answer["statistic"] as? String == statistic && answer["count"] as? Int == 5)
    }
    let days = try ProgramRun.hkstats([
      "trend", "steps", "--by", "week", "--per", "day", "--export", path, "--timezone", "UTC",
    ])
    #expect(days.output.contains("in the mean day of each week"))
    let hours = try ProgramRun.hkstats([
      "trend", "steps", "--by", "hour", "--per", "day", "--export", path,
    ])
    #expect(hours.exitCode == 64 && hours.errors.contains("give a longer --by"))
    let text = try ProgramRun.hkstats(
      ["trend", "steps", "--by", "day", "--export", path, "--timezone", "UTC"])
    #expect(text.output.contains(" steps a month"))
  }
}
