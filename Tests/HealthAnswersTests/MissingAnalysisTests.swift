import Foundation
import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("Missing days of a store by weekday")
struct MissingAnalysisTests {
  private static let day = 86_400.0
  private static let types = [
    SampleType(.stepCount), SampleType(.bodyMass), SampleType(.restingHeartRate),
  ]
  private let store: SampleStore

  init() throws { store = try SampleStore.temporary() }

  /// Saves a sample at noon of each day, counted from 2001-01-01, a Monday.
  private func save(_ days: some Sequence<Int>, of type: SampleType, unit: String) throws {
    try store.save(
      days.map { day in
        NewSample(
          type: type, source: Source(name: "Watch"), start: (Double(day) + 0.5) * Self.day,
          end: (Double(day) + 0.5) * Self.day, value: 60, label: unit)
      })
  }

  private func answer(
    _ json: String
  ) throws -> [Result<MissingAnswer, AnalysisError>] {
    let answer = try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
    guard case .missing(let found) = answer.results else { throw QueryError(.notJSON) }
    return found
  }

  /// A question in a zone, of some types.
  private func question(_ types: String, in zone: String = "UTC", rate: Double = 0.05) -> String {
    #"{"analysis": "missing", "type": \#(types), "from": "2001-01-01", "timezone": "\#(zone)", "#
      + #""rate": \#(rate)}"#
  }

  @Test("A watch that stays at home on Sundays is found, in zones east and west as well")
  func sundays() throws {
    let days = (0..<120).filter { $0 % 7 != 6 }
    try save(days, of: SampleType(.stepCount), unit: "count")
    for zone in ["UTC", "America/New_York", "Europe/Berlin", "Asia/Tokyo"] {
      let found = try answer(question(#""steps""#, in: zone))
      let missing = try #require(try found.first?.get())
      // The first and the last day have data, and could not be missing.
      #expect(missing.days.all == (0..<7).map { weekday in (1..<119).count { $0 % 7 == weekday } })
      #expect(missing.days.missing == [0, 0, 0, 0, 0, 0, 17])
      #expect(missing.holds)
      #expect(try #require(missing.adjustedPValue) < 1e-12)
    }
  }

  @Test("Without missing days nothing is said; a type of few days has a refusal of its own")
  func edges() throws {
    try save(0..<60, of: SampleType(.stepCount), unit: "count")
    try save(0..<10, of: SampleType(.bodyMass), unit: "kg")
    let found = try answer(question(#"["steps", "bodyMass"]"#))
    let steps = try found[0].get()
    #expect(steps.days.missingCount == 0 && steps.days.count == 58)
    #expect(steps.test == nil && steps.adjustedPValue == nil && !steps.holds)
    #expect(throws: AnalysisError(.spanTooShort(rows: 8, needed: 14))) { try found[1].get() }
    for json in [
      #"{"analysis": "missing", "type": "steps", "by": "week"}"#,
      #"{"analysis": "missing", "type": "steps", "rate": 0}"#,
      #"{"analysis": "missing", "type": "steps", "lags": 2}"#,
    ] {
      #expect(throws: QueryError.self, "\(json)") { try answer(json) }
    }
  }

  @Test("The test of each type is that of its days, and what holds goes by all types")
  func severalTypes() throws {
    var random = SplitMix64(seed: 31)
    let units = ["count", "kg", "count/min"]
    let sundays = (0..<90).filter { $0 % 7 != 6 || $0 % 14 == 6 }
    let others = (0..<2).map { _ in
      [0] + (1..<89).filter { _ in Double.random(in: 0..<1, using: &random) < 0.7 } + [89]
    }
    let days = [sundays] + others
    for ((type, unit), days) in zip(zip(Self.types, units), days) {
      try save(days, of: type, unit: unit)
    }
    let names = #"["steps", "bodyMass", "restingHeartRate"]"#
    let found = try answer(question(names)).map { try $0.get() }
    var pValues: [Double] = []
    for (missing, days) in zip(found, days) {
      let values = (0..<90).map { days.contains($0) ? 1.0 : nil }
      let alone = try RegularSeries(values).missingByWeekday(firstWeekday: 0)
      #expect(missing.test == alone)
      pValues.append(alone.pValue)
    }
    let adjusted = try MultipleTests.benjaminiHochberg.adjusted(pValues)
    #expect(found.map(\.adjustedPValue) == adjusted)
    #expect(found.map(\.holds) == adjusted.map { $0 <= 0.05 })
    let strict = try answer(question(names, rate: 1e-9)).map { try $0.get() }
    #expect(strict.allSatisfy { !$0.holds })
  }

  @Test("Of stores whose days are missing by chance, 1 in 20 names a type")
  func falseAlarms() throws {
    #if DEBUG
    let count = 60
    #else
    let count = Soak.isLong ? 1_000 : 200
    #endif
    var random = SplitMix64(seed: 77)
    var rate = VerdictRate("missing in a store", "three types, 0.3 missing", rows: 120)
    for _ in 0..<count {
      let store = try SampleStore.temporary()
      for (type, unit) in zip(Self.types, ["count", "kg", "count/min"]) {
        try store.save(
          (0..<120).filter { _ in Double.random(in: 0..<1, using: &random) < 0.7 }.map { day in
            NewSample(
              type: type, source: Source(name: "Watch"), start: (Double(day) + 0.5) * Self.day,
              end: (Double(day) + 0.5) * Self.day, value: 60, label: unit)
          })
      }
      let plan = try AnalysisPlan(
        json: Data(#"{"analysis": "missing", "from": "2001-01-01", "timezone": "UTC"}"#.utf8))
      guard case .missing(let found) = try store.analysis(plan).results else { continue }
      let tests = found.compactMap { try? $0.get() }
      rate.addNull(
        tests.contains { $0.holds },
        before: tests.contains { ($0.test?.pValue ?? 1) < 0.05 })
    }
    rate.report()
    #expect(rate.keeps(percent: 5), "\(rate.line)")
  }
}
