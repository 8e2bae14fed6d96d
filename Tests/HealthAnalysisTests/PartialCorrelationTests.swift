import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct PartialCorrelationTests {
  private let isNear = RelationReferences.isNear

  @Test("pingouin and R have the same coefficients and probabilities to ten digits")
  func references() throws {
    let y = try RelationReferences.column("y")
    let z = try RelationReferences.column("z")
    for references in [try RelationReferences.python.get(), try RelationReferences.r.get()] {
      #expect(references.partial.count >= 6)
      for row in references.partial {
        let partial = try PartialCorrelation(
          y, z, given: row.given.map { try RelationReferences.column($0) },
          method: row.method == "pearson" ? .pearson : .spearman)
        #expect(isNear(partial.coefficient, row.coefficient, 1e-10))
        #expect(isNear(partial.pValue, row.pValue, 1e-10))
        #expect(partial.count == 120 && partial.givenCount == row.given.count)
      }
    }
  }

  @Test("Of three columns it is the formula of textbooks, and of two the plain coefficient")
  func formula() throws {
    var random = SplitMix64(seed: 51)
    for _ in 0..<20 {
      let columns = (0..<3).map { _ in
        (0..<30).map { _ in Double.random(in: 0...1, using: &random) }
      }
      let r = { (one: Int, other: Int) in
        try #require(SlowCorrelation.pearson(columns[one], columns[other]))
      }
      let (xy, xz, yz) = (try r(0, 1), try r(0, 2), try r(1, 2))
      let expected = (xy - xz * yz) / ((1 - xz * xz) * (1 - yz * yz)).squareRoot()
      let partial = try PartialCorrelation(
        columns[0], columns[1], given: [columns[2]], method: .pearson)
      #expect((partial.coefficient - expected).magnitude < 1e-13)
      let turned = try PartialCorrelation(
        columns[1], columns[0], given: [columns[2].map { 7 - 4 * $0 }], method: .pearson)
      #expect((turned.coefficient - expected).magnitude < 1e-13)
      for method in Correlation.Method.allCases {
        let none = try PartialCorrelation(columns[0], columns[1], given: [], method: method)
        let plain = try Correlation(columns[0], columns[1], method: method)
        #expect((none.coefficient - plain.coefficient).magnitude < 1e-13)
        #expect(isNear(none.pValue, plain.pValue, 1e-9))
      }
    }
  }

  @Test("Rests of the same rows go together as the partial correlation says, gaps or not")
  func rests() throws {
    var random = SplitMix64(seed: 53)
    for round in 0..<10 {
      let isPresent = (0..<80).map { _ in
        round == 0 || Double.random(in: 0..<1, using: &random) < 0.8
      }
      let given = (0..<2).map { _ in (0..<80).map { _ in random.student() } }
      let columns = (0..<2).map { _ in
        (0..<80).map { row in given[0][row] - given[1][row] + random.normal() }
      }
      func series(_ values: [Double]) throws -> RegularSeries {
        try RegularSeries(zip(values, isPresent).map { $1 ? $0 : nil })
      }
      func known(_ values: [Double]) -> [Double] { zip(values, isPresent).filter(\.1).map(\.0) }
      for method in Correlation.Method.allCases {
        let full = try given.map { try RegularSeries($0) }
        let rests = try columns.map { try series($0).rest(given: full, method: method) }
        #expect(rests.allSatisfy { $0.isPresent == isPresent })
        let expected = try PartialCorrelation(
          known(columns[0]), known(columns[1]), given: given.map(known), method: method)
        let found = try Correlation(
          rests[0].presentValues, rests[1].presentValues, method: .pearson)
        #expect((found.coefficient - expected.coefficient).magnitude < 1e-12)
      }
    }
    let column = try RegularSeries(given(60, &random))
    #expect(throws: AnalysisError(.collinear(column: "x"))) {
      try column.rest(given: [column], method: .pearson)
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 4, needed: 5))) {
      try RegularSeries([1, 2, 3, 5]).rest(given: [RegularSeries([1, 3, 2, 5])])
    }
    #expect(throws: AnalysisError(.lengthsDiffer(x: 60, y: 3))) {
      try column.rest(given: [RegularSeries([1, 3, 2])])
    }
  }

  private func given(_ count: Int, _ random: inout SplitMix64) -> [Double] {
    (0..<count).map { _ in random.normal() }
  }

  @Test("Series from which others were taken lose as many independent rows")
  func lost() throws {
    var random = SplitMix64(seed: 54)
    let series = try (0..<3).map { _ in try RegularSeries(given(100, &random)) }
    let (plain, less) = (
      try Relations(series), try Relations(series, givenCount: 2)
    )
    for (one, other) in zip(plain.tested, less.tested) {
      #expect(one.correlation.coefficient == other.correlation.coefficient)
      #expect(one.correlation.effectiveCount == other.correlation.effectiveCount + 2)
      #expect(one.pValue <= other.pValue)
    }
  }

  @Test("What a third column explains is gone, and each given one takes a degree of freedom")
  func explained() throws {
    var random = SplitMix64(seed: 52)
    let cause = (0..<300).map { _ in random.normal() }
    let x = cause.map { $0 + 0.3 * random.normal() }
    let y = cause.map { -$0 + 0.3 * random.normal() }
    #expect(try Correlation(x, y).coefficient < -0.8)
    let partial = try PartialCorrelation(x, y, given: [cause])
    #expect(partial.pValue > 0.01 && partial.coefficient.magnitude < 0.15)
    #expect(partial.correlation.effectiveCount == 299)
    let interval = try partial.correlation.interval(confidence: 0.99)
    #expect(interval.contains(0) && interval.contains(partial.coefficient))
  }

  @Test("Explained, constant, short and broken columns are refused by name")
  func refusals() throws {
    let x = (0..<12).map { Double($0 * 5 % 11) }
    let y = (0..<12).map { Double($0 * $0 % 7) }
    let z = (0..<12).map { Double($0 * 3 % 5) }
    #expect(refusal(x, y, [x.map { 3 * $0 - 1 }]) == AnalysisError(.collinear(column: "x")))
    #expect(refusal(x, y, [z, y]) == AnalysisError(.collinear(column: "y")))
    #expect(refusal(x, y, [z, z]) == AnalysisError(.collinear(column: "given column 2")))
    #expect(refusal(x, y, [Array(repeating: 0.1, count: 12)]) == AnalysisError(.constant))
    #expect(refusal(x, y, [[1]]) == AnalysisError(.lengthsDiffer(x: 12, y: 1)))
    #expect(refusal([], [], []) == AnalysisError(.tooFewPoints(count: 0, needed: 4)))
    #expect(
      refusal([1, 2, 3, 4], [2, 1, 3, 4], [[1, 2, 1, 2]])
        == AnalysisError(.tooFewPoints(count: 4, needed: 5)))
    #expect(refusal(x, y.map { $0 / 0 }, [z])?.reason == .notFinite)
    let far = try PartialCorrelation(
      x.map { $0 * 1e300 }, y.map { $0 * 1e-300 }, given: [z.map { $0 * 1e306 }],
      method: .pearson)
    let near = try PartialCorrelation(x, y, given: [z], method: .pearson)
    #expect(isNear(far.coefficient, near.coefficient, 1e-12))
  }

  private func refusal(_ x: [Double], _ y: [Double], _ given: [[Double]]) -> AnalysisError? {
    do {
      _ = try PartialCorrelation(x, y, given: given, method: .pearson)
      return nil
    } catch { return error }
  }
}
