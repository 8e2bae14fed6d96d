import Testing
import _HealthTestSupport

@testable import HealthAnalysis

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
    #expect(agrees(skew.rateAfter, 119) && skew.basisAfter == .line)
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
      #expect(agrees(recovery.rateAtEnd, first) && agrees(recovery.rateAfter, second))
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
