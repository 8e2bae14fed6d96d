/// How much blood pressure varies from reading to reading, with pulse pressure and mean arterial pressure.
///
/// ```swift
/// let readings = try BloodPressureReadings(
///   days: [1, 1, 2], hours: [7, 19, 7], systolic: [120, 130, 126], diastolic: [80, 84, 78])
/// let variability = try readings.variability()
/// variability.pulsePressure.mean                   // 44.7 mmHg
/// variability.systolic.averageRealVariability      // ARV: (10 + 4)/2 = 7 mmHg
/// ```
///
/// Pulse pressure is systolic minus diastolic; mean arterial pressure is diastolic plus a third of it, the
/// usual estimate from two numbers (some use 0.4 of it: W. J. W. Bos and others, Journal of Hypertension
/// 25: 751, 2007).
public struct BloodPressureVariability: Sendable, Hashable {
  /// The measures of one pressure.
  public struct Measure: Sendable, Hashable {
    /// The mean, in mmHg.
    public let mean: Double
    /// SD: the standard deviation, with *n* − 1, in mmHg; `nil` for one reading.
    public let standardDeviation: Double?
    /// ARV, average real variability: the mean of |*x*ₖ₊₁ − *x*ₖ| over successive readings, in mmHg;
    /// `nil` for one reading.
    public let averageRealVariability: Double?
    /// ARV with each |*x*ₖ₊₁ − *x*ₖ| weighted by the time between the two readings: Σ*w*|Δ*x*|/Σ*w*, in
    /// mmHg; `nil` for readings of one moment.
    ///
    /// This is the formula of L. Mena and others, *A reliable index for the prognostic significance of
    /// blood pressure variability*, Journal of Hypertension 23: 505 (2005), where readings come every 20
    /// minutes by day and every 30 by night. Of equally spaced readings it is
    /// ``averageRealVariability``.
    public let weightedAverageRealVariability: Double?

    /// CV, the coefficient of variation: the standard deviation by the mean, in percent; `nil` for one
    /// reading.
    public var variationPercent: Double? { standardDeviation.map { 100 * $0 / mean } }

    /// The measures of values in order of time, with the time after each.
    init(_ values: [Double], steps: [Double]) {
      mean = values.compensatedMean
      let changes = zip(values.dropFirst(), values).map { ($0 - $1).magnitude }
      let isAlone = changes.isEmpty
      standardDeviation =
        isAlone ? nil : values.standardDeviation(divisor: values.count - 1)
      averageRealVariability = isAlone ? nil : changes.compensatedMean
      let time = steps.compensatedSum
      weightedAverageRealVariability =
        time > 0 ? zip(steps, changes).map { $0 * $1 }.compensatedSum / time : nil
    }

    /// Whether every measure is finite.
    fileprivate var isFinite: Bool {
      let numbers = [
        mean, standardDeviation, averageRealVariability, weightedAverageRealVariability,
      ]
      return numbers.allSatisfy { $0?.isFinite ?? true }
    }
  }

  /// The number of readings.
  public let count: Int
  /// The systolic pressure.
  public let systolic: Measure
  /// The diastolic pressure.
  public let diastolic: Measure
  /// Systolic minus diastolic pressure.
  public let pulsePressure: Measure
  /// Diastolic pressure plus a third of the pulse pressure.
  public let meanArterialPressure: Measure
}

extension BloodPressureReadings {
  /// The variability over the readings in order of time.
  ///
  /// Readings of one moment keep the order in which they are given. Whether readings are those of a day, or
  /// the means of days, is for the caller to say: the variability from day to day is that of one row a day.
  ///
  /// - Returns: the measures
  /// - Throws: `AnalysisError` without readings, or for a measure that overflows
  /// - Complexity: O(*n* log *n*)
  public func variability() throws(AnalysisError) -> BloodPressureVariability {
    guard count > 0 else { throw AnalysisError(.tooFewPoints(count: 0, needed: 1)) }
    let order = days.indices.sorted { (days[$0], hours[$0], $0) < (days[$1], hours[$1], $1) }
    let steps = zip(order.dropFirst(), order).map { later, earlier in
      Double(days[later] - days[earlier]) * 24 + (hours[later] - hours[earlier])
    }
    func measure(_ pressure: (Int) -> Double) -> BloodPressureVariability.Measure {
      BloodPressureVariability.Measure(order.map(pressure), steps: steps)
    }
    let result = BloodPressureVariability(
      count: count, systolic: measure { systolic[$0] }, diastolic: measure { diastolic[$0] },
      pulsePressure: measure { systolic[$0] - diastolic[$0] },
      meanArterialPressure: measure { diastolic[$0] + (systolic[$0] - diastolic[$0]) / 3 })
    let measures = [
      result.systolic, result.diastolic, result.pulsePressure, result.meanArterialPressure,
    ]
    guard measures.allSatisfy(\.isFinite) else { throw AnalysisError(.overflow) }
    return result
  }
}
