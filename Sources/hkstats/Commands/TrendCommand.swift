import ArgumentParser
import Foundation
import HealthAnalysis
import HealthExchange
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits

/// `hkstats trend`: a straight line through the sums or means of intervals.
struct TrendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trend",
    abstract: "Is it rising or falling, how fast, and how sure is that?",
    discussion: """
      Fits a straight line by least squares through the sum of each interval (cumulative types) \
      or its mean (discrete types). Intervals without data are left out; so are the first and \
      the last one of a cumulative type where the data begin or end inside of them, by more than a \
      day where they are longer.

      EXAMPLES:
        hkstats trend restingHeartRate --by week
        hkstats trend steps --by month --from 2024-01-01 --format json
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, json
  }

  @Argument(help: "The type: steps, stepCount, StepCount or the full identifier.")
  var type: String

  @Option(
    help: ArgumentHelp(
      "hour, day, week, month, quarter, year, or a number of min, h, d, w, mo or y.",
      valueName: "interval"),
    transform: IntervalArgument.interval)
  var by: CalendarInterval

  @OptionGroup var period: PeriodOptions
  @OptionGroup var merging: MergeOptions
  @OptionGroup var sources: SourceOptions
  @OptionGroup var styling: StyleOptions

  @Option(help: ArgumentHelp("The unit of the answer.", valueName: "unit"))
  var unit: String?

  @Option(help: "table or json.")
  var format: Format = .table

  @OptionGroup var query: QueryOptions
  @OptionGroup var display: DisplayOptions

  func run() throws {
    try query.ask { opened in
      let request = StatisticsRequest(
        type: try opened.type(named: type), interval: by, period: period, merging: merging,
        sources: sources, styling: styling, unit: unit)
      let (answer, notes) = try request.answer(from: opened)
      if let absence = notes.absence { throw Failure("No trend: \(absence)", .failed) }
      let known = try opened.choosing(sources, of: request.type).store.sources(of: request.type)
      let trend = try IntervalTrend(
        answer: answer, firstSample: known.map(\.firstStart).min() ?? .infinity,
        lastSample: known.map(\.lastEnd).max() ?? -.infinity, interval: by)
      return (trend, notes)
    } show: { (trend: IntervalTrend, notes: AnswerNotes) in
      let output = TextOutput(.standardOutput)
      switch format {
      case .json: try output.line(trend.json(beside: notes).text)
      case .table:
        let lines = trend.lines(style: display.style) + notes.lines(style: display.style)
        for line in lines { try output.line(line) }
      }
      try output.flush()
    }
  }
}

/// A line through the intervals of an answer; time counts in days from the first point.
struct IntervalTrend {
  private let answer: StatisticsAnswer
  private let interval: CalendarInterval
  private let trend: LinearTrend
  private let slopeInterval: ClosedRange<Double>
  /// The middle of the first and the last interval on the line.
  private let first: Double
  private let last: Double

  private static let secondsPerDay = 86_400.0
  private static let daysPerYear = 365.2425

  /// The line of an answer; the data of the type reach from `firstSample` to `lastSample`, whatever
  /// the period of the answer.
  init(
    answer: StatisticsAnswer, firstSample: Double, lastSample: Double, interval: CalendarInterval
  ) throws(AnalysisError) {
    self.answer = answer
    self.interval = interval
    let columns = answer.intervals
    var known = columns.hasData.indices.filter { columns.hasData[$0] }[...]
    if answer.style.isCumulative {
      // A night at either end of a week or month is no sign that data are missing.
      func slack(_ row: Int) -> Double {
        columns.ends[row] - columns.starts[row] >= 2 * Self.secondsPerDay ? Self.secondsPerDay : 0
      }
      if let row = known.first, firstSample - slack(row) > columns.starts[row] {
        known = known.dropFirst()
      }
      if let row = known.last, lastSample + slack(row) < columns.ends[row] {
        known = known.dropLast()
      }
    }
    let rows = (known.first ?? 0)..<(known.last.map { $0 + 1 } ?? 0)
    let middles = rows.filter { columns.hasData[$0] }
      .map { columns.starts[$0] / 2 + columns.ends[$0] / 2 }
    first = middles.first ?? 0
    last = middles.last ?? 0
    let statistic = answer.style.isCumulative ? Statistic.sum : .mean
    guard
      let trend = try columns.linearTrend(of: statistic, rows: rows, origin: first)
    else { throw AnalysisError(.tooFewPoints(count: 0, needed: 3)) }
    self.trend = trend
    slopeInterval = try trend.slopeInterval(confidence: 0.95)
  }

  func json(beside notes: AnswerNotes) -> JSON {
    var members: [JSON.Member] = [
      .init("type", .string(answer.type.identifier)),
      .init("unit", .string(answer.unit.description)),
    ]
    members += StatisticsWords.zoneMembers(answer.timeZone)
    members += [
      .init("merge", .string(answer.policy.rawValue)),
      .init("statistic", .string(answer.style.isCumulative ? "sum" : "mean")),
    ]
    members += StatisticsMethods(answer: answer).members
    return .object(
      members + [
        .init("from", .string(iso(first))), .init("to", .string(iso(last))),
        .init("count", .integer(trend.count)),
        .init("slopeUnit", .string("\(answer.unit.description)/d")),
        .init("slopePerDay", .number(trend.slope)),
        .init("slopePerDayLow", .number(slopeInterval.lowerBound)),
        .init("slopePerDayHigh", .number(slopeInterval.upperBound)),
        .init("confidence", .number(0.95)), .init("intercept", .number(trend.intercept)),
        .init("rSquared", .optional(trend.rSquared)),
      ] + notes.members)
  }

  func lines(style: TextStyle) -> [String] {
    let scale = StatisticsWords.scale(answer.unit)
    // A year where the data reach that far; a month is as far as less than a year can speak of.
    let isLong = last - first >= Self.daysPerYear * Self.secondsPerDay
    let span = (isLong ? Self.daysPerYear : Self.daysPerYear / 12) * scale
    let slopes = [slopeInterval.lowerBound, trend.slope, slopeInterval.upperBound].map { $0 * span }
    let decimals = NumberText.decimals(for: slopes.map { $0 * 1.001 })
    let texts = slopes.map { NumberText.rounded($0, decimals: decimals) }
    let ends = [trend.value(at: 0), trend.value(at: (last - first) / Self.secondsPerDay)]
      .map { $0 * scale }
    let endDecimals = NumberText.decimals(for: ends)
    let endTexts = ends.map { NumberText.rounded($0, decimals: endDecimals) }
    let statistic = answer.style.isCumulative ? "sum" : "mean"
    let direction =
      slopeInterval.contains(0) ? "no clear change" : trend.slope > 0 ? "rising" : "falling"
    var lines = [
      style.strong(StatisticsWords.title(of: answer)), "",
      "trend       \(direction)",
      "slope       \(texts[1]) \(answer.unit.description) a \(isLong ? "year" : "month") (95 % sure: between \(texts[0]) and \(texts[2]))",
      "line        \(endTexts[0]) on \(date(first)), \(endTexts[1]) on \(date(last))",
    ]
    if let share = trend.rSquared {
      lines.append("R²          \(NumberText.rounded(share, decimals: 3))")
    }
    lines.append("intervals   \(NumberText.grouped(trend.count)), by their \(statistic)")
    let caution =
      "The range takes each interval for independent of its neighbours; days in a row are not, "
      + "so the truth is less sure."
    return lines + [""] + ([caution] + StatisticsWords.notes(of: answer)).map(style.faint)
  }

  private func date(_ instant: Double) -> String {
    LocalTime(instant, in: answer.timeZone).dateText
  }

  private func iso(_ instant: Double) -> String { LocalTime(instant, in: answer.timeZone).isoText }
}
