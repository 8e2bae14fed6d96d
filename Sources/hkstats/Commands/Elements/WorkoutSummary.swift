import HealthSamples

/// What is shown of one workout.
struct WorkoutSummary {
  let workout: WorkoutColumns.Row
  /// Its routes; none where only their numbers are shown, because places take room.
  let routes: [RouteColumns.Row]
  let routeCount: Int
  /// How many places the routes have.
  let placeCount: Int
  /// The mean and the highest heart rate, in beats a minute; `nil` without any.
  let meanHeartRate: Double?
  let highestHeartRate: Double?
  /// Seconds in each zone, one more than bounds; empty without bounds.
  let zoneSeconds: [Double]

  private static let secondsPerMinute = 60.0

  /// Sums up a workout.
  ///
  /// - Parameters:
  ///   - workout: the workout
  ///   - routes: its routes
  ///   - keepsRoutes: whether they are shown place by place
  ///   - heartRates: the samples in its time, in count/s
  ///   - zones: bounds between zones, in beats a minute
  init(
    _ workout: WorkoutColumns.Row, routes: [RouteColumns.Row], keepsRoutes: Bool,
    heartRates: SampleColumns, zones: [Double]
  ) {
    self.workout = workout
    self.routes = keepsRoutes ? routes : []
    routeCount = routes.count
    placeCount = routes.reduce(0) { $0 + $1.locations.count }
    let samples = zip(heartRates.starts, heartRates.values)
      .map { (time: $0, rate: $1 * Self.secondsPerMinute) }.sorted { $0.time < $1.time }
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
      zones.isEmpty ? [] : Self.seconds(of: samples, until: workout.facts.end, zones: zones)
  }

  /// Seconds without pauses, else all between start and end.
  var duration: Double { workout.duration ?? max(0, workout.facts.end - workout.facts.start) }

  /// The sum of the first statistics whose type has one of these words, in the canonical unit.
  func sum(of types: [HKQuantityTypeIdentifier]) -> Double? {
    workout.statistics.first { statistics in
      types.contains { $0.rawValue == statistics.type } && statistics.sum != nil
    }?.sum
  }

  /// Metres, of whatever kind of distance the workout has.
  var distance: Double? {
    workout.statistics.first {
      $0.type.hasPrefix("HKQuantityTypeIdentifierDistance") && $0.sum != nil
    }?.sum
  }

  /// Kilocalories of activity.
  var energy: Double? { sum(of: [.activeEnergyBurned]) }

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
