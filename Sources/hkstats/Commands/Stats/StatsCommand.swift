import ArgumentParser
import Foundation
import HealthAnswers
import HealthExchange
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits

/// `hkstats stats`: statistics of a type over intervals.
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "How much, how often and since when, by day or year.",
    discussion: """
      Cumulative types (steps, energy, distance) answer with sum and count, merged over their \
      sources; discrete ones (heart rate, weight) with mean, min, max and count; categories \
      (stand hours, sleep, symptoms) with how long and how often each value was.

      --from and --to choose whole intervals; a note says so where these reach further, and --clip \
      cuts them. Without --by there is one row, exactly the period; what is made of intervals \
      (--group, --top, --above and the like) is about days then. --per day is the mean of the whole \
      days that have data; with it --stat p25,median,p75 is about the totals of the days.

      Several types stand side by side. sleep is about nights: asleep, deep, core, rem, awake, \
      inBed, efficiency. workouts, bloodPressure, cycles, labs, ecgs, stateOfMind, medications, \
      totalEnergy and food are questions of their own.

      A day counts in means, comparisons, extremes and groups when it is over and the data cover it, \
      and so do hours, weeks and longer intervals; a note says what is left out. Rows and totals \
      have all that there is.

      EXAMPLES:
        hkstats stats steps --by day --from -14d
        hkstats stats steps --by month --per day --stat p25,median,p75
        hkstats stats steps --from 2024-03-05 --to 2024-03-20 --clip
        hkstats stats steps,restingHeartRate,sleep --by day --from -14d
        hkstats stats steps --group weekday
        hkstats stats restingHeartRate --rolling 7 --from -30d
        hkstats stats steps --top 10
        hkstats stats steps --above 10000 --streaks
        hkstats stats sleep --from -90d --spread
        hkstats stats steps --by month --from 2024 --compare year
        hkstats stats workouts --activity running --by month
        hkstats stats heartRate --during sleep --from -14d
        hkstats stats steps --by day --from -7d --explain
        hkstats stats heartRate --by day --stat mean,median,p90,stddev,coverage
        hkstats stats bodyMass --by month --unit lb --timezone Europe/Paris
        hkstats stats steps --by month --export export.zip --format csv
      """)

  @Argument(
    help:
      "The type, or several with commas between: steps,heartRate.max,bodyMass:lb,sleep.deep.",
    completion: .types)
  var types: String

  @Option(
    help: ArgumentHelp(
      "hour, day, week, month, quarter, year, or a number of min, h, d, w, mo or y such as 15min or 1mo15d. Absent: one interval over the whole range.",
      valueName: "interval"),
    completion: .intervals, transform: QuestionWords.interval)
  var by: CalendarInterval?

  @OptionGroup var period: PeriodOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A moment at which an interval begins.", valueName: "date"))
  var anchor: String?

  @Option(
    help: ArgumentHelp(
      "What to compute, with commas between: sum, mean, min, max, count, median, a percentile over samples such as p90 or p99.9, one by time such as timeP90, stddev, duration, coverage, recent, first.",
      valueName: "list"),
    completion: .statistics)
  var stat: String?

  @Option(
    help: ArgumentHelp(
      "With workouts, only those of this kind: running, cycling, …", valueName: "activity"),
    transform: ActivityTitle.swiftName)
  var activity: String?

  @Option(
    help: ArgumentHelp(
      "Only the samples of this time: sleep, for those while a night was slept.",
      valueName: "time"))
  var during: During?

  @OptionGroup var clipping: ClipOption

  @OptionGroup var averaging: AverageOption

  @OptionGroup var making: DerivationOptions
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
  @OptionGroup var form: FormatOptions<ChartFormat>

  private var format: ChartFormat { form.format }

  /// When samples count.
  enum During: String, ExpressibleByArgument, CaseIterable {
    case sleep
  }

  /// What to compute; empty for the defaults of the type.
  private var statistics: [Statistic] {
    get throws { try stat.map(QuestionWords.statistics) ?? [] }
  }

  private var isOfWorkouts: Bool { types.lowercased() == "workouts" }

  func validate() throws {
    try clipping.check(period)
    try averaging.check(by)
    if bySource, format == .chart, by == nil {
      throw ValidationError("A chart of each source needs intervals: give --by.")
    }
    if let stat, !isOfWorkouts {
      do throws(QueryError) {
        _ = try QuestionWords.statistics(stat)
      } catch {
        throw ValidationError(
          "The value '\(stat)' is invalid for '--stat <list>': \(error.description)")
      }
    }
    if activity != nil, !isOfWorkouts {
      throw ValidationError("--activity is for workouts: hkstats stats workouts.")
    }
    guard explain else { return }
    if exact {
      throw ValidationError(
        "Give either --explain or --exact: sums rounded one by one do not add up to the exact one.")
    }
    if format == .chart {
      throw ValidationError("--explain answers as table, csv, json or ndjson.")
    }
    let isNested = [.json, .ndjson].contains(format)
    if averaging.per != nil, !isNested {
      throw ValidationError("Give either --explain or --per; json has room for both.")
    }
    if bySource, !isNested {
      throw ValidationError("Give either --explain or --by-source; json has room for both.")
    }
  }

  /// An answer of either kind of type.
  private enum Answer {
    case quantity(StatisticsAnswer, AnswerNotes)
    case category(CategoryAnswer, AnswerNotes)
    case series(QuestionAnswer, by: CalendarInterval?, AnswerNotes)
    case elements(AnswerView, chart: (Int, TextStyle) -> [String])
  }

  func run() throws {
    try making.checkNumbers()
    try query.ask(answer) { answer in
      let width = Terminal.columns(STDOUT_FILENO)
      switch answer {
      case .quantity(let answer, let notes):
        try form.write(
          StatisticsView(answer: answer).answerView(of: by, notes: notes).asking(period)
        ) {
          bySource
            ? SourceComparison(answer: answer, interval: by).chart(width: width, style: $0)
            : StatisticsChart(answer: answer, interval: by).lines(width: width, style: $0)
        }
      case .category(let answer, let notes):
        let view = CategoryView(
          answer: answer, statistics: try statistics, interval: by, isBySource: bySource)
        try form.write(view.answerView(notes: notes).asking(period)) {
          view.chart(width: width, style: $0)
        }
      case .elements(let view, let chart):
        try form.write(view.asking(period)) { chart(width, $0) }
      case .series(let answer, let interval, let notes):
        let output = form.output
        try SeriesView(
          answer: answer, interval: interval, derivation: making.derivation, isWide: making.wide,
          notes: notes,
          asked: (period.from, period.to)
        ).write(as: format, style: form.display.style, width: width, to: output)
        try output.flush()
      }
    }
  }

  private func answer(from opened: OpenedStore) throws -> Answer {
    let asked = try types.split(separator: ",", omittingEmptySubsequences: false).map {
      try TypeQuestion($0.trimmingCharacters(in: .whitespaces))
    }
    if let answer = try elements(of: asked, from: opened) { return answer }
    var question = try Question(types: [], by: by)
    (question.types, question.derivation) = (asked, making.derivation)
    guard question.hasOnePlan else {
      return try series(of: question.withParts.types, from: opened)
    }
    var statistics = try statistics
    if let part = asked[0].part { statistics = try QuestionWords.statistics(part) + statistics }
    let request = StatisticsRequest(
      type: try opened.type(named: asked[0].name), interval: by, period: period, anchor: anchor,
      statistics: statistics, merging: merging, sources: sources, styling: styling,
      isBySource: bySource, explains: explain, clips: clipping.clip, average: averaging.per,
      unit: asked[0].unit ?? unit.unit, isExact: exact)
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

  /// Workouts, blood pressure and other elements, or the samples of nights; `nil` for other names.
  private func elements(
    of types: [TypeQuestion], from opened: OpenedStore
  ) throws -> Answer? {
    let asked = types[0]
    let question = ElementQuestion(named: asked.name)
    if during != nil {
      guard types.count == 1, !asked.isOfNights, question == nil, !isOfWorkouts else {
        throw Failure("--during is about the samples of one type: give one.", .usage)
      }
      guard by == nil || by == CalendarInterval(.day) else {
        throw Failure("--during sleep answers by night: leave --by out.", .usage)
      }
    }
    guard types.count == 1, isOfWorkouts || question != nil || during != nil else { return nil }
    for (option, isGiven) in [
      ("--explain", explain), ("--by-source", bySource), ("--exact", exact),
      ("--clip", clipping.clip), ("--per", averaging.per != nil), ("--anchor", anchor != nil),
      ("--merge", merging.merge != .healthKit), ("--style", styling.style != nil),
      ("--hold", styling.hold != nil), ("--wide", making.wide), (making.name, making.isUsed),
      ("--stat", stat != nil && question != nil),
      ("--unit", unit.unit != nil && during == nil && !isOfWorkouts),
      ("--prefer", !merging.prefer.isEmpty && during == nil),
      ("--by", by != nil && question?.isList ?? false),
    ] where isGiven {
      throw Failure(
        "\(asked.name.printable)\(during == nil ? "" : " while asleep") is no question for "
          + "\(option): leave it out.", .usage)
    }
    let chosen = try opened.choosing(sources, of: nil)
    let zones = try period.zone.zones(in: chosen.store)
    let dates = try period.dates(in: zones, of: chosen.store)
    let time = ElementPeriod(timeZone: zones, interval: by, from: dates.from, to: dates.to)
    if during != nil {
      let type = try chosen.type(named: asked.name)
      var asked = asked
      if stat != nil { asked.statistics = try statistics }
      (asked.unit, asked.preferredSources) = (asked.unit ?? unit.unit, merging.prefer)
      let nights = try asked.vitals(of: type, over: time)
      let view = ElementView(try AnsweredElements(nights, in: chosen.store))
      return .elements(try view.answerView) { view.chart(width: $0, style: $1) }
    }
    guard let question else {
      var plan = WorkoutPlan(time)
      plan.activity = try activity.map { try chosen.store.activity(named: $0) }
      if let stat { plan.statistics = try WorkoutQuestions.statistics(stat) }
      let names = [asked.unit, unit.unit].compactMap(\.self).flatMap(ActivityUnitsOption.names)
      let (view, notes) = try WorkoutsCommand.totals(
        plan, in: try chosen.store.activityUnits(named: names), zone: period.zone, of: chosen)
      return .elements(view.answerView(notes: notes)) { view.chart(width: $0, style: $1) }
    }
    let view = ElementView(try AnsweredElements(question, over: time, in: chosen.store))
    return .elements(try view.answerView) { view.chart(width: $0, style: $1) }
  }

  /// Several types, nights, or what is made of intervals.
  private func series(of types: [TypeQuestion], from opened: OpenedStore) throws -> Answer {
    let statistics = try statistics
    let types = types.map { type in
      var type = type
      (type.policy, type.preferredSources) = (merging.merge, merging.prefer)
      if type.part == nil || type.name == "sleep", !statistics.isEmpty {
        type.statistics = statistics
      }
      type.unit = type.unit ?? unit.unit
      return type
    }
    var question = try period.question(of: types, by: by, in: opened.store)
    (question.anchor, question.clips, question.average) = (
      anchor, clipping.clip, averaging.per
    )
    (question.style, question.hold, question.isExact) = (styling.style, styling.hold, exact)
    (question.separatesSources, question.explains) = (bySource, explain)
    let selection = try opened.sources(of: self.sources)
    (question.onlySources, question.excludedSources) = (selection.only, selection.excluded)
    question.derivation = making.derivation
    question = question.withInterval
    let answer = try opened.store.answer(question)
    try opened.checkPreferred(merging.prefer, of: answer.columns.map(\.series.type))
    let notes = try AnswerNotes.ofSeries(answer, to: question, in: opened.store)
    if notes.absence == nil, let series = answer.columns.first?.series,
      let first = series.starts.first,
      let last = series.ends.last,
      let note = try opened.zoneNote(period.zone, answer.timeZone, from: first, to: last)
    {
      StandardError.note(note)
    }
    return .series(answer, by: question.interval, notes)
  }
}

/// The length of an interval as an argument.
enum IntervalArgument {
  static let help = ArgumentHelp(
    "hour, day, week, month, quarter, year, or a number of min, h, d, w, mo or y.",
    valueName: "interval")
}

/// What is made of the intervals of an answer.
struct DerivationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "One row for each weekday, weekend, hour or month: the mean of the intervals that begin there.",
      valueName: "weekday|weekend|hour|month"), transform: QuestionWords.group)
  var group: IntervalGroup?

  @Option(
    help: ArgumentHelp("The mean of the last N intervals beside each.", valueName: "N"))
  var rolling: Int?

  @Option(help: ArgumentHelp("The N intervals with the largest numbers.", valueName: "N"))
  var top: Int?

  @Flag(help: "With --top, the smallest.")
  var least = false

  @Option(
    help: ArgumentHelp(
      "The intervals with this or more, in the unit shown: 10000, 95 %, 8h.", valueName: "value"))
  var above: String?

  @Option(help: ArgumentHelp("The intervals with less than this.", valueName: "value"))
  var below: String?

  @Flag(help: "With --above or --below, runs of such intervals, the longest first.")
  var streaks = false

  @Flag(
    help:
      "Runs of intervals without data, the longest first; without --to up to the last sample of any type."
  )
  var gaps = false

  @Flag(
    help:
      "How the numbers of the intervals are distributed: least, percentiles, median, greatest, mean, standard deviation."
  )
  var spread = false

  @Option(
    help: ArgumentHelp(
      "Each interval beside the one before, or that of a year before. Where one is not over, the data end inside of it, or --clip cuts it at --to, both end with the same day: the last that counts.",
      valueName: "previous|year"), transform: QuestionWords.comparison)
  var compare: IntervalComparison?

  @Flag(help: "In csv and ndjson a column for each type, not a row.")
  var wide = false

  func validate() throws {
    do throws(QueryError) {
      _ = try question()
    } catch {
      throw ValidationError(Failure(error)?.message ?? error.description)
    }
  }

  private func question() throws(QueryError) -> Question.Derivation? {
    try .of(
      group: group, rolling: rolling, top: top, least: least, above: above, below: below,
      streaks: streaks, gaps: gaps, spread: spread, compare: compare)
  }

  /// Refuses bounds that are other numbers in the language shown.
  func checkNumbers() throws(Failure) {
    for bound in [above, below].compactMap(\.self) { try TypedNumber.check(bound) }
  }

  /// What the options ask for; they are valid.
  var derivation: Question.Derivation? { try? question() }

  var isUsed: Bool { derivation != nil }

  /// The option that is used.
  var name: String {
    switch derivation {
    case .group, nil: "--group"
    case .rolling: "--rolling"
    case .top: "--top"
    case .bounded(let bounds): bounds.lower == nil ? "--below" : "--above"
    case .gaps: "--gaps"
    case .spread: "--spread"
    case .compared: "--compare"
    }
  }
}
