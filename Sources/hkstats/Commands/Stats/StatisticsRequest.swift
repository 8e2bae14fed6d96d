import Foundation
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits

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
    if explains, type.style?.isCumulative == false {
      throw Failure(
        "--explain says whose samples counted where sources overlap. "
          + "\(TypeName.short(type.identifier)) is not merged: all samples of all sources count. "
          + "--by-source gives each source alone.", .usage)
    }
    let opened = try opened.choosing(sources, of: type)
    let plan = try plan(in: opened.store)
    let answer = try opened.store.statistics(plan)
    let notes = try notes(
      unmatched: answer.unmatchedPreferredSources, hasData: answer.intervals.hasData,
      starts: answer.intervals.starts, ends: answer.intervals.ends, plan: plan, opened: opened)
    if answer.intervals[raw: .sum]?.contains(where: \.isInfinite) ?? false {
      StandardError.note("a sum is larger than any number that programs hold; json shows null.")
    }
    return (answer, notes)
  }

  /// The same for a category type.
  func categoryAnswer(
    from opened: OpenedStore
  ) throws -> (answer: CategoryAnswer, notes: AnswerNotes) {
    for statistic in statistics where statistic != .duration && statistic != .count {
      throw Failure(
        "\(statistic.rawValue) does not fit \(TypeName.short(type.identifier)), which has "
          + "categories: duration, count.", .usage)
    }
    guard unit == nil, !isExact, styling?.style == nil, styling?.hold == nil, average == nil else {
      throw Failure(
        "\(TypeName.short(type.identifier)) has categories: leave --unit, --exact, --style, --hold "
          + "and --per out.", .usage)
    }
    let opened = try opened.choosing(sources, of: type)
    let plan = try plan(in: opened.store)
    let answer = try opened.store.categoryStatistics(plan)
    let notes = try notes(
      unmatched: answer.unmatchedPreferredSources, hasData: answer.hasData, starts: answer.starts,
      ends: answer.ends, plan: plan, opened: opened)
    return (answer, notes)
  }

  private func plan(in store: SampleStore) throws -> StatisticsPlan {
    let zone = try period.zone.zones(in: store)
    var plan = StatisticsPlan(type: type, timeZone: zone)
    plan.interval = interval
    plan.from = try period.date(period.from, in: zone)
    plan.to = try period.date(period.to, in: zone)
    plan.anchor = try period.date(anchor, in: zone, boundsPeriod: false)
    plan.clips = clips
    plan.average = average
    if !statistics.isEmpty { plan.statistics = statistics }
    plan.policy = merging.merge
    plan.preferredSources = merging.prefer
    plan.style = styling?.style
    if let hold = styling?.hold { plan.hold = hold }
    plan.separatesSources = isBySource
    plan.explains = explains
    plan.isExact = isExact
    plan.unit = try unit.map { try UnitArgument.unit($0, of: type) }
    return plan
  }

  private func notes(
    unmatched names: [String], hasData: [Bool], starts: [Double], ends: [Double],
    plan: StatisticsPlan, opened: OpenedStore
  ) throws -> AnswerNotes {
    if !names.isEmpty {
      let known = try opened.store.sources(of: type).map(\.source.description)
      for name in names {
        let near = NearNames.of(Source.matchingName(of: name), among: known)
        let advice = near.isEmpty ? "" : " " + DidYouMean.advice(near, else: "")
        StandardError.note("no source of this type is called \"\(name.printable)\".\(advice)")
      }
    }
    guard let first = starts.first, let last = ends.last, hasData.contains(true) else {
      return AnswerNotes(
        absence: try AnswerNotes.absence(
          of: type, in: opened.store, from: plan.from, to: plan.to, zones: plan.timeZone))
    }
    var notes = AnswerNotes()
    if let reach = AnswerNotes.reach(of: plan, first: first, last: last) {
      notes.beside.append(reach)
    }
    if let note = try opened.zoneNote(period.zone, plan.timeZone, from: first, to: last) {
      // An export that is asked directly answers as the store that it was imported into.
      StandardError.note(note)
    }
    return notes
  }
}
