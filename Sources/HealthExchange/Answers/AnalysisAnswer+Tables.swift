package import HealthAnalysis
package import HealthAnswers
import HealthQuery
import HealthSamples

// What programs read of an analysis: a table for each of its lists. How the tables of one analysis
// are made stands in a file named after it.

extension AnalysisPlan {
  /// The lists of an answer, of which the first is given by default.
  package var lists: [String] {
    switch method {
    case .trend: ["trends"]
    case .unusual: ["anomalies"]
    case .typical: ["typical"]
    case .changes: ["levels"]
    case .course: ["intervals"]
    case .relations: ["relations", "pairs"]
    case .components: ["weights", "scores"]
    case .rhythm: question.types.isEmpty ? ["numbers", "hours"] : ["profile", "rhythms"]
    case .training: ["workouts", "days"]
    case .glucose: ["summary", "hours"]
    case .variability: question.interval == nil ? ["series"] : ["intervals", "series"]
    case .pressure: ["classes"]
    case .cycles: ["cycles"]
    }
  }
}

extension AnalysisAnswer {
  /// A list of the answer.
  ///
  /// - Parameter list: one of ``AnalysisPlan/lists``; the first of them by default
  /// - Returns: the table
  /// - Throws: why the only type has no answer
  package func table(_ list: String? = nil) throws(AnalysisError) -> AnswerTable? {
    let list = list ?? plan.lists.first ?? ""
    return switch findings {
    case .restAndSleep(let found): try table(of: found, list)
    case .training(let found): table(of: found, list)
    case .glucose(let found): table(of: found, list)
    case .variability(let found): table(of: found, list)
    case .pressure(let found): table(of: found, list)
    case .cycles(let found): table(of: found, list)
    default: nil
    }
  }

  /// A table with what is said of the whole analysis.
  ///
  /// - Parameters:
  ///   - list: the name of the list
  ///   - count: the number of rows
  ///   - isInHead: whether the only row is part of the head in json
  ///   - facts: what the answer was made by, and how much it is of; ``members`` by default
  ///   - columns: the columns
  /// - Returns: the table
  func table(
    _ list: String, _ count: Int, isInHead: Bool = false, facts: [HeadMember]? = nil,
    _ columns: [AnswerColumn]
  ) -> AnswerTable {
    AnswerTable(
      "\(plan.method.name).\(list)", list: isInHead ? nil : list, count: count,
      zones: numbers.timeZone,
      head: subjectMembers.map { HeadMember($0.key, $0.value) }
        + HeadMember.zones(numbers.timeZone) + (facts ?? HeadMember.facts(members)), columns)
  }
}

extension Result where Failure == AnalysisError {
  /// Why there is no answer.
  var refusal: String? {
    if case .failure(let error) = self { error.description } else { nil }
  }
}
