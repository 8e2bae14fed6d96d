import HealthMerge
import HealthSamples
import HealthStatistics
import HealthUnits

/// How the samples of one query are merged: the policy and its parameters.
struct Merging {
  let policy: MergePolicy
  let priority: SourcePriority
  /// When each sample was last modified; `nil` if the policy does not need it.
  private(set) var lastModified: [Double]?
  private let isExact: Bool
  /// The hold time of a curve, in seconds.
  private let hold: Double
  /// Factors to the unit in which the results of a type are whole numbers, and back; `nil` when
  /// results are not truncated.
  private let whole: (to: Double, from: Double)?

  init(
    policy: MergePolicy, of type: SampleType, priority: SourcePriority, lastModified: [Double]?,
    isExact: Bool, hold: Double
  ) throws(QueryError) {
    if isExact, !policy.sharesByTime, type.style?.isCumulative == true {
      throw QueryError(.notExact(policy))
    }
    self.policy = policy
    self.priority = priority
    self.lastModified = lastModified
    self.isExact = isExact
    self.hold = hold
    whole = policy.truncates(type) ? Self.wholeFactors(of: type) : nil
  }

  /// The same for other samples.
  func dated(by lastModified: [Double]?) -> Merging {
    var merging = self
    merging.lastModified = lastModified
    return merging
  }

  /// The parts of samples that count.
  func merged(_ samples: SampleColumns) throws(QueryError) -> SegmentColumns {
    do {
      return try samples.merged(by: priority, policy: policy, lastModified: lastModified)
    } catch {
      throw QueryError(.merge(error))
    }
  }

  /// All samples, each source alone.
  func unmerged(_ samples: SampleColumns) throws(QueryError) -> SegmentColumns {
    do {
      return try samples.merged(by: priority, policy: .unmerged)
    } catch {
      throw QueryError(.merge(error))
    }
  }

  /// The statistics of the merged samples, preaggregated ones included.
  ///
  /// Whole numbers are truncated from correctly rounded sums, so that no rounding error loses a
  /// unit.
  func statistics(
    of samples: SampleColumns, over boundaries: Boundaries?, _ statistics: [Statistic],
    adding aggregates: AggregateColumns
  ) throws(QueryError) -> StatisticsColumns {
    let segments = try merged(samples)
    let rounding: Rounding =
      (isExact || whole != nil) && aggregates.count == 0 ? .exact : .compensated
    let table = try Self.run {
      () throws(StatisticsError) in
      if policy.choosesSourceOfInterval(of: samples.type) {
        return try segments.highestStatistics(
          over: boundaries, rounding: rounding, adding: aggregates
        ).table
      }
      return try segments.table(
        over: boundaries, of: statistics, rounding: rounding, hold: hold, adding: aggregates)
    }
    return whole.map { table.truncated(toWhole: $0.to, fromWhole: $0.from) } ?? table
  }

  static func run<Table>(
    _ statistics: () throws(StatisticsError) -> Table
  ) throws(QueryError) -> Table {
    do {
      return try statistics()
    } catch {
      throw QueryError(.statistics(error))
    }
  }

  /// Counts are whole numbers in their own unit, rates in counts per minute.
  private static func wholeFactors(of type: SampleType) -> (to: Double, from: Double) {
    guard let unit = type.canonicalUnit, let rate = try? UnitExpression("count/min"),
      let to = try? UnitConversion(from: unit, to: rate),
      let from = try? UnitConversion(from: rate, to: unit)
    else { return (1, 1) }
    return (to(1), from(1))
  }
}
