import Foundation
import Testing
import _HealthTestSupport

@Suite("How sure the program is")
final class SurenessProgramTests: StoreSuite {
  /// The date of a day from 2024-01-01 on.
  private func date(_ day: Int) -> String {
    let start = SmallExport.instant("2024-01-01T00:00:00")
    let moment = Date(timeIntervalSinceReferenceDate: start + Double(day) * 86_400)
    return String(ISO8601DateFormatter().string(from: moment).prefix(10))
  }

  private func path(_ export: SmallExport) throws -> String {
    try scratch.file("\(UUID().uuidString).xml", export.data)
  }

  /// An export of one number a day, at noon.
  private func days(
    _ columns: [(type: String, unit: String, values: [Double])], every step: Int = 1
  ) throws -> String {
    var export = SmallExport(offset: 0)
    for (type, unit, values) in columns {
      for (place, value) in values.enumerated() {
        let time = "\(date(place * step))T12:00:00"
        export.add("HKQuantityTypeIdentifier\(type)", "\(value)", unit: unit, from: time, to: time)
      }
    }
    return try path(export)
  }

  private func ask(_ arguments: [String], of path: String) throws -> ProgramRun {
    try ProgramRun.hkstats(arguments + ["--export", path, "--timezone", "UTC"])
  }

  // MARK: - Trends

  @Test("trend does not take twelve weeks of noise for a rise")
  func noise() throws {
    // Least squares have a chance of 23 % here, and Newey and West's errors had one of 2.2 %.
    let values = [69.7, 69.2, 70.5, 69.9, 70.5, 69.4, 70.1, 69.1, 70.8, 70.2, 70.3, 70.4]
    let path = try days([("BodyMass", "kg", values)], every: 7)
    let run = try ask(["trend", "bodyMass"], of: path)
    #expect(run.output.contains("no clear change"), "\(run.output)")
    let answer = try ask(["trend", "bodyMass", "--format", "json"], of: path).object()
    #expect(answer["verdict"] as? String == "unclear" && answer["count"] as? Int == 12)
    #expect(try #require(answer["pValue"] as? Double) > 0.1)
    #expect(answer["lag"] == nil && answer["autocorrelation"] is Double)
    // Another option is no way to be surer.
    #expect(try ask(["trend", "bodyMass", "--lag", "2"], of: path).exitCode == 64)
  }

  @Test(
    "trend of a few rising days has a slope, and says why it has no verdict",
    arguments: ["line", "theilSen", "huber"])
  func fewDays(model: String) throws {
    let values: [Double] = [70, 71, 73, 74, 76]
    let path = try days([("BodyMass", "kg", values)])
    let asked = ["trend", "bodyMass", "--by", "day", "--model", model]
    let text = try ask(asked, of: path).output
    #expect(text.contains("too few for a verdict") && !text.contains("sure"), "\(text)")
    #expect(text.contains("5 days are too few to say"))
    #expect(text.contains(model == "line" ? "it needs 12" : "it needs 16"))
    #expect(!text.contains("rising") && !text.contains("chance "))
    let answer = try ask(asked + ["--format", "json"], of: path).object()
    #expect(answer["verdict"] as? String == "tooFew")
    #expect(abs(try #require(answer["slopePerDay"] as? Double) - 1.5) < 0.01)
    for name in ["slopePerDayLow", "slopePerDayHigh", "pValue"] {
      #expect(answer[name] is NSNull, "\(name)")
    }
    let several = try ask(
      ["trend", "bodyMass,bodyMass.max", "--by", "day", "--model", model], of: path
    ).output
    #expect(several.contains("0 of 0 trends are clear"))
    #expect(several.contains("Weight: 5 days are too few"))
  }

  @Test("a trend that is there is found in every model, with its range and its verdict")
  func found() throws {
    var random = SplitMix64(seed: 91)
    let values = (0..<60).map { row in
      (100 * (70 + 0.05 * Double(row) + Double.random(in: -0.5...0.5, using: &random))).rounded()
        / 100
    }
    let path = try days([("BodyMass", "kg", values)])
    for model in ["line", "theilSen", "huber"] {
      let asked = ["trend", "bodyMass", "--by", "day", "--model", model]
      let text = try ask(asked, of: path).output
      #expect(text.contains("rising") && text.contains("(95 % sure: between"), "\(text)")
      #expect(text.contains("neighbours that go together"))
      let answer = try ask(asked + ["--format", "json"], of: path).object()
      let low = try #require(answer["slopePerDayLow"] as? Double)
      #expect(low > 0 && answer["verdict"] as? String == "rising")
      #expect(try #require(answer["pValue"] as? Double) < 0.05)
    }
  }

  // MARK: - Changes

  @Test("changes names a wave of a year, and no day of it")
  func wave() throws {
    var random = SplitMix64(seed: 92)
    let values = (0..<400).map { row in
      (100 * (60 + 3 * cos(2 * .pi * Double(row) / 365.2425) + random.normal())).rounded() / 100
    }
    let path = try days([("RestingHeartRate", "count/min", values)])
    let text = try ask(["changes", "restingHeartRate"], of: path).output
    #expect(text.contains("0 changes in 1 measure"), "\(text)")
    #expect(text.contains("a wave of a year explains the numbers as well as changes do"))
    #expect(text.contains("has no slope or wave, at most 5 are said to"))
    let rows = try ask(["changes", "restingHeartRate", "--format", "json"], of: path).rows("levels")
    #expect(rows.count == 1 && rows[0]["shape"] as? String == "wave")
    let help = try ProgramRun.hkstats(["help", "changes"]).output
    #expect(help.contains("wave") && help.contains("wander"))
  }

  // MARK: - Relations

  @Test("what correlate says depends on the days with data, not on the days asked about")
  func emptyDays() throws {
    var random = SplitMix64(seed: 93)
    var (mass, rate) = (0.0, 0.0)
    var columns: (masses: [Double], rates: [Double]) = ([], [])
    for _ in 0..<60 {
      mass = 0.6 * mass + random.normal()
      rate = 0.6 * rate + 0.4 * mass + random.normal()
      columns.masses.append(70 + mass)
      columns.rates.append(60 + rate)
    }
    let path = try days([
      ("BodyMass", "kg", columns.masses), ("RestingHeartRate", "count/min", columns.rates),
    ])
    let asked = [
      "correlate", "bodyMass,restingHeartRate", "--all", "--format", "json", "--to", "2024-02-20",
    ]
    let first = try ask(asked + ["--from", "2024-01-01"], of: path).rows("relations")
    for start in ["2023-12-01", "1999-01-01", "1950-01-01"] {
      let other = try ask(asked + ["--from", start], of: path).rows("relations")
      try #require(other.count == first.count && !first.isEmpty)
      for (one, row) in zip(first, other) {
        for name in ["coefficient", "effectiveCount", "pValue", "qValue", "low", "high"] {
          let (expected, found) = (one[name] as? Double, row[name] as? Double)
          #expect(abs((expected ?? 0) - (found ?? 1)) < 1e-12, "\(name) from \(start)")
        }
        #expect(one["count"] as? Int == row["count"] as? Int)
      }
    }
  }

  // MARK: - Own types

  @Test("hrv counts half of the differences of exactly 50 ms between times of hundredths")
  func roundedBeats() throws {
    var export = SmallExport(offset: 0)
    export.add(lines: [
      " <Record type=\"HKQuantityTypeIdentifierHeartRateVariabilitySDNN\" sourceName=\"Watch\" "
        + "unit=\"ms\" creationDate=\"2024-03-01 07:01:00 +0000\" "
        + "startDate=\"2024-03-01 07:00:00 +0000\" endDate=\"2024-03-01 07:01:00 +0000\" "
        + "value=\"42\">", "  <HeartRateVariabilityMetadataList>",
    ])
    // Intervals of 800, 850, 790, 840 and 850 ms: differences of 50, 60, 50 and 10 ms.
    for time in ["00.50", "01.30", "02.15", "02.94", "03.78", "04.63"] {
      export.add(lines: [
        "   <InstantaneousBeatsPerMinute bpm=\"74\" time=\"7:00:\(time) AM\"/>"
      ])
    }
    export.add(lines: ["  </HeartRateVariabilityMetadataList>", " </Record>"])
    let path = try path(export)
    let row = try #require(try ask(["hrv", "--format", "json"], of: path).rows("series").first)
    #expect(abs(try #require(row["pnn50"] as? Double) - 50) < 1e-9)
    let text = try ask(["hrv"], of: path).output
    #expect(text.contains("half of the differences of exactly 50 ms count for pNN50"))
  }

  @Test("cycles end a bleed with two days without flow")
  func spotting() throws {
    var export = SmallExport(offset: 0)
    for first in [0, 29, 57, 86] {
      // Four days with flow, and one of spotting nine days without flow later.
      for day in [0, 1, 2, 3, 13] {
        export.add(
          "HKCategoryTypeIdentifierMenstrualFlow", "HKCategoryValueVaginalBleedingLight", unit: nil,
          from: "\(date(first + day))T10:00:00", to: "\(date(first + day))T10:00:00")
      }
    }
    let rows = try ask(["cycles", "--format", "json"], of: try path(export)).rows("cycles")
    #expect(rows.map { $0["bleedLength"] as? Int } == [4, 4, 4, 4])
    #expect(rows.map { $0["flowDays"] as? Int } == [5, 5, 5, 5])
    #expect(rows.map { $0["length"] as? Int } == [29, 28, 29, nil])
  }

  @Test("rhythm leaves out a last day that is cut on the full hour as one that is cut before it")
  func cutDay() throws {
    func answer(lastEnd: String) throws -> [String: Any] {
      var export = SmallExport(offset: 0)
      for day in 0..<14 {
        for hour in 8..<(day == 13 ? 10 : 20) {
          let start = "\(date(day))T\(hour < 10 ? "0" : "")\(hour)"
          let end = hour < 9 ? "0\(hour + 1)" : "\(hour + 1)"
          let isLast = day == 13 && hour == 9
          export.steps(
            100 + hour * (day + 3) % 17, from: "\(start):00:00",
            to: isLast ? "\(date(day))T\(lastEnd)" : "\(date(day))T\(end):00:00")
        }
      }
      return try ask(["rhythm", "--format", "json"], of: try path(export)).object()
    }
    let (hour, before) = (try answer(lastEnd: "10:00:00"), try answer(lastEnd: "09:59:50"))
    let (one, other) = (hour["activity"] as? [String: Any], before["activity"] as? [String: Any])
    #expect(try #require(one?["days"] as? Int) == other?["days"] as? Int)
  }

  // MARK: - Statistics

  @Test("a rolling mean begins with the first number")
  func rolling() throws {
    let path = try days([("BodyMass", "kg", [70, 71, 75])])
    let rows = try ask(
      ["stats", "bodyMass", "--by", "day", "--rolling", "7", "--format", "json"], of: path
    ).rows("intervals")
    #expect(rows.map { $0["rolling"] as? Double } == [70, 70.5, 72])
    #expect(rows.map { $0["rollingIntervals"] as? Int } == [1, 2, 3])
  }

  @Test("temperatures and levels are compared by their difference, without a share")
  func shares() throws {
    let path = try days([
      ("BodyTemperature", "degC", [36.5, 36.9]), ("BodyMass", "kg", [70, 77]),
      ("EnvironmentalAudioExposure", "dBASPL", [60, 66]),
    ])
    func compared(_ type: String, _ more: [String] = []) throws -> ProgramRun {
      try ask(["stats", type, "--by", "day", "--compare", "previous"] + more, of: path)
    }
    for (type, change) in [
      ("bodyTemperature", 0.4), ("bodyTemperature:degF", 0.72), ("environmentalAudioExposure", 6),
    ] {
      let rows = try compared(type, ["--format", "json"]).rows("intervals")
      #expect(rows.map { $0["changeShare"] is NSNull } == [true, true], "\(type)")
      #expect(abs(try #require(rows[1]["change"] as? Double) - change) < 1e-9, "\(type)")
      let csv = try compared(type, ["--format", "csv"])
      let (names, last) = (try csv.line(0).split(separator: ","), try csv.line(2))
      let place = try #require(names.firstIndex(of: "change_share"))
      #expect(last.split(separator: ",", omittingEmptySubsequences: false)[place].isEmpty)
      #expect(try compared(type).output.contains("–"))
    }
    let masses = try compared("bodyMass", ["--format", "json"]).rows("intervals")
    #expect(abs(try #require(masses[1]["changeShare"] as? Double) - 0.1) < 1e-12)
  }
}
