import Foundation
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("hkstats units, as a program")
struct UnitsProgramTests {
  @Test(
    "One value converts to one number",
    arguments: [
      (["-40", "degF", "degC"], "-40"), (["98.6", "degF", "degC"], "37"),
      (["1", "kcal", "J"], "4184"),
      (["1e3", "mL", "L"], "1"), (["0", "km", "mi"], "0"), (["-1.5", "hr", "s"], "-5400"),
      (["--dialect", "ucum", "1", "h", "min"], "60"),
    ])
  func converts(arguments: [String], answer: String) throws {
    let run = try ProgramRun.hkstats(["units", "convert"] + arguments)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(run.output == answer + "\n")
  }

  @Test(
    "What does not convert is wrong usage, with the reason",
    arguments: [
      (["1", "kg", "m"], "measures mass"), (["1", "kgg", "g"], "no unit"),
      (["x", "kg", "g"], "number"),
      (["nan", "kg", "g"], "number"), (["1", "kg"], "Give a value"),
      (["1", "kg", "g", "--batc"], "--batc"),
      (["1e308", "km", "nm"], "beyond"), (["--batch", "1"], "standard input"),
      (["1", "min/km", "km/hr"], "pace"),
    ])
  func refuses(arguments: [String], message: String) throws {
    let run = try ProgramRun.hkstats(["units", "convert"] + arguments)
    #expect(run.exitCode == 64)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(run.output == "")
  }

  @Test("A batch answers each line with one line and ends with code 0")
  func batch() throws {
    let lines = [
      ("1\tkcal\tkJ", "4.184"), ("98.6\tdegF\tdegC", "37"), ("5\tkg\tm", "error\t-\t"),
      ("1\tmL/kg/min\tmL/min·kg", "error\t5\t"), ("1\tm\tm//s", "error\t2\t"),
      ("x\tm\tm", "error\t-\t"),
      ("1\tm", "error\t-\t"), ("", "error\t-\t"), ("1\tm\tcm\r", "100"),
      ("1\tm\tcm\tkm", "error\t-\t"),
      ("1e308\tkm\tnm", "error\t-\t"), ("2\tkcal\tkJ", "8.368"),
    ]
    let input = lines.map { $0.0 + "\n" }.joined()
    let run = try ProgramRun.hkstats(["units", "convert", "--batch"], input: input)
    #expect(run.exitCode == 0)
    #expect(run.errors == "")
    #expect(run.lines.count == lines.count)
    for (line, expected) in zip(run.lines, lines) {
      if expected.1.hasPrefix("error") {
        #expect(line.hasPrefix(expected.1), "\(expected.0): \(line)")
        #expect(line.split(separator: "\t").count == 3)
      } else {
        #expect(line == expected.1)
      }
    }
  }

  @Test(
    "Every conversion of the shared table comes back right through the batch",
    .enabled(if: SharedData.isPresent))
  func sharedConversions() throws {
    let rows = try SharedData.table("data/units/conformance.tsv").filter {
      $0["kind"] == "convert" && $0["profile"] == "hk" && $0["tol"] == "1ulp"
    }
    try #require(rows.count > 100)
    let input = rows.map { "\($0["value"] ?? "")\t\($0["from"] ?? "")\t\($0["to"] ?? "")\n" }
      .joined()
    let run = try ProgramRun.hkstats(["units", "convert", "--batch"], input: input)
    #expect(run.lines.count == rows.count)
    for (row, line) in zip(rows, run.lines) {
      let bits = try #require(UInt64(row["expected_bits"] ?? "", radix: 16))
      let answer = try #require(Double(line), "\(row["id"] ?? ""): \(line)")
      let expected = Double(bitPattern: bits)
      #expect(abs(answer - expected) <= expected.ulp, "\(row["id"] ?? "")")
    }
  }

  @Test("A unit is explained by what it measures and both spellings")
  func explains() throws {
    let run = try ProgramRun.hkstats(["units", "parse", "mL/min·kg"])
    #expect(run.exitCode == 0)
    #expect(run.output.contains("length^3"))
    #expect(run.output.contains("healthkit  mL/min·kg"))
    #expect(run.output.contains("ucum       mL/(min.kg)") || run.output.contains("mL/min/kg"))
    let typo = try ProgramRun.hkstats(["units", "parse", "mL/min/kg"])
    #expect(typo.exitCode == 64)
    #expect(typo.errors.contains("second /"))
  }

  @Test("Units are listed by what they measure, and each listed unit parses")
  func lists() throws {
    let energy = try ProgramRun.hkstats(["units", "list", "energy"])
    let same = try ProgramRun.hkstats(["units", "list", "kcal"])
    #expect(energy.output == same.output)
    #expect(energy.lines.dropFirst().allSatisfy { $0.hasPrefix("energy") })
    #expect(energy.lines.count >= 4)
    let all = try ProgramRun.hkstats(["units", "list"])
    #expect(all.lines.count > energy.lines.count)
    let unknown = try ProgramRun.hkstats(["units", "list", "beauty"])
    #expect(unknown.exitCode == 64)
    #expect(unknown.errors.contains("energy"))
  }

  @Test("Every name of a dimension stands for a dimension of its own")
  func dimensionNames() {
    #expect(Set(DimensionName.all.map(\.dimension)).count == DimensionName.all.count)
    #expect(DimensionName.all.count >= 20)
  }
}
