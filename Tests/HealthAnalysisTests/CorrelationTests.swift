import Testing
import _HealthNumerics
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct CorrelationTests {
  private let isNear = RelationReferences.isNear

  @Test("SciPy and R have the same coefficients, probabilities and intervals to ten digits")
  func references() throws {
    for (references, hasIntervals) in [
      (try RelationReferences.python.get(), true), (try RelationReferences.r.get(), false),
    ] {
      #expect(references.correlations.count == 35)
      for row in references.correlations {
        let pairs = SlowCorrelation.pairs(
          try RelationReferences.column(row.x), try RelationReferences.column(row.y), lag: row.lag)
        let spearman = try Correlation(pairs.x, pairs.y)
        #expect(isNear(spearman.coefficient, row.spearman[0], 1e-13))
        #expect(isNear(spearman.pValue, row.spearman[1], 1e-10))
        let pearson = try Correlation(pairs.x, pairs.y, method: .pearson)
        #expect(isNear(pearson.coefficient, row.pearson[0], 1e-10))
        #expect(isNear(pearson.pValue, row.pearson[1], 1e-10))
        #expect(isNear(try pearson.interval().lowerBound, row.pearson[2], 1e-10))
        #expect(isNear(try pearson.interval().upperBound, row.pearson[3], 1e-10))
        guard hasIntervals else { continue }
        #expect(isNear(try spearman.interval().lowerBound, row.spearman[2], 1e-10))
        #expect(isNear(try spearman.interval().upperBound, row.spearman[3], 1e-10))
      }
    }
  }

  @Test("The lags of the published series come out to ten digits")
  func publishedLags() throws {
    // spearman_lag of the project's reference values, by SciPy.
    let expected = [
      (-0.07456073338426279, 0.4183137196482944), (0.3568651189289276, 6.781003211206235e-05),
      (0.9915564661327374, 9.203932336684047e-105), (0.38978555051027286, 1.399082014715119e-05),
    ]
    let y = try RegularSeries(try RelationReferences.column("y"))
    let z = try RegularSeries(try RelationReferences.column("z"))
    for (lag, row) in expected.enumerated() {
      let lagged = try y.correlation(with: z, lag: lag)
      #expect(isNear(lagged.coefficient, row.0, 1e-10))
      let independent = Correlation(
        method: .spearman, coefficient: lagged.coefficient, count: lagged.count,
        effectiveCount: Double(lagged.count))
      #expect(isNear(independent.pValue, row.1, 1e-10))
      #expect(lagged.count == 120 - lag && lagged.pValue >= independent.pValue)
    }
  }

  @Test("All small columns with ties, gaps and lags match the definition", arguments: -3...3)
  func smallInputs(lag: Int) throws {
    let values: [Double?] = [nil, 1, 2]
    let columns = (0..<81).map { code in
      [1, 3, 9, 27].map { values[code / $0 % 3] }
    }
    // Each with every seventh other one, another seventh for each; all in the long form.
    for (index, x) in columns.enumerated() {
      for other in stride(
        from: Soak.isLong ? 0 : index % 7, to: columns.count,
        by: Soak.isLong ? 1 : 7)
      { try compare(x, columns[other], lag: lag) }
    }
  }

  @Test("Random columns with gaps match the definition on every instruction set")
  func randomInputs() throws {
    var random = SplitMix64(seed: 11)
    for round in 0..<60 {
      let count = Int.random(in: 5...150, using: &random)
      let distinct = round.isMultiple(of: 3) ? 1 << 50 : Int.random(in: 2...9, using: &random)
      let gaps = Double.random(in: 0...0.5, using: &random)
      let column = { (random: inout SplitMix64) in
        (0..<count).map { _ -> Double? in
          let value = Double(Int.random(in: 0..<distinct, using: &random)) / 8
          return Double.random(in: 0..<1, using: &random) < gaps ? nil : value
        }
      }
      let x = column(&random)
      let y = column(&random)
      for lag in [-7, -1, 0, 2, count - 1, count, -count, count + 5] { try compare(x, y, lag: lag) }
    }
  }

  @Test("The count of independent pairs matches the definition", arguments: [true, false])
  func effectiveCounts(ofRanks: Bool) throws {
    var random = SplitMix64(seed: 12)
    for gaps in [0, 0.1, 0.4] {
      let columns = (0..<2).map { _ in
        var last = 0.0
        return (0..<90).map { _ -> Double? in
          last = 0.7 * last + Double.random(in: -1...1, using: &random)
          return Double.random(in: 0..<1, using: &random) < gaps ? nil : last
        }
      }
      let correlation = try RegularSeries(columns[0]).correlation(
        with: RegularSeries(columns[1]), lag: 1, method: ofRanks ? .spearman : .pearson,
        leastPairs: 4)
      let slow = SlowCorrelation.effectiveCount(
        columns[0], columns[1], count: correlation.count, ofRanks: ofRanks)
      #expect(isNear(correlation.effectiveCount, slow, 1e-10))
      #expect(correlation.effectiveCount < Double(correlation.count))
    }
  }

  @Test("Ranks do not see a rising function, and no coefficient sees a power of two")
  func rising() throws {
    var random = SplitMix64(seed: 13)
    let x = (0..<80).map { _ in Double.random(in: -3...3, using: &random) }
    let y = x.map { $0 + Double.random(in: -3...3, using: &random) }
    let plain = try Correlation(x, y)
    #expect(try Correlation(x.map { $0 * $0 * $0 }, y) == plain)
    #expect(try Correlation(y, x) == plain)
    #expect(try Correlation(x.map { -$0 }, y).coefficient == -plain.coefficient)
    let straight = try Correlation(x, y, method: .pearson)
    for exponent in [-1020, -300, 5, 1000] {
      let scaled = x.map { Double(sign: .plus, exponent: exponent, significand: $0) }
      #expect(try Correlation(scaled, y) == plain)
      let other = try Correlation(scaled, y, method: .pearson)
      // Denormals lose digits of their own.
      #expect(isNear(other.coefficient, straight.coefficient, exponent < -1000 ? 1e-9 : 1e-13))
    }
    let order = x.indices.shuffled(using: &random)
    #expect(try Correlation(order.map { x[$0] }, order.map { y[$0] }) == plain)
  }

  @Test("Turning time around turns the lag around")
  func timeReversal() throws {
    var random = SplitMix64(seed: 14)
    let columns = (0..<2).map { _ in
      (0..<70).map { _ -> Double? in
        let value = Double.random(in: 0...1, using: &random)
        return value < 0.1 ? nil : value
      }
    }
    for method in Correlation.Method.allCases {
      for lag in -3...3 {
        let forth = try RegularSeries(columns[0]).correlation(
          with: RegularSeries(columns[1]), lag: lag, method: method)
        let back = try RegularSeries(Array(columns[0].reversed())).correlation(
          with: RegularSeries(Array(columns[1].reversed())), lag: -lag, method: method)
        let swapped = try RegularSeries(columns[1]).correlation(
          with: RegularSeries(columns[0]), lag: -lag, method: method)
        for other in [back, swapped] {
          #expect(isNear(other.coefficient, forth.coefficient, 1e-11))
          #expect(isNear(other.effectiveCount, forth.effectiveCount, 1e-11))
          #expect(other.count == forth.count)
        }
      }
    }
  }

  @Test("Columns that rise together have 1, the largest numbers too")
  func extremes() throws {
    let huge = [-1e300, 1e300, 1.5e308, -1.7e308, 0]
    for method in Correlation.Method.allCases {
      let same = try Correlation(huge, huge, method: method)
      #expect(isNear(same.coefficient, 1, 1e-15) && same.pValue < 1e-10)
      let opposite = try Correlation(huge, huge.map { -$0 }, method: method)
      #expect(isNear(opposite.coefficient, -1, 1e-15))
    }
    let exact = try Correlation([1, 2, 3], [5, 6, 9])
    #expect(exact.coefficient == 1 && exact.pValue == 0)
    #expect(throws: AnalysisError(.tooFewPoints(count: 3, needed: 4))) { try exact.interval() }
    #expect(try Correlation([1, 2, 3, 4], [5, 6, 9, 10]).interval() == 1...1)
    let tiny = Double.leastNonzeroMagnitude
    let small = try Correlation([0, tiny, 3 * tiny, 0], [1, 2, 3, 0], method: .pearson)
    #expect(small.coefficient.isFinite && small.coefficient > 0.8)
  }

  @Test(
    "One far value that has no partner does not cost the others their digits",
    arguments: [1e6, 1e9, 1e13, 1e300])
  func farWithoutPartner(size: Double) throws {
    let x: [Double?] = [size, 1, 2, 4, 3, 7]
    let y: [Double?] = [nil, 2, 1, 3, 5, 4]
    let far = try RegularSeries(x).correlation(
      with: RegularSeries(y), method: .pearson, leastPairs: 4)
    let near = try Correlation([1, 2, 4, 3, 7], [2, 1, 3, 5, 4], method: .pearson)
    #expect(isNear(far.coefficient, near.coefficient, 1e-14))
  }

  @Test("Too little, constant or broken columns are refused")
  func refusals() throws {
    #expect(refusal([], []) == AnalysisError(.tooFewPoints(count: 0, needed: 3)))
    #expect(refusal([1], [1]) == AnalysisError(.tooFewPoints(count: 1, needed: 3)))
    #expect(refusal([1, 2, 3], [1, 2]) == AnalysisError(.lengthsDiffer(x: 3, y: 2)))
    #expect(refusal([1, 1, 1], [1, 2, 3]) == AnalysisError(.constant))
    #expect(refusal([1, 2, 3], [0, -0.0, 0]) == AnalysisError(.constant))
    #expect(refusal([1, .nan, 3], [1, 2, 3]) == AnalysisError(.notFinite, row: 1))
    #expect(refusal([1, 2, 3], [1, 2, .infinity]) == AnalysisError(.notFinite, row: 2))
    let many = Array(repeating: 0.0, count: 1 << 20 + 1)
    #expect(
      refusal(many, many) == AnalysisError(.tooManyPoints(count: 1 << 20 + 1, limit: 1 << 20)))
    let relation = try Correlation([1, 2, 3, 4], [2, 1, 4, 3])
    for confidence in [0, 1, -0.5, 2, Double.nan] {
      #expect(throws: AnalysisError(.confidenceOutOfRange)) {
        try relation.interval(confidence: confidence)
      }
    }
    #expect(try relation.interval(confidence: 1.0.nextDown).upperBound < 1)
    let gaps = try RegularSeries([nil, nil, nil, nil] as [Double?])
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 42))) {
      try gaps.correlation(with: gaps)
    }
    for lag in [Int.min, Int.max, 4, -4] {
      #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 42))) {
        try gaps.correlation(with: gaps, lag: lag)
      }
    }
    #expect(throws: AnalysisError.self) { try gaps.correlation(with: gaps, leastPairs: 3) }
    #expect(throws: AnalysisError(.lengthsDiffer(x: 4, y: 1))) {
      try gaps.correlation(with: RegularSeries([1.0]))
    }
  }

  @Test("The longest columns keep their sums of ranks exact")
  func longest() throws {
    let count = Soak.isLong ? 1 << 20 : 1 << 16
    let rising = (0..<count).map(Double.init)
    #expect(try Correlation(rising, rising.map { -$0 }).coefficient == -1)
    // Two halves that are equal within.
    let halves = rising.map { $0 < Double(count / 2) ? 0.0 : 1 }
    #expect(isNear(try Correlation(halves, rising).coefficient, 0.75.squareRoot(), 1e-6))
    #expect(try Correlation(halves, halves).coefficient == 1)
  }

  private func compare(_ x: [Double?], _ y: [Double?], lag: Int) throws {
    let left = try RegularSeries(x)
    let right = try RegularSeries(y)
    let pairs = SlowCorrelation.pairs(x, y, lag: lag)
    for method in Correlation.Method.allCases {
      let slow =
        method == .spearman
        ? SlowCorrelation.spearman(pairs.x, pairs.y) : SlowCorrelation.pearson(pairs.x, pairs.y)
      var bits: Set<UInt64> = []
      for instructions in InstructionSet.allCases where instructions.isAvailable {
        var scratch: [UInt32] = []
        let found = try PairedColumn(left, method: method).pairs(
          with: PairedColumn(right, method: method), lag: lag, leastPairs: 0, scratch: &scratch,
          on: instructions)
        switch found {
        case .success(let found):
          bits.insert(found.coefficient.bitPattern)
          #expect(found.count == pairs.x.count)
          #expect((found.coefficient - (slow ?? .infinity)).magnitude < 1e-13)
        case .failure(let error):
          #expect(slow == nil && error == AnalysisError(.constant))
        }
      }
      #expect(bits.count <= 1)
    }
  }

  private func refusal(_ x: [Double], _ y: [Double]) -> AnalysisError? {
    do {
      _ = try Correlation(x, y)
      return nil
    } catch { return error }
  }
}
