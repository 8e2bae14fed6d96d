#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Measures of glucose over readings, each with the same weight.
public struct GlucoseStatistics: Sendable, Hashable {
  /// The number of readings.
  public let count: Int
  /// The mean, in mg/dL.
  public let mean: Double
  /// The standard deviation, with *n* − 1, in mg/dL; `nil` for one reading.
  public let standardDeviation: Double?
  /// LBGI: the mean of 10·f² over readings with f < 0, where f = 1.509·(ln(g)^1.084 − 5.381).
  ///
  /// Source: B. P. Kovatchev and others, Diabetes Care 20: 1655 (1997) and 21: 1870 (1998), for *g*
  /// in mg/dL.
  public let lowRiskIndex: Double
  /// HBGI: the mean of 10·f² over readings with f > 0.
  public let highRiskIndex: Double
  /// GRADE: the mean of 425·(log₁₀(log₁₀(g/18)) + 0.16)², at most 50 for each reading.
  ///
  /// Source: N. R. Hill and others, Diabetic Medicine 24: 753 (2007), for g/18 in mmol/L. A reading
  /// of 18 mg/dL or less, which has no such logarithm, has 50, as those just above it.
  public let grade: Double

  /// The standard deviation by the mean, in percent; `nil` for one reading.
  public var variationPercent: Double? { standardDeviation.map { 100 * $0 / mean } }

  /// GMI, the glucose management indicator, in percent: 3.31 + 0.02392·mean.
  ///
  /// Source: R. M. Bergenstal and others, Diabetes Care 41: 2275 (2018). It is an estimate from
  /// sensors, not a laboratory's HbA1c.
  public var managementIndicator: Double { 3.31 + 0.02392 * mean }

  /// The J index, 0.001·(mean + standard deviation)²; `nil` for one reading.
  ///
  /// Source: J. M. Wójcicki, Hormone and Metabolic Research 27: 41 (1995), for mg/dL.
  public var jIndex: Double? {
    standardDeviation.map { 0.001 * (mean + $0) * (mean + $0) }
  }
}

extension GlucoseReadings {
  /// Mean, deviation and indices over the readings.
  ///
  /// - Throws: `AnalysisError` when there is no reading
  /// - Complexity: O(*n*)
  public func statistics() throws(AnalysisError) -> GlucoseStatistics {
    guard count > 0 else { throw AnalysisError(.tooFewPoints(count: 0, needed: 1)) }
    let risks = values.map(Self.risk)
    return GlucoseStatistics(
      count: count, mean: values.compensatedMean,
      standardDeviation: count > 1 ? values.standardDeviation(divisor: count - 1) : nil,
      lowRiskIndex: risks.map { $0 < 0 ? 10 * $0 * $0 : 0 }.compensatedMean,
      highRiskIndex: risks.map { $0 > 0 ? 10 * $0 * $0 : 0 }.compensatedMean,
      grade: values.map(Self.grade).compensatedMean)
  }

  /// Kovatchev's symmetric scale: 0 near 112.5 mg/dL.
  private static func risk(_ value: Double) -> Double {
    1.509 * (pow(log(value), 1.084) - 5.381)
  }

  /// Hill's grade of a reading, from 0 to 50.
  private static func grade(_ value: Double) -> Double {
    let millimoles = value / 18
    guard millimoles > 1 else { return 50 }
    let distance = log10(log10(millimoles)) + 0.16
    return min(50, 425 * distance * distance)
  }
}
