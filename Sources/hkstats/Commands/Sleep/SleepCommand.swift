import ArgumentParser
import Foundation
import HealthAnswers
import HealthQuery

/// `hkstats sleep`: nights, with their stages.
struct SleepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sleep",
    abstract: "Nights of sleep, with stages, bedtimes and naps.",
    discussion: """
      A night belongs to the day on which it ends. Where sources overlap, the one that ranks \
      highest counts (see hkstats sources sleepAnalysis); time in bed and sleep are told apart. \
      Of the sleeps that end on one day the longest is the night, the others are naps.

      EXAMPLES:
        hkstats sleep --from -14d
        hkstats sleep --from -14d --format chart
        hkstats sleep --by month --from 2024-01-01 --to 2025-01-01
        hkstats sleep --by week --format chart
        hkstats sleep --timezone recorded --format json
        hkstats sleep --from -30d --source "Anna's Apple Watch"
        hkstats sleep --gap 3h --prefer "Anna's Apple Watch"
      """)

  enum Grouping: String, ExpressibleByArgument, CaseIterable {
    case night, week, month

    var period: SleepAverages.Period? { SleepAverages.Period(rawValue: rawValue) }
  }

  @Option(
    help: ArgumentHelp("night, or the means of each week or month.", valueName: "interval"))
  var by: Grouping = .night

  @OptionGroup var period: PeriodOptions

  @OptionGroup var preferring: PreferOption
  @OptionGroup var sources: SourceOptions

  @Option(
    help: ArgumentHelp(
      "The longest time without any sample within one sleep, such as 90min; two sleeps further apart are two. Else 1h.",
      valueName: "duration"),
    transform: QuestionWords.seconds)
  var gap: Double?

  @Flag(help: "Each night with the spans of its stages, in json and ndjson.")
  var stretches = false

  @OptionGroup var query: QueryOptions
  @OptionGroup var form: FormatOptions<ChartFormat>

  func run() throws {
    try query.ask(answer) { answer, notes in
      let width = Terminal.columns(STDOUT_FILENO)
      let view = try SleepView(answer: answer, tellsStretches: stretches)
        .answerView(by: by.period, notes: notes).asking(period)
      try form.write(view) { style in
        by.period.map {
          SleepAverageChart(answer: answer, period: $0).lines(width: width, style: style)
        } ?? SleepChart(answer: answer).lines(width: width, style: style)
      }
    }
  }

  private func answer(
    from opened: OpenedStore
  ) throws -> (answer: SleepAnswer, notes: AnswerNotes) {
    let opened = try opened.choosing(sources, of: SleepPlan.type)
    let zones = try period.zone.zones(in: opened.store)
    var plan = SleepPlan(timeZone: zones)
    let dates = try period.dates(in: zones, of: opened.store)
    (plan.from, plan.to) = (dates.from, dates.to)
    plan.preferredSources = preferring.prefer
    if let gap { plan.longestGap = gap }
    let asked = (from: plan.from, to: plan.to)
    try by.period.map { try plan.reach(over: $0) }
    let answer = try opened.store.sleep(plan)
    try opened.checkPreferred(preferring.prefer, of: [SleepPlan.type])
    var notes = try AnswerNotes.of(answer, to: plan, in: opened.store)
    if notes.absence == nil {
      notes.beside += AnswerNotes.reach(
        from: asked.from, to: asked.to, first: plan.from?.instant, last: plan.to?.instant, in: zones
      )
    }
    if notes.absence == nil, let first = answer.nights.days.first,
      let last = answer.nights.days.last,
      let note = try opened.zoneNote(period.zone, zones, from: first, to: last)
    {
      StandardError.note(note)
    }
    return (answer, notes)
  }
}
