/// The variability of heartbeats in successive windows of equal length, and over them.
///
/// The measures are those of the Task Force (European Heart Journal 17: 354, 1996, table 1), for long
/// recordings.
public struct HeartRateVariabilityWindows: Sendable, Hashable {
  /// One window.
  public struct Window: Sendable, Hashable {
    /// When it begins, in seconds.
    public let start: Double
    /// The variability of the intervals that begin in it.
    public let variability: HeartRateVariability
  }

  /// The windows with enough data, in order of time.
  public let windows: [Window]
  /// The length of a window, in seconds.
  public let length: Double
  /// How many windows have intervals that count, but too few.
  public let sparseCount: Int
  /// SDNN index: the mean of the windows' SDNN, in ms.
  public let meanOfStandardDeviations: Double
  /// SDANN: the standard deviation of the windows' means, with *n* − 1, in ms; `nil` for one window.
  public let standardDeviationOfMeans: Double?
}

extension BeatIntervals {
  /// The variability in windows from the first beat on.
  ///
  /// An interval belongs to the window in which it begins. No difference is formed across the border
  /// of two windows.
  ///
  /// - Parameters:
  ///   - length: the length of a window, in seconds; 5 minutes by default
  ///   - leastCoverage: which share of a window the intervals that count must cover, from 0 to 1. By
  ///     default half: less would weigh a minute of data as much as five.
  ///   - filter: which intervals count
  /// - Returns: the windows with enough data
  /// - Throws: `AnalysisError` when no window has enough, for a parameter outside of its range, or
  ///   for a result that overflows
  /// - Complexity: O(*n*)
  public func windows(
    length: Double = 300, leastCoverage: Double = 0.5, filter: BeatFilter = .standard
  ) throws(AnalysisError) -> HeartRateVariabilityWindows {
    guard length > 0, length.isFinite else {
      throw AnalysisError(.parameter(name: "length of a window", range: "more than 0 s"))
    }
    guard (0...1).contains(leastCoverage) else {
      throw AnalysisError(.parameter(name: "least coverage", range: "from 0 to 1"))
    }
    let verdicts = try verdicts(by: filter)
    guard let origin = starts.first else {
      throw AnalysisError(.tooFewPoints(count: 0, needed: 2))
    }
    var windows: [HeartRateVariabilityWindows.Window] = []
    var sparse = 0
    var first = 0
    while first < count {
      let place = ((starts[first] - origin) / length).rounded(.down)
      var next = first + 1
      while next < count, ((starts[next] - origin) / length).rounded(.down) == place { next += 1 }
      let kept = (first..<next).filter { verdicts[$0] == .normal }
      let covered = kept.map { values[$0] }.compensatedSum
      if kept.count >= 2, covered >= leastCoverage * length {
        let start = origin + place * length
        guard start.isFinite else { throw AnalysisError(.overflow, row: first) }
        windows.append(
          HeartRateVariabilityWindows.Window(
            start: start, variability: try variability(of: first..<next, verdicts: verdicts)))
      } else if !kept.isEmpty {
        sparse += 1
      }
      first = next
    }
    guard !windows.isEmpty else { throw AnalysisError(.tooFewPoints(count: 0, needed: 1)) }
    let deviations = windows.map(\.variability.standardDeviation).compensatedMean
    let means = windows.map(\.variability.mean)
    let between = windows.count >= 2 ? means.standardDeviation(divisor: windows.count - 1) : nil
    guard deviations.isFinite, between?.isFinite ?? true else { throw AnalysisError(.overflow) }
    return HeartRateVariabilityWindows(
      windows: windows, length: length, sparseCount: sparse,
      meanOfStandardDeviations: deviations, standardDeviationOfMeans: between)
  }
}
