/// A time of low or high glucose, as the consensus on continuous monitoring counts them.
///
/// Sources: T. Danne and others, *International consensus on use of continuous glucose monitoring*,
/// Diabetes Care 40: 1631 (2017), and T. Battelino and others, Lancet Diabetes and Endocrinology 11: 42
/// (2023): an event begins with at least 15 minutes in a row beyond an edge and ends before at least
/// 15 minutes in a row that are not beyond it.
public struct GlucoseEvent: Sendable, Hashable {
  /// How far beyond the range.
  public enum Level: String, Sendable, Hashable, CaseIterable {
    /// Below 54 mg/dL or 3.0 mmol/L.
    case veryLow
    /// Below 70 mg/dL or 3.9 mmol/L, the very low ones among them.
    case low
    /// Above 180 mg/dL or 10.0 mmol/L, the very high ones among them.
    case high
    /// Above 250 mg/dL or 13.9 mmol/L.
    case veryHigh

    /// Whether readings of a range, from 0 for very low to 4, are beyond the edge.
    fileprivate func contains(range: Int) -> Bool {
      switch self {
      case .veryLow: range == 0
      case .low: range <= 1
      case .high: range >= 3
      case .veryHigh: range == 4
      }
    }
  }

  /// How long 15 minutes are, in seconds.
  public static let neededTime = 900.0
  /// How long an extended event is beyond the edge in a row, in seconds: 120 minutes.
  public static let extendedTime = 7_200.0
  /// By how much times may be too short or too long, in seconds: a sensor's readings are not
  /// precisely 5 or 15 minutes apart.
  public static let tolerance = 30.0

  /// How far beyond the range.
  public let level: Level
  /// When it begins, in seconds.
  public let start: Double
  /// When the last reading beyond the edge no longer stands, in seconds.
  public let end: Double
  /// The longest time beyond the edge in a row, in seconds.
  public let longestRun: Double
  /// The least reading of a low event, or the greatest of a high one, in mg/dL.
  public let extreme: Double
  /// Whether the data end before it has ended: they have no 15 minutes after it.
  public let isCutOff: Bool

  /// From the start to the end, in seconds.
  public var duration: Double { end - start }
  /// Whether it is beyond the edge for 120 minutes in a row.
  ///
  /// Battelino 2023 says so of low events, Danne 2017 of very low ones; `iglu` counts more than 120
  /// minutes.
  public var isExtended: Bool { longestRun >= Self.extendedTime - Self.tolerance }
}

extension GlucoseReadings {
  /// The events of a level, in order of time.
  ///
  /// Each reading is judged in the unit in which it was recorded (``GlucoseUnit``) and stands until the next
  /// one, as in ``rangesByTime(hold:end:)``. Three readings 5 minutes apart are 15 minutes, and so is one
  /// of a sensor that gives one every 15 minutes. Fewer than 15 minutes that are not beyond the edge do
  /// not end an event and are part of it, as are later times beyond it. An event ends where data are
  /// missing: none leads over a time without data.
  ///
  /// Both ends are at the edge of the level itself, as in the `iglu` package; Danne 2017 can also be
  /// read so that a very low event ends at 70 mg/dL.
  ///
  /// - Parameters:
  ///   - level: how far beyond the range
  ///   - hold: the longest time that a reading stands for, in seconds, at most a day
  ///   - end: where the period ends, in seconds
  /// - Returns: the events
  /// - Throws: `AnalysisError` for a parameter outside of its range
  /// - Complexity: O(*n*)
  public func events(
    _ level: GlucoseEvent.Level, hold: Double = holdingTime, end: Double? = nil
  ) throws(AnalysisError) -> [GlucoseEvent] {
    let held = try readings.holdingTimes(limit: hold, end: end)
    let ranges = ranges
    let needed = GlucoseEvent.neededTime - GlucoseEvent.tolerance
    var events: [GlucoseEvent] = []
    var event: GlucoseEvent?
    func close(isCutOff: Bool) {
      guard let last = event else { return }
      event = nil
      events.append(
        GlucoseEvent(
          level: level, start: last.start, end: last.end, longestRun: last.longestRun,
          extreme: last.extreme, isCutOff: isCutOff))
    }
    var row = 0
    while row < count, held[row] > 0 {
      if row > 0, times[row] - times[row - 1] > hold + GlucoseEvent.tolerance {
        close(isCutOff: true)
      }
      let isBeyond = level.contains(range: ranges[row])
      var next = row + 1
      while next < count, held[next] > 0, level.contains(range: ranges[next]) == isBeyond,
        times[next] - times[next - 1] <= hold + GlucoseEvent.tolerance
      { next += 1 }
      let ending = times[next - 1] + held[next - 1]
      let length = ending - times[row]
      if isBeyond {
        let isLow = level == .low || level == .veryLow
        let run = values[row..<next]
        let extreme = (isLow ? run.min() : run.max()) ?? values[row]
        if let last = event {
          event = GlucoseEvent(
            level: level, start: last.start, end: ending, longestRun: max(last.longestRun, length),
            extreme: isLow ? min(last.extreme, extreme) : max(last.extreme, extreme),
            isCutOff: false)
        } else if length >= needed {
          event = GlucoseEvent(
            level: level, start: times[row], end: ending, longestRun: length, extreme: extreme,
            isCutOff: false)
        }
      } else if length >= needed {
        close(isCutOff: false)
      }
      row = next
    }
    close(isCutOff: true)
    return events
  }
}
