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

  @OptionGroup var type: TypeArgument

  @Option(
    help: IntervalArgument.help, completion: .intervals, transform: QuestionWords.interval)
  var by: CalendarInterval

  @OptionGroup var period: PeriodOptions
  @OptionGroup var clipping: ClipOption
  @OptionGroup var merging: MergeOptions
  @OptionGroup var sources: SourceOptions
  @OptionGroup var styling: StyleOptions

  @OptionGroup var unit: UnitOption
  @OptionGroup var query: QueryOptions
  @OptionGroup var form: ReportOptions<ListFormat>

  func validate() throws { try clipping.check(period) }

  func run() throws {
    try query.ask { opened in
      let request = StatisticsRequest(
        type: try opened.type(named: type.type), interval: by, period: period, merging: merging,
        sources: sources, styling: styling, clips: clipping.clip, unit: unit.unit)
      let (answer, notes) = try request.answer(from: opened)
      if let absence = notes.absence { throw Failure("No trend: \(absence)", .failed) }
      let known = try opened.choosing(sources, of: request.type).store.sources(of: request.type)
      let trend = try IntervalTrend(
        answer: answer, firstSample: known.map(\.firstStart).min() ?? .infinity,
        lastSample: known.map(\.lastEnd).max() ?? -.infinity, interval: by)
      return (trend, notes)
    } show: { (trend: IntervalTrend, notes: AnswerNotes) in
      try form.write(trend.report(notes: notes))
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
    guard
      let trend = try columns.linearTrend(
        of: answer.style.isCumulative ? .sum : .mean, rows: rows, origin: first)
    else { throw AnalysisError(.tooFewPoints(count: 0, needed: 3)) }
    self.trend = trend
    slopeInterval = try trend.slopeInterval(confidence: 0.95)
  }

  func report(notes: AnswerNotes) -> Report {
    func number(_ key: String, _ value: Double?) -> Report.Column { .numbers(key, [value]) }
    let columns: [Report.Column] = [
      .machine("statistic") { _ in .text(statistic.rawValue) },
      .machine("from") { _ in .instant(first) }, .machine("to") { _ in .instant(last) },
      .machine("count") { _ in .count(trend.count) },
      .machine("slopeUnit") { _ in .text("\(answer.unit.description)/d") },
      number("slopePerDay", trend.slope), number("slopePerDayLow", slopeInterval.lowerBound),
      number("slopePerDayHigh", slopeInterval.upperBound), number("confidence", 0.95),
      number("intercept", trend.intercept), number("rSquared", trend.rSquared),
    ]
    var report = Report(
      head: answer.head, list: nil, count: 1, zones: answer.timeZone, columns: columns)
    report.title = StatisticsCaptions.title(of: answer)
    report.notes = notes
    report.page = { page }
    return report
  }

  private var statistic: Statistic { answer.style.isCumulative ? .sum : .mean }

  private var page: Report.Page {
    let scale = StatisticsCaptions.scale(answer.unit)
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
    let direction =
      slopeInterval.contains(0) ? "no clear change" : trend.slope > 0 ? "rising" : "falling"
    var table = Table(columns: [.words("trend"), .words(direction)])
    table.add([
      "slope",
      "\(texts[1]) \(answer.unit.description) a \(isLong ? "year" : "month") (95 % sure: between \(texts[0]) and \(texts[2]))",
    ])
    table.add(["line", "\(endTexts[0]) on \(date(first)), \(endTexts[1]) on \(date(last))"])
    if let share = trend.rSquared {
      table.add([Marks.drawn("R²"), NumberText.rounded(share, decimals: 3)])
    }
    table.add(["intervals", "\(NumberText.grouped(trend.count)), by their \(statistic.rawValue)"])
    let caution =
      "The range takes each interval for independent of its neighbours; days in a row are not, "
      + "so the truth is less sure."
    return Report.Page(table: table, notes: [caution] + StatisticsCaptions.notes(of: answer))
  }

  private func date(_ instant: Double) -> String {
    LocalTime(instant, in: answer.timeZone).dateText
  }
}
