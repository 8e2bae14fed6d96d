public import Foundation

extension AnalysisError: LocalizedError, CustomStringConvertible {
  /// Why the analysis was refused, at which row, and what to do.
  public var description: String {
    let place = row.map { " (row \($0))" } ?? ""
    return switch reason {
    case .lengthsDiffer(let x, let y):
      "The columns have different lengths: \(x) and \(y). Give as many x as y."
    case .tooFewPoints(let count, let needed):
      "A trend needs at least \(needed) points; here \(count == 1 ? "is" : "are") \(count). Give "
        + "shorter intervals or a longer period."
    case .tooManyPoints(let count):
      "\(count) points are more than LAPACK counts. Give longer intervals."
    case .notFinite: "A coordinate is infinite or not a number\(place). Leave it out."
    case .singular: "All points lie at one moment: any line fits. Give a longer period."
    case .overflow: "The values are too large for a trend\(place)."
    case .confidenceOutOfRange: "A confidence level lies between 0 and 1."
    case .outOfMemory: "There is not enough memory for LAPACK. Give longer intervals."
    case .libraryNotLoaded(let reason):
      "A trend needs LAPACKE and OpenBLAS, which are not installed: \(reason). On Debian: apt-get "
        + "install liblapacke libopenblas0"
    }
  }

  /// The description, for Foundation.
  public var errorDescription: String? { description }
}
