/// How much glucose differs from what it was some hours before: MODD and CONGA.
///
/// ```swift
/// let days = try readings.differences(hours: 24)
/// days.meanMagnitude      // MODD, the mean of daily differences
/// let hours = try readings.differences(hours: 1)
/// hours.standardDeviation // CONGA(1), the continuous overlapping net glycemic action
/// ```
///
/// Sources: for MODD G. D. Molnar, W. F. Taylor and M. M. Ho, Diabetologia 8: 342 (1972), for CONGA C. M.
/// McDonnell and others, Diabetes Technology and Therapeutics 7: 253 (2005). Each pair of readings has the
/// same weight.
public struct GlucoseDifferences: Sendable, Hashable {
  /// How many hours lie between the readings of a pair.
  public let hours: Double
  /// The number of pairs.
  public let count: Int
  /// The mean of |*g*(*t*) − *g*(*t* − hours)|, in mg/dL; MODD for 24 hours.
  public let meanMagnitude: Double
  /// CONGA: the standard deviation of *g*(*t*) − *g*(*t* − hours), with *n* − 1, in mg/dL; `nil` for
  /// one pair.
  public let standardDeviation: Double?
}

extension GlucoseReadings {
  /// The differences between readings and those some hours before.
  ///
  /// A reading makes a pair with the reading nearest to the moment that many hours before it, of two as
  /// near with the earlier one. Hours are those of a clock that is never changed. Readings that are not
  /// there are not interpolated, as some programs do: readings without one near enough make no pair.
  ///
  /// - Parameters:
  ///   - hours: more than 0 and at most 8,784, the hours of a year
  ///   - nearest: how far the other reading may be from that moment, in seconds, less than half of the
  ///     hours; by default half of the 15 minutes between two readings of a slow sensor
  /// - Returns: the measures of the pairs
  /// - Throws: `AnalysisError` when there is no pair, or for a parameter outside of its range
  /// - Complexity: O(*n*)
  public func differences(
    hours: Double, nearest: Double = holdingTime / 2
  ) throws(AnalysisError) -> GlucoseDifferences {
    guard hours > 0, hours <= 8_784 else {
      throw AnalysisError(.parameter(name: "hours", range: "more than 0 and at most 8,784"))
    }
    guard nearest >= 0, nearest < hours * 1_800 else {
      throw AnalysisError(
        .parameter(name: "distance of readings", range: "from 0 to below half of the hours"))
    }
    var differences: [Double] = []
    var other = 0
    for row in values.indices {
      let moment = times[row] - hours * 3_600
      while other + 1 < row,
        (times[other + 1] - moment).magnitude < (times[other] - moment).magnitude
      { other += 1 }
      guard other < row, (times[other] - moment).magnitude <= nearest else { continue }
      differences.append(values[row] - values[other])
    }
    guard !differences.isEmpty else { throw AnalysisError(.tooFewPoints(count: 0, needed: 1)) }
    return GlucoseDifferences(
      hours: hours, count: differences.count,
      meanMagnitude: differences.map(\.magnitude).compensatedMean,
      standardDeviation: differences.count > 1
        ? differences.standardDeviation(divisor: differences.count - 1) : nil)
  }
}
