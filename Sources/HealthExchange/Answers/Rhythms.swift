import HealthAnalysis
import HealthAnswers
import HealthQuery
import HealthSamples

extension AnalysisAnswer {
  /// The course of a day or a week of each type, or the periods of its model.
  func table(
    of results: [Result<RhythmAnswer, AnalysisError>], _ list: String
  ) throws(AnalysisError) -> AnswerTable {
    if let refusal { throw refusal }
    let found: [RhythmAnswer] = results.known()
    let isOfHours = plan.question.interval != CalendarInterval(.day)
    if list == "rhythms", found.count == 1 { _ = try found[0].cosinor.get() }
    var table =
      list == "rhythms"
      ? periods(of: found, list, unit: isOfHours ? "h" : "d")
      : profiles(of: found, list, isOfHours)
    if results.count == 1 {
      table.head = numbers.columns[0].head + HeadMember.facts(members)
    }
    return table
  }

  /// A row for each hour of the day, or weekday.
  private func profiles(
    of found: [RhythmAnswer], _ list: String, _ isOfHours: Bool
  ) -> AnswerTable {
    let rows = AnswerRows(
      found.flatMap { found in
        found.profile.enumerated().map { (series: found.subject.series, place: $0, profile: $1) }
      })
    func number(_ key: String, _ read: @escaping (RhythmProfile) -> Double?) -> AnswerColumn {
      rows.number(key) { row in read(row.profile).map(row.series.printing) }
    }
    return table(
      list, key: isOfHours ? "hours" : "weekdays", rows.count,
      rows.subject(\.series) + [
        isOfHours
          ? rows.count("hour", about: "of the clock", \.place)
          : rows.word("weekday", \.profile.label), number("mean", \.mean),
        number("median", \.median), number("lowerQuartile", \.lowerQuartile),
        number("upperQuartile", \.upperQuartile),
        rows.count("count", about: "how many have a number", \.profile.count),
      ])
  }

  /// A row for each period of the model; one with a refusal where there is no model.
  private func periods(of found: [RhythmAnswer], _ list: String, unit: String) -> AnswerTable {
    let rows = AnswerRows(
      found.flatMap { found -> [(found: RhythmAnswer, one: Cosinor.Rhythm?)] in
        guard let model = try? found.cosinor.get() else { return [(found, nil)] }
        return model.rhythms.map { (found, $0) }
      })
    return table(
      list, rows.count,
      rows.subject(\.found.subject.series) + [
        rows.number("period", unit: unit, \.one?.period),
        rows.number("amplitude", \.one?.amplitude),
        rows.number("amplitudeLow") { row in
          row.one.flatMap { row.found.amplitudeInterval($0)?.lowerBound }
        },
        rows.number("amplitudeHigh") { row in
          row.one.flatMap { row.found.amplitudeInterval($0)?.upperBound }
        },
        rows.number("peakTime", unit: unit) { $0.one?.peakTime },
        rows.number("peakTimeMargin", unit: unit, about: "give or take") { row in
          row.one.flatMap(row.found.margin)
        },
        rows.number("acrophase", unit: "rad") { $0.one?.acrophase },
        rows.number("fStatistic", unit: "1") { $0.one?.test.finiteStatistic },
        rows.number("pValue", unit: "1") { row in row.one.map(row.found.pValue) },
        rows.refusal(\.found.cosinor.refusal),
      ])
  }
}
