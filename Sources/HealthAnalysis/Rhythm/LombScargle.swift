/// How much of the variation of unevenly spaced values a rhythm of each frequency explains: the
/// generalised periodogram of Lomb and Scargle.
///
/// At each frequency a constant, a cosine and a sine are fitted at once (a floating mean), and the
/// power is the share of Σ(y − ȳ)² that cosine and sine explain: 0 to 1, the standard normalisation
/// (Zechmeister and Kürster, *Astronomy & Astrophysics* 496, 2009, 577–584, section 2). It is
/// the R² of a ``Cosinor`` of that period.
///
/// ```swift
/// let power = try LombScargle.power(times: days, values: rates, frequencies: [1 / 7.0, 1 / 28.0])
/// ```
public enum LombScargle {
  /// The power at some frequencies.
  ///
  /// At a frequency where a column is constant (to a standard deviation of 1e-7), or both are one
  /// column (0; half of the rate of equally spaced points), the power is that of the columns that
  /// are left.
  ///
  /// - Parameters:
  ///   - times: the times of the points, in any unit, from any origin and in any order
  ///   - values: the values
  ///   - frequencies: in periods a unit of time, not negative
  /// - Returns: a number of 0 to 1 for each frequency
  /// - Throws: `AnalysisError` when there are fewer than four points, when all times or all values
  ///   are equal, when a number is not finite or a frequency negative, or when the work is beyond
  ///   2·10^10 points times frequencies
  /// - Complexity: O(*n*·frequencies), about 0.5 ns for each point and frequency of an equally
  ///   spaced list, in which a power may be off by 1e-12, and 3 ns of any other list; O(*n*) memory
  public static func power(
    times: [Double], values: [Double], frequencies: [Double]
  ) throws(AnalysisError) -> [Double] {
    let points = try Points(times: times, values: values)
    guard frequencies.allSatisfy({ $0.isFinite && $0 >= 0 }) else {
      throw AnalysisError(.parameter(name: "list of frequencies", range: "of numbers of 0 or more"))
    }
    try points.checkWork(frequencyCount: frequencies.count)
    guard frequencies.allSatisfy({ (points.span * $0).isFinite }) else {
      throw AnalysisError(.overflow)
    }
    return points.power(frequencies: frequencies)
  }

  /// The points of a periodogram, checked, from the first time on, and scaled about their mean.
  struct Points {
    /// The times after the first one.
    let times: [Double]
    /// The values minus their mean, scaled by a power of two.
    let values: [Double]
    /// The sum of the values, which rounding leaves.
    let rest: Double
    /// Σ(y − ȳ)², scaled.
    let variation: Double
    /// The last time minus the first.
    let span: Double

    init(times: [Double], values: [Double]) throws(AnalysisError) {
      try AnalysisError.checkPoints(times, values)
      guard times.count >= 4, let first = times.min(), let last = times.max() else {
        throw AnalysisError(.tooFewPoints(count: times.count, needed: 4))
      }
      guard first < last else { throw AnalysisError(.singular) }
      span = last - first
      guard span.isFinite else { throw AnalysisError(.overflow) }
      let column = ScaledColumn(values)
      guard values.contains(where: { $0 != values[0] }), !column.isZero else {
        throw AnalysisError(.constant)
      }
      let mean = column.values.compensatedSum / Double(values.count)
      let centred = column.values.map { $0 - mean }
      self.times = times.map { $0 - first }
      self.values = centred
      rest = centred.compensatedSum
      variation = centred.map { $0 * $0 }.compensatedSum
    }

    /// How many there are.
    var count: Int { times.count }

    /// The variance of the times about their mean, *n* in the denominator.
    ///
    /// It is in units of the squared span, so that no square overflows.
    var relativeTimeVariance: Double {
      let shares = times.map { $0 / span }
      let mean = shares.compensatedSum / Double(times.count)
      return shares.map { ($0 - mean) * ($0 - mean) }.compensatedSum / Double(times.count)
    }

    /// Refuses more work than ten seconds or so.
    ///
    /// Ten years of hours with their 220,000 frequencies are below it.
    func checkWork(frequencyCount: Int) throws(AnalysisError) {
      let limit = 20_000_000_000 / max(1, frequencyCount)
      guard count <= limit else {
        throw AnalysisError(.tooManyPoints(count: count, limit: limit))
      }
    }
  }
}
