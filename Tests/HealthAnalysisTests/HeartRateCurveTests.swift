import Foundation
import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct HeartRateCurveTests {
  /// The curve of the reference's formula.
  private func madeCurve() throws -> HeartRateCurve {
    let rows = 0..<400
    return try HeartRateCurve(
      times: rows.map { Double(9 * $0 + $0 * $0 % 3 + ($0 >= 200 ? 300 : 0)) },
      rates: rows.map { Double(80 + (11 * $0 * $0 + 5 * $0) % 121) })
  }

  @Test("A curve with a gap has the impulses and zones of NumPy and R")
  func reference() throws {
    let reference = try TrainingReference.read()
    let curve = try madeCurve()
    let reserve = try HeartRateReserve(resting: 55, maximum: 190)
    for numbers in [reference.pandas, reference.r] {
      #expect(
        agrees(
          try curve.trainingImpulse(reserve: reserve, weighting: .men), numbers["curve_men"]))
      #expect(
        agrees(
          try curve.trainingImpulse(reserve: reserve, weighting: .women), numbers["curve_women"]))
      for (zone, minutes) in try curve.edwardsZones(maximum: 190).enumerated() {
        #expect(agrees(minutes, numbers["zone_\(zone + 1)"]))
      }
      #expect(agrees(try curve.edwardsLoad(maximum: 190), numbers["edwards"]))
    }
  }

  @Test(
    "Each zone begins at its share of the maximum",
    arguments: [
      (94, nil), (95, 1), (113, 1), (114, 2), (132, 2), (133, 3), (151, 3), (152, 4), (170, 4),
      (171, 5), (190, 5), (220, 5),
    ])
  func zoneEdges(rate: Int, zone: Int?) throws {
    let curve = try HeartRateCurve(times: [0], rates: [Double(rate)])
    let zones = try curve.edwardsZones(maximum: 190)
    #expect(zones == (1...5).map { $0 == zone ? 1 : 0 })
    #expect(try curve.edwardsLoad(maximum: 190) == Double(zone ?? 0))
  }

  @Test("Random curves have the impulse and the zones of a walk second by second")
  func twin() throws {
    var random = SplitMix64(seed: 72)
    let reserve = try HeartRateReserve(resting: 60, maximum: 180)
    for _ in 0..<150 {
      var times: [Int] = []
      var time = 0
      for _ in 0..<Int.random(in: 1...15, using: &random) {
        times.append(time)
        time += Int.random(in: 1...90, using: &random)
      }
      let rates = times.map { _ in Double(Int.random(in: 50...200, using: &random)) }
      let limit = Int.random(in: 1...80, using: &random)
      let end = time + Int.random(in: -30...30, using: &random)
      let curve = try HeartRateCurve(times: times.map(Double.init), rates: rates)
      let seconds = SlowHeldCurve.seconds(times: times, values: rates, limit: limit, end: end)
      guard !seconds.isEmpty else {
        #expect(throws: AnalysisError.self) {
          try curve.edwardsLoad(maximum: 180, hold: Double(limit), end: Double(end))
        }
        continue
      }
      var impulse = 0.0
      var load = 0.0
      for rate in seconds {
        let share = max(0, min(1, (rate - 60) / 120))
        impulse += share * 0.64 * exp(1.92 * share) / 60
        let zone = (1...5).last { (zone: Int) in rate >= Double(18 * (zone + 4)) }
        load += Double(zone ?? 0) / 60
      }
      #expect(
        agrees(
          try curve.trainingImpulse(
            reserve: reserve, weighting: .men, hold: Double(limit), end: Double(end)), impulse,
          1e-11))
      #expect(
        agrees(
          try curve.edwardsLoad(maximum: 180, hold: Double(limit), end: Double(end)), load, 1e-11))
    }
  }

  @Test("A steady curve has the impulse of its mean rate; a varied one has more")
  func againstMean() throws {
    let reserve = try HeartRateReserve(resting: 60, maximum: 190)
    let times = (0..<120).map { 5 * Double($0) }
    let steady = try HeartRateCurve(times: times, rates: times.map { _ in 140 })
    let mean = try reserve.trainingImpulse(minutes: 10, meanRate: 140, weighting: .men)
    #expect(agrees(try steady.trainingImpulse(reserve: reserve, weighting: .men), mean))
    let varied = try HeartRateCurve(
      times: times, rates: times.indices.map { $0 % 2 == 0 ? 120 : 160 })
    #expect(try varied.trainingImpulse(reserve: reserve, weighting: .men) > mean * 1.01)
  }

  @Test("Cutting a workout in two keeps the sums")
  func splitting() throws {
    let curve = try madeCurve()
    let whole = try curve.edwardsZones(maximum: 190, end: 4000)
    let first = try HeartRateCurve(
      times: Array(curve.times[..<150]), rates: Array(curve.rates[..<150]))
    let second = try HeartRateCurve(
      times: Array(curve.times[150...]), rates: Array(curve.rates[150...]))
    let parts = zip(
      try first.edwardsZones(maximum: 190, end: curve.times[150]),
      try second.edwardsZones(maximum: 190, end: 4000)
    ).map { $0 + $1 }
    for (part, sum) in zip(parts, whole) { #expect(agrees(part, sum)) }
  }

  @Test("Broken columns and parameters are refused")
  func refusals() throws {
    #expect(throws: AnalysisError(.outOfRange, row: 0)) {
      try HeartRateCurve(times: [0], rates: [0])
    }
    #expect(throws: AnalysisError(.notFinite, row: 1)) {
      try HeartRateCurve(times: [0, 1], rates: [90, .nan])
    }
    #expect(throws: AnalysisError(.notOrdered, row: 1)) {
      try HeartRateCurve(times: [0, 0], rates: [90, 90])
    }
    #expect(throws: AnalysisError(.lengthsDiffer(x: 0, y: 1))) {
      try HeartRateCurve(times: [], rates: [90])
    }
    let none = try HeartRateCurve(times: [], rates: [])
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
      try none.edwardsZones(maximum: 190)
    }
    let curve = try HeartRateCurve(times: [0, 5], rates: [90, 1e308])
    for maximum in [0, -1, Double.nan, .infinity, 1e7] {
      #expect(throws: AnalysisError.self) { try curve.edwardsZones(maximum: maximum) }
    }
    for hold in [0, -1, Double.nan, 86_401] {
      #expect(throws: AnalysisError.self) { try curve.edwardsLoad(maximum: 190, hold: hold) }
    }
    #expect(throws: AnalysisError.self) { try curve.edwardsLoad(maximum: 190, end: .nan) }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
      try curve.edwardsLoad(maximum: 190, end: 0)
    }
    #expect(try curve.edwardsZones(maximum: 190) == [0, 0, 0, 0, 5.0 / 60])
  }
}
