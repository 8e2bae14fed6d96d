package import HealthAnalysis
package import HealthAnswers

extension RelationsAnswer {
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
  func table(of found: RelationsAnswer, _ list: String) -> AnswerTable {
    let held = Set(found.relations.held)
    let rows = AnswerRows(found.rows(of: list))
    func name(_ place: Int) -> String { found.subjects[place].series.name }
    return table(
      list, key: "relations", rows.count,
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
          "rawCoefficient", unit: "1", about: "of the numbers as they are", \.rawCoefficient),
        rows.truth("holds") { held.contains($0) },
      ])
  }
}
