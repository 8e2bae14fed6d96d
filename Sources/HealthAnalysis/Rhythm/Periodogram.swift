#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A periodogram of Lomb and Scargle over a grid of frequencies, with its highest peak and the
/// probability of such a peak in noise.
///
/// The grid starts at one period over the whole span, and its steps are 1/(oversampling · span). It
/// ends at a highest frequency, by default half of the mean rate of the points, *n*/(2 · span).
///
/// ```swift
/// let periodogram = try Periodogram(times: days, values: rates)
/// periodogram.peak.period                 // 7.02, where the grid is nearest to 7
/// periodogram.peak.falseAlarmProbability  // 2e-38
/// ```
public struct Periodogram: Sendable, Hashable {
  /// The frequencies, in periods a unit of time, lowest first.
  public let frequencies: [Double]
  /// The power at each of them, 0 to 1 (see ``LombScargle``).
  public let power: [Double]
  /// The highest power; the lowest frequency where several are equal.
  public let peak: Peak
  /// The number of points.
  public let count: Int
  /// *W* = *f*·√(4π Var *t*), with *f* the highest frequency: about how many independent
  /// frequencies there are.
  public let bandwidth: Double

  /// A peak of a periodogram.
  public struct Peak: Sendable, Hashable {
    /// The frequency of the grid, in periods a unit of time.
    public let frequency: Double
    /// The power, 0 to 1.
    public let power: Double
    /// The probability that values without any rhythm have a peak as high anywhere in the grid.
    public let falseAlarmProbability: Double

    /// 1/frequency, in the unit of time.
    public var period: Double { 1 / frequency }
  }

  /// Computes a periodogram.
  ///
  /// - Parameters:
  ///   - times: the times of the points, in any unit, from any origin and in any order
  ///   - values: the values
  ///   - oversampling: how many steps of the grid a peak is wide, at least 1
  ///   - highestFrequency: the end of the grid, in periods a unit of time; at least 1/span;
  ///     *n*/(2 · span) when `nil`
  /// - Throws: `AnalysisError` as for ``LombScargle/power(times:values:frequencies:)``, and when a
  ///   parameter is outside of its range
  /// - Complexity: O(*n*·frequencies), with oversampling · span · highest frequency of them: O(*n*²)
  ///   by default, about 2 ms for 1,000 points
  public init(
    times: [Double], values: [Double], oversampling: Int = 5, highestFrequency: Double? = nil
  ) throws(AnalysisError) {
    let points = try LombScargle.Points(times: times, values: values)
    guard oversampling >= 1 else {
      throw AnalysisError(.parameter(name: "oversampling", range: "at least 1"))
    }
    // How many periods of the highest frequency the points span.
    let periods = highestFrequency.map { $0 * points.span } ?? Double(times.count) / 2
    guard periods.isFinite, periods >= 1 - 1e-12 else {
      throw AnalysisError(
        .parameter(name: "highest frequency", range: "at least one period over all points"))
    }
    // A frequency that ends the grid but for rounding belongs to it.
    let steps = ((periods - 1) * Double(oversampling) * (1 + 1e-12)).rounded(.down)
    guard steps < 1e8, (1 / points.span).isFinite, (periods / points.span).isFinite else {
      throw AnalysisError(
        .parameter(name: "highest frequency", range: "below 100 million steps of the grid"))
    }
    let stepCount = max(0, Int(steps))
    try points.checkWork(frequencyCount: stepCount + 1)
    let frequencies = (0...stepCount).map { step in
      (Double(oversampling) + Double(step)) / Double(oversampling) / points.span
    }
    let power = points.power(frequencies: frequencies)
    self.frequencies = frequencies
    self.power = power
    count = times.count
    let highest = frequencies[stepCount] * points.span
    bandwidth = highest * (4 * Double.pi * points.relativeTimeVariance).squareRoot()
    var best = 0
    for index in power.indices where power[index] > power[best] { best = index }
    let law = PeakLaw(count: count, bandwidth: bandwidth)
    peak = Peak(
      frequency: frequencies[best], power: power[best],
      falseAlarmProbability: law.falseAlarmProbability(power[best]))
  }

  /// The probability that independent normal values without any rhythm have a peak of at least this
  /// power anywhere in the grid.
  ///
  /// It is Baluev's bound, 1 − (1 − *P*)·e^(−τ) with *P* = (1 − *Z*)^(N_K/2) and
  /// τ = γ·W·(1 − *Z*)^((N_K − 1)/2)·√(N_H·*Z*/2), where *N*_H = *n* − 1, *N*_K = *n* − 3,
  /// γ = √(2/N_H)·Γ(N_H/2)/Γ((N_H − 1)/2) and *W* is ``bandwidth`` (Baluev, *Monthly Notices of the
  /// Royal Astronomical Society* 385, 2008, 1279–1285, equation 6 and table 1; the same as
  /// `method="baluev"` of astropy). It is close where it is small, and too large with clustered
  /// times.
  ///
  /// - Throws: `AnalysisError` for a power that is not between 0 and 1
  /// - Complexity: O(1)
  public func falseAlarmProbability(of power: Double) throws(AnalysisError) -> Double {
    guard power >= 0, power <= 1 else {
      throw AnalysisError(.parameter(name: "power", range: "from 0 to 1"))
    }
    return PeakLaw(count: count, bandwidth: bandwidth).falseAlarmProbability(power)
  }

  /// The power that a peak reaches in noise with a probability: the inverse of
  /// ``falseAlarmProbability(of:)``, by bisection to the last bit.
  ///
  /// - Throws: `AnalysisError` for a probability that is not between 0 and 1
  /// - Complexity: O(1)
  public func falseAlarmLevel(_ probability: Double) throws(AnalysisError) -> Double {
    guard probability > 0, probability < 1 else {
      throw AnalysisError(.parameter(name: "probability", range: "above 0 and below 1"))
    }
    return PeakLaw(count: count, bandwidth: bandwidth).level(probability)
  }
}

/// Baluev's law of the highest peak, for the standard normalisation.
struct PeakLaw {
  /// *N*_K = *n* − 3: the degrees of freedom with a rhythm.
  private let periodic: Double
  /// *W*·Γ(N_H/2)/Γ((N_H − 1)/2) = γ·*W*·√(N_H/2).
  private let scale: Double

  init(count: Int, bandwidth: Double) {
    periodic = Double(count - 3)
    // Γ(a + ½)/Γ(a) = √π/B(a, ½) keeps its digits for a large a.
    let logBeta = IncompleteBeta.logBeta((Double(count) - 2) / 2, 0.5)
    scale = bandwidth * Double.pi.squareRoot() * exp(-logBeta)
  }

  func falseAlarmProbability(_ power: Double) -> Double {
    let rest = log1p(-power)
    let single = exp(periodic / 2 * rest)
    // With one degree of freedom the factor is 1 for every power, 1 included.
    let decay = periodic > 1 ? exp((periodic - 1) / 2 * rest) : 1
    let tau = scale * decay * power.squareRoot()
    return min(1, max(0, -expm1(-tau) + single * exp(-tau)))
  }

  func level(_ probability: Double) -> Double {
    // Above 1/N_K both terms fall.
    let turn = 1 / periodic
    var (low, high) = falseAlarmProbability(turn) >= probability ? (turn, 1.0) : (0, turn)
    while true {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high else { return high }
      if falseAlarmProbability(middle) >= probability { low = middle } else { high = middle }
    }
  }
}
