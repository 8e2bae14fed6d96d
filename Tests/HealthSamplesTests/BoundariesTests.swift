import HealthSamples
import Testing
import _HealthTestSupport

@Suite
struct BoundariesTests {
  @Test(
    "Edges that are not finite, not ascending or alone are no boundaries",
    arguments: [
      [1], [2, 1], [1, 1], [0, 1, 1], [0, .nan], [.nan, 1], [0, .infinity], [-.infinity, 0],
    ] as [[Double]])
  func refused(edges: [Double]) {
    #expect(Boundaries(edges: edges) == nil)
  }

  @Test("No edges are no intervals")
  func empty() throws {
    let none = try #require(Boundaries(edges: []))
    #expect(none.count == 0)
    #expect(none.index(of: 0) == nil)
  }

  @Test("An instant on an edge belongs to the interval that starts there, the last edge to none")
  func edges() throws {
    let boundaries = try #require(Boundaries(edges: [-1, 0, 2, 5]))
    #expect(boundaries.count == 3)
    let places = [-1.5, -1, -0.5, 0, 2, 4.9, 5, 6, .nan].map(boundaries.index(of:))
    #expect(places == [nil, 0, 0, 1, 2, 2, nil, nil, nil])
  }

  @Test("The interval of an instant is the one that a walk along the edges finds")
  func matchesWalk() throws {
    var random = SplitMix64(seed: 21)
    for count in 2...20 {
      for _ in 0..<20 {
        let edges = Set((0..<count).map { _ in Double(Int.random(in: 0..<60, using: &random)) })
        guard let boundaries = Boundaries(edges: edges.sorted()) else {
          #expect(edges.count == 1)
          continue
        }
        for half in -2..<124 {
          let instant = Double(half) / 2
          let found = (0..<boundaries.count).first {
            boundaries.edges[$0] <= instant && instant < boundaries.edges[$0 + 1]
          }
          #expect(boundaries.index(of: instant) == found)
        }
      }
    }
  }
}
