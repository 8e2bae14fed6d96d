import Foundation
import HealthExchange
import HealthQuery
import HealthStore
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("Answers that programs can read whatever the data")
final class OddAnswersTests: StoreSuite {
  private func ask(_ export: SmallExport, _ arguments: String...) throws -> ProgramRun {
    let path = try scratch.file("export.xml", export.data)
    let run = try ProgramRun.hkstats(arguments + ["--export", path, "--timezone", "UTC"])
    try #require(run.exitCode == 0, "\(run.errors)")
    return run
  }

  @Test("A sum beyond all numbers is null in JSON, and stderr says so")
  func overflow() throws {
    var export = SmallExport()
    for hour in 10...12 {
      export.add(
        "HKQuantityTypeIdentifierStepCount", "1.7e308", unit: "count",
        from: "2024-03-05T\(hour):00:00", to: "2024-03-05T\(hour):10:00")
    }
    let run = try ask(export, "stats", "steps", "--by", "day", "--format", "json")
    let intervals = try #require(try run.object()["intervals"] as? [[String: Any]])
    #expect(intervals.first?["sum"] is NSNull && intervals.first?["count"] as? Int == 3)
    #expect(run.errors.contains("json shows null"))
    let fine = try ask(export, "stats", "steps", "--by", "hour", "--format", "json")
    #expect(fine.errors.isEmpty)
  }

  @Test("Sources that are called alike keep names of their own, as keys and in columns")
  func sourceNames() throws {
    var export = SmallExport()
    let marked = "Scale (entered by hand)"
    export.steps(1, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00", source: marked)
    export.steps(2, from: "2024-03-05T11:00:00", to: "2024-03-05T11:10:00", source: "Scale")
    export.add(
      "HKQuantityTypeIdentifierStepCount", "4", unit: "count", from: "2024-03-05T12:00:00",
      to: "2024-03-05T12:10:00", source: "Scale", metadata: ["HKWasUserEntered": "1"])
    let run = try ask(export, "stats", "steps", "--by", "day", "--by-source", "--format", "json")
    let intervals = try #require(try run.object()["intervals"] as? [[String: Any]])
    let sources = try #require(intervals.first?["sources"] as? [String: [String: Any]])
    #expect(sources[marked]?["sum"] as? Double == 1)
    #expect(sources["Scale"]?["sum"] as? Double == 2)
    #expect(sources.values.compactMap { $0["sum"] as? Double }.sorted() == [1, 2, 4])
    for arguments in [
      ["stats", "steps", "--by", "day", "--by-source"], ["sources", "compare", "steps"],
    ] {
      let path = scratch.path("export.xml")
      let csv = try ProgramRun.hkstats(arguments + ["--format", "csv", "--export", path])
      let rows = CommaSeparatedRows.rows(of: csv.output)
      let names = arguments[0] == "stats" ? rows.map { $0[2] } : rows[0]
      #expect(Set(names).count == names.count)
    }
  }

  @Test("A csv of sources compared names the rules by which its numbers were found")
  func comparedRules() throws {
    var export = SmallExport()
    export.steps(1, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    for policy in ["hk", "drop"] {
      let run = try ask(
        export, "sources", "compare", "steps", "--merge", policy, "--format", "csv")
      let rows = CommaSeparatedRows.rows(of: run.output)
      let place = try #require(rows[0].firstIndex(of: "merge"))
      #expect(rows.dropFirst().allSatisfy { $0[place] == policy })
      let line = try ask(
        export, "sources", "compare", "steps", "--merge", policy, "--format", "ndjson")
      #expect(try line.object()["merge"] as? String == policy)
    }
  }

  @Test("Heart rates have no more digits than their mean needs", arguments: ["csv", "json"])
  func heartRates(format: String) throws {
    var export = SmallExport()
    for (minute, rate) in [61, 62, 63].enumerated() {
      let moment = "2024-03-05T10:0\(minute):00"
      export.add(
        "HKQuantityTypeIdentifierHeartRate", String(rate), unit: "count/min", from: moment,
        to: moment)
    }
    let run = try ask(
      export, "stats", "heartRate", "--by", "day", "--style", "arithmetic", "--format", format)
    if format == "csv" {
      let rows = CommaSeparatedRows.rows(of: run.output)
      let place = try #require(rows[0].firstIndex(of: "mean"))
      #expect(rows[1][place..<place + 3] == ["62", "61", "63"])
    } else {
      #expect(run.output.contains("\"mean\":62,\"min\":61,\"max\":63,"))
    }
  }

  @Test("No name of a source makes a table wider than a screen or two")
  func longNames() throws {
    var export = SmallExport()
    let name = String(repeating: "Very long 名前 ", count: 60)
    for (index, source) in [name, name + "2"].enumerated() {
      export.steps(
        1, from: "2024-03-05T1\(index):00:00", to: "2024-03-05T1\(index):10:00", source: source)
    }
    for arguments in [
      ["samples", "steps"], ["sources"], ["sources", "steps"],
      ["stats", "steps", "--by", "day", "--by-source"],
      ["stats", "steps", "--by", "day", "--explain"], ["sources", "compare", "steps"],
    ] {
      let path = try scratch.file("export.xml", export.data)
      let run = try ProgramRun.hkstats(arguments + ["--export", path])
      #expect(run.exitCode == 0)
      #expect(run.lines.allSatisfy { String($0).displayWidth <= 160 }, "\(arguments)")
    }
  }

  @Test("A store whose samples lie outside of all years is bad data, no wrong question")
  func absurdDates() throws {
    #expect(Failure(QueryError(.sampleOutOfRange))?.exitCode == .badData)
    #expect(Failure(QueryError(.dateOutOfRange))?.exitCode == .usage)
  }
}
