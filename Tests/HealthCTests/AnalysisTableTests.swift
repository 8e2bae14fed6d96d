import CHKStats
import Foundation
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import Testing

@testable import HealthC

/// What columns are, where no test of the command follows their numbers by another way: that all
/// faces have the same of them is one law, see ``AnswerLawTests``.
@Suite("Tables of what an analysis finds")
struct AnalysisTableTests {
  private typealias Cell = ArrowTable.Cell

  private let store: SampleStore

  init() throws { store = try SharedStore.person() }

  /// A question in UTC, as a table and as the engine answers it.
  private func asked(
    _ members: String, list: String? = nil
  ) throws -> (table: ArrowTable, answer: AnalysisAnswer) {
    let json = #"{\#(members), "timezone": "UTC""#
    let table = try ArrowTable(
      "analysis", json + (list.map { #", "list": "\#($0)"}"# } ?? "}"), of: store)
    let answer = try store.analysis(try AnalysisPlan(json: Data("\(json)}".utf8)))
    #expect(table.head["analysis"] as? String == answer.plan.method.name)
    return (table, answer)
  }

  private func expect(_ table: ArrowTable, _ columns: KeyValuePairs<String, [Cell]>) throws {
    for (name, cells) in columns { #expect(try table[name] == cells, "\(name)") }
  }

  @Test("Trends are those of each type; one without data has a refusal")
  func trends() throws {
    let (table, answer) = try asked(
      #""analysis": "trend", "type": ["restingHeartRate", "bodyMass", "height"], "from": "2001", "by": "day""#
    )
    guard case .trends(let found) = answer.results else { throw QueryError(.notJSON) }
    let lines = found.map { try? $0.get() }
    #expect(lines.map { $0 == nil } == [false, false, true])
    try expect(
      table,
      [
        "slope_per_day": lines.map { .number($0?.slope) },
        "slope_per_year_high": lines.map { .number($0?.slopeIntervalPerYear?.upperBound) },
        "p_value": lines.map { .number($0?.pValue) },
        "from": lines.map { .moment($0?.span.lowerBound) },
        "autocorrelation": lines.map { .number($0?.autocorrelation) },
        "verdict": lines.map { .word($0?.verdict.rawValue) },
      ])
    #expect(try table["slope_unit"].prefix(2) == [.text("count/min/d"), .text("kg/d")])
    // A fiftieth of a kilogram less each day.
    #expect(abs(try #require(lines[1]).slope + 0.02) < 1e-6)
    // The rules of the numbers stand once where there is one type.
    let (one, _) = try asked(
      #""analysis": "trend", "type": "bloodGlucose:mmol/L", "from": "2001", "by": "day""#)
    #expect(one.head["unit"] as? String == "mmol/L" && one.shape == table.shape)
    #expect(one.head["method"] as? String == "arithmetic")
    #expect(one.head["priority"] as? [String] == ["Sensor"])
    #expect(try one["slope_unit"] == [.text("mmol/L/d")])
  }

  @Test("Unusual days are the newest first, typical means have those before as a list")
  func daysAndMeans() throws {
    let (days, unusual) = try asked(#""analysis": "anomalies", "from": "2001-06""#)
    guard case .anomalies(let found) = unusual.results else { throw QueryError(.notJSON) }
    let rows = AnomaliesAnswer.newestFirst(found)
    #expect(rows.contains { $0.subject.name == "stepCount" && $0.finding.score > 3.5 })
    try expect(
      days,
      [
        "start": rows.map { .moment($0.subject.starts[$0.finding.row]) },
        "name": rows.map { .text($0.subject.name) },
        "rest_score": rows.map { .number($0.finding.restScore) },
      ])
    #expect(days.head["tested"] as? Int == AnomaliesAnswer.counts(found).judged)
    let (means, typical) = try asked(
      #""analysis": "typical", "type": ["restingHeartRate", "steps", "sleep"]"#)
    guard case .typical(let results) = typical.results else { throw QueryError(.notJSON) }
    let known = results.compactMap { try? $0.get() }
    #expect(known.count == 2 && results.count == 3)
    let earlier = known.map { typical in
      Cell.list(
        typical.earlier.map { [.moment($0.end), .number($0.mean), .word($0.position?.rawValue)] })
    }
    #expect(try means["earlier"] == earlier)
    #expect((means.head["refusals"] as? [[String: String]])?.map { $0["name"] } == ["sleep"])
  }

  @Test("Levels have their means, components a score of each day, rhythms their ranges")
  func models() throws {
    let (levels, changes) = try asked(
      #""analysis": "changes", "type": ["restingHeartRate", "bodyMass"]"#)
    guard case .changes(let results) = changes.results else { throw QueryError(.notJSON) }
    let found = try results.map { try $0.get() }
    #expect(found[0].changes.sizes.contains { $0 > 8 })
    let shapes = found.flatMap { one in one.changes.segments.map { _ in one.shape.rawValue } }
    try expect(
      levels,
      [
        "level": found.flatMap { one in one.changes.segments.map { Cell.real($0.mean) } },
        "change": found.flatMap { one in [Cell.none] + one.changes.sizes.map { Cell.real($0) } },
        "shape": shapes.map { Cell.text($0) },
      ])
    let (scores, all) = try asked(
      #""analysis": "components", "type": ["restingHeartRate", "heartRateVariabilitySDNN", "steps"]"#,
      list: "scores")
    guard case .components(let found) = all.results else { throw QueryError(.notJSON) }
    for component in 0..<3 {
      let own = try zip(scores["component"], scores["score"])
        .filter { $0.0 == .integer(component + 1) }.map(\.1)
      #expect(own == found.components.scores[component].map { .real($0) })
    }
    let steps = #""analysis": "rhythm", "type": "steps", "by": "day", "periods": [7, 3]"#
    let (rhythms, weeks) = try asked(steps, list: "rhythms")
    guard case .rhythms(let models) = weeks.results else { throw QueryError(.notJSON) }
    let model = try models[0].get().cosinor.get()
    let lows = try model.rhythms.map { try $0.amplitudeInterval(confidence: 0.95)?.lowerBound }
    #expect(lows.allSatisfy { $0 != nil })
    try expect(
      rhythms,
      [
        "period": [.real(7), .real(3)], "amplitude": model.rhythms.map { .real($0.amplitude) },
        "amplitude_low": lows.map(Cell.number),
      ])
    #expect(try asked(steps).table["weekday"][0] == .text("Monday"))
  }

  @Test("Workouts have the minutes of each zone, and days their balance")
  func training() throws {
    let members =
      #""analysis": "training", "from": "2001-06", "weighting": "women", "maximum": 190"#
    let (workouts, answer) = try asked(members)
    guard case .training(let found) = answer.results else { throw QueryError(.notJSON) }
    let loads = found.workouts.map { try? $0.load.get() }
    #expect(loads.contains { $0 == nil } && loads.contains { $0 != nil })
    for zone in 0..<5 {
      #expect(
        try workouts["zone\(zone + 1)_min"] == loads.map { .number($0?.zoneMinutes[zone]) })
    }
    for place in 0..<2 {
      let drops = found.workouts.map { (try? $0.recoveries[place].get())?.drop }
      #expect(
        try workouts["recovery\(place + 1)_drop_count_min"]
          == drops.map { .number($0.map { NumberText.shortest($0) }) })
    }
    let days = try asked(members, list: "days").table
    #expect(days.count == found.days.count && days.count > 60)
    #expect(try days["balance"] == found.days.map { .real($0.balance) })
  }

  @Test("Glucose is in its unit, beats have their deviations, cycles their difference")
  func ofOneType() throws {
    for unit in ["mg/dL", "mmol/L"] {
      let (summary, answer) = try asked(#""analysis": "glucose", "unit": "\#(unit)""#)
      guard case .glucose(let found) = answer.results else { throw QueryError(.notJSON) }
      let statistics = found.summary.statistics
      try expect(
        summary,
        [
          "mean": [.real(NumberText.shortest(found.shown(statistics.mean)))],
          "gmi_percent": [.real(statistics.managementIndicator)],
          "lbgi": [.real(statistics.lowRiskIndex)],
          "targets_in_range": [.truth(try #require(found.summary.targets).inRange)],
        ])
    }
    let (series, all) = try asked(#""analysis": "hrv""#)
    guard case .hrv(let found) = all.results else { throw QueryError(.notJSON) }
    let known = found.series.map { try? $0.variability.get() }
    #expect(known.count > 20 && known.last == .some(nil))
    #expect(try series["refusal"].map { $0 == .none } == known.map { $0 != nil })
    let (weeks, byWeek) = try asked(#""analysis": "hrv", "by": "week""#)
    guard case .hrv(let found) = byWeek.results else { throw QueryError(.notJSON) }
    let medians = try #require(found.intervals).map(\.medians)
    #expect(try weeks["sdnn"] == medians.map { .number($0?.standardDeviation) })
    #expect(
      try asked(#""analysis": "hrv", "by": "week""#, list: "series").table.shape == series.shape)
    let (cycles, lengths) = try asked(#""analysis": "cycles""#)
    guard case .cycles(let found) = lengths.results else { throw QueryError(.notJSON) }
    #expect(try cycles["length"] == [28, 30, 27, 28, nil].map(Cell.whole))
    #expect(try cycles["difference"] == found.cycles.map { .number($0.difference) })
  }

  @Test("Columns have one form where nothing is found")
  func forms() throws {
    let empty = try SampleStore.temporary()
    try empty.save(
      (0..<3).map {
        PersonStore.sample(.stepCount, at: Double($0) * PersonStore.day, for: 60, 5, "count")
      })
    for (json, isEmpty) in [
      (#"{"analysis": "trend", "type": ["steps", "bodyMass"]}"#, false),
      (#"{"analysis": "anomalies", "type": ["steps", "bodyMass"]}"#, true),
      (#"{"analysis": "typical", "type": ["steps", "bodyMass"]}"#, true),
      (#"{"analysis": "changes", "type": ["steps", "bodyMass"]}"#, true),
      (#"{"analysis": "course", "type": ["steps", "bodyMass"]}"#, true),
      (#"{"analysis": "rhythm", "type": ["steps", "bodyMass"]}"#, false),
      (#"{"analysis": "rhythm", "type": ["steps", "bodyMass"], "list": "rhythms"}"#, false),
      (#"{"analysis": "training", "weighting": "men"}"#, true),
      (#"{"analysis": "training", "weighting": "men", "list": "days"}"#, true),
    ] {
      let (full, none) = (
        try ArrowTable("analysis", json, of: store),
        try ArrowTable("analysis", json, of: empty)
      )
      #expect(full.shape == none.shape && full.names.count > 4, "\(json)")
      #expect(none.count == 0 || !isEmpty, "\(json)")
    }
  }

  @Test(
    "What is no plan is refused with the code of a wrong argument",
    arguments: [
      "{}", "[]", "null", #"{"analysis": "trnd"}"#, #"{"analysis": 5}"#,
      #"{"analysis": "trend", "lists": "x"}"#, #"{"analysis": "trend", "list": 5}"#,
      #"{"analysis": "trend", "type": "steps", "list": "days"}"#,
      #"{"analysis": "rhythm", "list": "profile"}"#,
      #"{"analysis": "hrv", "list": "intervals"}"#, #"{"analysis": "trend", "weighting": "men"}"#,
      #"{"analysis": "trend", "type": "steps", "group": "weekday", "by": "day"}"#,
      #"{"analysis": "glucose", "by": "day"}"#, #"{"analysis": "trend", "type": "nothing"}"#,
      #"{"analysis": "training", "source": "Nobody at all"}"#,
    ])
  func refusals(json: String) throws {
    do {
      _ = try ArrowTable("analysis", json, of: store)
      Issue.record("\(json) is answered")
    } catch let refusal as ArrowTable.Refusal {
      #expect(refusal.code == Int32(HKSTATS_USAGE.rawValue), "\(refusal.sentence)")
    }
  }

  @Test("What the numbers of the only type do not carry is an error without a value")
  func failures() throws {
    let empty = try SampleStore.temporary()
    let ofTypes = ["trend", "typical", "changes", "course"]
    for name in ["glucose", "hrv", "pressure", "cycles"] + ofTypes {
      let type = ofTypes.contains(name) ? #", "type": "steps""# : ""
      do {
        _ = try ArrowTable("analysis", #"{"analysis": "\#(name)"\#(type)}"#, of: empty)
        Issue.record("\(name) is answered")
      } catch let refusal as ArrowTable.Refusal {
        #expect(refusal.code == Int32(HKSTATS_FAILED.rawValue), "\(refusal.sentence)")
      }
    }
  }
}
