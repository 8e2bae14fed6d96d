internal import HealthQuery
internal import HealthStatistics

extension HKStatisticsOptions {
  /// The option of each statistic, with the name of Apple's constant, in the order of bits.
  private static let rows: [(option: HKStatisticsOptions, statistic: Statistic, constant: String)] =
    [
      (.discreteAverage, .mean, "HKStatisticsOptionDiscreteAverage"),
      (.discreteMin, .min, "HKStatisticsOptionDiscreteMin"),
      (.discreteMax, .max, "HKStatisticsOptionDiscreteMax"),
      (.cumulativeSum, .sum, "HKStatisticsOptionCumulativeSum"),
      (.mostRecent, .recent, "HKStatisticsOptionMostRecent"),
      (.duration, .duration, "HKStatisticsOptionDuration"),
    ]

  /// What a plan of the core computes for the options.
  var statistics: [Statistic] { Self.rows.filter { contains($0.option) }.map(\.statistic) }

  /// The options, if samples of a type can be combined in that way.
  ///
  /// - Throws: ``ObjectError`` for a discrete option of a cumulative type, and the reverse
  public func validated(for type: HKQuantityType) throws(ObjectError) -> HKStatisticsOptions {
    let style = type.core.style ?? .discreteArithmetic
    for row in Self.rows where contains(row.option) && !row.statistic.isAvailable(for: style) {
      throw ObjectError(
        .incompatibleStatistics(
          option: row.constant, isCumulative: style.isCumulative, type: type.identifier))
    }
    return self
  }

  /// The options; traps where ``validated(for:)`` throws, as queries with Apple's names do.
  func checked(for type: HKQuantityType) -> HKStatisticsOptions {
    raising { () throws(ObjectError) in try validated(for: type) }
  }
}

extension StatisticsTable {
  /// The tables of an answer.
  ///
  /// Samples of an app that were entered by hand are those of another source in the core, but not in
  /// HealthKit: their rows are joined. A mean of both is weighted by their numbers of samples, and
  /// the time that both cover counts twice in a duration.
  ///
  /// - Complexity: O(rows × sources)
  convenience init(_ answer: StatisticsAnswer, type: HKQuantityType, separatesSources: Bool) {
    var order: [HKSource] = []
    var tables: [HKSource: StatisticsColumns] = [:]
    for part in answer.sources {
      let source = HKSource(part.source)
      if let other = tables[source] {
        tables[source] = other.joined(with: part.intervals)
      } else {
        order.append(source)
        tables[source] = part.intervals
      }
    }
    self.init(
      type: type, unit: HKUnit(answer.unit), intervals: answer.intervals,
      sources: order.compactMap { source in tables[source].map { (source, $0) } },
      separatesSources: separatesSources)
  }
}
