import ArgumentParser
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples

/// `hkstats glucose`: ranges, mean and indices of glucose, and its course over the day.
struct GlucoseCommand: AnalysisCommand {
  static let configuration = CommandConfiguration(
    commandName: "glucose",
    abstract: GlucoseParameters.about,
    discussion: """
      The shares of five ranges, of the time and of the readings, with mean, variation and the \
      published indices. A reading stands until the next one, for 15 minutes at most; time \
      without readings has no share. It reads the source with the most readings, or that of \
      --source, and counts the others. Without --from it reads the last 14 days before the end \
      of the data, not before today.

      Each reading is judged in the unit in which it was recorded, by the edges that the \
      consensus prints for it. A line below says which.

      Events are 15 minutes or more beyond an edge; of a meter, whose readings are hours apart, \
      none are counted. MAGE is the mean of rises, or falls, of more than one standard \
      deviation, MODD that of differences from day to day, CONGA the standard deviation of those \
      from hour to hour.

      GMI, and which targets of the consensus are met, are said from 14 days with 70 % of data \
      on. Targets are for adults with diabetes who are not pregnant; a person's own are agreed \
      with those who treat them. Nothing here is a diagnosis.

      EXAMPLES:
        hkstats glucose
        hkstats glucose --format chart
        hkstats glucose --profile --unit mmol/L
        hkstats glucose --events --format csv
        hkstats glucose --from -180d --profile --format csv
      """)

  /// The lists beside the summary.
  enum Shown: String, EnumerableFlag {
    case profile, periods, events, excursions

    static func help(for shown: Self) -> ArgumentHelp? {
      switch shown {
      case .profile: "A row for each hour of the local clock."
      case .periods: "Days (6:00 to 24:00) and nights apart."
      case .events: "The events of low and high glucose."
      case .excursions: "Rises and falls of more than a standard deviation."
      }
    }

    /// The list as the answer has it.
    var list: String { self == .profile ? "hours" : rawValue }
  }

  @Flag(exclusivity: .exclusive) var shown: Shown?

  @Option(help: .of(\GlucoseParameters.days, saysDefault: true))
  var days: Int?

  @Option(help: .of(\GlucoseParameters.congaHours))
  var congaHours = GlucoseParameters().congaHours

  @Option(
    help: ArgumentHelp(
      "The longest time that a reading stands for, such as 15min.", valueName: "duration"),
    transform: QuestionWords.seconds)
  var hold: Double?

  @OptionGroup var unit: UnitOption
  @OptionGroup var asking: FixedTypeOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  func validate() throws {
    if days != nil, asking.period.from != nil {
      throw ValidationError("--days and --from both say when the period begins: give one of them.")
    }
    if form.format == .chart, shown == .events || shown == .excursions {
      throw ValidationError(
        "--events and --excursions are lists; a chart shows the ranges, --profile or --periods.")
    }
  }

  typealias View = GlucoseView

  var list: String? { shown?.list }

  func ask(_ show: (AnalysisAnswer, AnswerNotes) throws -> Void) throws {
    var parameters = GlucoseParameters()
    parameters.days = days ?? parameters.days
    parameters.congaHours = congaHours
    try asking.ask(.glucose(parameters), unit: unit.unit, hold: hold, show: show)
  }
}

/// What readings of glucose say, as tables and as bars.
struct GlucoseView: AnalysisView {
  private let answer: GlucoseAnswer
  private let zones: ZoneTimeline
  private let factor: Double
  /// Which list is shown; `nil` for the summary.
  private let list: String?

  init?(_ answer: AnalysisAnswer, _ list: String?, notes _: AnswerNotes) {
    guard case .glucose(let glucose) = answer.results else { return nil }
    self.answer = glucose
    zones = answer.numbers.timeZone
    factor = glucose.shown(1)
    self.list = list
  }

  private var summary: GlucoseSummary { answer.summary }
  private var statistics: GlucoseStatistics { answer.summary.statistics }

  private static let ranges = GlucoseAnswer.ranges
  private static let percentiles = GlucoseAnswer.percentiles

  /// As many decimals as tell readings apart: none of mg/dL, one of mmol/L.
  private var decimals: Int {
    var (size, decimals) = (factor * 100, 0)
    while size < 50, decimals < 9 { (size, decimals) = (size * 10, decimals + 1) }
    return decimals
  }

  private func text(_ value: Double) -> String {
    NumberText.rounded(answer.shown(value), decimals: decimals)
  }

  /// The edges of most readings.
  private var edges: [String] {
    answer.edges.map { NumberText.rounded($0, decimals: decimals) }
  }

  private func percent(_ share: Double?) -> String {
    share.map { "\(NumberText.rounded($0 * 100, decimals: 1)) %" } ?? "–"
  }

  private func date(_ instant: Double) -> String { LocalTime(instant, in: zones).dateText }

  var title: String {
    "\(Vocabulary.current.word("glucose")), "
      + Vocabulary.current.caption(
        "{0} to {1}", date(answer.period.lowerBound), date(answer.period.upperBound.nextDown))
      + ", "
      + StatisticsCaptions.zones(zones)
  }

  /// Each range in words.
  private var rangeWords: [String] {
    let (edges, unit) = (edges, answer.unit.name)
    return [
      "below \(edges[0]) \(unit)", "from \(edges[0]) to below \(edges[1]) \(unit)",
      "from \(edges[1]) to \(edges[2]) \(unit)", "above \(edges[2]) to \(edges[3]) \(unit)",
      "above \(edges[3]) \(unit)",
    ]
  }

  /// What is said where a list has no rows.
  var notes: AnswerNotes {
    var notes = AnswerNotes()
    switch list {
    case "events":
      notes.emptiness = answer.eventsRefusal ?? "No events of low or high glucose."
    case "excursions":
      notes.emptiness = "No rise or fall exceeds one standard deviation."
    default: break
    }
    return notes
  }

  var page: AnswerView.Page {
    switch list {
    case "hours": AnswerView.Page(table: profileTable, notes: captions)
    case "periods": AnswerView.Page(table: partsTable, notes: captions)
    case "events": AnswerView.Page(table: eventsTable, notes: captions)
    case "excursions": AnswerView.Page(table: excursionsTable, notes: captions)
    default: AnswerView.Page(table: summaryTable, notes: captions)
    }
  }

  private var summaryTable: Table {
    let unit = answer.unit.name
    var table = Table(columns: [
      .words("glucose"), .words("of the time with data, and of readings"),
    ])
    // First of all, since shares of few hours say little about the period.
    table.add([
      "readings",
      "\(NumberText.grouped(statistics.count)) of \(answer.source.shortName), data for "
        + "\(percent(summary.coverage)) of \(AmountText.count(summary.days, "day"))",
    ])
    for (range, words) in zip(Self.ranges, rangeWords).reversed() {
      table.add([
        range.name,
        "\(percent(range.share(summary.rangesByTime))) \(words) "
          + "(\(percent(range.share(summary.rangesBySamples))) of readings)",
      ])
    }
    table.add([
      "tight range",
      "\(percent(summary.rangesByTime.inTightRange)) \(tightWords) "
        + "(\(percent(summary.rangesBySamples.inTightRange)) of readings), a part of the range",
    ])
    table.add(["mean", "\(text(statistics.mean)) \(unit)"])
    if let deviation = statistics.standardDeviation, let share = statistics.variationPercent {
      table.add([
        "variation",
        "SD \(text(deviation)) \(unit), CV \(NumberText.rounded(share, decimals: 1)) %",
      ])
    }
    func index(_ name: String, _ value: Double?, _ unit: String = "") {
      if let value { table.add([name, NumberText.rounded(value, decimals: 1) + unit]) }
    }
    if isEnough { index("GMI", statistics.managementIndicator, " %") }
    index("GRI", summary.rangesByTime.riskIndex)
    table.add([
      "LBGI, HBGI",
      "\(NumberText.rounded(statistics.lowRiskIndex, decimals: 1)), "
        + NumberText.rounded(statistics.highRiskIndex, decimals: 1),
    ])
    index("J index", statistics.jIndex)
    for row in courseRows { table.add(row) }
    table.add(["targets", targets])
    return table
  }

  /// How far glucose swings, and its events.
  private var courseRows: [[String]] {
    let unit = answer.unit.name
    let differences = [
      answer.excursions?.meanAmplitude.map { ("MAGE", $0) },
      answer.dailyDifferences.map { ("MODD", $0.meanMagnitude) },
      answer.differences?.standardDeviation.map {
        ("CONGA(\(NumberText.rounded(answer.congaHours)))", $0)
      },
    ].compactMap(\.self)
    var rows: [[String]] = []
    if !differences.isEmpty {
      rows.append([
        differences.map(\.0).joined(separator: ", "),
        differences.map { text($0.1) }.joined(separator: ", ") + " \(unit)",
      ])
    }
    if let low = answer.events(.low), let veryLow = answer.events(.veryLow),
      let high = answer.events(.high), let veryHigh = answer.events(.veryHigh)
    {
      rows.append([
        "events",
        "\(NumberText.grouped(low.count)) low (\(NumberText.grouped(veryLow.count)) very low), "
          + "\(NumberText.grouped(high.count)) high (\(NumberText.grouped(veryHigh.count)) very high)",
      ])
    }
    let parts = answer.parts.filter { $0.name != .all }.compactMap { part in
      part.found.map { found in
        "\(part.name.rawValue) \(text(found.statistics.mean)) \(unit)"
          + (found.ranges.map { ", \(percent($0.inRange)) in range" } ?? "")
      }
    }
    if !parts.isEmpty { rows.append(["day, night", parts.joined(separator: "; ")]) }
    return rows
  }

  /// The tight range in words.
  private var tightWords: String {
    "from \(edges[1]) to \(NumberText.rounded(answer.tightEdge, decimals: decimals)) "
      + answer.unit.name
  }

  private var partsTable: Table {
    let unit = answer.unit.name
    var table = Table(
      columns: [.words("hours"), .numbers("readings"), .numbers("mean (\(unit))"), .numbers("CV")]
        + Self.ranges.map { .numbers($0.name) } + [.numbers("tight range"), .numbers("events")])
    for part in answer.parts {
      let statistics = part.found?.statistics
      var row = [
        Vocabulary.current.word(part.name.rawValue), NumberText.grouped(statistics?.count ?? 0),
        statistics.map { text($0.mean) } ?? "–",
        percent(statistics?.variationPercent.map { $0 / 100 }),
      ]
      row += Self.ranges.map { range in percent((part.found?.ranges).map(range.share)) }
      row.append(percent(part.found?.ranges?.inTightRange))
      // Very low and very high ones are parts of the others.
      let events = [GlucoseEvent.Level.low, .high].compactMap {
        answer.events($0, in: part.name.hours)?.count
      }
      row.append(events.isEmpty ? "–" : NumberText.grouped(events.reduce(0, +)))
      table.add(row)
    }
    return table
  }

  private var eventsTable: Table {
    var table = Table(columns: [
      .words("start"), .words("end"), .words("event"), .numbers("duration"),
      .numbers("extreme (\(answer.unit.name))"), .words(""),
    ])
    for found in answer.events ?? [] {
      let event = found.event
      let notes = [
        event.isExtended ? "120 min in a row" : nil, event.isCutOff ? "data end" : nil,
      ].compactMap(\.self)
      table.add([
        moment(event.start), moment(event.end),
        Vocabulary.current.word(
          GlucoseAnswer.levels.first { $0.level == event.level }?.name ?? event.level.rawValue),
        minutes(event.duration), text(event.extreme), notes.joined(separator: ", "),
      ])
    }
    return table
  }

  private var excursionsTable: Table {
    var table = Table(columns: [
      .words("start"), .words("end"), .numbers("change (\(answer.unit.name))"),
      .numbers("duration"),
    ])
    for move in answer.excursions?.all ?? [] {
      table.add([
        moment(move.start), moment(move.end),
        (move.change > 0 ? "+" : "") + text(move.change), minutes(move.end - move.start),
      ])
    }
    return table
  }

  private func moment(_ instant: Double) -> String { LocalTime(instant, in: zones).momentText }

  private func minutes(_ seconds: Double) -> String {
    "\(NumberText.grouped(Int((seconds / 60).rounded()))) min"
  }

  /// Whether the data are as many as the consensus wants: 14 days, and 70 % of their time.
  private var isEnough: Bool { summary.targets != nil }

  private var targets: String {
    guard let targets = summary.targets else {
      return "not judged: this needs 14 days with data for 70 % of the time"
    }
    let (edges, unit) = (edges, answer.unit.name)
    let all = [
      (targets.inRange, "more than 70 % in range"),
      (targets.below, "less than 4 % below \(edges[1]) \(unit)"),
      (targets.veryLow, "less than 1 % below \(edges[0]) \(unit)"),
      (targets.above, "less than 25 % above \(edges[2]) \(unit)"),
      (targets.veryHigh, "less than 5 % above \(edges[3]) \(unit)"),
      (targets.variation, "CV at most 36 %"),
    ]
    let missed = all.filter { !$0.0 }.map(\.1)
    return "\(all.count - missed.count) of \(all.count) met"
      + (missed.isEmpty ? "" : "; not met: \(missed.joined(separator: ", "))")
  }

  private var captions: [String] {
    var notes = [
      "Ranges and targets of the international consensus (Battelino 2019), for adults with "
        + "diabetes who are not pregnant; "
        + (isEnough
          ? "GMI is an estimate from readings, not a laboratory's HbA1c."
          : "GMI is left out, since it needs 14 days with data for 70 % of the time, too.")
        + " No diagnosis.",
      answer.judgement,
    ]
    if let refusal = answer.eventsRefusal { notes.append(refusal) }
    var left: [String] = []
    if !answer.others.isEmpty { left.append("readings of \(answer.others.text)") }
    if answer.repeatedCount > 0 {
      left.append("\(AmountText.count(answer.repeatedCount, "reading")) at the time of another")
    }
    if answer.implausibleCount > 0 {
      left.append(
        "\(AmountText.count(answer.implausibleCount, "reading")) outside of what a meter can show")
    }
    if !left.isEmpty { notes.append("Left out: \(left.joined(separator: "; ")).") }
    return notes
  }

  private var profileTable: Table {
    var table = Table(
      columns: [.words("hour")]
        + Self.percentiles.map { .numbers("\($0.title) (\(answer.unit.name))") }
        + [.numbers("in range"), .numbers("readings")])
    for hour in answer.profile.hours {
      table.add(
        [label(hour)] + Self.percentiles.map { text($0.value(hour)) }
          + [percent(hour.ranges?.inRange), NumberText.grouped(hour.count)])
    }
    return table
  }

  private func label(_ hour: GlucoseProfile.Hour) -> String {
    hour.hour < 10 ? "0\(hour.hour):00" : "\(hour.hour):00"
  }

  /// The bar of the five ranges, and a line for each hour.
  func chart(width: Int, style: TextStyle) -> [String] {
    let heading = title.wrapped(to: width).map(style.strong) + [""]
    let marks = zip(Self.ranges, rangeWords).enumerated().map { place, range in
      ChartMark.numbered(place, name: "\(Vocabulary.current.word(range.0.name)), \(range.1)")
    }
    func bar(_ label: String, _ ranges: GlucoseRanges) -> StackedChart.Bar {
      StackedChart.Bar(
        label: label, text: percent(ranges.inRange), parts: Self.ranges.map { $0.share(ranges) })
    }
    let parts = answer.parts.compactMap { part in
      (part.found?.ranges).map { bar(Vocabulary.current.word(part.name.rawValue), $0) }
    }
    let bars = StackedChart(
      marks: marks,
      bars: list == "periods"
        ? parts
        : [
          bar(Vocabulary.current.word("time"), summary.rangesByTime),
          bar(Vocabulary.current.word("readings"), summary.rangesBySamples),
        ])
    if list == "periods" { return heading + bars.lines(width: width, style: style) }
    let hours = answer.profile.hours.map { hour in
      RangeChart.Line(
        label: label(hour), minimum: answer.shown(hour.fifthPercentile),
        mean: answer.shown(hour.median), maximum: answer.shown(hour.ninetyFifthPercentile),
        text: text(hour.median))
    }
    let course = RangeChart(
      lines: hours, statistic: "median (\(answer.unit.name))", strokes: "from 5 to 95 % of readings"
    )
    return heading
      + (list == "hours" ? [] : bars.lines(width: width, style: style) + [""])
      + course.lines(width: width, style: style)
  }
}
