#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The mean and the spread of times on a circle, such as times of day: 23:00 and 1:00 have the mean
/// 0:00.
///
/// With *θ* = 2π·time/period, *C* = Σ cos *θ*/*n* and *S* = Σ sin *θ*/*n* (Mardia and Jupp, *Directional
/// Statistics*, 2000, section 2.2–2.3): the mean is atan2(*S*, *C*), the resultant length is
/// *R* = √(*C*² + *S*²), and the standard deviation is √(−2 ln *R*), each in units of time.
///
/// ```swift
/// let bedtimes = try CircularSummary([23, 23.5, 0.5, 1])
/// bedtimes.mean                        // 0
/// bedtimes.linearStandardDeviation     // 0.91
/// ```
public struct CircularSummary: Sendable, Hashable {
  /// The mean, from 0 to below the period; `nil` when *R* is 0, so that no direction stands out.
  public let mean: Double?
  /// *R*: 1 when all times are equal, 0 when they cancel out.
  public let resultantLength: Double
  /// √(−2 ln *R*)·period/2π, in units of time; `nil` when *R* is 0.
  public let standardDeviation: Double?
  /// The standard deviation with *n* − 1 of the times as distances of at most half a period from the
  /// circular mean; `nil` for one time, or when *R* is 0.
  public let linearStandardDeviation: Double?
  /// The number of times.
  public let count: Int
  /// The length of the circle, in units of time.
  public let period: Double

  /// Summarises times.
  ///
  /// - Parameters:
  ///   - times: the times; those beyond a period are taken around the circle
  ///   - period: the length of the circle, positive: 24 for hours of a day
  /// - Throws: `AnalysisError` without times, when a number is not finite, when the period is not
  ///   positive, or when a result overflows
  /// - Complexity: O(*n*)
  public init(_ times: [Double], period: Double = 24) throws(AnalysisError) {
    guard period.isFinite, period > 0 else {
      throw AnalysisError(.parameter(name: "period", range: "positive"))
    }
    guard let anchor = times.first else {
      throw AnalysisError(.tooFewPoints(count: 0, needed: 1))
    }
    if let row = times.firstIndex(where: { !$0.isFinite }) {
      throw AnalysisError(.notFinite, row: row)
    }
    // Shares of a period from the first time on: equal times have the shares 0.
    let start = anchor.remainder(dividingBy: period) / period
    let shares = times.map { Self.share($0.remainder(dividingBy: period) / period - start) }
    let count = Double(times.count)
    let cosine = shares.map { cos(2 * .pi * $0) }.compensatedSum / count
    let sine = shares.map { sin(2 * .pi * $0) }.compensatedSum / count
    let length = min(1, hypot(cosine, sine))

    self.count = times.count
    self.period = period
    guard length > 1e-12 else {
      resultantLength = 0
      (mean, standardDeviation, linearStandardDeviation) = (nil, nil, nil)
      return
    }
    let centre = atan2(sine, cosine) / (2 * .pi)
    let distances = shares.map { Self.share($0 - centre) }
    // R = 1 − 2Σ sin²(d/2)/n about the mean, which keeps the digits of a small spread.
    let lack = 2 * distances.map { sin(.pi * $0) * sin(.pi * $0) }.compensatedSum / count
    let logarithm = lack < 0.5 ? log1p(-lack) : log(length)
    resultantLength = lack < 0.5 ? 1 - lack : length
    mean = Phase.wrapped(Self.share(start + centre) * period, period: period)
    let deviation = (-2 * logarithm).squareRoot() / (2 * .pi) * period
    guard deviation.isFinite else { throw AnalysisError(.overflow) }
    standardDeviation = deviation
    guard times.count > 1 else {
      linearStandardDeviation = nil
      return
    }
    let middle = distances.compensatedSum / count
    let squares = distances.map { ($0 - middle) * ($0 - middle) }.compensatedSum
    linearStandardDeviation = (squares / (count - 1)).squareRoot() * period
  }

  /// The shortest way around the circle between two times, from 0 to half of the period.
  ///
  /// - Precondition: the times are finite and the period is positive.
  public static func distance(_ time: Double, _ other: Double, period: Double = 24) -> Double {
    let first = time.remainder(dividingBy: period)
    let second = other.remainder(dividingBy: period)
    return (first - second).remainder(dividingBy: period).magnitude
  }

  /// A share of a period from −½ to ½.
  private static func share(_ share: Double) -> Double { share - share.rounded() }
}
