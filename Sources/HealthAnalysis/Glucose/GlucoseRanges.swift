/// The shares of five ranges of glucose, of the time or of the readings.
///
/// Each reading is judged in the unit in which it was recorded, by the edges of ``GlucoseUnit``. The
/// shares add up to 1.
public struct GlucoseRanges: Sendable, Hashable {
  /// Below 54 mg/dL or 3.0 mmol/L, from 0 to 1.
  public let veryLow: Double
  /// From 54 to below 70 mg/dL, or from 3.0 to below 3.9 mmol/L.
  public let low: Double
  /// From 70 to 180 mg/dL, or from 3.9 to 10.0 mmol/L, all of them included.
  public let inRange: Double
  /// Above 180, up to 250 mg/dL, or above 10.0, up to 13.9 mmol/L.
  public let high: Double
  /// Above 250 mg/dL or 13.9 mmol/L.
  public let veryHigh: Double
  /// The tight range, a part of ``inRange``: from 70 to 140 mg/dL, or from 3.9 to 7.8 mmol/L, all of
  /// them included.
  ///
  /// Source: T. Battelino and others, Lancet Diabetes and Endocrinology 11: 42 (2023).
  public let inTightRange: Double

  /// The glycemia risk index, from 0 to 100: 100·(3·veryLow + 2.4·low + 1.6·veryHigh + 0.8·high),
  /// at most 100.
  ///
  /// Source: D. C. Klonoff and others, Journal of Diabetes Science and Technology 17: 1226 (2023).
  public var riskIndex: Double {
    min(100, 100 * (3 * veryLow + 2.4 * low + 1.6 * veryHigh + 0.8 * high))
  }

  /// The shares of weights that are not all zero, by the range of each and whether it is tight.
  init?(ranges: [Int], areTight: [Bool], weights: [Double]) {
    var parts = [[Double]](repeating: [], count: 5)
    for (range, weight) in zip(ranges, weights) { parts[range].append(weight) }
    let sums = parts.map(\.compensatedSum)
    let total = sums.compensatedSum
    guard total > 0 else { return nil }
    (veryLow, low, inRange) = (sums[0] / total, sums[1] / total, sums[2] / total)
    (high, veryHigh) = (sums[3] / total, sums[4] / total)
    let tight = zip(areTight, weights).lazy.filter(\.0).map(\.1)
    inTightRange = Array(tight).compensatedSum / total
  }
}

extension GlucoseReadings {
  /// The shares of the readings.
  ///
  /// - Throws: `AnalysisError` when there is no reading
  /// - Complexity: O(*n*)
  public func rangesBySamples() throws(AnalysisError) -> GlucoseRanges {
    guard
      let shares = GlucoseRanges(
        ranges: ranges, areTight: areTight, weights: Array(repeating: 1, count: count))
    else { throw AnalysisError(.tooFewPoints(count: 0, needed: 1)) }
    return shares
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
    guard let shares = GlucoseRanges(ranges: ranges, areTight: areTight, weights: weights) else {
      throw AnalysisError(.tooFewPoints(count: 0, needed: 1))
    }
    return shares
  }
}
