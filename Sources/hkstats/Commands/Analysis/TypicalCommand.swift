import ArgumentParser
import Foundation
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples
import HealthUnits

/// `hkstats typical`: the last week beside what is typical.
struct TypicalCommand: AnalysisCommand {
  static let configuration = CommandConfiguration(
    commandName: "typical",
    abstract: TypicalParameters.about,
    discussion: """
      The mean of the last seven days of each type, beside the range in which nine of ten such means \
      of the year before lie, and their median. The seven days end with the last whole day, or, where \
      these have too few numbers, with the last that has one. \
      It needs fourteen weeks before it can say anything.

      Of ten measures one lies outside in a usual week: the range is made so. Of 100 measures of \
      which nothing changes, \(TypicalParameters.FalseAlarms.ofAYear) do at most where the range is of \
      a year, and \(TypicalParameters.FalseAlarms.ofAQuarter) where it is of fourteen weeks. How many \
      of yours lay outside in the weeks before is said below the table, and week by week in json.

      EXAMPLES:
        hkstats typical
        hkstats typical restingHeartRate,sleep,steps
        hkstats typical --days 30 --format json
      """)

  @OptionGroup var types: AnalysedTypes

  @Option(help: .of(\TypicalParameters.days))
  var days = TypicalParameters().days

  @Option(help: .of(\TypicalParameters.within))
  var within = TypicalParameters().within

  @Option(help: .of(\TypicalParameters.atLeast, otherwise: "four of seven"))
  var atLeast: Int?

  @OptionGroup var asking: AnalysisOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  typealias View = TypicalView

  func ask(_ show: (AnalysisAnswer, AnswerNotes) throws -> Void) throws {
    var parameters = TypicalParameters()
    (parameters.days, parameters.within) = (days, within)
    // Four days of seven.
    parameters.atLeast = atLeast ?? max(1, days * 4 / 7)
    try asking.ask(.typical(parameters), of: types.names, by: nil, show: show)
  }
}

/// Typical ranges as a table, and as strokes with a dot.
struct TypicalView: AnalysisView {
  private let answer: AnalysisAnswer
  private let found: [TypicalAnswer]
  private let refusals: [(name: String, error: AnalysisError)]
  private(set) var notes: AnswerNotes

  init?(_ answer: AnalysisAnswer, _: String?, notes: AnswerNotes) {
    guard case .typical(let results) = answer.results else { return nil }
    (self.answer, self.notes) = (answer, notes)
    found = results.known()
    refusals = answer.refused(among: results)
    if found.isEmpty { self.notes.emptiness = captions.joined(separator: " ") }
  }

  private var summary: TypicalSummary { TypicalSummary(of: found) }

  var title: String {
    Vocabulary.current.word("Your typical weeks") + ", "
      + StatisticsCaptions.zones(answer.numbers.timeZone)
  }

  var page: AnswerView.Page {
    var table = Table(columns: [
      .words("type"), .numbers("mean of the last days"), .words("is"), .numbers("typical: from"),
      .numbers("to"), .numbers("median"), .words("last day"),
    ])
    for typical in found {
      let series = typical.subject.series
      let texts = series.texts([
        typical.mean, typical.range.low, typical.range.high, typical.range.median,
      ])
      let unit = series.unitSuffix
      let position =
        switch typical.position {
        case .inside: "typical"
        case .above: "above"
        case .below: "below"
        }
      table.add([
        series.shownName, texts[0] + unit, Vocabulary.current.word(position), texts[1], texts[2],
        texts[3],
        LocalTime(series.ends[typical.rows.upperBound - 1].nextDown, in: answer.numbers.timeZone)
          .dateText,
      ])
    }
    return AnswerView.Page(table: table, notes: captions)
  }

  private var captions: [String] {
    guard case .typical(let parameters) = answer.plan.method else { return [] }
    let summary = summary
    let outsideCount = summary.outsideCount
    var lines = [
      "\(NumberText.grouped(outsideCount)) of \(AmountText.count(found.count, "measure")) "
        + "\(outsideCount == 1 || found.count == 1 ? "lies" : "lie") outside of what is typical: where nine of ten means "
        + "of \(AmountText.count(parameters.days, "day")) lay in the \(parameters.within) days before."
    ]
    if found.count > 1, let usual = summary.usualOutside {
      let weeks =
        parameters.days == 7 ? "weeks" : "spans of \(AmountText.count(parameters.days, "day"))"
      lines.append(
        "In nine of ten of the \(summary.weekCount) \(weeks) before, at most "
          + "\(NumberText.grouped(usual)) \(usual == 1 ? "was" : "were") outside.")
    }
    if !refusals.isEmpty {
      lines.append(
        "\(AmountText.count(refusals.count, "measure")) with too few days to say what is typical.")
    }
    return lines
  }

  /// One scale for each type: a stroke from low to high, and the mean of the last days.
  func chart(width: Int, style: TextStyle) -> [String] {
    found.flatMap { typical -> [String] in
      let series = typical.subject.series
      let (scale, unit) = series.axis
      let texts = series.texts([typical.mean])
      return RangeChart(
        lines: [
          RangeChart.Line(
            label: series.heading(in: unit),
            minimum: typical.range.low * scale,
            mean: typical.mean * scale, maximum: typical.range.high * scale, text: texts[0])
        ], statistic: "mean of the last days", strokes: "nine of ten means before"
      ).lines(width: width, style: style) + [""]
    }
  }
}
