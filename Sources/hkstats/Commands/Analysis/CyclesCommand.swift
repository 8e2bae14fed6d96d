import ArgumentParser
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport

/// `hkstats cycles`: how long menstrual cycles are.
struct CyclesCommand: AnalysisCommand {
  static let configuration = CommandConfiguration(
    commandName: "cycles",
    abstract: CyclesParameters.about,
    discussion: """
      A cycle begins on the day of a sample of menstrual flow that says so, else on a day of flow \
      after at least 10 days without (--flow-gap), and ends the day before the next one begins. The \
      statistics are of the cycles that begin in the period and are over: at least 3. A longer \
      cycle than 90 days (--longest-cycle) is taken for missing entries, left out and counted.

      Without --from and --to all cycles count.

      This is about the past: it predicts no cycle, and says nothing about fertility.

      EXAMPLES:
        hkstats cycles
        hkstats cycles --from -1y --format chart
        hkstats cycles --longest-cycle 60 --format json
      """)

  @Option(name: .customLong("flow-gap"), help: .of(\CyclesParameters.gap))
  var gap = CyclesParameters().gap

  @Option(name: .customLong("longest-cycle"), help: .of(\CyclesParameters.longest))
  var longest = CyclesParameters().longest

  @OptionGroup var asking: FixedTypeOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  typealias View = CyclesView

  static let optionNames = ["gap": "flowGap", "longest": "longestCycle"]

  func ask(_ show: (AnalysisAnswer, AnswerNotes) throws -> Void) throws {
    var parameters = CyclesParameters()
    (parameters.gap, parameters.longest) = (gap, longest)
    try asking.ask(.cycles(parameters), show: show)
  }
}

/// Cycles beside their median, as a table and as bars.
struct CyclesView: AnalysisView {
  private let answer: CyclesAnswer
  private let zones: ZoneTimeline

  /// More rows than fit on a screen become a curve.
  private static let longestList = 40

  init?(_ answer: AnalysisAnswer, _: String?, notes _: AnswerNotes) {
    guard case .cycles(let cycles) = answer.results else { return nil }
    self.answer = cycles
    zones = answer.numbers.timeZone
  }

  private var statistics: CycleStatistics { answer.statistics }

  var page: AnswerView.Page { AnswerView.Page(table: table, notes: captions) }

  var title: String {
    "\(Vocabulary.current.word("cycles")), \(StatisticsCaptions.zones(zones))"
  }

  private func date(_ instant: Double) -> String { LocalTime(instant, in: zones).dateText }

  private static func days(_ count: Double) -> String {
    "\(NumberText.rounded(count)) \(count == 1 ? "day" : "days")"
  }

  /// How far a cycle is from the median: `+2`.
  private static func text(_ difference: Double) -> String {
    (difference > 0 ? "+" : "") + NumberText.rounded(difference)
  }

  private var table: Table {
    var table = Table(columns: [
      .words("first day"), .numbers("length (d)"), .numbers("from the median"),
      .numbers("bleed (d)"), .numbers("flow (d)"), .words(""),
    ])
    for row in answer.cycles {
      table.add([
        date(row.start), row.cycle.length.map(NumberText.grouped) ?? "–",
        row.difference.map(Self.text) ?? "–", NumberText.grouped(row.cycle.bleedLength),
        NumberText.grouped(row.cycle.flowDayCount),
        Vocabulary.current.word(
          row.cycle.length == nil ? "not over" : row.isTooLong ? "left out" : ""),
      ])
    }
    return table
  }

  private func sentence(_ name: String, _ spread: DaySpread) -> String {
    "\(name): median \(Self.days(spread.median)), the middle half from "
      + "\(NumberText.rounded(spread.lowerQuartile)) to \(NumberText.rounded(spread.upperQuartile)), "
      + "SD \(NumberText.rounded(spread.standardDeviation, decimals: 1)), from \(spread.least) to "
      + "\(spread.greatest), of \(AmountText.count(spread.count, "cycle"))."
  }

  private var captions: [String] {
    var notes = [
      sentence("Cycles", statistics.length), sentence("Bleeds", statistics.bleedLength),
      sentence("Days of flow", statistics.flowDays),
    ]
    if statistics.tooLongCount > 0 {
      notes.append(
        "Left out: \(AmountText.count(statistics.tooLongCount, "cycle")) of more than "
          + "\(answer.parameters.longest) days, taken for missing entries.")
    }
    notes.append("This describes the past: it predicts no cycle, and says nothing about fertility.")
    return notes
  }

  /// A bar for each cycle that is over, or a curve of many.
  func chart(width: Int, style: TextStyle) -> [String] {
    let over = answer.cycles.filter { $0.cycle.length != nil }
    let heading =
      "\(title): length (d), median \(NumberText.rounded(statistics.length.median))"
      .wrapped(to: width).map(style.strong) + [""]
    guard over.count > Self.longestList else {
      let bars = over.map { row in
        BarChart.Bar(
          label: date(row.start), value: row.cycle.length.map(Double.init),
          text: row.cycle.length.map(NumberText.grouped) ?? "–", isFaint: row.isTooLong)
      }
      return heading + BarChart(bars: bars).lines(width: width, style: style)
    }
    return heading
      + LineChart(
        values: over.map { row in row.isTooLong ? nil : row.cycle.length.map(Double.init) },
        startsAtZero: false,
        ends: (over.first.map { date($0.start) } ?? "", over.last.map { date($0.start) } ?? "")
      ).lines(width: width, style: style)
  }
}
