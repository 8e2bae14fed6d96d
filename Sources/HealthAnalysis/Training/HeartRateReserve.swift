#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The range between a person's resting and maximum heart rate, in beats a minute.
///
/// ```swift
/// let reserve = try HeartRateReserve(resting: 55, maximum: 190)
/// reserve.share(of: 155)  // 0.7407…
/// try reserve.trainingImpulse(minutes: 60, meanRate: 155, weighting: .men)  // 117.93…
/// ```
public struct HeartRateReserve: Sendable, Hashable {
  /// The rate at rest.
  public let resting: Double
  /// The greatest rate.
  public let maximum: Double

  /// Makes a reserve.
  ///
  /// - Throws: `AnalysisError` unless 0 < resting < maximum, both finite
  public init(resting: Double, maximum: Double) throws(AnalysisError) {
    guard resting > 0, resting.isFinite else {
      throw AnalysisError(.parameter(name: "resting heart rate", range: "more than 0"))
    }
    guard maximum > resting, maximum.isFinite else {
      throw AnalysisError(.parameter(name: "maximum heart rate", range: "above the resting one"))
    }
    (self.resting, self.maximum) = (resting, maximum)
  }

  /// Δ = (rate − resting)/(maximum − resting), the share of the reserve that a rate uses.
  ///
  /// Rates below the resting one use nothing, as does what is not a number, and those above the
  /// maximum use all of it.
  public func share(of rate: Double) -> Double {
    rate > resting ? (min(rate, maximum) - resting) / (maximum - resting) : 0
  }
}

/// How Banister's training impulse weighs the share of the heart rate reserve: factor·e^(exponent·Δ).
///
/// The curves fit the lactate of men and women as the rate grows (E. W. Banister, *Modeling elite
/// athletic performance*, in *Physiological Testing of Elite Athletes*, 1991; R. H. Morton, J. R.
/// Fitz-Clarke, E. W. Banister, Journal of Applied Physiology 69: 1171, 1990).
public struct TrainingImpulseWeighting: Sendable, Hashable {
  /// The factor.
  public let factor: Double
  /// The factor of the exponent.
  public let exponent: Double

  /// 0.64·e^(1.92·Δ).
  public static let men = TrainingImpulseWeighting(uncheckedFactor: 0.64, exponent: 1.92)
  /// 0.86·e^(1.67·Δ).
  public static let women = TrainingImpulseWeighting(uncheckedFactor: 0.86, exponent: 1.67)

  /// Makes a weighting, as from a person's own measurements of lactate.
  ///
  /// - Throws: `AnalysisError` for a factor that is not from 0 to 100, or an exponent not from 0 to 20
  public init(factor: Double, exponent: Double) throws(AnalysisError) {
    guard (0...100).contains(factor) else {
      throw AnalysisError(.parameter(name: "factor", range: "from 0 to 100"))
    }
    guard (0...20).contains(exponent) else {
      throw AnalysisError(.parameter(name: "exponent", range: "from 0 to 20"))
    }
    (self.factor, self.exponent) = (factor, exponent)
  }

  private init(uncheckedFactor factor: Double, exponent: Double) {
    (self.factor, self.exponent) = (factor, exponent)
  }

  /// The impulse of a minute at a share of the reserve: Δ·factor·e^(exponent·Δ).
  func impulse(at share: Double) -> Double { share * factor * exp(exponent * share) }
}

extension HeartRateReserve {
  /// Banister's training impulse of some minutes at one mean rate.
  ///
  /// It is minutes·Δ·factor·e^(exponent·Δ), where Δ is the ``share(of:)`` of the reserve. The weight
  /// grows faster than the rate, so the impulse of a mean rate is below that of the curve that has
  /// this mean.
  ///
  /// - Parameters:
  ///   - minutes: how long
  ///   - meanRate: the mean rate, in beats a minute
  ///   - weighting: the curve of weights
  /// - Returns: the impulse, in arbitrary units
  /// - Throws: `AnalysisError` for minutes that are negative or not finite, a rate that is not a
  ///   number, or an impulse that overflows
  /// - Complexity: O(1)
  public func trainingImpulse(
    minutes: Double, meanRate: Double, weighting: TrainingImpulseWeighting
  ) throws(AnalysisError) -> Double {
    guard minutes >= 0, minutes.isFinite else {
      throw AnalysisError(.parameter(name: "number of minutes", range: "0 or more"))
    }
    guard meanRate > 0, meanRate.isFinite else {
      throw AnalysisError(.parameter(name: "mean rate", range: "more than 0"))
    }
    let impulse = minutes * weighting.impulse(at: share(of: meanRate))
    guard impulse.isFinite else { throw AnalysisError(.overflow) }
    return impulse
  }
}
