/// Rhythms of known periods in the values of one person: a cosinor model.
///
/// The model is *y(t) = M + Σ (βₖ cos ωₖt + γₖ sin ωₖt) + ε* with *ωₖ* = 2π/periodₖ, by least squares;
/// the *ε* are independent, have mean 0 and one variance (Bingham, Arbogast, Guillaume, Lee and
/// Halberg, *Chronobiologia* 9, 1982, 397–439; Cornélissen, *Theoretical Biology and Medical
/// Modelling* 11:16, 2014). A rhythm is the same as *A* cos(ω*t* + *φ*).
///
/// ```swift
/// let hours = (0..<72).map(Double.init)
/// let rates = hours.map { hour in
///   60 + 8 * cos(2 * .pi * (hour - 15) / 24) + hour.truncatingRemainder(dividingBy: 2)
/// }
/// let cosinor = try Cosinor(times: hours, values: rates, periods: [24])
/// cosinor.mesor                       // 60.5
/// cosinor.rhythms[0].amplitude        // 8
/// cosinor.rhythms[0].amplitudeError   // 0.085
/// cosinor.rhythms[0].peakTime         // 15
/// ```
///
/// Successive values in time are rarely independent; the errors are then too small, and what
/// ``Rhythm/dependent`` says holds, of points whose rows in time are given.
public struct Cosinor: Sendable, Hashable {
  /// *M*: the mean of the model over whole periods (midline estimating statistic of rhythm).
  public let mesor: Double
  /// The standard error of *M*.
  public let mesorError: Double
  /// The rhythms, in the order of the given periods.
  public let rhythms: [Rhythm]
  /// The test that there is no rhythm of any of the periods: F with 2*k* and *n* − 2*k* − 1 degrees
  /// of freedom for *k* periods.
  public let test: EffectTest
  /// The probability of ``test`` where the errors of neighbouring rows go together: with *F*
  /// multiplied by Σ(*F*ₖ/*g*ₖ)/Σ*F*ₖ, where *F*ₖ are those of the rhythms and *g*ₖ how much their
  /// variances grow; `nil` where the rows are not given, or an amplitude is 0.
  public let dependentPValue: Double?
  /// The share of the variation that the model explains, between 0 and 1.
  public let rSquared: Double
  /// *s* = √(Σ(y − ŷ)² / (n − 2k − 1)): the typical distance of points from the model.
  public let residualStandardDeviation: Double
  /// *y* − *ŷ*, in the order of the points.
  public let residuals: [Double]

  /// The number of points.
  public var count: Int { residuals.count }

  /// The number of points minus the 2*k* + 1 parameters.
  public var degreesOfFreedom: Int { count - 2 * rhythms.count - 1 }

  /// The confidence interval of the MESOR, by Student's distribution.
  ///
  /// - Throws: `AnalysisError` when `confidence` is not between 0 and 1, or an end overflows
  public func mesorInterval(
    confidence: Double = 0.95
  ) throws(AnalysisError) -> ClosedRange<Double> {
    try StudentDistribution(degreesOfFreedom: Double(degreesOfFreedom)).interval(
      around: mesor, error: mesorError, confidence: confidence)
  }

  /// The model at a finite time. - Complexity: O(*k*)
  public func value(at time: Double) -> Double {
    rhythms.reduce(mesor) { sum, rhythm in
      let (cosine, sine) = Phase.cosineAndSine(of: time, period: rhythm.period)
      return sum + rhythm.cosine * cosine + rhythm.sine * sine
    }
  }

  /// A test of rhythms against none.
  public struct EffectTest: Sendable, Hashable {
    /// F; infinity when the model leaves no residual.
    public let statistic: Double
    /// The probability of an F at least as large without any rhythm.
    public let pValue: Double
  }
}

extension Cosinor {
  /// A rhythm of one period.
  ///
  /// The errors of amplitude and acrophase are those of the delta method (Bingham 1982): with *V*
  /// the covariances of β and γ, and *A* the amplitude,
  /// - Var *A* = (β²·Vββ + 2βγ·Vβγ + γ²·Vγγ)/*A*²,
  /// - Var *φ* = (γ²·Vββ − 2βγ·Vβγ + β²·Vγγ)/*A*⁴.
  ///
  /// They hold for an amplitude of several errors. Below that the acrophase means little, and its
  /// error is large.
  public struct Rhythm: Sendable, Hashable {
    /// The period, in the unit of time.
    public let period: Double
    /// β, the factor of the cosine.
    public let cosine: Double
    /// γ, the factor of the sine.
    public let sine: Double
    /// The standard errors of β and γ.
    public let cosineError, sineError: Double
    /// The correlation of the estimates of β and γ, between −1 and 1.
    public let correlation: Double
    /// *A* = √(β² + γ²): half of the distance between peak and trough.
    public let amplitude: Double
    /// The standard error of the amplitude; `nil` when the amplitude is 0.
    public let amplitudeError: Double?
    /// *φ* = atan2(−γ, β), in radians, above −π and up to π; `nil` when the amplitude is 0.
    ///
    /// It is −2π·(time of the peak)/period: negative for a peak in the first half of a period. R's
    /// package cosinor counts it the other way.
    public let acrophase: Double?
    /// The standard error of the acrophase, in radians; `nil` when the amplitude is 0.
    public let acrophaseError: Double?
    /// When the rhythm is first at its peak from time 0 on, below the period; `nil` when the
    /// amplitude is 0.
    public let peakTime: Double?
    /// The standard error of the time of the peak; `nil` when the amplitude is 0.
    public let peakTimeError: Double?
    /// The test that the rhythm of this period is absent, the others being there: F with 2 and
    /// *n* − 2*k* − 1 degrees of freedom (the zero-amplitude test).
    public let test: EffectTest
    /// *n* − 2*k* − 1.
    public let degreesOfFreedom: Int
    /// The same where the errors of neighbouring rows go together; `nil` where the rows are not given,
    /// or the amplitude is 0.
    public internal(set) var dependent: Dependent?

    /// How sure a rhythm is where the errors of neighbouring rows go together (``SerialDependence``).
    public struct Dependent: Sendable, Hashable {
      /// The amplitude.
      public let amplitude: DependentEstimate
      /// The acrophase, in radians.
      public let acrophase: DependentEstimate
      /// The probability of an F at least as large if the rhythm were absent: that of ``test``, with F
      /// divided by how much the variances of β and γ grow.
      public let pValue: Double
      /// By how much the variances of β and γ grow, for each part of the distributions.
      let growths: [Double]
    }

    /// The confidence interval of the amplitude, by Student's distribution; its lower end is cut at
    /// 0.
    ///
    /// - Returns: the interval; `nil` when the amplitude is 0
    /// - Throws: `AnalysisError` when `confidence` is not between 0 and 1, or an end overflows
    public func amplitudeInterval(
      confidence: Double = 0.95
    ) throws(AnalysisError) -> ClosedRange<Double>? {
      guard let interval = try interval(amplitude, amplitudeError, confidence) else { return nil }
      return max(0, interval.lowerBound)...interval.upperBound
    }

    /// The confidence interval of the acrophase, in radians, by Student's distribution; it may
    /// reach beyond ±π.
    ///
    /// - Returns: the interval; `nil` when the amplitude is 0
    /// - Throws: `AnalysisError` when `confidence` is not between 0 and 1, or an end overflows
    public func acrophaseInterval(
      confidence: Double = 0.95
    ) throws(AnalysisError) -> ClosedRange<Double>? {
      try interval(acrophase, acrophaseError, confidence)
    }

    private func interval(
      _ estimate: Double?, _ error: Double?, _ confidence: Double
    ) throws(AnalysisError) -> ClosedRange<Double>? {
      guard confidence > 0, confidence < 1 else { throw AnalysisError(.confidenceOutOfRange) }
      guard let estimate, let error else { return nil }
      return try StudentDistribution(degreesOfFreedom: Double(degreesOfFreedom)).interval(
        around: estimate, error: error, confidence: confidence)
    }
  }
}
