import HealthSamples

/// Values with the times at which they were measured, which need not be equally far apart.
struct TimedValues: Sendable, Hashable {
  /// In seconds, each later than the one before.
  let times: [Double]
  let values: [Double]

  /// Checks the columns.
  ///
  /// - Throws: `AnalysisError` for columns of different lengths, a number that is not finite, a
  ///   value outside of `range`, or times that do not increase
  init(
    times: [Double], values: [Double], within range: ClosedRange<Double>
  ) throws(AnalysisError) {
    guard times.count == values.count else {
      throw AnalysisError(.lengthsDiffer(x: times.count, y: values.count))
    }
    for row in times.indices {
      guard times[row].isFinite, values[row].isFinite else {
        throw AnalysisError(.notFinite, row: row)
      }
      guard range.contains(values[row]) else { throw AnalysisError(.outOfRange, row: row) }
      guard row == 0 || times[row] > times[row - 1] else {
        throw AnalysisError(.notOrdered, row: row)
      }
    }
    self.times = times
    self.values = values
  }

  /// How long each value stands for the curve, in seconds.
  ///
  /// A value holds until the next one, and for at most `limit`. The last one holds until `end`, and
  /// for at most `limit`; without an end as long as the value before it, so that equally spaced
  /// values have equal weights. A lone value without an end holds for `limit`. What lies at or
  /// after the end holds for no time.
  ///
  /// - Parameters:
  ///   - limit: the longest time that a value holds
  ///   - end: where the curve ends
  /// - Returns: seconds, one number for each value
  /// - Throws: `AnalysisError` for a limit that is not between 0 and a day, or an end that is not
  ///   finite
  /// - Complexity: O(*n*)
  func holdingTimes(limit: Double, end: Double? = nil) throws(AnalysisError) -> [Double] {
    guard limit > 0, limit <= .secondsPerDay else {
      throw AnalysisError(
        .parameter(name: "time that a value holds", range: "more than 0 and at most 86,400 s"))
    }
    if let end, !end.isFinite {
      throw AnalysisError(.parameter(name: "end", range: "a finite number of seconds"))
    }
    var held = [Double](repeating: limit, count: times.count)
    for row in times.indices {
      let next = row + 1 < times.count ? times[row + 1] : .infinity
      held[row] = min(limit, max(0, min(next, end ?? .infinity) - times[row]))
    }
    if end == nil, times.count > 1 { held[times.count - 1] = held[times.count - 2] }
    return held
  }
}
