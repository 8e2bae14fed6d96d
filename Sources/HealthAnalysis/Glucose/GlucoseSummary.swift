import HealthSamples

/// What the readings of the last days say, and how much of the time they cover.
public struct GlucoseSummary: Sendable, Hashable {
  /// The number of whole days.
  public let days: Int
  /// The share of the days for which a reading stands, from 0 to 1.
  public let coverage: Double
  /// In which units the readings were recorded, and how many in each; the unit of most first.
  public let units: [RecordedUnit]
  /// Mean, deviation and indices, over the readings.
  public let statistics: GlucoseStatistics
  /// The shares of ranges, of the readings.
  public let rangesBySamples: GlucoseRanges
  /// The shares of ranges, of the time with data.
  public let rangesByTime: GlucoseRanges
  /// Which targets the days meet; `nil` when the days or the data are too few to say.
  public let targets: GlucoseTargets?

  /// A unit in which readings were recorded, by whose edges they are judged.
  public struct RecordedUnit: Sendable, Hashable {
    /// The unit.
    public let unit: GlucoseUnit
    /// How many readings, of which there is one at least.
    public let count: Int
  }
}

/// Which of the targets of the international consensus the readings of some days meet.
///
/// They are for adults with diabetes who are not pregnant (T. Battelino and others, Diabetes Care 42:
/// 1593, 2019, table 3; ADA, *Standards of Care in Diabetes*, section 6). Other targets hold for
/// others, and a person's own are agreed with those who treat them.
public struct GlucoseTargets: Sendable, Hashable {
  /// Whether more than 70 % of the time is in range.
  public let inRange: Bool
  /// Whether less than 4 % is low or very low.
  public let below: Bool
  /// Whether less than 1 % is very low.
  public let veryLow: Bool
  /// Whether less than 25 % is high or very high.
  public let above: Bool
  /// Whether less than 5 % is very high.
  public let veryHigh: Bool
  /// Whether the deviation is at most 36 % of the mean.
  public let variation: Bool

  /// What ranges over time and the variation say.
  init(_ ranges: GlucoseRanges, variationPercent: Double) {
    inRange = ranges.inRange > 0.70
    below = ranges.veryLow + ranges.low < 0.04
    veryLow = ranges.veryLow < 0.01
    above = ranges.high + ranges.veryHigh < 0.25
    veryHigh = ranges.veryHigh < 0.05
    variation = variationPercent <= 36
  }
}

extension GlucoseReadings {
  /// How many days targets need.
  public static let neededDays = 14
  /// Which share of their time targets need, from 0 to 1.
  public static let neededCoverage = 0.7

  /// The summary of the days before an instant.
  ///
  /// It uses the readings of the days alone. Coverage is the sum of the times for which they stand,
  /// as in ``rangesByTime(hold:end:)``, by the length of the days. Targets are judged from at least
  /// 14 days on, with at least 70 % coverage, as the consensus asks; a meter's few readings a day do
  /// not reach it.
  ///
  /// - Parameters:
  ///   - end: where the last day ends, in seconds
  ///   - days: how many days, from 1 to 366
  ///   - hold: the longest time that a reading stands for, in seconds, at most a day
  ///   - neededCoverage: the least coverage for targets, from 0 to 1
  /// - Returns: the summary
  /// - Throws: `AnalysisError` when the days have no reading, or for a parameter outside of its range
  /// - Complexity: O(*n*)
  public func summary(
    endingAt end: Double, days: Int = neededDays, hold: Double = holdingTime,
    neededCoverage: Double = Self.neededCoverage
  ) throws(AnalysisError) -> GlucoseSummary {
    guard end.isFinite else {
      throw AnalysisError(.parameter(name: "end", range: "a finite number of seconds"))
    }
    guard (1...366).contains(days) else {
      throw AnalysisError(.parameter(name: "number of days", range: "from 1 to 366"))
    }
    guard (0...1).contains(neededCoverage) else {
      throw AnalysisError(.parameter(name: "needed coverage", range: "from 0 to 1"))
    }
    return try summary(
      over: end - Double(days) * .secondsPerDay..<end, days: days, hold: hold,
      neededCoverage: neededCoverage)
  }

  /// The summary of a period, which need not be whole days.
  ///
  /// Its days are counted down to a whole number, where an hour more or less does not matter: the
  /// clock changes in some of them.
  ///
  /// - Parameters:
  ///   - period: from its first moment to before its last, in seconds
  ///   - hold: the longest time that a reading stands for, in seconds, at most a day
  ///   - neededCoverage: the least coverage for targets, from 0 to 1
  /// - Returns: the summary
  /// - Throws: `AnalysisError` when the period has no reading, or for a parameter outside of its range
  /// - Complexity: O(*n*)
  public func summary(
    over period: Range<Double>, hold: Double = holdingTime,
    neededCoverage: Double = Self.neededCoverage
  ) throws(AnalysisError) -> GlucoseSummary {
    let length = period.upperBound - period.lowerBound
    guard length > 0, length <= 36_600 * .secondsPerDay else {
      throw AnalysisError(.parameter(name: "period", range: "more than 0 and at most 36,600 days"))
    }
    guard (0...1).contains(neededCoverage) else {
      throw AnalysisError(.parameter(name: "needed coverage", range: "from 0 to 1"))
    }
    return try summary(
      over: period, days: Int((length + 3_600) / .secondsPerDay), hold: hold,
      neededCoverage: neededCoverage)
  }

  private func summary(
    over period: Range<Double>, days: Int, hold: Double, neededCoverage: Double
  ) throws(AnalysisError) -> GlucoseSummary {
    let end = period.upperBound
    let length = period.upperBound - period.lowerBound
    let used = try within(period)
    let covered = try used.readings.holdingTimes(limit: hold, end: end).compensatedSum
    let statistics = try used.statistics()
    let byTime = try used.rangesByTime(hold: hold, end: end)
    let coverage = min(1, covered / length)
    let units = GlucoseUnit.allCases.map { unit in
      GlucoseSummary.RecordedUnit(unit: unit, count: used.count(of: unit))
    }
    let suffices = days >= Self.neededDays && coverage >= neededCoverage
    return GlucoseSummary(
      days: days, coverage: coverage,
      // Of as many readings in each the first unit is first.
      units: units.filter { $0.count > 0 }.sorted { $1.count < $0.count }, statistics: statistics,
      rangesBySamples: try used.rangesBySamples(), rangesByTime: byTime,
      targets: suffices
        ? statistics.variationPercent.map { GlucoseTargets(byTime, variationPercent: $0) } : nil)
  }
}
