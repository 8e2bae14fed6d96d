import Foundation
import Testing
import _HealthTestSupport

@Suite("Questions about workouts, as a program")
struct WorkoutQuestionTests {
  private let scratch: Scratch
  private let store: String
  private let truth: [[String: Any]]

  init() throws {
    scratch = try Scratch()
    store = scratch.path("store.sqlite")
    let made = try ProgramRun.run(
      "generate-export",
      [
        "--out", scratch.path("export.zip"), "--seed", "5", "--years", "0.2", "--dtd", "ios27",
        "--zone", "Europe/Paris", "--density", "0.02", "--truth", scratch.path("truth.json"),
      ])
    try #require(made.exitCode == 0, "\(made.errors)")
    let imported = try ProgramRun.hkstats([
      "import", scratch.path("export.zip"), "--store", store,
    ])
    try #require(imported.exitCode == 0, "\(imported.errors)")
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: scratch.url("truth.json")))
    truth = try #require((json as? [String: Any])?["workouts"] as? [[String: Any]])
  }

  private func run(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun.hkstats(
      ["workouts"] + arguments + ["--store", store, "--timezone", "Europe/Paris"])
  }

  /// The month of an instant since 1970, by Foundation.
  private func month(_ instant: Double) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "Europe/Paris")
    formatter.dateFormat = "yyyy-MM"
    return formatter.string(from: Date(timeIntervalSince1970: instant))
  }

  @Test("Each month has the numbers that the generator knows")
  func months() throws {
    let all = "count,duration,distance,energy"
    let rows = try run("--by", "month", "--stat", all, "--format", "json").rows("intervals")
    let known = Dictionary(grouping: truth) { month($0["start"] as? Double ?? 0) }
    #expect(rows.count >= 3)
    for row in rows {
      let name = String(try #require(row["start"] as? String).prefix(7))
      let workouts = known[name] ?? []
      func sum(_ key: String) -> Double {
        workouts.compactMap { $0[key] as? Double }.reduce(0, +)
      }
      #expect(row["count"] as? Int == workouts.count)
      for (key, expected) in [
        ("duration", sum("minutes") * 60), ("distance", sum("kilometres")),
        ("energy", sum("kilocalories")),
      ] {
        let found = row[key] as? Double ?? 0
        #expect(abs(found - expected) <= 1e-4 * expected, "\(name) \(key)")
      }
    }
    let counts = rows.compactMap { $0["count"] as? Int }
    #expect(counts.reduce(0, +) == truth.count)
    let csv = CommaSeparatedRows.rows(
      of: try run("--by", "month", "--stat", all, "--format", "csv").output)
    #expect(csv.dropFirst().compactMap { Int($0[2]) } == counts)
    #expect(csv.first?.prefix(4) == ["start", "end", "count", "duration_s"])
    let lines = try run("--by", "month", "--format", "ndjson").lines
    #expect(lines.count == counts.count)
    let table = try run("--by", "month")
    #expect(table.lines.count == 3 + counts.count + 1 && table.output.contains("in all"))
    let chart = try run("--by", "week", "--stat", "distance", "--format", "chart")
    #expect(chart.exitCode == 0 && chart.output.contains("█"))
  }

  @Test("Intervals without workouts are there, with count 0 and nothing else")
  func empty() throws {
    let rows = try run("--by", "day", "--activity", "swimming", "--format", "json")
      .rows("intervals")
    let idle = rows.filter { $0["count"] as? Int == 0 }
    #expect(!idle.isEmpty)
    #expect(
      idle.allSatisfy { day in
        ["duration", "distance", "energy"].allSatisfy { day[$0] is NSNull }
      })
    let none = try run("--by", "month", "--activity", "fencing")
    #expect(none.exitCode == 0 && none.output == "No workouts.\n")
  }

  @Test("The order, the limit and the conditions are those that were asked for")
  func chosen() throws {
    let longest = try run("--sort", "distance", "--limit", "3", "--format", "csv")
    let kilometres = CommaSeparatedRows.rows(of: longest.output).dropFirst().compactMap {
      Double($0[4])
    }
    let known = truth.compactMap { $0["kilometres"] as? Double }.sorted(by: >).prefix(3)
    #expect(kilometres.count == 3)
    for (found, expected) in zip(kilometres, known) { #expect(abs(found - expected) < 1e-3) }
    let long = try run("--where", "distance>5 km", "--where", "duration<40 min", "--format", "csv")
    #expect(
      long.lines.count - 1
        == truth.count {
          ($0["kilometres"] as? Double ?? 0) > 5 && ($0["minutes"] as? Double ?? 0) < 40
        })
    let app = try run("--where", "source=none of these", "--format", "csv")
    #expect(app.lines.count == 1)
    for wrong in [
      ["--where", "distance"], ["--where", "distance>8 kg"], ["--where", "speeed>3"],
      ["--sort", "hurry"], ["--by", "month", "--sort", "start"], ["--stat", "count"],
      ["--ascending"], ["--descending"], ["--sort", "pace", "--ascending", "--descending"],
      ["--limit", "-1"], ["--by", "month", "--stat", "best2k"],
      ["--by", "month", "--zones", "120"],
    ] {
      let run = try ProgramRun.hkstats(["workouts"] + wrong + ["--store", store])
      #expect(run.exitCode == 64, "\(wrong)")
    }
    #expect(try run("--sort", "start", "--limit", "0").output.hasPrefix("No workouts."))
  }

  @Test(
    "Best times and paces begin with the quickest, in a column of every form",
    arguments: [
      ("best1k", "best 1 km"), ("pace", "min/km"), ("speed", "km/h"), ("elevation", "climb"),
    ])
  func orderedBy(key: String, title: String) throws {
    let rows = try run("--sort", key, "--format", "json").rows("workouts")
    let values = rows.compactMap { $0[key] as? Double }
    #expect(!values.isEmpty && rows.allSatisfy { $0.keys.contains(key) })
    let isQuickest = ["best1k", "pace"].contains(key)
    #expect(values == (isQuickest ? values.sorted() : values.sorted(by: >)))
    #expect(rows.prefix(values.count).allSatisfy { $0[key] is Double })
    for (flag, ascends) in [("--ascending", true), ("--descending", false)] {
      let turned = try run("--sort", key, flag, "--format", "json").rows("workouts")
        .compactMap { $0[key] as? Double }
      #expect(turned == (ascends ? values.sorted() : values.sorted(by: >)))
    }
    let first = try run("--sort", key, "--limit", "1", "--format", "ndjson").lines
    #expect(first.count == 1 && first[0].contains("\"\(key)\":"))
    let csv = CommaSeparatedRows.rows(of: try run("--sort", key, "--format", "csv").output)
    let column = try #require(csv[0].firstIndex { $0.hasPrefix("\(key)_") })
    #expect(csv.dropFirst().compactMap { Double($0[column]) } == values)
    #expect(try run("--sort", key).output.contains(title))
    let chart = try run("--sort", key, "--format", "chart").output
    #expect(chart.hasPrefix("workouts: \(title)") && chart.contains("█"))
  }

  @Test("Kilometres add up to the routes, and every form has them")
  func splits() throws {
    let rows = try run("--splits", "--format", "json").rows("splits")
    try #require(!rows.isEmpty)
    let byWorkout = Dictionary(grouping: rows) { $0["workout"] as? String ?? "" }
    for splits in byWorkout.values {
      let kilometres = splits.compactMap { $0["distance"] as? Double }
      #expect(kilometres.dropLast().allSatisfy { $0 == 1 })
      #expect(splits.compactMap { $0["split"] as? Int } == Array(1...splits.count))
    }
    let miles = try run("--splits", "mi", "--format", "ndjson").lines
    #expect(miles.count <= rows.count)
    let csv = try run("--splits", "--format", "csv")
    #expect(csv.lines.count == rows.count + 1)
    #expect(
      try csv.line(0).hasPrefix("workout,activity,split,start,end,distance_km,duration_s,pace_"))
    let table = try run("--splits").lines
    #expect(table.count { $0.contains(":") } >= rows.count)
    let total = rows.compactMap { $0["distance"] as? Double }.reduce(0, +)
    let inMiles = try run("--splits", "mi", "--format", "json")
    let mileTotal = try inMiles.rows("splits").compactMap { $0["distance"] as? Double }
      .reduce(0, +)
    #expect(abs(total - mileTotal * 1.609344) < 1e-6 * total)
    let units = try #require(try inMiles.object()["units"] as? [String: String])
    #expect(units["distance"] == "mi" && units["pace"] == "s/mi")
  }

  @Test("Intervals that reach beyond the period are named in a note of every form")
  func reach() throws {
    let period = ["--by", "month", "--from", "2026-09-10", "--to", "2026-09-20"]
    for format in ["table", "csv", "json", "ndjson"] {
      let run = try ProgramRun.hkstats(
        ["workouts", "--format", format, "--store", store, "--timezone", "UTC"] + period)
      let place = ["csv", "ndjson"].contains(format) ? run.errors : run.output
      #expect(place.contains("begins 2026-09-01, before --from"), "\(format)")
      #expect(place.contains("ends 2026-10-01, after --to"), "\(format)")
    }
    let whole = try run("--by", "month", "--from", "2026-09", "--to", "2026-10")
    #expect(!whole.output.contains("--from") && whole.lines.count == 4)
  }

  @Test("Kinds are those that took most time, and all together have what the months have")
  func kinds() throws {
    let run = try run(
      "--by", "month", "--stat", "count,duration", "--kinds", "2", "--format", "json")
    let answer = try run.object()
    let kinds = try #require(answer["kinds"] as? [[String: Any]])
    let times = kinds.compactMap { $0["duration"] as? Double }
    #expect(kinds.count == 3 && times.count == 3 && times[0] >= times[1])
    let counts = kinds.compactMap { $0["count"] as? Int }
    #expect(counts.reduce(0, +) == truth.count)
    #expect((answer["total"] as? [String: Any])?["count"] as? Int == truth.count)
    #expect(kinds[2]["activity"] is NSNull)
    for row in try run.rows("intervals") {
      let parts = try #require(row["kinds"] as? [[String: Any]])
      let sum = parts.compactMap { $0["count"] as? Int }.reduce(0, +)
      #expect(parts.count == 3 && sum == row["count"] as? Int)
    }
    let csv = try self.run("--by", "month", "--kinds", "2", "--format", "csv")
    #expect(try csv.line(0).hasSuffix("other_s,type,timezone"))
    let table = try self.run("--by", "month", "--kinds", "2")
    #expect(table.output.contains("other"))
    for wrong in [["--kinds", "2"], ["--by", "day", "--kinds", "-1"]] {
      #expect(try ProgramRun.hkstats(["workouts"] + wrong + ["--store", store]).exitCode == 64)
    }
  }

  @Test("Distance and energy stand in JSON beside the statistics that they come from")
  func numbers() throws {
    let rows = try run("--format", "json").rows("workouts")
    #expect(rows.count == truth.count)
    for row in rows {
      let statistics = row["statistics"] as? [[String: Any]] ?? []
      func sum(_ name: String) -> Double? {
        let sums = statistics.filter { ($0["type"] as? String)?.contains(name) == true }
          .compactMap { $0["sum"] as? Double }
        return sums.isEmpty ? nil : sums.reduce(0, +)
      }
      // Statistics are in metres, and say so.
      for (key, expected) in [
        ("distance", sum("Distance").map { $0 / 1000 }), ("energy", sum("ActiveEnergy")),
      ] {
        let found = row[key] as? Double
        #expect((found == nil) == (expected == nil))
        #expect(abs((found ?? 0) - (expected ?? 0)) <= 1e-9 * (expected ?? 0))
      }
    }
  }

  @Test("Places have the routes that the workouts have, in every form")
  func places() throws {
    let rows = try run("--places", "--format", "json").rows("places")
    let counts = rows.compactMap { $0["routes"] as? Int }
    let routes = try run("--format", "json").rows("workouts")
      .compactMap { ($0["routes"] as? [[String: Any]])?.count }
    #expect(!counts.isEmpty && counts == counts.sorted(by: >))
    let total: Int = counts.reduce(0, +)
    #expect(total == routes.reduce(0, +))
    let csv = try run("--places", "--format", "csv")
    #expect(try csv.line(0).hasPrefix("latitude,longitude,routes,distance_km,first,last"))
    #expect(try run("--places").output.contains("routes"))
    #expect(try run("--places", "--format", "chart").exitCode == 0)
    #expect(try run("--places", "--activity", "fencing").output.hasPrefix("No workouts."))
    for wrong in [["--by", "month"], ["--splits"], ["--zones", "120"]] {
      let run = try ProgramRun.hkstats(["workouts", "--places"] + wrong + ["--store", store])
      #expect(run.exitCode == 64)
    }
  }

  @Test("The line below the list has what the workouts amount to")
  func totals() throws {
    let totals = try run().lines.filter { $0.hasPrefix("in all") }
    #expect(totals.count == 1)
    #expect(totals.first?.contains("\(truth.count) workouts") == true)
  }
}
