import ArgumentParser
import Foundation
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples
import HealthUnits

/// `hkstats changes`: when the level of a type changed.
struct ChangesCommand: AnalysisCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: ChangesParameters.about,
    discussion: """
      Divides the days of a type into stretches with a level each (PELT, least squares). A change \
      must be worth more than the numbers' own coming and going, and than a slope, a wave of a year \
      or a level that wanders: where one of these explains the numbers as well as changes do, it is \
      named, and no day is. json has what a change had to be worth: penalty is factor x \
      longRunDeviation² x ln n, in squares of the unit. Single days far out make no change; a level lasts at least 14 days with \
      data. The course of the week is taken out before.

      Of 100 measures whose level neither changes nor has a slope or a wave at most \
      \(ChangesParameters.FalseAlarms.percent) are said to change, with days by themselves and with \
      such that keep up to 0.8 of the day before; of such as wander or have a wave at most \
      \(ChangesParameters.FalseAlarms.percentOfSlowCourses). A change that is small beside the days' \
      own differences may be taken for a slope.

      EXAMPLES:
        hkstats changes restingHeartRate
        hkstats changes steps,sleep,restingHeartRate --from -2y
        hkstats changes restingHeartRate --least-length 28 --format json
      """)

  @OptionGroup var types: AnalysedTypes

  @Option(
    help: IntervalArgument.help, completion: .intervals, transform: QuestionWords.interval)
  var by = CalendarInterval(.day)

  @Option(help: .of(\ChangesParameters.leastLength))
  var leastLength = ChangesParameters().leastLength

  @OptionGroup var asking: AnalysisOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  typealias View = ChangesView

  func ask(_ show: (AnalysisAnswer, AnswerNotes) throws -> Void) throws {
    var parameters = ChangesParameters()
    parameters.leastLength = leastLength
    try asking.ask(.changes(parameters), of: types.names, by: by, show: show)
  }
}

/// Levels and changes as a table, and as steps through the numbers.
struct ChangesView: AnalysisView {
  private let answer: AnalysisAnswer
  let notes: AnswerNotes
  private let found: [ChangesAnswer]
  private let refusals: [(name: String, error: AnalysisError)]

  init?(_ answer: AnalysisAnswer, _: String?, notes: AnswerNotes) {
    guard case .changes(let results) = answer.results else { return nil }
    (self.answer, self.notes) = (answer, notes)
    (found, refusals) = (results.known(), answer.refused(among: results))
  }

  var title: String {
    Vocabulary.current.word("Levels") + ", "
      + StatisticsCaptions.zones(answer.numbers.timeZone)
  }

  var page: AnswerView.Page {
    var table = Table(columns: [
      .words("type"), .words("from"), .words("to"), .numbers("level"), .numbers("change"),
      .numbers("with data"),
    ])
    for changes in found {
      let series = changes.subject.series
      let levels = series.texts(changes.changes.segments.map(\.mean))
      let sizes = series.changeTexts(changes.changes.sizes)
      let unit = series.unitSuffix
      for (place, segment) in changes.changes.segments.enumerated() {
        let size = place == 0 ? "" : sizes[place - 1]
        table.add([
          series.shownName, date(series.starts[segment.rows.lowerBound]),
          date(series.ends[segment.rows.upperBound - 1].nextDown), levels[place] + unit,
          (place > 0 && changes.changes.sizes[place - 1] > 0 ? "+" : "") + size,
          NumberText.grouped(segment.count),
        ])
      }
    }
    return AnswerView.Page(table: table, notes: captions)
  }

  private var captions: [String] {
    let count = found.reduce(0) { $0 + $1.changes.rows.count }
    let adjusted = found.count { $0.isSeasonAdjusted }
    var lines = [
      "\(AmountText.count(count, "change")) in \(AmountText.count(found.count, "measure")). Of 100 "
        + "measures whose level never changes, and has no slope or wave, at most "
        + "\(ChangesParameters.FalseAlarms.percent) are said to."
    ]
    if adjusted > 0 { lines.append("The course of the week was taken out before.") }
    lines += found.compactMap { changes in
      Self.words(changes.shape, hasChanges: !changes.changes.rows.isEmpty).map {
        "\(changes.subject.series.shownName): \($0)"
      }
    }
    return lines + refusals.map { "\($0.name.printable): \($0.error.description)" }
  }

  /// What a level does besides changing; nothing of a steady one.
  private static func words(_ shape: LevelShape, hasChanges: Bool) -> String? {
    let course: String
    switch shape {
    case .steady: return nil
    case .slope: course = "a slow slope"
    case .wave: course = "a wave of a year"
    case .slopeAndWave: course = "a slow slope and a wave of a year"
    case .wander:
      return "the level comes and goes slowly, and no day can be named on which it changes."
    }
    let explain = shape == .slopeAndWave ? "explain" : "explains"
    return hasChanges
      ? "levels and changes are without \(course), taken out before."
      : "\(course) \(explain) the numbers as well as changes do, so that no day is named."
  }

  private func date(_ instant: Double) -> String {
    LocalTime(instant, in: answer.numbers.timeZone).dateText
  }

  /// The numbers of each type, and below them their levels, with the slope and the wave that were taken
  /// out.
  func chart(width: Int, style: TextStyle) -> [String] {
    found.flatMap { changes -> [String] in
      let series = changes.subject.series
      var levels = [Double?](repeating: nil, count: series.count)
      for segment in changes.changes.segments {
        for row in segment.rows { levels[row] = segment.mean + changes.course[row] }
      }
      let ends = (
        series.starts.first.map(date) ?? "", series.ends.last.map { date($0.nextDown) } ?? ""
      )
      return series.chart(level: levels, ends: ends, width: width, style: style)
    }
  }
}
