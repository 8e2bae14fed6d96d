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
    case .relations: ["relations", "pairs", "tests"]
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
  /// - Throws: why the only type has no line or level
  package func table(_ list: String? = nil) throws(AnalysisError) -> AnswerTable {
    let list = list ?? plan.lists.first ?? ""
    return switch findings {
    case .trends(let found): try table(of: found, list)
    case .unusual(let found): table(of: found, list)
    case .typical(let found): table(of: found, list)
    case .changes(let found): try table(of: found, list)
    case .courses(let found): table(of: found, list)
    case .relations(let found): table(of: found, list)
    case .components(let found): table(of: found, list)
    case .rhythms(let found): try table(of: found, list)
    case .restAndSleep(let found): try table(of: found, list)
    case .training(let found): table(of: found, list)
    case .glucose(let found): table(of: found, list)
    case .variability(let found): table(of: found, list)
    case .pressure(let found): table(of: found, list)
    case .cycles(let found): table(of: found, list)
    }
  }

  /// A table with what is said of the whole analysis.
  ///
  /// - Parameters:
  ///   - list: the name of the list
  ///   - key: the key of its rows in json; its name by default
  ///   - count: the number of rows
  ///   - isInHead: whether the only row is part of the head in json
  ///   - facts: what the answer was made by, and how much it is of; ``members`` by default
  ///   - columns: the columns
  /// - Returns: the table
  func table(
    _ list: String, key: String? = nil, _ count: Int, isInHead: Bool = false,
    facts: [HeadMember]? = nil,
    _ columns: [AnswerColumn]
  ) -> AnswerTable {
    AnswerTable(
      "\(plan.method.name).\(list)", list: isInHead ? nil : key ?? list, count: count,
      zones: numbers.timeZone,
      head: subjectMembers.map { HeadMember($0.key, $0.value) }
        + HeadMember.zones(numbers.timeZone) + (facts ?? HeadMember.facts(members)), columns)
  }
}

extension AnalysisAnswer {
  /// Why the only type has no answer.
  package var refusal: AnalysisError? {
    func refusal<Finding>(_ results: [Result<Finding, AnalysisError>]) -> AnalysisError? {
      if results.count == 1, case .failure(let error) = results[0] { error } else { nil }
    }
    return switch findings {
    case .trends(let results): refusal(results)
    case .unusual(let results): refusal(results)
    case .typical(let results): refusal(results)
    case .changes(let results): refusal(results)
    case .courses(let results): refusal(results)
    case .rhythms(let results): refusal(results)
    case .relations, .components, .restAndSleep, .training, .glucose, .variability, .pressure,
      .cycles:
      nil
    }
  }
}

extension Result where Failure == AnalysisError {
  /// Why there is no answer.
  package var refusal: String? {
    if case .failure(let error) = self { error.description } else { nil }
  }
}

extension Sequence {
  /// What was found of each type that has an answer.
  package func known<Finding>() -> [Finding] where Element == Result<Finding, AnalysisError> {
    compactMap { try? $0.get() }
  }
}

extension AnswerRows {
  /// What each row is about.
  package func subject(_ read: @escaping Read<IntervalSeries>) -> [AnswerColumn] {
    [
      word("name", about: "as the question has it") { read($0)?.name },
      word("type", about: "its identifier") { read($0)?.type.identifier },
      word("statistic", about: "what of each interval is a number") { read($0)?.statistic },
      word("unit", about: "of these numbers") { read($0)?.unitText },
    ]
  }

  /// How many intervals of a row's numbers have no data, and how many the data cover in part.
  package func leftOut(_ read: @escaping Read<AnalysedSeries>) -> [AnswerColumn] {
    [
      count("empty", about: "how many intervals have no data") { read($0)?.emptyCount },
      count("partial", about: "how many the data cover in part") { read($0)?.partialCount },
    ]
  }
}
