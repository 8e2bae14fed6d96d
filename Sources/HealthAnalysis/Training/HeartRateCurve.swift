/// Heart rates in order of time, as of a workout.
///
/// ```swift
/// let curve = try HeartRateCurve(times: [0, 30, 60], rates: [120, 140, 150])
/// try curve.edwardsLoad(maximum: 190)  // 4.0 (30 s each in zones 2, 3 and 3)
/// ```
public struct HeartRateCurve: Sendable, Hashable {
  let samples: TimedValues

  /// The longest time for which a rate stands, in seconds: a watch measures every few seconds in a
  /// workout, and a longer gap is time without data.
  public static let holdingTime = 60.0

  /// Makes a curve.
  ///
  /// - Parameters:
  ///   - times: in seconds, each later than the one before
  ///   - rates: in beats a minute, more than 0
  /// - Throws: `AnalysisError` for columns of different lengths, a number that is not finite, a rate
  ///   that is not positive, or times that do not increase
  /// - Complexity: O(*n*)
  public init(times: [Double], rates: [Double]) throws(AnalysisError) {
    samples = try TimedValues(
      times: times, values: rates,
      within: Double.leastNonzeroMagnitude...Double.greatestFiniteMagnitude)
  }

  /// The times, in seconds.
  public var times: [Double] { samples.times }
  /// The rates, in beats a minute.
  public var rates: [Double] { samples.values }
  /// The number of rates.
  public var count: Int { samples.times.count }

  /// The seconds for which each rate stands; some of them are not zero.
  private func weights(hold: Double, end: Double?) throws(AnalysisError) -> [Double] {
    let weights = try samples.holdingTimes(limit: hold, end: end)
    guard weights.contains(where: { $0 > 0 }) else {
      throw AnalysisError(.tooFewPoints(count: 0, needed: 1))
    }
    return weights
  }

  /// Banister's training impulse of the curve.
  ///
  /// A rate holds until the next one, for at most `hold`; the last one until `end`, or without an end
  /// as long as the one before it. The impulses of all pieces add up (see
  /// ``HeartRateReserve/trainingImpulse(minutes:meanRate:weighting:)``). Time without data adds
  /// nothing.
  ///
  /// - Parameters:
  ///   - reserve: the person's range of rates
  ///   - weighting: the curve of weights
  ///   - hold: the longest time for which a rate stands, in seconds, at most a day
  ///   - end: where the workout ends, in seconds
  /// - Returns: the impulse, in arbitrary units
  /// - Throws: `AnalysisError` when there is no rate before the end, for a parameter outside of its
  ///   range, or an impulse that overflows
  /// - Complexity: O(*n*)
  public func trainingImpulse(
    reserve: HeartRateReserve, weighting: TrainingImpulseWeighting, hold: Double = holdingTime,
    end: Double? = nil
  ) throws(AnalysisError) -> Double {
    let weights = try weights(hold: hold, end: end)
    let impulse = zip(rates, weights).map { rate, seconds in
      seconds / 60 * weighting.impulse(at: reserve.share(of: rate))
    }.compensatedSum
    guard impulse.isFinite else { throw AnalysisError(.overflow) }
    return impulse
  }

  /// The minutes in each of Edwards' five zones, the lowest first.
  ///
  /// The zones are from 50, 60, 70, 80 and 90 % of the maximum on, each up to below the next one; rates
  /// above the maximum are in the last. Time below 50 % is in none.
  ///
  /// - Parameters:
  ///   - maximum: the person's greatest rate, in beats a minute
  ///   - hold: the longest time for which a rate stands, in seconds, at most a day
  ///   - end: where the workout ends, in seconds
  /// - Returns: five numbers of minutes
  /// - Throws: `AnalysisError` when there is no rate before the end, or for a parameter outside of its
  ///   range
  /// - Complexity: O(*n*)
  public func edwardsZones(
    maximum: Double, hold: Double = holdingTime, end: Double? = nil
  ) throws(AnalysisError) -> [Double] {
    guard maximum > 0, maximum <= 1e6 else {
      throw AnalysisError(.parameter(name: "maximum heart rate", range: "more than 0"))
    }
    let weights = try weights(hold: hold, end: end)
    var zones = [[Double]](repeating: [], count: 5)
    for (rate, seconds) in zip(rates, weights) {
      // Whole numbers of beats have exact products, unlike shares of the maximum.
      if let zone = (5...9).last(where: { rate * 10 >= maximum * Double($0) }) {
        zones[zone - 5].append(seconds)
      }
    }
    return zones.map { $0.compensatedSum / 60 }
  }

  /// Edwards' training load: the minutes in each zone, times 1, 2, 3, 4 and 5.
  ///
  /// Source: S. Edwards, *The Heart Rate Monitor Book* (1993).
  ///
  /// - Parameters:
  ///   - maximum: the person's greatest rate, in beats a minute
  ///   - hold: the longest time for which a rate stands, in seconds, at most a day
  ///   - end: where the workout ends, in seconds
  /// - Returns: the load, in arbitrary units
  /// - Throws: `AnalysisError` as ``edwardsZones(maximum:hold:end:)`` does
  /// - Complexity: O(*n*)
  public func edwardsLoad(
    maximum: Double, hold: Double = holdingTime, end: Double? = nil
  ) throws(AnalysisError) -> Double {
    try edwardsZones(maximum: maximum, hold: hold, end: end).enumerated()
      .map { Double($0.offset + 1) * $0.element }.compensatedSum
  }
}
