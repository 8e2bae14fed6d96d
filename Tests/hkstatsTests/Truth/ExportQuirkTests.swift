import Foundation
import HealthStore
import Testing
import _HealthStoreSupport
import _HealthTestSupport

@Suite("What is odd in exports, through the program")
final class ExportQuirkTests: StoreSuite {
  @discardableResult
  private func `import`(_ export: String, into store: String = "store.sqlite") throws -> ProgramRun
  {
    let run = try ProgramRun.hkstats([
      "import", try scratch.file("export.xml", Data(export.utf8)), "--store", scratch.path(store),
    ])
    try #require(run.exitCode == 0, "\(run.errors)")
    return run
  }

  private func ask(_ arguments: String...) throws -> ProgramRun {
    let run = try ProgramRun.hkstats(
      arguments + ["--timezone", "UTC", "--store", scratch.path("store.sqlite")])
    try #require(run.exitCode == 0, "\(run.errors)")
    return run
  }

  /// The sums of days, by their dates.
  private func sums(_ type: String, _ options: [String] = []) throws -> [String] {
    let run = try ProgramRun.hkstats(
      ["stats", type, "--by", "day", "--timezone", "UTC", "--format", "csv"] + options
        + ["--store", scratch.path("store.sqlite")])
    return run.lines.dropFirst().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      return "\(fields[0].prefix(10)) \(fields[2])"
    }
  }

  @Test("Copies count once, and samples say how many there were")
  func copies() throws {
    var export = SmallExport()
    for _ in 0..<3 {
      export.steps(40, from: "2024-03-09T10:00:00", to: "2024-03-09T10:05:00")
    }
    try `import`(export.text)
    #expect(try sums("steps") == ["2024-03-09 40"])
    let samples = try ask("samples", "steps", "--format", "json").json() as? [[String: Any]]
    #expect(samples?.map { $0["copies"] as? Int } == [3])
  }

  @Test("Two foods of one minute are two samples")
  func sameTimes() throws {
    var export = SmallExport()
    for value in ["9.5", "12.25"] {
      export.add(
        "HKQuantityTypeIdentifierDietaryProtein", value, unit: "g", from: "2024-03-09T12:30:00",
        to: "2024-03-09T12:30:00")
    }
    try `import`(export.text)
    #expect(try sums("dietaryProtein") == ["2024-03-09 21.75"])
  }

  @Test("The order of a file does not matter")
  func order() throws {
    var random = SplitMix64(seed: 4)
    var forwards = SmallExport()
    for minute in 10..<59 {
      forwards.steps(minute, from: "2024-03-09T10:\(minute):00", to: "2024-03-09T10:\(minute):30")
    }
    var shuffled = SmallExport()
    shuffled.add(lines: forwards.lines.shuffled(using: &random))
    var backwards = SmallExport()
    backwards.add(lines: forwards.lines.reversed())
    var contents: [StoreContents] = []
    for (number, text) in [forwards.text, shuffled.text, backwards.text].enumerated() {
      try `import`(text, into: "\(number)")
      contents.append(
        try StoreContents(SampleStore(path: scratch.path("\(number)"), mode: .readOnly)))
    }
    #expect(!contents[0].counts.isEmpty && contents[1] == contents[0] && contents[2] == contents[0])
  }

  @Test(
    "A region with a decimal comma writes its values with a point", arguments: ["en_FR", "de_DE"])
  func locale(identifier: String) throws {
    var export = SmallExport()
    export.add(
      "HKQuantityTypeIdentifierBodyMass", "68.25", unit: "kg", from: "2024-03-09T07:00:00",
      to: "2024-03-09T07:00:00")
    try `import`(export.text.replacing("en_FR", with: identifier))
    #expect(try ask("samples", "bodyMass", "--format", "csv").line(1).contains(",68.25,kg,"))
  }

  @Test("Heart and breath share a unit, and stay what they are")
  func sharedUnit() throws {
    var export = SmallExport()
    for (name, value) in [("HeartRate", "61"), ("RespiratoryRate", "14.5")] {
      export.add(
        "HKQuantityTypeIdentifier" + name, value, unit: "count/min", from: "2024-03-09T07:00:00",
        to: "2024-03-09T07:00:00")
    }
    try `import`(export.text)
    #expect(try ask("samples", "heartRate", "--format", "csv").line(1).contains(",61,count/min,"))
    #expect(
      try ask("samples", "respiratoryRate", "--format", "csv").line(1).contains(",14.5,count/min,"))
  }

  @Test("Dates of years 1 and 9999 are kept and told, and do not touch other days")
  func distantDates() throws {
    var export = SmallExport(offset: 0)
    export.steps(5, from: "2024-03-09T10:00:00", to: "2024-03-09T10:05:00")
    for year in ["0001", "9999"] {
      export.add(
        lines:
          "<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"A\" unit=\"count\" "
          + "startDate=\"\(year)-06-01 10:00:00 +0000\" endDate=\"\(year)-06-01 10:01:00 +0000\" "
          + "value=\"7\"/>")
    }
    let report = try `import`(export.text)
    #expect(report.output.contains("2 records with a date before 1900 or after 2200"))
    #expect(
      try sums("steps", ["--from", "2024-03-08", "--to", "2024-03-10"]) == [
        "2024-03-08 ", "2024-03-09 5",
      ])
    let years = try ask("stats", "steps", "--by", "year", "--format", "csv")
    #expect(years.lines.count == 10_000)
    #expect(try ask("stats", "steps", "--format", "csv").line(1).contains(",19,"))
  }

  @Test("An end before the start makes an instant, and no length below zero")
  func negativeDuration() throws {
    var export = SmallExport()
    export.steps(7, from: "2024-03-09T10:00:00", to: "2024-03-09T09:00:00")
    let report = try `import`(export.text)
    #expect(report.output.contains("1 record with an end before the start"))
    #expect(try sums("steps") == ["2024-03-09 7"])
    let samples = try ask("samples", "steps", "--format", "csv")
    #expect(try samples.line(1).contains(",2024-03-09T10:00:00+00:00,2024-03-09T09:00:00+00:00,7,"))
  }

  @Test("The total that an app writes for a day is told, and gives way to what is finer")
  func dayTotals() throws {
    var export = SmallExport()
    export.steps(
      9_000, from: "2024-03-09T00:00:00", to: "2024-03-10T00:00:00", source: "Ring")
    export.steps(600, from: "2024-03-09T06:00:00", to: "2024-03-09T12:00:00")
    let report = try `import`(export.text)
    #expect(report.output.contains("1 record of 23 hours or more"))
    // A quarter of the day belongs to the watch, the rest of the total to the ring.
    #expect(try sums("steps") == ["2024-03-09 7350"])
    #expect(try sums("steps", ["--merge", "none"]) == ["2024-03-09 9600"])
  }

  @Test("A category without a value is a sample, a quantity without one is told")
  func missingValues() throws {
    var export = SmallExport()
    let times = (from: "2024-03-09T21:00:00", to: "2024-03-09T21:10:00")
    export.add(
      "HKCategoryTypeIdentifierMindfulSession", nil, unit: nil, from: times.from, to: times.to)
    export.add(
      "HKQuantityTypeIdentifierStepCount", nil, unit: "count", from: times.from, to: times.to)
    export.add(
      "HKQuantityTypeIdentifierDietaryIron", "5.91532e-05", unit: "g", from: times.from,
      to: times.from)
    let report = try `import`(export.text)
    #expect(report.output.contains("Skipped: no value on stepCount: 1"))
    #expect(try ask("samples", "mindfulSession", "--format", "csv").lines.count == 2)
    let iron = try ask("samples", "dietaryIron", "--format", "json").json() as? [[String: Any]]
    #expect(iron?.map { $0["value"] as? Double } == [5.91532e-05])
  }
}
