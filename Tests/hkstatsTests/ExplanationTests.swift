import Foundation
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("Why this number: stats --explain and sources compare, as programs")
struct ExplanationTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// A walk that a watch and a phone both counted, one that only the phone counted, and a day
  /// between without any.
  private static var walks: SmallExport {
    var export = SmallExport()
    export.steps(100, from: "2024-03-05T10:00:00", to: "2024-03-05T10:10:00")
    export.steps(
      241, from: "2024-03-05T10:00:00", to: "2024-03-05T10:20:00", source: SmallExport.phone)
    export.steps(
      31, from: "2024-03-07T12:00:00", to: "2024-03-07T12:10:00", source: SmallExport.phone)
    return export
  }

  private func run(_ arguments: String...) throws -> ProgramRun {
    let path = try scratch.file("export.xml", Self.walks.data)
    return try ProgramRun.hkstats(
      arguments + ["--export", path, "--timezone", "Europe/Paris", "--from", "2024-03-05"])
  }

  @Test("each line of the table adds up, rounded as it stands there")
  func table() throws {
    let run = try run("stats", "steps", "--by", "day", "--explain")
    #expect(run.errors == "")
    #expect(
      run.output == """
        stepCount, Europe/Paris, merged

        day             Anna’s Apple\u{A0}Watch  Anna’s iPhone    sum  masked  by whom
        Tue 2024-03-05               100.0          120.5  220.5   120.5  Anna’s iPhone: 120.5 by Anna’s Apple\u{A0}Watch
        Wed 2024-03-06                   –              –      –       –
        Thu 2024-03-07                   –           31.0   31.0       –

        Where sources overlap, believed in this order: Anna’s Apple\u{A0}Watch, then Anna’s iPhone.
        What the sources counted adds up to the sum.

        """)
  }

  @Test("json lists who contributed, what was masked and by whom")
  func json() throws {
    let run = try run("stats", "steps", "--by", "day", "--explain", "--format", "json")
    #expect(
      run.output.contains(
        """
        "sum":220.5,"count":2,"contributions":[\
        {"source":"Anna’s Apple\u{A0}Watch","sum":100,"masked":0,"maskedBy":{}},\
        {"source":"Anna’s iPhone","sum":120.5,"masked":120.5,\
        "maskedBy":{"Anna’s Apple\u{A0}Watch":120.5}}]}
        """))
    #expect(run.output.contains("\"sum\":null,\"count\":0,\"contributions\":[]}"))
    let plain = try self.run("stats", "steps", "--by", "day", "--format", "json")
    #expect(!plain.output.contains("contributions"))
  }

  @Test("the comparison is a picture of merging: merged, raw, each source alone")
  func compare() throws {
    let run = try run("sources", "compare", "steps")
    #expect(run.errors == "")
    #expect(
      run.output == """
        stepCount, Europe/Paris, merged

        day             merged    raw  Anna’s Apple\u{A0}Watch  Anna’s iPhone
        Tue 2024-03-05   220.5  341.0               100.0          241.0
        Wed 2024-03-06       –      –                   –              –
        Thu 2024-03-07    31.0   31.0                   –           31.0

        Where sources overlap, believed in this order: Anna’s Apple\u{A0}Watch, then Anna’s
        iPhone.

        """)
  }

  @Test("the comparison says the same in every form, for every policy")
  func forms() throws {
    for (policy, sums) in [("hk", [220.5, 31]), ("drop", [100, 31]), ("highest", [241, 31])] {
      let csv = try run("sources", "compare", "steps", "--merge", policy, "--format", "csv")
      #expect(try csv.line(0).hasPrefix("start,end,merged,raw,Anna’s"))
      let json = try run("sources", "compare", "steps", "--merge", policy, "--format", "json")
      let object = try json.object()
      #expect(object["merge"] as? String == policy)
      let intervals = try #require(object["intervals"] as? [[String: Any]])
      #expect(intervals.compactMap { $0["merged"] as? Double } == sums)
      #expect(intervals.compactMap { $0["raw"] as? Double } == [341, 31])
      #expect((intervals[0]["sources"] as? [String: Double])?[SmallExport.phone] == 241)
      let lines = try run("sources", "compare", "steps", "--merge", policy, "--format", "ndjson")
      #expect(lines.lines.count == intervals.count)
      #expect(csv.lines.count == intervals.count + 1)
    }
    #expect(try run("sources", "compare", "stepz").exitCode == 64)
  }

  @Test("ten sources fit a terminal of 80 columns", arguments: ["steps", "heartRate"])
  func fits(type: String) throws {
    var export = SmallExport()
    for index in 0..<10 {
      for (type, unit) in [("StepCount", "count"), ("HeartRate", "count/min")] {
        export.add(
          "HKQuantityTypeIdentifier" + type, "\(1000 + index)", unit: unit,
          from: "2024-03-05T\(10 + index):00:00", to: "2024-03-05T\(10 + index):10:00",
          source: "A source with a long name, number \(index)")
      }
    }
    let path = try scratch.file("export.xml", export.data)
    let run = try ProgramRun.hkstats(["sources", "compare", type, "--export", path])
    #expect(run.exitCode == 0)
    #expect(run.lines.allSatisfy { String($0).displayWidth <= 80 }, "\(run.output)")
    #expect(run.output.contains(" more") == (type == "steps"))
  }

  @Test("rounded parts add up to their rounded sum, whatever their signs")
  func rounding() {
    var generator = SplitMix64(seed: 8)
    for _ in 0..<2000 {
      let parts = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        Double.random(in: -1000...1000, using: &generator)
      }
      let rounded = ExplanationTable.rounded(parts, decimals: 0)
      #expect(rounded.parts.reduce(0, +) == rounded.sum)
      #expect(rounded.sum == parts.reduce(0, +).rounded())
      for (part, whole) in zip(parts, rounded.parts) { #expect(abs(part - whole) < 1) }
    }
  }
}
