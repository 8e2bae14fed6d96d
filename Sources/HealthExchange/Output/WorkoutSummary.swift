package import HealthAnswers
package import HealthQuery
package import HealthSamples
package import HealthStore

/// The displayed data of one workout.
package struct WorkoutSummary: Sendable {
  /// The workout, with its numbers as in ``OutputRow``: without rounding errors of the conversion.
  package let workout: Workouts.Row
  /// Seconds without pauses, otherwise from start to end.
  package let duration: Double
  package let routes: WorkoutRoutes.Summary
  /// The mean and the highest heart rate, in beats a minute; `nil` without any.
  package let meanHeartRate: Double?
  package let highestHeartRate: Double?
  /// Seconds in each zone, one more than bounds; empty without bounds.
  package let zoneSeconds: [Double]

  /// Summarises a workout.
  ///
  /// - Parameters:
  ///   - workout: the workout
  ///   - routes: its routes
  ///   - heartRates: samples in its time, in count/s, of any source
  ///   - zones: bounds between zones, in beats per minute
  private init(
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
  package var distance: Double? { workout.totalDistance.map(NumberText.shortest) }

  /// Kilocalories of activity.
  package var energy: Double? { workout.totalEnergy.map(NumberText.shortest) }

  /// Summarises workouts of a store, in their order.
  ///
  /// - Parameters:
  ///   - workouts: the workouts
  ///   - store: the store
  ///   - bounds: bounds between heart rate zones, in beats per minute
  ///   - keepsRoutes: whether the locations of routes are needed, which take memory
  /// - Returns: a summary of each
  /// - Throws: errors of the store
  package static func all(
    of workouts: [Workouts.Row], in store: SampleStore, bounds: [Double], keepsRoutes: Bool
  ) throws -> [WorkoutSummary] {
    let routes = try WorkoutRoutes(of: workouts, in: store, keepsRoutes: keepsRoutes)
    var rates = WorkoutHeartRates(of: workouts, in: store)
    return try workouts.map { workout in
      WorkoutSummary(
        workout, routes: routes[workout],
        heartRates: bounds.isEmpty && workout.knowsHeartRates ? [] : try rates.rates(in: workout),
        zones: bounds)
    }
  }
}

/// Heart rate zones by the bounds between them.
package enum HeartRateZones {
  /// Whether numbers are bounds: beats a minute, ascending, and not more than anyone tells apart.
  package static func areBounds(_ rates: [Double]) -> Bool {
    rates.count <= 100 && rates.allSatisfy { $0 > 0 && $0 < 1000 }
      && zip(rates, rates.dropFirst()).allSatisfy { $0 < $1 }
  }

  /// The names of zones: `<120`, `120–140`, …, `≥170`; none without bounds.
  package static func names(_ bounds: [Double]) -> [String] {
    guard let first = bounds.first, let last = bounds.last else { return [] }
    let text = NumberText.exact
    return ["<\(text(first))"] + zip(bounds, bounds.dropFirst()).map { "\(text($0))–\(text($1))" }
      + ["≥\(text(last))"]
  }
}

extension SampleStore {
  /// The activity of workouts that a person names, in lower case: one of HealthKit's, or of the store.
  ///
  /// - Throws: ``QueryError`` with similar names if there is none
  package func activity(named name: String) throws(QueryError) -> String {
    let kind = name.lowercased().filter(\.isLetter)
    let known = Catalogue.workoutActivities.map(\.swiftName)
    guard !known.contains(where: { $0.lowercased() == kind }) else { return kind }
    let stored = try activityNames()
    guard !stored.contains(where: { $0.lowercased() == kind }) else { return kind }
    throw QueryError(
      .unknownActivity(name, suggestions: NearNames.of(name, among: stored + known), known: stored))
  }

  /// The activities of the stored workouts by their short names, sorted.
  private func activityNames() throws(QueryError) -> [String] {
    do throws(StoreError) {
      return Set(try workouts().rows.map { ActivityName.short($0.activity) }).sorted()
    } catch {
      throw QueryError(.store(error))
    }
  }
}
