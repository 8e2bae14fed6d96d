import Foundation
import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct HeartRateReserveTests {
  @Test("An hour at 155 has the impulses of the specification, for men and women")
  func specification() throws {
    let reference = try TrainingReference.read()
    let reserve = try HeartRateReserve(resting: 55, maximum: 190)
    for numbers in [reference.spec, reference.r] {
      for (name, weighting) in [("men", TrainingImpulseWeighting.men), ("women", .women)] {
        let impulse = try reserve.trainingImpulse(minutes: 60, meanRate: 155, weighting: weighting)
        #expect(agrees(impulse, numbers[name]))
      }
    }
    #expect(agrees(reserve.share(of: 155), 100.0 / 135))
  }

  @Test("A rate at rest has no impulse, and one above the maximum that of the maximum")
  func limits() throws {
    let reserve = try HeartRateReserve(resting: 50, maximum: 200)
    for rate in [1, 49.9, 50.0] {
      #expect(
        try reserve.trainingImpulse(minutes: 60, meanRate: rate, weighting: .men) == 0)
    }
    let most = try reserve.trainingImpulse(minutes: 1, meanRate: 200, weighting: .women)
    #expect(agrees(most, 0.86 * 5.312_167_4, 1e-7))  // e^1.67, from a table
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
        agrees(
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
    #expect(wide.share(of: .nan) == 0 && wide.share(of: -.infinity) == 0)
  }
}
