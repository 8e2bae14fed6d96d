/// How far each row of a series lies from the rows before it, and which rows are unusual.
///
/// The robust score is *z* = 0.6745 (x − median)/MAD, where median and MAD, the median distance from
/// it, are of the baseline: the rows before, today's left out. 0.6745 is the third quartile of the
/// normal distribution, so that *z* is about a number of standard deviations (Iglewicz and Hoaglin,
/// *How to Detect and Handle Outliers*, 1993, section 3.3.2, with the threshold 3.5).
public struct UnusualRows: Sendable, Hashable {
  /// What can be said of a row.
  public enum Verdict: Sendable, Hashable {
    /// |*z*| is at most the threshold.
    case usual
    /// |*z*| is above the threshold: unusual against the baseline.
    case unusual
    /// The row has no value.
    case missing
    /// The baseline has too few values.
    case warmingUp
    /// All values of the baseline are equal, so that no distance is measured.
    case withoutSpread
  }

  /// The verdict of each row.
  public let verdicts: [Verdict]
  /// The robust score of each row; `nil` where there is no verdict.
  public let scores: [Double?]
  /// The median of each row's baseline; `nil` where it has too few values.
  public let medians: [Double?]
  /// The median distance from the median, MAD, of each row's baseline; `nil` as the median is.
  ///
  /// Where it is 0, more than half of the baseline being equal, the score is (x − median)/(1.253314 ·
  /// mean distance) instead.
  public let medianDeviations: [Double?]
  /// How many values each row's baseline has.
  public let baselineCounts: [Int]

  /// The rows that are unusual. - Complexity: O(*n*)
  public var rows: [Int] { verdicts.indices.filter { verdicts[$0] == .unusual } }
}

extension RegularSeries {
  /// Which rows are unusual against the rows before them.
  ///
  /// ```swift
  /// var values = (0..<40).map { 60 + Double($0 % 5) }
  /// values[33] = 75
  /// let unusual = try RegularSeries(values).unusualRows()
  /// unusual.rows  // [33]
  /// unusual.scores[33]  // 8.7685 = 0.6745 · (75 − 62)/1
  /// ```
  ///
  /// A baseline looks back over a number of rows, gaps included, so that it never reaches further
  /// back in time. An unusual row belongs to the baselines after it: the median hardly moves.
  ///
  /// - Parameters:
  ///   - baseline: over how many rows before it a row is judged
  ///   - least: how many of them must have a value (of the same source); else there is no verdict
  ///   - threshold: the |*z*| above which a row is unusual
  ///   - sources: an id of each row's source; the baseline is then of rows of the same one, so that
  ///     a new device starts a new baseline. The ids of rows without a value do not matter.
  /// - Returns: the verdicts with what they come from
  /// - Throws: `AnalysisError` for a parameter outside of its range, for another number of sources,
  ///   and when a distance overflows
  /// - Complexity: O(*n*·baseline·log baseline)
  public func unusualRows(
    baseline: Int = 28, atLeast least: Int = 14, threshold: Double = 3.5, sources: [Int]? = nil
  ) throws(AnalysisError) -> UnusualRows {
    try Self.checkWindow(rows: baseline, atLeast: least)
    guard threshold > 0, threshold.isFinite else {
      throw AnalysisError(.parameter(name: "threshold", range: "above 0"))
    }
    if let sources, sources.count != count {
      throw AnalysisError(.lengthsDiffer(x: count, y: sources.count))
    }
    var verdicts: [UnusualRows.Verdict] = []
    var scores: [Double?] = []
    var medians: [Double?] = []
    var deviations: [Double?] = []
    var counts: [Int] = []
    for row in 0..<count {
      let before = presentRows(before: row, within: baseline, sameIn: sources)
      let reference = before.count < least ? nil : Baseline(before.map { values[$0] })
      if let reference, !reference.isFinite { throw AnalysisError(.overflow, row: row) }
      let score = isPresent[row] ? reference?.score(of: values[row]) : nil
      if !isPresent[row] {
        verdicts.append(.missing)
      } else if reference == nil {
        verdicts.append(.warmingUp)
      } else if let score {
        verdicts.append(score.magnitude > threshold ? .unusual : .usual)
      } else {
        verdicts.append(.withoutSpread)
      }
      scores.append(score)
      medians.append(reference?.median)
      deviations.append(reference?.deviation)
      counts.append(before.count)
    }
    return UnusualRows(
      verdicts: verdicts, scores: scores, medians: medians, medianDeviations: deviations,
      baselineCounts: counts)
  }

  /// The rows with a value among the last ones before a row, of those whose id is the row's.
  func presentRows(before row: Int, within window: Int, sameIn ids: [Int]?) -> [Int] {
    (row - min(row, window)..<row).filter { other in
      isPresent[other] && (ids.map { $0[other] == $0[row] } ?? true)
    }
  }
}

/// The median of values and how far they lie from it.
struct Baseline {
  let median: Double
  /// MAD.
  let deviation: Double
  /// What a distance is divided by: an estimate of the standard deviation; 0 when all are equal.
  private let spread: Double

  /// `nil` of nothing.
  init?(_ values: [Double]) {
    guard let median = values.median,
      let deviation = medianAbsoluteDeviation(values, around: median)
    else { return nil }
    self.median = median
    self.deviation = deviation
    if deviation > 0 {
      spread = deviation / 0.6745
    } else {
      // 1.253314 = √(π/2): the mean distance of a normal distribution is σ/1.253314.
      let total = values.map { ($0 - median).magnitude }.compensatedSum
      spread = 1.253314 * (total / Double(values.count))
    }
  }

  /// Whether no distance overflows.
  var isFinite: Bool { deviation.isFinite && spread.isFinite }

  /// The robust score, at most the largest double; `nil` when there is no spread.
  func score(of value: Double) -> Double? {
    guard spread > 0 else { return nil }
    // Halves, so that a distance of the largest doubles does not overflow.
    let score = (value / 2 - median / 2) / (spread / 2)
    let largest = Double.greatestFiniteMagnitude
    return min(largest, max(-largest, score))
  }
}
