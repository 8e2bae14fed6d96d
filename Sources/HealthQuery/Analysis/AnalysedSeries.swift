public import HealthAnalysis
import HealthSamples
import HealthStatistics
import HealthStore

/// The numbers of intervals that an analysis may use, and how many it may not.
public struct AnalysedSeries: Sendable, Hashable {
  /// The intervals; those that the data cover in part have no number.
  public let series: IntervalSeries
  /// How many intervals at both ends are left out, since the data begin or end inside of them.
  public let partialCount: Int
  /// Whether the intervals are days of the calendar.
  public let isOfDays: Bool
  /// Whether a longer interval has a larger number, as sums and durations have.
  let isOfAmounts: Bool

  /// How many of the intervals have no data.
  public var emptyCount: Int { series.values.count { $0 == nil } - partialCount }

  /// The same numbers, of which others are left out.
  func replacing(_ values: [Double?], isOfDays: Bool) -> AnalysedSeries {
    AnalysedSeries(
      series: series.replacing(values), partialCount: partialCount, isOfDays: isOfDays,
      isOfAmounts: isOfAmounts)
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
        return series.values[row].map { length == 86_400 ? $0 : $0 * (86_400 / length) }
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
    return known.map { (series.middle($0) - series.middle(first)) / 86_400 }
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

  /// The same intervals with other numbers.
  func replacing(_ values: [Double?]) -> IntervalSeries {
    IntervalSeries(
      name: name, type: type, statistic: statistic, unit: unit, timeZone: timeZone,
      starts: starts, ends: ends, values: values)
  }
}

extension QuestionAnswer.Column {
  /// The intervals that data cover.
  ///
  /// Of amounts, the first and the last interval with a number are left out where the data of the
  /// type begin or end inside of them, by more than a day where they are longer, or where the period
  /// cuts them: their amounts are too small. Of what is measured all through the day, they are left
  /// out where the data begin or end inside of them and there are less than half as many samples as in
  /// the usual interval: a mean of a night is none of a day.
  ///
  /// - Parameters:
  ///   - interval: the length of the intervals
  ///   - store: where the samples are
  ///   - isCut: whether the period cuts the first and the last interval
  ///   - whole: the rows around one that are left out with it, such as the hours of a day
  /// - Returns: the numbers that an analysis may use
  /// - Throws: `QueryError` when the store cannot be read
  func analysed(
    by interval: CalendarInterval?, in store: SampleStore,
    isCut: (first: Bool, last: Bool) = (false, false),
    togetherWith whole: (Int) -> Range<Int> = { $0..<$0 + 1 }
  ) throws(QueryError) -> AnalysedSeries {
    let known = try store.stored { () throws(StoreError) in try store.sources(of: series.type) }
    var values = series.values
    var partialCount = 0
    func blank(_ rows: Range<Int>) {
      for row in rows { values[row] = nil }
      partialCount += rows.count
    }
    if let span = SampleSpan(of: known),
      let first = values.firstIndex(where: { $0 != nil }).map(whole),
      let last = values.lastIndex(where: { $0 != nil }).map(whole)
    {
      func start(_ rows: Range<Int>) -> Double { series.starts[rows.lowerBound] }
      func end(_ rows: Range<Int>) -> Double { series.ends[rows.upperBound - 1] }
      // A night at either end of a week or month is no sign that data are missing.
      let day = 86_400.0
      func slack(_ rows: Range<Int>) -> Double { end(rows) - start(rows) >= 2 * day ? day : 0 }
      let (startsInside, endsInside) = (
        span.firstStart - slack(first) > start(first), span.lastEnd + slack(last) < end(last)
      )
      let (isFirstCut, isLastCut) = (
        isCut.first && first.contains(0), isCut.last && last.contains(values.count - 1)
      )
      let (leavesFirst, leavesLast) =
        isOfAmounts
        ? (startsInside || isFirstCut, endsInside || isLastCut)
        : (startsInside && isSparse(first), endsInside && isSparse(last))
      if leavesFirst { blank(first) }
      if leavesLast, !leavesFirst || first != last { blank(last) }
    }
    return AnalysedSeries(
      series: series.replacing(values), partialCount: partialCount,
      isOfDays: interval == CalendarInterval(.day), isOfAmounts: isOfAmounts)
  }

  /// Whether intervals have less than half as many samples as the usual one, of a type that is measured
  /// all through the day.
  private func isSparse(_ rows: Range<Int>) -> Bool {
    guard rows.count == 1, case .quantity(let answer) = answer,
      answer.intervals.counts.count == series.count
    else { return false }
    let counts = answer.intervals.counts.filter { $0 > 0 }.sorted()
    guard !counts.isEmpty, counts[counts.count / 2] >= Self.leastUsualCount else { return false }
    return 2 * answer.intervals.counts[rows.lowerBound] < counts[counts.count / 2]
  }

  /// How many samples the usual interval has of what is measured all through the day, at least.
  private static let leastUsualCount = 8

  /// Whether a shorter interval has a smaller number.
  private var isOfAmounts: Bool {
    switch answer {
    case .quantity(let answer): answer.style.isCumulative && answer.averages == nil
    case .category: true
    case .nights: false
    }
  }
}
