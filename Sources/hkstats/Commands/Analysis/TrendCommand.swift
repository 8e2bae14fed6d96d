import ArgumentParser
import Foundation
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples
import HealthUnits

/// `hkstats trend`: a straight line through the numbers of intervals.
struct TrendCommand: AnalysisCommand {
  static let configuration = CommandConfiguration(
    commandName: "trend",
    abstract: TrendParameters.about,
    discussion: """
      Fits a line through the sums of intervals (cumulative types), means (discrete types) or mean \
      nights (sleep): of weeks unless --by names others. Intervals that the data cover in part are \
      left out. Without --from all data count.

      --model seasonal compares months with themselves in other years, or with --by day weekdays \
      with themselves (Sen's slope, test of Hirsch and Slack).

      A trend is called rising or falling where the range of its slope lacks 0 (seasonal: where its \
      chance is below 5 %). Of 100 series without a trend at most \
      \(TrendParameters.FalseAlarms.percent) are (seasonal: \
      \(TrendParameters.FalseAlarms.seasonalPercent)), also where an interval keeps up to \
      \(NumberText.rounded(TrendParameters.FalseAlarms.mostDependence)) of the one before; of waves \
      of a year and wandering levels more: look at the chart. A verdict needs \
      \(TrendParameters.Model.line.leastCount) intervals (theilSen, huber: \
      \(TrendParameters.Model.theilSen.leastCount); seasonal: \
      \(TrendParameters.Model.seasonal.leastCount) months, or \
      \(TrendParameters.Model.seasonal.leastCount(ofDays: true)) days).

      EXAMPLES:
        hkstats trend steps,sleep,restingHeartRate,bodyMass --from -1y
        hkstats trend bodyMass --by day --model theilSen --format chart
        hkstats trend steps --model seasonal --by day
      """)

  @OptionGroup var types: NamedTypes

  @Option(
    help: ArgumentHelp(
      "\(IntervalArgument.help.abstract) Else week (seasonal: month).",
      valueName: "interval"),
    completion: .intervals, transform: QuestionWords.interval)
  var by: CalendarInterval?

  @Option(
    help: .of(\TrendParameters.model, saysDefault: true),
    completion: .words(of: \TrendParameters.model),
    transform: QuestionWords.model)
  var model = TrendParameters().model

  @Option(help: .of(\TrendParameters.confidence))
  var confidence = TrendParameters().confidence

  @OptionGroup var averaging: AverageOption
  @OptionGroup var asking: AnalysisOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  func validate() throws { try averaging.check(by ?? parameters.defaultInterval) }

  typealias View = TrendView

  private var parameters: TrendParameters {
    var parameters = TrendParameters()
    (parameters.model, parameters.confidence) = (model, confidence)
    return parameters
  }

  func ask(_ show: (AnalysisAnswer, AnswerNotes) throws -> Void) throws {
    try asking.ask(
      .trend(parameters), of: types.names, by: by ?? parameters.defaultInterval,
      per: averaging.per, show: show)
  }
}

/// The lines of an answer, each type a row, or one type with all that is said of it.
struct TrendView: AnalysisView {
  private let answer: AnalysisAnswer
  let notes: AnswerNotes
  private let trends: [Result<TrendAnswer, AnalysisError>]

  init?(_ answer: AnalysisAnswer, _: String?, notes: AnswerNotes) throws {
    if let absence = notes.absence { throw Failure("No trend: \(absence)", .failed) }
    guard case .trends(let trends) = answer.results else { return nil }
    (self.answer, self.notes, self.trends) = (answer, notes, trends)
  }

  private var columns: [QuestionAnswer.Column] { answer.numbers.columns }

  var page: AnswerView.Page { trends.count == 1 ? typePage : listPage }

  var title: String {
    let zones = StatisticsCaptions.zones(answer.numbers.timeZone)
    guard trends.count == 1 else { return "\(Vocabulary.current.word("Trends")), \(zones)" }
    if case .quantity(let answer) = columns[0].answer {
      return StatisticsCaptions.title(of: answer)
    }
    return "\(columns[0].series.shownName), \(zones)"
  }

  // MARK: - For people

  /// The name of an interval: `week`.
  private var interval: String {
    answer.plan.question.interval?.alignment?.rawValue ?? "interval"
  }

  /// Whether a line is long enough to speak of a year; a month is as far as a shorter one goes.
  private func isOfYears(_ trend: TrendAnswer) -> Bool {
    trend.span.upperBound - trend.span.lowerBound >= TrendAnswer.daysPerYear * .secondsPerDay
  }

  private func span(_ trend: TrendAnswer) -> String { isOfYears(trend) ? "year" : "month" }

  /// The slope over a year or a month, and its range where it has one, as texts: slope, low, high.
  private func slopes(_ trend: TrendAnswer) -> [String] {
    let days = isOfYears(trend) ? TrendAnswer.daysPerYear : TrendAnswer.daysPerYear / 12
    let ends = trend.slopeInterval.map { [$0.lowerBound, $0.upperBound] } ?? []
    return trend.subject.series.changeTexts(([trend.slope] + ends).map { $0 * days })
  }

  /// A statistic within a sentence.
  private static func words(_ statistic: String) -> String {
    switch statistic {
    case "perDay": "mean day"
    case "perHour": "mean hour"
    default: statistic
    }
  }

  private func direction(_ trend: TrendAnswer) -> String {
    let words =
      switch trend.verdict {
      case .rising: "rising"
      case .falling: "falling"
      case .unclear: "no clear change"
      case .tooFew: "too few for a verdict"
      }
    return Vocabulary.current.word(words)
  }

  private func unit(_ trend: TrendAnswer) -> String {
    let series = trend.subject.series
    return series.unitSuffix
  }

  private func sureness(_ trend: TrendAnswer) -> String {
    "\(NumberText.rounded(trend.parameters.confidence * 100)) % sure"
  }

  private var typePage: AnswerView.Page {
    guard let trend = try? trends[0].get() else {
      return AnswerView.Page(table: Table(columns: []))
    }
    let series = trend.subject.series
    let texts = slopes(trend)
    let ends = series.texts([
      trend.value(at: trend.span.lowerBound), trend.value(at: trend.span.upperBound),
    ])
    var table = Table(columns: [.words("trend"), .words(direction(trend))])
    let isOfNights = NightPart(rawValue: series.statistic) != nil
    let statistic = Self.words(series.statistic)
    let numbers = isOfNights ? "the means of their nights" : "by their \(statistic)"
    let range =
      texts.count == 3 ? " (\(sureness(trend)): between \(texts[1]) and \(texts[2]))" : ""
    table.add([
      "slope",
      "\(texts[0])\(unit(trend)) a \(span(trend)) in the \(isOfNights ? "nights" : statistic) of "
        + "each \(interval)\(range)",
    ])
    table.add([
      "line",
      "\(ends[0]) on \(date(trend.span.lowerBound)), \(ends[1]) on \(date(trend.span.upperBound))",
    ])
    if let share = trend.rSquared {
      table.add([Marks.drawn("R²"), NumberText.rounded(share, decimals: 3)])
    }
    if let share = trend.pValue { table.add(["chance", chance(share)]) }
    table.add([
      "intervals", "\(AmountText.count(trend.count, interval)), \(numbers)",
    ])
    var notes = [method(trend)]
    if trend.verdict == .tooFew { notes.append(tooFew(trend, of: "")) }
    if let left = leftOut(trend) { notes.append(left) }
    if case .quantity(let answer) = columns[0].answer {
      notes += StatisticsCaptions.notes(of: answer)
    }
    return AnswerView.Page(table: table, notes: notes)
  }

  private var listPage: AnswerView.Page {
    var table = Table(columns: [
      .words("type"), .words("trend"), .numbers("slope"), .words("between"),
      .numbers("intervals"),
    ])
    var refusals: [String] = []
    for (column, result) in zip(columns, trends) {
      let name = column.series.shownName
      switch result {
      case .success(let trend):
        let texts = slopes(trend)
        table.add([
          name, direction(trend), "\(texts[0])\(unit(trend)) a \(span(trend))",
          texts.count == 3 ? "\(texts[1]) and \(texts[2])" : "–", NumberText.grouped(trend.count),
        ])
        if trend.verdict == .tooFew { refusals.append(tooFew(trend, of: "\(name): ")) }
      case .failure(let error):
        table.add([name, "–", "–", "–", "–"])
        refusals.append("\(name): \(error.description)")
      }
    }
    let known = trends.known()
    let judged = known.filter { $0.verdict != .tooFew }
    let clear = judged.count { $0.verdict != .unclear }
    let tested = AmountText.count(judged.count, "trend")
    var notes = [
      "\(NumberText.grouped(clear)) of \(tested) \(clear == 1 ? "is" : "are") clear. Of many trends "
        + "some look clear by chance: about one in "
        + "\(NumberText.rounded((1 / (1 - answer.confidence)).rounded())) of those that are none."
    ]
    notes.append("Each slope is that of the sums, means or nights of each \(interval).")
    if let first = known.first { notes.append(method(first)) }
    return AnswerView.Page(table: table, notes: notes + refusals)
  }

  private func chance(_ share: Double) -> String {
    let percent = share * 100
    let text = percent < 0.1 ? "below 0.1" : NumberText.rounded(percent, decimals: 1)
    return "\(text) %: how often no trend at all would look at least like this"
  }

  private func method(_ trend: TrendAnswer) -> String {
    let fit =
      switch trend.parameters.model {
      case .line: "A straight line by least squares"
      case .theilSen:
        "The median of the slopes between all pairs (Theil and Sen), with Kendall's test"
      case .huber: "A straight line to which far values weigh less (Huber)"
      case .seasonal:
        "The median of the slopes within seasons (Sen), \(trend.subject.isOfDays ? "each weekday" : "each month") "
          + "compared with itself alone; the chance allows for seasons that go together (Hirsch and "
          + "Slack)"
      }
    guard let share = trend.autocorrelation else { return fit + "." }
    return fit + "; its range allows for neighbours that go together (here "
      + "\(NumberText.rounded(share, decimals: 2)) of 1). A wave or a wander is no line: see --format "
      + "chart."
  }

  /// Why there is no verdict.
  private func tooFew(_ trend: TrendAnswer, of name: String) -> String {
    "\(name)\(AmountText.count(trend.count, interval)) "
      + "\(trend.count == 1 ? "is" : "are") too few to say whether this is more than chance: it needs "
      + "\(trend.leastCount). Give "
      + "\(trend.seasonal == nil ? "shorter intervals or a longer period" : "a longer period")."
  }

  private func leftOut(_ trend: TrendAnswer) -> String? {
    var parts: [String] = []
    if trend.subject.emptyCount > 0 {
      parts.append("\(AmountText.count(trend.subject.emptyCount, "interval")) without data")
    }
    if trend.subject.partialCount > 0 { parts.append("\(trend.subject.partialCount) not whole") }
    return parts.isEmpty ? nil : "Left out: \(parts.joined(separator: ", "))."
  }

  /// The numbers of each type as dots, and the line through them.
  func chart(width: Int, style: TextStyle) -> [String] {
    trends.known().flatMap { trend -> [String] in
      let series = trend.subject.series
      return series.chart(
        note: ": \(direction(trend))",
        level: series.values.indices.map { trend.value(at: series.middle($0)) },
        ends: (date(trend.span.lowerBound), date(trend.span.upperBound)), width: width,
        style: style)
    }
  }

  private func date(_ instant: Double) -> String {
    LocalTime(instant, in: answer.numbers.timeZone).dateText
  }
}

extension AnalysisAnswer {
  /// How sure the ranges of a trend are.
  fileprivate var confidence: Double {
    if case .trend(let parameters) = plan.method { parameters.confidence } else { 0.95 }
  }
}
