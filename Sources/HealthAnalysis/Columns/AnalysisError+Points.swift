#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// The statistics do not import Foundation, so their error conforms to LocalizedError here.

extension AnalysisError: LocalizedError {
  /// The description, for Foundation.
  public var errorDescription: String? { description }
}

extension AnalysisError {
  /// Refuses coordinates of different numbers, too few of them, and one that is not finite.
  ///
  /// - Complexity: O(*n*)
  static func checkPoints(
    _ x: [Double], _ y: [Double], atLeast needed: Int = 0
  ) throws(AnalysisError) {
    guard x.count == y.count else { throw AnalysisError(.lengthsDiffer(x: x.count, y: y.count)) }
    guard x.count >= needed else {
      throw AnalysisError(.tooFewPoints(count: x.count, needed: needed))
    }
    if let row = x.indices.first(where: { !(x[$0].isFinite && y[$0].isFinite) }) {
      throw AnalysisError(.notFinite, row: row)
    }
  }
}
