import HealthExchange
import HealthQuery
import HealthSamples

/// The displayed data of one workout.
struct WorkoutSummary {
  /// The workout, with its numbers as in ``OutputRow``: without rounding errors of the conversion.
  let workout: Workouts.Row
  /// Seconds without pauses, otherwise from start to end.
  let duration: Double
  let routes: WorkoutRoutes.Summary
  /// The mean and the highest heart rate, in beats a minute; `nil` without any.
  let meanHeartRate: Double?
  let highestHeartRate: Double?
  /// Seconds in each zone, one more than bounds; empty without bounds.
  let zoneSeconds: [Double]

  private static let secondsPerMinute = 60.0

  /// Summarises a workout.
  ///
  /// - Parameters:
  ///   - workout: the workout
  ///   - routes: its routes
  ///   - heartRates: samples in its time, in count/s, of any source
  ///   - zones: bounds between zones, in beats per minute
  init(
    _ workout: Workouts.Row, routes: WorkoutRoutes.Summary,
    heartRates: [WorkoutHeartRates.Sample], zones: [Double]
  ) {
    self.workout = workout
    self.routes = routes
    let (start, end) = (workout.facts.start, workout.facts.end)
    duration = NumberText.shortest(workout.activeSeconds)
    let samples =
      heartRates
      .map { (time: max(start, $0.start), rate: $0.rate) }
      .sorted { $0.time < $1.time }
    let known = workout.heartRates(among: samples.map(\.rate))
    meanHeartRate = known.mean.map(NumberText.shortest)
    highestHeartRate = known.highest.map(NumberText.shortest)
    zoneSeconds =
      zones.isEmpty ? [] : Self.seconds(of: samples, until: end, zones: zones)
  }

  /// Metres, for any type of distance.
  var distance: Double? { workout.totalDistance.map(NumberText.shortest) }

  /// Kilocalories of activity.
  var energy: Double? { workout.totalEnergy.map(NumberText.shortest) }

  private static func seconds(
    of samples: [(time: Double, rate: Double)], until end: Double, zones: [Double]
  ) -> [Double] {
    var seconds = [Double](repeating: 0, count: zones.count + 1)
    for (index, sample) in samples.enumerated() {
      let next = index + 1 < samples.count ? samples[index + 1].time : end
      let zone = zones.count { $0 <= sample.rate * secondsPerMinute }
      seconds[zone] += min(max(0, next - sample.time), secondsPerMinute)
    }
    return seconds
  }
}
