public import HealthQuery
import HealthSamples
import HealthStatistics
public import HealthStore
public import HealthUnits

/// A question about the energy burnt in all: active and at rest, each merged over its sources.
public struct EnergyPlan: Sendable, Hashable, Codable {
  /// The period and its intervals.
  public var period: ElementPeriod
  /// Names of sources that rank above all others, highest first; the user's stored order follows.
  public var preferredSources: [String] = []
  /// The unit; when `nil` the one of active energy.
  public var unit: UnitExpression?

  /// Makes a plan.
  public init(_ period: ElementPeriod) { self.period = period }

  private func plan(of type: SampleType) -> StatisticsPlan {
    var plan = StatisticsPlan(type: type, timeZone: period.timeZone)
    (plan.interval, plan.from, plan.to) = (period.interval, period.from, period.to)
    plan.statistics = [.sum]
    plan.preferredSources = preferredSources
    plan.unit = unit
    plan.clips = period.interval == nil
    return plan
  }

  /// Answers from the two sums, asked in one state of a store.
  fileprivate func answer(
    _ sums: (StatisticsPlan) throws(QueryError) -> StatisticsAnswer
  ) throws(QueryError) -> ElementColumns {
    var plans = [
      plan(of: SampleType(.activeEnergyBurned)), plan(of: SampleType(.basalEnergyBurned)),
    ]
    var active = try sums(plans[0])
    plans[1].unit = active.unit
    var basal = try sums(plans[1])
    if active.intervals.starts != basal.intervals.starts
      || active.intervals.ends != basal.intervals.ends,
      let first = (active.intervals.starts + basal.intervals.starts).min(),
      let last = (active.intervals.ends + basal.intervals.ends).max()
    {
      // The types begin or end on different days: both are asked for the days of either.
      for place in plans.indices {
        plans[place].from = QueryDate(instant: first, alignsIntervals: true)
        plans[place].to = QueryDate(instant: last, alignsIntervals: true)
        plans[place].unit = active.unit
      }
      (active, basal) = (try sums(plans[0]), try sums(plans[1]))
    }
    let (one, other) = (active.intervals[.sum] ?? [], basal.intervals[.sum] ?? [])
    var answer = ElementColumns(
      "totalEnergy", rows: .intervals, in: period.timeZone, starts: active.intervals.starts,
      ends: active.intervals.ends)
    let unit = active.unit.description
    // Without one of the two the sum would say that it was nothing.
    answer.add(
      "total", unit: unit,
      .numbers(zip(one, other).map { pair in pair.0.flatMap { left in pair.1.map { left + $0 } } }))
    answer.add("active", unit: unit, .numbers(one))
    answer.add("basal", unit: unit, .numbers(other))
    return answer
  }
}

extension SampleStore {
  /// Answers a question about the energy burnt in all.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  public func totalEnergy(_ plan: EnergyPlan) throws(QueryError) -> ElementColumns {
    try oneState { () throws(QueryError) in
      try plan.answer { (plan) throws(QueryError) in try statistics(plan) }
    }
  }
}
