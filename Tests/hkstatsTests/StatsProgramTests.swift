import Foundation
import HealthExchange
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("hkstats stats, as a program")
final class StatsProgramTests: StoreSuite {
  /// A walk that a watch and a phone both counted, the phone a little longer, and one that only
  /// the phone counted.
  private static var walks: SmallExport {
    var export = SmallExport()
    export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    export.steps(
      240, from: "2024-03-05T10:00:00", to: "2024-03-05T10:20:00", source: SmallExport.phone)
    export.steps(
      30, from: "2024-03-07T23:57:00", to: "2024-03-08T00:02:00", source: SmallExport.phone)
    return export
  }

  private func stats(_ arguments: String..., of export: SmallExport = walks) throws -> ProgramRun {
    let path = try scratch.file("export.xml", export.data)
    return try ProgramRun.hkstats(["stats"] + arguments + ["--export", path])
  }

  @Test("json is the contract, to the letter")
  func contract() throws {
    let run = try stats(
      "steps", "--by", "day", "--timezone", "Europe/Paris", "--from", "2024-03-05", "--to",
      "2024-03-09", "--format", "json")
    #expect(run.errors == "")
    #expect(
      run.output == """
        {"type":"HKQuantityTypeIdentifierStepCount","unit":"count","timezone":"Europe/Paris",\
        "merge":"hk","style":"cumulative","rule":"collection",\
        "priority":["Anna’s Apple\u{A0}Watch","Anna’s iPhone"],\
        "asked":{"from":"2024-03-05","to":"2024-03-09",\
        "start":"2024-03-05T00:00:00+01:00","end":"2024-03-09T00:00:00+01:00"},\
        "version":"\(EngineVersion.text)",
         "intervals":[
          {"start":"2024-03-05T00:00:00+01:00","end":"2024-03-06T00:00:00+01:00","sum":220,"count":2},
          {"start":"2024-03-06T00:00:00+01:00","end":"2024-03-07T00:00:00+01:00","sum":null,"count":0},
          {"start":"2024-03-07T00:00:00+01:00","end":"2024-03-08T00:00:00+01:00","sum":null,"count":0},
          {"start":"2024-03-08T00:00:00+01:00","end":"2024-03-09T00:00:00+01:00","sum":30,"count":1}]}

        """)
  }

  @Test("A sample over midnight is shared out, also at the ends of the one row of a period")
  func edges() throws {
    let split = try stats(
      "steps", "--by", "day", "--from", "2024-03-07", "--to", "2024-03-09", "--format", "csv")
    #expect(
      split.output == """
        start,end,sum,count,type,unit,timezone,merge
        2024-03-07T00:00:00+00:00,2024-03-08T00:00:00+00:00,18,1,\
        HKQuantityTypeIdentifierStepCount,count,UTC,hk
        2024-03-08T00:00:00+00:00,2024-03-09T00:00:00+00:00,12,1,\
        HKQuantityTypeIdentifierStepCount,count,UTC,hk

        """)
    let open = try stats("steps", "--from", "2024-03-08", "--format", "json")
    let closed = try stats(
      "steps", "--from", "2024-03-08", "--to", "2024-03-09", "--format", "json")
    for run in [open, closed] {
      let cut = try run.object()
      #expect(cut["rule"] as? String == "collection")
      let intervals = try #require(cut["intervals"] as? [[String: Any]])
      #expect(intervals.count == 1 && intervals.first?["sum"] as? Double == 12)
      #expect(intervals.first?["start"] as? String == "2024-03-08T00:00:00+00:00")
    }
    let whole = try stats("steps", "--format", "json").object()
    #expect(whole["rule"] as? String == "single")
  }

  @Test(
    "The policy and the preferred source decide what counts",
    arguments: [
      ([], 220.0, 2), (["--merge", "none"], 340, 2), (["--merge", "hc"], 220, 2),
      (["--merge", "subtractive"], 240, 2), (["--merge", "drop"], 100, 1),
      (["--merge", "highest"], 240, 1), (["--prefer", "Anna's iPhone"], 240, 1),
      (["--prefer", "Nobody", "--prefer", "  Anna's Apple Watch"], 220, 2),
      (["--unit", "%", "--exact"], 220, 2),
    ] as [([String], Double, Int)])
  func policies(options: [String], sum: Double, count: Int) throws {
    let path = try scratch.file("export.xml", Self.walks.data)
    let run = try ProgramRun.hkstats(
      ["stats", "steps", "--by", "day", "--from", "2024-03-05", "--to", "2024-03-06"] + options
        + ["--export", path, "--format", "ndjson"])
    let interval = try run.object()
    #expect(interval["sum"] as? Double == sum)
    #expect(interval["count"] as? Int == count)
    #expect(run.errors.contains("Nobody") == options.contains("Nobody"))
    #expect(run.exitCode == 0)
  }

  @Test("Each source alone stands under its name")
  func bySource() throws {
    let run = try stats(
      "steps", "--by", "day", "--from", "2024-03-05", "--to", "2024-03-06", "--by-source",
      "--format", "json")
    let intervals = try #require(try run.object()["intervals"] as? [[String: Any]])
    let sources = try #require(intervals.first?["sources"] as? [String: [String: Double]])
    #expect(sources["Anna’s Apple\u{A0}Watch"] == ["sum": 100, "count": 1])
    #expect(sources["Anna’s iPhone"] == ["sum": 240, "count": 1])
    let csv = try stats(
      "steps", "--by", "day", "--from", "2024-03-05", "--to", "2024-03-06", "--by-source",
      "--format", "csv")
    #expect(csv.lines.count == 4)
    #expect(try csv.line(1).contains(",,220,2"))
    let table = try stats(
      "steps", "--by", "day", "--from", "2024-03-05", "--to", "2024-03-06", "--by-source")
    #expect(table.output.contains("Anna’s iPhone"))
  }

  @Test("Days in spring have 23 hours where the clock changes, whatever the file's offset")
  func daylightSaving() throws {
    var texts: Set<String> = []
    for offset in [60, -300, 345] {
      var export = SmallExport(offset: offset, address: 0x1000 + offset)
      for day in 8...12 {
        let number = day < 10 ? "0\(day)" : "\(day)"
        export.steps(
          day * 100, from: "2024-03-\(number)T17:00:00", to: "2024-03-\(number)T17:10:00")
        export.steps(
          day, from: "2024-03-\(number)T04:30:00", to: "2024-03-\(number)T04:40:00")
      }
      let run = try stats(
        "steps", "--by", "day", "--timezone", "America/New_York", "--from", "2024-03-09", "--to",
        "2024-03-12", "--format", "json", of: export)
      #expect(run.errors == "")
      texts.insert(run.output)
    }
    let text = try #require(texts.first)
    #expect(texts.count == 1)
    #expect(
      text.contains(
        "{\"start\":\"2024-03-10T00:00:00-05:00\",\"end\":\"2024-03-11T00:00:00-04:00\","))
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let intervals = try #require(object["intervals"] as? [[String: Any]])
    let formatter = ISO8601DateFormatter()
    let hours = try intervals.map { interval in
      let texts = try ["start", "end"].map { try #require(interval[$0] as? String) }
      let dates = try texts.map { try #require(formatter.date(from: $0)) }
      return dates[1].timeIntervalSince(dates[0]) / 3600
    }
    #expect(hours == [24, 23, 24])
    // 04:30 UTC is 23:30 of the day before until the clock changes, then 00:30.
    #expect(intervals.compactMap { $0["sum"] as? Double } == [910, 1000, 1111])
  }

  @Test("An export with one offset over a clock change says which zone was assumed")
  func assumedZone() throws {
    let path = try scratch.file("export.xml", Self.walks.data)
    let question = ["stats", "steps", "--by", "day", "--export", path]
    let paris = ["TZ": "Europe/Paris"]
    var export = Self.walks
    export.steps(5, from: "2024-05-05T10:00:00", to: "2024-05-05T10:10:00")
    let long = try scratch.file("long.xml", export.data)
    #expect(try ProgramRun.hkstats(question, environment: paris).errors == "")
    let spring = ["stats", "steps", "--by", "day", "--export", long]
    #expect(
      try ProgramRun.hkstats(spring, environment: paris).errors.contains("Europe/Paris"))
    #expect(
      try ProgramRun.hkstats(spring + ["--timezone", "Europe/Paris"], environment: paris).errors
        == "")
  }

  @Test(
    "Answers name the policy, or the rule of the mean and whence it comes",
    arguments: [
      (["steps"], ["merge": "hk"]), (["steps", "--merge", "drop"], ["merge": "drop"]),
      (["steps", "--exact"], ["merge": "hk", "exact": "true"]),
      (
        ["restingHeartRate"],
        ["method": "temporallyWeighted", "styleVersion": "sdk26", "hold": "600"]
      ),
      (
        ["restingHeartRate", "--hold", "5min", "--exact"],
        [
          "method": "temporallyWeighted", "styleVersion": "sdk26", "hold": "300", "exact": "true",
        ]
      ),
      (
        ["restingHeartRate", "--style", "sdk18"],
        ["method": "arithmetic", "styleVersion": "sdk18"]
      ),
      (
        ["restingHeartRate", "--style", "arithmetic"], ["method": "arithmetic", "styleVersion": ""]
      ),
      (["restingHeartRate", "--merge", "hc"], ["method": "arithmetic", "styleVersion": ""]),
      (
        ["restingHeartRate", "--stat", "p90,stddev,coverage"],
        [
          "method": "temporallyWeighted", "styleVersion": "sdk26", "hold": "600",
          "percentileMethod": "linear (Hyndman-Fan type 7)", "stddevMethod": "sample (n - 1)",
          "coverageMethod": "time of the curve",
        ]
      ),
    ] as [([String], [String: String])])
  func rulesAreNamed(question: [String], rules: [String: String]) throws {
    var export = Self.walks
    export.add(
      "HKQuantityTypeIdentifierRestingHeartRate", "60", unit: "count/min",
      from: "2024-03-05T08:00:00", to: "2024-03-05T08:00:00")
    let path = try scratch.file("export.xml", export.data)
    let line = try ProgramRun.hkstats(
      ["stats"] + question + ["--export", path, "--format", "ndjson"]
    ).object()
    for name in [
      "merge", "method", "styleVersion", "hold", "exact", "percentileMethod", "stddevMethod",
      "coverageMethod",
    ] {
      let found = line[name].flatMap { (found: Any) -> String? in
        switch found {
        case is NSNull: ""
        case let flag as Bool where name == "exact": "\(flag)"
        case let number as Double: NumberText.exact(number)
        default: found as? String
        }
      }
      #expect(found == rules[name], "\(name)")
    }
  }

  @Test("The rule of a mean is named in every form for people and programs")
  func methodIsNamed() throws {
    var export = SmallExport()
    for type in ["HeartRate", "RestingHeartRate"] {
      export.add(
        "HKQuantityTypeIdentifier" + type, "60", unit: "count/min", from: "2024-03-05T08:00:00",
        to: "2024-03-05T08:00:00")
    }
    func method(_ arguments: String...) throws -> String? {
      let run = try ProgramRun.hkstats(
        ["stats", "heartRate", "--format", "json"] + arguments
          + ["--export", try scratch.file("rate.xml", export.data)])
      return try run.object()["method"] as? String
    }
    #expect(try method() == "temporallyWeighted")
    #expect(try method("--style", "sdk18") == "temporallyWeighted")
    #expect(try method("--style", "arithmetic") == "arithmetic")
    #expect(try stats("heartRate", of: export).output.contains("mean: temporally weighted"))
    #expect(
      try stats("heartRate", "--format", "chart", of: export).output.contains("up to 20 min"))
    #expect(
      try stats("heartRate", "--hold", "90s", of: export).output.contains("holds for 1.5 min"))
    #expect(try stats("heartRate", "--stat", "max", of: export).output.contains("mean") == false)
    for format in ["table", "chart"] {
      #expect(
        try stats("restingHeartRate", "--style", "sdk18", "--format", format, of: export).output
          .contains("in SDK 18"))
      #expect(
        try stats("heartRate", "--exact", "--format", format, of: export).output
          .contains("correctly rounded"))
      #expect(
        try !stats("restingHeartRate", "--format", format, of: export).output.contains("SDK"))
    }
    #expect(try stats("steps", "--format", "json").object()["method"] == nil)
  }

  @Test("Medians, percentiles, deviations and coverage are there for who asks, with their rules")
  func distribution() throws {
    var export = SmallExport()
    for (index, value) in ["60", "61", "63", "70"].enumerated() {
      export.add(
        "HKQuantityTypeIdentifierBodyMass", value, unit: "kg", from: "2024-03-05T08:0\(index):00",
        to: "2024-03-05T08:0\(index):00")
    }
    export.add(
      "HKQuantityTypeIdentifierBodyMass", "80", unit: "kg", from: "2024-03-06T08:00:00",
      to: "2024-03-06T20:00:00")
    let question = ["bodyMass", "--by", "day", "--stat", "p99.9,p25,stddev,median,coverage"]
    let path = try scratch.file("mass.xml", export.data)
    func run(_ format: String) throws -> ProgramRun {
      try ProgramRun.hkstats(["stats"] + question + ["--export", path, "--format", format])
    }
    let json = try run("json").object()
    #expect(json["percentileMethod"] as? String == "linear (Hyndman-Fan type 7)")
    #expect(json["stddevMethod"] as? String == "sample (n - 1)")
    #expect(json["coverageMethod"] as? String == "covered time")
    let days = try #require(json["intervals"] as? [[String: Any]])
    try #require(days.count == 2)
    #expect(days[0]["median"] as? Double == 62 && days[0]["p25"] as? Double == 60.75)
    #expect(days[0]["coverage"] as? Double == 0 && days[1]["coverage"] as? Double == 0.5)
    #expect(days[1]["p99.9"] as? Double == 80 && days[1]["stddev"] is NSNull)
    #expect(Set(days[0].keys) == ["start", "end", "median", "p25", "p99.9", "stddev", "coverage"])
    #expect(
      try run("csv").line(0)
        .hasPrefix("start,end,p99.9,p25,stddev,median,coverage,type,unit,timezone,method,"))
    let table = try run("table").output
    #expect(table.contains("50 %") && table.contains("type 7") && table.contains("n - 1"))
  }

  @Test("Without data: nulls where a period names intervals, an empty list elsewhere, code 0")
  func noData() throws {
    let named = try stats(
      "flightsClimbed", "--by", "day", "--from", "2024-03-05", "--to", "2024-03-07", "--format",
      "json")
    #expect(named.exitCode == 0)
    let intervals = try #require(try named.object()["intervals"] as? [[String: Any]])
    try #require(intervals.count == 2)
    #expect(intervals.allSatisfy { $0["sum"] is NSNull && $0["count"] as? Int == 0 })
    let unnamed = try stats("flightsClimbed", "--by", "day", "--format", "json")
    #expect(unnamed.exitCode == 0)
    #expect(try #require(try unnamed.object()["intervals"] as? [Any]).isEmpty)
    #expect(
      try stats("flightsClimbed", "--by", "day").output.contains("No data: there are no samples"))
  }

  @Test("Charts fit 80 columns", arguments: ["hour", "day", "week", "5min"])
  func chartsFit(interval: String) throws {
    let run = try stats("steps", "--by", interval, "--format", "chart")
    #expect(run.exitCode == 0)
    #expect(run.lines.dropLast(2).allSatisfy { String($0).displayWidth <= 80 })
  }

  @Test("Colours come only when asked for, and never with NO_COLOR")
  func colors() throws {
    #expect(try !stats("steps", "--by", "day").output.contains("\u{1B}"))
    #expect(try stats("steps", "--by", "day", "--color", "always").output.contains("\u{1B}["))
    #expect(try !stats("steps", "--by", "day", "--color", "never").output.contains("\u{1B}"))
  }

  @Test(
    "Wrong usage ends with code 64 and says what is right",
    arguments: [
      (["stepz"], "Did you mean"), (["steps", "--merge", "mean"], "hk, hc"),
      (["steps", "--explain", "--exact"], "either"),
      (["steps", "--explain", "--format", "chart"], "csv, json"),
      (["heartRate", "--explain"], "is not merged"),
      (["steps", "--merge", "subtractive", "--exact"], "exact"),
      (["environmentalAudioExposure", "--exact"], "--style arithmetic"),
      (["heartRate", "--exact", "--stat", "mean,median"], "median"),
      (["steps", "--exact", "--stat", "duration"], "sum, count, recent"),
      (["steps", "--by", "fortnight"], "hour, day"), (["steps", "--by", "-1d"], "hour, day"),
      (["steps", "--by", "0h"], "hour, day"), (["steps", "--by", "0min"], "hour, day"),
      (["steps", "--by", "20000y"], "hour, day"), (["steps", "--by", "1e3d"], "hour, day"),
      (["steps", "--stat", "mean"], "sum, count"),
      (["steps", "--stat", "average"], "sum, mean"), (["heartRate", "--stat", "sum"], "mean, min"),
      (["steps", "--stat", "p90"], "does not fit"), (["steps", "--stat", "median"], "sum, count"),
      (["steps", "--stat", "stddev"], "sum, count"), (["heartRate", "--stat", "p101"], "p100"),
      (["heartRate", "--stat", "p"], "p100"), (["heartRate", "--style", "sdk7"], "sdk18, sdk26"),
      (["steps", "--style", "arithmetic"], "does not fit"),
      (["steps", "--hold", "5min"], "--hold"),
      (["heartRate", "--style", "equivalentContinuousLevel"], "does not fit"),
      (["heartRate", "--hold", "soon"], "5min"), (["heartRate", "--hold", "25h"], "24 h"),
      (["steps", "--unit", "kg"], "does not convert"), (["steps", "--unit", "furlong"], "no unit"),
      (["steps", "--timezone", "Europe/Pari"], "Europe/Paris"),
      (["steps", "--from", "soon"], "date"),
      (["steps", "--from", "2024-03-05", "--to", "2024-03-05"], "--to must come after"),
      (["steps", "--from", "2024-03-05", "--to", "2024-03-04"], "--to must come after"),
      (["steps", "--by", "day", "--from", "today", "--to", "-3d"], "--to must come after"),
      (["steps", "--from", "nan"], "date"), (["steps", "--to", "99999-01-01"], "date"),
      (["steps", "--by", "week", "--anchor", "noon"], "date"),
      (["steps", "--explain", "--by-source"], "either"),
      (["steps", "--timezone", ""], "time zone"),
      (["heartRate", "--hold", "-5min"], "5min"), (["heartRate", "--hold", "inf"], "5min"),
      (["sleepAnalysis", "--unit", "h"], "leave --unit"), (["steps", "--format", "xml"], "table"),
      (["steps", "--store", "x.sqlite"], "either"), (["steps", "extra"], "\"extra\""),
      ([], "type"),
    ] as [([String], String)])
  func wrongUsage(arguments: [String], message: String) throws {
    let path = try scratch.file("export.xml", Self.walks.data)
    let run = try ProgramRun.hkstats(["stats"] + arguments + ["--export", path])
    #expect(run.exitCode == 64)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.output == "")
  }
}
