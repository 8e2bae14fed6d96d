import Foundation
import Testing
import _HealthTestSupport

@testable import HealthAnalysis

/// The stored values of training, by source and name.
private struct TrainingReference: Decodable {
  let spec: [String: Double]
  let pandas: [String: Double]
  let r: [String: Double]

  static func read() throws -> Self {
    try JSONDecoder().decode(Self.self, from: try References.contents("analysis/training.json"))
  }
}

private func isNear(_ value: Double, _ expected: Double?, _ tolerance: Double = 1e-13) -> Bool {
  guard let expected else { return false }
  return (value - expected).magnitude <= tolerance * max(expected.magnitude, 1e-6)
}

@Suite
struct HeartRateReserveTests {
  @Test("An hour at 155 has the impulses of the specification, for men and women")
  func specification() throws {
    let reference = try TrainingReference.read()
    let reserve = try HeartRateReserve(resting: 55, maximum: 190)
    for numbers in [reference.spec, reference.r] {
      for (name, weighting) in [("men", TrainingImpulseWeighting.men), ("women", .women)] {
        let impulse = try reserve.trainingImpulse(minutes: 60, meanRate: 155, weighting: weighting)
        #expect(isNear(impulse, numbers[name]))
      }
    }
    #expect(isNear(reserve.share(of: 155), 100.0 / 135))
  }

  @Test("A rate at rest has no impulse, and one above the maximum that of the maximum")
  func limits() throws {
    let reserve = try HeartRateReserve(resting: 50, maximum: 200)
    for rate in [1, 49.9, 50.0] {
      #expect(
        try reserve.trainingImpulse(minutes: 60, meanRate: rate, weighting: .men) == 0)
    }
    let most = try reserve.trainingImpulse(minutes: 1, meanRate: 200, weighting: .women)
    #expect(isNear(most, 0.86 * 5.312_167_4, 1e-7))  // e^1.67, from a table
    #expect(try reserve.trainingImpulse(minutes: 1, meanRate: 250, weighting: .women) == most)
    #expect(try reserve.trainingImpulse(minutes: 0, meanRate: 150, weighting: .men) == 0)
  }

  @Test("Twice the minutes are twice the impulse, and shifted rates have the same")
  func laws() throws {
    var random = SplitMix64(seed: 71)
    for _ in 0..<100 {
      let minutes = Double.random(in: 1...200, using: &random)
      let rate = Double(Int.random(in: 60...180, using: &random))
      let plain = try HeartRateReserve(resting: 60, maximum: 188)
      let moved = try HeartRateReserve(resting: 70, maximum: 198)
      let impulse = try plain.trainingImpulse(minutes: minutes, meanRate: rate, weighting: .men)
      #expect(
        try plain.trainingImpulse(minutes: 2 * minutes, meanRate: rate, weighting: .men)
          == 2 * impulse)
      #expect(
        try moved.trainingImpulse(minutes: minutes, meanRate: rate + 10, weighting: .men) == impulse
      )
      let double = try TrainingImpulseWeighting(factor: 1.28, exponent: 1.92)
      #expect(
        isNear(
          try plain.trainingImpulse(minutes: minutes, meanRate: rate, weighting: double),
          2 * impulse))
    }
  }

  @Test("Absurd parameters are refused, huge ones overflow with a refusal")
  func refusals() throws {
    for (resting, maximum) in [
      (0, 190), (-1, 190), (60, 60), (190, 60), (Double.nan, 190), (60, .nan), (60, .infinity),
    ] {
      #expect(throws: AnalysisError.self) {
        try HeartRateReserve(resting: resting, maximum: maximum)
      }
    }
    let reserve = try HeartRateReserve(resting: 60, maximum: 190)
    for minutes in [-1, Double.nan, .infinity] {
      #expect(throws: AnalysisError.self) {
        try reserve.trainingImpulse(minutes: minutes, meanRate: 150, weighting: .men)
      }
    }
    for rate in [0, -1, Double.nan, .infinity] {
      #expect(throws: AnalysisError.self) {
        try reserve.trainingImpulse(minutes: 1, meanRate: rate, weighting: .men)
      }
    }
    #expect(throws: AnalysisError(.overflow)) {
      try reserve.trainingImpulse(
        minutes: Double.greatestFiniteMagnitude, meanRate: 190, weighting: .men)
    }
    for (factor, exponent) in [(-1, 1), (1, -1), (101, 1), (1, 21), (Double.nan, 1), (1, .nan)] {
      #expect(throws: AnalysisError.self) {
        try TrainingImpulseWeighting(factor: factor, exponent: exponent)
      }
    }
    let wide = try HeartRateReserve(
      resting: Double.leastNonzeroMagnitude, maximum: Double.greatestFiniteMagnitude)
    #expect(wide.share(of: 1e308) < 1 && wide.share(of: .infinity) == 1)
  }
}

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
        isNear(
          try curve.trainingImpulse(reserve: reserve, weighting: .men), numbers["curve_men"]))
      #expect(
        isNear(
          try curve.trainingImpulse(reserve: reserve, weighting: .women), numbers["curve_women"]))
      for (zone, minutes) in try curve.edwardsZones(maximum: 190).enumerated() {
        #expect(isNear(minutes, numbers["zone_\(zone + 1)"]))
      }
      #expect(isNear(try curve.edwardsLoad(maximum: 190), numbers["edwards"]))
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
        load += Double((1...5).last { rate >= Double(18 * ($0 + 4)) } ?? 0) / 60
      }
      #expect(
        isNear(
          try curve.trainingImpulse(
            reserve: reserve, weighting: .men, hold: Double(limit), end: Double(end)), impulse,
          1e-11))
      #expect(
        isNear(
          try curve.edwardsLoad(maximum: 180, hold: Double(limit), end: Double(end)), load, 1e-11))
    }
  }

  @Test("A steady curve has the impulse of its mean rate; a varied one has more")
  func againstMean() throws {
    let reserve = try HeartRateReserve(resting: 60, maximum: 190)
    let times = (0..<120).map { 5 * Double($0) }
    let steady = try HeartRateCurve(times: times, rates: times.map { _ in 140 })
    let mean = try reserve.trainingImpulse(minutes: 10, meanRate: 140, weighting: .men)
    #expect(isNear(try steady.trainingImpulse(reserve: reserve, weighting: .men), mean))
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
    for (part, sum) in zip(parts, whole) { #expect(isNear(part, sum)) }
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

@Suite
struct HeartRateRecoveryTests {
  @Test("Hand-made rows: samples near both moments")
  func nearSamples() throws {
    let curve = try HeartRateCurve(
      times: [-8, 3, 57, 66, 118], rates: [160, 165, 131, 128, 110])
    let minute = try curve.recovery(from: 0)
    #expect(minute.rateAtEnd == 165 && minute.basisAtEnd == .sample)
    #expect(minute.rateAfter == 131 && minute.basisAfter == .sample)
    #expect(minute.drop == 34 && minute.seconds == 60)
    #expect(try curve.recovery(from: 0, after: 120).drop == 55)
  }

  @Test("A sample within 10 s counts, one at 11 s does not, and two as near have their mean")
  func distance() throws {
    func after(_ times: [Double], _ rates: [Double]) throws -> HeartRateRecovery {
      try HeartRateCurve(times: [0] + times, rates: [150] + rates).recovery(from: 0)
    }
    #expect(try after([50], [120]).rateAfter == 120)
    #expect(try after([70], [120]).rateAfter == 120)
    #expect(throws: AnalysisError(.unmeasured)) { try after([49], [120]) }
    #expect(throws: AnalysisError(.unmeasured)) { try after([71], [120]) }
    #expect(try after([55, 65], [120, 110]).rateAfter == 115)
    #expect(try after([55, 64], [120, 110]).rateAfter == 110)
    #expect(try after([60], [120]).rateAfter == 120)
  }

  @Test("Without a near sample the line of neighbours at most 30 s apart is used")
  func line() throws {
    let curve = try HeartRateCurve(times: [0, 48, 72], rates: [150, 124, 112])
    let recovery = try curve.recovery(from: 0)
    #expect(recovery.rateAfter == 118 && recovery.basisAfter == .line && recovery.drop == 32)
    let skew = try HeartRateCurve(times: [0, 49, 79], rates: [150, 130, 100]).recovery(from: 0)
    #expect(isNear(skew.rateAfter, 119) && skew.basisAfter == .line)
    #expect(throws: AnalysisError(.unmeasured)) {
      try HeartRateCurve(times: [0, 48, 79], rates: [150, 130, 100]).recovery(from: 0)
    }
    #expect(
      try HeartRateCurve(times: [0, 48, 79], rates: [150, 130, 100]).recovery(from: 0, bridge: 31)
        .basisAfter == .line)
  }

  @Test("The end of the workout needs a rate as well, and a rate may rise")
  func end() throws {
    #expect(throws: AnalysisError(.unmeasured)) {
      try HeartRateCurve(times: [20, 60], rates: [140, 120]).recovery(from: 0)
    }
    let rising = try HeartRateCurve(times: [0, 60], rates: [120, 125]).recovery(from: 0)
    #expect(rising.drop == -5)
    #expect(throws: AnalysisError(.unmeasured)) {
      try HeartRateCurve(times: [], rates: []).recovery(from: 0)
    }
  }

  @Test("Random curves have the rates of a search over all samples, wherever time begins")
  func twin() throws {
    var random = SplitMix64(seed: 73)
    for _ in 0..<1000 {
      var times: [Int] = []
      var time = Int.random(in: -40...10, using: &random)
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        times.append(time)
        time += Int.random(in: 1...35, using: &random)
      }
      let rates = times.map { _ in Double(Int.random(in: 60...190, using: &random)) }
      let near = Int.random(in: 0...12, using: &random)
      let bridge = Int.random(in: 0...40, using: &random)
      let expected = [0, 60].map {
        SlowHeldCurve.value(times: times, values: rates, at: $0, nearest: near, bridge: bridge)
      }
      let offset = 1024.0 * Double(Int.random(in: 0...9, using: &random))
      let curve = try HeartRateCurve(times: times.map { Double($0) + offset }, rates: rates)
      guard let first = expected[0], let second = expected[1] else {
        #expect(throws: AnalysisError(.unmeasured)) {
          try curve.recovery(from: offset, nearest: Double(near), bridge: Double(bridge))
        }
        continue
      }
      let recovery = try curve.recovery(
        from: offset, nearest: Double(near), bridge: Double(bridge))
      #expect(isNear(recovery.rateAtEnd, first) && isNear(recovery.rateAfter, second))
    }
  }

  @Test("Absurd parameters are refused")
  func refusals() throws {
    let curve = try HeartRateCurve(times: [0, 60], rates: [150, 120])
    for end in [Double.nan, .infinity] {
      #expect(throws: AnalysisError.self) { try curve.recovery(from: end) }
    }
    for seconds in [0, -1, Double.nan, .infinity, 3601] {
      #expect(throws: AnalysisError.self) { try curve.recovery(from: 0, after: seconds) }
    }
    for limit in [-1, Double.nan, .infinity, 601] {
      #expect(throws: AnalysisError.self) { try curve.recovery(from: 0, nearest: limit) }
      #expect(throws: AnalysisError.self) { try curve.recovery(from: 0, bridge: limit) }
    }
    let far = try HeartRateCurve(times: [-1e308, 1e308], rates: [1e308, 1e-308])
    #expect(throws: AnalysisError(.unmeasured)) { try far.recovery(from: 0) }
    #expect(throws: AnalysisError(.unmeasured)) { try far.recovery(from: -1e300) }
    let error = AnalysisError(.unmeasured)
    #expect(error.description.contains("no value near"))
  }
}

@Suite
struct TrainingBalanceTests {
  private let loads: [Double] = Array(repeating: [50, 0, 80, 0, 0, 120, 60], count: 8).flatMap(
    \.self)

  @Test("Eight weeks of loads have the averages of pandas, R and the specification")
  func reference() throws {
    let reference = try TrainingReference.read()
    for form in TrainingBalance.Form.allCases {
      let balance = try RegularSeries(loads).trainingBalance(form: form)
      #expect(balance.form == form && balance.fitnessDays == 42 && balance.fatigueDays == 7)
      for numbers in [reference.pandas, reference.r] {
        for day in [20, 56] {
          #expect(isNear(balance.fitness[day - 1], numbers["\(form.rawValue)_42_\(day)"]))
          #expect(isNear(balance.fatigue[day - 1], numbers["\(form.rawValue)_7_\(day)"]))
        }
      }
      #expect(isNear(balance.fitness[55], reference.spec["\(form.rawValue)_42_56"]))
      #expect(isNear(balance.fatigue[55], reference.spec["\(form.rawValue)_7_56"]))
    }
  }

  @Test("Random loads have the averages of the sum over all days before")
  func twin() throws {
    var random = SplitMix64(seed: 74)
    for _ in 0..<60 {
      let rows = (0..<Int.random(in: 1...60, using: &random)).map { _ in
        Bool.random(using: &random) ? Double.random(in: 0...300, using: &random) : nil
      }
      let days = Double.random(in: 1...60, using: &random)
      let start = Double.random(in: 0...50, using: &random)
      let series = try RegularSeries(rows)
      for form in TrainingBalance.Form.allCases {
        let balance = try series.trainingBalance(
          fitnessDays: days, form: form, start: (start, 2 * start))
        func slow(_ days: Double, _ start: Double) -> [Double] {
          SlowTrainingAverage.averages(
            of: rows.map { $0 ?? 0 },
            share: form == .reciprocal ? 1 / days : 1 - exp(-1 / days), start: start)
        }
        let (fitness, fatigue) = (slow(days, start), slow(7, 2 * start))
        for day in rows.indices {
          #expect((balance.fitness[day] - fitness[day]).magnitude < 1e-10)
          #expect((balance.fatigue[day] - fatigue[day]).magnitude < 1e-10)
          let before = day == 0 ? -start : fitness[day - 1] - fatigue[day - 1]
          #expect((balance.balance[day] - before).magnitude < 1e-10)
        }
      }
    }
  }

  @Test("A missing day is a day of rest")
  func missingDays() throws {
    let gaps = try RegularSeries([100, nil, 50, nil]).trainingBalance()
    let zeros = try RegularSeries([100, 0, 50, 0.0]).trainingBalance()
    #expect(gaps.fitness == zeros.fitness && gaps.balance == zeros.balance)
    #expect(gaps.restDayCount == 2 && zeros.restDayCount == 0)
    let none = try RegularSeries([nil, nil]).trainingBalance()
    #expect(none.fitness == [0, 0] && none.balance == [0, 0])
  }

  @Test("A steady load is the level of both averages, and doubling loads doubles them exactly")
  func laws() throws {
    for form in TrainingBalance.Form.allCases {
      let steady = try RegularSeries(Array(repeating: 70.0, count: 1000)).trainingBalance(
        form: form)
      #expect(isNear(steady.fitness[999], 70, 1e-9) && isNear(steady.fatigue[999], 70, 1e-9))
      let level = try RegularSeries(Array(repeating: 70.0, count: 20))
        .trainingBalance(form: form, start: (70, 70))
      #expect(level.balance == Array(repeating: 0, count: 20))
      let plain = try RegularSeries(loads).trainingBalance(form: form)
      let double = try RegularSeries(loads.map { 2 * $0 }).trainingBalance(form: form)
      #expect(double.balance == plain.balance.map { 2 * $0 })
      // A series continues from where its first half ends.
      let half = try RegularSeries(Array(loads[..<30])).trainingBalance(form: form)
      let rest = try RegularSeries(Array(loads[30...])).trainingBalance(
        form: form, start: (half.fitness[29], half.fatigue[29]))
      #expect(half.balance + rest.balance == plain.balance)
      // An average of N = 1 day in the reciprocal form is the load itself.
      if form == .reciprocal {
        #expect(try RegularSeries(loads).trainingBalance(fatigueDays: 1).fatigue == loads)
      }
    }
    // After N days without load the exponential form is at 1/e.
    let rest = try RegularSeries(Array(repeating: 0.0, count: 42))
      .trainingBalance(form: .exponential, start: (100, 100))
    #expect(isNear(rest.fitness[41], 100 / M_E, 1e-12))
  }

  @Test("Broken loads and parameters are refused, and the largest loads stay finite")
  func refusals() throws {
    #expect(throws: AnalysisError(.outOfRange, row: 2)) {
      try RegularSeries([1, nil, -1]).trainingBalance()
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
      try RegularSeries([Double]()).trainingBalance()
    }
    let series = try RegularSeries([1.0, 2])
    for days in [0, 0.5, -7, Double.nan, .infinity] {
      #expect(throws: AnalysisError.self) { try series.trainingBalance(fitnessDays: days) }
      #expect(throws: AnalysisError.self) { try series.trainingBalance(fatigueDays: days) }
    }
    for start in [-1, Double.nan, .infinity] {
      #expect(throws: AnalysisError.self) { try series.trainingBalance(start: (start, 0)) }
      #expect(throws: AnalysisError.self) { try series.trainingBalance(start: (0, start)) }
    }
    let huge = Double.greatestFiniteMagnitude
    for form in TrainingBalance.Form.allCases {
      for days in [1, 7, 1e300] {
        let balance = try RegularSeries([huge, 0, Double.leastNonzeroMagnitude, huge, huge])
          .trainingBalance(fitnessDays: days, form: form, start: (huge, 0))
        let all = balance.fitness + balance.fatigue + balance.balance
        #expect(all.count { $0.isFinite } == 15)
      }
    }
  }
}
