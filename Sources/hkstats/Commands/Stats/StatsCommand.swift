import ArgumentParser
import Foundation
import HealthExchange
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

      --from and --to choose whole intervals; a note says so where these reach further, and --clip \
      cuts them. --per day divides each sum by its days that have data, as the Health app does.

      EXAMPLES:
        hkstats stats steps --by day --from -14d
        hkstats stats steps --by month --per day
        hkstats stats steps --from 2024-03-05 --to 2024-03-20 --clip
        hkstats stats steps --by week --exclude Strava
        hkstats stats steps --by day --merge none
        hkstats stats steps --by day --from -7d --explain
        hkstats stats heartRate --by 15min --from yesterday --to today
        hkstats stats heartRate --by day --stat mean,median,p90,stddev,coverage
        hkstats stats restingHeartRate --by week --format chart --style arithmetic
        hkstats stats bodyMass --by month --unit lb --timezone Europe/Paris
        hkstats stats appleStandHour --by week --stat count
        hkstats stats mindfulSession --by month --format chart
        hkstats stats steps --by quarter --from 2024 --to 2025 --format json
        hkstats stats steps --by month --export export.zip --format csv
      """)

  @OptionGroup var type: TypeArgument

  @Option(
    help: ArgumentHelp(
      "hour, day, week, month, quarter, year, or a number of min, h, d, w, mo or y such as 15min or 1mo15d. Absent: one interval over the whole range.",
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

  @Flag(help: "Exactly the period: intervals are cut at --from and --to, and so are samples.")
  var clip = false

  @Option(
    help: ArgumentHelp(
      "Sums by day or hour, too: divided by the days or hours that have data, and how many these are.",
      valueName: "day|hour"),
    transform: Self.average)
  var per: AverageColumns.Unit?

  @OptionGroup var merging: MergeOptions
  @OptionGroup var sources: SourceOptions
  @OptionGroup var styling: StyleOptions

  @Flag(help: "Each source alone, beside the merged answer.")
  var bySource = false

  @Flag(help: "What each source counted in each interval, and what of it was masked by whom.")
  var explain = false

  @OptionGroup var unit: UnitOption

  @Flag(help: "Correctly rounded sums and means, whatever the layout on disk.")
  var exact = false

  @OptionGroup var query: QueryOptions
  @OptionGroup var form: ReportOptions<ChartFormat>

  private var format: ChartFormat { form.format }

  func validate() throws {
    if clip, period.from == nil, period.to == nil {
      throw ValidationError("--clip cuts at --from and --to: give one of them.")
    }
    if let per, let by, by.months == 0, by.days == 0, per == .day || by.seconds < 3600 {
      throw ValidationError(
        "--per \(per.rawValue) divides intervals of a \(per.rawValue) or more: give a longer --by.")
    }
    if bySource, format == .chart, by == nil {
      throw ValidationError("A chart of each source needs intervals: give --by.")
    }
    guard explain else { return }
    if exact {
      throw ValidationError(
        "Give either --explain or --exact: sums rounded one by one do not add up to the exact one.")
    }
    if format == .csv || format == .chart {
      throw ValidationError("--explain answers as table, json or ndjson.")
    }
    if per != nil, format == .table {
      throw ValidationError("Give either --explain or --per; json has room for both.")
    }
    if bySource, format == .table {
      throw ValidationError("Give either --explain or --by-source; json has room for both.")
    }
  }

  /// An answer of either kind of type.
  private enum Answer {
    case quantity(StatisticsAnswer, AnswerNotes)
    case category(CategoryAnswer, AnswerNotes)
  }

  func run() throws {
    try query.ask(answer) { answer in
      let width = Terminal.columns(STDOUT_FILENO)
      switch answer {
      case .quantity(let answer, let notes):
        try form.write(StatisticsReport(answer: answer).report(of: by, notes: notes)) {
          bySource
            ? SourceComparison(answer: answer, interval: by).chart(width: width, style: $0)
            : StatisticsChart(answer: answer, interval: by).lines(width: width, style: $0)
        }
      case .category(let answer, let notes):
        let report = CategoryReport(
          answer: answer, statistics: stat, interval: by, isBySource: bySource)
        try form.write(report.report(notes: notes)) { report.chart(width: width, style: $0) }
      }
    }
  }

  private func answer(from opened: OpenedStore) throws -> Answer {
    let request = StatisticsRequest(
      type: try opened.type(named: type.type), interval: by, period: period, anchor: anchor,
      statistics: stat, merging: merging, sources: sources, styling: styling,
      isBySource: bySource, explains: explain, clips: clip, average: per, unit: unit.unit,
      isExact: exact)
    if case .category = request.type.kind {
      if bySource, format == .chart {
        throw Failure(
          "A chart shows the values of a category, and has no room for sources: leave --by-source "
            + "or --format chart out.", .usage)
      }
      let (answer, notes) = try request.categoryAnswer(from: opened)
      return .category(answer, notes)
    }
    let (answer, notes) = try request.answer(from: opened)
    return .quantity(answer, notes)
  }

  private static func statistics(_ text: String) throws -> [Statistic] {
    let asked = try text.split(separator: ",", omittingEmptySubsequences: false).map { word in
      let name = word.trimmingCharacters(in: .whitespaces)
      guard let statistic = Statistic(rawValue: name) else {
        throw ValidationError(
          DidYouMean.text(
            "statistic", name, among: Statistic.named.map(\.rawValue) + ["p0 to p100"],
            synonyms: synonyms))
      }
      return statistic
    }
    var seen: Set<Statistic> = []
    return asked.filter { seen.insert($0).inserted }
  }

  /// What other programs call a statistic.
  private static let synonyms = [
    "average": "mean", "avg": "mean", "total": "sum", "minimum": "min", "maximum": "max",
    "sd": "stddev", "std": "stddev", "number": "count", "n": "count", "latest": "recent",
    "last": "recent", "newest": "recent",
  ]

  private static func average(_ text: String) throws -> AverageColumns.Unit {
    if let unit = AverageColumns.Unit(rawValue: text) { return unit }
    throw ValidationError(
      DidYouMean.text(
        "unit to divide by", text, among: AverageColumns.Unit.allCases.map(\.rawValue)))
  }
}

/// The length of an interval as an argument.
enum IntervalArgument {
  static let help = ArgumentHelp(
    "hour, day, week, month, quarter, year, or a number of min, h, d, w, mo or y.",
    valueName: "interval")

  static func interval(_ text: String) throws -> CalendarInterval {
    guard let interval = CalendarInterval(text) else {
      throw ValidationError(
        DidYouMean.text(
          "interval", text, among: CalendarInterval.Alignment.allCases.map(\.rawValue) + ["15min"],
          synonyms: synonyms(of: text)))
    }
    return interval
  }

  /// Words that end in -ly, and the letter that minutes and months share.
  private static func synonyms(of text: String) -> [String: String] {
    var words = [
      "hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month",
      "quarterly": "quarter", "yearly": "year", "annually": "year", "annual": "year",
      "minute": "1min", "min": "1min", "h": "hour", "d": "day", "w": "week", "m": "month",
      "mo": "month", "q": "quarter", "y": "year",
    ]
    for unit in CalendarInterval.Alignment.allCases { words[unit.rawValue + "s"] = unit.rawValue }
    let lowered = text.lowercased()
    if lowered.last == "m", let count = Int(lowered.dropLast()) {
      words[lowered] = "\(count)min or \(count)mo"
    }
    return words
  }
}
