import HealthQuery
import HealthSamples

/// Workouts in every ``ListFormat``.
struct WorkoutListing {
  let rows: [WorkoutSummary]
  /// Bounds between heart rate zones, in beats a minute.
  let zones: [Double]
  let zone: ZoneTimeline

  func write(
    as format: ListFormat, style: TextStyle, to output: StandardOutput
  ) throws(Failure) {
    switch format {
    case .table: try writeTable(style: style, to: output)
    case .csv: try writeCSV(to: output)
    case .json: try output.write(array: rows.lazy.map(object))
    case .ndjson: for row in rows { try output.line(object(row).text) }
    }
  }

  private func writeTable(style: TextStyle, to output: StandardOutput) throws(Failure) {
    guard !rows.isEmpty else { return try output.line("No workouts.") }
    var table = Table(
      columns: [
        .words("start"), .words("activity"), .numbers("duration"), .numbers("km"),
        .numbers("kcal"), .numbers("♥ mean"), .numbers("♥ max"), .numbers("places"),
      ] + zoneNames.map { .numbers($0) } + [.words("source")])
    for row in rows {
      let start = LocalTime(row.workout.facts.start, in: zone)
      func number(_ value: Double?, decimals: Int = 0) -> String {
        value.map { NumberText.rounded($0, decimals: decimals) } ?? "–"
      }
      table.add(
        [
          "\(start.dateText) \(start.clockText)", ActivityName.short(row.workout.activity),
          AmountText.duration(row.duration), number(row.distance.map { $0 / 1000 }, decimals: 2),
          number(row.energy), number(row.meanHeartRate), number(row.highestHeartRate),
          row.placeCount == 0 ? "–" : NumberText.grouped(row.placeCount),
        ] + row.zoneSeconds.map(AmountText.duration) + [row.workout.facts.source.description])
    }
    for line in table.lines(style: style) { try output.line(line) }
  }

  private func writeCSV(to output: StandardOutput) throws(Failure) {
    try output.write(
      CommaSeparated.line(
        [
          "start", "end", "activity", "duration_s", "distance_m", "energy_kcal",
          "heart_rate_mean", "heart_rate_max", "events", "activities", "routes", "places",
        ] + zoneNames.map { "zone_s \($0)" } + ["source"]))
    for row in rows {
      let facts = row.workout.facts
      func number(_ value: Double?) -> String { value.map(NumberText.exact) ?? "" }
      try output.write(
        CommaSeparated.line(
          [
            iso(facts.start), iso(facts.end), row.workout.activity, number(row.duration),
            number(row.distance), number(row.energy), number(row.meanHeartRate),
            number(row.highestHeartRate), String(row.workout.events.count),
            String(row.workout.activities.count), String(row.routeCount),
            String(row.placeCount),
          ] + row.zoneSeconds.map(NumberText.exact) + [facts.source.name]))
    }
  }

  /// `<120`, `120–140`, …, `≥170`.
  private var zoneNames: [String] {
    guard let first = zones.first, let last = zones.last else { return [] }
    let text = NumberText.exact
    return ["<\(text(first))"] + zip(zones, zones.dropFirst()).map { "\(text($0))–\(text($1))" }
      + ["≥\(text(last))"]
  }

  private func object(_ row: WorkoutSummary) -> JSON {
    let workout = row.workout
    var members: [JSON.Member] = [
      .init("start", .string(iso(workout.facts.start))),
      .init("end", .string(iso(workout.facts.end))),
      .init("activity", .string(workout.activity)), .init("duration", .number(row.duration)),
      .init("source", .string(workout.facts.source.name)),
      .init("statistics", .array(workout.statistics.map(Self.object))),
      .init("heartRate", heartRate(row)),
      .init("events", .array(workout.events.map(object))),
      .init("activities", .array(workout.activities.map(object))),
      .init("zoneGroups", .array(workout.zoneGroups.map(Self.object))),
      .init("routes", .array(row.routes.map(object))),
    ]
    if !zones.isEmpty {
      members.append(
        .init(
          "zones",
          .array(
            zip(zoneNames, row.zoneSeconds).map {
              .object([.init("rates", .string($0)), .init("duration", .number($1))])
            })))
    }
    if !workout.facts.metadata.isEmpty {
      members.append(.init("metadata", JSON(pairsOf: workout.facts.metadata)))
    }
    return .object(members)
  }

  private func heartRate(_ row: WorkoutSummary) -> JSON {
    .object([
      .init("mean", .optional(row.meanHeartRate)), .init("max", .optional(row.highestHeartRate)),
    ])
  }

  private static func object(_ statistics: WorkoutColumns.Statistics) -> JSON {
    let values = [
      ("sum", statistics.sum), ("mean", statistics.average), ("min", statistics.minimum),
      ("max", statistics.maximum),
    ]
    return .object(
      [.init("type", .string(statistics.type)), .init("unit", .string(statistics.unit))]
        + values.compactMap { name, value in value.map { .init(name, .number($0)) } })
  }

  private func object(_ event: WorkoutColumns.Event) -> JSON {
    .object(
      [.init("type", .string(event.type)), .init("date", .string(iso(event.date)))]
        + (event.duration.map { [.init("duration", .number($0))] } ?? []))
  }

  private func object(_ activity: WorkoutColumns.Activity) -> JSON {
    .object(
      [.init("start", .string(iso(activity.start)))]
        + (activity.end.map { [.init("end", .string(iso($0)))] } ?? [])
        + (activity.duration.map { [.init("duration", .number($0))] } ?? [])
        + [.init("statistics", .array(activity.statistics.map(Self.object)))])
  }

  private static func object(_ group: WorkoutColumns.ZoneGroup) -> JSON {
    .object([
      .init("type", .string(group.type)), .init("unit", .string(group.unit)),
      .init(
        "zones",
        .array(
          group.zones.map { zone in
            .object([
              .init("min", .optional(zone.minimum)), .init("max", .optional(zone.maximum)),
              .init("duration", .optional(zone.duration)),
            ])
          })),
    ])
  }

  private func object(_ route: RouteColumns.Row) -> JSON {
    let locations = route.locations
    return .object([
      .init("start", .string(iso(route.facts.start))), .init("end", .string(iso(route.facts.end))),
      .init("file", .string(route.path)),
      .init(
        "places",
        .array(
          locations.times.indices.map { index in
            .array([
              .string(iso(locations.times[index])), .number(locations.latitudes[index]),
              .number(locations.longitudes[index]), .number(locations.altitudes[index]),
            ])
          })),
    ])
  }

  private func iso(_ instant: Double) -> String { LocalTime(instant, in: zone).isoText }
}
