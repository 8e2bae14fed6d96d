import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct WhitenedSeriesTests {
  private struct Python: Decodable { let yuleWalker: [String: [String: [Double]]] }
  private struct R: Decodable { let yuleWalker: [String: [Double]] }

  @Test("statsmodels has the same coefficients, R the same order too", arguments: ["y", "slow"])
  func references(name: String) throws {
    let python: Python = try RelationReferences.load("relations")
    let r: R = try RelationReferences.load("relations-r")
    let whitened = try RegularSeries(RelationReferences.column(name)).whitened()
    let byR = try #require(r.yuleWalker[name])
    let byPython = try #require(python.yuleWalker[name]?["\(byR.count)"])
    #expect(whitened.coefficients.count == byR.count)
    for (index, ours) in whitened.coefficients.enumerated() {
      #expect((ours - byR[index]).magnitude < 1e-12)
      #expect((ours - byPython[index]).magnitude < 1e-12)
    }
  }

  @Test("Rows after the first are the remainder of their prediction, in the unit of the series")
  func innovations() throws {
    let column = try RelationReferences.column("slow")
    let whitened = try RegularSeries(column).whitened(mostLags: 3)
    let mean = column.reduce(0, +) / Double(column.count)
    for row in whitened.coefficients.count..<column.count {
      var rest = column[row] - mean
      for (index, coefficient) in whitened.coefficients.enumerated() {
        rest -= coefficient * (column[row - 1 - index] - mean)
      }
      #expect((try #require(whitened.series[row]) - rest).magnitude < 1e-11)
    }
    #expect(whitened.series.presentCount == column.count)
  }

  @Test("Series with and without gaps match the equations solved one by one", arguments: 1...8)
  func definition(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let gaps = seed.isMultiple(of: 2) ? 0 : 0.05 * Double(seed)
    let column = SimulatedPerson.column(rows: 150, memory: 0.7, noise: .student, &random).map {
      Double.random(in: 0..<1, using: &random) < gaps ? nil : $0 + 5
    }
    let whitened = try RegularSeries(column).whitened(mostLags: 5)
    let slow = SlowWhitening(column, mostLags: 5)
    #expect(whitened.coefficients.count == slow.coefficients.count)
    for (ours, theirs) in zip(whitened.coefficients, slow.coefficients) {
      #expect((ours - theirs).magnitude < 1e-12)
    }
    for (row, theirs) in slow.innovations.enumerated() {
      #expect((whitened.series[row] == nil) == (theirs == nil))
      #expect(((whitened.series[row] ?? 0) - (theirs ?? 0)).magnitude < 1e-11)
    }
  }

  @Test("A simulated model is found again, with gaps too, and leaves no autocorrelation")
  func simulated() throws {
    var random = SplitMix64(seed: 31)
    for gaps in [0, 0.1] {
      let series = try RegularSeries(
        SimulatedPerson.column(rows: 4000, memory: 0.6, noise: .normal, &random).map {
          Double.random(in: 0..<1, using: &random) < gaps ? nil : $0
        })
      let whitened = try series.whitened()
      #expect((try #require(whitened.coefficients.first) - 0.6).magnitude < 0.06)
      #expect(whitened.series.isPresent == series.isPresent)
      let alike = try whitened.series.correlation(with: whitened.series, lag: 1)
      #expect(alike.coefficient.magnitude < 0.05)
    }
  }

  @Test("A factor of two and a turned sign pass through exactly")
  func scaling() throws {
    let column = try RelationReferences.column("slow")
    let plain = try RegularSeries(column).whitened()
    for exponent in [-900, -1, 900] {
      let factor = Double(sign: .minus, exponent: exponent, significand: 1)
      let scaled = try RegularSeries(column.map { $0 * factor }).whitened()
      #expect(scaled.coefficients == plain.coefficients)
      #expect(scaled.series.values == plain.series.values.map { $0 * factor })
    }
  }

  @Test("Alternating, far and sparse rows give finite rows; too few or equal ones are refused")
  func hostile() throws {
    let alternating = (0..<60).map { $0.isMultiple(of: 2) ? 1e300 : -1e300 }
    #expect(try RegularSeries(alternating).whitened().series.presentCount == 60)
    let sparse = (0..<400).map { (row: Int) -> Double? in
      row % 7 == 0 ? Double(row * row % 97) : nil
    }
    #expect(try RegularSeries(sparse).whitened().series.isPresent == sparse.map { $0 != nil })
    let ramp = (0..<50).map(Double.init)
    #expect(try RegularSeries(ramp).whitened(mostLags: 0).coefficients == [])
    for column in [[], [1.0], Array(repeating: 2.0, count: 23)] {
      #expect(throws: AnalysisError(.tooFewPoints(count: column.count, needed: 24))) {
        try RegularSeries(column).whitened()
      }
    }
    #expect(throws: AnalysisError(.constant)) {
      try RegularSeries(Array(repeating: 0.1, count: 30)).whitened()
    }
    for lags in [-1, 367, Int.max] {
      #expect(throws: AnalysisError.self) { try RegularSeries(ramp).whitened(mostLags: lags) }
    }
  }
}
