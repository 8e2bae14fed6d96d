import HealthAnalysis
import HealthAnswers
import HealthQuery

extension AnalysisAnswer {
  /// A row for each type, or for each weekday of each.
  func table(
    of results: [Result<MissingAnswer, AnalysisError>], _ list: String
  ) -> AnswerTable {
    let facts = HeadMember.facts(
      made(
        model: "Pearson's test of missing days by weekday",
        method: "of χ², exact for few days; Benjamini and Hochberg over all types") + [
          .init("tested", .integer(results.known().count { $0.test != nil })),
          .refusals(refused(among: results)),
        ])
    guard list == "types" else {
      let rows = AnswerRows(
        results.known().flatMap { found in IntervalGroup.weekday.labels.indices.map { (found, $0) }
        })
      return table(
        list, rows.count, facts: facts,
        rows.subject(\.0.subject.series) + [
          rows.word("weekday") { IntervalGroup.weekday.labels[$0.1] },
          rows.count("days", about: Self.aboutDays) { $0.0.days.all[$0.1] },
          rows.count("missing", about: "how many have no data") { $0.0.days.missing[$0.1] },
          rows.number("share", unit: "1", about: "of these days") { $0.0.days.shares[$0.1] },
        ])
    }
    let rows = AnswerRows(results.known())
    return table(
      list, rows.count, facts: facts,
      rows.subject(\.subject.series) + [
        rows.count("days", about: Self.aboutDays) { $0.days.count },
        rows.count("missing", about: "how many have no data") { $0.days.missingCount },
        rows.number("chiSquared", unit: "1", about: "with six degrees of freedom") {
          $0.test?.statistic
        },
        rows.number(
          "pValue", unit: "1",
          about:
            "how often chance alone parts weekdays at least so unevenly; none where no day is missing"
        ) { $0.test?.pValue },
        rows.number("qValue", unit: "1", about: "among all types", \.adjustedPValue),
        rows.truth("exact", about: "whether all ways to choose days were counted") {
          $0.test?.isExact
        },
        rows.truth("holds", \.holds),
        rows.count("partial", about: "days that the data cover in part", \.subject.partialCount),
      ])
  }

  private static var aboutDays: String { "between the first and the last one with data" }
}
