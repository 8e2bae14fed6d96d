public import HealthQuery
import HealthSamples
import HealthStatistics

/// The answer to a ``Question``.
public struct QuestionAnswer: Sendable {
  /// The zones of the calendar of the intervals.
  public let timeZone: ZoneTimeline
  /// One for each type, in the order of the question.
  public let columns: [Column]

  /// The answer of one type.
  public struct Column: Sendable {
    /// What was asked of the type.
    public let question: TypeQuestion
    /// The whole answer.
    public let answer: TypeAnswer
    /// The main number of each interval.
    public let series: IntervalSeries
    /// What the question makes of the intervals; `nil` where it makes nothing.
    public let derived: Derived?
    /// The rows that count in no mean, extreme, group or comparison, and why.
    public private(set) var lacks: [Int: WholeIntervals.Lack]

    /// The numbers of the intervals that count.
    public var whole: IntervalSeries { series.without(lacks) }

    /// The same column of which other rows do not count.
    func lacking(_ lacks: [Int: WholeIntervals.Lack]) -> Self {
      var column = self
      column.lacks = lacks
      return column
    }
  }

  /// What a question makes of the intervals of a type.
  public enum Derived: Sendable {
    /// One for each group.
    case groups([GroupSummary])
    /// One for each interval.
    case rolling([IntervalSeries.Mean])
    /// The rows of intervals, in the order of the answer.
    case rows([Int])
    /// Runs of rows, the longest first.
    case streaks([Range<Int>])
    /// Runs of rows without a number, the longest first.
    case gaps([Range<Int>])
    /// How the numbers are distributed.
    case spread(IntervalSpread)
    /// One for each interval; `nil` for the first of all, before which there is none.
    case compared([ComparedInterval?])
  }
}

/// The answer of one type, by its kind.
public enum TypeAnswer: Sendable {
  /// Numbers.
  case quantity(StatisticsAnswer)
  /// Durations and counts of values.
  case category(CategoryAnswer)
  /// Nights of sleep.
  case nights(SleepAnswer)

  /// Whether any interval has data, even if too few for its number.
  package var hasData: Bool {
    switch self {
    case .quantity(let answer): answer.intervals.hasData.contains(true)
    case .category(let answer): answer.values.contains { $0.counts.contains { $0 > 0 } }
    case .nights(let answer): answer.nights.spans.contains { $0 != nil }
    }
  }

  /// How many samples each interval has; `nil` for what is no quantity.
  var sampleCounts: [Int]? {
    if case .quantity(let answer) = self { answer.intervals.counts } else { nil }
  }
}

/// The interval with which another is compared.
public struct ComparedInterval: Sendable, Hashable {
  /// Its start.
  public let start: Double
  /// Its end; where the other is not over, or where the data or the period end inside of it, the end of
  /// the same day.
  public let end: Double
  /// Its number; `nil` without data.
  public let value: Double?
  /// Whether it ends before its own end, with the same day as the other.
  public let isPartial: Bool
}

// MARK: - The main number of an answer

extension StatisticsAnswer {
  /// The numbers that stand for the intervals: the averages per day or hour if the plan has them,
  /// else the first statistic other than the count.
  func series(named name: String) -> IntervalSeries {
    let main = statistics.first { $0 != .count } ?? .count
    let unit = main == .count ? .count : main == .duration ? .seconds : self.unit
    return IntervalSeries(
      name: name, type: type,
      statistic: averages.map { $0.unit == .day ? "perDay" : "perHour" } ?? main.rawValue,
      unit: main == .coverage ? .percent : unit, timeZone: timeZone, starts: intervals.starts,
      ends: intervals.ends,
      values: averages?.averages
        ?? zip(intervals.values(of: main), intervals.hasData).map {
          $1 ? $0 : nil
        })
  }
}

extension CategoryAnswer {
  /// Values that say that something was not there.
  private static let absences = [
    "NotPresent", "Idle", "NoChange", "None", "Negative", "NotElevated",
  ]

  /// The time of all values that say that something was there, or how often it was where nothing
  /// lasts or `counts` is true.
  func series(named name: String, counts: Bool) -> IntervalSeries {
    let present = values.filter { value in
      !Self.absences.contains { value.constant?.hasSuffix($0) ?? false }
    }
    let lasts = !counts && present.contains { $0.durations.contains { $0 > 0 } }
    return IntervalSeries(
      name: name, type: type, statistic: lasts ? "duration" : "count",
      unit: lasts ? .seconds : .count, timeZone: timeZone, starts: starts, ends: ends,
      values: hasData.indices.map { row in
        guard hasData[row] else { return nil }
        return present.reduce(0) { $0 + (lasts ? $1.durations[row] : Double($1.counts[row])) }
      })
  }
}

/// A number of each night.
public enum NightPart: String, Sendable, Hashable, CaseIterable {
  /// Seconds asleep.
  case asleep
  /// Seconds of deep sleep.
  case deep
  /// Seconds of core sleep.
  case core
  /// Seconds of REM sleep.
  case rem
  /// Seconds awake.
  case awake
  /// Seconds in bed.
  case inBed
  /// The share of the time in bed asleep.
  case efficiency

  fileprivate var stage: SleepStage? {
    switch self {
    case .deep: .deep
    case .core: .core
    case .rem: .rem
    case .awake: .awake
    case .asleep, .inBed, .efficiency: nil
    }
  }

  /// The number of one night; `nil` where no source recorded it.
  ///
  /// A night with any stage of sleep has a number of each.
  public func value(of nights: NightColumns, row: Int) -> Double? {
    switch self {
    case .asleep: return nights.asleep[row]
    case .inBed: return nights.inBed[row]
    case .efficiency: return nights.efficiency(row)
    case .deep, .core, .rem, .awake:
      let stages = nights.stages[row]
      let isStaged = SleepStage.asleep.contains { $0 != .unspecified && stages[$0] != nil }
      return isStaged ? stage.map { stages[$0] ?? 0 } : nil
    }
  }
}

extension SleepAnswer {
  /// The means over the nights that end in each interval and have the number.
  ///
  /// A night of a day that is not over is in the mean of no longer interval.
  func series(of part: NightPart, named name: String, over boundaries: Boundaries?)
    -> IntervalSeries
  {
    let edges = boundaries?.edges ?? []
    var sums = Array(repeating: (sum: 0.0, count: 0), count: boundaries?.count ?? 0)
    for row in 0..<nights.count {
      let place = edges.lastEdge(notAfter: nights.days[row])
      guard sums.indices.contains(place), let value = part.value(of: nights, row: row),
        row < overCount || isOfOneNight(edges[place], edges[place + 1], row)
      else { continue }
      sums[place].sum += value
      sums[place].count += 1
    }
    return IntervalSeries(
      name: name, type: SleepPlan.type, statistic: part.rawValue,
      unit: part == .efficiency ? .percent : .seconds, timeZone: timeZone,
      starts: Array(edges.dropLast()), ends: Array(edges.dropFirst()),
      values: sums.map { $0.count == 0 ? nil : $0.sum / Double($0.count) })
  }

  /// Whether an interval is the day of a night.
  private func isOfOneNight(_ start: Double, _ end: Double, _ row: Int) -> Bool {
    // Days have up to 40 hours.
    start == nights.days[row] && end - start < 2 * .secondsPerDay
  }
}
