import HealthExchange
import HealthQuery
import HealthSamples

/// The displayed data of one workout.
struct WorkoutSummary {
  /// The workout, with its numbers as in ``OutputRow``: without rounding errors of the conversion.
  let workout: Workouts.Row
  /// Seconds without pauses, otherwise from start to end.
  let duration: Double
  /// Its routes; empty if only their numbers are shown, because locations take memory.
  let routes: [Routes.Row]
  let routeCount: Int
  /// The number of locations of the routes.
  let placeCount: Int
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
  ///   - keepsRoutes: whether to show their locations
  ///   - heartRates: samples around its time, in count/s; those that overlap it are counted, a
  ///     start included and an end not
  ///   - zones: bounds between zones, in beats per minute
  init(
    _ workout: Workouts.Row, routes: [Routes.Row], keepsRoutes: Bool,
    heartRates: SampleColumns, zones: [Double]
  ) {
    self.workout = workout
    let (start, end) = (workout.facts.start, workout.facts.end)
    duration = NumberText.shortest(workout.activeSeconds)
    self.routes = keepsRoutes ? routes : []
    routeCount = routes.count
    placeCount = routes.reduce(0) { $0 + $1.locations.count }
    let samples = heartRates.starts.indices
      .filter { row in
        heartRates.starts[row] < end
          && (heartRates.starts[row] >= start || heartRates.ends[row] > start)
      }
      .map { row in
        (
          time: max(start, heartRates.starts[row]),
          rate: heartRates.values[row] * Self.secondsPerMinute
        )
      }
      .sorted { $0.time < $1.time }
    let written = workout.statistics.first {
      $0.type == HKQuantityTypeIdentifier.heartRate.rawValue
    }
    let mean =
      samples.isEmpty ? nil : samples.reduce(0) { $0 + $1.rate } / Double(samples.count)
    meanHeartRate = (written?.average.map { $0 * Self.secondsPerMinute } ?? mean)
      .map(NumberText.shortest)
    highestHeartRate =
      (written?.maximum.map { $0 * Self.secondsPerMinute } ?? samples.map(\.rate).max())
      .map(NumberText.shortest)
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
      let zone = zones.count { $0 <= sample.rate }
      seconds[zone] += min(max(0, next - sample.time), secondsPerMinute)
    }
    return seconds
  }
}
