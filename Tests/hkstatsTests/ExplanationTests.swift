import Foundation
import HealthExchange
import Testing
import _HealthTestSupport

@testable import hkstats

@Suite("Why this number: stats --explain and sources compare, as programs")
final class ExplanationTests: StoreSuite {
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
        Steps, Europe/Paris, merged

        day             Anna’s Apple\u{A0}Watch  Anna’s iPhone    sum  masked  by whom
        Tue 2024-03-05               100.0          120.5  220.5   120.5  Anna’s iPhone: 120.5 by Anna’s Apple\u{A0}Watch
        Wed 2024-03-06                   –              –      –       –
        Thu 2024-03-07                   –           31.0   31.0       –

        Where sources overlap, believed in this order: Anna’s Apple\u{A0}Watch, then Anna’s iPhone.
        What the sources counted adds up to the sum.

        """)
  }

  @Test("csv has a row for each interval, source and value of a category that json has")
  func categories() throws {
    let generated = try GeneratedStore(seed: 3, version: "14")
    let question = [
      "stats", "sleepAnalysis", "--by", "week", "--explain", "--timezone", "Europe/Paris",
      "--store", generated.path,
    ]
    let json = try ProgramRun.hkstats(question + ["--format", "json"]).rows("intervals")
    let rows = CommaSeparatedRows.rows(
      of: try ProgramRun.hkstats(question + ["--format", "csv"]).output)
    #expect(
      rows.first?.prefix(7) == ["start", "end", "source", "rank", "value", "duration", "masked"])
    var counted: [[String]: [Double]] = [:]
    for interval in json {
      let start = try #require(interval["start"] as? String)
      for source in try #require(interval["contributions"] as? [[String: Any]]) {
        let name = try #require(source["source"] as? String)
        for (value, part) in try #require(source["values"] as? [String: [String: Double]]) {
          counted[[start, name, value]] = [part["duration"] ?? .nan, part["masked"] ?? .nan]
        }
      }
    }
    #expect(counted.count > 10 && rows.count == 1 + counted.count)
    for row in rows.dropFirst() {
      #expect(
        counted[[row[0], row[2], row[4]]] == [Double(row[5]) ?? .nan, Double(row[6]) ?? .nan])
    }
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
        "maskedBy":{"Anna’s Apple\u{A0}Watch":120.5}}],"masked":120.5}
        """))
    #expect(run.output.contains("\"sum\":null,\"count\":0,\"contributions\":[]}"))
    // csv has a row for each interval and source that json has.
    let csv = try self.run("stats", "steps", "--by", "day", "--explain", "--format", "csv")
    #expect(try csv.line(0) == "start,end,source,rank,sum,masked,type,unit,timezone,merge")
    let intervals = try #require(try run.object()["intervals"] as? [[String: Any]])
    let counted = try intervals.flatMap { interval in
      try #require(interval["contributions"] as? [[String: Any]]).map { (interval, $0) }
    }
    #expect(csv.lines.count == counted.count + 1)
    for (line, (interval, source)) in zip(csv.lines.dropFirst(), counted) {
      let fields = line.split(separator: ",")
      #expect(fields[0] == interval["start"] as? String ?? "")
      #expect(fields[2] == source["source"] as? String ?? "")
      #expect(Double(fields[4]) == source["sum"] as? Double)
      #expect(Double(fields[5]) == source["masked"] as? Double)
    }
    let plain = try self.run("stats", "steps", "--by", "day", "--format", "json")
    #expect(!plain.output.contains("contributions"))
  }

  @Test("the comparison is a picture of merging: merged, raw, each source alone")
  func compare() throws {
    let run = try run("sources", "compare", "steps")
    #expect(run.errors == "")
    #expect(
      run.output == """
        Steps, Europe/Paris, merged

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
      #expect(try csv.line(0).contains(",type,unit,timezone,"))
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

  @Test("each line of a sample export adds up, as numbers and as it is printed")
  func sampleExport() throws {
    let path = scratch.path("sample.zip")
    let generated = try ProgramRun.run(
      "generate-export", ["--out", path, "--years", "0.03", "--until", "2026-11-01"])
    try #require(generated.exitCode == 0, "\(generated.errors)")
    let store = scratch.path("store.sqlite")
    try #require(try ProgramRun.hkstats(["import", path, "--store", store]).exitCode == 0)
    for (type, policy) in [
      ("steps", "hk"), ("steps", "hc"), ("steps", "subtractive"), ("steps", "drop"),
      ("steps", "highest"), ("steps", "none"), ("activeEnergyBurned", "hk"),
      ("distanceWalkingRunning", "hc"),
    ] {
      let question = [
        "stats", type, "--by", "day", "--explain", "--merge", policy, "--timezone",
        "Europe/Paris", "--store", store,
      ]
      let json = try ProgramRun.hkstats(question + ["--format", "json"]).object()
      let intervals = try #require(json["intervals"] as? [[String: Any]])
      #expect(intervals.count > 9 && json["merge"] as? String == policy)
      let isCut = type == "steps" && policy == "hc"
      #expect(intervals.contains { ($0["cut"] as? Double ?? 0) > 0 } == isCut)
      for interval in intervals {
        let parts = try #require(interval["contributions"] as? [[String: Any]])
        let counted = parts.reduce(0) { $0 + ($1["sum"] as? Double ?? .nan) }
        let sum = interval["sum"] as? Double ?? 0
        let cut = interval["cut"] as? Double ?? 0
        #expect(abs(counted - cut - sum) <= 1e-12 * abs(sum), "\(policy)")
        #expect((0..<1).contains(cut))
        for part in parts {
          let by = try #require(part["maskedBy"] as? [String: Double])
          let masked = try #require(part["masked"] as? Double)
          #expect(abs(by.values.reduce(0, +) - masked) <= 1e-9 * max(1, abs(masked)), "\(policy)")
        }
      }
      let table = try ProgramRun.hkstats(question)
      let rows = table.lines.map(Self.cells).filter { $0.count > 2 && Self.isDay($0[0]) }
      #expect(rows.count == intervals.count)
      // The label, the sources, then the sum.
      let header = try #require(table.lines.map(Self.cells).first { $0.contains("by whom") })
      let place = try #require(header.firstIndex(of: "sum"))
      for (row, interval) in zip(rows, intervals) {
        let amounts = try row[1...place].map { try #require(Self.amount($0), "\(row)") }
        // Printed amounts are whole numbers of a last decimal.
        let parts = amounts.dropLast().reduce(0, +)
        #expect((parts * 1e6).rounded() == (amounts[place - 1] * 1e6).rounded(), "\(row)")
        let sum = interval["sum"] as? Double ?? 0
        #expect(abs(amounts[place - 1] - sum) < max(1, 1e-3 * abs(sum)), "\(row)")
      }
    }
  }

  /// The cells of a printed line, which two spaces or more keep apart.
  private static func cells(_ line: Substring) -> [String] {
    line.components(separatedBy: "  ").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  private static func isDay(_ text: String) -> Bool {
    text.dropFirst(4).prefix(4).allSatisfy(\.isNumber) && text.contains("-")
  }

  private static func amount(_ text: String) -> Double? {
    text == "–" ? 0 : Double(text.replacingOccurrences(of: ",", with: ""))
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
