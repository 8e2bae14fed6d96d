import HealthQuery
public import HealthStatistics

/// How the numbers of the intervals of a period are distributed.
///
/// Each whole interval with a number counts once (`WholeIntervals`); intervals without a number are in
/// nothing but ``emptyCount``.
///
/// ```swift
/// let spread = try store.answer(Question(types: ["sleep"], by: CalendarInterval(.day)))
///   .columns[0].series.spread()
/// (spread.count, spread[.median], spread[.standardDeviation])
/// ```
public struct IntervalSpread: Sendable, Hashable {
  /// How many intervals have a number.
  public var count: Int { numbers.count }
  /// How many have none.
  public let emptyCount: Int
  /// The numbers, ascending.
  public let numbers: [Double]

  /// The spread of numbers, from which some that are `nil` here are left out.
  init(of values: [Double?], leavingOut leftOutCount: Int = 0) {
    numbers = values.compactMap(\.self).sorted()
    emptyCount = values.count - numbers.count - leftOutCount
  }

  /// What an answer gives, in its order: the least, the 5th, 20th, 25th and 40th percentile, the
  /// median, the 60th, 75th, 80th and 95th, the greatest, the mean and the standard deviation.
  public static let statistics: [Statistic] =
    [.min] + percentiles(5, 20, 25, 40) + [.median] + percentiles(60, 75, 80, 95)
    + [.max, .mean, .standardDeviation]

  private static func percentiles(_ percents: Double...) -> [Statistic] {
    percents.compactMap { Percentile($0) }.map(Statistic.percentile)
  }

  /// A statistic of the numbers: `min`, `max`, `median`, any `percentile`, `mean` or
  /// `standardDeviation`.
  ///
  /// Percentiles are linear between the numbers (Hyndman and Fan, type 7), the standard deviation is
  /// that of a sample (*n* − 1).
  ///
  /// - Returns: `nil` without a number, for the standard deviation of one, for another statistic, and
  ///   where the result is too large for a `Double`
  /// - Complexity: O(1); O(*n*) for the mean and the standard deviation
  public subscript(statistic: Statistic) -> Double? {
    let value =
      statistic == .mean
      ? IntervalSeries.Mean(of: numbers.lazy.map(Optional.some)).value
      : statistic.ofTotals(numbers)
    return value.flatMap { $0.isFinite ? $0 : nil }
  }
}

extension IntervalSeries {
  /// How the numbers are distributed.
  ///
  /// - Complexity: O(*n* log *n*)
  public func spread() -> IntervalSpread { IntervalSpread(of: values) }
}
