import HealthAnalysis
package import HealthAnswers

extension AnalysisAnswer {
  /// The weights of types in each component, or the scores of components in each interval.
  func table(of found: ComponentsAnswer, _ list: String) -> AnswerTable {
    let components = found.components
    guard list == "scores" else {
      let rows = AnswerRows(
        components.loadings.enumerated().flatMap { component, weights in
          zip(found.places, weights).map { (component: component, place: $0, weight: $1) }
        })
      return table(
        list, rows.count, facts: HeadMember.facts(members(of: found)),
        [
          rows.count("component", about: "from 1, the largest") { $0.component + 1 },
          rows.number("share", unit: "1", about: "of the variation that it holds") {
            components.shares[$0.component]
          },
        ] + rows.subject { found.subjects[$0.place].series }
          + [rows.number("weight", unit: "1", about: "of the type", \.weight)])
    }
    let series = found.subjects.first?.series
    let rows = AnswerRows(
      components.rows.enumerated().flatMap { place, row in
        components.scores.enumerated().map { component, scores in
          (row: row, component: component, score: scores[place])
        }
      })
    return table(
      list, rows.count, facts: HeadMember.facts(members(of: found)),
      rows.interval({ series?.starts[$0.row] }, { series?.ends[$0.row] }) + [
        rows.count("component", about: "from 1, the largest") { $0.component + 1 },
        rows.number("score", unit: "1", about: "of the component", \.score),
      ])
  }

  private func members(of found: ComponentsAnswer) -> [JSON.Member] {
    let count = found.components.rows.count
    return made(
      model: "principal components of correlations", method: "eigenvectors (LAPACK dsyevd)"
    ) + [
      .init("types", .integer(found.places.count)),
      .init("count", .integer(count)),
      .init("incomplete", .integer((found.subjects.first?.series.count ?? 0) - count)),
      .init("leftOut", .array(found.leftOut.map(JSON.string))),
    ]
  }
}

extension ComponentsAnswer {
  /// The types without a part, by name.
  package var leftOut: [String] {
    subjects.indices.filter { !places.contains($0) }.map { subjects[$0].series.name }
  }
}
