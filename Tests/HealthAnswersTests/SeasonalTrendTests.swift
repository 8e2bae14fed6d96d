import Foundation
import HealthAnalysis
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthAnswers

@Suite("Trends within seasons")
struct SeasonalTrendTests {
  private static let years = 8
  private let store: SampleStore
  /// The value of each month from 2001 on; `nil` where nothing was recorded.
  private let months: [Double?]

  /// A weight with a season of ten kilograms that rises by 0.4 kg a year, in one reading a month.
  init() throws {
    var random = SplitMix64(seed: 61)
    months = (0..<12 * Self.years).map { month -> Double? in
      let noise = 0.3 * random.normal()
      guard ![5, 30, 31].contains(month) else { return nil }
      let years = Double(month) / 12
      return 70 + 10 * cos(2 * .pi * years) + 0.4 * years + noise
    }
    store = try SampleStore.temporary()
    try store.save(
      try months.enumerated().compactMap { month, value in
        try value.map {
          NewSample(
            type: SampleType(.bodyMass), source: Source(name: "Scale"),
            start: try Self.instant(month), end: try Self.instant(month), value: $0, label: "kg")
        }
      })
  }

  /// Noon of the tenth day of a month.
  private static func instant(_ month: Int) throws -> Double {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = DateComponents(year: 2001 + month / 12, month: month % 12 + 1, day: 10, hour: 12)
    return try #require(calendar.date(from: parts)).timeIntervalSinceReferenceDate
  }

  private func trend(
    _ type: String = "bodyMass", _ more: String = "", zone: String = "UTC"
  ) throws -> TrendAnswer {
    let json =
      #"{"analysis": "trend", "type": "\#(type)", "model": "seasonal", "timezone": "\#(zone)"\#(more)}"#
    let answer = try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
    guard case .trends(let found) = answer.results, let first = found.first else {
      throw QueryError(.missingMember("type"))
    }
    return try first.get()
  }

  /// The test of Hirsch and Slack term by term, and the median of the slopes of all pairs.
  private func slow(
    _ values: [Double?], period: Int
  ) -> (score: Int, slope: Double, pValue: Double) {
    var score = 0
    var slopes: [Double] = []
    let cycles = (values.count - 1) / period + 1
    var signs = Array(repeating: Array(repeating: 0, count: cycles), count: cycles)
    var ranks = Array(repeating: 0.0, count: cycles)
    for season in 0..<period {
      let rows = stride(from: season, to: values.count, by: period).filter { values[$0] != nil }
      for (place, row) in rows.enumerated() {
        var rank = 1.0
        for other in rows where other != row {
          let (one, two) = (values[row] ?? 0, values[other] ?? 0)
          rank += two < one ? 1 : two == one ? 0.5 : 0
        }
        ranks[row / period] += rank - Double(rows.count + 1) / 2
        for other in rows[(place + 1)...] {
          let rise = (values[other] ?? 0) - (values[row] ?? 0)
          let sign = rise > 0 ? 1 : rise < 0 ? -1 : 0
          score += sign
          signs[row / period][other / period] += sign
          slopes.append(rise / Double((other - row) / period))
        }
      }
    }
    let pairs = signs.joined().reduce(0) { $0 + $1 * $1 }
    let squares = ranks.reduce(0) { $0 + $1 * $1 }
    let variance = (Double(pairs) + 4 * squares) / 3
    let distance = Double(abs(score) - 1) / variance.squareRoot()
    let sorted = slopes.sorted()
    let slope = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    return (
      score, slope,
      erfc(distance / 2.0.squareRoot())
    )
  }

  @Test("Months are the default, and the numbers are those of all pairs of years")
  func byMonth() throws {
    let expected = slow(months, period: 12)
    for zone in ["UTC", "America/New_York", "Europe/Berlin", "Asia/Tokyo"] {
      let found = try trend(zone: zone)
      let seasonal = try #require(found.seasonal)
      #expect(found.count == months.count { $0 != nil } && seasonal.period == 12)
      #expect(seasonal.test.score == expected.score && seasonal.test.cycleCount == Self.years)
      #expect((found.slopePerYear - expected.slope).magnitude < 1e-9)
      #expect((try #require(found.pValue) - expected.pValue).magnitude < 1e-9)
      #expect(found.verdict == .rising && found.slopeInterval == nil && found.fan(at: 0) == nil)
      #expect((found.slopePerYear - 0.4).magnitude < 0.1)
    }
  }

  @Test("Another unit scales the slope, and a part of the years is one of its own")
  func laws() throws {
    let (kilograms, grams) = (try trend(), try trend("bodyMass:g"))
    #expect((grams.slope / kilograms.slope - 1000).magnitude < 1e-6)
    #expect(
      grams.pValue == kilograms.pValue && grams.seasonal?.test.tau == kilograms.seasonal?.test.tau)
    let part = try trend("bodyMass", #", "from": "2003-03-01""#)
    let expected = slow(Array(months[26...]), period: 12)
    #expect(part.seasonal?.test.score == expected.score)
    #expect((part.slopePerYear - expected.slope).magnitude < 1e-9)
    #expect((try #require(part.pValue) - expected.pValue).magnitude < 1e-9)
  }

  @Test("Two years are refused, and fewer than five have a slope and no verdict")
  func tooFew() throws {
    // June 2001 is missing.
    #expect(throws: AnalysisError(.tooFewPoints(count: 23, needed: 25))) {
      try trend("bodyMass", #", "to": "2003-01-01""#)
    }
    let short = try trend("bodyMass", #", "to": "2005-01-01""#)
    #expect(short.verdict == .tooFew && short.pValue == nil && short.leastCount == 60)
    #expect((short.slopePerYear - 0.4).magnitude < 0.3)
  }

  @Test("What is no season is refused", arguments: ["week", "quarter", "year", "hour", "2d"])
  func refusals(interval: String) throws {
    #expect(throws: QueryError.self) { try trend("bodyMass", #", "by": "\#(interval)""#) }
  }

  @Test("Days are compared with the same weekday four weeks on and more")
  func days() throws {
    var random = SplitMix64(seed: 62)
    let values = (0..<200).map { day -> Double in
      let weekend: Double = day % 7 < 5 ? 0 : 20
      return 60 + weekend - 0.02 * Double(day) + random.normal()
    }
    let store = try SampleStore.temporary()
    try store.save(
      values.enumerated().map { day, value in
        NewSample(
          type: SampleType(.restingHeartRate), source: Source(name: "Watch"),
          start: Double(day) * 86_400 + 30_000, end: Double(day) * 86_400 + 30_000, value: value,
          label: "count/min")
      })
    let answer = try store.analysis(
      try AnalysisPlan(
        json: Data(
          #"{"analysis": "trend", "type": "restingHeartRate", "by": "day", "model": "seasonal", "timezone": "UTC"}"#
            .utf8)))
    guard case .trends(let found) = answer.results else { throw QueryError(.notJSON) }
    let trend = try #require(try found.first?.get())
    let expected = slow(values, period: 28)
    #expect(trend.seasonal?.period == 28 && trend.seasonal?.test.score == expected.score)
    #expect((trend.slope * 28 - expected.slope).magnitude < 1e-9)
    #expect((try #require(trend.pValue) - expected.pValue).magnitude < 1e-9)
    #expect(trend.verdict == .falling && trend.leastCount == 140)
  }
}
