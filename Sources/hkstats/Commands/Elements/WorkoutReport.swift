import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples

/// Workouts as a report.
struct WorkoutReport {
  let rows: [WorkoutSummary]
  let units: ActivityUnits
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
      values = workouts.map { $0.value(statistic) }
      var totals = WorkoutTotals()
      for workout in workouts { totals.add(workout) }
      total = totals.value(statistic)
    }
  }

  /// The number by which the workouts are in order, where no other column has it; else none.
  private var added: [Order] {
    [order].compactMap(\.self).filter { !Self.shown.contains($0.statistic) }
  }

  var report: Report {
    let (rows, units) = (rows, units)
    func numbers(
      _ key: String, of statistic: WorkoutStatistic, _ values: [Double?]
    ) -> Report.Column {
      .numbers(
        key, unit: units.name(of: statistic), values.map { units.number($0, of: statistic) })
    }
    func counts(_ key: String, _ count: @escaping (WorkoutSummary) -> Int) -> Report.Column {
      .machine(key) { .count(count(rows[$0])) }
    }
    var report = Report(
      head: HeadMember.zones(zones) + HeadMember.dataEnd(dataEnd)
        + [unitMember], list: "workouts",
      count: rows.count, zones: zones,
      columns: [
        .machine("start") { .instant(rows[$0].workout.facts.start) },
        .machine("end") { .instant(rows[$0].workout.facts.end) },
        .machine("activity") { .text(rows[$0].workout.activity) },
      ]
        + added.map { numbers($0.statistic.rawValue, of: $0.statistic, $0.values) } + [
          numbers("duration", of: .duration, rows.map(\.duration)),
          numbers("distance", of: .distance, rows.map(\.workout.totalDistance)),
          numbers("energy", of: .energy, rows.map(\.workout.totalEnergy)),
          numbers("heartRateMean", of: .heartRate, rows.map(\.meanHeartRate)),
          numbers("heartRateMax", of: .heartRateMax, rows.map(\.highestHeartRate)),
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
  private var unitMember: HeadMember {
    units.member(
      of: [
        ("duration", .duration), ("distance", .distance), ("energy", .energy),
        ("heartRate", .heartRate),
      ] + added.map { ($0.statistic.rawValue, $0.statistic) })
  }

  private var table: Table {
    var table = Table(
      columns: [.words("start"), .words("activity")]
        + (added.map(\.statistic) + Self.shown).map { .numbers(Marks.drawn(units.title(of: $0))) }
        + [.numbers("places")] + zoneNames.map { .numbers(Marks.drawn($0)) } + [.words("source")])
    for (place, row) in rows.enumerated() {
      let start = LocalTime(row.workout.facts.start, in: zones)
      let values = [
        row.duration, row.distance, row.energy, row.meanHeartRate, row.highestHeartRate,
      ]
      table.add(
        [start.momentText, ActivityTitle.of(row.workout.activity)]
          + added.map { units.text($0.values[place], of: $0.statistic) }
          + zip(values, Self.shown).map { units.text($0, of: $1) } + [
            row.routes.placeCount == 0 ? "–" : NumberText.grouped(row.routes.placeCount)
          ] + row.zoneSeconds.map(AmountText.duration) + [row.workout.facts.source.shortName])
    }
    if rows.count > 1 { table.add(totals) }
    return table
  }

  /// The numbers of each row, in their order.
  private static let shown: [WorkoutStatistic] = [
    .duration, .distance, .energy, .heartRate, .heartRateMax,
  ]

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
    return [
      Vocabulary.current.word("in all"),
      Vocabulary.current.caption(
        rows.count == 1 ? "{0} workout" : "{0} workouts", NumberText.grouped(rows.count)),
    ]
      + added.map { units.text($0.total, of: $0.statistic) } + [
        AmountText.duration(sum(\.duration) ?? 0), units.text(sum(\.distance), of: .distance),
        units.text(sum(\.energy), of: .energy), "", "", "",
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
          + ActivityTitle.of(row.workout.activity),
        value: value, text: units.text(value, of: statistic))
    }
    return [
      style.strong(
        "\(Vocabulary.current.word("workouts")): "
          + Vocabulary.current.word(units.title(of: statistic))), "",
    ]
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
        .init("distance", .optional(units.number(row.workout.totalDistance, of: .distance))),
        .init("energy", .optional(units.number(row.workout.totalEnergy, of: .energy))),
        .init("heartRate", heartRate),
      ]
        + added.map {
          .init(
            $0.statistic.rawValue, .optional(units.number($0.values[place], of: $0.statistic)))
        }
        + (bounds.isEmpty ? [] : [.init("zones", .array(durations))]) + trailing,
      lists: [(routes, OutputRow.List(row.routes.rows) { OutputRow($0) })]
    ) { (piece) throws(OutputError) in try output.write(piece) }
  }
}
