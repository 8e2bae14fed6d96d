import Foundation
import Testing
import _HealthTestSupport

/// Trials of days that are not over, or that the data begin or end inside.
@Suite("Days that are not whole, as programs")
final class WholeDaysProgramTests: StoreSuite {
  /// A store of an export of a date, which the days of steps and others write.
  private func store(
    exported: String, _ write: (inout SmallExport) throws -> Void
  ) throws -> String {
    var export = SmallExport(offset: 0)
    try write(&export)
    let text = export.text.replacing(
      "2024-06-01 08:00:00 +0000", with: "\(exported) +0000")
    let path = try scratch.file("\(exported.filter(\.isNumber)).xml", Data(text.utf8))
    let store = scratch.path("\(exported.filter(\.isNumber)).sqlite")
    let run = try ProgramRun.hkstats(["import", path, "--store", store])
    try #require(run.exitCode == 0, "\(run.errors)")
    return store
  }

  private func ask(
    _ words: String, of store: String, at now: String = "2025-06-01T12:00:00+00:00"
  ) throws -> ProgramRun {
    try ProgramRun.hkstats(
      words.split(separator: " ").map(String.init) + ["--timezone", "UTC", "--store", store],
      environment: ["HKSTATS_NOW": now])
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Adds steps at nine o'clock on each day of a month, as many hundreds as the day of the month.
  private func steps(
    _ month: String, _ days: ClosedRange<Int>, to export: inout SmallExport
  ) {
    for day in days {
      let date = "\(month)-\(Self.two(day))"
      export.steps(100 * day, from: "\(date)T09:00:00", to: "\(date)T10:00:00")
    }
  }

  private func sum(_ days: ClosedRange<Int>) -> Double { Double(100 * days.reduce(0, +)) }

  @Test("periods are compared up to where the data end, or up to yesterday")
  func compared() throws {
    for (exported, now, last) in [
      // A file of midnight tells of the whole day before.
      ("2025-03-12 00:00:00", "2025-11-28T12:00:00+00:00", 11),
      ("2025-03-12 15:00:00", "2025-11-28T12:00:00+00:00", 11),
      ("2025-03-12 15:00:00", "2025-03-12T15:30:00+00:00", 11),
      ("2025-03-31 15:00:00", "2025-03-08T15:30:00+00:00", 7),
    ] {
      let store = try store(exported: exported) { export in
        for month in ["2023-12", "2024-01", "2024-02", "2024-03"] {
          steps(month, 1...29, to: &export)
        }
        for month in ["2025-01", "2025-02"] { steps(month, 1...28, to: &export) }
        steps("2025-03", 1...(last == 7 ? 8 : exported.contains("15:00") ? 12 : 11), to: &export)
      }
      for comparison in ["year", "previous"] {
        let run = try ask(
          "stats steps --by month --from 2025-02 --compare \(comparison) --format json", of: store,
          at: now)
        let row = try #require(try run.rows("intervals").last)
        let number = sum(1...last)
        #expect(row["value"] as? Double == number && row["compared"] as? Double == number)
        #expect(row["change"] as? Double == 0)
        #expect(row["end"] as? String == "2025-03-\(Self.two(last + 1))T00:00:00+00:00")
        let before = comparison == "year" ? "2024-03" : "2025-02"
        #expect(row["comparedEnd"] as? String == "\(before)-\(Self.two(last + 1))T00:00:00+00:00")
      }
      let table = try ask(
        "stats steps --by month --from 2025-02 --compare year", of: store, at: now)
      #expect(table.output.contains("so far: both up to the same day"))
    }
  }

  @Test("a hand-kept entry of later does not make a month whole")
  func enteredLater() throws {
    let store = try store(exported: "2025-03-12 15:00:00") { export in
      steps("2024-03", 1...31, to: &export)
      steps("2025-03", 1...12, to: &export)
    }
    let added = try ProgramRun.hkstats(
      ["add", "steps", "500", "--at", "2025-05-20T10:00", "--timezone", "UTC", "--store", store],
      environment: ["HKSTATS_NOW": "2025-05-20T12:00:00+00:00"])
    #expect(added.exitCode == 0, "\(added.errors)")
    let rows = try ask(
      "stats steps --by month --from 2025-03 --to 2025-04 --compare year --format json", of: store
    ).rows("intervals")
    #expect(rows[0]["value"] as? Double == sum(1...11))
    #expect(rows[0]["compared"] as? Double == sum(1...11))
  }

  @Test("today is in no extreme, group, mean, run or spread; the list and the total have it")
  func today() throws {
    let store = try store(exported: "2025-03-20 15:00:00") { export in
      steps("2025-03", 1...19, to: &export)
      export.steps(5, from: "2025-03-20T09:00:00", to: "2025-03-20T10:00:00")
    }
    // At that moment, and on any later day: the file tells up to 15 o'clock.
    for now in ["2025-03-20T16:00:00+00:00", "2025-06-01T12:00:00+00:00"] {
      func rows(_ words: String, _ list: String = "intervals") throws -> [[String: Any]] {
        try ask("stats steps --by day \(words) --format json", of: store, at: now).rows(list)
      }
      #expect(try rows("--top 1 --least").first?["value"] as? Double == 200)
      #expect(try rows("--below 300").map { $0["value"] as? Double } == [200])
      // The 20th was a Thursday, as the 6th and the 13th.
      let thursday = try rows("--group weekday", "groups")[3]
      #expect(thursday["intervals"] as? Int == 2 && thursday["mean"] as? Double == 950)
      let rolling = try #require(try rows("--rolling 7").last)
      #expect(rolling["rollingIntervals"] as? Int == 6 && rolling["rolling"] as? Double == 1_650)
      let spread = try ask("stats steps --by day --spread --format json", of: store, at: now)
        .object()
      #expect((spread["spread"] as? [String: Any])?["count"] as? Int == 18)
      let notes = try #require(spread["notes"] as? [String])
      #expect(notes.contains { $0.hasPrefix("left out of means, extremes, groups") })
      #expect(notes.contains { $0.contains("2025-03-20") && $0.contains("2025-03-01, where") })
      let month = try #require(
        try ask("stats steps --by month --per day --format json", of: store, at: now)
          .rows("intervals").first)
      #expect(month["sum"] as? Double == sum(1...19) + 5)
      #expect(month["perDay"] as? Double == sum(2...19) / 18 && month["days"] as? Int == 18)
      #expect(try rows("").count == 20)
      let trend = try ask("trend steps --by day --format json", of: store, at: now).object()
      #expect(trend["count"] as? Int == 18 && trend["partial"] as? Int == 2)
      #expect(abs((trend["slopePerDay"] as? Double ?? 0) - 100) < 1e-9)
    }
  }

  @Test("a period of one row is cut at its ends, as intervals are")
  func onePeriod() throws {
    let store = try store(exported: "2025-03-20 15:00:00") { export in
      export.steps(60, from: "2025-03-18T23:50:00", to: "2025-03-19T00:10:00")
      export.steps(100, from: "2025-03-19T12:00:00", to: "2025-03-19T12:10:00")
      export.steps(60, from: "2025-03-19T23:50:00", to: "2025-03-20T00:10:00")
      export.steps(200, from: "2025-03-20T09:00:00", to: "2025-03-20T09:10:00")
    }
    for (period, sum) in [
      ("--from today", 230.0), ("--from yesterday --to today", 160), ("--from yesterday", 390),
      ("--to 2025-03-19", 30), ("", 420),
    ] {
      let one = try ask(
        "stats steps \(period) --format json", of: store, at: "2025-03-20T16:00:00+00:00"
      ).rows("intervals")
      #expect(one.map { $0["sum"] as? Double } == [sum], "\(period)")
      let days = try ask(
        "stats steps --by day \(period) --format json", of: store, at: "2025-03-20T16:00:00+00:00"
      ).rows("intervals")
      #expect(days.reduce(0) { $0 + ($1["sum"] as? Double ?? 0) } == sum, "\(period)")
    }
  }

  @Test("wrist temperature has the date on which the night ends, as sleep has")
  func nights() throws {
    let store = try store(exported: "2025-03-20 15:00:00") { export in
      for day in 11...15 {
        let (from, to) = ("2025-03-\(day - 1)T23:01:00", "2025-03-\(day)T07:10:00")
        export.add(
          "HKQuantityTypeIdentifierAppleSleepingWristTemperature", "34.\(day)", unit: "degC",
          from: from, to: to)
        export.add(
          "HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepCore",
          unit: nil, from: from, to: to)
      }
    }
    let nights = try ask("sleep --format json", of: store).rows("nights")
    let days = try ask("stats appleSleepingWristTemperature --by day --format json", of: store)
      .rows("intervals")
    #expect(
      days.map { ($0["start"] as? String)?.prefix(10) }
        == nights.map { ($0["night"] as? String)?[...] })
    #expect(days.map { $0["count"] as? Int } == [1, 1, 1, 1, 1])
    #expect(days.map { $0["mean"] as? Double } == [34.11, 34.12, 34.13, 34.14, 34.15])
  }

  @Test("rings of days before the first sample are not missed, and the note says so")
  func rings() throws {
    let store = try store(exported: "2025-03-20 15:00:00") { export in
      for day in 16...19 {
        let date = "2025-03-\(day)"
        export.add(
          "HKQuantityTypeIdentifierActiveEnergyBurned", "500", unit: "kcal",
          from: "\(date)T00:00:00", to: "\(date)T20:00:00")
      }
      for day in 14...20 {
        let (energy, minutes, hours) = day < 16 ? (0, 0, 0) : day == 20 ? (10, 1, 2) : (500, 40, 12)
        export.add(
          lines:
            " <ActivitySummary dateComponents=\"2025-03-\(day)\" activeEnergyBurned=\"\(energy)\""
            + " activeEnergyBurnedGoal=\"400\" activeEnergyBurnedUnit=\"kcal\""
            + " appleExerciseTime=\"\(minutes)\" appleExerciseTimeGoal=\"30\""
            + " appleStandHours=\"\(hours)\" appleStandHoursGoal=\"12\"/>")
      }
    }
    let answer = try ask("summary --format json", of: store, at: "2025-03-20T16:00:00+00:00")
      .object()
    #expect(answer["dayCount"] as? Int == 4 && answer["closedAll"] as? Int == 4)
    #expect((answer["days"] as? [Any])?.count == 7)
    let notes = try #require(answer["notes"] as? [String])
    #expect(notes.contains { $0.contains("2025-03-20, which is not over") })
    #expect(notes.contains { $0.contains("2025-03-14 and 2025-03-15, where the data begin") })
  }
}
