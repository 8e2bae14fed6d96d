public import HealthSamples

/// The rule by which the mean of a discrete type is computed.
public enum MeanMethod: String, Sendable, Hashable, CaseIterable {
  /// The plain mean over samples; their durations do not matter.
  case arithmetic
  /// The integral of a curve over the interval, divided by the time where the curve is defined.
  ///
  /// The curve is computed from the interval's own samples: those that overlap it, clipped to it.
  /// So it does not depend on other samples, and the mean lies between the smallest and the largest
  /// value. Samples with a duration are constant over it, and where several are open their mean is
  /// used. A gap between samples of up to twice the hold time is bridged by a straight line; in a
  /// longer one, before the first and after the last sample, the neighbour's value is held for up
  /// to the hold time inside the interval, and elsewhere the curve is undefined. The value at the
  /// end of a gap is the mean of all samples that end, or start, there. Sources are pooled. Where
  /// the curve is undefined everywhere the mean is arithmetic.
  case temporallyWeighted
  /// The energy mean of sound levels, 10·log10(Σ dᵢ·10^(Lᵢ/10) / Σ dᵢ), where *d* is the duration
  /// of a sample inside the interval (IEC 61672-1); equal weights if all durations are zero.
  case equivalentContinuousLevel

  /// The default hold time, for which a value without neighbours is held, in seconds: ten minutes.
  public static let standardHold = 600.0
}

extension AggregationStyle {
  /// The rule of the style; `nil` for cumulative types, which have no mean.
  public var meanMethod: MeanMethod? {
    switch self {
    case .cumulative: nil
    case .discreteArithmetic: .arithmetic
    case .discreteTemporallyWeighted: .temporallyWeighted
    case .discreteEquivalentContinuousLevel: .equivalentContinuousLevel
    }
  }
}
