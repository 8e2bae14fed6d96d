import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct TrainingMonotonyTests {
  @Test("Weeks have the monotony and strain of pandas")
  func references() throws {
    for reference in try MeasureReferences.read().training {
      for loads in [reference.loads, reference.loads.map { $0 == 0 ? nil : $0 }] {
        let week = try TrainingMonotony(loads: loads)
        #expect(agrees(week.mean, reference.mean, 1e-14))
        #expect(agrees(week.standardDeviation, reference.sd, 1e-14))
        #expect(agrees(try #require(week.monotony), reference.monotony, 1e-13))
        #expect(agrees(try #require(week.strain), reference.strain, 1e-13))
        #expect(week.dayCount == 7 && week.restDayCount == loads.count { $0 == nil })
      }
    }
  }

  @Test("Random weeks have the squares of all pairs of days, in any order and any unit")
  func twinAndLaws() throws {
    var random = SplitMix64(seed: 620)
    for _ in 0..<60 {
      let loads = (0..<Int.random(in: 2...14, using: &random)).map { _ in
        Double(Int.random(in: 0...400, using: &random))
      }
      // Σ(x − y)² over all pairs is n times the sum of squares about the mean.
      let n = Double(loads.count)
      let pairs = loads.reduce(0) { sum, x in sum + loads.reduce(0) { $0 + (x - $1) * (x - $1) } }
      let deviation = (pairs / 2 / n / (n - 1)).squareRoot()
      let week = try TrainingMonotony(loads: loads)
      let shuffled = try TrainingMonotony(loads: loads.shuffled(using: &random))
      let doubled = try TrainingMonotony(loads: loads.map { $0 * 2 })
      guard deviation > 0 else { continue }
      let monotony = loads.reduce(0, +) / n / deviation
      #expect(agrees(try #require(week.monotony), monotony, 1e-12))
      #expect(agrees(try #require(week.strain), loads.reduce(0, +) * monotony, 1e-12))
      #expect(agrees(try #require(shuffled.monotony), monotony, 1e-12))
      #expect(doubled.monotony == week.monotony && doubled.strain == week.strain.map { $0 * 2 })
    }
  }

  @Test("Equal days have no monotony, and broken loads are refused")
  func refusals() throws {
    for loads: [Double?] in [[50, 50, 50], [0, nil, 0], [nil, nil]] {
      let week = try TrainingMonotony(loads: loads)
      #expect(week.monotony == nil && week.strain == nil && week.standardDeviation == 0)
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 2))) {
      try TrainingMonotony(loads: [])
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 1, needed: 2))) {
      try TrainingMonotony(loads: [3])
    }
    #expect(throws: AnalysisError(.outOfRange, row: 1)) { try TrainingMonotony(loads: [1, -1]) }
    #expect(throws: AnalysisError(.notFinite, row: 1)) { try TrainingMonotony(loads: [1, .nan]) }
    let huge = Double.greatestFiniteMagnitude
    #expect(throws: AnalysisError(.overflow)) { try TrainingMonotony(loads: [huge, huge]) }
    let large = try TrainingMonotony(loads: [huge, 0])
    #expect(agrees(try #require(large.monotony), 0.5.squareRoot(), 1e-14))
    // More of them are too much: their strain is above what a number can be.
    #expect(try TrainingMonotony(loads: [huge / 3, huge / 3, huge / 4]).strain == nil)
    let tiny = try TrainingMonotony(loads: [.leastNonzeroMagnitude, 0, 0])
    #expect(tiny.monotony.map(\.isFinite) ?? true)
  }
}
