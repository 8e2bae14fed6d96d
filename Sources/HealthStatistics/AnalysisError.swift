public import HealthSamples

/// Why an analysis was refused, and at which row.
///
/// An error names rows, counts and columns, never a measured value.
public struct AnalysisError: Error, Sendable, Hashable {
  /// The reason of a refusal.
  public enum Reason: Sendable, Hashable {
    /// The columns have different lengths.
    case lengthsDiffer(x: Int, y: Int)
    /// There are fewer points than the analysis needs.
    case tooFewPoints(count: Int, needed: Int)
    /// There are data, and all of them are left out, since they cannot be what they say: how many.
    case allLeftOut(count: Int)
    /// There are more points than the analysis takes: `limit` is what LAPACK counts, or what fits
    /// into its memory.
    case tooManyPoints(count: Int, limit: Int)
    /// A coordinate is infinite or not a number.
    case notFinite
    /// A coordinate that must not be negative is, or one that must be positive is not.
    case outOfRange
    /// The rows are not in order of time, or two are at one time.
    case notOrdered
    /// All points have the same x: any slope fits.
    case singular
    /// All values are equal, so there is no variation to speak of.
    case constant
    /// A column of a design is a sum of multiples of the columns before it.
    case collinear(column: String)
    /// The data reach over less time than the analysis needs, both counted in rows.
    case spanTooShort(rows: Int, needed: Int)
    /// A gap has more empty rows than the analysis bridges.
    case gapTooLong(rows: Int, limit: Int)
    /// No value is near enough to a moment that the analysis needs.
    case unmeasured
    /// A parameter of the analysis is outside of its range: its name, and the range in words.
    case parameter(name: String, range: String)
    /// An iteration did not settle within its limit of steps.
    case notConverged(steps: Int)
    /// The estimate of a variance is zero or negative.
    case negativeVariance
    /// A result is too large for a `Double`.
    case overflow
    /// A confidence level is not between 0 and 1.
    case confidenceOutOfRange
    /// There is not enough memory for LAPACK.
    case outOfMemory
    /// LAPACK refused an argument or found no solution: the function and its `info`.
    case libraryFailed(function: String, info: Int)
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

extension AnalysisError: CodedError {}
