import ArgumentParser
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples

/// `hkstats missing`: whether days without data are on some weekdays more often.
struct MissingCommand: AnalysisCommand {
  static let configuration = CommandConfiguration(
    commandName: "missing",
    abstract: MissingParameters.about,
    discussion: """
      Counts the days without data of each type by weekday, between its first and its last day with \
      data, and tests whether chance alone would part them so (Pearson's χ²; all ways to choose days \
      are counted where there are few). A mean over days leans towards the weekdays that are there: \
      a watch that stays at home on Sundays makes a mean of workdays.

      A day that the data cover in part is not missing. Without types all are tested, and at most 5 \
      of 100 of those that are named are named by chance (--rate). Without --from it is the last year.

      EXAMPLES:
        hkstats missing
        hkstats missing steps --format chart
        hkstats missing bodyMass --from -3y --by-weekday --format csv
      """)

  @OptionGroup var types: AnalysedTypes

  @Option(help: .of(\MissingParameters.rate))
  var rate = MissingParameters().rate

  @Flag(help: "A row for each weekday of each type.")
  var byWeekday = false

  @OptionGroup var asking: AnalysisOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  typealias View = MissingView

  var list: String? { byWeekday ? "weekdays" : nil }

  func ask(_ show: (AnalysisAnswer, AnswerNotes) throws -> Void) throws {
    var parameters = MissingParameters()
    parameters.rate = rate
    try asking.ask(.missing(parameters), of: types.names, by: nil, show: show)
  }
}

/// Missing days by weekday as a table, and as bars.
struct MissingView: AnalysisView {
  let notes: AnswerNotes
  private let zones: ZoneTimeline
  private let found: [MissingAnswer]
  private let refusals: [(name: String, error: AnalysisError)]

  init?(_ answer: AnalysisAnswer, _: String?, notes: AnswerNotes) {
    guard case .missing(let results) = answer.results else { return nil }
    (self.notes, zones) = (notes, answer.numbers.timeZone)
    (found, refusals) = (results.known(), answer.refused(among: results))
  }

  var title: String {
    "\(Vocabulary.current.word("Days without data")), \(StatisticsCaptions.zones(zones))"
  }

  private static var weekdays: [String] { IntervalGroup.weekday.labels }

  /// The most columns of a name, beside which the numbers fit into 80.
  private static let nameWidth = 25

  var page: AnswerView.Page {
    var table = Table(
      columns: [.words("type"), .numbers("missing")]
        + Self.weekdays.indices.map {
          .numbers(Vocabulary.current.weekday($0).filter(\.isLetter))
        } + [.numbers("p")])
    for missing in found {
      let (days, lacking) = (missing.days.count, missing.days.missingCount)
      table.add(
        [
          missing.subject.series.shownName.truncated(to: Self.nameWidth),
          "\(NumberText.grouped(lacking))/\(NumberText.grouped(days))",
        ] + missing.days.shares.map { NumberText.rounded($0 * 100) } + [
          missing.test.map { NumberText.rounded($0.pValue, decimals: 3) } ?? "–"
        ])
    }
    return AnswerView.Page(table: table, notes: captions)
  }

  private static func percent(_ share: Double) -> String {
    "\(NumberText.rounded(share * 100)) %"
  }

  private var captions: [String] {
    let uneven = found.filter(\.holds).map(\.subject.series.shownName)
    let tested = found.count { $0.test != nil }
    return [
      "Each weekday has the percentage of its days that are missing.",
      uneven.isEmpty
        ? "Of \(AmountText.count(tested, "type")) with missing days none misses some weekdays more than chance does."
        : "More often on some weekdays than by chance: \(uneven.joined(separator: ", ")). A mean over "
          + "days leans towards the weekdays that are there.",
    ] + refusals.map { "\($0.name.printable): \($0.error.description)" }
  }

  /// The share of missing days of each weekday, by type.
  func chart(width: Int, style: TextStyle) -> [String] {
    found.flatMap { missing in
      [style.strong(missing.subject.series.shownName)]
        + BarChart(
          bars: zip(Self.weekdays, missing.days.shares).map { label, share in
            BarChart.Bar(label: label, value: share, text: Self.percent(share))
          }
        ).lines(width: width, style: style) + [""]
    }
  }
}
