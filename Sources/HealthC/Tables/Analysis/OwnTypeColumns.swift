import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthUnits

// MARK: - Rhythms

extension AnalysisColumns {
  /// Whether rhythms are those of days, and not of weeks.
  private var isOfHours: Bool { answer.plan.question.interval != CalendarInterval(.day) }

  /// A row for each hour of the day, or weekday, of each type.
  func profile(_ found: [Result<RhythmAnswer, AnalysisError>]) throws -> [Column] {
    let rows = rows(
      try known(found).flatMap { found in
        found.profile.enumerated().map { (series: found.subject.series, place: $0, profile: $1) }
      })
    func number(_ name: String, _ path: KeyPath<RhythmProfile, Double?>) -> Column {
      rows.reals(name) { row in row.profile[keyPath: path].map(row.series.printing) }
    }
    return rows.subject(\.series) + [
      isOfHours ? rows.integers("hour", \.place) : rows.words("weekday", \.profile.label),
      number("mean", \.mean), number("median", \.median),
      number("lower_quartile", \.lowerQuartile), number("upper_quartile", \.upperQuartile),
      rows.integers("count", \.profile.count),
    ]
  }

  /// A row for each period of the model of each type; one with a refusal where there is no model.
  func rhythms(_ found: [Result<RhythmAnswer, AnalysisError>]) throws -> [Column] {
    let found = try known(found)
    if found.count == 1 { _ = try found[0].cosinor.get() }
    let rows = rows(
      found.flatMap { found -> [(found: RhythmAnswer, one: Cosinor.Rhythm?)] in
        guard let model = try? found.cosinor.get() else { return [(found, nil)] }
        return model.rhythms.map { (found, $0) }
      })
    let unit = isOfHours ? "h" : "d"
    return rows.subject(\.found.subject.series) + [
      rows.reals("period", unit: unit, \.one?.period), rows.reals("amplitude", \.one?.amplitude),
      rows.reals("amplitude_low") { row in
        row.one.flatMap { row.found.amplitudeInterval($0)?.lowerBound }
      },
      rows.reals("amplitude_high") { row in
        row.one.flatMap { row.found.amplitudeInterval($0)?.upperBound }
      },
      rows.reals("peak_time", unit: unit) { $0.one?.peakTime },
      rows.reals("peak_time_margin", unit: unit) { row in row.one.flatMap(row.found.margin) },
      rows.reals("acrophase", unit: "rad") { $0.one?.acrophase },
      rows.reals("f_statistic", unit: "1") { $0.one?.test.finiteStatistic },
      rows.reals("p_value", unit: "1") { row in row.one.map(row.found.pValue) },
      rows.words("refusal", \.found.cosinor.refusal),
    ]
  }
}
