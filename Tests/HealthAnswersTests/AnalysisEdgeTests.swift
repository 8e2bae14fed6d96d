import Foundation
import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("What analyses leave out and refuse")
struct AnalysisEdgeTests {
  private static let day = 86_400.0
  private static let source = Source(name: "A")

  private func sample(
    _ type: HKQuantityTypeIdentifier, at start: Double, for seconds: Double = 0, _ value: Double,
    _ unit: String
  ) -> NewSample {
    NewSample(
      type: SampleType(type), source: Self.source, start: start, end: start + seconds,
      value: value, label: unit)
  }

  private func results(_ json: String, in store: SampleStore) throws -> AnalysisAnswer.Results {
    try store.analysis(try AnalysisPlan(json: Data(json.utf8))).results
  }

  private func unusual(_ json: String, in store: SampleStore) throws -> AnomaliesAnswer {
    guard case .anomalies(let found) = try results(json, in: store) else {
      throw QueryError(.missingMember("anomalies"))
    }
    return try #require(found.first).get()
  }

  @Test("no type changes what is typical of another, whenever its data end")
  func typicalAlone() throws {
    var random = SplitMix64(seed: 41)
    let store = try SampleStore.temporary()
    let types: [(HKQuantityTypeIdentifier, String, Range<Int>)] = [
      (.bodyMass, "kg", 0..<395), (.restingHeartRate, "count/min", 10..<400),
      (.vo2Max, "mL/min·kg", 0..<396), (.bodyFatPercentage, "%", 0..<150),
    ]
    for (type, unit, days) in types {
      try store.save(
        days.map {
          sample(
            type, at: (Double($0) + 0.5) * Self.day, Double.random(in: 0.5...0.9, using: &random),
            unit)
        })
    }
    func typical(_ names: String) throws -> [TypicalAnswer] {
      let json =
        #"{"analysis": "typical", "within": 200, "days": 5, "timezone": "UTC"\#(names)}"#
      guard case .typical(let found) = try results(json, in: store) else { return [] }
      return try found.map { try $0.get() }
    }
    let all = try typical("")
    #expect(all.count == types.count)
    for together in [
      all, try typical(#", "type": "vo2Max,bodyFatPercentage,bodyMass,restingHeartRate""#),
    ] {
      for found in together {
        let alone = try #require(
          try typical(#", "type": "\#(found.subject.series.name)""#).first)
        #expect(alone.mean == found.mean && alone.range == found.range)
        #expect(alone.dayCount == found.dayCount && alone.position == found.position)
      }
    }
  }

  @Test("a mean of a day of which only the night is there is none of a day")
  func nightIsNoDay() throws {
    let store = try SampleStore.temporary()
    var samples: [NewSample] = []
    for day in 0..<60 {
      for hour in 0..<(day == 59 ? 3 : 24) {
        let isNight = hour < 7
        samples.append(
          sample(
            .heartRate, at: Double(day) * Self.day + Double(hour) * 3_600 + 60,
            (isNight ? 50 : 75) + Double((day * 7 + hour) % 5), "count/min"))
      }
      // One number a day is whole, whenever it is taken.
      samples.append(
        sample(.bodyMass, at: Double(day) * Self.day + 600, 70 + Double(day % 3), "kg"))
    }
    try store.save(samples)
    let rates = try unusual(
      #"{"analysis": "anomalies", "type": "heartRate", "timezone": "UTC"}"#, in: store)
    #expect(rates.subject.partialCount == 1 && rates.findings.isEmpty)
    #expect(rates.judgedCount == rates.period.count - 1)
    let masses = try unusual(
      #"{"analysis": "anomalies", "type": "bodyMass", "timezone": "UTC"}"#, in: store)
    #expect(masses.subject.partialCount == 0 && masses.judgedCount == masses.period.count)
  }

  /// Amounts of an hour each at one rate but for noise, over the clock changes of 2024 in Paris.
  private func amounts(_ more: (Int) -> Double) throws -> (store: SampleStore, first: Double) {
    let store = try SampleStore.temporary()
    let first = try QueryDate("2024-01-01", in: try TimeZone.named("Europe/Paris"), now: 0).instant
    try store.save(
      (0..<(24 * 330)).map { hour in
        sample(
          .basalEnergyBurned, at: first + Double(hour) * 3_600, for: 3_600,
          55 + 0.1 * Double(hour / 24 * 7 % 11) + more(hour), "kcal")
      })
    return (store, first)
  }

  @Test("an amount is not unusual for the length of its day")
  func oddDays() throws {
    let json =
      #"{"analysis": "anomalies", "type": "basalEnergyBurned", "from": "2024-02-15", "timezone": "Europe/Paris"}"#
    let quiet = try unusual(json, in: try amounts { _ in 0 }.store)
    let lengths = quiet.subject.series.starts.indices.map {
      quiet.subject.series.ends[$0] - quiet.subject.series.starts[$0]
    }
    #expect(Set(lengths) == [82_800, 86_400, 90_000])
    #expect(quiet.findings.allSatisfy { lengths[$0.row] == 86_400 })
    // A day of 25 hours on which much more was burned is.
    let loud = try unusual(json, in: try amounts { (7_199..<7_225).contains($0) ? 30 : 0 }.store)
    #expect(loud.findings.contains { lengths[$0.row] == 90_000 && $0.score > 3.5 })
  }

  @Test("what the period cuts of an amount does not count")
  func cutDays() throws {
    let (store, _) = try amounts { _ in 0 }
    for (by, from, to, cut) in [
      ("day", "2024-03-05T18:00", "2024-04-20T06:00", 1), ("day", "2024-03-05", "2024-04-20", 0),
      ("month", "2024-02-05", "2024-07-03", 2), ("month", "2024-02-01", "2024-07-03", 1),
    ] {
      let json =
        #"{"analysis": "trend", "by": "\#(by)", "type": "basalEnergyBurned", "clip": true, "from": "\#(from)", "to": "\#(to)", "timezone": "Europe/Paris"}"#
      guard case .trends(let trends) = try results(json, in: store) else {
        Issue.record("no trends")
        return
      }
      let subject = try trends[0].get().subject
      #expect(subject.partialCount == cut, "\(by) \(from)")
      let known = subject.series.values.compactMap { $0 }
      #expect((known.min() ?? 0) > 0.9 * (known.max() ?? 0), "\(by) \(from)")
    }
  }

  @Test(
    "what no analysis can be made of is refused as a whole",
    arguments: [
      #""analysis": "anomalies", "threshold": 0"#, #""analysis": "anomalies", "baseline": 0"#,
      #""analysis": "typical", "days": 0"#, #""analysis": "typical", "share": 0.7"#,
      #""analysis": "anomalies", "from": "2024-06-01", "to": "2024-05-01""#,
      #""analysis": "trend", "stat": ["max", "min"]"#, #""analysis": "trend", "confidence": 2"#,
      #""analysis": "course", "by": "week""#,
    ])
  func refusals(members: String) throws {
    let (store, _) = try amounts { _ in 0 }
    let type = members.contains("stat") ? "heartRate" : "basalEnergyBurned"
    #expect(throws: QueryError.self) {
      _ = try results(#"{\#(members), "type": "\#(type)", "timezone": "UTC"}"#, in: store)
    }
  }

  @Test("a baseline of less than the days of warming up needs all of its days")
  func shortBaseline() throws {
    let store = try amounts { _ in 0 }.store
    let found = try unusual(
      #"{"analysis": "anomalies", "type": "basalEnergyBurned", "baseline": 3, "timezone": "Europe/Paris"}"#,
      in: store)
    #expect(found.judgedCount > 0)
    var parameters = AnomaliesParameters()
    #expect(parameters.needed == parameters.warmUp)
    parameters.baseline = 3
    #expect(parameters.needed == 3)
  }

  @Test(
    "the chance of a trend is below 5 % where its range of 95 % lacks 0, in every model and unit")
  func chanceAndRange() throws {
    var random = SplitMix64(seed: 47)
    for round in 0..<40 {
      let store = try SampleStore.temporary()
      try store.save(
        (0..<18).map {
          sample(
            .bloodGlucose, at: Double($0) * Self.day + 60,
            // Numbers with ties.
            90 + Double(Int.random(in: 0...4, using: &random)) + 0.25 * Double($0 * (round % 5)),
            "mg/dL")
        })
      for model in ["line", "huber"] {
        var chances: [Double] = []
        for unit in ["mg/dL", "mmol/L"] {
          let json =
            #"{"analysis": "trend", "by": "day", "type": "bloodGlucose:\#(unit)", "model": "\#(model)", "timezone": "UTC"}"#
          guard case .trends(let trends) = try results(json, in: store),
            let trend = try? trends[0].get()
          else { continue }
          let (chance, interval) = (
            try #require(trend.pValue), try #require(trend.slopeInterval)
          )
          #expect((chance < 0.05) == !interval.contains(0), "\(model)")
          chances.append(chance)
        }
        if chances.count == 2 { #expect((chances[0] - chances[1]).magnitude < 1e-9) }
      }
      let chances = try ["mg/dL", "mmol/L"].map { unit -> Double in
        let json =
          #"{"analysis": "trend", "by": "day", "type": "bloodGlucose:\#(unit)", "model": "theilSen", "timezone": "UTC"}"#
        guard case .trends(let trends) = try results(json, in: store) else { return .nan }
        let trend = try trends[0].get()
        let (chance, interval) = (
          try #require(trend.pValue), try #require(trend.slopeInterval)
        )
        #expect((chance < 0.05) == !interval.contains(0))
        return chance
      }
      #expect((chances[0] - chances[1]).magnitude < 1e-9)
    }
  }
}
