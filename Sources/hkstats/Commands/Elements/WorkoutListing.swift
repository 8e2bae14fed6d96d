import HealthExchange
import HealthQuery
import HealthSamples

/// Workouts in every ``ListFormat``.
struct WorkoutListing {
  let rows: [WorkoutSummary]
  /// Bounds between heart rate zones, in beats a minute.
  let zones: [Double]
  let zone: ZoneTimeline

  func write(
    as format: ListFormat, style: TextStyle, to output: TextOutput
  ) throws {
    switch format {
    case .table: try writeTable(style: style, to: output)
    case .csv: try writeCSV(to: output)
    case .json:
      try output.write("[")
      for (index, row) in rows.enumerated() {
        try output.write(index == 0 ? "\n  " : ",\n  ")
        try write(row, to: output)
      }
      try output.write("\n]\n")
    case .ndjson:
      for row in rows {
        try write(row, to: output)
        try output.line("")
      }
    }
  }

  private func writeTable(style: TextStyle, to output: TextOutput) throws(OutputError) {
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
        ] + row.zoneSeconds.map(AmountText.duration) + [row.workout.facts.source.shortName])
    }
    for line in table.lines(style: style) { try output.line(line) }
  }

  private func writeCSV(to output: TextOutput) throws(OutputError) {
    try output.record(
      [
        "start", "end", "activity", "duration_s", "distance_m", "energy_kcal",
        "heart_rate_mean", "heart_rate_max", "events", "activities", "routes", "places",
      ] + zoneNames.map { "zone_s \($0)" } + ["source"])
    for row in rows {
      let facts = row.workout.facts
      func number(_ value: Double?) -> String { value.map(NumberText.exact) ?? "" }
      try output.record(
        [
          iso(facts.start), iso(facts.end), row.workout.activity, number(row.duration),
          number(row.distance), number(row.energy), number(row.meanHeartRate),
          number(row.highestHeartRate), String(row.workout.events.count),
          String(row.workout.activities.count), String(row.routeCount),
          String(row.placeCount),
        ] + row.zoneSeconds.map(NumberText.exact) + [facts.source.name])
    }
  }

  /// `<120`, `120–140`, …, `≥170`.
  private var zoneNames: [String] {
    guard let first = zones.first, let last = zones.last else { return [] }
    let text = NumberText.exact
    return ["<\(text(first))"] + zip(zones, zones.dropFirst()).map { "\(text($0))–\(text($1))" }
      + ["≥\(text(last))"]
  }

  /// Writes a workout as `export` does, with its routes and what its heart rates say.
  private func write(_ row: WorkoutSummary, to output: TextOutput) throws {
    let heartRate = JSON.object([
      .init("mean", .optional(row.meanHeartRate)), .init("max", .optional(row.highestHeartRate)),
    ])
    let durations = zip(zoneNames, row.zoneSeconds).map { name, seconds in
      JSON.object([.init("rates", .string(name)), .init("duration", .number(seconds))])
    }
    let routes = OutputTable.table(of: .route)
    var workout = row.workout
    workout.duration = row.duration
    try OutputRow(workout).writeObject(
      of: .table(of: .workout), in: zone,
      trailing: [.init("heartRate", heartRate)]
        + (zones.isEmpty ? [] : [.init("zones", .array(durations))]),
      lists: [(routes, OutputRow.List(row.routes) { OutputRow($0) })]
    ) { (piece) throws(OutputError) in try output.write(piece) }
  }

  private func iso(_ instant: Double) -> String { LocalTime(instant, in: zone).isoText }
}
