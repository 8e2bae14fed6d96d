#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// How much the time between heartbeats varies: the measures of the time domain.
///
/// ```swift
/// let intervals = try BeatIntervals([0.8, 0.81, 0.87, 0.8])
/// let variability = try intervals.variability()
/// variability.standardDeviation            // SDNN: 33.67 ms
/// variability.rootMeanSquareOfDifferences  // RMSSD: 53.54 ms
/// ```
///
/// The names and formulas are those of the Task Force of the European Society of Cardiology and the
/// North American Society of Pacing and Electrophysiology, *Heart rate variability*, European Heart
/// Journal 17: 354 (1996), table 1. Times are in milliseconds. NN are the intervals that count, and a
/// difference is formed where two of them share a beat.
public struct HeartRateVariability: Sendable, Hashable {
  /// The number of intervals that count.
  public let count: Int
  /// The number of differences between successive intervals.
  public let differenceCount: Int
  /// The number of intervals outside of the plausible range.
  public let implausibleCount: Int
  /// The number of intervals that differ too much from the one before.
  public let ectopicCount: Int
  /// The time that the intervals cover, in seconds.
  public let duration: Double
  /// The mean of the intervals, in ms.
  public let mean: Double
  /// SDNN: the standard deviation of the intervals, with *n* − 1, in ms.
  public let standardDeviation: Double
  /// RMSSD: √(Σd²/*m*) of the *m* differences *d*, in ms; `nil` without differences.
  public let rootMeanSquareOfDifferences: Double?
  /// SDSD: the standard deviation of the differences, in ms; `nil` without differences.
  ///
  /// It divides by *m*, not by *m* − 1, as hrv-analysis does. NeuroKit divides by *m* − 1.
  public let standardDeviationOfDifferences: Double?
  /// NN50: the number of differences of more than 50 ms, in either direction.
  ///
  /// A difference counts when it exceeds 50 ms by more than a microsecond, so that 0.786 − 0.736 s,
  /// which is more than 0.05 in doubles, does not.
  public let differencesOver50: Int
  /// The number of differences of 50 ms, to a microsecond, between times that are rounded: on which
  /// side of 50 ms they lie is lost.
  ///
  /// It is 0 for other times (``BeatIntervals/areRounded``).
  public let undecidedDifferences: Int
  /// The mean of the rates 60/interval, in beats a minute.
  ///
  /// The beats by the time that they take are 60,000/``mean``, which is never more.
  public let meanHeartRate: Double
  /// The standard deviation of the rates, with *n*, in beats a minute.
  public let heartRateStandardDeviation: Double
  /// SD1: the standard deviation of (*x* − *y*)/√2 over successive intervals, with *m* − 1, in ms;
  /// `nil` for fewer than two differences.
  ///
  /// It is the spread across the diagonal of Poincaré's plot (M. Brennan, M. Palaniswami, P. Kamen,
  /// IEEE Transactions on Biomedical Engineering 48: 1342, 2001).
  public let poincareWidth: Double?
  /// SD2: the standard deviation of (*x* + *y*)/√2 over successive intervals, with *m* − 1, in ms;
  /// `nil` for fewer than two differences.
  public let poincareLength: Double?

  /// lnRMSSD: the natural logarithm of RMSSD in ms; `nil` without differences, or where all are 0.
  ///
  /// The logarithms of many days are near to normal, unlike RMSSD itself (D. J. Plews and others, Sports
  /// Medicine 43: 773, 2013).
  public var logarithmOfRootMeanSquare: Double? {
    rootMeanSquareOfDifferences.flatMap { $0 > 0 ? log($0) : nil }
  }

  /// SD1/SD2; `nil` for fewer than two differences, or where SD2 is 0.
  ///
  /// Some programs give SD2/SD1.
  public var poincareRatio: Double? {
    guard let width = poincareWidth, let length = poincareLength, length > 0 else { return nil }
    return width / length
  }

  /// pNN50: the differences of more than 50 ms in percent of all differences; `nil` without any.
  ///
  /// Half of ``undecidedDifferences`` count: rounding moves as many differences up to 50 ms as down.
  /// Times of hundredths of a second have many of them: without the half, pNN50 is several points too
  /// small.
  public var percentOver50: Double? {
    guard differenceCount > 0 else { return nil }
    let over = Double(differencesOver50) + Double(undecidedDifferences) / 2
    return 100 * over / Double(differenceCount)
  }
}

extension BeatIntervals {
  /// The variability of the intervals that count.
  ///
  /// - Parameter filter: which intervals count
  /// - Returns: the measures, and how many intervals were left out
  /// - Throws: `AnalysisError` for fewer than two intervals that count, a limit of the filter that is
  ///   not a number, or a result that overflows
  /// - Complexity: O(*n*)
  public func variability(
    filter: BeatFilter = .standard
  ) throws(AnalysisError) -> HeartRateVariability {
    let verdicts = try verdicts(by: filter)
    return try variability(of: values.indices, verdicts: verdicts)
  }

  /// The variability of some rows; a difference across their start is not formed.
  func variability(
    of rows: Range<Int>, verdicts: [Verdict]
  ) throws(AnalysisError) -> HeartRateVariability {
    let kept = rows.filter { verdicts[$0] == .normal }
    guard kept.count >= 2 else {
      throw AnalysisError(.tooFewPoints(count: kept.count, needed: 2))
    }
    let joined = kept.filter { row in
      followsDirectly[row] && row > rows.lowerBound && verdicts[row - 1] == .normal
    }
    let intervals = kept.map { values[$0] * 1000 }
    let differences = joined.map { (values[$0] - values[$0 - 1]) * 1000 }
    let sums = joined.map { values[$0] * 1000 + values[$0 - 1] * 1000 }
    let rates = kept.map { 60 / values[$0] }
    let sizes = joined.map { (values[$0] - values[$0 - 1]).magnitude }
    let over = sizes.count { $0 > 0.05 + Self.resolution }
    let undecided = areRounded ? sizes.count { ($0 - 0.05).magnitude <= Self.resolution } : 0
    let hasPairs = differences.count >= 2
    let result = HeartRateVariability(
      count: kept.count, differenceCount: joined.count,
      implausibleCount: rows.count { verdicts[$0] == .implausible },
      ectopicCount: rows.count { verdicts[$0] == .ectopic },
      duration: kept.map { values[$0] }.compensatedSum,
      mean: intervals.compensatedMean,
      standardDeviation: intervals.standardDeviation(divisor: kept.count - 1),
      rootMeanSquareOfDifferences: joined.isEmpty
        ? nil : differences.norm / Double(joined.count).squareRoot(),
      standardDeviationOfDifferences: joined.isEmpty
        ? nil : differences.standardDeviation(divisor: joined.count),
      differencesOver50: over, undecidedDifferences: undecided,
      meanHeartRate: rates.compensatedMean,
      heartRateStandardDeviation: rates.standardDeviation(divisor: kept.count),
      poincareWidth: hasPairs
        ? differences.standardDeviation(divisor: joined.count - 1) / 2.0.squareRoot() : nil,
      poincareLength: hasPairs
        ? sums.standardDeviation(divisor: joined.count - 1) / 2.0.squareRoot() : nil)
    guard result.isFinite else { throw AnalysisError(.overflow) }
    return result
  }
}

extension HeartRateVariability {
  /// Whether every measure is finite.
  fileprivate var isFinite: Bool {
    let numbers = [
      duration, mean, standardDeviation, rootMeanSquareOfDifferences,
      standardDeviationOfDifferences, meanHeartRate, heartRateStandardDeviation, poincareWidth,
      poincareLength,
    ]
    return numbers.allSatisfy { $0?.isFinite ?? true }
  }
}
