import ArgumentParser
import Foundation
import HealthExchange
import HealthQuery
import HealthSamples

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

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, csv, json, ndjson, chart
  }

  enum Grouping: String, ExpressibleByArgument, CaseIterable {
    case night, week, month

    var period: SleepAverages.Period? { SleepAverages.Period(rawValue: rawValue) }
  }

  @Option(help: "night, or the means of each week or month.")
  var by: Grouping = .night

  @OptionGroup var period: PeriodOptions

  @Option(
    help: ArgumentHelp(
      "A source to believe before all others; repeat it, the highest first.", valueName: "source"))
  var prefer: [String] = []

  @OptionGroup var sources: SourceOptions

  @Option(
    help: ArgumentHelp(
      "The longest time without any sample within one sleep, such as 90min; two sleeps further apart are two. Else 1h.",
      valueName: "duration"),
    transform: DurationArgument.seconds)
  var gap: Double?

  @Option(help: "table, csv, json, ndjson or chart.")
  var format: Format = .table

  @OptionGroup var query: QueryOptions
  @OptionGroup var display: DisplayOptions
  @OptionGroup var csv: CSVOptions

  func run() throws {
    try query.ask(answer) { answer in
      let output = csv.output
      switch format {
      case .table, .chart:
        for line in lines(of: answer) { try output.line(line) }
      case .csv:
        for row in by.period.map({ SleepAverageRecords(answer, by: $0).csv })
          ?? SleepRecords(answer: answer).csv
        { try output.record(row) }
      case .json:
        try output.write(header(of: answer), list: by.rawValue + "s", of: objects(of: answer))
      case .ndjson: for object in objects(of: answer) { try output.line(object.text) }
      }
      try output.flush()
    }
  }

  private func answer(from opened: OpenedStore) throws -> SleepAnswer {
    let opened = try opened.choosing(sources, of: SleepPlan.type)
    let zones = try period.zone.zones(in: opened.store)
    var plan = SleepPlan(timeZone: zones)
    plan.from = try period.date(period.from, in: zones)
    plan.to = try period.date(period.to, in: zones)
    plan.preferredSources = prefer
    if let gap { plan.longestGap = gap }
    let answer = try opened.store.sleep(plan)
    for name in answer.unmatchedPreferredSources {
      StandardError.note("no source of sleep is called \"\(name.printable)\".")
    }
    if !answer.nights.spans.contains(where: { $0 != nil }) {
      StandardError.note(
        try AnswerNotes.absence(
          of: SleepPlan.type, in: opened.store, from: plan.from, to: plan.to, zones: zones))
    } else if let first = answer.nights.days.first, let last = answer.nights.days.last,
      let note = try opened.zoneNote(period.zone, zones, from: first, to: last)
    {
      StandardError.note(note)
    }
    return answer
  }

  private func lines(of answer: SleepAnswer) -> [String] {
    let width = Terminal.columns(STDOUT_FILENO)
    return switch (format, by.period) {
    case (.chart, nil): SleepChart(answer: answer).lines(width: width, style: display.style)
    case (.chart, let period?):
      SleepAverageChart(answer: answer, period: period).lines(width: width, style: display.style)
    case (_, nil): SleepTable(answer: answer).lines(style: display.style)
    case (_, let period?):
      SleepAverageTable(answer: answer, period: period).lines(style: display.style)
    }
  }

  private func objects(of answer: SleepAnswer) -> [JSON] {
    by.period.map { SleepAverageRecords(answer, by: $0).objects }
      ?? SleepRecords(answer: answer).objects
  }

  private func header(of answer: SleepAnswer) -> [JSON.Member] {
    [.init("type", .string(SleepPlan.type.identifier))]
      + StatisticsWords.zoneMembers(answer.timeZone)
      + [
        .init("gap", .number(answer.longestGap)),
        .init("priority", .array(answer.priority.map { .string($0.description) })),
      ]
  }
}
