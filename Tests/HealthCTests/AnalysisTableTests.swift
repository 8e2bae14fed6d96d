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

  @Test("Trends are those of each type; one without data has a refusal")
  func trends() throws {
    let (table, answer) = try asked(
      #""analysis": "trend", "type": ["restingHeartRate", "bodyMass", "height"], "from": "2001", "by": "day""#
    )
    guard case .trends(let found) = answer.findings else { throw QueryError(.notJSON) }
    let lines = found.map { try? $0.get() }
    #expect(lines.map { $0 == nil } == [false, false, true])
    #expect(try table["slope_per_day"] == lines.map { .number($0?.slope) })
    #expect(
      try table["slope_per_year_high"]
        == lines.map { .number($0?.slopeIntervalPerYear?.upperBound) })
    #expect(try table["p_value"] == lines.map { .number($0?.pValue) })
    #expect(try table["r_squared"] == lines.map { .number($0?.rSquared) })
    #expect(try table["from"] == lines.map { .moment($0?.span.lowerBound) })
    #expect(try table["autocorrelation"] == lines.map { .number($0?.autocorrelation) })
    #expect(try table["verdict"] == lines.map { .word($0?.verdict.rawValue) })
    #expect(try table["slope_unit"].prefix(2) == [.text("count/min/d"), .text("kg/d")])
    let refusals = try table["refusal"]
    #expect(refusals[0] == .none && refusals[1] == .none && refusals[2] != .none)
    guard case .real(let slope) = try table["slope_per_day"][1] else {
      Issue.record("no slope")
      return
    }
    // A fiftieth of a kilogram less each day.
    #expect(abs(slope + 0.02) < 1e-6)
    #expect(throws: ArrowTable.Refusal.self) {
      try asked(#""analysis": "trend", "type": "height", "from": "2001""#)
    }
    // The rules of the numbers stand once where there is one type.
    let (one, _) = try asked(
      #""analysis": "trend", "type": "bloodGlucose:mmol/L", "from": "2001", "by": "day""#)
    #expect(one.head["unit"] as? String == "mmol/L" && one.shape == table.shape)
    #expect(one.head["method"] as? String == "arithmetic")
    #expect(one.head["priority"] as? [String] == ["Sensor"])
    #expect(try one["unit"] == [.text("mmol/L")] && one["slope_unit"] == [.text("mmol/L/d")])
  }

  @Test("Unusual days are those of the answer, the newest first")
  func unusual() throws {
    let (table, answer) = try asked(#""analysis": "anomalies", "from": "2001-06""#)
    guard case .unusual(let found) = answer.findings else { throw QueryError(.notJSON) }
    let rows = UnusualAnswer.newestFirst(found)
    #expect(rows.contains { $0.subject.name == "stepCount" && $0.finding.score > 3.5 })
    #expect(try table["start"] == rows.map { .moment($0.subject.starts[$0.finding.row]) })
    #expect(try table["name"] == rows.map { .text($0.subject.name) })
    #expect(try table["value"] == rows.map { .real($0.finding.value) })
    #expect(try table["score"] == rows.map { .real($0.finding.score) })
    #expect(try table["rest_score"] == rows.map { .number($0.finding.restScore) })
    #expect(table.head["tested"] as? Int == UnusualAnswer.counts(found).judged)
  }

  @Test("Typical means have their range, and the means before as a list")
  func typical() throws {
    let (table, answer) = try asked(
      #""analysis": "typical", "type": ["restingHeartRate", "steps", "sleep"]"#)
    guard case .typical(let results) = answer.findings else { throw QueryError(.notJSON) }
    let found = results.compactMap { try? $0.get() }
    #expect(found.count == 2 && results.count == 3)
    #expect(try table["mean"] == found.map { .real($0.mean) })
    #expect(try table["low"] == found.map { .real($0.range.low) })
    #expect(try table["position"] == found.map { .text($0.position.rawValue) })
    #expect(
      try table["earlier"]
        == found.map { typical in
          .list(
            typical.earlier.map {
              [.moment($0.end), .number($0.mean), .word($0.position?.rawValue)]
            })
        })
    #expect((table.head["refusals"] as? [[String: String]])?.map { $0["name"] } == ["sleep"])
  }

  @Test("Levels and courses are those of each type")
  func changesAndCourses() throws {
    let (levels, changes) = try asked(
      #""analysis": "changes", "type": ["restingHeartRate", "bodyMass"]"#)
    guard case .changes(let results) = changes.findings else { throw QueryError(.notJSON) }
    let found = try results.map { try $0.get() }
    #expect(found[0].changes.sizes.contains { $0 > 8 })
    #expect(
      try levels["level"] == found.flatMap { $0.changes.segments.map { .real($0.mean) } })
    #expect(
      try levels["change"]
        == found.flatMap { [Cell.none] + $0.changes.sizes.map { .real($0) } })
    #expect(
      try levels["penalty"]
        == found.flatMap { one in
          one.changes.segments.map { _ in .number(one.changes.penalty(factor: 2)) }
        })
    #expect(
      try levels["shape"]
        == found.flatMap { one in one.changes.segments.map { _ in .word(one.shape.rawValue) } })
    let (intervals, courses) = try asked(#""analysis": "course", "type": "restingHeartRate""#)
    guard case .courses(let parts) = courses.findings else { throw QueryError(.notJSON) }
    let course = try parts[0].get()
    let series = course.subject.series
    #expect(intervals.count == series.count && series.count == PersonStore.days)
    #expect(try intervals["value"] == series.printed.map(Cell.number))
    #expect(
      try intervals["course"] == course.level.map { .number($0.map(series.printing)) })
    #expect(
      try intervals["season"]
        == course.seasons[0].values.map { .number($0.map(series.printing)) })
  }

  @Test("Relations that hold, and each pair, are those of the answer")
  func relations() throws {
    let members = #"""
      "analysis": "correlate",
      "type": ["restingHeartRate", "heartRateVariabilitySDNN", "steps", "respiratoryRate"]
      """#
    let (held, answer) = try asked(members)
    let pairs = try asked(members, list: "pairs").table
    let tests = try asked(members, list: "tests").table
    guard case .relations(let found) = answer.findings else { throw QueryError(.notJSON) }
    #expect(!found.relations.held.isEmpty)
    for (table, relations) in [
      (held, found.relations.held), (pairs, found.relations.bestOfPairs),
      (tests, found.relations.tested),
    ] {
      #expect(try table["lag"] == relations.map { .integer($0.lag) })
      #expect(
        try table["coefficient"] == relations.map { .real($0.correlation.coefficient) })
      #expect(try table["q_value"] == relations.map { .real($0.adjustedPValue) })
      #expect(
        try table["first"]
          == relations.map { .text(found.subjects[$0.first].series.name) })
    }
    #expect(try held["holds"].allSatisfy { $0 == .truth(true) })
    #expect(held.shape == pairs.shape && pairs.count == 6 && held.count < 6)
    // Each at seven lags.
    #expect(tests.shape == pairs.shape && tests.count == 42)
  }

  @Test("Components have a weight of each type and a score of each day")
  func components() throws {
    let members =
      #""analysis": "components", "type": ["restingHeartRate", "heartRateVariabilitySDNN", "steps"]"#
    let (weights, answer) = try asked(members)
    let scores = try asked(members, list: "scores").table
    guard case .components(let found) = answer.findings else { throw QueryError(.notJSON) }
    let components = found.components
    #expect(weights.count == 9)
    #expect(try weights["weight"] == components.loadings.joined().map { .real($0) })
    #expect(
      try weights["share"] == components.shares.flatMap { [Cell](repeating: .real($0), count: 3) })
    #expect(scores.count == 3 * components.rows.count)
    for component in 0..<3 {
      let own = try zip(scores["component"], scores["score"])
        .filter { $0.0 == .integer(component + 1) }.map(\.1)
      #expect(own == components.scores[component].map { .real($0) })
    }
  }

  @Test("The rhythm of a type has a profile and a model")
  func rhythm() throws {
    let members = #""analysis": "rhythm", "type": "heartRate", "from": "2001-01-01""#
    let (profile, answer) = try asked(members)
    guard case .rhythms(let results) = answer.findings else { throw QueryError(.notJSON) }
    let found = try results[0].get()
    let series = found.subject.series
    #expect(try profile["hour"] == (0..<24).map { .integer($0) })
    #expect(
      try profile["median"]
        == found.profile.map { .number($0.median.map(series.printing)) })
    #expect(try profile["count"] == found.profile.map { .integer($0.count) })
    let steps = #""analysis": "rhythm", "type": "steps", "by": "day", "periods": [7, 3]"#
    let (rhythms, weeks) = try asked(steps, list: "rhythms")
    guard case .rhythms(let models) = weeks.findings else { throw QueryError(.notJSON) }
    let model = try models[0].get().cosinor.get()
    #expect(try rhythms["period"] == [.real(7), .real(3)])
    #expect(try rhythms["amplitude"] == model.rhythms.map { .real($0.amplitude) })
    let lows = try model.rhythms.map {
      try $0.amplitudeInterval(confidence: 0.95)?.lowerBound
    }
    #expect(try rhythms["amplitude_low"] == lows.map(Cell.number) && lows.allSatisfy { $0 != nil })
    let mesor = try #require(rhythms.head["mesor"] as? Double)
    #expect(abs(mesor - model.mesor) < 1e-9)
    #expect(try asked(steps).table["weekday"][0] == .text("Monday"))
  }

  @Test("Rest, activity and sleep are one row, and their mean day has hours")
  func restAndSleep() throws {
    let (numbers, answer) = try asked(#""analysis": "rhythm""#)
    guard case .restAndSleep(let found) = answer.findings else { throw QueryError(.notJSON) }
    let (activity, sleep) = (try found.activity.get(), try found.sleep.get())
    #expect(numbers.count == 1)
    #expect(
      try numbers["interdaily_stability"] == [.real(activity.measures.interdailyStability)])
    #expect(try numbers["nights"] == [.integer(sleep.nightCount)])
    #expect(try numbers["regularity_index"] == [.real(sleep.regularity.get().value)])
    #expect(
      try numbers["bedtime"]
        == [.word(sleep.timing.onset.mean.map { SleepAverages.clockText($0 * 3600) })])
    let hours = try asked(#""analysis": "rhythm""#, list: "hours").table
    #expect(try hours["mean"] == activity.measures.meanDay.map { .real($0) })
  }

  @Test("Workouts have loads, and days fitness and fatigue")
  func training() throws {
    let members =
      #""analysis": "training", "from": "2001-06", "weighting": "women", "maximum": 190"#
    let (workouts, answer) = try asked(members)
    guard case .training(let found) = answer.findings else { throw QueryError(.notJSON) }
    let loads = found.workouts.map { try? $0.load.get() }
    #expect(loads.contains { $0 == nil } && loads.contains { $0 != nil })
    #expect(try workouts["load"] == loads.map { .number($0?.impulse) })
    #expect(try workouts["zone3_min"] == loads.map { .number($0?.zoneMinutes[2]) })
    #expect(
      try workouts["refusal"].map { $0 == .none } == loads.map { $0 != nil })
    #expect(
      try workouts["recovery1_drop_count_min"]
        == found.workouts.map {
          .number((try? $0.recoveries[0].get()).map { NumberText.shortest($0.drop) })
        })
    let days = try asked(members, list: "days").table
    #expect(days.count == found.days.count && days.count > 60)
    #expect(try days["fitness"] == found.days.map { .real($0.fitness) })
    #expect(try days["balance"] == found.days.map { .real($0.balance) })
    #expect(workouts.head["maximumBasis"] as? String == "given")
  }

  @Test("Glucose has one row, and its hours", arguments: ["mg/dL", "mmol/L"])
  func glucose(unit: String) throws {
    let members = #""analysis": "glucose", "unit": "\#(unit)""#
    let (summary, answer) = try asked(members)
    guard case .glucose(let found) = answer.findings else { throw QueryError(.notJSON) }
    let statistics = found.report.statistics
    #expect(summary.count == 1)
    #expect(try summary["mean"] == [.real(NumberText.shortest(found.shown(statistics.mean)))])
    #expect(try summary["in_range"] == [.real(found.report.rangesByTime.inRange)])
    #expect(try summary["gmi_percent"] == [.real(statistics.managementIndicator)])
    #expect(
      try summary["targets_in_range"] == [.truth(try #require(found.report.targets).inRange)])
    let hours = try asked(members, list: "hours").table
    #expect(try hours["hour"] == (0..<24).map { .integer($0) })
    #expect(
      try hours["median"]
        == found.profile.hours.map { .real(NumberText.shortest(found.shown($0.median))) })
  }

  @Test("Heartbeats have a row for each series, or interval")
  func variability() throws {
    let (series, answer) = try asked(#""analysis": "hrv""#)
    guard case .variability(let found) = answer.findings else { throw QueryError(.notJSON) }
    let known = found.series.map { try? $0.variability.get() }
    #expect(known.count > 20 && known.last == .some(nil))
    #expect(try series["sdnn"] == known.map { .number($0?.standardDeviation) })
    #expect(try series["rmssd"] == known.map { .number($0?.rootMeanSquareOfDifferences) })
    #expect(try series["refusal"].map { $0 == .none } == known.map { $0 != nil })
    let (weeks, byWeek) = try asked(#""analysis": "hrv", "by": "week""#)
    guard case .variability(let found) = byWeek.findings else { throw QueryError(.notJSON) }
    let medians = try #require(found.intervals).map(\.medians)
    #expect(try weeks["sdnn"] == medians.map { .number($0?.standardDeviation) })
    #expect(
      try asked(#""analysis": "hrv", "by": "week""#, list: "series").table.shape == series.shape)
  }

  @Test("Blood pressure has classes, and cycles have lengths")
  func pressureAndCycles() throws {
    let (classes, pressure) = try asked(#""analysis": "pressure""#)
    guard case .pressure(let found) = pressure.findings else { throw QueryError(.notJSON) }
    #expect(try classes["count"] == found.classes.map { .integer($0.count) })
    #expect(try classes["class"] == found.classes.map { .text($0.category.rawValue) })
    #expect((classes.head["all"] as? [String: Any])?["systolic"] as? Double == found.all.systolic)
    let (cycles, statistics) = try asked(#""analysis": "cycles""#)
    guard case .cycles(let found) = statistics.findings else { throw QueryError(.notJSON) }
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
