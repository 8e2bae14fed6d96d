/// How numbers of days spread over cycles.
public struct DaySpread: Sendable, Hashable {
  /// The number of cycles.
  public let count: Int
  /// The median.
  public let median: Double
  /// The value below which a quarter lies.
  public let lowerQuartile: Double
  /// The value below which three quarters lie.
  public let upperQuartile: Double
  /// The standard deviation, with *n* − 1.
  public let standardDeviation: Double
  /// The least.
  public let least: Int
  /// The greatest.
  public let greatest: Int

  /// The upper quartile minus the lower one.
  public var interquartileRange: Double { upperQuartile - lowerQuartile }
  /// The greatest minus the least: by FIGO (2018) what tells how regular cycles are.
  public var range: Int { greatest - least }

  /// The spread of at least two numbers.
  init?(_ days: [Int]) {
    let values = days.map(Double.init)
    guard days.count >= 2, let least = days.min(), let greatest = days.max(),
      let median = values.median, let lower = values.quantile(0.25),
      let upper = values.quantile(0.75)
    else { return nil }
    count = days.count
    self.median = median
    lowerQuartile = lower
    upperQuartile = upper
    standardDeviation = values.standardDeviation(divisor: days.count - 1)
    self.least = least
    self.greatest = greatest
  }
}

/// How long cycles and bleeds are, and how much they vary.
public struct CycleStatistics: Sendable, Hashable {
  /// The days of a cycle.
  public let length: DaySpread
  /// The days from the first to the last one of a bleed.
  public let bleedLength: DaySpread
  /// The days with flow in a cycle.
  public let flowDays: DaySpread
  /// How many gaps between bleeds are too long for one cycle, and left out.
  public let tooLongCount: Int
}

extension MenstrualCycles {
  /// A gap of more days between two bleeds is taken for missing entries.
  public static let defaultLongest = 90

  /// How long cycles and bleeds are.
  ///
  /// The cycles are those that are over. One of more than `longest` days is taken for missing entries,
  /// not for a cycle: it is left out, with its bleed, and counted. Quartiles are on the line between
  /// neighbours (type 7 of Hyndman and Fan, 1996).
  ///
  /// - Parameters:
  ///   - longest: the most days that a cycle has
  ///   - neededCount: the least number of cycles, at least 2
  /// - Returns: the spread of lengths
  /// - Throws: `AnalysisError` for too few cycles, or a parameter outside of its range
  /// - Complexity: O(*n* log *n*)
  public func statistics(
    longest: Int = defaultLongest, neededCount: Int = 3
  ) throws(AnalysisError) -> CycleStatistics {
    guard longest >= 1 else {
      throw AnalysisError(.parameter(name: "longest cycle", range: "1 day or more"))
    }
    guard neededCount >= 2 else {
      throw AnalysisError(.parameter(name: "number of cycles", range: "2 or more"))
    }
    let complete = cycles.filter { $0.length != nil }
    let used = complete.filter { ($0.length ?? 0) <= longest }
    guard used.count >= neededCount, let length = DaySpread(used.compactMap(\.length)),
      let bleeds = DaySpread(used.map(\.bleedLength)),
      let flow = DaySpread(used.map(\.flowDayCount))
    else { throw AnalysisError(.tooFewPoints(count: used.count, needed: neededCount)) }
    return CycleStatistics(
      length: length, bleedLength: bleeds, flowDays: flow,
      tooLongCount: complete.count - used.count)
  }
}
