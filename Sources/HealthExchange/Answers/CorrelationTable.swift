package import HealthAnalysis
package import HealthAnswers

extension CorrelateAnswer {
  /// The relations that hold, each pair at its best lag, or every test.
  package func rows(of list: String?) -> [Relation] {
    switch list {
    case "pairs": relations.bestOfPairs
    case "tests": relations.tested
    default: relations.held
    }
  }
}

extension AnalysisAnswer {
  /// The relations that hold, each pair at its best lag, or every test.
  func table(of found: CorrelateAnswer, _ list: String) -> AnswerTable {
    let held = Set(found.relations.held)
    let rows = AnswerRows(found.rows(of: list))
    func name(_ place: Int) -> String { found.subjects[place].series.name }
    return table(
      list, key: "relations", rows.count, facts: HeadMember.facts(members(of: found)),
      [
        rows.word("first") { name($0.first) }, rows.word("second") { name($0.second) },
        rows.count(
          "lag", about: "how many intervals later the second is read; below 0 the first", \.lag),
        rows.number("coefficient", unit: "1", \.correlation.coefficient),
        rows.number(
          "low", unit: "1", about: "where the true coefficient lies, 19 times in 20",
          \.interval?.lowerBound),
        rows.number("high", unit: "1", \.interval?.upperBound),
        rows.count("count", about: "how many intervals both have", \.correlation.count),
        rows.number(
          "effectiveCount", unit: "1", about: "what they are worth beside independent ones",
          \.correlation.effectiveCount),
        rows.number("pValue", unit: "1", about: "of this test alone", \.pValue),
        rows.number("qValue", unit: "1", about: "among all tests", \.adjustedPValue),
        rows.number(
          "rawCoefficient", unit: "1", about: "of the numbers as they are, without what is given",
          \.rawCoefficient),
        rows.truth("holds", about: "of numbers what holds of ranks, too") { held.contains($0) },
      ])
  }

  private func members(of found: CorrelateAnswer) -> [JSON.Member] {
    guard case .correlate(let parameters) = plan.method else { return [] }
    let refused = found.refusals.sorted { $0.key < $1.key }
      .map { (name: found.subjects[$0.key].series.name, error: $0.value) }
    return made(
      model: parameters.comparison == .spearman
        ? "Spearman, whitened remainders" : "Pearson, whitened remainders",
      method: parameters.adjustment.authors
        + " over all tests, with the sign of the numbers themselves"
    ) + [
      .init("lags", .integer(parameters.lags)), .init("leastDays", .integer(parameters.atLeast)),
      .init("rate", .number(parameters.rate)), .init("confidence", .number(Relation.confidence)),
      .init("types", .integer(found.subjects.count - found.refusals.count)),
      .init("pairs", .integer(found.pairCount)),
      .init("tested", .integer(found.relations.tested.count)),
      .init("held", .integer(found.relations.held.count)),
      .init("tooFewDays", .integer(found.relations.leftOut.count)),
      .init("excludedPairs", .integer(found.excludedCount)),
      .init("partial", .integer(found.subjects.reduce(0) { $0 + $1.partialCount })),
      .init("refused", .array(refused.map { .string($0.name) })), .refusals(refused),
      .init("comparison", .string(parameters.comparison.rawValue)),
      .init("adjustment", .string(parameters.adjustment.rawValue)),
      .init("given", .array(found.given.map { .string($0.series.name) })),
    ]
  }
}

extension CorrelateParameters.Adjustment {
  /// After whom it is called.
  package var authors: String {
    switch self {
    case .benjaminiHochberg: "Benjamini and Hochberg"
    case .benjaminiYekutieli: "Benjamini and Yekutieli"
    }
  }
}

extension Relation {
  /// How often ``interval`` holds the true coefficient.
  package static let confidence = 0.95

  /// The interval of the coefficient; `nil` for too few days.
  package var interval: ClosedRange<Double>? {
    try? correlation.interval(confidence: Self.confidence)
  }
}
