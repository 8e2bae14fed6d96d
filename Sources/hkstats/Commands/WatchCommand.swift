import ArgumentParser
import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// `hkstats watch`: the intervals of a type that change, as they change.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print changed intervals as the store changes.",
    discussion: """
      Waits for imports, saves and deletions of any program, and prints the new statistics of the \
      intervals that they touched. Ctrl-C ends it.

      EXAMPLES:
        hkstats watch steps --by hour --format ndjson
      """)

  @OptionGroup var argument: TypeArgument

  @Option(
    help: ArgumentHelp(
      "The length of an interval: hour, day, week, month, year, or N with min h d w mo y.",
      valueName: "interval"),
    transform: QuestionWords.interval)
  var by = CalendarInterval(.day)

  @Option(help: ArgumentHelp("End after N changes.", valueName: "N"))
  var count: Int?

  @OptionGroup var zone: ZoneOptions
  @OptionGroup var unit: UnitOption
  @OptionGroup var storeOptions: StoreOptions
  @OptionGroup var form: FormatOptions<ListFormat>

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count is 1 or more.") }
  }

  func run() throws {
    let store = try storeOptions.openForReading()
    let opened = OpenedStore(store: store, exportOffset: nil)
    let type = try opened.type(named: argument.type)
    var plan = StatisticsPlan(type: type, timeZone: try zone.zones(in: store))
    plan.interval = by
    plan.unit = try unit.unit.map { try UnitArgument.unit($0, of: type) }
    var observer = try ChangeObserver(of: store)
    var left = count ?? .max
    while left > 0, let changes = try observer.next() {
      let spans = changes.filter { $0.type == type }.map(\.span)
      guard let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max()
      else { continue }
      plan.from = QueryDate(instant: first, alignsIntervals: true)
      plan.to = QueryDate(instant: max(last, first).nextUp)
      plan.anchor = by.alignment == nil ? try firstMidnight(of: plan, in: store) : nil
      try form.write(try answerView(of: plan, in: store))
      left -= 1
    }
  }

  /// Where intervals of several units begin without a period, as those of `stats` do.
  private func firstMidnight(of plan: StatisticsPlan, in store: SampleStore) throws -> QueryDate? {
    guard let first = try store.sources(of: plan.type).map(\.firstStart).min() else { return nil }
    let day = try CalendarInterval(.day).boundaries(
      from: QueryDate(instant: first, alignsIntervals: true), to: QueryDate(instant: first.nextUp),
      in: plan.timeZone)
    return day.edges.first.map { QueryDate(instant: $0) }
  }

  private func answerView(of plan: StatisticsPlan, in store: SampleStore) throws -> AnswerView {
    guard plan.type.canonicalUnit != nil else {
      let answer = try store.categoryStatistics(plan)
      return CategoryView(answer: answer, statistics: [], interval: by, isBySource: false)
        .answerView(notes: AnswerNotes())
    }
    return StatisticsView(answer: try store.statistics(plan))
      .answerView(of: by, notes: AnswerNotes())
  }
}
