import _HealthNumerics

/// The intervals between heartbeats, in order of time.
///
/// ```swift
/// let intervals = try BeatIntervals(
///   beats: [0, 0.8, 1.62, 3.4, 4.22], precededByGap: [false, false, false, true, false])
/// intervals.values          // 0.8, 0.82, 0.82: none over the gap
/// intervals.followsDirectly // false, true, false
/// ```
public struct BeatIntervals: Sendable, Hashable {
  /// The intervals, in seconds.
  public let values: [Double]
  /// When each begins, in seconds: the time of its first beat.
  public let starts: [Double]
  /// Whether an interval begins with the beat that ends the one before; false for the first.
  public let followsDirectly: [Bool]
  /// Whether the times of beats are rounded, to a hundredth of a second as exports have them or to any
  /// step of which 50 ms are a multiple.
  public let areRounded: Bool

  /// Makes a series from intervals without gaps, which begins at 0.
  ///
  /// - Throws: `AnalysisError` with the row of an interval that is not finite or not positive, or
  ///   where the time leaves the range of a `Double`
  /// - Complexity: O(*n*)
  public init(_ intervals: [Double]) throws(AnalysisError) {
    var time = CompensatedSum()
    var starts: [Double] = []
    starts.reserveCapacity(intervals.count)
    for (row, interval) in intervals.enumerated() {
      guard interval.isFinite else { throw AnalysisError(.notFinite, row: row) }
      guard interval > 0 else { throw AnalysisError(.outOfRange, row: row) }
      starts.append(time.result)
      time.add(interval)
      guard time.result.isFinite else { throw AnalysisError(.overflow, row: row) }
    }
    values = intervals
    self.starts = starts
    followsDirectly = intervals.indices.map { $0 > 0 }
    areRounded = false
  }

  /// Makes a series from the times of beats, as `HKHeartbeatSeriesQuery` gives them.
  ///
  /// The time between a beat that a gap precedes and the beat before it is not an interval.
  ///
  /// - Parameters:
  ///   - times: the times of the beats, in seconds, each later than the one before
  ///   - gaps: whether beats are missing before each; nowhere when `nil`. The first flag is ignored.
  ///   - areRounded: whether the times are rounded (``areRounded``)
  /// - Throws: `AnalysisError` for columns of different lengths, a time that is not finite or not
  ///   later than the one before, or an interval that overflows
  /// - Complexity: O(*n*)
  public init(
    beats times: [Double], precededByGap gaps: [Bool]? = nil, areRounded: Bool = false
  ) throws(AnalysisError) {
    if let gaps, gaps.count != times.count {
      throw AnalysisError(.lengthsDiffer(x: times.count, y: gaps.count))
    }
    if let row = times.firstIndex(where: { !$0.isFinite }) {
      throw AnalysisError(.notFinite, row: row)
    }
    var values: [Double] = []
    var starts: [Double] = []
    var follows: [Bool] = []
    var isJoined = false
    for row in times.indices.dropFirst() {
      let interval = times[row] - times[row - 1]
      guard interval > 0 else { throw AnalysisError(.notOrdered, row: row) }
      guard interval.isFinite else { throw AnalysisError(.overflow, row: row) }
      guard gaps?[row] != true else {
        isJoined = false
        continue
      }
      values.append(interval)
      starts.append(times[row - 1])
      follows.append(isJoined)
      isJoined = true
    }
    self.values = values
    self.starts = starts
    followsDirectly = follows
    self.areRounded = areRounded
  }

  /// The number of intervals.
  public var count: Int { values.count }
}

/// Which intervals between beats count as normal.
public struct BeatFilter: Sendable, Hashable {
  /// The intervals that a heart can have, in seconds, both ends included.
  public var plausible: ClosedRange<Double>
  /// By which share of the interval before it an interval may differ; `nil` for any.
  ///
  /// What differs by more is left out, as the beats before and after an ectopic one (M. Malik and
  /// others, *Heart rate variability in relation to prognosis after myocardial infarction: selection
  /// of optimal processing techniques*, European Heart Journal 10: 1060, 1989). The interval before
  /// is the recorded one, whether it counts or not, so one long change of rate costs one interval.
  /// An interval after a gap, or after one that is not plausible, has none before it.
  public var largestChange: Double?

  /// From 0.3 to 2 s, and changes of up to 20 %.
  public static let standard = BeatFilter()
  /// Every interval.
  public static let everything = BeatFilter(
    plausible: 0...Double.greatestFiniteMagnitude, largestChange: nil)

  /// Makes a filter.
  public init(plausible: ClosedRange<Double> = 0.3...2, largestChange: Double? = 0.2) {
    self.plausible = plausible
    self.largestChange = largestChange
  }
}

extension BeatIntervals {
  /// What exceeds a limit by less than this equals it, in seconds.
  ///
  /// Times in seconds since 2001 are doubles 1.2e-7 apart, and no sensor measures a microsecond.
  static let resolution = 1e-6

  /// Why an interval does not count.
  enum Verdict { case normal, implausible, ectopic }

  /// Whether each interval counts.
  ///
  /// - Throws: `AnalysisError` for limits that are not numbers, or a negative change
  /// - Complexity: O(*n*)
  func verdicts(by filter: BeatFilter) throws(AnalysisError) -> [Verdict] {
    guard filter.plausible.lowerBound.isFinite, filter.plausible.upperBound.isFinite else {
      throw AnalysisError(.parameter(name: "range of plausible intervals", range: "finite"))
    }
    if let change = filter.largestChange, !(change.isFinite && change >= 0) {
      throw AnalysisError(.parameter(name: "largest change", range: "a share of 0 or more"))
    }
    let lower = filter.plausible.lowerBound - Self.resolution
    let upper = filter.plausible.upperBound + Self.resolution
    var verdicts: [Verdict] = []
    verdicts.reserveCapacity(count)
    for row in values.indices {
      let interval = values[row]
      if interval < lower || interval > upper {
        verdicts.append(.implausible)
      } else if let change = filter.largestChange, followsDirectly[row],
        verdicts[row - 1] != .implausible,
        (interval - values[row - 1]).magnitude > change * values[row - 1] + Self.resolution
      {
        verdicts.append(.ectopic)
      } else {
        verdicts.append(.normal)
      }
    }
    return verdicts
  }
}
