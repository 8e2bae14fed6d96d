/// A series as the sum of a trend, of seasons and of a remainder.
///
/// ```swift
/// let parts = try steps.decomposed(period: 7)
/// parts.trend[100]         // the level of that day
/// parts.seasonalStrength   // from 0 to 1, one for each period
/// ```
///
/// In every row that was measured, `trend + seasons + remainder` is the value but for rounding.
public struct Decomposition: Sendable, Hashable {
  /// A course that repeats after a number of rows.
  public struct Season: Sendable, Hashable {
    /// The number of rows after which it comes again.
    public let period: Int
    /// One value a row.
    ///
    /// They may change slowly from one period to the next.
    public let values: [Double]
  }

  /// The level, one value a row.
  public let trend: [Double]
  /// The seasons, the shortest period first.
  public let seasons: [Season]
  /// What is left: the value less trend and seasons; missing in a row that was filled.
  public let remainder: RegularSeries
  /// The series without its seasons; missing in a row that was filled.
  public let adjusted: RegularSeries
  /// Whether a row had no value and was filled for the decomposition only.
  public let isFilled: [Bool]
  /// How much a row counted in the last pass: from 0 to 1; all are 1 when it was not robust.
  public let weights: [Double]
  /// How much of the variation without seasons the trend explains, from 0 to 1:
  /// max(0, 1 − Var(R)/Var(T + R)) over the measured rows.
  ///
  /// `nil` when there is no such variation beyond rounding. Source: Wang, Smith and Hyndman, *Data
  /// Mining and Knowledge Discovery* 13, 2006, 335–364, in the form of Hyndman and
  /// Athanasopoulos, *Forecasting: Principles and Practice*, 3rd ed., section 4.3.
  public let trendStrength: Double?
  /// The same for each season: max(0, 1 − Var(R)/Var(S + R)).
  public let seasonalStrength: [Double?]

  /// The number of rows.
  public var count: Int { trend.count }
}
