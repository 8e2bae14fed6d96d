import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct OrderTests {
  @Test("Quantiles lie on the lines between sorted values, in whatever order they come")
  func quantiles() {
    // Hyndman and Fan's type 7 of 1, 2, 4, 8: index 3·share.
    for values in [[1.0, 2, 4, 8], [8, 1, 4, 2]] {
      #expect(values.quantile(0) == 1 && values.quantile(1) == 8)
      #expect(values.quantile(1.0 / 3) == 2 && values.median == 3)
      #expect(values.quantile(0.25) == 1.75 && values.quantile(0.75) == 5)
    }
    #expect([5.0].quantile(0.3) == 5 && [5.0].median == 5)
    #expect([1.0, 2, 9].median == 2)
  }

  @Test("There is no quantile of nothing, nor at a share outside of 0 to 1")
  func none() {
    #expect([Double]().median == nil && [Double]().quantile(0) == nil)
    for share in [-0.1, 1.1, Double.nan, .infinity] { #expect([1.0, 2].quantile(share) == nil) }
  }

  @Test("Extreme values have a quantile between them")
  func extremes() {
    let huge = Double.greatestFiniteMagnitude
    #expect([-huge, huge].median == 0)
    #expect([huge, huge].median == huge)
    #expect([0, Double.leastNonzeroMagnitude].quantile(0.25) == 0)
  }

  @Test("Shifting and scaling by powers of two shifts and scales quantiles exactly")
  func laws() throws {
    var random = SplitMix64(seed: 81)
    for count in 1...30 {
      let values = (0..<count).map { _ in Double(Int.random(in: -999...999, using: &random)) }
      for share in [0, 0.25, 0.5, 0.75, 1] {
        let quantile = try #require(values.quantile(share))
        #expect(values.map { 4 * $0 }.quantile(share) == 4 * quantile)
        #expect(values.map { $0 + 64 }.quantile(share) == quantile + 64)
        #expect(values.map { -$0 }.quantile(1 - share) == -quantile)
        #expect(values.count { $0 < quantile } <= Int((Double(count - 1) * share).rounded(.up)))
      }
    }
  }
}
