import HealthQuery
package import HealthSamples

extension Workouts.Row {
  /// How long a rate counts at most, in seconds: the next one follows sooner in a workout.
  private static let longestHold = 60.0

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
    let samples =
      rates.map { (time: max(facts.start, $0.start), rate: $0.rate) }.sorted { $0.time < $1.time }
    var seconds = [Double](repeating: 0, count: bounds.count + 1)
    for (index, sample) in samples.enumerated() {
      let next = index + 1 < samples.count ? samples[index + 1].time : facts.end
      let zone = bounds.count { $0 <= sample.rate * 60 }
      seconds[zone] += min(max(0, next - sample.time), Self.longestHold)
    }
    return seconds
  }
}
