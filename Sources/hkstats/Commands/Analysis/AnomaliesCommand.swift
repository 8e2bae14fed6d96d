import ArgumentParser
import Foundation
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples
import HealthUnits

/// `hkstats anomalies`: what was unusual for this person.
struct AnomaliesCommand: AnalysisCommand {
  static let configuration = CommandConfiguration(
    commandName: "anomalies",
    abstract: AnomaliesParameters.about,
    discussion: """
      Compares each day with the 28 days before it, by their median and the median distance from \
      it (a robust score of 3.5 and more). A day counts as unusual only if it still is without the \
      course of the week and slow changes. Days are compared with those of the same source, so \
      that a new device starts anew. It needs 14 days before it can say anything. Amounts of days of \
      23 and 25 hours are judged as those of 24. Without --from it looks at the last 7 days that \
      have data.

      Unusual for you is no diagnosis: it says that a number is rare in your own data. Where \
      nothing at all happens, this still names up to \(AnomaliesParameters.FalseAlarms.normal) of \
      1,000 days that are independent and normally distributed, \
      \(AnomaliesParameters.FalseAlarms.dependent) where each day keeps half of the day before, and \
      \(AnomaliesParameters.FalseAlarms.farOut) where days far out are common (Student's t with 3 \
      degrees of freedom).

      EXAMPLES:
        hkstats anomalies
        hkstats anomalies restingHeartRate,sleep --from -90d
        hkstats anomalies --from -30d --threshold 5 --format json
      """,
    aliases: ["unusual"])

  @OptionGroup var types: AnalysedTypes

  @Option(help: .of(\AnomaliesParameters.baseline))
  var baseline = AnomaliesParameters().baseline

  @Option(help: .of(\AnomaliesParameters.threshold))
  var threshold = AnomaliesParameters().threshold

  @OptionGroup var asking: AnalysisOptions
  @OptionGroup var form: FormatOptions<ListFormat>

  typealias View = AnomaliesView

  func ask(_ show: (AnalysisAnswer, AnswerNotes) throws -> Void) throws {
    var parameters = AnomaliesParameters()
    (parameters.baseline, parameters.threshold) = (baseline, threshold)
    try asking.ask(.anomalies(parameters), of: types.names, by: nil, show: show)
  }
}

/// The types of an analysis that names them.
struct NamedTypes: ParsableArguments {
  @Argument(
    help:
      "The type, or several with commas between: steps,heartRate.max,bodyMass:lb,sleep.deep.",
    completion: .types)
  var types: String

  /// The names.
  var names: [String] { AnalysisTypes.names(types) }
}

/// The types of an analysis, all by default.
struct AnalysedTypes: ParsableArguments {
  @Argument(
    help:
      "The types with commas between: steps,heartRate.max,bodyMass:lb. Absent: all quantities, and sleep.",
    completion: .types)
  var types: String?

  /// The names; none for all.
  var names: [String] { types.map(AnalysisTypes.names) ?? [] }
}

/// Unusual days as a table, the newest first.
struct AnomaliesView: AnalysisView {
  private let answer: AnalysisAnswer
  private let found: [Result<AnomaliesAnswer, AnalysisError>]
  private let rows: [Row]
  private(set) var notes: AnswerNotes

  private typealias Row = (
    place: Int, subject: IntervalSeries, finding: AnomaliesAnswer.Finding
  )

  init?(_ answer: AnalysisAnswer, _: String?, notes: AnswerNotes) {
    guard case .anomalies(let found) = answer.results else { return nil }
    (self.answer, self.notes, self.found) = (answer, notes, found)
    rows = AnomaliesAnswer.newestFirst(found)
    if rows.isEmpty { self.notes.emptiness = captions.joined(separator: " ") }
  }

  private var known: [AnomaliesAnswer] { found.known() }

  var title: String {
    Vocabulary.current.word("Unusual for you") + ", "
      + StatisticsCaptions.zones(answer.numbers.timeZone)
  }

  var page: AnswerView.Page {
    var table = Table(columns: [
      .words("day"), .words("type"), .numbers("value"), .words("than usual for you"),
      .numbers("median"), .numbers("score"),
    ])
    for row in rows {
      let label = IntervalLabels(
        of: answer.plan.question.interval ?? CalendarInterval(.day),
        starts: [row.subject.starts[row.finding.row]], ends: [row.subject.ends[row.finding.row]],
        zone: answer.numbers.timeZone)
      let texts = row.subject.texts([row.finding.value, row.finding.median])
      let unit = row.subject.unitSuffix
      table.add([
        label.texts[0], row.subject.shownName, texts[0] + unit,
        row.finding.score > 0
          ? Vocabulary.current.word("higher") : Vocabulary.current.word("lower"), texts[1],
        NumberText.rounded(row.finding.score, decimals: 1),
      ])
    }
    return AnswerView.Page(table: table, notes: captions)
  }

  private var captions: [String] {
    guard case .anomalies(let parameters) = answer.plan.method else { return [] }
    let (_, judged, unjudged) = AnomaliesAnswer.counts(found)
    let measures = known.count { $0.judgedCount > 0 }
    var lines = [
      "\(NumberText.grouped(rows.count)) of \(AmountText.count(judged, "daily number")) of "
        + "\(AmountText.count(measures, "measure")) \(rows.count == 1 ? "is" : "are") unusual, each "
        + "against the \(parameters.baseline) days before it. Unusual for you, which is no diagnosis."
    ]
    if unjudged > 0 {
      lines.append(
        "\(AmountText.count(unjudged, "day")) could not be judged: too few days of the same source "
          + "before, or all of them equal.")
    }
    return lines
  }
}
