import HealthAnalysis
import HealthAnswers
import HealthSamples

extension AnalysisAnswer {
  /// The mean of the last days of each type, beside the range of the means before.
  func table(
    of found: [Result<TypicalAnswer, AnalysisError>], _ list: String
  ) -> AnswerTable {
    let rows = AnswerRows(found.known())
    return table(
      list, rows.count, facts: HeadMember.facts(members(of: found)),
      rows.subject(\.subject.series)
        + rows.interval(
          { $0.subject.series.starts[$0.rows.lowerBound] },
          { $0.subject.series.ends[$0.rows.upperBound - 1] })
        + [
          rows.number("mean", about: "of these days", \.mean),
          rows.count("days", about: "how many of them have a number", \.dayCount),
          rows.number("low", about: "the lower end of the range", \.range.low),
          rows.number("median", about: "of the means before", \.range.median),
          rows.number("high", about: "the upper end of the range", \.range.high),
          rows.count("means", about: "how many means the range is of", \.range.count),
          rows.word("position", about: "where the mean lies", \.position.rawValue),
          rows.number("least", about: "of the means before", \.range.least),
          rows.number("greatest", about: "of the means before", \.range.greatest),
          .list("earlier", about: "means before, the newest first", rows.rows.map(\.earlier)) {
            [
              $0.instant("end", \.end), $0.number("mean", \.mean),
              $0.word("position", \.position?.rawValue),
            ]
          },
        ] + rows.leftOut(\.subject))
  }

  private func members(of results: [Result<TypicalAnswer, AnalysisError>]) -> [JSON.Member] {
    guard case .typical(let parameters) = plan.method else { return [] }
    let found = results.compactMap { try? $0.get() }
    let refused = refused(among: results)
    let summary = TypicalSummary(of: found)
    let percentiles = [parameters.share, 0.5, 1 - parameters.share].map {
      NumberText.rounded($0 * 100)
    }
    return made(
      model: "percentiles \(percentiles.joined(separator: ", ")) of trailing means",
      method: "linear (Hyndman-Fan type 7)"
    ) + [
      .init("meanDays", .integer(parameters.days)),
      .init("leastDays", .integer(parameters.atLeast)),
      .init("withinDays", .integer(parameters.within)),
      .init("measures", .integer(found.count)), .init("tested", .integer(found.count)),
      .init("outside", .integer(summary.outsideCount)),
      .init("refused", .integer(refused.count)), .refusals(refused),
      .init(
        "summary",
        .object([
          .init("measures", .integer(summary.measureCount)),
          .init("outside", .integer(summary.outsideCount)),
          .init(
            "outsideBefore",
            .array(summary.outsideBefore.map { $0.map { .integer($0) } ?? .null })),
          .init("usualOutside", summary.usualOutside.map { .integer($0) } ?? .null),
        ])),
    ]
  }
}
