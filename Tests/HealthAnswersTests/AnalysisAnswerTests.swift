import Foundation
import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("Answers of analyses")
struct AnalysisAnswerTests {
  private static let day = 86_400.0

  /// Saves one sample a day from 2001-01-01 on; `nil` is a day without.
  private func save(
    _ values: [Double?], of type: HKQuantityTypeIdentifier, in unit: String, to store: SampleStore,
    from first: Int = 0, source: String = "A", hours: Double = 0
  ) throws {
    try store.save(
      values.indices.compactMap { row in
        values[row].map { value in
          let start = Double(first + row) * Self.day + 12 * 3_600
          return NewSample(
            type: SampleType(type), source: Source(name: source), start: start,
            end: start + hours * 3_600, value: value, label: unit)
        }
      })
  }

  private func analysis(_ json: String, in store: SampleStore) throws -> AnalysisAnswer {
    try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
  }

  private func noise(_ count: Int, seed: UInt64) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      (0..<12).reduce(-6.0) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
    }
  }

  // MARK: - Trends

  @Test("a slope a year is that of 365.2425 days, and the fan turns around the middle of the line")
  func fan() throws {
    let store = try SampleStore.temporary()
    try save(noise(60, seed: 9).map { 70 + $0 }, of: .bodyMass, in: "kg", to: store)
    let json = #"{"analysis": "trend", "type": "bodyMass", "by": "day", "timezone": "UTC"}"#
    guard case .trends(let found) = try analysis(json, in: store).results else {
      throw QueryError(.notJSON)
    }
    let trend = try #require(found.first).get()
    #expect(trend.slopePerYear == trend.slope * 365.2425)
    #expect(try #require(trend.slopeIntervalPerYear).contains(trend.slopePerYear))
    // Days without gaps: half way between the first and the last.
    let half = (trend.span.upperBound - trend.span.lowerBound) / 2
    #expect((trend.centre - trend.span.lowerBound - half).magnitude < 1e-3)
    let interval = try #require(trend.slopeInterval)
    let width = interval.upperBound - interval.lowerBound
    for (instant, days) in [(trend.span.lowerBound, 29.5), (trend.span.upperBound, 29.5)] {
      let (low, high) = try #require(trend.fan(at: instant))
      #expect(low < trend.value(at: instant) && trend.value(at: instant) < high)
      #expect((high - low - days * width).magnitude < 1e-9)
    }
    let (low, high) = try #require(trend.fan(at: trend.centre))
    #expect(low == high && (low - trend.value(at: trend.centre)).magnitude < 1e-12)
  }

  // MARK: - Unusual

  private func unusual(_ json: String, in store: SampleStore) throws -> AnomaliesAnswer {
    guard case .anomalies(let found) = try analysis(json, in: store).results else {
      throw QueryError(.notJSON)
    }
    return try #require(found.first).get()
  }

  @Test("a day far from the 28 before is unusual, with what it is judged by")
  func unusualDay() throws {
    let store = try SampleStore.temporary()
    var values = noise(100, seed: 1).map { 60 + $0 }
    values[95] = 75
    try save(values, of: .restingHeartRate, in: "count/min", to: store)
    let json =
      #"{"analysis": "anomalies", "type": "restingHeartRate", "timezone": "UTC", "from": "2001-03-28"}"#
    let found = try unusual(json, in: store)
    #expect(found.findings.map(\.value) == [75])
    let finding = try #require(found.findings.first)
    let before = Array(values[67..<95]).sorted()
    let median = (before[13] + before[14]) / 2
    let distances = before.map { abs($0 - median) }.sorted()
    let deviation = (distances[13] + distances[14]) / 2
    #expect((finding.median - median).magnitude < 1e-9 && finding.baselineCount == 28)
    #expect((finding.score - 0.6745 * (75 - median) / deviation).magnitude < 1e-9)
    #expect(found.subject.series.starts[finding.row] == 95 * Self.day)
    #expect(found.isDecomposed && found.judgedCount == 14 && found.unjudgedCount == 0)
    // Without dates the last seven days of the data.
    let week = try unusual(
      #"{"analysis": "anomalies", "type": "restingHeartRate", "timezone": "UTC"}"#, in: store)
    #expect(week.findings.map(\.value) == [75] && week.judgedCount == 7)
  }

  @Test("a day of the week that is always high is not unusual; the same number on another day is")
  func courseOfTheWeek() throws {
    let store = try SampleStore.temporary()
    var values = noise(140, seed: 2).enumerated().map { row, noise in
      (row % 7 == 6 ? 90 : 30) + noise
    }
    values[136] = 91
    try save(values, of: .appleExerciseTime, in: "min", to: store, hours: 1)
    let found = try unusual(
      #"{"analysis": "anomalies", "type": "appleExerciseTime", "timezone": "UTC", "from": "2001-03-01"}"#,
      in: store)
    #expect(found.findings.map { found.subject.series.starts[$0.row] / Self.day } == [136])
  }

  @Test("a new device starts a new baseline, and says who recorded the day")
  func newDevice() throws {
    let store = try SampleStore.temporary()
    try save(
      noise(60, seed: 3).map { 60 + $0 }, of: .restingHeartRate, in: "count/min", to: store,
      source: "Old")
    var later = noise(40, seed: 4).map { 80 + $0 }
    later[35] = 60
    try save(later, of: .restingHeartRate, in: "count/min", to: store, from: 60, source: "New")
    let found = try unusual(
      #"{"analysis": "anomalies", "type": "restingHeartRate", "timezone": "UTC", "from": "2001-03-02"}"#,
      in: store)
    // Neither the first day of the new one nor any after it but the one that is far from its own.
    #expect(found.findings.map(\.value) == [60])
    #expect(found.findings.first?.source == Source(name: "New"))
    #expect(found.unjudgedCount == 14 && found.judgedCount == 26)
  }

  // MARK: - Typical

  @Test("the mean of the last week lies beside the range of the means before")
  func typicalWeek() throws {
    let store = try SampleStore.temporary()
    var values: [Double?] = noise(200, seed: 5).map { 60 + $0 }
    for row in 193..<200 { values[row] = 70 }
    values[194] = nil
    try save(values, of: .restingHeartRate, in: "count/min", to: store)
    guard
      case .typical(let found) = try analysis(
        #"{"analysis": "typical", "type": "restingHeartRate", "timezone": "UTC"}"#, in: store
      ).results
    else { return }
    let typical = try #require(found.first).get()
    #expect(typical.mean == 70 && typical.dayCount == 6 && typical.position == .above)
    let means = (6..<193).map { (last: Int) -> Double in
      let week = (last - 6...last).compactMap { values[$0] }
      return week.reduce(0, +) / 7
    }.sorted()
    #expect(typical.range.count == 190)
    #expect((typical.range.median - means[means.count / 2]).magnitude < 0.1)
    #expect(typical.range.low < typical.range.median && typical.range.median < typical.range.high)
    // Seven days and again seven days before, also where the data do not reach.
    func slowMean(of last: Int) -> Double? {
      let week = (last - 6...last).compactMap { values.indices.contains($0) ? values[$0] : nil }
      return week.count < 4 ? nil : week.reduce(0, +) / Double(week.count)
    }
    let all = (0..<193).compactMap(slowMean)
    #expect(all.count == typical.range.count)
    #expect(abs(typical.range.least - (all.min() ?? 0)) < 1e-9)
    #expect(abs(typical.range.greatest - (all.max() ?? 0)) < 1e-9)
    let end = typical.subject.series.ends[typical.rows.upperBound - 1]
    #expect(typical.earlier.count == 52)
    for (place, earlier) in typical.earlier.enumerated() {
      let days = 7 * (place + 1)
      let mean = slowMean(of: 199 - days)
      #expect(earlier.end == end - Double(days) * Self.day)
      #expect((earlier.mean == nil) == (mean == nil) && (earlier.position == nil) == (mean == nil))
      guard let mean, let position = earlier.position else { continue }
      #expect(abs((earlier.mean ?? 0) - mean) < 1e-9)
      let (low, high) = (typical.range.low, typical.range.high)
      #expect((position == .below) == (mean < low) && (position == .above) == (mean > high))
    }
    #expect(typical.earlier.count { $0.mean != nil } == 28)
  }

  @Test("steps back are as long as the mean, and end with the days of the range")
  func earlierSteps() throws {
    let store = try SampleStore.temporary()
    try save(noise(600, seed: 15), of: .bodyMass, in: "kg", to: store)
    for (days, within) in [(30, 365), (10, 100), (1, 200), (7, 1_000), (120, 119)] {
      let json =
        #"{"analysis": "typical", "type": "bodyMass", "timezone": "UTC", "days": \#(days), "within": \#(within), "atLeast": 1}"#
      guard case .typical(let found) = try analysis(json, in: store).results else { return }
      let typical = try #require(found.first).get()
      // One more ends in the days before the last mean than fits between its ends.
      var count = 0
      while count < 52, days * (count + 1) < within + days { count += 1 }
      #expect(typical.earlier.count == count, "\(days) \(within)")
      let ends = typical.earlier.map(\.end)
      let last = typical.subject.series.ends[typical.rows.upperBound - 1]
      #expect(ends == (0..<count).map { last - Double(days * ($0 + 1)) * Self.day })
    }
  }

  @Test("the summary counts the measures outside in each week, as a count over all does")
  func typicalSummary() throws {
    let store = try SampleStore.temporary()
    // The data of three measures end early or begin late; one has hardly any.
    let measures: [(type: HKQuantityTypeIdentifier, unit: String, days: Range<Int>)] = [
      (.bodyMass, "kg", 0..<500), (.restingHeartRate, "count/min", 250..<460),
      (.vo2Max, "mL/min·kg", 330..<500), (.bodyFatPercentage, "%", 370..<500),
      (.bodyTemperature, "degC", 480..<500),
    ]
    for (place, measure) in measures.enumerated() {
      let values = noise(measure.days.count, seed: UInt64(80 + place)).map { 0.5 + $0 / 100 }
      try save(
        values, of: measure.type, in: measure.unit, to: store, from: measure.days.lowerBound)
    }
    guard
      case .typical(let results) = try analysis(
        #"{"analysis": "typical", "timezone": "UTC"}"#, in: store
      ).results
    else { return }
    let found = results.compactMap { try? $0.get() }
    #expect(found.count == 4)
    let summary = TypicalSummary(of: found)
    #expect(summary.measureCount == 4 && summary.outsideBefore.count == 52)
    #expect(
      summary.outsideCount
        == found.count { $0.mean < $0.range.low || $0.mean > $0.range.high })
    var known: [Int] = []
    for (step, outside) in summary.outsideBefore.enumerated() {
      var (withMean, slow) = (0, 0)
      for one in found {
        let series = one.subject.series
        let row = one.rows.upperBound - 1 - 7 * (step + 1)
        let week = row < 6 ? [] : series.values[(row - 6)...row].compactMap(\.self)
        guard week.count >= 4 else { continue }
        let mean = week.reduce(0, +) / Double(week.count)
        withMean += 1
        if mean < one.range.low || mean > one.range.high { slow += 1 }
      }
      #expect(outside == (withMean < 2 ? nil : slow), "\(step)")
      if withMean >= 2 { known.append(slow) }
    }
    #expect(summary.weekCount == known.count && (10..<52).contains(known.count))
    var usual = 0
    while 10 * known.count(where: { $0 <= usual }) < 9 * known.count { usual += 1 }
    #expect(summary.usualOutside == usual)
    let none = TypicalSummary(of: [])
    #expect(none.measureCount == 0 && none.outsideBefore.isEmpty && none.usualOutside == nil)
  }

  @Test("under fourteen weeks nothing is typical")
  func typicalRefusal() throws {
    let store = try SampleStore.temporary()
    try save(noise(100, seed: 6), of: .bodyTemperature, in: "degC", to: store)
    guard
      case .typical(let found) = try analysis(
        #"{"analysis": "typical", "type": "bodyTemperature", "timezone": "UTC"}"#, in: store
      ).results
    else { return }
    #expect(throws: AnalysisError(.tooFewPoints(count: 90, needed: 98))) {
      _ = try found[0].get()
    }
  }

  // MARK: - Changes

  @Test("a level that changes is found where it does, in spite of the week")
  func changes() throws {
    let store = try SampleStore.temporary()
    let values = noise(200, seed: 7).enumerated().map { row, noise in
      60 + noise + (row >= 120 ? 3 : 0) + (row % 7 == 0 ? 4 : 0)
    }
    try save(values, of: .restingHeartRate, in: "count/min", to: store)
    guard
      case .changes(let found) = try analysis(
        #"{"analysis": "changes", "type": "restingHeartRate", "timezone": "UTC"}"#, in: store
      ).results
    else { return }
    let changes = try #require(found.first).get()
    #expect(changes.isSeasonAdjusted && changes.changes.rows.count == 1)
    #expect(abs((changes.changes.rows.first ?? 0) - 120) <= 2)
    #expect(abs((changes.changes.sizes.first ?? 0) - 3) < 0.6)
  }

  // MARK: - Relations

  @Test("what goes together a day later is found, and what measures one thing is not asked")
  func relations() throws {
    let store = try SampleStore.temporary()
    let (first, second) = (noise(300, seed: 8), noise(300, seed: 9))
    try save(first.map { 60 + $0 }, of: .restingHeartRate, in: "count/min", to: store)
    try save(
      second.indices.map { row in 50 + second[row] + (row > 0 ? 1.2 * first[row - 1] : 0) },
      of: .heartRateVariabilitySDNN, in: "ms", to: store)
    try save(noise(300, seed: 10).map { 100 + $0 }, of: .heartRate, in: "count/min", to: store)
    try save(noise(300, seed: 11).map { 70 + $0 }, of: .bodyMass, in: "kg", to: store)
    try save([70], of: .height, in: "cm", to: store)
    let answer = try analysis(#"{"analysis": "correlate", "timezone": "UTC"}"#, in: store)
    guard case .correlate(let found) = answer.results else { return }
    let names = found.subjects.map(\.series.type)
    let held = found.relations.held.map { relation in
      (Set([names[relation.first], names[relation.second]]), abs(relation.lag))
    }
    #expect(held.count == 1)
    #expect(
      held.first?.0 == [SampleType(.restingHeartRate), SampleType(.heartRateVariabilitySDNN)])
    #expect(held.first?.1 == 1)
    // Four types make six pairs, of which heart rate and resting heart rate are one.
    #expect(found.excludedCount == 1 && found.relations.tested.count == 5 * 7)
    #expect(found.refusals.keys.map { names[$0] } == [SampleType(.height)])
  }

  /// Two types that a third moves on the same day, and the answer to a question about them.
  private func moved() throws -> (String) throws -> CorrelateAnswer {
    let store = try SampleStore.temporary()
    let cause = noise(300, seed: 20)
    for (type, unit, seed, share) in [
      (HKQuantityTypeIdentifier.heartRateVariabilitySDNN, "ms", UInt64(21), 1.0),
      (.respiratoryRate, "count/min", 22, -1.0), (.oxygenSaturation, "%", 23, 0),
    ] {
      let values = zip(cause, noise(300, seed: seed)).map { 50 + share * $0 + 0.5 * $1 }
      try save(values, of: type, in: unit, to: store)
    }
    try save(cause.map { 20 + $0 }, of: .bodyTemperature, in: "degC", to: store)
    return { more in
      let answer = try self.analysis(
        #"{"analysis": "correlate", "timezone": "UTC"\#(more)}"#, in: store)
      guard case .correlate(let found) = answer.results else { throw QueryError(.notJSON) }
      return found
    }
  }

  @Test("what a third type moves does not go together once it is given")
  func given() throws {
    let ask = try moved()
    let types = #", "type": ["heartRateVariabilitySDNN", "respiratoryRate"]"#
    for comparison in ["spearman", "pearson"] {
      let more = #", "comparison": "\#(comparison)""#
      let plain = try ask(types + more)
      #expect(plain.relations.held.count == 1 && plain.given.isEmpty)
      let found = try ask(types + more + #", "given": "bodyTemperature""#)
      #expect(found.relations.held.isEmpty && found.relations.tested.count == 7)
      #expect(
        found.subjects.count == 2
          && found.given.map(\.series.type) == [SampleType(.bodyTemperature)])
      // Another unit, a list and another unrelated type.
      let other = try ask(
        types + more + #", "given": ["HKQuantityTypeIdentifierBodyTemperature:degF"]"#)
      for (one, other) in zip(found.relations.tested, other.relations.tested) {
        let difference = one.correlation.coefficient - other.correlation.coefficient
        #expect(difference.magnitude < 1e-6)
      }
    }
    let all = try ask(#", "given": "bodyTemperature""#)
    #expect(all.subjects.count == 3 && all.pairCount == 3 && all.relations.held.isEmpty)
    let two = try ask(types + #", "given": ["bodyTemperature", "oxygenSaturation"]"#)
    #expect(two.relations.held.isEmpty && two.given.count == 2)
    // What is asked and given, explains itself, or is no type.
    for given in ["respiratoryRate", "", "nothing", "sleep.dep"] {
      #expect(throws: QueryError.self) { try ask(types + #", "given": "\#(given)""#) }
    }
  }

  @Test("the stricter adjustment multiplies by the harmonic sum, and the tests are the same")
  func adjustment() throws {
    let ask = try moved()
    let (one, other) = (try ask(""), try ask(#", "adjustment": "benjaminiYekutieli""#))
    let count = Double(one.relations.tested.count)
    let factor = stride(from: 1, through: count, by: 1).reduce(0) { $0 + 1 / $1 }
    #expect(one.relations.tested.count == other.relations.tested.count)
    for (one, other) in zip(one.relations.tested, other.relations.tested) {
      #expect(one.pValue == other.pValue)
      let expected = one.adjustedPValue * factor
      #expect(
        one.adjustedPValue == 1
          || (other.adjustedPValue - min(1, expected)).magnitude <= 1e-12 * expected)
    }
  }

  @Test("one type alone is refused, and a plan without samples")
  func relationRefusals() throws {
    let store = try SampleStore.temporary()
    try save(noise(100, seed: 12), of: .bodyTemperature, in: "degC", to: store)
    for json in [
      #"{"analysis": "correlate", "type": "bodyTemperature", "timezone": "UTC"}"#,
      #"{"analysis": "correlate", "type": "bodyTemperature,height", "timezone": "UTC"}"#,
      #"{"analysis": "correlate", "timezone": "UTC", "lags": -1}"#,
    ] {
      #expect(throws: QueryError.self) { try analysis(json, in: store) }
    }
    let empty = try SampleStore.temporary()
    #expect(throws: QueryError.self) {
      try analysis(#"{"analysis": "correlate", "timezone": "UTC"}"#, in: empty)
    }
  }
}
