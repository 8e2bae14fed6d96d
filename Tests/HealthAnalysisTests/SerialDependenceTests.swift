import Foundation
import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite("Serial dependence")
struct SerialDependenceTests {
  private func isNear(_ value: Double, _ expected: Double, _ tolerance: Double = 1e-9) -> Bool {
    (value - expected).magnitude <= tolerance * max(expected.magnitude, 1e-3)
  }

  @Test("Lines have the intervals and probabilities of NumPy and SciPy, by whole matrices")
  func lines() throws {
    for row in try DependenceReferences.all() {
      let found = try LinearTrend.dependentSlope(x: row.x, y: row.y, rows: row.rows)
      #expect(isNear(found.value, row.line.slope), "\(row.name)")
      #expect(isNear(found.independentError, row.line.error), "\(row.name)")
      #expect(isNear(found.pValue, row.line.p), "\(row.name)")
      #expect(isNear(try #require(found.autocorrelation), row.line.autocorrelation), "\(row.name)")
      for (confidence, margin) in zip([0.5, 0.9, 0.95, 0.99], row.line.margins) {
        let interval = try found.interval(confidence: confidence)
        #expect(isNear(interval.upperBound - found.value, margin), "\(row.name)")
        #expect(isNear(found.value - interval.lowerBound, margin), "\(row.name)")
      }
    }
  }

  @Test("Theil and Sen's slopes have the intervals and probabilities of NumPy and SciPy")
  func ranks() throws {
    var compared = 0
    for row in try DependenceReferences.all() {
      guard let expected = row.theilSen else { continue }
      let line = try TheilSenTrend(x: row.x, y: row.y)
      let found = try line.dependence(x: row.x, y: row.y, rows: row.rows)
      #expect(isNear(line.slope, expected.slope), "\(row.name)")
      #expect(isNear(found.interval.lowerBound, expected.low, 1e-12), "\(row.name)")
      #expect(isNear(found.interval.upperBound, expected.high, 1e-12), "\(row.name)")
      #expect(isNear(found.pValue, expected.p), "\(row.name)")
      compared += 1
    }
    #expect(compared == 5)
  }

  @Test("Cosines have the intervals and probabilities of NumPy and SciPy")
  func cosines() throws {
    var compared = 0
    for row in try DependenceReferences.all() {
      guard let expected = row.cosinor else { continue }
      let model = try Cosinor(
        times: row.x.map { $0 / 7 }, values: row.y, periods: [7], rows: row.rows)
      let rhythm = model.rhythms[0]
      let found = try #require(rhythm.dependent)
      #expect(isNear(rhythm.amplitude, expected.amplitude), "\(row.name)")
      #expect(isNear(rhythm.test.statistic, expected.statistic), "\(row.name)")
      #expect(isNear(found.pValue, expected.p), "\(row.name)")
      #expect(isNear(try #require(model.dependentPValue), expected.p), "\(row.name)")
      let amplitude = try found.amplitude.interval()
      #expect(isNear(amplitude.upperBound - rhythm.amplitude, expected.margin), "\(row.name)")
      let angles = try found.acrophase.interval()
      #expect(
        isNear((angles.upperBound - angles.lowerBound) / 2, expected.angle), "\(row.name)")
      compared += 1
    }
    #expect(compared == 5)
    // Without rows nothing is known of neighbours.
    let plain = try Cosinor(
      times: (0..<30).map(Double.init), values: (0..<30).map { Double($0 * 7 % 5) }, periods: [7])
    #expect(plain.rhythms[0].dependent == nil && plain.dependentPValue == nil)
  }

  @Test("Random series with gaps have the weights, scales and probabilities of whole matrices")
  func twin() throws {
    var random = SplitMix64(seed: 71)
    for round in 0..<(Soak.isLong ? 400 : 12) {
      let count = Int.random(in: 4...40, using: &random)
      var rows: [Int] = []
      for _ in 0..<count {
        rows.append((rows.last ?? -1) + (Int.random(in: 0..<4, using: &random) == 0 ? 5 : 1))
      }
      let noise = SimulatedPerson.column(
        rows: count, memory: [0, 0.6, 0.95][round % 3], noise: .normal, &random)
      let x = rows.map { Double($0) * 0.7 - 3 }
      let influence = LineInfluence(x)
      let rests = influence.residuals(of: noise)
      let fast = try SerialDependence(of: rests, rows: rows, design: influence.design)
      let slow = SlowDependence(
        of: rests, rows: rows, design: influence.design,
        keptCount: SerialDependence.keptCount(of: count))
      #expect(fast.degreesOfFreedom == count - 2)
      for node in fast.nodes {
        let twin = try #require(
          slow.nodes.first {
            ($0.kept - node.model.kept).magnitude < 1e-12 && $0.noise == node.model.noise
          })
        #expect((twin.weight - node.weight).magnitude < 1e-9)
        #expect(isNear(node.deviation, twin.deviation))
      }
      let mixture = fast.mixture(of: influence.distances)
      for statistic in [0.3, 2, 7] {
        #expect(
          isNear(
            2 * mixture.upperTail(statistic),
            slow.pValue(statistic, influence: influence.distances), 1e-7))
      }
      for tail in [0.3, 0.025, 1e-4] {
        #expect(isNear(mixture.upperTail(mixture.quantile(upperTail: tail)), tail))
      }
    }
  }

  @Test("Generalised least squares are those of whole matrices", arguments: [0, 0.3, 0.95])
  func fits(kept: Double) throws {
    var random = SplitMix64(seed: 72)
    let rows = [0, 1, 2, 5, 6, 9, 10, 11, 12, 20, 21, 22, 23, 24, 30]
    let columns = [
      rows.map { _ in 1.0 }, rows.map { Double($0) / 10 }, rows.map { $0 < 10 ? 0 : 1 },
    ]
    let y = rows.map { _ in Double.random(in: -1...1, using: &random) }
    for noise in [0, 0.4] {
      let dependent = DependentColumns(columns + [y], rows: rows)
      let products = dependent.products(
        by: ErrorModel(kept: kept, noise: noise), powers: dependent.powers(of: kept))
      func slow(_ chosen: [Int]) -> (
        correlations: Double, information: Double, coefficients: [Double], residual: Double
      ) {
        SlowDependence.fit(
          y, by: chosen.map { columns[$0] }, rows: rows, kept: kept, noise: noise)
      }
      for chosen in [[0], [0, 1], [0, 2], [0, 1, 2]] {
        let (fit, twin) = (products.fit(of: chosen, width: 4), slow(chosen))
        #expect(isNear(products.logarithm, twin.correlations))
        #expect(isNear(fit.logarithm, twin.information))
        #expect(isNear(fit.residual, twin.residual))
        for (ours, theirs) in zip(fit.coefficients, twin.coefficients) {
          #expect(isNear(ours, theirs))
        }
        // What a column contributes is what leaving it out costs.
        for (place, contribution) in fit.contributions.enumerated() where chosen.count > 1 {
          var others = chosen
          others.remove(at: place)
          #expect(isNear(contribution, slow(others).residual - twin.residual, 1e-8))
        }
      }
    }
  }

  @Test("A unit, an offset, a sign and the direction of time change nothing else")
  func laws() throws {
    var random = SplitMix64(seed: 73)
    let rows = (0..<60).filter { $0 % 13 != 4 }
    let x = rows.map { Double($0) + 0.5 }
    let y = SimulatedPerson.column(rows: rows.count, memory: 0.6, noise: .student, &random)
    let plain = try LinearTrend.dependentSlope(x: x, y: y, rows: rows)
    let scaled = try LinearTrend.dependentSlope(
      x: x.map { $0 / 8 }, y: y.map { $0 * 0x1p300 }, rows: rows)
    #expect(scaled.pValue == plain.pValue)
    #expect(try scaled.interval().upperBound == plain.interval().upperBound * 8 * 0x1p300)
    let moved = try LinearTrend.dependentSlope(
      x: x, y: y.map { -$0 + 3 }, rows: rows.map { $0 + 1000 })
    #expect(isNear(moved.pValue, plain.pValue, 1e-10))
    #expect(isNear(try moved.interval().upperBound, -(try plain.interval().lowerBound), 1e-10))
    let turned = try LinearTrend.dependentSlope(
      x: x.map { -$0 }.reversed(), y: y.reversed(), rows: rows.map { 60 - $0 }.reversed())
    #expect(isNear(turned.pValue, plain.pValue, 1e-8))
    // A trend that is added moves the interval and keeps its width.
    let tilted = try LinearTrend.dependentSlope(
      x: x, y: zip(x, y).map { $1 + 2 * $0 }, rows: rows)
    #expect(isNear(try tilted.interval().lowerBound, try plain.interval().lowerBound + 2, 1e-9))
  }

  @Test("What a series keeps of the row before is found again")
  func autocorrelations() throws {
    var random = SplitMix64(seed: 74)
    let rows = Array(0..<2000)
    for memory in [0, 0.4, 0.8] {
      let y = SimulatedPerson.column(rows: rows.count, memory: memory, noise: .normal, &random)
      let found = try LinearTrend.dependentSlope(x: rows.map(Double.init), y: y, rows: rows)
      #expect((try #require(found.autocorrelation) - memory).magnitude < 0.07)
    }
  }

  @Test("An interval leaves out 0 exactly where the probability is below what it leaves")
  func consistency() throws {
    var random = SplitMix64(seed: 75)
    var clear = 0
    for round in 0..<300 {
      let count = Int.random(in: 16...40, using: &random)
      let rows = Array(0..<count)
      let x = rows.map(Double.init)
      let slope = Double(round % 4) * 0.03
      var y = SimulatedPerson.column(
        rows: count, memory: 0.3, noise: .normal, &random
      ).enumerated().map { $1 + slope * Double($0) }
      if round.isMultiple(of: 2) { y = y.map { ($0 * 2).rounded() } }
      for confidence in [0.8, 0.95] {
        let share = 1 - confidence
        let line = try LinearTrend.dependentSlope(x: x, y: y, rows: rows)
        #expect(!(try line.interval(confidence: confidence)).contains(0) == (line.pValue < share))
        // Rounded values may let the steps of Huber's line go round and round.
        if let huber = try? HuberTrend.dependentSlope(x: x, y: y, rows: rows) {
          #expect(
            !(try huber.interval(confidence: confidence)).contains(0) == (huber.pValue < share))
        }
        let sen = try TheilSenTrend(x: x, y: y).dependence(
          x: x, y: y, rows: rows, confidence: confidence)
        #expect(!sen.interval.contains(0) == (sen.pValue < share))
        if line.pValue < share { clear += 1 }
      }
    }
    #expect(clear > 50)
  }

  @Test("Points on a line leave no doubt, and equal values no trend")
  func exact() throws {
    let rows = Array(0..<20)
    let x = rows.map(Double.init)
    let line = try LinearTrend.dependentSlope(x: x, y: x.map { 2 * $0 }, rows: rows)
    #expect(line.autocorrelation == nil && line.pValue == 0)
    #expect(try line.interval() == 2...2)
    let flat = try LinearTrend.dependentSlope(x: x, y: x.map { _ in 7 }, rows: rows)
    #expect(flat.pValue == 1)
    #expect(try flat.interval() == 0...0)
    let sen = try TheilSenTrend(x: x, y: x.map { _ in 7 }).dependence(
      x: x, y: x.map { _ in 7 }, rows: rows)
    #expect(sen.pValue == 1 && sen.interval == 0...0)
    let monotone = try TheilSenTrend(x: x, y: x.map { $0 * $0 }).dependence(
      x: x, y: x.map { $0 * $0 }, rows: rows)
    #expect(monotone.pValue == 0 && monotone.interval.lowerBound > 0)
  }

  @Test("Rows that do not ascend, and no more rows than columns, are refused")
  func refusals() throws {
    let ones = [Double](repeating: 1, count: 4)
    #expect(throws: AnalysisError(.notOrdered, row: 2)) {
      try SerialDependence(of: [1, 2, 3, 4], rows: [0, 1, 1, 2], design: [ones])
    }
    #expect(throws: AnalysisError(.lengthsDiffer(x: 3, y: 4))) {
      try SerialDependence(of: [1, 2, 3, 4], rows: [0, 1, 2], design: [ones])
    }
    #expect(throws: AnalysisError(.notFinite, row: 1)) {
      try SerialDependence(of: [1, .nan, 3, 4], rows: [0, 1, 2, 3], design: [ones])
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 1, needed: 2))) {
      try SerialDependence(of: [1], rows: [0], design: [[1]])
    }
    for confidence in [0, 1, -1, Double.nan] {
      #expect(throws: AnalysisError(.confidenceOutOfRange)) {
        try LinearTrend.dependentSlope(x: [1, 2, 3, 5], y: [1, 3, 2, 9], rows: [0, 1, 2, 3])
          .interval(confidence: confidence)
      }
    }
    // Gaps of years, and values of any size.
    let wide = try LinearTrend.dependentSlope(
      x: [0, 1, 1e6, 1e9], y: [1e300, 2e300, -1e300, 5e299], rows: [0, 1, 1_000_000, 1 << 40])
    #expect(wide.pValue > 0 && wide.pValue <= 1)
  }
}
