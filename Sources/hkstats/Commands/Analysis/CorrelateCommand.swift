import ArgumentParser
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport

/// `hkstats correlate`: what goes with what.
struct CorrelateCommand: AnalysisCommand {
  static let configuration = CommandConfiguration(
    commandName: "correlate",
    abstract: CorrelateParameters.about,
    discussion: """
      Asks of every pair of types whether days with more of one are days with more, or less, of the \
      other: on the same day, and up to three days later in both directions, free of the course of \
      the week, of slow changes and of what the days before tell. Among the tests that hold at most \
      1 in 20 is expected to be chance, and without any relation at most 1 person in 20 sees one. Of \
      numbers (pearson) only what ranks show as well holds, for two far values make one.

      Pairs that measure one thing are not tested. Going together is not cause. A night belongs to \
      the day on which it ends. Without --from: the last year.

      EXAMPLES:
        hkstats correlate sleep,heartRateVariabilitySDNN,restingHeartRate --from -1y
        hkstats correlate steps,sleep.deep --lags 1 --all
        hkstats correlate sleep,restingHeartRate --given steps
      """)

  @OptionGroup var types: AnalysedTypes

  @Option(
    help: .of(\CorrelateParameters.given),
    completion: .types, transform: AnalysisTypes.names)
  var given: [String] = []

  @Option(
    help: .of(\CorrelateParameters.comparison, saysDefault: true),
    completion: .words(of: \CorrelateParameters.comparison),
    transform: { try QuestionWords.word(.comparisonOfTypes, $0) })
  var comparison = CorrelateParameters().comparison

  @Option(
    help: .of(\CorrelateParameters.adjustment, saysDefault: true),
    completion: .words(of: \CorrelateParameters.adjustment),
    transform: { try QuestionWords.word(.adjustment, $0) })
  var adjustment = CorrelateParameters().adjustment

  @Option(help: .of(\CorrelateParameters.lags))
  var lags = CorrelateParameters().lags

  @Option(help: .of(\CorrelateParameters.atLeast))
  var atLeast = CorrelateParameters().atLeast

  @Option(help: .of(\CorrelateParameters.rate))
  var rate = CorrelateParameters().rate

  @Flag(help: "Every pair at its best lag, held or not.")
  var all = false

  @Flag(help: "Every test, of each pair at each lag.")
  var allTests = false

  @OptionGroup var asking: AnalysisOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  typealias View = CorrelateView

  var list: String? { allTests ? "tests" : all ? "pairs" : "relations" }

  func ask(_ show: (AnalysisAnswer, AnswerNotes) throws -> Void) throws {
    var parameters = CorrelateParameters()
    (parameters.lags, parameters.atLeast, parameters.rate) = (lags, atLeast, rate)
    (parameters.comparison, parameters.adjustment) = (comparison, adjustment)
    parameters.given = given
    try asking.ask(.correlate(parameters), of: types.names, by: nil, show: show)
  }
}

/// Relations as a table, the surest first, and as dots on a scale.
struct CorrelateView: AnalysisView {
  private let zones: ZoneTimeline
  private let found: CorrelateAnswer
  private let shown: [Relation]
  private(set) var notes: AnswerNotes

  init?(_ answer: AnalysisAnswer, _ list: String?, notes: AnswerNotes) {
    guard case .correlate(let found) = answer.results else { return nil }
    (self.notes, self.found) = (notes, found)
    (zones, shown) = (answer.numbers.timeZone, found.rows(of: list))
    if shown.isEmpty { self.notes.emptiness = captions.joined(separator: " ") }
  }

  private func title(_ place: Int) -> String { found.subjects[place].series.shownName }

  var title: String {
    Vocabulary.current.word("What goes with what") + ", "
      + StatisticsCaptions.zones(zones)
  }

  /// The two names in order of time, whether more goes with more, and how many days lie between.
  private func words(_ relation: Relation) -> (
    first: String, more: String, second: String, when: String
  ) {
    let isForward = relation.lag >= 0
    let days = abs(relation.lag)
    let vocabulary = Vocabulary.current
    return (
      title(isForward ? relation.first : relation.second),
      vocabulary.word(relation.correlation.coefficient > 0 ? "more" : "less"),
      title(isForward ? relation.second : relation.first),
      days == 0
        ? vocabulary.word("the same day")
        : days == 1
          ? vocabulary.word("the next day") : vocabulary.caption("{0} days later", "\(days)")
    )
  }

  var page: AnswerView.Page {
    var table = Table(columns: [
      .words("on days with more"), .words("you tend to have"), .words("when"),
      .numbers(found.relations.tested.first?.correlation.method == .pearson ? "r" : "ρ"),
      .words("95 %"), .numbers("days"), .numbers("q"),
    ])
    for relation in shown {
      let words = words(relation)
      let range = relation.interval.map {
        Vocabulary.current.caption(
          "{0} to {1}", NumberText.rounded($0.lowerBound, decimals: 2),
          NumberText.rounded($0.upperBound, decimals: 2))
      }
      table.add([
        words.first, "\(words.more) \(words.second)", words.when,
        NumberText.rounded(relation.correlation.coefficient, decimals: 2), range ?? "–",
        NumberText.grouped(relation.correlation.count),
        relation.adjustedPValue < 0.001
          ? "<" + NumberText.rounded(0.001, decimals: 3)
          : NumberText.rounded(relation.adjustedPValue, decimals: 3),
      ])
    }
    return AnswerView.Page(table: table, notes: captions)
  }

  private var captions: [String] {
    let (tested, held) = (found.relations.tested.count, found.relations.held.count)
    var lines = [
      held == 0
        ? "None of \(NumberText.grouped(tested)) tests held. That is an answer, too."
        : "\(NumberText.grouped(held)) of \(NumberText.grouped(tested)) tests held. Going together is "
          + "not cause."
    ]
    if !found.given.isEmpty {
      lines.append(
        "Taken out of all: \(found.given.map(\.series.shownName).joined(separator: ", ")).")
    }
    if found.excludedCount > 0 {
      lines.append(
        "\(AmountText.count(found.excludedCount, "pair")) not tested: both measure one thing.")
    }
    if !found.refusals.isEmpty {
      let names = found.refusals.keys.sorted().map(title)
      lines.append("Too few days, or all equal: \(names.joined(separator: ", ")).")
    }
    return lines
  }

  /// A dot for each relation on a scale from −1 to 1, with its interval.
  func chart(width: Int, style: TextStyle) -> [String] {
    let lines = shown.map { relation in
      let words = words(relation)
      let interval = relation.interval
      return RangeChart.Line(
        label: "\(words.first), \(words.more) \(words.second) \(words.when)",
        minimum: interval?.lowerBound, mean: relation.correlation.coefficient,
        maximum: interval?.upperBound,
        text: NumberText.rounded(relation.correlation.coefficient, decimals: 2))
    }
    return RangeChart(
      lines: lines, statistic: "correlation", strokes: "95 % interval", ends: -1...1
    ).lines(width: width, style: style)
      + captions.flatMap { $0.wrapped(to: width) }.map(style.faint).afterBlank
  }
}
