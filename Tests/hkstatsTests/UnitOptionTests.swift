import Foundation
import Testing

@testable import hkstats

@Suite("--unit, as people write units")
final class UnitOptionTests: ProgramSuite {
  override init() throws {
    try super.init()
    let csv = """
      type,sourceName,startDate,endDate,unit,value
      HKQuantityTypeIdentifierBloodGlucose,Meter,2024-01-01 08:00:00 +0000,2024-01-01 08:00:00 +0000,mmol<180.1558800000541>/L,5.5
      HKQuantityTypeIdentifierBodyMass,Scale,2024-01-01 08:00:00 +0000,2024-01-01 08:00:00 +0000,kg,70
      """
    let run = try ProgramRun.hkstats([
      "import", try scratch.file("samples.csv", Data(csv.utf8)), "--store", store,
    ])
    try #require(run.exitCode == 0, "\(run.errors)")
  }

  override var options: [String] { ["--timezone", "UTC"] }

  @Test("a unit is read the same way wherever values are shown")
  func everywhere() throws {
    for command in [["stats", "bodyMass"], ["samples", "bodyMass"], ["export", "bodyMass"]] {
      let run = try ProgramRun.hkstats(
        command + ["--unit", "lbs", "--format", "ndjson", "--store", store, "--timezone", "UTC"])
      #expect(run.exitCode == 0, "\(run.errors)")
      #expect(run.output.contains("154.3235835"), "\(run.output)")
    }
  }

  @Test("blood glucose is asked for in mmol/L, and shown so to people and machines")
  func glucose() throws {
    for arguments in [["--unit", "mmol/L"], []] {
      let table = try ProgramRun.hkstats(
        ["stats", "bloodGlucose"] + arguments + ["--store", store, "--timezone", "UTC"])
      #expect(table.exitCode == 0, "\(table.errors)")
      #expect(table.output.contains("mmol/L") && !table.output.contains("<"), "\(table.output)")
      #expect(table.output.contains("5.5"))
      let json = try ProgramRun.hkstats(
        ["stats", "bloodGlucose"] + arguments
          + ["--format", "json", "--store", store, "--timezone", "UTC"]
      ).object()
      #expect(json["unit"] as? String == "mmol/L")
    }
    #expect(try ask("samples", "bloodGlucose").output.contains("mmol/L "))
    #expect(try ask("stats", "bloodGlucose", "--unit", "mg/dL").output.contains("99"))
  }

  @Test(
    "what is no unit of the type is refused with those that are",
    arguments: [
      ("bodyMass", "bpm", ["bodyMass is measured in kg", "does not convert to bpm", "lb"]),
      ("bodyMass", "furlong", ["no unit", "kg, g"]),
      ("bodyMass", "kilogrms", ["did you mean kg?"]),
      ("bloodGlucose", "mmol", ["measured in mg/dL", "mmol/L"]),
      ("bodyMass", "bpn", ["no unit", "one of: kg"]),
    ])
  func refuses(type: String, unit: String, words: [String]) throws {
    for command in ["stats", "samples", "export"] {
      let run = try ask(command, type, "--unit", unit)
      #expect(run.exitCode == 64)
      for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
      #expect(!run.errors.contains("did you mean count"))
    }
  }

  @Test("units convert and units parse stay strict")
  func strict() throws {
    for unit in ["lbs", "bpm", "°C", "µg", "km/h"] {
      #expect(try ProgramRun.hkstats(["units", "parse", unit]).exitCode == 64)
      #expect(try ProgramRun.hkstats(["units", "convert", "1", unit, "g"]).exitCode == 64)
    }
  }
}
