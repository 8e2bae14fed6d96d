#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension Cosinor {
  /// Fits rhythms of one or several periods at once.
  ///
  /// Each time stands for its share, so that *m* different times from *a* to *b* cover
  /// (*b* − *a*)·*m*/(*m* − 1): 24 hourly points cover a day, and the months 1 to 12 a year.
  ///
  /// - Parameters:
  ///   - times: the times of the points, in any unit, from any origin and in any order; the
  ///     acrophase counts from 0
  ///   - values: the values
  ///   - periods: the periods, in the unit of the times, each once
  ///   - rows: the number of each point in time, in ascending order, where neighbours may go together
  ///     (``Rhythm/dependent``); a gap skips numbers
  /// - Throws: `AnalysisError` when there are fewer than 2*k* + 2 points for *k* periods, when the
  ///   points cover less than the longest period, when cosine and sine are not independent at
  ///   these times (points at multiples of half of the period), when all values are equal, when a
  ///   number is not finite or a period not positive, when rows do not ascend, or when a result
  ///   overflows
  /// - Complexity: O(*n*·*k*²), and with rows some 100 times that
  public init(
    times: [Double], values: [Double], periods: [Double], rows: [Int]? = nil
  ) throws(AnalysisError) {
    try Self.check(times: times, values: values, periods: periods)
    var design = Design(rowCount: times.count)
    for period in periods {
      let pairs = times.map { Phase.cosineAndSine(of: $0, period: period) }
      try design.add("cosine of period \(period)", pairs.map(\.cosine))
      try design.add("sine of period \(period)", pairs.map(\.sine))
    }
    try Self.checkIndependence(of: design, times: times, periods: periods)
    let model = try LinearModel(design, response: values)
    guard let rSquared = model.rSquared, let test = model.effectTest else {
      throw AnalysisError(.constant)
    }
    mesor = model.coefficients[0]
    mesorError = model.standardErrors[0]
    var rhythms: [Rhythm] = []
    for (index, period) in periods.enumerated() {
      rhythms.append(try Rhythm(of: period, column: 1 + 2 * index, in: model))
    }
    if let rows {
      let columns = [Array(repeating: 1, count: times.count)] + design.columns
      let dependence = try SerialDependence(of: model.residuals, rows: rows, design: columns)
      for index in rhythms.indices {
        rhythms[index].dependent = rhythms[index].dependent(
          by: dependence,
          influences: [1, 2].map { Self.influence(ofColumn: 2 * index + $0, columns, model) })
      }
    }
    self.rhythms = rhythms
    self.test = EffectTest(statistic: test.statistic, pValue: test.pValue)
    dependentPValue = Self.dependentPValue(test.statistic, rhythms)
    self.rSquared = rSquared
    residualStandardDeviation = model.residualStandardDeviation
    residuals = model.residuals
    guard mesorError.isFinite else { throw AnalysisError(.overflow) }
  }

  /// The probability that there is no rhythm where neighbours go together.
  private static func dependentPValue(_ statistic: Double, _ rhythms: [Rhythm]) -> Double? {
    let sure = rhythms.compactMap(\.dependent)
    guard let first = sure.first, sure.count == rhythms.count else { return nil }
    guard statistic.isFinite else { return 0 }
    let distribution = FDistribution(
      Double(2 * rhythms.count), Double(first.amplitude.mixture.distribution.degreesOfFreedom))
    let total = rhythms.reduce(0) { $0 + $1.test.statistic }
    let tails = first.amplitude.mixture.parts.enumerated().map { part, one in
      let grown = zip(rhythms, sure).reduce(0) { $0 + $1.0.test.statistic / $1.1.growths[part] }
      return one.weight * distribution.upperTail(total > 0 ? statistic * grown / total : 0)
    }
    return min(1, tails.reduce(0, +))
  }

  /// How much each row counts for a coefficient: a column of X(XᵀX)⁻¹.
  private static func influence(
    ofColumn column: Int, _ columns: [[Double]], _ model: LinearModel
  ) -> [Double] {
    let count = columns.count
    let weights = (0..<count).map { row in
      (0..<count).map { model.factor[row, $0] * model.factor[column, $0] }.compensatedSum
    }
    return columns[0].indices.map { row in
      zip(columns, weights).reduce(0) { $0 + $1.0[row] * $1.1 }
    }
  }

  /// Refuses points or periods without a rhythm to fit.
  private static func check(
    times: [Double], values: [Double], periods: [Double]
  ) throws(AnalysisError) {
    try AnalysisError.checkPoints(times, values)
    guard let longest = periods.max(), periods.allSatisfy({ $0.isFinite && $0 > 0 }),
      Set(periods).count == periods.count
    else {
      throw AnalysisError(
        .parameter(name: "list of periods", range: "of one or more positive numbers, each once"))
    }
    let needed = 2 * periods.count + 2
    guard times.count >= needed, let first = times.min(), let last = times.max() else {
      throw AnalysisError(.tooFewPoints(count: times.count, needed: needed))
    }
    guard first < last else { throw AnalysisError(.singular) }
    guard values.contains(where: { $0 != values[0] }) else { throw AnalysisError(.constant) }
    let different = Double(Set(times).count)
    let share = different / (different - 1)
    guard (last - first).isFinite else { throw AnalysisError(.overflow) }
    // A rounded span of exactly one period is a period.
    guard (last - first) / longest * share >= 1 - 1e-12 else {
      throw AnalysisError(
        .parameter(name: "longest period", range: "no longer than what the points cover"))
    }
  }

  /// Refuses a column that is a combination of those before it but for rounding of the times.
  ///
  /// ``LinearModel`` scales its columns: to it a sine that is 0 but for rounding is a column like
  /// any other. Here the rest of a column after Gram and Schmidt counts in its own unit, in which an
  /// independent cosine or sine has a standard deviation of about 0.7.
  private static func checkIndependence(
    of design: Design, times: [Double], periods: [Double]
  ) throws(AnalysisError) {
    let farthest = times.reduce(0) { max($0, $1.magnitude) }
    let root = Double(times.count).squareRoot()
    var basis = [[Double](repeating: 1 / root, count: times.count)]
    for (index, column) in design.columns.enumerated() {
      var rest = column
      for _ in 0..<2 {
        for direction in basis {
          let share = zip(direction, rest).map { $0 * $1 }.compensatedSum
          for row in rest.indices { rest[row] -= share * direction[row] }
        }
      }
      let remainder = rest.norm
      let noise = 64 * Double.ulpOfOne * farthest / periods[index / 2]
      guard remainder / root > max(1e-8, noise) else {
        throw AnalysisError(.collinear(column: design.names[index + 1]))
      }
      basis.append(rest.map { $0 / remainder })
    }
  }
}

extension Cosinor.Rhythm {
  /// How sure the rhythm is where the errors of neighbouring rows go together.
  ///
  /// - Parameters:
  ///   - dependence: how they do
  ///   - influences: how much each row counts for β and for γ
  /// - Returns: how sure it is; `nil` where the amplitude is 0
  fileprivate func dependent(
    by dependence: SerialDependence, influences: [[Double]]
  ) -> Dependent? {
    guard let amplitudeError, let acrophase, let acrophaseError else { return nil }
    let (beta, gamma) = (cosine / amplitude, sine / amplitude)
    let along = zip(influences[0], influences[1]).map { beta * $0 + gamma * $1 }
    let across = zip(influences[0], influences[1]).map { gamma * $0 - beta * $1 }
    let amplitude = dependence.estimate(
      amplitude, independentError: amplitudeError, influence: along)
    let angle = dependence.estimate(acrophase, independentError: acrophaseError, influence: across)
    // Over whole periods the variances of β and γ grow alike, and so those in any direction.
    let distribution = FDistribution(2, Double(degreesOfFreedom))
    let growths = zip(amplitude.mixture.parts, angle.mixture.parts).map { one, other in
      (one.scale * one.scale + other.scale * other.scale) / 2
    }
    let tail = zip(amplitude.mixture.parts, growths).reduce(0) {
      $0 + $1.0.weight * distribution.upperTail(test.statistic / $1.1)
    }
    return Dependent(
      amplitude: amplitude, acrophase: angle,
      pValue: test.statistic.isFinite ? min(1, tail) : 0, growths: growths)
  }

  /// The rhythm of two neighbouring columns of a model, the cosine's and the sine's.
  fileprivate init(of period: Double, column: Int, in model: LinearModel) throws(AnalysisError) {
    let (beta, gamma) = (model.coefficients[column], model.coefficients[column + 1])
    let deviation = model.residualStandardDeviation
    // The covariances of β and γ in units of s².
    let rows = [column, column + 1].map { row in
      (0..<model.names.count).map { model.factor[row, $0] }
    }
    let (bb, gg) = (rows[0].norm, rows[1].norm)
    let correlation = zip(rows[0], rows[1]).map { ($0 / bb) * ($1 / gg) }.compensatedSum

    self.period = period
    cosine = beta
    sine = gamma
    cosineError = deviation * bb
    sineError = deviation * gg
    self.correlation = max(-1, min(1, correlation))
    degreesOfFreedom = model.degreesOfFreedom
    let amplitude = hypot(beta, gamma)
    self.amplitude = amplitude
    guard amplitude > 0 else {
      test = .init(statistic: 0, pValue: 1)
      (amplitudeError, acrophase, acrophaseError) = (nil, nil, nil)
      (peakTime, peakTimeError) = (nil, nil)
      return
    }
    // F is (β, γ)·V⁻¹·(β, γ)ᵀ/2, where γ counts as far as β does not explain it.
    let own = zip(rows[0], rows[1]).map { $1 / gg - correlation * ($0 / bb) }.norm
    let (ratioBeta, ratioGamma) = (beta / deviation / bb, gamma / deviation / gg)
    let rest = (ratioGamma - correlation * ratioBeta) / own
    let statistic = (ratioBeta * ratioBeta + rest * rest) / 2
    let distribution = FDistribution(2, Double(degreesOfFreedom))
    test =
      statistic.isFinite
      ? .init(statistic: statistic, pValue: distribution.upperTail(statistic))
      : .init(statistic: .infinity, pValue: 0)

    let (alongBeta, alongGamma) = (beta / amplitude, gamma / amplitude)
    let along = zip(rows[0], rows[1]).map { alongBeta * $0 + alongGamma * $1 }.norm
    let across = zip(rows[0], rows[1]).map { alongGamma * $0 - alongBeta * $1 }.norm
    let angle = atan2(gamma, beta)
    let angleError = deviation / amplitude * across
    let turns = angle / (2 * Double.pi)
    amplitudeError = deviation * along
    acrophase = angle.magnitude == .pi ? .pi : 0 - angle
    acrophaseError = angleError
    peakTime = Phase.wrapped(turns * period, period: period)
    peakTimeError = angleError / (2 * Double.pi) * period
    guard [amplitude, deviation * along, angleError, angleError * period].allSatisfy(\.isFinite)
    else { throw AnalysisError(.overflow) }
  }
}
