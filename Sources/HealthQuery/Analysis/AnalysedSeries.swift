public import HealthAnalysis
import HealthSamples
import HealthStore

/// The numbers of intervals that an analysis may use, and how many it may not.
public struct AnalysedSeries: Sendable, Hashable {
  /// The intervals; those that the data cover in part have no number.
  public let series: IntervalSeries
  /// How many intervals at both ends are left out, since the data begin or end inside of them.
  public let partialCount: Int
  /// Whether the intervals are days of the calendar.
  public let isOfDays: Bool

  /// How many of the intervals have no data.
  public var emptyCount: Int { series.values.count { $0 == nil } - partialCount }

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
  /// type begin or end inside of them, by more than a day where they are longer: their amounts are too
  /// small.
  ///
  /// - Parameters:
  ///   - interval: the length of the intervals
  ///   - store: where the samples are
  ///   - whole: the rows around one that are left out with it, such as the hours of a day
  /// - Returns: the numbers that an analysis may use
  /// - Throws: `QueryError` when the store cannot be read
  func analysed(
    by interval: CalendarInterval?, in store: SampleStore,
    togetherWith whole: (Int) -> Range<Int> = { $0..<$0 + 1 }
  ) throws(QueryError) -> AnalysedSeries {
    let known = try store.stored { () throws(StoreError) in try store.sources(of: series.type) }
    var values = series.values
    var partialCount = 0
    func blank(_ rows: Range<Int>) {
      for row in rows { values[row] = nil }
      partialCount += rows.count
    }
    if isOfAmounts, let span = SampleSpan(of: known),
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
      if startsInside { blank(first) }
      if endsInside, !startsInside || first != last { blank(last) }
    }
    return AnalysedSeries(
      series: series.replacing(values), partialCount: partialCount,
      isOfDays: interval == CalendarInterval(.day))
  }

  /// Whether a shorter interval has a smaller number.
  private var isOfAmounts: Bool {
    switch answer {
    case .quantity(let answer): answer.style.isCumulative && answer.averages == nil
    case .category: true
    case .nights: false
    }
  }
}
