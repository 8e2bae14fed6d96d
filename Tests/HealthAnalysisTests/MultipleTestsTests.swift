import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct MultipleTestsTests {
  private struct Python: Decodable { let adjusted: [String: [String: [Double]]] }
  private struct R: Decodable { let adjusted: [String: [Double]] }

  private static let names: [(MultipleTests, String)] = [
    (.benjaminiHochberg, "fdr_bh"), (.benjaminiYekutieli, "fdr_by"), (.holm, "holm"),
  ]

  @Test("statsmodels and R adjust to the same numbers", arguments: names)
  func references(method: MultipleTests, name: String) throws {
    let python: Python = try RelationReferences.load("relations")
    let r: R = try RelationReferences.load("relations-r")
    for rows in Array(python.adjusted.values) + [r.adjusted] {
      let expected = try #require(rows[name])
      let adjusted = try method.adjusted(try #require(rows["p"]))
      for (ours, theirs) in zip(adjusted, expected) {
        #expect(RelationReferences.isNear(ours, theirs, 1e-13))
      }
      #expect(adjusted.count == expected.count)
    }
  }

  @Test("The published example of ten comes out to ten digits")
  func published() throws {
    let p = [0.001, 0.008, 0.039, 0.041, 0.042, 0.06, 0.074, 0.205, 0.212, 0.216]
    let expected: [(MultipleTests, [Double])] = [
      (
        .benjaminiHochberg,
        [0.01, 0.04, 0.084, 0.084, 0.084, 0.1, 0.10571428571428572, 0.216, 0.216, 0.216]
      ),
      (.holm, [0.01, 0.072, 0.312, 0.312, 0.312, 0.312, 0.312, 0.615, 0.615, 0.615]),
    ]
    for (method, values) in expected {
      for (ours, theirs) in zip(try method.adjusted(p), values) {
        #expect(RelationReferences.isNear(ours, theirs, 1e-10))
      }
    }
  }

  @Test("Random numbers with ties match the definition, in any order")
  func definition() throws {
    var random = SplitMix64(seed: 21)
    for count in 0..<40 {
      let p = (0..<count).map { _ in Double(Int.random(in: 0...30, using: &random)) / 30 }
      let slow = SlowCorrelation.benjaminiHochberg(p)
      let harmonic = stride(from: 1, through: Double(count), by: 1).reduce(0) { $0 + 1 / $1 }
      for (method, expected) in [
        (MultipleTests.benjaminiHochberg, slow), (.holm, SlowCorrelation.holm(p)),
        (
          .benjaminiYekutieli,
          SlowCorrelation.benjaminiHochberg(p.map { $0 * harmonic }).map { min(1, $0) }
        ),
      ] {
        let adjusted = try method.adjusted(p)
        for (ours, theirs) in zip(adjusted, expected) { #expect((ours - theirs).magnitude < 1e-14) }
        #expect(zip(adjusted, p).allSatisfy { $0 >= $1 && $0 <= 1 })
      }
    }
  }

  @Test("None stay none, one stays as it is, and what is no probability is refused")
  func limits() throws {
    for method in MultipleTests.allCases {
      #expect(try method.adjusted([]) == [])
      #expect(try method.adjusted([0.3]) == [0.3])
      #expect(try method.adjusted([0, 1, .leastNonzeroMagnitude]).allSatisfy(\.isFinite))
      #expect(throws: AnalysisError(.notFinite, row: 1)) { try method.adjusted([0.1, .nan]) }
      #expect(throws: AnalysisError(.outOfRange, row: 0)) { try method.adjusted([1.5]) }
      #expect(throws: AnalysisError(.outOfRange, row: 1)) { try method.adjusted([1, -1e-9]) }
    }
  }
}
