import HealthAnalysis
import HealthAnswers

extension AnalysisAnswer {
  /// The levels of each type, one after the other.
  func table(
    of found: [Result<ChangesAnswer, AnalysisError>], _ list: String
  ) throws(AnalysisError) -> AnswerTable {
    if let refusal { throw refusal }
    let factor: Double? =
      if case .changes(let parameters) = plan.method { parameters.factor } else { nil }
    let rows = AnswerRows(
      found.known().flatMap { found in
        found.changes.segments.enumerated().map { place, segment in
          (
            found: found, segment: segment,
            change: place == 0 ? nil : found.changes.sizes[place - 1]
          )
        }
      })
    return table(
      list, rows.count, facts: HeadMember.facts(members(of: found)),
      rows.subject(\.found.subject.series)
        + rows.interval(
          { $0.found.subject.series.starts[$0.segment.rows.lowerBound] },
          { $0.found.subject.series.ends[$0.segment.rows.upperBound - 1] })
        + [
          rows.count("count", about: "how many intervals have a number", \.segment.count),
          rows.number("level", about: "their mean", \.segment.mean),
          rows.number("change", about: "from the level before; none of the first", \.change),
          rows.number(
            "penalty", about: "what a change had to be worth, in squares of the unit"
          ) { row in factor.flatMap { row.found.changes.penalty(factor: $0) } },
          rows.number(
            "longRunDeviation", about: "of the numbers around their levels",
            \.found.changes.longRunDeviation),
          rows.number(
            "autocorrelation", unit: "1", about: "how much neighbours go together",
            \.found.changes.autocorrelation),
          rows.truth(
            "seasonAdjusted", about: "whether the course of the week was taken out before",
            \.found.isSeasonAdjusted),
          rows.word(
            "shape", about: "what the level does besides changing", \.found.shape.rawValue),
        ] + rows.leftOut(\.found.subject))
  }

  private func members(of results: [Result<ChangesAnswer, AnalysisError>]) -> [JSON.Member] {
    guard case .changes(let parameters) = plan.method else { return [] }
    let found = results.compactMap { try? $0.get() }
    return made(
      model: "PELT, least squares",
      method:
        "penalty of factor x long-run variance x ln n, far values clipped; steps that a slope, a wave of a year or autoregressive errors explain as well are left out"
    ) + [
      .init("factor", .number(parameters.factor)),
      .init("leastLength", .integer(parameters.leastLength)),
      .init("tested", .integer(found.count)),
      .init("changes", .integer(found.reduce(0) { $0 + $1.changes.rows.count })),
      .refusals(refused(among: results)),
    ]
  }
}
