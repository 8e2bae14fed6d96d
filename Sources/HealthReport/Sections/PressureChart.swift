import HealthAnswers
import HealthQuery
import HealthSamples

/// Blood pressure as lines from the lower to the upper number: of each reading, or of the mornings and
/// evenings of each day.
struct PressureChart {
  /// Whether lines are readings, which only a report with samples has.
  let isOfReadings: Bool
  private let first: CivilDate
  private let dayCount: Int
  private let plan: BloodPressurePlan
  /// The numbers behind the chart.
  let table: PageTable
  private let lines: [Line]

  /// When a pressure was measured: the same hours for readings as for means.
  private enum Time { case morning, evening, other }

  /// One line, in mmHg.
  private struct Line {
    /// A share of the width.
    let x: Double
    let systolic: Int
    let diastolic: Int
    let time: Time
  }

  private static let form = PageTable.Form.number(0)
  /// A page holds the newest readings.
  private static let mostReadings = 2000
  private static let height = 250.0

  /// The unit as it is written.
  static func unit(_ page: Page) -> String {
    UnitNames.name(of: Measure.of("bloodPressureSystolic"), in: "mmHg", page.writer.language.base)
      .other
  }

  /// Reads pressures from a day on, or from that of the first one.
  init(from first: CivilDate, _ reader: ReportReader) throws(ReportError) {
    isOfReadings = reader.plan.includesSamples
    plan = BloodPressurePlan(ElementPeriod(timeZone: reader.zones))
    (self.first, table, lines) =
      isOfReadings
      ? try Self.readings(from: first, plan, reader) : try Self.days(from: first, reader)
    dayCount = reader.period.days(from: self.first, to: reader.period.end)
  }

  /// The hours at which mornings and evenings begin and end.
  var hours: [Int] {
    [
      plan.morning.lowerBound, plan.morning.upperBound, plan.evening.lowerBound,
      plan.evening.upperBound,
    ]
  }

  private static func columns(
    _ names: [(stat: String, name: String)]
  ) -> [(stat: String, name: String, unit: String, form: PageTable.Form)] {
    names.map { ($0.stat, $0.name, "mmHg", form) }
  }

  private static func days(
    from first: CivilDate, _ reader: ReportReader
  ) throws(ReportError) -> (CivilDate, PageTable, [Line]) {
    let (ask, answer) = try reader.elements(
      ["stats", "bloodPressure"], by: CalendarInterval(.day), from: first
    ) { period throws(QueryError) in
      try reader.store.bloodPressure(BloodPressurePlan(period))
    }
    let (words, comma) = (reader.words.pressure, reader.words.phrases.comma)
    let table = answer.table(
      ask, row: .day, reader,
      columns: columns([
        ("morningSystolic", words.systolic + comma + words.morning),
        ("morningDiastolic", words.diastolic + comma + words.morning),
        ("eveningSystolic", words.systolic + comma + words.evening),
        ("eveningDiastolic", words.diastolic + comma + words.evening),
        ("systolic", words.systolic), ("diastolic", words.diastolic),
      ]))
    let begin = (0..<table.count).first { row in
      table.columns.contains { $0.values[row] != nil }
    }
    if let begin, begin > 0, let date = CivilDate(text: table.starts[begin]), first < date {
      return try days(from: date, reader)
    }
    let step = 1 / Double(max(1, table.count))
    var lines: [Line] = []
    for row in 0..<table.count {
      func add(_ column: Int, _ time: Time) -> Bool {
        guard let systolic = table.columns[column].values[row],
          let diastolic = table.columns[column + 1].values[row]
        else { return false }
        // The morning stands a little before the evening of its day.
        let shift = time == .morning ? 0.3 : time == .evening ? 0.7 : 0.5
        lines.append(
          Line(
            x: (Double(row) + shift) * step, systolic: systolic, diastolic: diastolic, time: time))
        return true
      }
      let hasMorning = add(0, .morning)
      let hasEvening = add(2, .evening)
      if !hasMorning, !hasEvening { _ = add(4, .other) }
    }
    return (first, table, lines)
  }

  private static func readings(
    from first: CivilDate, _ plan: BloodPressurePlan, _ reader: ReportReader
  ) throws(ReportError) -> (CivilDate, PageTable, [Line]) {
    let (ask, all) = try reader.elements(
      ["samples", "bloodPressure"], from: first
    ) { period throws(QueryError) in
      let from = period.from?.instant ?? -.infinity
      return try reader.store.bloodPressureReadings(
        in: from..<max(from, period.to?.instant ?? .infinity))
    }
    let readings = all.suffix(mostReadings).compactMap { reading in
      form.shown(reading.systolic).flatMap { systolic in
        form.shown(reading.diastolic).map { (reading.start, systolic, $0) }
      }
    }
    let first = readings.first.map { LocalTime($0.0, in: reader.zones).date } ?? first
    let dayCount = reader.period.days(from: first, to: reader.period.end)
    let lines = readings.map { start, systolic, diastolic in
      let time = LocalTime(start, in: reader.zones)
      let minute = Double(time.hour * 60 + time.minute) / 1440
      let day = Double(reader.period.days(from: first, to: time.date)) + minute
      return Line(
        x: min(max(day / Double(max(1, dayCount)), 0), 1), systolic: systolic,
        diastolic: diastolic,
        time: plan.morning.contains(time.hour)
          ? .morning : plan.evening.contains(time.hour) ? .evening : .other)
    }
    let words = reader.words.pressure
    var table = PageTable(
      ask: ask, row: .row, head: reader.words.table.day,
      starts: readings.map { LocalTime($0.0, in: reader.zones).isoText },
      columns: [
        PageTable.Column(
          stat: "systolic", name: words.systolic, unit: "mmHg", form: form,
          values: lines.map(\.systolic)),
        PageTable.Column(
          stat: "diastolic", name: words.diastolic, unit: "mmHg", form: form,
          values: lines.map(\.diastolic)),
      ])
    table.places = lines.map { Int(($0.x * 1000).rounded()) }
    return (first, table, lines)
  }

  // MARK: - Writing

  /// Writes the chart and its key; the edges are where the marked class of the guideline begins.
  func write(edges: [Int], table id: String, to markup: inout Markup, _ page: Page) {
    let words = page.words.pressure
    let numbers = (lines.flatMap { [$0.systolic, $0.diastolic] } + edges).map(Double.init)
    let axis = Axis(
      (numbers.min() ?? 0)...(numbers.max() ?? 1), includesZero: false, endsAtTicks: false)
    let plot = plot(axis, edges: edges, page)
    let description = TextPattern.filled(
      page.words.figure.from, page.writer.number(lines.map(\.diastolic).min() ?? 0),
      page.writer.withUnit(
        page.writer.number(lines.map(\.systolic).max() ?? 0), Self.unit(page)))
    var figure = Figure(
      name: page.name(words.title, page.words.figure.lastDays, dayCount),
      description: description, plot: plot)
    figure.label(axis, marks: edges, Self.form, unit: Self.unit(page), page)
    let hasOthers = lines.contains { $0.time == .other }
    figure.rows = Figure.Rows(
      table: id, range: 0..<table.count,
      columns: isOfReadings ? [0, 1] : hasOthers ? [0, 1, 2, 3, 4, 5] : [0, 1, 2, 3])
    figure.write(to: &markup, page)
    key(edges, to: &markup, words)
  }

  private func key(
    _ edges: [Int], to markup: inout Markup, _ words: Words.Pressure
  ) {
    let times = Set(lines.map(\.time))
    var items: [(mark: (inout Plot) -> Void, text: String)] = []
    if times.contains(.morning) {
      items.append(
        ({ Self.mark("m", in: &$0) }, words.morning))
    }
    if times.contains(.evening) {
      items.append(
        (
          { plot in
            Self.mark("m", in: &plot)
            for y in Self.ends { plot.circle("hole", x: 0.5, y: y, radius: 1.4) }
          }, words.evening
        ))
    }
    if times.contains(.other) {
      items.append(({ Self.mark("q", in: &$0) }, words.otherHours))
    }
    if !edges.isEmpty {
      items.append(
        (
          { $0.line("guide", from: (0, 7), to: (1, 7)) },
          edges.map(String.init).joined(separator: "/")
        ))
    }
    markup.key(items)
  }

  /// Where the two numbers of a line stand in a key's square.
  private static let ends = [3.0, 11]

  private static func mark(_ name: String, in plot: inout Plot) {
    plot.line("tl", from: (0.5, ends[0]), to: (0.5, ends[1]))
    for y in ends { plot.circle(name, x: 0.5, y: y, radius: 2.7) }
  }

  private func plot(_ axis: Axis, edges: [Int], _ page: Page) -> Plot {
    var plot = Plot(height: page.height(Self.height), top: Plot.unitRoom, range: axis.range)
    for tick in axis.ticks { plot.level("grid", tick) }
    for edge in edges { plot.level("guide", Double(edge)) }
    func ends(_ line: Line) -> [(x: Double, y: Double)] {
      [line.diastolic, line.systolic].map { (line.x, plot.y(Double($0))) }
    }
    plot.path("tl", lines.flatMap { ends($0).map(Optional.some) + [nil] })
    plot.dots("dots", lines.filter { $0.time != .other }.flatMap(ends))
    plot.dots("dots quiet", lines.filter { $0.time == .other }.flatMap(ends))
    plot.dots("holes", lines.filter { $0.time == .evening }.flatMap(ends))
    plot.months(from: first, dayCount: dayCount, page)
    return plot
  }
}
