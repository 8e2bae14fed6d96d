import Testing

@testable import HealthAnalysis

@Suite
struct GlucoseSummaryTests {
  private let day = 86_400.0

  /// A reading every five minutes for some days, of which a share is there.
  private func readings(days: Int, share: Double = 1, value: Double = 120) throws -> GlucoseReadings
  {
    let rows = (0..<days * 288).filter { Double($0 % 288) < share * 288 }
    return try GlucoseReadings(
      times: rows.map { 300 * Double($0) }, values: rows.map { value + Double($0 % 3) })
  }

  @Test("Fourteen days without a gap are covered, and meet every target")
  func fullCoverage() throws {
    let summary = try readings(days: 14).summary(endingAt: 14 * day)
    #expect(summary.coverage == 1 && summary.days == 14)
    #expect(summary.statistics.count == 4032)
    #expect(summary.rangesByTime.inRange == 1 && summary.rangesBySamples.inRange == 1)
    let targets = try #require(summary.targets)
    #expect(targets.inRange && targets.below && targets.veryLow && targets.above)
    #expect(targets.veryHigh && targets.variation)
  }

  @Test("Without 70 % of 14 days there is no verdict")
  func neededCoverage() throws {
    // A day's last reading holds for 900 s rather than 300: 202 intervals and 2 more of 288.
    let enough = try readings(days: 14, share: 0.7).summary(endingAt: 14 * day)
    #expect((enough.coverage - 204.0 / 288).magnitude < 1e-12 && enough.targets != nil)
    let few = try readings(days: 14, share: 0.69).summary(endingAt: 14 * day)
    #expect(few.coverage < 0.7 && few.targets == nil)
    #expect(
      try readings(days: 14, share: 0.69).summary(endingAt: 14 * day, neededCoverage: 0.6).targets
        != nil)
    let short = try readings(days: 13).summary(endingAt: 13 * day, days: 13)
    #expect(short.coverage == 1 && short.targets == nil)
    let recent = try readings(days: 9).summary(endingAt: 9 * day)
    #expect((recent.coverage - 9.0 / 14).magnitude < 1e-12 && recent.targets == nil)
  }

  @Test("Readings before and after the days do not count")
  func period() throws {
    let all = try readings(days: 20)
    let summary = try all.summary(endingAt: 17 * day)
    #expect(summary.coverage == 1 && summary.statistics.count == 4032)
    let before = try all.summary(endingAt: 20 * day + 13 * day)
    #expect(before.statistics.count == 288)
    #expect((before.coverage - (day + 600) / (14 * day)).magnitude < 1e-12)
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
      try all.summary(endingAt: 40 * day)
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
      try all.summary(endingAt: 0)
    }
  }

  @Test("Each target is judged at its own edge")
  func targets() throws {
    /// Targets when some readings of a hundred have a value, the others 120.
    func targets(_ count: Int, _ value: Double) throws -> GlucoseTargets {
      let rows = 0..<14 * 300
      let readings = try GlucoseReadings(
        times: rows.map { 288 * Double($0) }, values: rows.map { $0 % 100 < count ? value : 120 })
      return try #require(try readings.summary(endingAt: 14 * day).targets)
    }
    #expect(try targets(3, 60).below)
    #expect(try !targets(4, 60).below)
    #expect(try targets(0, 50).veryLow)
    #expect(try !targets(1, 50).veryLow)
    #expect(try !targets(4, 50).below)
    #expect(try targets(24, 200).above)
    #expect(try !targets(25, 200).above)
    #expect(try targets(4, 300).veryHigh)
    #expect(try !targets(5, 300).veryHigh)
    #expect(try !targets(25, 300).above)
    #expect(try targets(29, 200).inRange)
    #expect(try !targets(30, 200).inRange)
    #expect(try targets(30, 200).variation)
    #expect(try !targets(20, 300).variation)
  }

  @Test("Parameters outside of their range are refused")
  func refusals() throws {
    let readings = try readings(days: 1)
    #expect(throws: AnalysisError.self) { try readings.summary(endingAt: .nan) }
    for days in [0, -1, 367, Int.max] {
      #expect(throws: AnalysisError.self) { try readings.summary(endingAt: day, days: days) }
    }
    for coverage in [-0.1, 1.1, Double.nan] {
      #expect(throws: AnalysisError.self) {
        try readings.summary(endingAt: day, neededCoverage: coverage)
      }
    }
    #expect(throws: AnalysisError.self) { try readings.summary(endingAt: day, hold: 0) }
    for end in [1e300, -1e300, Double.greatestFiniteMagnitude] {
      #expect(throws: AnalysisError.self) { try readings.summary(endingAt: end) }
    }
  }
}
