import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// Workouts with their distance, energy and heart rates, as a table.
///
/// ```json
/// {"activity": "running", "from": "2026", "heartRateZones": [120, 140, 155, 170]}
/// ```
///
/// Columns have the names of the csv of `hkstats workouts --unit m,kcal`, and its numbers: a program has
/// the same columns of every store. What a workout consists of is in the elements of the kind
/// `workout`.
enum WorkoutTable {
  enum Member: String, CaseIterable {
    case activity, from, to, timezone, zones, source, exclude, heartRateZones
  }

  /// Asks a store.
  ///
  /// - Throws: `QueryError`, or an error of the store
  static func answer(json: String, in store: SampleStore) throws -> Table {
    let members = try Members<Member>(json: json)
    let part = try RequestedPart(members, in: store)
    let bounds: [Double] = try members.value(.heartRateZones, .rates) ?? []
    guard HeartRateZones.areBounds(bounds) else {
      throw QueryError(.wrongMember(Member.heartRateZones.rawValue, .rates))
    }
    var plan = WorkoutPlan(ElementPeriod(timeZone: part.zones))
    plan.activity = try members.text(.activity).map { try part.store.activity(named: $0) }
    let workouts = try part.store.workouts(in: part.period.range).rows.filter(plan.isAsked)
    let rows = try WorkoutSummary.all(
      of: workouts, in: part.store, bounds: bounds, keepsRoutes: false)
    try part.store.endWatching()
    return Table(
      "workouts", columns(of: rows, bounds: bounds, in: part.zones), count: rows.count,
      head: JSON.object(part.zones.members).text)
  }

  private static func columns(
    of rows: [WorkoutSummary], bounds: [Double], in zones: ZoneTimeline
  ) -> [Column] {
    let facts = rows.map(\.workout.facts)
    return [
      .instants("start", facts.map(\.start), in: zones),
      .instants("end", facts.map(\.end), in: zones),
      .words("activity", rows.map(\.workout.activity)),
      .reals("duration_s", unit: "s", rows.map(\.duration)),
      .reals("distance_m", unit: "m", rows.map(\.distance)),
      .reals("energy_kcal", unit: "kcal", rows.map(\.energy)),
      .reals("heart_rate_mean_count_min", unit: "count/min", rows.map(\.meanHeartRate)),
      .reals("heart_rate_max_count_min", unit: "count/min", rows.map(\.highestHeartRate)),
      .integers("events", rows.map(\.workout.events.count)),
      .integers("activities", rows.map(\.workout.activities.count)),
      .integers("routes", rows.map(\.routes.count)),
      .integers("places", rows.map(\.routes.placeCount)),
    ]
      + HeartRateZones.names(bounds).enumerated().map { place, name in
        .reals("zone \(name)_s", unit: "s", rows.map { $0.zoneSeconds[place] })
      }
      + [
        .words("source", facts.map(\.source.name)),
        .truths("entered_by_hand", facts.map(\.source.isUserEntered)),
        .texts(
          "metadata", facts.map { $0.metadata.isEmpty ? nil : JSON(pairsOf: $0.metadata).text }),
      ]
  }
}
