public import HealthQuery
public import HealthSamples
public import HealthStatistics
public import HealthStore
public import HealthUnits

/// A question about a type of readings while asleep, night by night: heart rate, oxygen saturation,
/// respiratory rate and so on.
///
/// A sample counts if it starts while a source says asleep, in the night and not in a nap. Means are
/// those of the type's aggregation style.
public struct NightVitals: Sendable, Hashable, Codable {
  /// The type, which must be discrete.
  public var type: SampleType
  /// The statistics; when `nil` those of the type's style.
  public var statistics: [Statistic]?
  /// The days on which the nights end; its interval is ignored.
  public var period: ElementPeriod
  /// Names of sources that rank above all others in sleep, highest first.
  public var preferredSources: [String] = []
  /// The unit; when `nil` the one that the user prefers, else the most frequently recorded one.
  public var unit: UnitExpression?

  /// Makes a plan for the nights of a period.
  public init(type: SampleType, over period: ElementPeriod) {
    (self.type, self.period) = (type, period)
  }

  /// The plan of the nights.
  var sleep: SleepPlan {
    var plan = SleepPlan(timeZone: period.timeZone)
    (plan.from, plan.to, plan.preferredSources) = (period.from, period.to, preferredSources)
    return plan
  }

  /// The plan of the readings.
  fileprivate var readings: StatisticsPlan {
    var plan = StatisticsPlan(type: type, timeZone: period.timeZone)
    plan.statistics = statistics
    plan.unit = unit
    plan.interval = CalendarInterval(.day)
    return plan
  }
}

extension SampleStore {
  /// Answers a question about readings while asleep: a row for each day on which a night ends, with
  /// `count` and a column for each statistic, empty in nights without sleep or readings.
  ///
  /// - Throws: `QueryError`, with `QueryError.Reason.store` for errors of the store
  /// - Complexity: O(*n* log *n*) for the samples of sleep, and of the type in the nights
  public func vitals(_ plan: NightVitals) throws(QueryError) -> ElementColumns {
    try oneState { () throws(QueryError) in
      guard let style = plan.type.style, !style.isCumulative else {
        throw QueryError(
          plan.type.style.map {
            .statistics(StatisticsError(type: plan.type, reason: .notAvailable(.mean, $0)))
          } ?? .notAQuantity(plan.type))
      }
      let nights = try sleep(plan.sleep).nights
      let spans = nights.sleepSpans.compactMap(\.self)
      var samples = SampleColumns(type: plan.type)
      if let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max() {
        samples = try stored { () throws(StoreError) in
          try self.samples(of: plan.type, in: first..<last)
        }
      }
      let (facts, preferred) = try order(of: plan.type)
      let unit = try stored { () throws(StoreError) in try outputUnit(of: plan.type) }
      let question = try ResolvedPlan(
        plan.readings, facts: facts, preferred: preferred, recordedUnit: unit)
      return try plan.answer(nights: nights, samples: samples, question: question)
    }
  }
}

extension NightVitals {
  /// The parts of each night asleep, in order.
  static func asleep(_ nights: NightColumns) -> [[Range<Double>]] {
    (0..<nights.count).map { row in
      guard let night = nights.sleepSpans[row] else { return [] }
      return nights.stretches[row]
        .filter { $0.stage.isAsleep && night.contains($0.span.lowerBound) }.map(\.span)
    }
  }

  fileprivate func answer(
    nights: NightColumns, samples: SampleColumns, question: ResolvedPlan
  ) throws(QueryError) -> ElementColumns {
    let asleep = Self.asleep(nights).flatMap(\.self)
      .sorted { $0.lowerBound < $1.lowerBound }
    let starts = asleep.map(\.lowerBound)
    let rows = samples.starts.indices.filter { row in
      let place = starts.lastEdge(notAfter: samples.starts[row])
      return place >= 0 && asleep[place].contains(samples.starts[row])
    }
    // Nights and what lies between them alternate; nights do not overlap.
    let known = (0..<nights.count).filter { nights.sleepSpans[$0] != nil }
    var edges: [Double] = []
    var places: [Int: Int] = [:]
    for row in known {
      guard let span = nights.sleepSpans[row] else { continue }
      if edges.last.map({ $0 < span.lowerBound }) ?? true { edges.append(span.lowerBound) }
      places[row] = edges.count - 1
      edges.append(span.upperBound)
    }
    let answer =
      edges.isEmpty
      ? nil
      : try question.answer(
        samples: samples.keeping(rows: rows), over: Boundaries(ascendingEdges: edges))
    let ends = nights.days.indices.map { row in
      row + 1 < nights.count ? nights.days[row + 1] : nights.days[row] + .secondsPerDay
    }
    var columns = ElementColumns(
      "\(type.name) during sleep", rows: .intervals, in: period.timeZone, starts: nights.days,
      ends: ends)
    func place(_ row: Int) -> Int? { places[row] }
    columns.add(
      "count",
      .counts(
        nights.days.indices.map { row in
          place(row).flatMap { answer?.intervals.counts[$0] } ?? 0
        }))
    for statistic in answer?.statistics ?? [] where statistic != .count {
      columns.add(
        statistic.rawValue, unit: answer?.unitText,
        .numbers(
          nights.days.indices.map { row in
            place(row).flatMap { answer?.intervals.value(statistic, row: $0) }
          }))
    }
    return columns
  }
}
