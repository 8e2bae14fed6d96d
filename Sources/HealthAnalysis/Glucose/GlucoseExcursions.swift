import HealthSamples

/// The rises and falls of glucose that exceed one standard deviation: MAGE.
///
/// ```swift
/// let readings = try GlucoseReadings(
///   times: [0, 3600, 7200, 10_800, 14_400], values: [100, 180, 90, 95, 200])
/// let excursions = try readings.excursions()
/// excursions.all.map(\.change)  // 80, -90, 110
/// excursions.meanAmplitude      // MAGE 95: the mean of the rises, since the first is one
/// ```
///
/// MAGE is that of F. J. Service and others, *Mean amplitude of glycemic excursions, a measure of
/// diabetic instability*, Diabetes 19: 644 (1970): the mean of the differences between peaks and
/// nadirs that exceed one standard deviation, counted in the direction of the first of them. Here a
/// reading is a peak or a nadir when glucose moves away from it by more than one standard deviation
/// before it passes it again, so that smaller waves on the way up or down do not part an excursion.
/// The first and the last reading can be ends of excursions.
///
/// Programs differ. They smooth first and then look for turning points (P. A. Baghurst, Diabetes
/// Technology and Therapeutics 13: 296, 2011), look between the crossings of a short and a long
/// moving average (N. J. Fernandes and others, Journal of Diabetes Science and Technology 16: 576,
/// 2022; the `iglu` package), or take the mean of both directions, which is ``meanOfBoth``.
public struct GlucoseExcursions: Sendable, Hashable {
  /// One rise or fall.
  public struct Excursion: Sendable, Hashable {
    /// When the reading was taken from which glucose rises or falls, in seconds.
    public let start: Double
    /// When the reading was taken at which it turns, in seconds.
    public let end: Double
    /// How much it changes, in mg/dL: above 0 for a rise.
    public let change: Double
  }

  /// The excursions in order of time; rises and falls take turns between times without data.
  public let all: [Excursion]
  /// The standard deviation of all readings, with *n* − 1, in mg/dL, which an excursion exceeds.
  public let standardDeviation: Double

  /// MAGE: the mean size of the excursions in the direction of the first one, in mg/dL; `nil`
  /// without any.
  public var meanAmplitude: Double? {
    all.first.flatMap { $0.change > 0 ? meanRise : meanFall }
  }

  /// MAGE+: the mean of the rises, in mg/dL; `nil` without any.
  public var meanRise: Double? { mean(of: all.map(\.change).filter { $0 > 0 }) }
  /// MAGE−: the mean size of the falls, in mg/dL; `nil` without any.
  public var meanFall: Double? { mean(of: all.map { -$0.change }.filter { $0 > 0 }) }
  /// The mean of ``meanRise`` and ``meanFall``, or the one that there is; `nil` without any.
  public var meanOfBoth: Double? {
    mean(of: [meanRise, meanFall].compactMap(\.self))
  }

  private func mean(of sizes: [Double]) -> Double? { sizes.isEmpty ? nil : sizes.compensatedMean }
}

extension GlucoseReadings {
  /// The rises and falls that exceed one standard deviation of all readings.
  ///
  /// Service used the readings of a day; more of them give the deviation and the excursions of a longer
  /// time. No excursion leads over a time without readings that is longer than `gap`.
  ///
  /// - Parameter gap: the longest time between two readings of one excursion, in seconds, at most a day
  /// - Returns: the excursions
  /// - Throws: `AnalysisError` for fewer than two readings, for readings that are all equal, or for a
  ///   gap outside of its range
  /// - Complexity: O(*n*)
  public func excursions(gap: Double = 10_800) throws(AnalysisError) -> GlucoseExcursions {
    guard gap > 0, gap <= .secondsPerDay else {
      throw AnalysisError(.parameter(name: "gap", range: "more than 0 and at most 86,400 s"))
    }
    guard count >= 2 else { throw AnalysisError(.tooFewPoints(count: count, needed: 2)) }
    let deviation = values.standardDeviation(divisor: count - 1)
    guard deviation > 0 else { throw AnalysisError(.constant) }
    var turns = TurningPoints(values: values, threshold: deviation)
    var found: [(from: Int, to: Int)] = []
    for row in values.indices {
      if row > 0, times[row] - times[row - 1] > gap { turns.finish(into: &found) }
      turns.add(row, into: &found)
    }
    turns.finish(into: &found)
    return GlucoseExcursions(
      all: found.map { pair in
        GlucoseExcursions.Excursion(
          start: times[pair.from], end: times[pair.to],
          change: values[pair.to] - values[pair.from])
      }, standardDeviation: deviation)
  }
}

/// The rows between which values rise and fall by more than a threshold.
private struct TurningPoints {
  let values: [Double]
  let threshold: Double
  /// The rows of the least and of the greatest value since the last turn: a turn is one of them.
  private var low: Int?
  private var high: Int?
  /// Whether values rise from ``low``, or fall from ``high``; `nil` before either is known.
  private var isRising: Bool?

  init(values: [Double], threshold: Double) {
    (self.values, self.threshold) = (values, threshold)
  }

  /// Takes the next row: a move that turns back by more than the threshold is over.
  mutating func add(_ row: Int, into found: inout [(from: Int, to: Int)]) {
    guard let low, let high else {
      (self.low, self.high) = (row, row)
      return
    }
    let value = values[row]
    if isRising != false, value > values[high] { self.high = row }
    if isRising != true, value < values[low] { self.low = row }
    switch isRising {
    case true?:
      guard values[high] - value > threshold else { return }
      found.append((low, high))
      (isRising, self.low) = (false, row)
    case false?:
      guard value - values[low] > threshold else { return }
      found.append((high, low))
      (isRising, self.high) = (true, row)
    case nil:
      if value - values[low] > threshold {
        isRising = true
      } else if values[high] - value > threshold {
        isRising = false
      }
    }
  }

  /// Ends the move that is under way.
  mutating func finish(into found: inout [(from: Int, to: Int)]) {
    if let low, let high, let isRising { found.append(isRising ? (low, high) : (high, low)) }
    (low, high, isRising) = (nil, nil, nil)
  }
}
