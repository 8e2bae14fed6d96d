import HealthAnalysis
import HealthAnswers
import HealthSamples

extension AnalysisAnswer {
  /// Intervals that are unusual, the newest first.
  func table(
    of found: [Result<UnusualAnswer, AnalysisError>], _ list: String
  ) -> AnswerTable {
    let rows = AnswerRows(UnusualAnswer.newestFirst(found))
    return table(
      list, rows.count,
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
}
