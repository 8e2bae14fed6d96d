import Foundation
import HealthExchange
import Testing
import _HealthTestSupport

@Suite("Analyses of glucose, heartbeats, blood pressure and cycles, as a program")
final class FixedTypeAnalysisProgramTests: ProgramSuite {
  override var options: [String] { ["--timezone", "UTC"] }

  /// What every answer says of how it was made.
  private func expectModel(_ answer: [String: Any]) {
    #expect(answer["model"] is String && answer["method"] is String)
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// All lines fit the width and, with ASCII marks, are of ASCII.
  private func expectPicture(_ arguments: String...) throws {
    for marks in [[], ["--ascii"]] {
      let run = try ProgramRun.hkstats(
        arguments + ["--store", store, "--timezone", "UTC", "--format", "chart"] + marks,
        environment: ["COLUMNS": "80"])
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(!run.output.isEmpty && run.lines.allSatisfy { $0.count <= 80 })
      if !marks.isEmpty { #expect(run.output.utf8.allSatisfy { $0 < 128 }) }
    }
  }

  @Test("glucose tells ranges and the profile of one source, in the unit that is asked for")
  func glucose() throws {
    var export = SmallExport()
    for hour in 0..<24 {
      for minute in stride(from: 0, to: 60, by: 15) {
        let time = "2024-03-01T\(Self.two(hour)):\(Self.two(minute)):00"
        export.add(
          "HKQuantityTypeIdentifierBloodGlucose", hour < 6 ? "60" : "120", unit: "mg/dL",
          from: time, to: time, source: "Sensor")
      }
    }
    export.add(
      "HKQuantityTypeIdentifierBloodGlucose", "300", unit: "mg/dL", from: "2024-03-01T07:00:00",
      to: "2024-03-01T07:00:00", source: "Meter")
    try load(export)
    let json = try ask("glucose", "--format", "json").object()
    expectModel(json)
    #expect(json["source"] as? String == "Sensor" && json["unit"] as? String == "mg/dL")
    #expect(json["count"] as? Int == 96 && json["mean"] as? Double == 105)
    #expect(json["inRange"] as? Double == 0.75 && json["low"] as? Double == 0.25)
    #expect(json["targets"] is NSNull && json["edges"] as? [Double] == [54, 70, 180, 250])
    #expect((json["profile"] as? [Any])?.count == 24)
    let others = try #require(json["otherSources"] as? [[String: Any]])
    #expect(others.count == 1 && others[0]["count"] as? Int == 1)
    let profile = try ask("glucose", "--profile", "--unit", "mmol/L", "--format", "json")
    expectModel(try profile.object())
    let hours = try profile.rows("hours")
    #expect(hours.count == 24)
    let median = try #require(hours[12]["median"] as? Double)
    #expect(abs(median - 6.661) < 0.001)
    #expect(try ask("glucose", "--profile", "--format", "csv").lines.count == 25)
    let table = try ask("glucose").output
    #expect(table.contains("75.0 %") && table.contains("Meter (1)"))
    #expect(table.contains("not judged"))
    // A day of fourteen carries no GMI.
    #expect(table.contains("data for 7.1 % of 14 days") && table.contains("GMI is left out"))
    #expect(!table.contains("\nGMI") && json["gmi"] is NSNull)
    let rows = table.split(separator: "\n").map { $0.prefix(8) }
    let coverage = try #require(rows.firstIndex(of: "readings"))
    #expect(coverage < (rows.firstIndex(of: "in range") ?? 0))
    #expect(try ask("glucose", "--days", "3", "--from", "2024-03-01").exitCode == 64)
    try expectPicture("glucose")
    let late = try ask("glucose", "--from", "2025-01-01")
    #expect(late.exitCode == 1 && late.errors.contains("the data end on 2024-03-01"))
    #expect(try ask("glucose", "--source", "Nobody").exitCode == 64)
    #expect(try ask("glucose", "--unit", "kg").exitCode == 64)
  }

  /// A hundred readings of 10.0 and as many of 13.9 mmol/L: in range, and high.
  @Test("glucose judges readings recorded in mmol/L by the edges of mmol/L, and says so")
  func millimoles() throws {
    var export = SmallExport(offset: 0)
    for row in 0..<200 {
      let time = "2024-03-01T\(Self.two(row / 12)):\(Self.two(row % 12 * 5)):00"
      export.add(
        "HKQuantityTypeIdentifierBloodGlucose", row < 100 ? "10.0" : "13.9",
        unit: "mmol&lt;180.1558800000541&gt;/L", from: time, to: time, source: "Lab")
    }
    try load(export)
    for unit in [[], ["--unit", "mg/dL"]] {
      let json = try ProgramRun.hkstats(
        ["glucose", "--format", "json", "--store", store, "--timezone", "UTC"] + unit
      ).object()
      #expect(json["inRange"] as? Double == 0.5 && json["high"] as? Double == 0.5)
      #expect(json["veryHigh"] as? Double == 0)
      let recorded = try #require(json["recordedUnits"] as? [[String: Any]])
      #expect(recorded.count == 1 && recorded[0]["unit"] as? String == "mmol/L")
      #expect(recorded[0]["count"] as? Int == 200)
      #expect(recorded[0]["edges"] as? [Double] == [3, 3.9, 10, 13.9])
    }
    let table = try ask("glucose").output
    #expect(table.contains("50.0 % from 3.9 to 10.0 mmol/L"))
    let lines = table.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(lines.contains("recorded: in mmol/L by 3.0, 3.9, 10.0 and 13.9 mmol/L."))
    let profile = try ask("glucose", "--profile", "--format", "json").object()
    #expect((profile["recordedUnits"] as? [[String: Any]])?.count == 1)
  }

  @Test("A number outside of its range is refused by the name of its option")
  func optionNames() throws {
    try load(SmallExport())
    for (words, option) in [
      (["glucose", "--conga-hours", "999"], "--conga-hours"),
      (["hrv", "--longest=-1"], "--longest"),
      (["cycles", "--longest-cycle", "0"], "--longest-cycle"),
      (["cycles", "--flow-gap", "0"], "--flow-gap"),
      (["training", "--maximum=-1"], "--maximum"),
      (["trend", "steps", "--confidence", "2"], "--confidence"),
      (["correlate", "--at-least", "0"], "--at-least"), (["missing", "--rate", "1"], "--rate"),
    ] {
      let run = try ProgramRun.hkstats(words + ["--store", store] + options)
      #expect(run.exitCode == 1, "\(words)")
      #expect(run.errors.hasPrefix("hkstats: \(option) must be "), "\(run.errors)")
    }
  }

  @Test("missing fits a screen, whatever the language and the names of types")
  func missing() throws {
    var export = SmallExport()
    for day in 1...28 where day % 7 != 3 {
      let time = "2024-02-\(Self.two(day))T10:00:00"
      for (type, unit) in [
        ("HeartRateVariabilitySDNN", "ms"), ("WalkingDoubleSupportPercentage", "%"),
        ("AppleSleepingBreathingDisturbances", "count"),
      ] {
        export.add("HKQuantityTypeIdentifier" + type, "12", unit: unit, from: time, to: time)
      }
    }
    try load(export)
    for language in ["en", "de", "fr", "es", "ja"] {
      let run = try ask("missing", "--from", "2024-02", "--locale", language)
      #expect(run.exitCode == 0, "\(run.errors)")
      let rows = run.lines.filter { $0.contains("/26") }
      #expect(rows.count == 3)
      // Sentences are wrapped by who shows them.
      let table = run.lines.filter { !$0.hasSuffix(".") }
      #expect(table.allSatisfy { String($0).displayWidth <= 80 }, "\(run.output)")
      // Saturdays, of which there are four, are not there.
      #expect(rows.allSatisfy { $0.contains("100") })
    }
    let csv = try ask("missing", "--from", "2024-02", "--by-weekday", "--format", "csv")
    #expect(csv.lines.count == 1 + 3 * 7)
  }

  @Test("Readings that cannot be are counted where there are no others")
  func implausible() throws {
    var export = SmallExport()
    for minute in 0..<60 {
      let time = "2024-03-01T07:\(Self.two(minute)):00"
      export.add(
        "HKQuantityTypeIdentifierBloodGlucose", "0", unit: "mg/dL", from: time, to: time)
    }
    for hour in 10..<20 {
      let time = "2024-03-01T\(hour):00:00"
      for type in ["Systolic", "Diastolic"] {
        export.add(
          "HKQuantityTypeIdentifierBloodPressure\(type)", "80", unit: "mmHg", from: time, to: time)
      }
    }
    try load(export)
    let glucose = try ask("glucose")
    #expect(glucose.exitCode == 1)
    #expect(glucose.errors.contains("60 readings are left out: they lie outside of 10 to 2,000"))
    let pressure = try ask("pressure")
    #expect(pressure.exitCode == 1)
    #expect(pressure.errors.contains("10 readings are left out: their lower pressure is not below"))
  }

  @Test("hrv reads the beats of an export")
  func variability() throws {
    var export = SmallExport(offset: 0)
    for day in 1...3 {
      export.add(lines: [
        " <Record type=\"HKQuantityTypeIdentifierHeartRateVariabilitySDNN\" sourceName=\"Watch\" "
          + "unit=\"ms\" creationDate=\"2024-03-0\(day) 07:01:00 +0000\" "
          + "startDate=\"2024-03-0\(day) 07:00:00 +0000\" endDate=\"2024-03-0\(day) 07:01:00 +0000\" "
          + "value=\"42\">", "  <HeartRateVariabilityMetadataList>",
      ])
      for (beat, time) in ["00.50", "01.30", "02.12", "02.92", "03.70"].enumerated() {
        export.add(lines: [
          "   <InstantaneousBeatsPerMinute bpm=\"\(74 + beat % 2)\" time=\"7:00:\(time) AM\"/>"
        ])
      }
      export.add(lines: ["  </HeartRateVariabilityMetadataList>", " </Record>"])
    }
    try load(export)
    let answer = try ask("hrv", "--format", "json")
    expectModel(try answer.object())
    #expect(try answer.object()["count"] as? Int == 3)
    let rows = try answer.rows("series")
    try #require(rows.count == 3)
    // 800, 820, 800 and 780 ms.
    let deviation = try #require(rows[0]["sdnn"] as? Double)
    #expect(abs(deviation - (800.0 / 3).squareRoot()) < 1e-6)
    #expect(abs((rows[0]["rmssd"] as? Double ?? 0) - 20) < 1e-6)
    #expect(rows[0]["beats"] as? Int == 5 && rows[0]["recordedSDNN"] as? Double == 42)
    let weeks = try ask("hrv", "--by", "month", "--format", "json").rows("intervals")
    #expect(weeks.count == 1 && weeks[0]["series"] as? Int == 3)
    #expect(try ask("hrv").output.contains("16.3"))
    try expectPicture("hrv")
    let none = try ask("hrv", "--from", "2025")
    #expect(none.exitCode == 1 && none.errors.contains("2024-03-01 to 2024-03-03"))
  }

  @Test("pressure counts classes, under both of its names")
  func pressure() throws {
    var export = SmallExport()
    for day in 1...8 {
      for (hour, systolic) in [("07", 128), ("20", 138)] {
        let time = "2024-03-0\(day)T\(hour):00:00"
        export.add(
          "HKQuantityTypeIdentifierBloodPressureSystolic", "\(systolic)", unit: "mmHg", from: time,
          to: time, source: "Cuff")
        export.add(
          "HKQuantityTypeIdentifierBloodPressureDiastolic", "75", unit: "mmHg", from: time,
          to: time,
          source: "Cuff")
      }
    }
    try load(export)
    let answer = try ask("pressure", "--format", "json")
    expectModel(try answer.object())
    let rows = try answer.rows("classes")
    #expect(rows.compactMap { $0["count"] as? Int } == [0, 8, 8])
    #expect(rows.compactMap { $0["mornings"] as? Int } == [0, 8, 0])
    #expect(rows.map { $0["systolicFrom"] as? Double } == [nil, 120, 135])
    #expect(rows.map { $0["diastolicFrom"] as? Double } == [nil, 70, 85])
    let home = try #require(try answer.object()["home"] as? [String: Any])
    #expect(home["droppedDay"] as? String == "2024-03-02")
    #expect((home["all"] as? [String: Any])?["count"] as? Int == 12)
    let american = try ask("blood-pressure", "--guideline", "aha", "--format", "csv")
    #expect(american.lines.count == 5)
    let table = try ask("pressure").output
    #expect(table.contains("ESC 2024") && table.contains("no diagnosis"))
    #expect(table.contains("12 readings from 2024-03-03 to 2024-03-08."))
    let chart = try ask("pressure", "--format", "chart").output
    #expect(chart.contains("no diagnosis") && chart.contains("Mornings: 128.0/75.0 mmHg"))
    let late = try ask("pressure", "--from", "2024-03-07", "--format", "json").object()
    #expect(
      late["homeRefusal"] as? String
        == "The last seven days have readings on 2 days, and it needs 3.")
    try expectPicture("pressure")
    #expect(try ask("pressure", "--guideline", "xyz").exitCode == 64)
  }

  @Test("cycles lists cycles beside their median, and says when there are too few")
  func cycles() throws {
    var export = SmallExport(offset: 0)
    for date in ["2024-01-01", "2024-01-29", "2024-02-27", "2024-03-28", "2024-04-24"] {
      export.add(
        "HKCategoryTypeIdentifierMenstrualFlow", "HKCategoryValueMenstrualFlowMedium", unit: nil,
        from: "\(date)T00:00:00", to: "\(date)T23:00:00", metadata: ["HKMenstrualCycleStart": "1"])
    }
    try load(export)
    let answer = try ask("cycles", "--format", "json")
    expectModel(try answer.object())
    let rows = try answer.rows("cycles")
    #expect(rows.compactMap { $0["length"] as? Int } == [28, 29, 30, 27])
    let length = try #require(try answer.object()["length"] as? [String: Any])
    #expect(length["median"] as? Double == 28.5 && length["count"] as? Int == 4)
    #expect(try ask("cycles").output.contains("not over"))
    try expectPicture("cycles")
    let few = try ask("cycles", "--from", "2024-03")
    #expect(few.exitCode == 1 && few.errors.contains("1 cycle of"))
    #expect(try ask("glucose").exitCode == 1)
  }
}
