/// Glucose by the hour of the day: the ambulatory profile, with one row for each hour.
///
/// The profile puts all days into one (R. S. Mazze and others, Diabetes Technology and Therapeutics
/// 10: 149, 2008). Percentiles are those of the readings of an hour, on the line between neighbours
/// (type 7 of Hyndman and Fan, 1996); they are not smoothed over hours.
public struct GlucoseProfile: Sendable, Hashable {
  /// One hour of the day.
  public struct Hour: Sendable, Hashable {
    /// The hour of the clock, from 0 to 23.
    public let hour: Int
    /// The number of readings.
    public let count: Int
    /// The value below which a twentieth lies, in mg/dL.
    public let fifthPercentile: Double
    /// The value below which a quarter lies.
    public let lowerQuartile: Double
    /// The median.
    public let median: Double
    /// The value below which three quarters lie.
    public let upperQuartile: Double
    /// The value below which nineteen of twenty lie.
    public let ninetyFifthPercentile: Double
    /// The shares of ranges, of the time for which the readings of the hour stand; `nil` where they
    /// stand for none.
    public let ranges: GlucoseRanges?
  }

  /// The hours that have readings, from 0 on.
  public let hours: [Hour]
}

extension GlucoseReadings {
  /// The profile of the readings by the hour of the day.
  ///
  /// A reading belongs to the hour in which it was taken, with all of the time for which it stands.
  ///
  /// - Parameters:
  ///   - hours: the hour of the local clock of each reading, from 0 to 23
  ///   - hold: the longest time that a reading stands for, in seconds, at most a day
  ///   - end: where the period ends, in seconds
  /// - Returns: the hours that have readings
  /// - Throws: `AnalysisError` without readings, for columns of different lengths, an hour outside of
  ///   the day, or a parameter outside of its range
  /// - Complexity: O(*n* log *n*)
  public func profile(
    hours: [Int], hold: Double = holdingTime, end: Double? = nil
  ) throws(AnalysisError) -> GlucoseProfile {
    try check(hours)
    let weights = try readings.holdingTimes(limit: hold, end: end)
    var rows = [[Int]](repeating: [], count: 24)
    for (row, hour) in hours.enumerated() { rows[hour].append(row) }
    let (ranges, areTight) = (ranges, areTight)
    return GlucoseProfile(
      hours: rows.indices.compactMap { hour in
        let found = rows[hour].map { values[$0] }
        guard let fifth = found.quantile(0.05), let lower = found.quantile(0.25),
          let median = found.median, let upper = found.quantile(0.75),
          let last = found.quantile(0.95)
        else { return nil }
        return GlucoseProfile.Hour(
          hour: hour, count: found.count, fifthPercentile: fifth, lowerQuartile: lower,
          median: median, upperQuartile: upper, ninetyFifthPercentile: last,
          ranges: GlucoseRanges(
            ranges: rows[hour].map { ranges[$0] }, areTight: rows[hour].map { areTight[$0] },
            weights: rows[hour].map { weights[$0] }))
      })
  }
}

/// Glucose in some hours of the day, such as those of the nights.
public struct GlucosePart: Sendable, Hashable {
  /// Mean, deviation and indices, over the readings of these hours.
  public let statistics: GlucoseStatistics
  /// How long the readings stand, in seconds.
  public let measuredTime: Double
  /// The shares of ranges, of this time; `nil` where the readings stand for none.
  public let ranges: GlucoseRanges?
}

extension GlucoseReadings {
  /// The readings of some hours of the day.
  ///
  /// The consensus parts a day in 0:00 to 6:00, when people sleep, and 6:00 to 24:00 (T. Danne and
  /// others, Diabetes Care 40: 1631, 2017). A reading belongs to the hour in which it was taken, with all
  /// of the time for which it stands, as in ``profile(hours:hold:end:)``.
  ///
  /// - Parameters:
  ///   - part: the hours, such as `0..<6`
  ///   - hours: the hour of the local clock of each reading, from 0 to 23
  ///   - hold: the longest time that a reading stands for, in seconds, at most a day
  ///   - end: where the period ends, in seconds
  /// - Returns: the measures; `nil` where no reading is of these hours
  /// - Throws: `AnalysisError` without readings, for columns of different lengths, an hour outside of
  ///   the day, or a parameter outside of its range
  /// - Complexity: O(*n*)
  public func part(
    _ part: Range<Int>, hours: [Int], hold: Double = holdingTime, end: Double? = nil
  ) throws(AnalysisError) -> GlucosePart? {
    try check(hours)
    let weights = try readings.holdingTimes(limit: hold, end: end)
    let rows = hours.indices.filter { part.contains(hours[$0]) }
    guard !rows.isEmpty else { return nil }
    let (ranges, areTight, held) = (ranges, areTight, rows.map { weights[$0] })
    return GlucosePart(
      statistics: try GlucoseReadings(
        times: rows.map { times[$0] }, values: rows.map { values[$0] }
      ).statistics(), measuredTime: held.compensatedSum,
      ranges: GlucoseRanges(
        ranges: rows.map { ranges[$0] }, areTight: rows.map { areTight[$0] }, weights: held))
  }

  /// Refuses hours that are not one for each reading.
  private func check(_ hours: [Int]) throws(AnalysisError) {
    guard hours.count == count else {
      throw AnalysisError(.lengthsDiffer(x: count, y: hours.count))
    }
    guard count > 0 else { throw AnalysisError(.tooFewPoints(count: 0, needed: 1)) }
    if let row = hours.firstIndex(where: { !(0..<24).contains($0) }) {
      throw AnalysisError(.outOfRange, row: row)
    }
  }
}
