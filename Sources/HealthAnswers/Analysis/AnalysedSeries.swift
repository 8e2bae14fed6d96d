public import HealthAnalysis
import HealthQuery
import HealthSamples

/// The numbers of intervals that an analysis may use, and how many it may not.
public struct AnalysedSeries: Sendable, Hashable {
  /// The intervals; those that are not whole have no number (`WholeIntervals`).
  public let series: IntervalSeries
  /// How many intervals are left out, since they are not over or the data do not cover them.
  public let partialCount: Int
  /// Whether the intervals are days of the calendar.
  public let isOfDays: Bool
  /// Whether a longer interval has a larger number, as sums and durations have.
  let isOfAmounts: Bool
  /// The last row that is whole, with a number or without.
  var lastWhole: Int?

  /// How many of the intervals have no data.
  public var emptyCount: Int { series.values.count { $0 == nil } - partialCount }

  /// The same numbers, of which others are left out.
  func replacing(_ values: [Double?], isOfDays: Bool) -> AnalysedSeries {
    AnalysedSeries(
      series: series.replacing(values), partialCount: partialCount, isOfDays: isOfDays,
      isOfAmounts: isOfAmounts, lastWhole: lastWhole)
  }

  /// The numbers as a column of equal distances, where amounts of longer and shorter days are as if
  /// the day had 24 hours.
  ///
  /// - Throws: `AnalysisError` for a sum that is no number
  func columnOfEqualDays() throws(AnalysisError) -> RegularSeries {
    guard isOfDays, isOfAmounts else { return try column() }
    return try RegularSeries(
      series.values.indices.map { row in
        let length = series.ends[row] - series.starts[row]
        return series.values[row].map {
          length == .secondsPerDay ? $0 : $0 * (.secondsPerDay / length)
        }
      })
  }

  /// The numbers as a column of equal distances.
  ///
  /// - Throws: `AnalysisError` for a sum that is no number
  public func column() throws(AnalysisError) -> RegularSeries {
    try RegularSeries(series.values)
  }

  /// The middle of each interval with a number, in days of 86,400 s from that of the first.
  public var middles: [Double] {
    let known = series.values.indices.filter { series.values[$0] != nil }
    guard let first = known.first else { return [] }
    return known.map { (series.middle($0) - series.middle(first)) / .secondsPerDay }
  }
}

extension DecompositionParameters {
  /// The course of the week and the slow course of days.
  ///
  /// The course of the week is one over the whole time, so that it cannot follow a change, and the slow
  /// course is that of a quarter: what follows faster changes leaves a remainder that no short model
  /// of its past describes, and so false alarms.
  static func week(isRobust: Bool = false) -> Self {
    var parameters = Self().withTenthJumps()
    parameters.isRobust = isRobust
    parameters.seasonalWindow = .periodic
    parameters.trendWindow = 91
    // A gap is filled for the decomposition alone, however long.
    parameters.longestGap = 1 << 24
    return parameters
  }
}

extension IntervalSeries {
  /// The middle of an interval, in seconds since 2001-01-01 UTC.
  public func middle(_ row: Int) -> Double { starts[row] + (ends[row] - starts[row]) / 2 }

  /// The same intervals with other numbers, and with other ends where these are given.
  func replacing(_ values: [Double?], ends: [Double]? = nil) -> IntervalSeries {
    IntervalSeries(
      name: name, type: type, statistic: statistic, unit: unit, timeZone: timeZone,
      starts: starts, ends: ends ?? self.ends, values: values)
  }
}

extension QuestionAnswer.Column {
  /// The numbers that an analysis may use, of intervals of a length: those of whole ones.
  func analysed(by interval: CalendarInterval?) -> AnalysedSeries {
    AnalysedSeries(
      series: whole, partialCount: lacks.count, isOfDays: interval == CalendarInterval(.day),
      isOfAmounts: series.isOfAmounts,
      lastWhole: series.values.indices.last { lacks[$0] == nil })
  }
}
