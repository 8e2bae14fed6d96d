import HealthSamples

/// The workouts of one kind, or of all kinds that took less time than those with totals of their own.
public struct WorkoutKind: Sendable, Hashable {
  /// The activity, such as `HKWorkoutActivityTypeRunning`, as its first workout has it; `nil` for
  /// several together.
  public let activity: String?
  /// The totals of each interval.
  public private(set) var rows: [WorkoutTotals]
  /// The totals of all intervals together.
  public private(set) var total = WorkoutTotals()

  private init(_ activity: String?, rowCount: Int) {
    self.activity = activity
    rows = Array(repeating: WorkoutTotals(), count: rowCount)
  }

  /// The kinds that took most time, and all others together if there are any.
  ///
  /// Kinds with the same time stand in the order of their names.
  ///
  /// - Parameters:
  ///   - count: how many kinds stand alone at most
  ///   - workouts: workouts with the place of their interval
  ///   - rowCount: the number of intervals
  /// - Returns: the kinds, of which the last may be all others
  /// - Complexity: O(workouts + *k* log *k*) for *k* kinds
  static func most(
    _ count: Int, of workouts: [(row: Int, workout: WorkoutFacts)], rowCount: Int
  ) -> [WorkoutKind] {
    var names: [String: String] = [:]
    var seconds: [String: Double] = [:]
    // A hostile name is of any length, and is read letter by letter once.
    var known: [String: String] = [:]
    let keys = workouts.map { _, facts in
      let activity = facts.workout.activity
      let key = known[activity] ?? WorkoutPlan.key(of: activity)
      known[activity] = key
      if names[key] == nil { names[key] = activity }
      let time = facts.value(.duration) ?? 0
      seconds[key, default: 0] += time.isFinite ? max(0, time) : 0
      return key
    }
    let ranked = seconds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    let alone = ranked.prefix(max(0, count))
    var places = Dictionary(uniqueKeysWithValues: alone.enumerated().map { ($1, $0) })
    var kinds = alone.map { WorkoutKind(names[$0], rowCount: rowCount) }
    let rest = ranked.dropFirst(alone.count)
    if let first = rest.first {
      for key in rest { places[key] = kinds.count }
      kinds.append(WorkoutKind(rest.count == 1 ? names[first] : nil, rowCount: rowCount))
    }
    for ((row, facts), key) in zip(workouts, keys) {
      guard let place = places[key] else { continue }
      kinds[place].rows[row].add(facts)
      kinds[place].total.add(facts)
    }
    return kinds
  }
}
