import HealthExchange
import HealthQuery
import HealthSamples

/// Workouts as a report.
struct WorkoutReport {
  let rows: [WorkoutSummary]
  /// Bounds between heart rate zones, in beats a minute.
  let bounds: [Double]
  let zones: ZoneTimeline
  let dataEnd: DataEnd?
  /// The number by which the workouts are in order.
  var order: Order?

  /// The number by which workouts are in order.
  struct Order {
    let statistic: WorkoutStatistic
    /// The number of each workout, and of all together.
    let values: [Double?]
    let total: Double?

    init(_ statistic: WorkoutStatistic, of workouts: [WorkoutFacts]) {
      self.statistic = statistic
      values = workouts.map { $0.value(statistic).map(NumberText.shortest) }
      var totals = WorkoutTotals()
      for workout in workouts { totals.add(workout) }
      total = totals.value(statistic).map(NumberText.shortest)
    }
  }

  /// The numbers that every list has.
  private static let listed: Set<WorkoutStatistic> = [
    .duration, .distance, .energy, .heartRate, .heartRateMax,
  ]

  /// The number by which the workouts are in order, where no other column has it; else none.
  private var added: [Order] {
    [order].compactMap(\.self).filter { !Self.listed.contains($0.statistic) }
  }

  var report: Report {
    let rows = rows
    func numbers(
      _ key: String, unit: String? = nil, _ value: (WorkoutSummary) -> Double?
    ) -> Report.Column {
      .numbers(key, unit: unit, rows.map(value))
    }
    func counts(_ key: String, _ count: @escaping (WorkoutSummary) -> Int) -> Report.Column {
      .machine(key) { .count(count(rows[$0])) }
    }
    var report = Report(
      head: Report.Member.zones(zones) + Report.Member.dataEnd(dataEnd)
        + [.init("units", units, isInRows: false)], list: "workouts",
      count: rows.count, zones: zones,
      columns: [
        .machine("start") { .instant(rows[$0].workout.facts.start) },
        .machine("end") { .instant(rows[$0].workout.facts.end) },
        .machine("activity") { .text(rows[$0].workout.activity) },
      ]
        + added.map { .numbers($0.statistic.rawValue, unit: $0.statistic.unit, $0.values) } + [
          numbers("duration", unit: "s") { $0.duration },
          numbers("distance", unit: "m") { $0.distance },
          numbers("energy", unit: "kcal") { $0.energy },
          numbers("heartRateMean", unit: "count/min") { $0.meanHeartRate },
          numbers("heartRateMax", unit: "count/min") { $0.highestHeartRate },
          counts("events") { $0.workout.events.count },
          counts("activities") { $0.workout.activities.count },
          counts("routes") { $0.routes.count }, counts("places") { $0.routes.placeCount },
        ]
        + zoneNames.enumerated().map { place, name in
          .machine(nil, field: "zone \(name)_s") { .number(rows[$0].zoneSeconds[place]) }
        } + [.machine("source") { .text(rows[$0].workout.facts.source.name) }])
    report.emptySentence = "No workouts."
    report.dataEnd = dataEnd
    report.page = { Report.Page(table: table) }
    report.object = write
    return report
  }

  private var zoneNames: [String] { HeartRateZones.names(bounds) }

  /// The units of members that have no unit of their own.
  private var units: JSON {
    .object(
      [
        .init("duration", .string("s")), .init("distance", .string("m")),
        .init("energy", .string("kcal")), .init("heartRate", .string("count/min")),
      ]
        + added.compactMap { order in
          order.statistic.unit.map { .init(order.statistic.rawValue, .string($0)) }
        })
  }

  private var table: Table {
    var table = Table(
      columns: [
        .words("start"), .words("activity"),
      ] + added.map { .numbers($0.statistic.title) } + [
        .numbers("duration"), .numbers("km"), .numbers("kcal"), .numbers(Marks.drawn("♥ mean")),
        .numbers(Marks.drawn("♥ max")),
        .numbers("places"),
      ] + zoneNames.map { .numbers(Marks.drawn($0)) } + [.words("source")])
    for (place, row) in rows.enumerated() {
      let start = LocalTime(row.workout.facts.start, in: zones)
      func number(_ value: Double?, decimals: Int = 0) -> String {
        value.map { NumberText.rounded($0, decimals: decimals) } ?? "–"
      }
      table.add(
        [start.momentText, ActivityName.short(row.workout.activity)]
          + added.map { $0.statistic.text($0.values[place]) } + [
            AmountText.duration(row.duration), number(row.distance.map { $0 / 1000 }, decimals: 2),
            number(row.energy), number(row.meanHeartRate), number(row.highestHeartRate),
            row.routes.placeCount == 0 ? "–" : NumberText.grouped(row.routes.placeCount),
          ] + row.zoneSeconds.map(AmountText.duration) + [row.workout.facts.source.shortName])
    }
    if rows.count > 1 { table.add(totals) }
    return table
  }

  /// The line below the workouts: all of them together.
  private var totals: [String] {
    func sum(_ value: (WorkoutSummary) -> Double?) -> Double? {
      let known = rows.compactMap(value)
      return known.isEmpty ? nil : known.reduce(0, +)
    }
    let seconds = rows.reduce(into: bounds.isEmpty ? [] : [0] + bounds.map { _ in 0 }) {
      sums, row in
      for (place, time) in row.zoneSeconds.enumerated() { sums[place] += time }
    }
    return ["in all", AmountText.count(rows.count, "workout")]
      + added.map { $0.statistic.text($0.total) } + [
        AmountText.duration(sum(\.duration) ?? 0),
        WorkoutStatistic.distance.text(sum(\.distance)),
        WorkoutStatistic.energy.text(sum(\.energy)),
        "", "", "",
      ] + seconds.map(AmountText.duration) + [""]
  }

  /// A bar for each workout, as long as the number of the order, else as the distance or duration.
  func chart(width: Int, style: TextStyle) -> [String] {
    let statistic =
      order?.statistic ?? (rows.contains { ($0.distance ?? 0) > 0 } ? .distance : .duration)
    let values = order?.values ?? rows.map { statistic == .distance ? $0.distance : $0.duration }
    let bars = zip(rows, values).map { row, value in
      BarChart.Bar(
        label: LocalTime(row.workout.facts.start, in: zones).momentText + " "
          + ActivityName.short(row.workout.activity),
        value: value, text: statistic.text(value))
    }
    return [style.strong("workouts: \(statistic.title)"), ""]
      + BarChart(bars: bars).lines(width: width, style: style)
  }

  /// Writes a workout as `export` does, with its routes and what its heart rates say.
  private func write(
    _ place: Int, leading: [JSON.Member], trailing: [JSON.Member], to output: TextOutput
  ) throws {
    let row = rows[place]
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
      of: .table(of: .workout), in: zones, leading: leading,
      trailing: [
        .init("distance", .optional(row.distance)), .init("energy", .optional(row.energy)),
        .init("heartRate", heartRate),
      ]
        + added.map { .init($0.statistic.rawValue, .optional($0.values[place])) }
        + (bounds.isEmpty ? [] : [.init("zones", .array(durations))]) + trailing,
      lists: [(routes, OutputRow.List(row.routes.rows) { OutputRow($0) })]
    ) { (piece) throws(OutputError) in try output.write(piece) }
  }
}
