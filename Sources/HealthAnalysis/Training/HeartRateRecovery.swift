/// How far the heart rate falls in some time after a workout.
///
/// Source: C. R. Cole and others, *Heart-rate recovery immediately after exercise as a predictor of
/// mortality*, New England Journal of Medicine 341: 1351 (1999), for one minute.
public struct HeartRateRecovery: Sendable, Hashable {
  /// How a rate at a moment is known.
  public enum Basis: String, Sendable, Hashable {
    /// From the sample nearest to it.
    case sample
    /// From the line between the samples around it.
    case line
  }

  /// The seconds after the end.
  public let seconds: Double
  /// The rate at the end, in beats a minute.
  public let rateAtEnd: Double
  /// How it is known.
  public let basisAtEnd: Basis
  /// The rate after these seconds, in beats a minute.
  public let rateAfter: Double
  /// How it is known.
  public let basisAfter: Basis

  /// The fall of the rate, in beats a minute; negative when it rose.
  public var drop: Double { rateAtEnd - rateAfter }
}

extension HeartRateCurve {
  /// The fall of the rate after the end of a workout.
  ///
  /// The rate at each of the two moments is that of the nearest sample, when one is within `nearest`
  /// seconds (the mean of two that are equally near). Else it lies on the line between the samples
  /// around the moment, when they are at most `bridge` seconds apart. Else it is unknown.
  ///
  /// ```swift
  /// let curve = try HeartRateCurve(times: [0, 57, 130], rates: [165, 130, 105])
  /// try curve.recovery(from: 0, after: 60).drop  // 35
  /// ```
  ///
  /// - Parameters:
  ///   - end: when the workout ended, in seconds
  ///   - seconds: how long after it; one minute by default, and two are usual as well
  ///   - nearest: how far a sample may be from the moment, in seconds
  ///   - bridge: how far apart two samples may be with a line between them, in seconds. The rate falls
  ///     along a curve below the line, by a few beats over the 30 seconds of the default.
  /// - Returns: both rates
  /// - Throws: `AnalysisError` with `unmeasured` when a rate is unknown, or for a parameter outside of
  ///   its range
  /// - Complexity: O(*n*)
  public func recovery(
    from end: Double, after seconds: Double = 60, nearest: Double = 10, bridge: Double = 30
  ) throws(AnalysisError) -> HeartRateRecovery {
    guard end.isFinite else {
      throw AnalysisError(.parameter(name: "end", range: "a finite number of seconds"))
    }
    guard seconds > 0, seconds <= 3600 else {
      throw AnalysisError(
        .parameter(name: "time after the end", range: "more than 0 and at most 3,600 s"))
    }
    for limit in [nearest, bridge] where !(0...600).contains(limit) {
      throw AnalysisError(.parameter(name: "distance of samples", range: "from 0 to 600 s"))
    }
    let first = try rate(at: end, nearest: nearest, bridge: bridge)
    let second = try rate(at: end + seconds, nearest: nearest, bridge: bridge)
    return HeartRateRecovery(
      seconds: seconds, rateAtEnd: first.rate, basisAtEnd: first.basis, rateAfter: second.rate,
      basisAfter: second.basis)
  }

  /// The rate at a moment.
  private func rate(
    at moment: Double, nearest: Double, bridge: Double
  ) throws(AnalysisError) -> (rate: Double, basis: HeartRateRecovery.Basis) {
    let next = times.firstIndex { $0 >= moment }
    let previous = next.map { $0 - 1 } ?? count - 1
    let before = previous >= 0 ? moment - times[previous] : .infinity
    let after = next.map { times[$0] - moment } ?? .infinity
    if min(before, after) <= nearest {
      guard before != after, let next, after < before else {
        // Equally near, or the one before is nearer.
        guard before == after, let next else { return (rates[previous], .sample) }
        return (rates[previous] + (rates[next] - rates[previous]) / 2, .sample)
      }
      return (rates[next], .sample)
    }
    guard let next, before + after <= bridge else { throw AnalysisError(.unmeasured) }
    let share = before / (before + after)
    return (rates[previous] + (rates[next] - rates[previous]) * share, .line)
  }
}
