/// How even the training loads of the days of a week are, and how hard the week was: Foster's monotony
/// and strain.
///
/// ```swift
/// let week = try TrainingMonotony(loads: [300, nil, 400, 200, nil, 500, 100])
/// week.monotony  // 1.10: the mean of 214.3 by the deviation of 195.2
/// week.strain    // 1647: the sum of 1500 times the monotony
/// ```
///
/// Monotony is the mean of the daily loads by their standard deviation, strain the load of the week times
/// its monotony (C. Foster, *Monitoring training in athletes with reference to overtraining syndrome*,
/// Medicine & Science in Sports & Exercise 30: 1164, 1998). The paper does not say whether its deviation
/// divides by *n* − 1 or by *n*. Here it is by *n* − 1, as the function for a sample in spreadsheets does;
/// with *n* the monotony of seven days is 8 % larger.
public struct TrainingMonotony: Sendable, Hashable {
  /// The load of the week, in the unit of the loads.
  public let load: Double
  /// The mean of the daily loads.
  public let mean: Double
  /// The standard deviation of the daily loads, with *n* − 1.
  public let standardDeviation: Double
  /// The number of days.
  public let dayCount: Int
  /// The number of days without a load, which count as 0.
  public let restDayCount: Int
  /// Mean by standard deviation; `nil` where all days are equal, and where so few differ by so little
  /// that it is too large for a `Double`.
  public let monotony: Double?
  /// The load times the monotony; `nil` where that is.
  public let strain: Double?

  /// Makes the measures of some days, seven for Foster's.
  ///
  /// - Parameter loads: the load of each day, the sum of its workouts; `nil` for a day of rest, which
  ///   counts as 0
  /// - Throws: `AnalysisError` for fewer than two days, a load that is negative or not finite, or a sum
  ///   that overflows
  /// - Complexity: O(*n*)
  public init(loads: [Double?]) throws(AnalysisError) {
    let series = try RegularSeries(loads)
    guard series.count >= 2 else {
      throw AnalysisError(.tooFewPoints(count: series.count, needed: 2))
    }
    if let row = series.presentRows.first(where: { series.values[$0] < 0 }) {
      throw AnalysisError(.outOfRange, row: row)
    }
    let days = loads.map { $0 ?? 0 }
    load = days.compensatedSum
    mean = days.compensatedMean
    let deviation = days.standardDeviation(divisor: days.count - 1)
    standardDeviation = deviation
    dayCount = days.count
    restDayCount = series.count - series.presentCount
    guard load.isFinite, mean.isFinite, deviation.isFinite else { throw AnalysisError(.overflow) }
    let monotony = deviation > 0 ? mean / deviation : .infinity
    let strain = load * monotony
    self.monotony = strain.isFinite ? monotony : nil
    self.strain = strain.isFinite ? strain : nil
  }
}
