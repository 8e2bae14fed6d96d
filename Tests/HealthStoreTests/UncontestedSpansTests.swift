import Testing
import _HealthTestSupport

@testable import HealthStore

@Suite struct UncontestedSpansTests {
  private func agree(_ spans: [(start: Double, end: Double, source: Int)]) -> Bool {
    spans.map { SourceSpan(start: $0.start, end: $0.end, source: $0.source) }.areUncontested
      == ReferenceUncontestedSpans.ofSpans(spans)
  }

  @Test("finds what all pairs tell, for every three spans of two sources on four instants")
  func small() {
    let all = (0..<4).flatMap { start in
      (start..<4).flatMap { end in
        (0..<2).map { (start: Double(start), end: Double(end), source: $0) }
      }
    }
    for one in all {
      for two in all {
        #expect(all.allSatisfy { agree([one, two, $0]) } && agree([one, two]))
      }
    }
  }

  @Test("finds what all pairs tell for random spans", arguments: 0..<60)
  func random(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let spans = (0..<Int.random(in: 0...80, using: &random)).map { _ in
      let start = Double(Int.random(in: 0...200, using: &random))
      let length = Double(Int.random(in: 0...(seed % 30), using: &random))
      return (start: start, end: start + length, source: Int.random(in: 0...4, using: &random))
    }
    #expect(agree(spans))
  }
}
