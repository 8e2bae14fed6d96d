import ArgumentParser
import Foundation
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthReport
import HealthSamples
import HealthUnits

/// `hkstats correlate`: what goes with what.
struct CorrelateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "correlate",
    abstract: RelationParameters.about,
    discussion: """
      Asks of every pair of types whether days with more of one are days with more, or less, of the \
      other: on the same day, and up to three days later in both directions. What is compared is \
      free of the course of the week, of slow changes and of what the days before tell, so that two \
      types that merely both rise do not count. Among all tests that were made at most 1 in 20 of \
      those that hold is expected to be chance (Benjamini and Hochberg), and in data without any \
      relation at most 1 person in 20 gets to see one.

      Pairs that measure one thing, such as steps and distance, are not tested. Both types need 42 \
      days in common. Going together is not cause. "The same day" for a night is the night before: \
      it belongs to the day on which it ends. Without --from it looks at the last year.

      EXAMPLES:
        hkstats correlate
        hkstats correlate sleep,heartRateVariabilitySDNN,restingHeartRate --from -1y
        hkstats correlate steps,sleep.deep --lags 1 --all
        hkstats correlate --from -2y --all-tests --format json
      """)

  @OptionGroup var types: AnalysedTypes

  @Option(help: .of(\RelationParameters.lags))
  var lags = RelationParameters().lags

  @Option(help: .of(\RelationParameters.atLeast))
  var atLeast = RelationParameters().atLeast

  @Option(help: .of(\RelationParameters.rate))
  var rate = RelationParameters().rate

  @Flag(help: "Every pair at its best lag, held or not.")
  var all = false

  @Flag(
    help:
      "Every test that was made, of each pair at each lag, so that its correction can be computed again: qValue is the least over all p of this size or larger of p x tests / rank."
  )
  var allTests = false

  @OptionGroup var asking: AnalysisOptions
  @OptionGroup var form: ReportOptions<ChartFormat>

  func run() throws {
    var parameters = RelationParameters()
    (parameters.lags, parameters.atLeast, parameters.rate) = (lags, atLeast, rate)
    try asking.ask(.relations(parameters), of: types.names, by: nil) { answer, notes in
      let shown = allTests ? RelationsReport.Shown.tests : all ? .pairs : .held
      guard let report = RelationsReport(answer, showing: shown, notes: notes) else { return }
      try form.write(report.report) {
        report.chart(width: Terminal.columns(STDOUT_FILENO), style: $0)
      }
    }
  }
}

/// Relations as a report, the surest first.
struct RelationsReport {
  private let answer: AnalysisAnswer
  private let notes: AnswerNotes
  private let found: RelationsAnswer
  private let shown: [Relation]
  private let held: Set<Relation>

  /// Which tests are rows.
  enum Shown {
    /// Those that hold.
    case held
    /// Each pair at its best lag.
    case pairs
    /// Each pair at each lag, in the order of the types.
    case tests
  }

  init?(_ answer: AnalysisAnswer, showing: Shown, notes: AnswerNotes) {
    guard case .relations(let found) = answer.findings else { return nil }
    (self.answer, self.notes, self.found) = (answer, notes, found)
    shown =
      switch showing {
      case .held: found.relations.held
      case .pairs: found.relations.bestOfPairs
      case .tests: found.relations.tested
      }
    held = Set(found.relations.held)
  }

  private func name(_ place: Int) -> String { found.subjects[place].series.name }

  private func title(_ place: Int) -> String { found.subjects[place].series.shownName }

  var report: Report {
    let shown = shown
    func number(_ key: String, _ read: @escaping (Relation) -> Double?) -> Report.Column {
      .machine(key) { read(shown[$0]).map { .number($0) } ?? .none }
    }
    var report = Report(
      head: HeadMember.head(of: answer), list: "relations",
      count: shown.count, zones: answer.numbers.timeZone,
      columns: [
        .machine("first") { .text(name(shown[$0].first)) },
        .machine("second") { .text(name(shown[$0].second)) },
        .machine("lag") { .count(shown[$0].lag) },
        number("coefficient") { $0.correlation.coefficient },
        number("low") { $0.interval?.lowerBound },
        number("high") { $0.interval?.upperBound },
        .machine("count") { .count(shown[$0].correlation.count) },
        number("effectiveCount") { $0.correlation.effectiveCount },
        number("pValue") { $0.pValue }, number("qValue") { $0.adjustedPValue },
        number("rawCoefficient") { $0.rawCoefficient },
        .machine("holds") { .truth(held.contains(shown[$0])) },
      ])
    report.title =
      Vocabulary.current.word("What goes with what") + ", "
      + StatisticsCaptions.zones(answer.numbers.timeZone)
    report.notes = notes
    if shown.isEmpty { report.notes.emptiness = captions.joined(separator: " ") }
    report.page = { page }
    return report
  }

  // MARK: - For people

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

  private var page: Report.Page {
    var table = Table(columns: [
      .words("on days with more"), .words("you tend to have"), .words("when"), .numbers("ρ"),
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
    return Report.Page(table: table, notes: captions)
  }

  private var captions: [String] {
    let (tested, held) = (found.relations.tested.count, found.relations.held.count)
    var lines = [
      held == 0
        ? "None of \(NumberText.grouped(tested)) tests held. That is an answer, too."
        : "\(NumberText.grouped(held)) of \(NumberText.grouped(tested)) tests held. Going together is "
          + "not cause."
    ]
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
