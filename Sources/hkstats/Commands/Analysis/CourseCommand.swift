import ArgumentParser
import Foundation
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples
import HealthUnits

/// `hkstats course`: numbers without their noise.
struct CourseCommand: AnalysisCommand {
  static let configuration = CommandConfiguration(
    commandName: "course",
    abstract: CourseParameters.about,
    discussion: """
      Parts the numbers of each day into a slow course, which follows a quarter or more, the course \
      of the week, and what is left (STL). With --by month the course that comes again is that of \
      the year. --model smooth draws one smooth curve instead (Whittaker), as for a body weight; \
      how smooth it is follows from the numbers, or from --penalty.

      Days without data count for nothing. After more than 14 of them in a row a new course begins \
      (a smooth curve goes on, and is not drawn between). csv and json have every day.

      EXAMPLES:
        hkstats course restingHeartRate
        hkstats course bodyMass --model smooth --format chart
        hkstats course steps,sleep --from -1y --format csv
        hkstats course activeEnergyBurned --model robustSeasons
      """)

  @OptionGroup var types: NamedTypes

  @Option(
    help: IntervalArgument.help, completion: .intervals, transform: QuestionWords.interval)
  var by = CalendarInterval(.day)

  @Option(
    help: .of(\CourseParameters.model, saysDefault: true),
    completion: .words(of: \CourseParameters.model),
    transform: QuestionWords.model)
  var model = CourseParameters().model

  @Option(help: .of(\CourseParameters.penalty))
  var penalty: Double?

  @OptionGroup var asking: AnalysisOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  typealias View = CourseView

  func ask(_ show: (AnalysisAnswer, AnswerNotes) throws -> Void) throws {
    var parameters = CourseParameters()
    (parameters.model, parameters.penalty) = (model, penalty)
    try asking.ask(.course(parameters), of: types.names, by: by, show: show)
  }
}

/// The ends of courses as a table, and every interval as a dot.
struct CourseView: AnalysisView {
  private let answer: AnalysisAnswer
  let notes: AnswerNotes
  private let found: [CourseAnswer]
  private let refusals: [(name: String, error: AnalysisError)]

  /// - Throws: why the only type has no course, where it has data
  init?(_ answer: AnalysisAnswer, _: String?, notes: AnswerNotes) throws {
    guard case .courses(let results) = answer.results else { return nil }
    if notes.absence == nil, let refusal = answer.refusal { throw refusal }
    (self.answer, self.notes) = (answer, notes)
    (found, refusals) = (results.known(), answer.refused(among: results))
  }

  var title: String {
    Vocabulary.current.word("Courses") + ", "
      + StatisticsCaptions.zones(answer.numbers.timeZone)
  }

  var page: AnswerView.Page {
    let hasSeasons = found.contains { !$0.seasons.isEmpty }
    var table = Table(
      columns: [
        .words("type"), .numbers("from"), .numbers("to"), .numbers("lowest"), .words("on"),
        .numbers("highest"), .words("on"),
      ] + (hasSeasons ? [.words(isOfMonths ? "in the year" : "in the week")] : []) + [
        .numbers("rest")
      ])
    for course in found {
      let series = course.subject.series
      let drawn = course.level.indices.filter { course.level[$0] != nil }
      func level(_ row: Int) -> Double { course.level[row] ?? 0 }
      guard let first = drawn.first, let last = drawn.last,
        let low = drawn.min(by: { level($0) < level($1) }),
        let high = drawn.max(by: { level($0) < level($1) })
      else { continue }
      let season = seasonEnds(of: course)
      let texts = series.texts(
        [first, last, low, high].map(level) + [middleDistance(of: course)] + season.map(\.value))
      let unit = series.unitSuffix
      let seasonText = zip(season, texts.dropFirst(5)).map { end, text in
        "\(end.name) \(end.value > 0 ? "+" : "")\(text)"
      }
      table.add(
        [
          series.shownName, texts[0], texts[1] + unit, texts[2], date(low, in: series),
          texts[3], date(high, in: series),
        ] + (hasSeasons ? [seasonText.isEmpty ? "–" : seasonText.joined(separator: ", ")] : [])
          + ["± \(texts[4])"])
    }
    return AnswerView.Page(table: table, notes: captions)
  }

  /// Half of the numbers lie nearer to the courses than this.
  private func middleDistance(of course: CourseAnswer) -> Double {
    course.rest.compactMap { $0?.magnitude }.median ?? 0
  }

  /// Where in the week, or the year, the numbers are highest and lowest; none without a course that
  /// comes again.
  private func seasonEnds(of course: CourseAnswer) -> [(name: String, value: Double)] {
    guard let season = course.seasons.first else { return [] }
    let starts = course.subject.series.starts
    let known = season.values.enumerated().compactMap { row, value in value.map { (row, $0) } }
    guard let low = known.min(by: { $0.1 < $1.1 }), let high = known.max(by: { $0.1 < $1.1 }),
      low.1 < high.1
    else { return [] }
    return [high, low].map { row, value in
      let time = LocalTime(starts[row], in: answer.numbers.timeZone)
      let name =
        isOfMonths
        ? Vocabulary.current.word(IntervalGroup.month.labels[time.date.month - 1])
        : Vocabulary.current.weekday(time.weekday)
      return (name, value)
    }
  }

  private var isOfMonths: Bool { answer.plan.question.interval == CalendarInterval(.month) }

  private func date(_ row: Int, in series: IntervalSeries) -> String {
    LocalTime(series.starts[row], in: answer.numbers.timeZone).dateText
  }

  private var captions: [String] {
    guard case .course(let parameters) = answer.plan.method, !found.isEmpty else {
      return refusals.map { "\($0.name.printable): \($0.error.description)" }
    }
    var lines: [String] = []
    switch parameters.model {
    case .seasons, .robustSeasons:
      lines.append(
        "The slow course is free of the course of the \(isOfMonths ? "year" : "week") (STL"
          + (parameters.model == .robustSeasons ? ", far values hardly count)." : ")."))
    case .smooth:
      // Further digits of a chosen λ depend on the order in which the processor's kernels add.
      let penalties = found.compactMap { $0.smoothness?.penalty }.map {
        parameters.penalty == nil
          ? NumberText.rounded(Double(String(format: "%.3g", $0)) ?? $0)
          : NumberText.rounded($0, decimals: $0 < 10 ? 2 : 0)
      }
      lines.append(
        "A smooth curve (Whittaker); roughness costs \(penalties.joined(separator: ", "))"
          + (parameters.penalty == nil ? ", chosen by cross-validation." : "."))
    }
    lines.append("Half of the numbers lie within \"rest\" of it.")
    return lines + refusals.map { "\($0.name.printable): \($0.error.description)" }
  }

  /// The numbers of each type as dots, and the slow course through them.
  func chart(width: Int, style: TextStyle) -> [String] {
    found.flatMap { course -> [String] in
      let series = course.subject.series
      let ends = (
        series.starts.indices.first.map { date($0, in: series) } ?? "",
        series.starts.indices.last.map { date($0, in: series) } ?? ""
      )
      return series.chart(level: course.level, ends: ends, width: width, style: style)
    }
  }
}
