package import HealthSamples

extension Workouts.Row {
  /// Seconds in each heart rate zone: a rate counts until the next one, for a minute at most.
  ///
  /// - Parameters:
  ///   - bounds: the bounds between zones in beats a minute, ascending; a bound belongs to the zone
  ///     above it
  ///   - rates: samples that overlap it
  /// - Returns: seconds of each zone, one more than there are bounds
  /// - Complexity: O(*n* log *n* + *n* × bounds)
  package func seconds(
    inZones bounds: [Double], among rates: [WorkoutHeartRates.Sample]
  ) -> [Double] {
    let values = rates.map { rate in
      let start = max(facts.start, rate.start)
      return TimeInZones.Value(start: start, end: start, value: rate.rate * 60)
    }
    return TimeInZones(bounds: bounds, values: values).seconds(from: facts.start, to: facts.end)
  }
}
