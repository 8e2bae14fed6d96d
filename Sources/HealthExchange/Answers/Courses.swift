import HealthAnalysis
import HealthAnswers

extension AnalysisAnswer {
  /// The numbers of each type, and the courses that they are made of.
  func table(
    of found: [Result<CourseAnswer, AnalysisError>], _ list: String
  ) -> AnswerTable {
    let found = found.known()
    let rows = AnswerRows(
      found.flatMap { found in
        let series = found.subject.series
        return found.level.indices.map { (series: series, row: $0) }
      })
    func number(
      _ key: String, about: String = "", _ read: (CourseAnswer) -> [Double?]
    ) -> AnswerColumn {
      .numbers(
        key, about: about,
        .optional(
          found.flatMap { found in
            let (values, series) = (read(found), found.subject.series)
            return found.level.indices.map { row in
              values.indices.contains(row) ? values[row].map(series.printing) : nil
            }
          }))
    }
    return table(
      list, rows.count,
      rows.subject(\.series)
        + rows.interval({ $0.series.starts[$0.row] }, { $0.series.ends[$0.row] }) + [
          number("value", \.subject.series.values),
          number("course", about: "the slow one", \.level),
          number("season", about: "of the week, or the year") { $0.seasons.first?.values ?? [] },
          number("rest", about: "what both leave", \.rest),
        ])
  }
}
