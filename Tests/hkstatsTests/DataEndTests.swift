import Foundation
import Testing

@Suite("Where the data end")
struct DataEndTests {
  private static let zone = ["--timezone", "Asia/Tokyo"]
  private static let kinds = ["steps", "workout", "ecg", "activitySummary", "bloodPressure"]

  private static func questions(_ kind: String) -> [[String]] {
    [["samples", kind]]
      + (kind == "workout" ? [["workouts"]] : kind == "activitySummary" ? [["summary"]] : [])
  }

  @Test("A list says below where its data end and which zone its times are of, whatever the period")
  func lists() throws {
    let store = try GeneratedStore(seed: 5, version: "14")
    for kind in Self.kinds {
      let asked = ["--store", store.path] + Self.zone
      let last = try ProgramRun.hkstats(
        ["samples", kind, "--newest-first", "--limit", "1", "--format", "json"] + asked)
      let rows = try #require(try last.json() as? [[String: Any]], "\(last.errors)")
      let row = try #require(rows.first)
      let moment = try #require((row["end"] ?? row["date"] ?? row["day"]) as? String, "\(row)")
      let date = moment.prefix(10)
      for question in Self.questions(kind) {
        for period in [[], ["--from", "2100-01-01"]] {
          let run = try ProgramRun.hkstats(question + asked + period)
          #expect(run.exitCode == 0)
          let note = try #require(run.lines.last)
          #expect(note.contains("The data end on \(date)."), "\(question): \(note)")
          #expect(note.contains("Asia/Tokyo"))
          #expect(run.lines.count { $0.contains("The data end") } == 1)
        }
      }
    }
    for question in [["workouts"], ["summary"]] {
      let object = try ProgramRun.hkstats(
        question + ["--store", store.path, "--format", "json", "--from", "2100-01-01"] + Self.zone
      ).object()
      let table = try ProgramRun.hkstats(question + ["--store", store.path] + Self.zone)
      let end = try #require(object["dataEnd"] as? String)
      #expect(try #require(table.lines.last).contains(end.prefix(10)))
      #expect(object["timezone"] as? String == "Asia/Tokyo")
    }
  }

  @Test("A list of everything says the zone alone; one of nothing has no end")
  func zones() throws {
    let scratch = try Scratch()
    var export = SmallExport()
    export.steps(1, from: "2024-03-09T10:00:00", to: "2024-03-09T10:10:00")
    let path = try scratch.file("export.xml", export.data)
    for question in [["types"], ["sources"], ["sources", "steps"]] {
      let run = try ProgramRun.hkstats(question + ["--export", path] + Self.zone)
      #expect(run.lines.last == "Times are those of Asia/Tokyo.")
      let csv = try ProgramRun.hkstats(
        question + ["--export", path, "--format", "csv"] + Self.zone)
      #expect(!csv.output.contains("Times are") && !csv.errors.contains("Times are"))
    }
    #expect(try ProgramRun.hkstats(["workouts", "--export", path]).output == "No workouts.\n")
  }
}
