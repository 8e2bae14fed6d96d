import Foundation
import HealthMerge
import HealthSamples
import HealthStatistics
import HealthUnits
import Testing
import _HealthTestSupport

@testable import HealthQuery

@Suite("Styles of answers")
struct StyleChoiceTests {
  let zone: TimeZone
  let rate: SampleType
  let source = Source(name: "Anna’s Watch")

  init() throws {
    zone = try TimeZone.named("America/New_York")
    rate = try #require(Catalogue.type("HKQuantityTypeIdentifierHeartRate"))
  }

  private func type(_ name: String) throws -> SampleType {
    try #require(Catalogue.type("HKQuantityTypeIdentifier" + name))
  }

  /// Values at times of one day, in minutes from its midnight.
  private func rows(_ values: [(minute: Double, value: Double)]) throws -> [SampleColumns.Row] {
    let midnight = try QueryDate("2024-03-05", in: zone, now: 0).instant
    return values.map {
      SampleColumns.Row(
        source: source, start: midnight + $0.minute * 60, end: midnight + $0.minute * 60,
        value: $0.value)
    }
  }

  /// Asks as a store does: only the samples of the plan's range are handed over.
  private func answer(
    _ rows: [SampleColumns.Row], type: SampleType? = nil,
    _ change: (inout StatisticsPlan) throws -> Void
  ) throws -> StatisticsAnswer {
    var plan = StatisticsPlan(type: type ?? rate, timeZone: zone)
    try change(&plan)
    let first = rows.map(\.start).min()
    let range = try plan.sampleRange(firstSample: first)
    let facts = first.map { SourceFacts(source: source, deviceKind: .other, firstStart: $0) }
    return try plan.answer(
      samples: SampleColumns(
        type: plan.type,
        rows: rows.filter { $0.end >= range.lowerBound && $0.start < range.upperBound }),
      facts: [facts].compactMap { $0 })
  }

  @Test("an hour's curve is drawn from its own samples, whatever lies just outside of it")
  func own() throws {
    let rows = try rows([(590, 60), (610, 80), (625, 80), (650, 90), (670, 100)])
    let hour = try answer(rows) { plan in
      plan.interval = CalendarInterval(.hour)
      plan.from = try QueryDate("2024-03-05T10:00", in: zone, now: 0)
      plan.to = try QueryDate("2024-03-05T11:00", in: zone, now: 0)
      plan.statistics = [.mean, .count, .min, .coverage]
    }
    #expect(hour.intervals.counts == [3] && hour.intervals[raw: .min] == [80])
    // Ten minutes that are held, 15 at 80, 10 held at 80 and 10 at 90, 10 more towards the end: five
    // minutes have no curve.
    let area: Double = 35 * 80 + 20 * 90
    #expect(abs(try #require(hour.intervals[raw: .mean])[0] - area / 55) < 1e-12)
    #expect(abs(try #require(hour.intervals[raw: .coverage])[0] - 55 / 60.0) < 1e-15)
  }

  @Test("an hour's mean does not depend on the period that was asked for")
  func complete() throws {
    var generator = SplitMix64(seed: 51)
    for _ in 0..<30 {
      let rows = try rows(
        (0..<80).map { _ in
          (
            Double.random(in: 0...1440, using: &generator),
            Double.random(in: 40...180, using: &generator)
          )
        })
      func hours(_ from: String, _ to: String) throws -> StatisticsAnswer {
        try answer(rows) { plan in
          plan.interval = CalendarInterval(.hour)
          plan.from = try QueryDate("2024-03-05T" + from, in: zone, now: 0)
          plan.to = try QueryDate("2024-03-05T" + to, in: zone, now: 0)
        }
      }
      let all = try hours("00:00", "23:00").intervals
      let part = try hours("09:00", "13:00").intervals
      #expect(part.count == 4 && all.starts[9..<13] == part.starts[...])
      #expect(all[raw: .mean]?[9..<13] == part[raw: .mean]?[...])
      #expect(all.counts[9..<13] == part.counts[...])
    }
  }

  @Test("a period beside all samples has its own intervals and no data")
  func beside() throws {
    let rows = try rows([(590, 60)])
    let periods: [(String?, String?)] = [("2024-03-05T10:00", nil), (nil, "2024-03-05T09:00")]
    for (from, to) in periods {
      let answer = try answer(rows) { plan in
        plan.interval = CalendarInterval("1h")
        plan.from = try from.map { try QueryDate($0, in: zone, now: 0) }
        plan.to = try to.map { try QueryDate($0, in: zone, now: 0) }
      }
      #expect(answer.intervals.hasData == [false])
    }
  }

  @Test("an older version of the table, or another rule, gives another mean")
  func chosen() throws {
    let resting = try type("RestingHeartRate")
    let rows = try rows([(0, 60), (10, 90), (20, 90)])
    func mean(_ type: SampleType, _ style: StyleChoice?) throws -> (Double?, AggregationStyle) {
      let answer = try answer(rows, type: type) { $0.style = style }
      #expect(answer.method == answer.style.meanMethod)
      return (answer.intervals[raw: .mean]?.first, answer.style)
    }
    #expect(try mean(resting, nil) == (82.5, .discreteTemporallyWeighted))
    #expect(try mean(resting, .version(.sdk26)) == (82.5, .discreteTemporallyWeighted))
    #expect(try mean(resting, .version(.sdk18)) == (80, .discreteArithmetic))
    #expect(try mean(rate, .version(.sdk18)) == (82.5, .discreteTemporallyWeighted))
    #expect(try mean(rate, .style(.discreteArithmetic)) == (80, .discreteArithmetic))
    #expect(
      try mean(try type("BodyMass"), .style(.discreteTemporallyWeighted))
        == (82.5, .discreteTemporallyWeighted))
  }

  @Test("a style that does not fit, and a hold time without a curve, are refused")
  func refused() throws {
    func reason(
      _ name: String, _ change: (inout StatisticsPlan) throws -> Void
    ) throws -> QueryError.Reason {
      try #require(throws: QueryError.self) { try answer([], type: try type(name), change) }.reason
    }
    for (name, style) in [
      ("StepCount", .discreteArithmetic), ("HeartRate", .cumulative),
      ("HeartRate", .discreteEquivalentContinuousLevel),
    ] as [(String, AggregationStyle)] {
      #expect(
        try reason(name) { $0.style = .style(style) } == .styleDoesNotFit(style, try type(name)))
    }
    for (name, hold) in [
      ("BodyMass", 60), ("HeartRate", -1), ("HeartRate", .nan), ("HeartRate", 1e9),
    ] as [(String, Double)] {
      let style = try #require(try type(name).style)
      #expect(
        try reason(name) { $0.hold = hold }
          == .holdDoesNotFit(allowed: StatisticsPlan.holdRange, style))
    }
  }

  @Test("what cannot be correctly rounded is refused, not given as if it were")
  func notExact() throws {
    let all = Statistic.named + [.percentile(.median)]
    for name in ["StepCount", "BodyMass", "HeartRate", "EnvironmentalAudioExposure"] {
      let type = try type(name)
      let style = try #require(type.style)
      for statistic in all where statistic.isAvailable(for: style) {
        let outcome = Result {
          try answer([], type: type) { plan in
            plan.statistics = [statistic]
            plan.isExact = true
          }
        }
        let reason = (outcome.failure as? QueryError)?.reason
        let isRounded: Bool =
          switch statistic {
          case .sum, .min, .max, .count, .recent, .first: true
          case .mean: style.meanMethod != .equivalentContinuousLevel
          default: false
          }
        let refusal = StatisticsError(type: type, reason: .notExact(statistic, style))
        #expect(reason == (isRounded ? nil : .statistics(refusal)))
      }
    }
  }

  @Test("the hold time decides which gaps are bridged")
  func hold() throws {
    let rows = try rows([(0, 60), (30, 90), (40, 90)])
    func mean(_ hold: Double) throws -> Double? {
      try answer(rows) { $0.hold = hold }.intervals[raw: .mean]?.first
    }
    // Held for 10 minutes each; a line over 30 minutes; nothing but the samples.
    #expect(try mean(600) == 80)
    #expect(try mean(900) == 78.75)
    #expect(try mean(0) == 80)
  }

  @Test("deviations of temperatures take the factor of a unit and not its offset")
  func temperatures() throws {
    let rows = try rows([(0, 36), (10, 37), (20, 38)])
    let answer = try answer(rows, type: try type("BodyTemperature")) { plan in
      plan.unit = try UnitExpression("degF")
      plan.statistics = [.standardDeviation, .median]
    }
    #expect(answer.intervals[raw: .standardDeviation] == [1.8])
    #expect(answer.intervals[raw: .median] == [98.6])
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
