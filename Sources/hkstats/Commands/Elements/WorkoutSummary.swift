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
    duration = NumberText.shortest(workout.activeSeconds)
    let known = workout.heartRates(among: heartRates.map(\.rate))
    meanHeartRate = known.mean.map(NumberText.shortest)
    highestHeartRate = known.highest.map(NumberText.shortest)
    zoneSeconds =
      zones.isEmpty ? [] : workout.seconds(inZones: zones, among: heartRates)
  }

  /// Metres, for any type of distance.
  var distance: Double? { workout.totalDistance.map(NumberText.shortest) }

  /// Kilocalories of activity.
  var energy: Double? { workout.totalEnergy.map(NumberText.shortest) }
}
