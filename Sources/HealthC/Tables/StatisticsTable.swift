import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore

// Columns have the names of the csv of `hkstats stats`, and its numbers.

/// A question about intervals, as a table.
enum StatisticsTable {
  /// The members beside those of the question.
  enum Own: String, RequestMember {
    case wide

    var own: MemberFacts? {
      MemberFacts(
        .truth, "Several types have a column each, in place of a row for each interval of each.")
    }
  }

  /// A question, and whether several types stand side by side.
  private struct Request: Decodable {
    let question: Question
    let isWide: Bool

    init(from decoder: any Decoder) throws {
      question = try Question(decoder, besides: Own.allCases.map(\.rawValue))
      isWide = try decoder.member(Own.wide.rawValue, .truth) ?? false
    }
  }

  /// Asks a store, in one snapshot of it.
  ///
  /// `"wide": true` gives a row for each interval with a column for each of several types, in place of a
  /// row for each of both; it means nothing where there is one type, or what is made of intervals.
  /// A type that names a question about elements, such as `bloodPressure`, has their rows, and one
  /// whose samples of nights are asked for has a row for each night.
  ///
  /// - Throws: `QueryError`
  static func answer(json: String, in store: SampleStore) throws -> FoundTable {
    let request: Request = try JSONDecoder().question(from: Data(json.utf8))
    if let elements = try store.elements(of: request.question) {
      try store.endWatching()
      let columns = elements.columns
      return FoundTable(
        columns.table, trailing: [.init("unreadable", .integer(columns.unreadable))])
    }
    let question = request.question.withParts
    guard question.hasOnePlan else {
      return try table(
        of: try store.answer(question), by: question.interval, isWide: request.isWide)
    }
    if question.explains { return try explanation(question, in: store) }
    return try chosen(question, in: store) { store, plan in
      guard case .category = plan.type.kind else {
        let answer = try store.statistics(plan)
        return FoundTable(
          answer.table(),
          trailing: JSON.Member.leftOut(answer.averages?.leftOutSentence(in: answer.timeZone)))
      }
      return FoundTable(
        try store.categoryStatistics(plan).table(
          statistics: question.types[0].statistics ?? [.duration, .count],
          bySource: question.separatesSources))
    }
  }

  /// What each source counted in each interval: a row for each of both.
  ///
  /// - Throws: `QueryError`
  static func explanation(_ question: Question, in store: SampleStore) throws -> FoundTable {
    var question = question
    question.explains = true
    return try chosen(question, in: store) { store, plan in
      guard case .category = plan.type.kind else {
        return FoundTable(try store.statistics(plan).explanation)
      }
      return FoundTable(try store.categoryStatistics(plan).explanation)
    }
  }

  /// Asks a store for the sources of a question about one type.
  private static func chosen(
    _ question: Question, in store: SampleStore,
    _ answer: (SampleStore, StatisticsPlan) throws -> FoundTable
  ) throws -> FoundTable {
    let chosen = try store.choosingSources(of: question)
    guard let plan = try chosen.plan(of: question, for: question.types[0]) else {
      throw QueryError(.missingMember("type"))
    }
    let table = try answer(chosen, plan)
    try chosen.endWatching()
    return table
  }

  private static func table(
    of answer: QuestionAnswer, by interval: CalendarInterval?, isWide: Bool
  ) throws -> FoundTable {
    guard !answer.columns.isEmpty else { throw QueryError(.missingMember("type")) }
    let columns = answer.columns.map { column in
      JSON.object([
        .init("name", .string(column.series.name)),
        .init("type", .string(column.series.type.identifier)),
        .init("statistic", .string(column.series.statistic)),
        .init("unit", .string(column.series.unitText)),
      ])
    }
    let leftOut = answer.columns.filter { $0.derived != nil }.flatMap(\.leftOut)
    return FoundTable(
      isWide ? answer.wideTable ?? answer.table : answer.table,
      trailing: [.init("columns", .array(columns))]
        + JSON.Member.leftOut(leftOut.sentence(by: interval, in: answer.timeZone)))
  }
}
