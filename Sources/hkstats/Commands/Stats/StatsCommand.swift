import ArgumentParser
import Foundation
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthUnits

/// `hkstats stats`: statistics of a type over intervals.
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Statistics over intervals: how much, how often, since when.",
    discussion: """
      Cumulative types (steps, energy, distance) answer with sum and count, merged over their \
      sources; discrete ones (heart rate, weight) with mean, min, max and count; categories \
      (stand hours, sleep, symptoms) with how long and how often each value was.

      EXAMPLES:
        hkstats stats steps --by day --from -14d
        hkstats stats steps --by day --merge none
        hkstats stats steps --by day --from -7d --explain
        hkstats stats heartRate --by 15min --from yesterday --to today
        hkstats stats heartRate --by day --stat mean,median,p90,stddev,coverage
        hkstats stats restingHeartRate --by week --format chart --style arithmetic
        hkstats stats bodyMass --by month --unit lb --timezone Europe/Paris
        hkstats stats appleStandHour --by week --stat count
        hkstats stats mindfulSession --by month --format chart
        hkstats stats steps --from 2024-01-01 --to 2025-01-01 --format json
        hkstats stats steps --by month --export export.zip --format csv
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, csv, json, ndjson, chart
  }

  @Argument(help: "The type: steps, stepCount, StepCount or the full identifier.")
  var type: String

  @Option(
    help: ArgumentHelp(
      "hour, day, week, month, year, or a number of min, h, d, w, mo or y such as 15min or 1mo15d. Absent: one interval over the whole range.",
      valueName: "interval"),
    transform: IntervalArgument.interval)
  var by: CalendarInterval?

  @OptionGroup var period: PeriodOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A moment at which an interval begins.", valueName: "date"))
  var anchor: String?

  @Option(
    help: ArgumentHelp(
      "What to compute, with commas between: sum, mean, min, max, count, median, a percentile such as p90 or p99.9, stddev, duration, coverage, recent, first.",
      valueName: "list"),
    transform: Self.statistics)
  var stat: [Statistic] = []

  @OptionGroup var merging: MergeOptions
  @OptionGroup var styling: StyleOptions

  @Flag(help: "Each source alone, beside the merged answer.")
  var bySource = false

  @Flag(help: "What each source counted in each interval, and what of it was masked by whom.")
  var explain = false

  @Option(help: ArgumentHelp("The unit of the answer.", valueName: "unit"))
  var unit: String?

  @Flag(help: "Correctly rounded sums and means, whatever the layout on disk.")
  var exact = false

  @Option(help: "table, csv, json, ndjson or chart.")
  var format: Format = .table

  @OptionGroup var query: QueryOptions
  @OptionGroup var display: DisplayOptions
  @OptionGroup var csv: CSVOptions

  func validate() throws {
    guard explain else { return }
    if exact {
      throw ValidationError(
        "Give either --explain or --exact: sums rounded one by one do not add up to the exact one.")
    }
    if format == .csv || format == .chart {
      throw ValidationError("--explain answers as table, json or ndjson.")
    }
    if bySource, format == .table {
      throw ValidationError("Give either --explain or --by-source; json has room for both.")
    }
  }

  func run() throws {
    try query.withStore { opened in
      let request = StatisticsRequest(
        type: try opened.type(named: type), interval: by, period: period, anchor: anchor,
        statistics: stat, merging: merging, styling: styling, isBySource: bySource,
        explains: explain, unit: unit, isExact: exact)
      let output = csv.output
      if case .category = request.type.kind {
        try CategoryReport(
          answer: try request.categoryAnswer(from: opened), statistics: stat, interval: by,
          isBySource: bySource
        ).write(as: format, style: display.style, to: output)
        return try output.flush()
      }
      let answer = try request.answer(from: opened)
      switch format {
      case .json: try StatisticsJSON(answer: answer).write(to: output)
      case .ndjson: try StatisticsJSON(answer: answer).writeLines(to: output)
      case .csv: try StatisticsCSV(answer: answer).write(to: output)
      case .table where explain:
        let table = ExplanationTable(answer: answer, interval: by)
        for line in table.lines(style: display.style) { try output.line(line) }
      case .table:
        for line in StatisticsTable(answer: answer, interval: by).lines(style: display.style) {
          try output.line(line)
        }
      case .chart:
        let chart = StatisticsChart(answer: answer, interval: by)
        for line in chart.lines(
          width: Terminal.columns(STDOUT_FILENO), style: display.style)
        { try output.line(line) }
      }
      try output.flush()
    }
  }

  private static func statistics(_ text: String) throws -> [Statistic] {
    let asked = try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
      let name = word.trimmingCharacters(in: .whitespaces)
      guard let statistic = Statistic(rawValue: name) else {
        let known = Statistic.named.map(\.rawValue).joined(separator: ", ")
        throw ValidationError(
          "there is no statistic \"\(name.printable)\"; use: \(known), or p0 to p100")
      }
      return statistic
    }
    return Statistic.named.flatMap { statistic in
      let percentiles = statistic == .median ? Self.percentiles(asked) : []
      return (asked.contains(statistic) ? [statistic] : []) + percentiles
    }
  }

  /// The percentiles that are asked for, each once, from the lowest up.
  private static func percentiles(_ asked: [Statistic]) -> [Statistic] {
    let percentiles = asked.filter { $0 != .median }.compactMap(\.percentile)
    return Set(percentiles).sorted { $0.percent < $1.percent }.map(Statistic.percentile)
  }
}

/// The length of an interval as an argument.
enum IntervalArgument {
  static func interval(_ text: String) throws -> CalendarInterval {
    guard let interval = CalendarInterval(text) else {
      throw ValidationError(
        "an interval is hour, day, week, month, year, or a number of min, h, d, w, mo or y")
    }
    return interval
  }
}
