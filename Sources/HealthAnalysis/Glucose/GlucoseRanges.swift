/// The shares of five ranges of glucose, of the time or of the readings.
///
/// The edges are those of the American Diabetes Association, *Standards of Care in Diabetes*, section
/// 6, recommendation 6.2, and of T. Battelino and others, Diabetes Care 42: 1593 (2019). The shares
/// add up to 1.
public struct GlucoseRanges: Sendable, Hashable {
  /// Below 54 mg/dL, from 0 to 1.
  public let veryLow: Double
  /// From 54 to below 70 mg/dL.
  public let low: Double
  /// From 70 to 180 mg/dL, both included.
  public let inRange: Double
  /// Above 180, up to 250 mg/dL.
  public let high: Double
  /// Above 250 mg/dL.
  public let veryHigh: Double

  /// The edges between the ranges, in mg/dL: 54, 70, 180 and 250.
  public static let edges = [54.0, 70, 180, 250]

  /// The glycemia risk index, from 0 to 100: 100·(3·veryLow + 2.4·low + 1.6·veryHigh + 0.8·high),
  /// at most 100.
  ///
  /// Source: D. C. Klonoff and others, Journal of Diabetes Science and Technology 17: 1226 (2023).
  public var riskIndex: Double {
    min(100, 100 * (3 * veryLow + 2.4 * low + 1.6 * veryHigh + 0.8 * high))
  }

  /// The range of a reading: 0 is very low, 4 very high.
  static func place(of value: Double) -> Int {
    if value < 54 {
      0
    } else if value < 70 {
      1
    } else if value <= 180 {
      2
    } else {
      value <= 250 ? 3 : 4
    }
  }

  /// The shares of weights that are not all zero.
  init?(values: [Double], weights: [Double]) {
    var parts = [[Double]](repeating: [], count: 5)
    for (value, weight) in zip(values, weights) { parts[Self.place(of: value)].append(weight) }
    let sums = parts.map(\.compensatedSum)
    let total = sums.compensatedSum
    guard total > 0 else { return nil }
    (veryLow, low, inRange) = (sums[0] / total, sums[1] / total, sums[2] / total)
    (high, veryHigh) = (sums[3] / total, sums[4] / total)
  }
}

extension GlucoseReadings {
  /// The shares of the readings.
  ///
  /// - Throws: `AnalysisError` when there is no reading
  /// - Complexity: O(*n*)
  public func rangesBySamples() throws(AnalysisError) -> GlucoseRanges {
    guard
      let ranges = GlucoseRanges(
        values: values, weights: Array(repeating: 1, count: count))
    else { throw AnalysisError(.tooFewPoints(count: 0, needed: 1)) }
    return ranges
  }

  /// The shares of the time for which readings stand.
  ///
  /// A reading holds until the next one, for at most `hold`. The last one holds until `end`, or
  /// without an end as long as the one before it; a lone one for `hold`. What follows is time
  /// without data and has no share. Equally spaced readings so have the shares of
  /// ``rangesBySamples()``, and a few readings of a meter, hours apart, count alike.
  ///
  /// - Parameters:
  ///   - hold: the longest time that a reading stands for, in seconds, at most a day
  ///   - end: where the period ends, in seconds
  /// - Returns: the shares of the time with data
  /// - Throws: `AnalysisError` when there is no reading before `end`, or for a parameter outside of
  ///   its range
  /// - Complexity: O(*n*)
  public func rangesByTime(
    hold: Double = holdingTime, end: Double? = nil
  ) throws(AnalysisError) -> GlucoseRanges {
    let weights = try readings.holdingTimes(limit: hold, end: end)
    guard let ranges = GlucoseRanges(values: values, weights: weights) else {
      throw AnalysisError(.tooFewPoints(count: 0, needed: 1))
    }
    return ranges
  }
}
