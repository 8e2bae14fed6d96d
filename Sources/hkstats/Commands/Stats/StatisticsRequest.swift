import Foundation
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
  var styling: StyleOptions?
  var isBySource = false
  var explains = false
  let unit: String?
  var isExact = false

  /// Asks the store, and says on stderr what a person should know beside the answer.
  func answer(from opened: OpenedStore) throws -> StatisticsAnswer {
    let zone = try period.zone.zones(in: opened.store)
    var plan = StatisticsPlan(type: type, timeZone: zone)
    plan.interval = interval
    plan.from = try period.date(period.from, in: zone)
    plan.to = try period.date(period.to, in: zone)
    plan.anchor = try period.date(anchor, in: zone)
    if !statistics.isEmpty { plan.statistics = statistics }
    plan.policy = merging.merge
    plan.preferredSources = merging.prefer
    plan.style = styling?.style
    if let hold = styling?.hold { plan.hold = hold }
    plan.separatesSources = isBySource
    plan.explains = explains
    plan.isExact = isExact
    plan.unit = try unit.map(UnitArgument.healthKit)
    let answer = try opened.store.statistics(plan)
    for name in answer.unmatchedPreferredSources {
      StandardError.note("no source of this type is called \"\(name.printable)\".")
    }
    if period.zone.isAssumed, let first = answer.intervals.starts.first,
      let last = answer.intervals.ends.last
    {
      opened.noteAssumedZone(zone, from: first, to: last)
    }
    return answer
  }
}
