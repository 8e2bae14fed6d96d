package import HealthSamples
package import HealthStore

/// The routes of workouts, read once.
package struct WorkoutRoutes {
  /// The routes of one workout.
  package struct Summary: Sendable {
    /// Empty if only their numbers are shown, because locations take memory.
    package fileprivate(set) var rows: [Routes.Row] = []
    package fileprivate(set) var count = 0
    /// The number of their locations.
    package fileprivate(set) var placeCount = 0
  }

  private var summaries: [WorkoutKey: Summary] = [:]

  /// Reads the routes of some workouts, one at a time.
  package init(of workouts: [Workouts.Row], in store: SampleStore, keepsRoutes: Bool) throws {
    guard let first = workouts.map(\.facts.start).min(),
      let last = workouts.map(\.facts.time.upperBound).max()
    else { return }
    let known = Set(workouts.map(WorkoutKey.init))
    var summaries: [WorkoutKey: Summary] = [:]
    try store.forEachElement(of: .route, in: first..<last.nextUp) { batch in
      guard case .routes(let routes) = batch else { return true }
      for route in routes.rows {
        let workout = WorkoutKey(route)
        let time = SampleTime.closed(from: workout.start, to: workout.end)
        guard route.facts.time.overlaps(time), known.contains(workout) else { continue }
        var summary = summaries.removeValue(forKey: workout) ?? Summary()
        summary.count += 1
        summary.placeCount += route.locations.count
        if keepsRoutes { summary.rows.append(route) }
        summaries[workout] = summary
      }
      return true
    }
    self.summaries = summaries
  }

  package subscript(_ workout: Workouts.Row) -> Summary {
    summaries[WorkoutKey(workout)] ?? Summary()
  }
}
