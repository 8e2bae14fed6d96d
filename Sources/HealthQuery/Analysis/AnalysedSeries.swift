public import HealthAnalysis
import HealthSamples
import HealthStore

/// The numbers of intervals that an analysis may use, and how many it may not.
public struct AnalysedSeries: Sendable, Hashable {
  /// The whole intervals, of which some may have no number.
  public let series: IntervalSeries
  /// How many intervals at both ends are left out, since the data begin or end inside of them.
  public let partialCount: Int

  /// How many of the intervals have no number.
  public var emptyCount: Int { series.values.count { $0 == nil } }

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

extension IntervalSeries {
  /// The middle of an interval, in seconds since 2001-01-01 UTC.
  public func middle(_ row: Int) -> Double { starts[row] + (ends[row] - starts[row]) / 2 }
}

extension QuestionAnswer.Column {
  /// The intervals that data cover.
  ///
  /// Of amounts, the first and the last interval with a number are left out where the data of the
  /// type begin or end inside of them, by more than a day where they are longer: their amounts are too
  /// small.
  ///
  /// - Throws: `QueryError` when the store cannot be read
  func analysed(in store: SampleStore) throws(QueryError) -> AnalysedSeries {
    let known = try store.stored { () throws(StoreError) in try store.sources(of: series.type) }
    guard isOfAmounts, let span = SampleSpan(of: known) else {
      return AnalysedSeries(series: series, partialCount: 0)
    }
    // A night at either end of a week or month is no sign that data are missing.
    let day = 86_400.0
    func slack(_ row: Int) -> Double {
      series.ends[row] - series.starts[row] >= 2 * day ? day : 0
    }
    var rows = 0..<series.count
    let present = rows.filter { series.values[$0] != nil }
    var partialCount = 0
    if let first = present.first, span.firstStart - slack(first) > series.starts[first] {
      rows = first + 1..<rows.upperBound
      partialCount += 1
    }
    if let last = present.last, rows.contains(last), span.lastEnd + slack(last) < series.ends[last]
    {
      rows = rows.lowerBound..<last
      partialCount += 1
    }
    return AnalysedSeries(series: series.keeping(rows), partialCount: partialCount)
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
