/// The rule by which values such as heart rates become time in zones: a value counts until the next
/// one, for a minute at most, or for its own duration.
///
/// So each moment is in one zone at most, and a sensor that falls silent is not counted.
package struct TimeInZones {
  /// A value with the time for which it was measured.
  package struct Value {
    package let start: Double
    package let end: Double
    package let value: Double

    /// A value from a start to an end, in seconds since 2001-01-01 UTC.
    package init(start: Double, end: Double, value: Double) {
      (self.start, self.end, self.value) = (start, end, value)
    }
  }

  /// How long a value counts at most, in seconds: the next one follows sooner in a workout.
  private static let longestHold = 60.0

  /// The bounds between zones, ascending; a bound belongs to the zone above it.
  private let bounds: [Double]
  /// The values by start.
  private let values: [Value]

  /// Prepares values of any order.
  ///
  /// - Complexity: O(*n* log *n*)
  package init(bounds: [Double], values: [Value]) {
    self.bounds = bounds
    self.values = values.sorted { $0.start < $1.start }
  }

  /// The zone of a value, counted from the lowest.
  package static func zone(of value: Double, bounds: [Double]) -> Int {
    bounds.count { $0 <= value }
  }

  /// The seconds in each zone from a start to an end, one more than there are bounds.
  ///
  /// - Parameters:
  ///   - start: the start
  ///   - end: the end
  ///   - pauses: what does not count, ascending and apart
  /// - Returns: seconds by zone, from the lowest
  /// - Complexity: O(*n* × bounds + pauses)
  package func seconds(
    from start: Double, to end: Double, without pauses: [ClosedRange<Double>] = []
  ) -> [Double] {
    var seconds = [Double](repeating: 0, count: bounds.count + 1)
    var firstPause = 0
    for (index, value) in values.enumerated() {
      let next = index + 1 < values.count ? values[index + 1].start : .infinity
      let hold = min(next - value.start, max(value.end - value.start, Self.longestHold))
      // Offsets from the value: its hold keeps its digits where nothing cuts it.
      let first = max(0, start - value.start)
      let last = min(hold, end - value.start)
      guard first < last else { continue }
      while firstPause < pauses.count, pauses[firstPause].upperBound - value.start <= first {
        firstPause += 1
      }
      var active = last - first
      for pause in pauses[firstPause...] {
        let pauseStart = max(first, pause.lowerBound - value.start)
        guard pauseStart < last else { break }
        active -= min(last, pause.upperBound - value.start) - pauseStart
      }
      seconds[Self.zone(of: value.value, bounds: bounds)] += max(0, active)
    }
    return seconds
  }
}
