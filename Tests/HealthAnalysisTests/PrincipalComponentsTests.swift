import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct PrincipalComponentsTests {
  @Test("scikit-learn and R have the same variances, weights and scores to ten digits")
  func references() throws {
    let series = try RelationReferences.names.map {
      try RegularSeries(RelationReferences.column($0))
    }
    let components = try PrincipalComponents(series, names: RelationReferences.names)
    for reference in [
      try RelationReferences.python.get().components, try RelationReferences.r.get().components,
    ] {
      try compare(components.variances, reference.variances)
      for (ours, theirs) in zip(components.loadings, reference.loadings) {
        try compare(ours, theirs)
      }
      if let shares = reference.shares { try compare(components.shares, shares) }
      if let scores = reference.firstScores { try compare(components.scores.map { $0[0] }, scores) }
      if let scores = reference.lastScores {
        try compare(components.scores.map { $0[119] }, scores)
      }
    }
    #expect(components.rows == Array(0..<120))
  }

  @Test("Weights are at right angles, variances add up, and scores have them")
  func laws() throws {
    var random = SplitMix64(seed: 61)
    let shared = (0..<80).map { _ in random.normal() }
    let columns = (0..<6).map { index in
      shared.map { value -> Double? in
        let own = Double(index) * value + random.normal()
        return own > 9 ? nil : own
      }
    }
    let components = try PrincipalComponents(columns.map { try RegularSeries($0) })
    #expect(components.rows.count < 80 && components.names == ["1", "2", "3", "4", "5", "6"])
    #expect((components.variances.reduce(0, +) - 6).magnitude < 1e-12)
    #expect((components.shares.reduce(0, +) - 1).magnitude < 1e-13)
    #expect(components.variances == components.variances.sorted(by: >))
    for (left, weights) in components.loadings.enumerated() {
      for (right, others) in components.loadings.enumerated() {
        let product = zip(weights, others).map { $0 * $1 }.reduce(0, +)
        #expect((product - (left == right ? 1 : 0)).magnitude < 1e-13)
        let scores = zip(components.scores[left], components.scores[right])
        let covariance = scores.map { $0 * $1 }.reduce(0, +) / Double(components.rows.count - 1)
        #expect((covariance - (left == right ? components.variances[left] : 0)).magnitude < 1e-12)
      }
      #expect((weights.max() ?? 0) >= -(weights.min() ?? 0) - 1e-8)
    }
  }

  @Test("Two columns have equal weights, and the unit of a column does not matter")
  func twoColumns() throws {
    let x = (0..<50).map { Double($0 * 17 % 23) }
    let y = (0..<50).map { (row: Int) in Double(row * 17 % 23 + row % 5) }
    let plain = try PrincipalComponents([RegularSeries(x), RegularSeries(y)])
    let r = try Correlation(x, y, method: .pearson).coefficient
    #expect((plain.variances[0] - (1 + r)).magnitude < 1e-13)
    #expect(plain.loadings[0].allSatisfy { ($0 - 0.5.squareRoot()).magnitude < 1e-13 })
    #expect(plain.loadings[1][0] > 0 && plain.loadings[1][1] < 0)
    let far = try PrincipalComponents([
      RegularSeries(x.map { $0 * 1e300 }), RegularSeries(y.map { $0 * 1e-300 - 1e-299 }),
    ])
    #expect((far.variances[0] - plain.variances[0]).magnitude < 1e-12)
    #expect(far.standardDeviations[0] > 1e300)
    let same = try PrincipalComponents([RegularSeries(x), RegularSeries(x)])
    #expect((same.variances[0] - 2).magnitude < 1e-14 && same.variances[1] < 1e-14)
  }

  @Test("Too few complete rows, and columns that do not vary in them, are refused")
  func refusals() throws {
    let x = (0..<60).map { Double($0 * 17 % 23) }
    let half = x.enumerated().map { $0 < 30 ? $1 : nil }
    let flat = x.enumerated().map { $0 < 50 ? 4.0 : $1 }
    let some = x.enumerated().map { $0 < 50 ? $1 : nil }
    #expect(refusal([x]) == .parameter(name: "number of series", range: "at least 2"))
    #expect(refusal([x, half]) == .tooFewPoints(count: 30, needed: 42))
    #expect(refusal([some, flat]) == .constant)
    #expect(refusal([x, []]) == .lengthsDiffer(x: 60, y: 0))
    #expect(refusal([[], []]) == .tooFewPoints(count: 0, needed: 42))
    #expect(refusal([x, x], leastRows: Int.max) == .tooFewPoints(count: 60, needed: .max))
    #expect(refusal([[1, 2], [2, 1]], leastRows: .min) == .tooFewPoints(count: 2, needed: 4))
    #expect(throws: AnalysisError(.lengthsDiffer(x: 2, y: 1))) {
      try PrincipalComponents([RegularSeries(x), RegularSeries(x)], names: ["one"])
    }
  }

  private func compare(_ ours: [Double], _ theirs: [Double]) throws {
    #expect(ours.count == theirs.count)
    for (left, right) in zip(ours, theirs) {
      #expect((left - right).magnitude <= 1e-10 * max(right.magnitude, 0.01))
    }
  }

  private func refusal(_ columns: [[Double?]], leastRows: Int = 42) -> AnalysisError.Reason? {
    do {
      _ = try PrincipalComponents(try columns.map { try RegularSeries($0) }, leastRows: leastRows)
      return nil
    } catch { return (error as? AnalysisError)?.reason }
  }
}
