import HealthAnalysis
import HealthAnswers
import HealthSamples

extension AnalysisAnswer {
  /// Intervals that are unusual, the newest first.
  func table(
    of found: [Result<AnomaliesAnswer, AnalysisError>], _ list: String
  ) -> AnswerTable {
    let rows = AnswerRows(AnomaliesAnswer.newestFirst(found))
    return table(
      list, rows.count, facts: HeadMember.facts(members(of: found)),
      rows.interval({ $0.subject.starts[$0.finding.row] }, { $0.subject.ends[$0.finding.row] })
        + rows.subject(\.subject) + [
          rows.number("value", \.finding.value),
          rows.number("median", about: "of the intervals before", \.finding.median),
          rows.number("deviation", about: "the median distance from it", \.finding.deviation),
          rows.number(
            "score", unit: "1", about: "the distance in robust standard deviations",
            \.finding.score),
          rows.number(
            "restScore", unit: "1", about: "the same of what the week and slow changes leave",
            \.finding.restScore),
          rows.count("baseline", about: "how many intervals before", \.finding.baselineCount),
          rows.word(
            "source", about: "who recorded most of it; none where one source recorded all",
            \.finding.source?.description),
        ])
  }

  private func members(of found: [Result<AnomaliesAnswer, AnalysisError>]) -> [JSON.Member] {
    guard case .anomalies(let parameters) = plan.method else { return [] }
    let refused = refused(among: found)
    let (measures, tested, unjudged) = AnomaliesAnswer.counts(found)
    let rows = found.compactMap { try? $0.get() }.reduce(0) { $0 + $1.period.count }
    return made(
      model: "robust score",
      method:
        "median and median distance of the days before, by source; of the numbers, and of what the week and slow changes leave"
    ) + [
      .init("baselineDays", .integer(parameters.baseline)),
      .init("warmUpDays", .integer(parameters.needed)),
      .init("threshold", .number(parameters.threshold)),
      .init("measures", .integer(measures)), .init("tested", .integer(tested)),
      .init("unjudged", .integer(unjudged)),
      .init("empty", .integer(rows - tested - unjudged)),
      .init("refused", .array(refused.map { .string($0.name) })), .refusals(refused),
    ]
  }
}
