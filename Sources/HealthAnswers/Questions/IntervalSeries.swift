public import HealthQuery
public import HealthSamples
public import HealthUnits

/// One number for each interval of an answer: what questions about intervals are asked of.
///
/// ```swift
/// let steps = try store.answer(Question(types: ["steps"], by: "day")).columns[0].series
/// steps.top(10)                      // the rows of the ten largest days
/// steps.streaks { $0 >= 10_000 }     // runs of days, the longest first
/// ```
///
/// An interval without data has no number: it is in no mean, is never the least, and ends a streak.
public struct IntervalSeries: Sendable, Hashable {
  /// What a person calls the number: `steps`, `heartRate.max`, `sleep`.
  public let name: String
  /// The type of the samples.
  public let type: SampleType
  /// The statistic: `sum`, `mean`, `asleep` and so on.
  public let statistic: String
  /// The unit of the numbers.
  public let unit: UnitExpression
  /// The zones of the calendar of the intervals.
  public let timeZone: ZoneTimeline
  /// The start of each interval, in seconds since 2001-01-01 UTC; intervals are adjacent.
  public let starts: [Double]
  /// The end of each interval.
  public let ends: [Double]
  /// The number of each interval; `nil` without data.
  public let values: [Double?]

  /// Makes a series, whose columns have one length.
  public init(
    name: String, type: SampleType, statistic: String, unit: UnitExpression,
    timeZone: ZoneTimeline, starts: [Double], ends: [Double], values: [Double?]
  ) {
    precondition(
      starts.count == ends.count && starts.count == values.count,
      "The columns of a series have one length.")
    self.name = name
    self.type = type
    self.statistic = statistic
    self.unit = unit
    self.timeZone = timeZone
    (self.starts, self.ends, self.values) = (starts, ends, values)
  }

  /// The unit as programs print it, without the molar mass of a substance that the type names.
  public var unitText: String { type.printedUnit(unit.description) }

  /// The number of intervals. - Complexity: O(1)
  public var count: Int { starts.count }
}

// MARK: - The largest, and those that meet a condition

extension IntervalSeries {
  /// The rows of the `count` largest numbers, the largest first; of equal ones the earlier first.
  ///
  /// - Parameters:
  ///   - count: how many at most
  ///   - least: whether to give the smallest, the smallest first
  /// - Returns: the rows, in that order
  /// - Complexity: O(*n* log *n*)
  public func top(_ count: Int, least: Bool = false) -> [Int] {
    let known = values.indices.compactMap { row in values[row].map { (row: row, value: $0) } }
    let ranked = known.sorted { left, right in
      left.value == right.value
        ? left.row < right.row : (left.value < right.value) == least
    }
    return ranked.prefix(max(0, count)).map(\.row)
  }

  /// The rows whose number meets a condition, ascending.
  public func rows(where isMet: (Double) -> Bool) -> [Int] {
    values.indices.filter { values[$0].map(isMet) ?? false }
  }

  /// The longest runs of adjacent intervals whose numbers meet a condition, the longest first; of
  /// equal ones the earlier first.
  ///
  /// - Complexity: O(*n* log *n*)
  public func streaks(where isMet: (Double) -> Bool) -> [Range<Int>] {
    runs { $0.map(isMet) ?? false }
  }

  /// The longest runs of adjacent intervals without a number, the longest first; of equal ones the
  /// earlier first.
  ///
  /// - Complexity: O(*n* log *n*)
  public func gaps() -> [Range<Int>] { runs { $0 == nil } }

  private func runs(where isMet: (Double?) -> Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var first: Int?
    for row in 0...count {
      if row < count, isMet(values[row]) {
        if first == nil { first = row }
      } else if let start = first {
        runs.append(start..<row)
        first = nil
      }
    }
    return runs.sorted { ($1.count, $0.lowerBound) < ($0.count, $1.lowerBound) }
  }
}

// MARK: - Means over neighbours

extension IntervalSeries {
  /// A mean over several intervals, and over how many.
  public struct Mean: Sendable, Hashable {
    /// The mean; `nil` without data.
    public let value: Double?
    /// How many of the intervals have data.
    public let count: Int
  }

  /// The mean of the last `width` intervals up to each, itself included.
  ///
  /// Empty intervals are left out of the mean and of its count, and so are those before the first: a
  /// single number is a mean, wherever it stands.
  ///
  /// - Complexity: O(*n* · `width`), so that each mean is that of its numbers alone
  public func rolling(_ width: Int) -> [Mean] {
    precondition(width > 0, "A rolling mean is over one interval or more.")
    return values.indices.map { row in Mean(of: values[max(0, row + 1 - width)...row]) }
  }
}

extension IntervalSeries.Mean {
  init(of values: some Sequence<Double?>) {
    var (sum, count) = (0.0, 0)
    for case let value? in values {
      sum += value
      count += 1
    }
    self.init(value: count == 0 ? nil : sum / Double(count), count: count)
  }
}

extension IntervalSeries {
  /// Some of the intervals.
  func keeping(_ rows: Range<Int>) -> IntervalSeries {
    IntervalSeries(
      name: name, type: type, statistic: statistic, unit: unit, timeZone: timeZone,
      starts: Array(starts[rows]), ends: Array(ends[rows]), values: Array(values[rows]))
  }
}
