package import HealthAnalysis
package import HealthAnswers
import HealthQuery
import HealthSamples

// What programs read of an analysis: a table for each of its lists. How the tables of one analysis
// are made stands in a file named after it.

extension AnalysisPlan {
  /// The lists of an answer, of which the first is given by default.
  package var lists: [String] { method.parameters.lists(of: question) }
}

extension AnalysisAnswer {
  /// A list of the answer.
  ///
  /// - Parameter list: one of ``AnalysisPlan/lists``; the first of them by default
  /// - Returns: the table
  /// - Throws: why the only type has no line or level
  package func table(_ list: String? = nil) throws(AnalysisError) -> AnswerTable {
    let list = list ?? plan.lists.first ?? ""
    return switch results {
    case .trends(let found): try table(of: found, list)
    case .anomalies(let found): table(of: found, list)
    case .typical(let found): table(of: found, list)
    case .changes(let found): try table(of: found, list)
    case .courses(let found): table(of: found, list)
    case .correlate(let found): table(of: found, list)
    case .components(let found): table(of: found, list)
    case .rhythms(let found): try table(of: found, list)
    case .restAndSleep(let found): try table(of: found, list)
    case .training(let found): table(of: found, list)
    case .glucose(let found): table(of: found, list)
    case .hrv(let found): table(of: found, list)
    case .pressure(let found): table(of: found, list)
    case .cycles(let found): table(of: found, list)
    case .missing(let found): table(of: found, list)
    }
  }

  /// A table with what is said of the whole analysis.
  ///
  /// - Parameters:
  ///   - list: the name of the list
  ///   - key: the key of its rows in json; its name by default
  ///   - count: the number of rows
  ///   - isInHead: whether the only row is part of the head in json
  ///   - subject: what all rows are about; none where each row says so, or none has a type
  ///   - facts: what the answer was made by, and how much it is of
  ///   - columns: the columns
  /// - Returns: the table
  func table(
    _ list: String, key: String? = nil, _ count: Int, isInHead: Bool = false,
    subject: [HeadMember] = [], facts: [HeadMember], _ columns: [AnswerColumn]
  ) -> AnswerTable {
    AnswerTable(
      "\(plan.method.name).\(list)", list: isInHead ? nil : key ?? list, count: count,
      zones: numbers.timeZone,
      head: subject + HeadMember.zones(numbers.timeZone) + facts, columns)
  }
}

extension AnalysisAnswer {
  /// Why the only type has no answer.
  package var refusal: AnalysisError? {
    func refusal<Finding>(_ results: [Result<Finding, AnalysisError>]) -> AnalysisError? {
      if results.count == 1, case .failure(let error) = results[0] { error } else { nil }
    }
    return switch results {
    case .trends(let results): refusal(results)
    case .anomalies(let results): refusal(results)
    case .typical(let results): refusal(results)
    case .changes(let results): refusal(results)
    case .courses(let results): refusal(results)
    case .rhythms(let results): refusal(results)
    case .missing(let results): refusal(results)
    default: nil
    }
  }
}

extension AnalysisAnswer {
  /// The types without a finding, and why.
  package func refused<Finding>(
    among results: [Result<Finding, AnalysisError>]
  ) -> [(name: String, error: AnalysisError)] {
    zip(numbers.columns, results).compactMap { column, result in
      guard case .failure(let error) = result else { return nil }
      return (column.series.name, error)
    }
  }

  /// The length of the intervals whose numbers were asked; null for samples.
  var interval: JSON.Member { .interval(plan.question.interval) }

  func made(model: String, method: String) -> [JSON.Member] {
    JSON.Member.made(model: model, method: method) + [interval]
  }
}

extension JSON.Member {
  /// By which model, and how it was found.
  static func made(model: String, method: String) -> [Self] {
    [.init("model", .string(model)), .init("method", .string(method))]
  }

  /// The length of the intervals whose numbers were asked; null for samples.
  static func interval(_ interval: CalendarInterval?) -> Self {
    .init("interval", .optional(interval?.text))
  }

  /// What has no answer, and why.
  static func refusals(_ refused: [(name: String, error: AnalysisError)]) -> Self {
    .init(
      "refusals",
      .array(
        refused.map {
          .object([
            .init("name", .string($0.name)), .init("refusal", .string($0.error.description)),
          ])
        }))
  }

  /// How many readings sources have.
  static func sources(_ key: String, _ sources: [SourceCount]) -> Self {
    .init(key, .sources(sources))
  }
}

extension JSON {
  /// How many readings sources have.
  package static func sources(_ sources: [SourceCount]) -> JSON {
    .array(
      sources.map {
        .object([
          .init("source", .string($0.source.description)), .init("count", .integer($0.count)),
        ])
      })
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

extension HeadMember {
  /// What all rows are about.
  static func subject(_ type: String, unit: String) -> [Self] {
    [HeadMember("type", .string(type)), HeadMember("unit", .string(unit))]
  }
}
