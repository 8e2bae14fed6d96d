import HealthKit

/// The charts of the diary.
public struct Charts: Sendable {
  private let store = HKHealthStore()
  private let calendar: Calendar

  /// Makes the charts of a calendar, whose time zone cuts the days.
  public init(calendar: Calendar = .current) { self.calendar = calendar }

  /// How far the person went in each of some weeks, of which that of a date is the last, in
  /// kilometres; a week without samples has 0.
  public func weeks(_ count: Int, until date: Date) async throws -> [Double] {
    guard let last = calendar.dateInterval(of: .weekOfYear, for: date),
      let start = calendar.date(byAdding: .weekOfYear, value: 1 - count, to: last.start)
    else { return [] }
    let collection = try await collection(
      of: TrainingAccess.distance, .cumulativeSum, from: start, to: last.end,
      by: DateComponents(calendar: calendar, timeZone: calendar.timeZone, weekOfYear: 1))
    return (0..<count).map { week in
      let date = calendar.date(byAdding: .weekOfYear, value: week, to: start) ?? start
      return collection.statistics(for: date)?.sumQuantity()?
        .doubleValue(for: .meterUnit(with: .kilo)) ?? 0
    }
  }

  /// The resting heart rates of some days, each beside the start of its day.
  public func restingHeartRates(from start: Date, to end: Date) async throws -> [Date: Double] {
    let collection = try await collection(
      of: TrainingAccess.restingHeartRate, .discreteAverage, from: start, to: end,
      by: DateComponents(calendar: calendar, timeZone: calendar.timeZone, day: 1))
    return Dictionary(
      uniqueKeysWithValues: collection.statistics().compactMap { statistics in
        statistics.averageQuantity().map { (statistics.startDate, $0.doubleValue(for: .perMinute)) }
      })
  }

  /// The lowest, the mean and the highest heart rate of a workout; `nil` without one.
  public func heartRates(
    of workout: HKWorkout
  ) async throws -> (lowest: Double, mean: Double, highest: Double)? {
    let period = HKQuery.predicateForSamples(
      withStart: workout.startDate, end: workout.endDate, options: .strictStartDate)
    let query = HKStatisticsQueryDescriptor(
      predicate: .quantitySample(type: TrainingAccess.heartRate, predicate: period),
      options: [.discreteMin, .discreteAverage, .discreteMax])
    guard let statistics = try await query.result(for: store),
      let lowest = statistics.minimumQuantity(), let mean = statistics.averageQuantity(),
      let highest = statistics.maximumQuantity()
    else { return nil }
    return (
      lowest.doubleValue(for: .perMinute), mean.doubleValue(for: .perMinute),
      highest.doubleValue(for: .perMinute)
    )
  }

  /// How many hours the person slept from noon before a date's day to its noon; what several apps
  /// say of the same time counts once.
  public func sleep(inTheNightBefore date: Date) async throws -> Double {
    let day = calendar.startOfDay(for: date)
    guard let start = calendar.date(byAdding: .hour, value: -12, to: day),
      let end = calendar.date(byAdding: .hour, value: 12, to: day)
    else { return 0 }
    let asleep = NSCompoundPredicate(andPredicateWithSubpredicates: [
      HKQuery.predicateForSamples(withStart: start, end: end),
      HKCategoryValueSleepAnalysis.predicateForSamples(
        equalTo: HKCategoryValueSleepAnalysis.allAsleepValues),
    ])
    let samples = try await HKSampleQueryDescriptor(
      predicates: [.categorySample(type: TrainingAccess.sleep, predicate: asleep)],
      sortDescriptors: [SortDescriptor(\.startDate)]
    ).result(for: store)
    var (seconds, until) = (0.0, start)
    for sample in samples {
      let (from, to) = (max(sample.startDate, until), min(sample.endDate, end))
      guard from < to else { continue }
      (seconds, until) = (seconds + to.timeIntervalSince(from), to)
    }
    return seconds / 3_600
  }

  private func collection(
    of type: HKQuantityType, _ options: HKStatisticsOptions, from start: Date, to end: Date,
    by interval: DateComponents
  ) async throws -> HKStatisticsCollection {
    let period = HKQuery.predicateForSamples(withStart: start, end: end, options: .strictStartDate)
    return try await HKStatisticsCollectionQueryDescriptor(
      predicate: .quantitySample(type: type, predicate: period), options: options,
      anchorDate: start, intervalComponents: interval
    ).result(for: store)
  }
}

extension HKUnit {
  /// Beats a minute.
  static var perMinute: HKUnit { .count().unitDivided(by: .minute()) }
}
