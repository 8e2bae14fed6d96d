import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples

/// Workouts as a view.
struct WorkoutView {
  let rows: [WorkoutSummary]
  let units: ActivityUnits
  /// Bounds between heart rate zones, in beats a minute.
  let bounds: [Double]
  let zones: ZoneTimeline
  let dataEnd: DataEnd?
  /// The number by which the workouts are in order.
  var order: Order?
  /// Whether json has nothing but the whole of each workout.
  var isBrief = false

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

  var answerView: AnswerView {
    let answer = AnswerTable.workouts(
      rows, in: units, bounds: bounds, added: added.map { ($0.statistic, $0.values) },
      zones: zones, saying: HeadMember.dataEnd(dataEnd))
    var view = AnswerView(answer)
    view.emptySentence = "No workouts."
    view.dataEnd = dataEnd
    view.page = { AnswerView.Page(table: table) }
    view.object = { (row, leading, trailing, output) throws(OutputError) in
      try write(row, of: answer, leading: leading, trailing: trailing, to: output)
    }
    return view
  }

  private var zoneNames: [String] { HeartRateZones.names(bounds) }

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

  /// The columns that are members of what `export` writes of a workout.
  private static let exported: Set = [
    "start", "end", "activity", "duration", "source", "enteredByHand", "metadata",
  ]

  /// Writes a workout as `export` does, with its routes and its other columns.
  private func write(
    _ place: Int, of answer: AnswerTable, leading: [JSON.Member], trailing: [JSON.Member],
    to output: TextOutput
  ) throws(OutputError) {
    let row = rows[place]
    let durations = zip(zoneNames, row.zoneSeconds).map { name, seconds in
      JSON.object([.init("rates", .string(name)), .init("duration", .number(seconds))])
    }
    let routes = OutputTable.table(of: .route)
    var workout = isBrief ? row.workout.brief : row.workout
    workout.duration = row.duration
    var offsets = OffsetCache(zones)
    try OutputRow(workout).writeObject(
      of: .table(of: .workout), in: zones, leading: leading,
      trailing: answer.members(of: place, &offsets).filter { !Self.exported.contains($0.key) }
        + (bounds.isEmpty ? [] : [.init("zones", .array(durations))]) + trailing,
      lists: [(routes, OutputRow.List(row.routes.rows) { OutputRow($0) })]
    ) { (piece) throws(OutputError) in try output.write(piece) }
  }
}

extension Workouts.Row {
  /// The workout as a whole: without its parts, the samples in it, and what others wrote into it.
  fileprivate var brief: Self {
    var brief = self
    (brief.events, brief.activities, brief.records) = ([], [], [])
    brief.facts.metadata = Metadata()
    return brief
  }
}
