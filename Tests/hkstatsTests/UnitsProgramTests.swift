import Foundation
import HealthExchange
import HealthUnits
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
    "Every conversion of the shared table comes back right through the batch")
  func sharedConversions() throws {
    let rows = try References.table("units/conformance.tsv").filter {
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
    #expect(run.output.contains("size       1/60000000000 in base units"))
    #expect(run.output.contains("ucum       mL/(min.kg)"))
    #expect(run.lines.count == 4, "nothing to say about values")
    let typo = try ProgramRun.hkstats(["units", "parse", "mL/min/kg"])
    #expect(typo.exitCode == 64)
    #expect(typo.errors.contains("second /"))
  }

  @Test(
    "An explanation names what values go through between the dialects",
    arguments: [
      (["%"], ["ucum       %", "a value of 1 is written as 100"]),
      (["--dialect", "ucum", "%"], ["healthkit  %", "a value of 1 is written as 0.01"]),
      (["mmHg"], ["ucum       mm[Hg]", "values stay, though the size here is"]),
      (["IU"], ["ucum       [IU]"]), (["dBASPL"], ["ucum       dB{A}", "the braces hold"]),
      (["count/min"], ["ucum       {count}/min", "the braces hold"]),
      (["--dialect", "ucum", "[pH]"], ["healthkit  cannot express this unit"]),
      (["degC"], ["temperature", "ucum       Cel"]),
    ])
  func explainsMapping(arguments: [String], parts: [String]) throws {
    let run = try ProgramRun.hkstats(["units", "parse"] + arguments)
    #expect(run.exitCode == 0, "\(run.errors)")
    for part in parts { #expect(run.output.contains(part), "\(run.output)") }
  }

  @Test("A batch reads the dialect that was asked for")
  func batchOfUCUM() throws {
    let input = "1\t[lb_av]\tkg\n98\t%\t1\n1\tmm[Hg]\tkgg\n1\tlb\tkg\n"
    let run = try ProgramRun.hkstats(
      ["units", "convert", "--batch", "--dialect", "ucum"], input: input)
    #expect(run.exitCode == 0)
    #expect(run.lines.count == 4)
    #expect(try run.line(0) == "0.45359237")
    #expect(try run.line(1) == "0.98")
    #expect(try run.line(2).hasPrefix("error\t0\t"))
    #expect(try run.line(3).hasPrefix("error\t0\t"))
    let unknown = try ProgramRun.hkstats(["units", "parse", "--dialect", "latin", "kg"])
    #expect(unknown.exitCode == 64)
    #expect(unknown.errors.contains("healthkit or ucum"))
  }

  @Test(
    "A list has its groups together, and each of its units parses", arguments: UnitDialect.allCases)
  func groups(dialect: UnitDialect) throws {
    let run = try ProgramRun.hkstats(["units", "list", "--dialect", dialect.rawValue])
    let groups = run.lines.dropFirst().map { $0.prefix { $0 != " " } }
    var seen: Set<Substring> = []
    for (group, previous) in zip(groups, [nil] + groups.map(Optional.some)) where group != previous
    {
      #expect(seen.insert(group).inserted, "\(group) stands in two places")
    }
    #expect(
      groups.count
        == UnitExpression.named(in: dialect).count + DimensionName.products.count)
    for line in run.lines.dropFirst() {
      let cells = line.split(separator: " ", omittingEmptySubsequences: true)
      try #require(cells.count >= 3)
      let unit = try UnitExpression(String(cells[1]), dialect: dialect)
      #expect(DimensionName.name(of: unit.dimension) == cells[0])
    }
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
}
