/// Why an analysis was refused, and at which row.
public struct AnalysisError: Error, Sendable, Hashable {
  /// The reason of a refusal.
  public enum Reason: Sendable, Hashable {
    /// The columns have different lengths.
    case lengthsDiffer(x: Int, y: Int)
    /// There are fewer points than the analysis needs.
    case tooFewPoints(count: Int, needed: Int)
    /// There are more points than LAPACK can count.
    case tooManyPoints(count: Int)
    /// A coordinate is infinite or not a number.
    case notFinite
    /// All points have the same x: any slope fits.
    case singular
    /// A result is too large for a `Double`.
    case overflow
    /// A confidence level is not between 0 and 1.
    case confidenceOutOfRange
    /// There is not enough memory for LAPACK.
    case outOfMemory
    /// LAPACKE could not be loaded; the reason of the dynamic linker.
    case libraryNotLoaded(String)
  }

  /// The first row with the problem; `nil` when it concerns all.
  public let row: Int?
  /// The reason.
  public let reason: Reason

  /// Makes an error.
  public init(_ reason: Reason, row: Int? = nil) {
    self.row = row
    self.reason = reason
  }
}
