/// Statistics of intervals: a table with one row per interval and one column per statistic.
///
/// ```swift
/// let days = try rates.statistics(over: boundaries, of: [.mean, .max])
/// days[.mean]                // one number a day, nil on a day without data
/// days.value(.mean, row: 3)  // nil on a day without a sample
/// ```
///
/// A row without data (see ``hasData``) is empty, which is not zero: its entries are 0 without
/// meaning. Values are in the type's canonical unit, times in seconds since 2001-01-01 UTC,
/// durations in seconds.
public struct StatisticsColumns: Sendable, Hashable {
  /// The start of each interval; for the single row over all time, the earliest start of its
  /// samples.
  public let starts: [Double]
  /// The end of each interval; for the single row over all time, the latest end of its samples.
  public let ends: [Double]
  /// Whether any sample lies in the interval, even if masked.
  public internal(set) var hasData: [Bool]
  /// How many samples contribute; a sample counts once in each interval that it overlaps.
  public internal(set) var counts: [Int]
  /// The columns, except the counts.
  var columns: [Statistic: [Double]] = [:]
  /// The spans of the samples whose values are in the columns.
  var spans: [Statistic: Spans] = [:]

  /// The start and end of one sample of each interval, as columns.
  public struct Spans: Sendable, Hashable {
    /// Start instants.
    public internal(set) var starts: [Double]
    /// End instants.
    public internal(set) var ends: [Double]
  }

  /// Makes rows without other columns.
  init(starts: [Double], ends: [Double], hasData: [Bool], counts: [Int]) {
    self.starts = starts
    self.ends = ends
    self.hasData = hasData
    self.counts = counts
  }

  /// The number of intervals. - Complexity: O(1)
  public var count: Int { starts.count }
}

extension StatisticsColumns {
  /// The values of a statistic, one an interval, each as ``value(_:row:)`` gives it: `nil` on a
  /// day without data; `nil` in place of the column for a statistic that was not requested.
  ///
  /// - Complexity: O(rows)
  public subscript(statistic: Statistic) -> [Double?]? {
    self[raw: statistic].map { _ in values(of: statistic) }
  }

  /// The stored column of a statistic, for kernels; `nil` for one that was not requested, except
  /// the count.
  ///
  /// Where ``hasData`` is false, and for the standard deviation where ``counts`` is below 2, it
  /// holds 0 without meaning.
  public internal(set) subscript(raw statistic: Statistic) -> [Double]? {
    get { statistic == .count ? counts.map(Double.init) : columns[statistic.columnKey] }
    set { columns[statistic.columnKey] = newValue }
  }

  /// The statistics that have a column, including the count.
  public var statistics: Set<Statistic> { Set(columns.keys).union([.count]) }

  /// The spans of the samples whose values `recent` or `first` gives; `nil` for another statistic.
  public func spans(of statistic: Statistic) -> Spans? { spans[statistic] }

  /// A statistic of one interval; `nil` if it was not requested, in an interval without data, and
  /// for the standard deviation of one sample.
  public func value(_ statistic: Statistic, row: Int) -> Double? {
    if statistic == .count { return Double(counts[row]) }
    guard hasData[row], counts[row] >= statistic.leastCount else { return nil }
    return columns[statistic.columnKey]?[row]
  }

  /// The same of every interval. - Complexity: O(rows)
  package func values(of statistic: Statistic) -> [Double?] {
    guard let column = self[raw: statistic] else { return Array(repeating: nil, count: count) }
    guard statistic != .count else { return column }
    return zip(column, known(of: statistic)).map { $1 ? $0 : nil }
  }

  /// Whether a statistic with a column has a value, except the count, which always has; one an
  /// interval.
  ///
  /// - Complexity: O(1); O(rows) for the standard deviation
  package func known(of statistic: Statistic) -> [Bool] {
    let least = statistic.leastCount
    return least == 0 ? hasData : zip(hasData, counts).map { $0 && $1 >= least }
  }
}

extension StatisticsColumns {
  /// A table without rows, with the requested columns.
  init(withoutRowsOf wanted: Set<Statistic>) {
    self.init(starts: [], ends: [], hasData: [], counts: [])
    for statistic in wanted where statistic != .count {
      self[raw: statistic] = []
      if statistic.hasSpan { spans[statistic] = Spans(starts: [], ends: []) }
    }
  }

  /// One interval whose statistics are known; without any value and without samples it is empty.
  ///
  /// `recent` is the span of the latest value.
  package init(
    start: Double, end: Double, count: Int, hasData: Bool = true,
    values: [Statistic: Double], recent: (start: Double, end: Double)? = nil
  ) {
    self.init(starts: [start], ends: [end], hasData: [hasData], counts: [count])
    for (statistic, value) in values where statistic != .count { self[raw: statistic] = [value] }
    if let recent { spans[.recent] = Spans(starts: [recent.start], ends: [recent.end]) }
  }

  /// The same intervals with the samples of both tables, which have the same columns.
  ///
  /// Sums, extremes and latest values are those of all samples; means are weighted by the numbers
  /// of samples, and durations add up.
  ///
  /// - Complexity: O(rows)
  package func joined(with other: StatisticsColumns) -> StatisticsColumns {
    var table = self
    for row in 0..<count where other.hasData[row] {
      let isAlone = !hasData[row]
      let share = Double(other.counts[row]) / Double(max(1, counts[row] + other.counts[row]))
      let isLater = other.isLater(than: self, row: row)
      for (statistic, theirs) in other.columns {
        guard let mine = columns[statistic]?[row] else { continue }
        let value = theirs[row]
        table.columns[statistic]?[row] =
          if isAlone {
            value
          } else {
            switch statistic {
            case .sum, .duration: mine + value
            case .min: Swift.min(mine, value)
            case .max: Swift.max(mine, value)
            case .mean: mine + (value - mine) * share
            case .recent: isLater ? value : mine
            default: mine
            }
          }
      }
      if isAlone || isLater, let spans = other.spans[.recent] {
        table.spans[.recent]?.starts[row] = spans.starts[row]
        table.spans[.recent]?.ends[row] = spans.ends[row]
      }
      table.hasData[row] = true
      table.counts[row] += other.counts[row]
    }
    return table
  }

  /// Whether the latest value of a row lies after that of another table.
  private func isLater(than other: StatisticsColumns, row: Int) -> Bool {
    guard let mine = spans[.recent], let theirs = other.spans[.recent] else { return false }
    return (mine.ends[row], mine.starts[row]) > (theirs.ends[row], theirs.starts[row])
  }

  /// The rows of several tables in order; every table has the same columns.
  ///
  /// - Complexity: O(rows)
  package init(joining tables: [StatisticsColumns]) {
    self.init(
      starts: tables.flatMap(\.starts), ends: tables.flatMap(\.ends),
      hasData: tables.flatMap(\.hasData), counts: tables.flatMap(\.counts))
    for statistic in tables.first?.columns.keys ?? [:].keys {
      columns[statistic] = tables.flatMap { $0.columns[statistic] ?? [] }
    }
    for statistic in tables.first?.spans.keys ?? [:].keys {
      let parts = tables.compactMap { $0.spans[statistic] }
      spans[statistic] = Spans(starts: parts.flatMap(\.starts), ends: parts.flatMap(\.ends))
    }
  }

  /// The same rows with the columns about whole samples from another table.
  package func taking(wholeSampleColumnsOf other: StatisticsColumns) -> StatisticsColumns {
    var table = self
    table.columns = table.columns.filter { !$0.key.isOfWholeSamples }
    table.columns.merge(other.columns.filter(\.key.isOfWholeSamples)) { $1 }
    table.spans = other.spans
    return table
  }

  /// The same rows with their values in another unit; rows without data stay 0.
  ///
  /// `convert` changes a column of values in place; it may add an offset, as degrees do. `stretch`
  /// changes differences of values, without an offset. ``Statistic/scaling`` decides which one is
  /// used.
  package func converted(
    by convert: (inout [Double]) -> Void, stretching stretch: (inout [Double]) -> Void
  ) -> StatisticsColumns {
    var zero = [0.0]
    convert(&zero)
    let offset = zero[0]
    var table = self
    for (statistic, values) in columns {
      var column = values
      switch statistic.scaling {
      case .value, .amount:
        convert(&column)
        let offset = statistic.scaling == .amount ? offset : 0
        column = zip(column, hasData).map { $1 ? $0 - offset : 0 }
      case .distance:
        stretch(&column)
        column = column.map(abs)
      case .none: continue
      }
      table.columns[statistic] = column
    }
    return table
  }

  /// The same rows with sums and means truncated to whole numbers, towards zero.
  ///
  /// `toWhole` and `fromWhole` are the factors to the unit of whole numbers, and back.
  package func truncated(toWhole: Double = 1, fromWhole: Double = 1) -> StatisticsColumns {
    var table = self
    for statistic in [Statistic.sum, .mean] {
      table[raw: statistic] = self[raw: statistic]?.map { value in
        let scaled = value * toWhole
        let nearest = scaled.rounded()
        // A whole number except for the rounding errors of its conversion.
        let isWhole = toWhole != 1 && abs(scaled - nearest) <= 8 * scaled.ulp
        return (isWhole ? nearest : scaled.rounded(.towardZero)) * fromWhole
      }
    }
    return table
  }
}
