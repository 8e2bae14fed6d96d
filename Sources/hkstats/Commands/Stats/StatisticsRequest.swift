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
    let plan = try plan(in: opened.store)
    let answer = try opened.store.statistics(plan)
    note(
      unmatched: answer.unmatchedPreferredSources, starts: answer.intervals.starts,
      ends: answer.intervals.ends, zones: plan.timeZone, opened: opened)
    if answer.intervals.sums?.contains(where: \.isInfinite) ?? false {
      StandardError.note("a sum is larger than any number that programs hold; json shows null.")
    }
    return answer
  }

  /// The same for a category type.
  func categoryAnswer(from opened: OpenedStore) throws -> CategoryAnswer {
    for statistic in statistics where statistic != .duration && statistic != .count {
      throw Failure(
        "\(statistic.rawValue) does not fit \(TypeName.short(type.identifier)), which has "
          + "categories: duration, count.", .usage)
    }
    guard unit == nil, !isExact, styling?.style == nil, styling?.hold == nil else {
      throw Failure(
        "\(TypeName.short(type.identifier)) has categories: leave --unit, --exact, --style and "
          + "--hold out.", .usage)
    }
    let plan = try plan(in: opened.store)
    let answer = try opened.store.categoryStatistics(plan)
    note(
      unmatched: answer.unmatchedPreferredSources, starts: answer.starts, ends: answer.ends,
      zones: plan.timeZone, opened: opened)
    return answer
  }

  private func plan(in store: SampleStore) throws -> StatisticsPlan {
    let zone = try period.zone.zones(in: store)
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
    plan.unit = try unit.map { try UnitArgument.unit($0, of: type) }
    return plan
  }

  private func note(
    unmatched names: [String], starts: [Double], ends: [Double], zones: ZoneTimeline,
    opened: OpenedStore
  ) {
    for name in names {
      StandardError.note("no source of this type is called \"\(name.printable)\".")
    }
    if period.zone.isAssumed, let first = starts.first, let last = ends.last {
      opened.noteAssumedZone(zones, from: first, to: last)
    }
  }
}
