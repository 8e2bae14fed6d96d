import HealthSamples
import Testing
import _HealthTestSupport

@Suite
struct BoundariesTests {
  @Test(
    "Edges that are not finite, not ascending or alone are refused, with the edge that is wrong",
    arguments: [
      ([1], .loneEdge, 0), ([2, 1], .edgesNotAscending, 1), ([1, 1], .edgesNotAscending, 1),
      ([0, 1, 1], .edgesNotAscending, 2), ([0, .nan], .edgeNotFinite, 1),
      ([.nan, 1], .edgeNotFinite, 0), ([0, .infinity], .edgeNotFinite, 1),
      ([-.infinity, 0], .edgeNotFinite, 0),
    ] as [([Double], ColumnError.Reason, Int)])
  func refused(edges: [Double], reason: ColumnError.Reason, index: Int) {
    #expect(throws: ColumnError(reason, index: index)) { try Boundaries(edges: edges) }
  }

  @Test("The boundaries of some intervals are those intervals")
  func slices() throws {
    let boundaries = try Boundaries(edges: [-1, 0, 2, 5])
    for lower in 0...3 {
      for upper in lower...3 {
        let slice = boundaries[lower..<upper]
        #expect(slice.count == upper - lower)
        for index in 0..<slice.count {
          #expect(slice.edges[index] == boundaries.edges[lower + index])
          #expect(slice.edges[index + 1] == boundaries.edges[lower + index + 1])
        }
      }
    }
  }

  @Test("No edges are no intervals")
  func empty() throws {
    let none = try Boundaries(edges: [])
    #expect(none.count == 0)
    #expect(none.edges.lastEdge(notAfter: 0) == -1)
  }

  @Test("An instant on an edge belongs to the interval that starts there")
  func edges() throws {
    let edges = [-1, 0, 2, 5.0]
    let found = [-1.5, -1, -0.5, 0, 2, 4.9, 5, 6, .nan].map { edges.lastEdge(notAfter: $0) }
    #expect(found == [-1, 0, 0, 1, 2, 2, 3, 3, -1])
  }

  @Test("The edge before an instant is the one that a walk along the edges finds, near any hint")
  func matchesWalk() throws {
    var random = SplitMix64(seed: 21)
    for count in 1...20 {
      for _ in 0..<20 {
        let edges = Set((0..<count).map { _ in Double(Int.random(in: 0..<60, using: &random)) })
          .sorted()
        for half in -2..<124 {
          let instant = Double(half) / 2
          let found = (edges.lastIndex { $0 <= instant }) ?? -1
          let hint = Int.random(in: -1..<edges.count, using: &random)
          #expect(edges.lastEdge(notAfter: instant) == found)
          #expect(edges.lastEdge(notAfter: instant, near: hint) == found)
        }
      }
    }
  }
}
