import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// What an analysis finds, as a table.
///
/// ```json
/// {"analysis": "trend", "type": "restingHeartRate", "from": "-1y"}
/// {"analysis": "components", "type": ["steps", "sleep"], "list": "scores"}
/// ```
///
/// Columns have the names of the csv of the command, and the numbers of its json; what a whole answer
/// says is in the metadata. A type of several without an answer is named there, or has a row with a
/// refusal; the only one is an error. Where an answer has several lists, `list` names the one to give,
/// the first by default:
///
/// | analysis | lists |
/// | --- | --- |
/// | trend, anomalies, typical, changes, course | one row, or as many as are found, for each type |
/// | correlate | `relations` that hold; `pairs`, each at its best lag; `tests`, each pair at each lag |
/// | components | `weights` of all components; `scores`, a row for each day and component |
/// | rhythm of types | `profile` of the hours or weekdays; `rhythms` of the model |
/// | rhythm without types | `numbers`; `hours` of the mean day |
/// | training | `workouts`; `days` with fitness and fatigue |
/// | glucose | `summary`; `hours` of the clock; `periods`: days and nights; `events`; `excursions` |
/// | hrv | `series`; with `by` the `intervals`, or `series` |
/// | pressure | `classes`; `numbers`: means and variability |
/// | cycles | `cycles` |
enum AnalysisTable {
  /// The members beside those of the numbers, and the parameters.
  enum Own: String, RequestMember {
    case analysis, list

    var own: MemberFacts? {
      switch self {
      case .analysis: MemberFacts(oneOf: AnalysisMethod.all.map { $0.name }, "The method.")
      case .list: MemberFacts(.text, "Which list of the answer; the first if left out.")
      }
    }
  }

  /// A plan, and which of its lists is asked for.
  private struct Request: Decodable {
    let plan: AnalysisPlan
    let list: String

    init(from decoder: any Decoder) throws {
      plan = try AnalysisPlan(decoder, besides: [Own.list.rawValue])
      let known = plan.lists
      list = try decoder.member(Own.list.rawValue, .text) ?? known.first ?? ""
      guard known.contains(list) else {
        throw QueryError(
          .unknownWord(.list, list, suggestions: NearNames.of(list, among: known), known: known))
      }
    }
  }

  /// Asks a store.
  ///
  /// - Throws: `QueryError`; `AnalysisError` for what the numbers of the only type do not carry
  static func answer(json: String, in store: SampleStore) throws -> FoundTable {
    let request: Request = try JSONDecoder().question(from: Data(json.utf8))
    let answer = try store.analysis(request.plan)
    if let refusal = answer.refusal { throw refusal }
    let name = answer.plan.method.name
    let about: [JSON.Member] = [
      .init("analysis", .string(name)), .init("list", .string(request.list)),
    ]
    let leftOut = JSON.Member.leftOut(
      answer.numbers.columns.flatMap(\.leftOut)
        .sentence(by: answer.plan.question.interval, in: answer.numbers.timeZone))
    let table = try answer.table(request.list)
    try store.endWatching()
    return FoundTable(table, leading: about, trailing: leftOut)
  }
}
