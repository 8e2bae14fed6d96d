import Foundation
import Testing
import _HealthTestSupport

@Suite("Rhythms and training, as programs")
final class RhythmProgramTests: ProgramSuite {
  /// Ten days of steps, heart rates and nights, and a run.
  override init() throws {
    try super.init()
    var export = SmallExport()
    for day in 10...19 {
      let date = "2024-03-\(day)"
      for hour in 8..<20 {
        export.steps(
          10 * hour, from: "\(date)T\(two(hour)):05:00", to: "\(date)T\(two(hour)):15:00")
      }
      for hour in 0..<24 where day != 15 || hour < 20 {
        export.add(
          "HKQuantityTypeIdentifierHeartRate", "\(60 + (hour < 12 ? hour : 24 - hour))",
          unit: "count/min", from: "\(date)T\(two(hour)):30:00", to: "\(date)T\(two(hour)):30:00")
      }
      export.add(
        "HKQuantityTypeIdentifierRestingHeartRate", "50", unit: "count/min",
        from: "\(date)T06:00:00", to: "\(date)T06:00:00")
      export.add(
        "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepCore",
        unit: nil, from: "\(date)T00:00:00", to: "\(date)T07:00:00")
    }
    for place in 0..<60 {
      let time = "2024-03-15T21:\(two(place)):00"
      export.add(
        "HKQuantityTypeIdentifierHeartRate", "140", unit: "count/min", from: time, to: time)
    }
    // The last one has a single heart rate.
    for (day, start, end) in [
      (15, "21:00:00", "21:50:00"), (15, "22:30:00", "22:40:00"), (18, "10:00:00", "10:50:00"),
    ] {
      export.add(
        lines:
          " <Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"50\""
          + " durationUnit=\"min\" sourceName=\"Watch\" startDate=\"2024-03-\(day) \(start) +0000\""
          + " endDate=\"2024-03-\(day) \(end) +0000\"/>")
    }
    try load(export)
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private let period = ["--from", "2024-03-11", "--to", "2024-03-19"]

  private func ask(_ arguments: [String], in period: [String]) throws -> ProgramRun {
    try ProgramRun.hkstats(arguments + period + ["--store", store])
  }

  @Test("rhythm tells of rest, activity and sleep")
  func rhythm() throws {
    let answer = try ask(["rhythm", "--format", "json"], in: period).object()
    #expect(answer["model"] is String && answer["method"] is String)
    let activity = try #require(answer["activity"] as? [String: Any])
    #expect(activity["days"] as? Int == 8)
    let stability = try #require(activity["interdailyStability"] as? Double)
    #expect((stability - 1).magnitude < 1e-12)
    #expect(activity["leastActiveOnset"] as? String == "00:00")
    #expect(activity["mostActiveOnset"] as? String == "10:00")
    #expect((activity["meanDay"] as? [Double])?[9] == 90)
    let sleep = try #require(answer["sleep"] as? [String: Any])
    #expect(sleep["nights"] as? Int == 8 && sleep["bedtime"] as? String == "00:00")
    #expect(sleep["socialJetLag"] as? Double == 0 && sleep["freeDayShift"] as? Double == 0)
    #expect(sleep["regularityIndex"] as? Double == 100)
    let table = try ask(["rhythm"], in: period).output
    #expect(table.contains("quietest 5 hours") && table.contains("from 00:00"))
    #expect(table.contains("activity ") && !table.contains("\nrhythm\n"))
    #expect(table.contains("Saturday, Sunday (--free-days)"))
    let whole = try ask("rhythm", "--from", "2024-03-01", "--to", "2024-04-01").output
    #expect(whole.contains("without data,") && whole.contains("not whole"))
    #expect(!whole.contains("2 in which") && !whole.contains("1 in which"))
    let chart = try ask(["rhythm", "--format", "chart"], in: period).output
    #expect(chart.contains("09:00   90"))
  }

  @Test("rhythm of a type has its mean day, and the peak of a cosine")
  func typed() throws {
    let run = try ask(["rhythm", "heartRate", "--format", "json"], in: ["--to", "2024-03-14"])
    let answer = try run.object()
    let hours = try run.rows("hours")
    #expect(hours.count == 24 && answer["model"] as? String == "cosinor")
    #expect(answer["interval"] as? String == "hour" && answer["tested"] as? Int == 1)
    #expect(hours[12]["median"] as? Double == 72 && hours[12]["count"] as? Int == 4)
    let rhythms = try #require(answer["rhythms"] as? [[String: Any]])
    let peak = try #require(rhythms.first?["peakTime"] as? Double)
    #expect((peak - 12.5).magnitude < 0.1)
    let chart = try ask("rhythm", "heartRate", "--to", "2024-03-14", "--format", "chart", "--ascii")
    #expect(chart.exitCode == 0 && chart.output.utf8.allSatisfy { $0 < 128 })
    #expect(try ask("rhythm", "steps", "--by", "day", "--from", "2024-03-10").exitCode == 0)
  }

  /// The answer about days of body mass from 2024-03-10 on.
  private func mass(_ values: [Double], _ arguments: String...) throws -> ProgramRun {
    var export = SmallExport()
    for (day, value) in values.enumerated() {
      let time = "2024-03-\(10 + day)T08:00:00"
      export.add("HKQuantityTypeIdentifierBodyMass", "\(value)", unit: "kg", from: time, to: time)
    }
    let store = scratch.path("mass.sqlite")
    let run = try ProgramRun.hkstats([
      "import", try scratch.file("mass.xml", export.data), "--store", store,
    ])
    try #require(run.exitCode == 0, "\(run.errors)")
    return try ProgramRun.hkstats(
      ["rhythm", "bodyMass", "--by", "day", "--timezone", "UTC", "--store", store] + arguments)
  }

  @Test("A rhythm that chance makes as high as often as not peaks at no clear time")
  func chanceRhythm() throws {
    let values = (0..<20).map { (day: Int) -> Double in
      let rest = (day * day * 3 + day) % 11
      return Double(70 + rest)
    }
    #expect(try mass(values).output.contains("at no clear time; chance 58.4 %"))
    let rhythms = try #require(
      try mass(values, "--format", "json").object()["rhythms"] as? [[String: Any]])
    #expect(rhythms.first?["peakTimeMargin"] is NSNull)
    // At a lower confidence it may be on one of some days.
    let unsure = try mass(values, "--confidence", "0.4").output
    #expect(unsure.contains("highest on Tuesday, give or take"))
  }

  @Test("A peak with a date is the first one of the data")
  func firstPeak() throws {
    let values = (0..<14).map { (day: Int) -> Double in
      let angle = 2 * Double.pi * (Double(day) - 1) / 3.5
      return (70_000 + 2000 * cos(angle)).rounded() / 1000
    }
    let table = try mass(values, "--periods", "3.5").output
    #expect(table.contains("Period of 3.5 days") && table.contains("highest first on 2024-03-11"))
  }

  @Test("Sleep that lasts no time is counted where there is no night")
  func emptySleep() throws {
    var export = SmallExport()
    for day in 10...12 {
      export.add(
        "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepCore",
        unit: nil, from: "2024-03-\(day)T23:00:00", to: "2024-03-\(day)T23:00:00")
    }
    let store = scratch.path("sleep.sqlite")
    let run = try ProgramRun.hkstats([
      "import", try scratch.file("sleep.xml", export.data), "--store", store,
    ])
    try #require(run.exitCode == 0, "\(run.errors)")
    let rhythm = try ProgramRun.hkstats(["rhythm", "--store", store])
    #expect(rhythm.exitCode == 1)
    #expect(rhythm.errors.contains("3 samples of sleep are left out: they last no time."))
  }

  @Test("training weighs a run, and counts one without heart rates")
  func training() throws {
    let given = ["--weighting", "men", "--maximum", "190"]
    let run = try ask(["training", "--format", "json"] + given, in: period)
    let answer = try run.object()
    let workouts = try run.rows("workouts")
    try #require(workouts.count == 3)
    #expect(answer["model"] as? String == "banister" && answer["method"] is String)
    #expect(answer["withoutLoad"] as? Int == 1 && answer["weightingBasis"] as? String == "given")
    let share = (140.0 - 50) / (190 - 50)
    let impulse = 50 * share * 0.64 * exp(1.92 * share)
    let load = try #require(workouts[0]["load"] as? Double)
    #expect((load - impulse).magnitude < 1e-9 * impulse)
    #expect(workouts[0]["zoneMinutes"] as? [Double] == [0, 0, 50, 0, 0])
    #expect((workouts[0]["recovery1"] as? [String: Any])?["drop"] as? Double == 0)
    #expect(workouts[1]["load"] is NSNull && workouts[1]["refusal"] is String)
    // Programs get the load of a minute; people are told why it is none.
    #expect(workouts[2]["load"] is Double && workouts[2]["measured"] as? Double == 60)
    let table = try ask(["training"] + given, in: period)
    let sparse = try #require(table.lines.first { $0.hasPrefix("2024-03-18") })
    #expect(sparse.count { $0 == "–" } == 5 && !sparse.contains("0 0 0 0 0"))
    #expect(
      table.output.contains("1 workout with heart rates for less than half of the time: no load"))
    #expect(table.output.contains("before the day of each workout"))
    let days = try ask(["training", "--by", "day", "--format", "json"] + given, in: period)
      .rows("days")
    #expect(days.count == 8)
    let fitness = try #require(days[4]["fitness"] as? Double)
    #expect((fitness - impulse / 42).magnitude < 1e-9 * impulse)
    let recent = try ask(["training", "--by", "day", "--format", "json"] + given, in: [])
      .rows("days")
    #expect(recent.count == 42)
    #expect((recent.last?["start"] as? String)?.hasPrefix("2024-03-19") ?? false)
    let heads = try ask(["training", "--by", "day"] + given, in: period).output
    #expect(["fitness (CTL)", "fatigue (ATL)", "balance (TSB)"].allSatisfy(heads.contains))
    // The export tells of both weeks whole; the first has a workout without heart rates.
    let weeks = try ask(["training", "--by", "week", "--format", "json"] + given, in: [])
      .rows("weeks").suffix(2)
    #expect(weeks.map { $0["whole"] as? Bool } == [true, true])
    #expect(weeks.map { $0["workouts"] as? Int } == [2, 1])
    #expect(weeks.map { $0["withoutLoad"] as? Int } == [1, 0])
    #expect(weeks.first?["load"] as? Double == load && weeks.last?["sparse"] as? Int == 1)
    #expect(weeks.allSatisfy { $0["monotony"] is NSNull && $0["strain"] is NSNull })
    let ofWeeks = try ask(["training", "--by", "week"] + given, in: period).output
    #expect(ofWeeks.contains("Training load by week") && ofWeeks.contains("not whole"))
    let chart = try ask(["training", "--by", "day", "--format", "chart"] + given, in: period)
    #expect(chart.output.contains("fatigue") && chart.output.contains("no load:"))
    let csv = try ask(["training", "--format", "csv"] + given, in: period)
    #expect(csv.lines.count == 4 && csv.output.contains("zone3_min"))
  }

  @Test(
    "What cannot be asked ends with a reason",
    arguments: [
      (["rhythm", "--by", "day"], 64), (["rhythm", "steps,heartRate"], 64),
      (["rhythm", "steps", "--periods", "0"], 64), (["rhythm", "--free-days", "caturday"], 64),
      (["rhythm", "steps", "--free-days", "friday"], 64), (["rhythm", "--confidence", "0.9"], 64),
      (["rhythm", "--unit", "count"], 64), (["rhythm", "--merge", "none"], 64),
      (["rhythm", "--prefer", "Watch"], 64),
      (["rhythm", "steps", "--from", "2020", "--to", "2021"], 1),
      (["training", "--from", "2024-03-01"], 64), (["training", "--weighting", "cats"], 64),
      (["training", "--from", "2024-03-01", "--weighting", "men", "--maximum", "40"], 1),
    ] as [([String], Int32)])
  func refusals(arguments: [String], code: Int32) throws {
    let run = try ask(arguments, in: [])
    #expect(run.exitCode == code && !run.errors.isEmpty, "\(run.errors)")
  }

  @Test("A period without workouts says where they are")
  func absence() throws {
    let run = try ask("training", "--from", "2020", "--to", "2021")
    #expect(run.exitCode == 0 && run.output.contains("2024-03-15"))
  }
}
