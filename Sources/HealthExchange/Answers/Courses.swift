import HealthAnalysis
import HealthAnswers

extension AnalysisAnswer {
  /// The numbers of each type, and the courses that they are made of.
  func table(
    of results: [Result<CourseAnswer, AnalysisError>], _ list: String
  ) -> AnswerTable {
    let known = results.known()
    let rows = AnswerRows(
      known.flatMap { found in
        let series = found.subject.series
        return found.level.indices.map { (series: series, row: $0) }
      })
    func number(
      _ key: String, about: String = "", _ read: (CourseAnswer) -> [Double?]
    ) -> AnswerColumn {
      .numbers(
        key, about: about,
        .optional(
          known.flatMap { found in
            let (values, series) = (read(found), found.subject.series)
            return found.level.indices.map { row in
              values.indices.contains(row) ? values[row].map(series.printing) : nil
            }
          }))
    }
    return table(
      list, rows.count, facts: HeadMember.facts(members(of: results)),
      rows.subject(\.series)
        + rows.interval({ $0.series.starts[$0.row] }, { $0.series.ends[$0.row] }) + [
          number("value", \.subject.series.values),
          number("course", about: "the slow one", \.level),
          number("season", about: "of the week, or the year") { $0.seasons.first?.values ?? [] },
          number("rest", about: "what both leave", \.rest),
        ])
  }

  private func members(of results: [Result<CourseAnswer, AnalysisError>]) -> [JSON.Member] {
    guard case .course(let parameters) = plan.method else { return [] }
    let found = results.compactMap { try? $0.get() }
    let method =
      switch parameters.model {
      case .seasons: "STL, periodic season"
      case .robustSeasons: "STL, periodic season, robust"
      case .smooth: "Whittaker, differences of order 2"
      }
    return made(model: parameters.model.rawValue, method: method) + [
      .init("tested", .integer(found.count)),
      .init("courses", .array(found.map { .object($0.members) })),
      .refusals(refused(among: results)),
    ]
  }
}

extension CourseAnswer {
  /// How much of a type its course tells.
  fileprivate var members: [JSON.Member] {
    let season = seasons.first
    return [
      .init("name", .string(subject.series.name)),
      .init("count", .integer(rest.count { $0 != nil })),
      .init("empty", .integer(subject.emptyCount)),
      .init("partial", .integer(subject.partialCount)),
      .init(
        "withoutCourse",
        .integer(zip(subject.series.values, rest).count { $0 != nil && $1 == nil })),
      .init("courseStrength", .optional(levelStrength)),
      .init("period", season.map { .integer($0.period) } ?? .null),
      .init("seasonStrength", .optional(season?.strength ?? nil)),
      .init("penalty", .optional(smoothness?.penalty)),
      .init("effectiveDimension", .optional(smoothness?.effectiveDimension)),
    ]
  }
}
