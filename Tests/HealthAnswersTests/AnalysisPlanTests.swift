import Foundation
import HealthAnalysis
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthAnswers

@Suite("Plans of analyses")
struct AnalysisPlanTests {
  /// Plans of every method, with each of its parameters: those of `Questions.tsv`, and others.
  private static let forms =
    questions + [
      #"{"analysis": "trend", "type": "steps", "by": "week"}"#,
      #"{"analysis": "trend", "type": ["steps", "sleep.deep"], "by": "day", "confidence": 0.9}"#,
      #"{"analysis": "trend", "type": "bodyMass:lb", "by": "month", "from": "-1y"}"#,
      #"{"analysis": "trend", "type": "bodyMass", "model": "theilSen"}"#,
      #"{"analysis": "anomalies"}"#,
      #"{"analysis": "anomalies", "type": "steps", "baseline": 56, "warmUp": 20, "threshold": 5}"#,
      #"{"analysis": "typical", "days": 30, "atLeast": 10, "within": 730, "share": 0.1}"#,
      #"{"analysis": "changes", "type": ["steps"], "leastLength": 30, "factor": 3}"#,
      #"{"analysis": "correlate", "comparison": "pearson", "lags": 0, "atLeast": 60, "rate": 0.1}"#,
      #"{"analysis": "correlate", "given": ["steps", "sleep.deep"], "adjustment": "benjaminiYekutieli"}"#,
      #"{"analysis": "rhythm"}"#,
      #"{"analysis": "rhythm", "freeDays": ["friday", "saturday"], "from": "-90d"}"#,
      #"{"analysis": "rhythm", "type": "steps", "by": "day", "periods": [7, 3.5], "search": true}"#,
      #"{"analysis": "rhythm", "type": "heartRate", "confidence": 0.9, "periods": 24}"#,
      #"{"analysis": "training"}"#,
      #"{"analysis": "training", "from": "-42d", "weighting": "women", "resting": 55, "maximum": 190}"#,
      #"{"analysis": "glucose"}"#,
      #"{"analysis": "glucose", "days": 30, "hold": 600, "congaHours": 4}"#,
      #"{"analysis": "hrv", "by": "week", "largestChange": 0.3, "shortest": 0.4, "longest": 1.5}"#,
      #"{"analysis": "course", "type": "bodyMass", "model": "smooth", "penalty": 100}"#,
      #"{"analysis": "components", "atLeast": 60}"#,
      #"{"analysis": "pressure", "guideline": "ahaAcc2025", "place": "office"}"#,
      #"{"analysis": "cycles", "gap": 7, "longest": 60, "from": "-1y"}"#,
    ]

  private static let questions: [String] =
    (try? References.table("Questions.tsv").compactMap { row in
      guard row["table"] == "analysis", let json = row["question"], !json.contains(#""list""#)
      else {
        return nil
      }
      return json
    }) ?? []

  private static func members(_ json: Data) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
  }

  @Test("the JSON form is written and read with all that it asks", arguments: forms)
  func codable(json: String) throws {
    let plan = try AnalysisPlan(json: Data(json.utf8))
    let data = try JSONEncoder().encode(plan)
    #expect(try AnalysisPlan(json: data) == plan)
    let given = try Self.members(Data(json.utf8))
    #expect(Set(try Self.members(data).keys) == Set(given.keys))
    #expect(plan.question.types.isEmpty == (given["type"] == nil))
  }

  @Test("every method and every parameter is written and read")
  func completeness() throws {
    for method in AnalysisMethod.all {
      let forms = try Self.forms.map { try Self.members(Data($0.utf8)) }
        .filter { $0["analysis"] as? String == method.name }
      #expect(!forms.isEmpty, "\(method.name)")
      let missing = method.names.filter { name in !forms.contains { $0[name] != nil } }
      #expect(missing.isEmpty, "\(method.name)")
    }
  }

  @Test("A method, its case and its parameters have one name")
  func names() {
    for parameters in AnalysisMethod.all {
      #expect("\(parameters)".lowercased() == parameters.name + "parameters")
      let label = Mirror(reflecting: parameters.init().method).children.first?.label
      #expect(label == parameters.name)
    }
  }

  /// Numbers at the ends of a range that it has, and the nearest beyond them that it lacks; those of
  /// a whole number are a whole one apart.
  private static func edges(
    of range: ParameterRange, isWhole: Bool
  ) -> (inside: [Double], outside: [Double]) {
    func above(_ number: Double) -> Double { isWhole ? number + 1 : number.nextUp }
    func below(_ number: Double) -> Double { isWhole ? number - 1 : number.nextDown }
    switch range {
    case .any: return ([], [])
    case .from(let least): return ([least, above(least)], [below(least)])
    case .above(let bound): return ([above(bound)], [bound, below(bound)])
    case .within(let range):
      let (low, high) = (range.lowerBound, range.upperBound)
      return ([low, above(low), below(high), high], [below(low), above(high)])
    case .between(let low, let high):
      return ([above(low), below(high)], [below(low), low, high, above(high)])
    }
  }

  @Test(
    "every number of a plan has a range, whose edges are read, and what lies beyond them is refused",
    arguments: AnalysisMethod.all.map { $0.init().method })
  func ranges(method: AnalysisMethod) throws {
    for facts in type(of: method.parameters).facts {
      guard [.number, .count, .numbers].contains(facts.form) else {
        #expect(facts.range == .any)
        continue
      }
      #expect(facts.range != .any, "\(facts.name)")
      let (inside, outside) = Self.edges(of: facts.range, isWhole: facts.form == .count)
      func plan(_ number: Double) throws -> AnalysisPlan {
        let text = facts.form == .count ? "\(Int(number))" : "\(number)"
        let json = #"{"analysis": "\#(method.name)", "\#(facts.name)": \#(text)}"#
        return try AnalysisPlan(json: Data(json.utf8))
      }
      for number in inside { #expect(throws: Never.self) { _ = try plan(number) } }
      for number in outside {
        let error = #expect(throws: QueryError.self) { _ = try plan(number) }
        guard case .analysis(let refusal) = error?.reason,
          case .parameter(name: facts.name, _) = refusal.reason
        else {
          Issue.record("\(facts.name) \(number): \(String(describing: error))")
          continue
        }
      }
    }
  }

  @Test("A plan that Swift makes is refused as that of JSON is, before anything is read")
  func rangesOfSwift() throws {
    var parameters = CorrelateParameters()
    parameters.lags = 367
    let plan = AnalysisPlan(.correlate(parameters), of: try Question(types: ["steps"]))
    #expect(
      throws: QueryError(
        .analysis(AnalysisError(.parameter(name: "lags", range: "from 0 to 366"))))
    ) { try SampleStore.temporary().analysis(plan) }
    var rhythm = RhythmParameters()
    rhythm.periods = [24, .nan]
    #expect(throws: QueryError.self) {
      try SampleStore.temporary().analysis(
        AnalysisPlan(.rhythm(rhythm), of: Question(types: ["steps"])))
    }
  }

  @Test("A parameter has one name and one place, says what it is about, and is read back")
  func facts() throws {
    for method in AnalysisMethod.all {
      let facts = method.facts
      #expect(Set(facts.map(\.name)).count == facts.count && !method.about.isEmpty)
      for fact in facts {
        #expect(fact.about.hasSuffix(".") && fact.about.count > 15, "\(method.name) \(fact.name)")
        // Names of types are no list of known words.
        let isOfWords = [.word, .words].contains(fact.form) && fact.name != "given"
        #expect(fact.words.isEmpty == !isOfWords)
        if case .word(let word) = fact.standard { #expect(fact.words.contains(word)) }
      }
    }
    #expect(CorrelateParameters.facts(of: \.lags)?.name == "lags")
    #expect(CourseParameters.facts(of: \.penalty)?.standard == ParameterValue.none)
  }

  @Test(
    "what no plan has is refused by its name",
    arguments: [
      (#"{"type": "steps"}"#, "missingMember"),
      (#"{"analysis": "trnd", "type": "steps"}"#, "unknownWord"),
      (#"{"analysis": "correlate", "lagg": 1}"#, "unknownWord"),
      (#"{"analysis": "trend", "type": "steps", "lag": 1}"#, "unknownWord"),
      (#"{"analysis": "correlate", "lags": "x"}"#, "wrongMember"),
      (#"{"analysis": "correlate", "lags": 1.5}"#, "wrongMember"),
      (#"{"analysis": "trend", "type": "steps", "model": "curve"}"#, "unknownWord"),
      (#"{"analysis": "trend", "type": "steps", "by": "day", "top": 3}"#, "membersExclude"),
      (#"{"analysis": "trend", "type": "steps", "baseline": 3}"#, "memberOfAnother"),
      (#"{"analysis": "trend", "type": "steps", "bySource": true}"#, "memberOfAnother"),
      (#"{"analysis": "glucose", "unit": "mmol/L", "explain": true}"#, "memberOfAnother"),
      (#"{"analysis": "trend", "type": "heartRate", "during": "sleep"}"#, "memberOfAnother"),
      (#"{"analysis": "correlate", "comparison": "kendall"}"#, "unknownWord"),
      (#"{"analysis": "correlate", "adjustment": "holm"}"#, "unknownWord"),
      (#"{"analysis": "correlate", "given": 3}"#, "wrongMember"),
      (#"[]"#, "notJSON"), (#"{"#, "notJSON"),
    ])
  func refusals(json: String, code: String) {
    let error = #expect(throws: QueryError.self) { _ = try AnalysisPlan(json: Data(json.utf8)) }
    #expect(error?.reasonCode == code)
    #expect(error?.description.contains("lag") ?? false || !json.contains("lagg"))
  }

  private static let day = 86_400.0

  /// A store with a body mass a day, and with steps of an hour each.
  private func store(_ masses: [Double?], steps: [Double] = []) throws -> SampleStore {
    let store = try SampleStore.temporary()
    let scale = Source(name: "Scale")
    try store.save(
      masses.indices.compactMap { row in
        masses[row].map { value in
          NewSample(
            type: SampleType(.bodyMass), source: scale, start: Double(row) * Self.day + 3_600,
            end: Double(row) * Self.day + 3_600, value: value, label: "kg")
        }
      })
    try store.save(
      steps.indices.map { row in
        NewSample(
          type: SampleType(.stepCount), source: scale, start: Double(row) * Self.day + 3_600,
          end: Double(row) * Self.day + 7_200, value: steps[row], label: "count")
      })
    return store
  }

  private func trends(_ json: String, in store: SampleStore) throws -> [TrendAnswer] {
    let answer = try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
    guard case .trends(let trends) = answer.results else { return [] }
    return try trends.map { try $0.get() }
  }

  @Test("a trend is the line through the days that have data, with gaps as long as they are")
  func trend() throws {
    var random = SplitMix64(seed: 11)
    let masses: [Double?] = (0..<61).map { (row: Int) -> Double? in
      let noise = Double.random(in: -1...1, using: &random)
      return row % 7 == 3 ? nil : 70 + 0.1 * Double(row) + noise
    }
    let store = try store(masses)
    let trend = try #require(
      try trends(
        #"{"analysis": "trend", "type": "bodyMass", "by": "day", "timezone": "UTC"}"#, in: store
      ).first)
    let known = masses.indices.filter { masses[$0] != nil }
    let x = known.map { Double($0) }
    let y = known.compactMap { masses[$0] }
    let line = try LinearTrend(x: x, y: y)
    let sure = try LinearTrend.dependentSlope(x: x, y: y, rows: known)
    #expect((trend.slope - line.slope).magnitude < 1e-12 && trend.count == known.count)
    let (interval, expected) = (try #require(trend.slopeInterval), try sure.interval())
    #expect((interval.upperBound - expected.upperBound).magnitude < 1e-12)
    #expect((interval.lowerBound - expected.lowerBound).magnitude < 1e-12)
    #expect((try #require(trend.pValue) - sure.pValue).magnitude < 1e-9)
    #expect(trend.autocorrelation != nil && trend.verdict == .rising)
    #expect(trend.subject.emptyCount == 61 - known.count && trend.subject.partialCount == 0)
    #expect((trend.value(at: 10.5 * Self.day) - line.value(at: 10)).magnitude < 1e-9)
  }

  @Test("the robust models are those of the library", arguments: ["theilSen", "huber"])
  func robustTrend(model: String) throws {
    var random = SplitMix64(seed: 12)
    var masses = (0..<40).map { row in
      70 + 0.1 * Double(row) + Double.random(in: -0.5...0.5, using: &random)
    }
    masses[20] = 700
    let trend = try #require(
      try trends(
        #"{"analysis": "trend", "type": "bodyMass", "by": "day", "timezone": "UTC", "model": "\#(model)"}"#,
        in: try store(masses)
      ).first)
    let x = masses.indices.map { Double($0) }
    let slope =
      model == "huber"
      ? try HuberTrend(x: x, y: masses).slope : try TheilSenTrend(x: x, y: masses).slope
    #expect((trend.slope - slope).magnitude < 1e-9 && (slope - 0.1).magnitude < 0.02)
    #expect(try #require(trend.slopeInterval).contains(0.1) && trend.rSquared == nil)
    #expect(try #require(trend.pValue) < 0.001 && trend.verdict == .rising)
  }

  @Test("of amounts the days in which the data begin and end do not count")
  func partialDays() throws {
    let store = try store([], steps: [50, 10, 20, 30, 40, 3])
    let trend = try #require(
      try trends(
        #"{"analysis": "trend", "type": "steps", "by": "day", "timezone": "UTC"}"#, in: store
      ).first)
    #expect((trend.slope - 10).magnitude < 1e-12)
    #expect(trend.count == 4 && trend.subject.partialCount == 2)
  }

  @Test("of several types one that is refused leaves the others")
  func severalTypes() throws {
    let store = try store([70, 71, 72, 73], steps: [1, 2])
    let plan = try AnalysisPlan(
      json: Data(
        #"{"analysis": "trend", "type": "bodyMass,steps", "by": "day", "timezone": "UTC"}"#.utf8))
    guard case .trends(let trends) = try store.analysis(plan).results else {
      Issue.record("no trends")
      return
    }
    #expect((try trends[0].get().slope - 1).magnitude < 1e-12)
    #expect(throws: AnalysisError.self) { _ = try trends[1].get() }
  }
}
