/// How *p*-values of many tests are adjusted, so that chance alone does not fill the list.
///
/// ```swift
/// try MultipleTests.benjaminiHochberg.adjusted([0.01, 0.02, 0.5])  // [0.03, 0.03, 0.5]
/// ```
public enum MultipleTests: Sendable, Hashable, CaseIterable {
  /// The false discovery rate: of the tests at or below a rate, the expected share without an effect
  /// is at most that rate. The tests are independent or depend positively (Benjamini and Hochberg,
  /// *Journal of the Royal Statistical Society B* 57, 1995, 289–300).
  case benjaminiHochberg
  /// The false discovery rate for tests that depend in any way: Benjamini and Hochberg's, times
  /// 1 + 1/2 + … + 1/*m* (Benjamini and Yekutieli, *Annals of Statistics* 29, 2001, 1165–1188).
  case benjaminiYekutieli
  /// The probability of even one test without an effect at or below a rate, however they depend
  /// (Holm, *Scandinavian Journal of Statistics* 6, 1979, 65–70).
  case holm

  /// The adjusted *p*-values, each at the place of its own.
  ///
  /// With *p*₍₁₎ ≤ … ≤ *p*₍ₘ₎: minₖ≥ᵢ *p*₍ₖ₎·*m*/*k* for Benjamini and Hochberg, and
  /// maxₖ≤ᵢ *p*₍ₖ₎·(*m* + 1 − *k*) for Holm; at most 1.
  ///
  /// - Parameter pValues: the *p*-values of all tests that were made
  /// - Returns: as many numbers of 0 to 1; none for none
  /// - Throws: `AnalysisError` with the row of a number that is not between 0 and 1
  /// - Complexity: O(*m* log *m*)
  public func adjusted(_ pValues: [Double]) throws(AnalysisError) -> [Double] {
    if let row = pValues.firstIndex(where: { !$0.isFinite }) {
      throw AnalysisError(.notFinite, row: row)
    }
    if let row = pValues.firstIndex(where: { !(0...1).contains($0) }) {
      throw AnalysisError(.outOfRange, row: row)
    }
    let order = pValues.indices.sorted { pValues[$0] < pValues[$1] }
    let count = Double(order.count)
    var adjusted = pValues
    switch self {
    case .benjaminiHochberg, .benjaminiYekutieli:
      let factor =
        self == .benjaminiHochberg
        ? 1 : stride(from: count, to: 0, by: -1).reduce(0) { $0 + 1 / $1 }
      var least = 1.0
      for (index, row) in order.enumerated().reversed() {
        least = min(least, pValues[row] * (count * factor / Double(index + 1)))
        adjusted[row] = least
      }
    case .holm:
      var most = 0.0
      for (index, row) in order.enumerated() {
        most = max(most, min(1, pValues[row] * (count - Double(index))))
        adjusted[row] = most
      }
    }
    return adjusted
  }
}
