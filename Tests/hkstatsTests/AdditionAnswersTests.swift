import Foundation
import Testing

@Suite(
  "What the program says of what is added to a generated export, beside what its generator knows")
struct AdditionAnswersTests {
  private static let steps = "HKQuantityTypeIdentifierStepCount"

  private func expect(_ found: Double?, _ known: Double, _ name: String) {
    // Six printed digits of each sample lie between the two.
    #expect(abs((found ?? .infinity) - known) <= 1e-5 * abs(known), "\(name)")
  }

  @Test(
    "Each food of a meal counts once, those with one amount of a nutrient, too",
    arguments: ["watch", "garmin", "food"])
  func foods(profile: String) throws {
    let export = try AskedExport([
      "--years", "0.06", "--density", "0.05", "--profile", profile, "--with", "foods",
    ])
    for nutrient in ["EnergyConsumed", "FatTotal", "Protein", "Sodium"] {
      let type = "HKQuantityTypeIdentifierDietary" + nutrient
      let known = try #require(export.truth.sums[type])
      let found = try export.sums(of: type)
      for (date, sum) in known { expect(found[date], sum.merged, "\(nutrient) \(date)") }
    }
    let meals = try export.ask(["stats", "food"]).rows("food")
    let names = Dictionary(grouping: meals.compactMap { $0["food"] as? String }) { $0 }
    let known = Dictionary(grouping: export.truth.correlations.compactMap(\.food)) { $0 }
    #expect(!known.isEmpty)
    for (name, foods) in known { #expect(names[name]?.count == foods.count, "\(name)") }
  }

  @Test(
    "Of two watches of one name one counts at a moment",
    arguments: ["StepCount", "DistanceWalkingRunning", "ActiveEnergyBurned", "FlightsClimbed"])
  func watches(name: String) throws {
    let export = try AskedExport(["--years", "0.04", "--density", "0.2", "--with", "watches"])
    let type = "HKQuantityTypeIdentifier" + name
    let known = try #require(export.truth.sums[type])
    let merged = try export.sums(of: type)
    let raw = try export.sums(of: type, ["--merge", "none"])
    for (date, sum) in known {
      expect(merged[date], sum.merged, date)
      expect(raw[date], sum.raw, date)
    }
  }

  @Test(
    "The day on which an export was made is no day of a mean, then and later",
    arguments: ["2026-10-31T10:37:00+01:00", "2026-12-05T12:00:00+01:00"])
  func unfinished(now: String) throws {
    let export = try AskedExport(["--years", "0.05", "--density", "0.05", "--with", "unfinished"])
    let unfinished = try #require(export.truth.unfinished)
    #expect(unfinished.date == "2026-10-31")
    var days = try #require(export.truth.sums[Self.steps])
    days[unfinished.date] = nil
    // Whether the data begin inside the first day is another question.
    let first = try #require(days.keys.min())
    days[first] = nil
    try #require(days.count == 16)

    let weekdays = try Dictionary(grouping: days) { try Self.weekday($0.key) }
    let groups = try export.ask(["stats", "steps", "--by", "day", "--group", "weekday"], now: now)
      .rows("groups")
    for (weekday, days) in weekdays where try weekday != Self.weekday(first) {
      let mean = days.reduce(0) { $0 + $1.value.merged } / Double(days.count)
      let group = groups.first { $0["group"] as? String == weekday }
      expect(group?["mean"] as? Double, mean, weekday)
      #expect(group?["intervals"] as? Int == days.count, "\(weekday)")
    }

    let since = ["stats", "steps", "--by", "day", "--from", try #require(days.keys.min())]
    let spread = try export.ask(since + ["--spread"], now: now).object()["spread"]
    let mean = days.values.reduce(0) { $0 + $1.merged } / Double(days.count)
    expect((spread as? [String: Any])?["mean"] as? Double, mean, "mean")
    let least = try #require(
      try export.ask(since + ["--top", "1", "--least"], now: now).rows("intervals").first)
    let known = try #require(days.min { $0.value.merged < $1.value.merged })
    #expect(try AskedExport.date(least) == known.key)
    expect(least["value"] as? Double, known.value.merged, "least")
  }

  private static func weekday(_ date: String) throws -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "yyyy-MM-dd"
    let day = try #require(formatter.date(from: date))
    formatter.dateFormat = "EEEE"
    return formatter.string(from: day)
  }

  @Test("Cycles begin and bleeds end where the person says, whatever is spotted in between")
  func cycles() throws {
    let export = try AskedExport([
      "--years", "0.6", "--density", "0.01", "--profile", "iphone", "--with", "cycles",
    ])
    let known = try #require(export.truth.cycles)
    let found = try export.ask(["cycles"]).rows("cycles").map { row in
      AskedExport.Truth.Cycle(
        firstDay: try AskedExport.date(row), length: row["length"] as? Int,
        bleedLength: try #require(row["bleedLength"] as? Int))
    }
    #expect(known.count > 5 && found == known)
  }

  @Test(
    "Doses by day, medication and status, and how pleasant days were",
    arguments: ["en_US", "de_DE"])
  func dosesAndMoods(language: String) throws {
    let export = try AskedExport(
      [
        "--years", "0.12", "--density", "0.01", "--profile", "iphone", "--language", language,
        "--with", "medications,moods",
      ], isAutoExport: true)
    func days(_ question: String) throws -> [String: [String: Any]] {
      let rows = try export.ask(["stats", question, "--by", "day"]).rows("intervals")
      return Dictionary(uniqueKeysWithValues: try rows.map { (try AskedExport.date($0), $0) })
    }
    let doses = try #require(export.truth.doses)
    let names = Set(doses.values.flatMap(\.keys))
    let found = try days("medications")
    #expect(names.count == 3)
    for status in ["taken", "skipped"] {
      for (date, known) in doses {
        for name in names {
          #expect(
            found[date]?["\(name) \(status)"] as? Int == known[name]?[status] ?? 0, "\(date)")
        }
      }
      let known = doses.values.flatMap(\.values).reduce(0) { $0 + ($1[status] ?? 0) }
      #expect(found.values.reduce(0) { $0 + ($1[status] as? Int ?? 0) } == known && known > 0)
    }
    let valences = try #require(export.truth.valences)
    let moods = try days("stateOfMind")
    for (date, known) in valences {
      #expect(moods[date]?["count"] as? Int == known.count, "\(date)")
      #expect(moods[date]?["valenceMin"] as? Double == known.minimum, "\(date)")
      #expect(moods[date]?["valenceMax"] as? Double == known.maximum, "\(date)")
      let mean = try #require(moods[date]?["valence"] as? Double)
      #expect(abs(mean - known.total / Double(known.count)) < 1e-12, "\(date)")
    }
    let count = moods.values.reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
    #expect(count == valences.values.reduce(0) { $0 + $1.count })
  }
}
