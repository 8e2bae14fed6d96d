import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore

/// A question about statistics as the command line puts it, before dates and zones are read.
struct StatisticsRequest {
  let type: SampleType
  let interval: CalendarInterval?
  let period: PeriodOptions
  var anchor: String?
  var statistics: [Statistic] = []
  let merging: MergeOptions
  var sources = SourceOptions()
  var styling: StyleOptions?
  var isBySource = false
  var explains = false
  var clips = false
  var average: AverageColumns.Unit?
  let unit: String?
  var isExact = false

  /// Asks the store, and says on stderr what was wrong with the names in the question.
  func answer(
    from opened: OpenedStore
  ) throws -> (answer: StatisticsAnswer, notes: AnswerNotes) {
    let opened = try opened.choosing(sources, of: type)
    let plan = try plan(in: opened.store)
    let answer = try opened.store.statistics(plan)
    let notes = try notes(
      hasData: answer.intervals.hasData, starts: answer.intervals.starts,
      ends: answer.intervals.ends, averages: answer.averages, plan: plan, opened: opened)
    if answer.intervals[raw: .sum]?.contains(where: \.isInfinite) ?? false {
      StandardError.note("a sum is larger than any number that programs hold; json shows null.")
    }
    return (answer, notes)
  }

  /// The same for a category type.
  func categoryAnswer(
    from opened: OpenedStore
  ) throws -> (answer: CategoryAnswer, notes: AnswerNotes) {
    let opened = try opened.choosing(sources, of: type)
    let plan = try plan(in: opened.store)
    let answer = try opened.store.categoryStatistics(plan)
    let notes = try notes(
      hasData: answer.hasData, starts: answer.starts, ends: answer.ends, averages: nil, plan: plan,
      opened: opened)
    return (answer, notes)
  }

  private func plan(in store: SampleStore) throws -> StatisticsPlan {
    var asked = TypeQuestion(type)
    if !statistics.isEmpty { asked.statistics = statistics }
    (asked.policy, asked.preferredSources, asked.unit) = (merging.merge, merging.prefer, unit)
    var question = try period.question(of: [asked], by: interval, in: store)
    (question.anchor, question.clips, question.average) = (anchor, clips, average)
    (question.style, question.hold) = (styling?.style, styling?.hold)
    (question.separatesSources, question.explains) = (isBySource, explains)
    question.isExact = isExact
    guard let plan = try store.plan(of: question, for: asked) else {
      throw QueryError(.notAQuantity(type))
    }
    return plan
  }

  private func notes(
    hasData: [Bool], starts: [Double], ends: [Double], averages: AverageColumns?,
    plan: StatisticsPlan, opened: OpenedStore
  ) throws -> AnswerNotes {
    try opened.checkPreferred(merging.prefer, of: [type])
    let notes = try AnswerNotes.of(
      plan, hasData: hasData, starts: starts, ends: ends, averages: averages, in: opened.store)
    if notes.absence == nil, let first = starts.first, let last = ends.last,
      let note = try opened.zoneNote(period.zone, plan.timeZone, from: first, to: last)
    {
      // An export that is asked directly answers as the store that it was imported into.
      StandardError.note(note)
    }
    return notes
  }
}
