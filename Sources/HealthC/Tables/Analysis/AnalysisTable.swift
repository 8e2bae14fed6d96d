import Foundation
import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits

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
/// | correlate | `relations` that hold; `pairs`, each at its best lag |
/// | components | `weights` of all components; `scores`, a row for each day and component |
/// | rhythm of types | `profile` of the hours or weekdays; `rhythms` of the model |
/// | rhythm without types | `numbers`; `hours` of the mean day |
/// | training | `workouts`; `days` with fitness and fatigue |
/// | glucose | `summary`; `hours` of the clock |
/// | hrv | `series`; with `by` the `intervals`, or `series` |
/// | pressure, cycles | `classes`, `cycles` |
enum AnalysisTable {
  /// A plan, and which of its lists is asked for.
  private struct Request: Decodable {
    enum Member: String, CodingKey, CaseIterable { case list }

    let plan: AnalysisPlan
    let list: String

    init(from decoder: any Decoder) throws {
      plan = try AnalysisPlan(decoder, besides: Member.allCases.map(\.rawValue))
      let asked: String?
      do {
        asked = try decoder.container(keyedBy: Member.self).decodeIfPresent(
          String.self, forKey: .list)
      } catch {
        throw QueryError(.wrongMember(Member.list.rawValue, .text))
      }
      let known = plan.lists
      list = asked ?? known.first ?? ""
      guard known.contains(list) else {
        throw QueryError(
          .unknownWord(.list, list, suggestions: NearNames.of(list, among: known), known: known))
      }
    }
  }

  /// Asks a store.
  ///
  /// - Throws: `QueryError`; `AnalysisError` for what the numbers of the only type do not carry
  static func answer(json: String, in store: SampleStore) throws -> Table {
    let request: Request = try JSONDecoder().question(from: Data(json.utf8))
    let answer = try store.analysis(request.plan)
    let name = answer.plan.method.name
    let about: [JSON.Member] = [
      .init("analysis", .string(name)), .init("list", .string(request.list)),
    ]
    let leftOut = JSON.Member.leftOut(
      answer.numbers.columns.flatMap(\.leftOut)
        .sentence(by: answer.plan.question.interval, in: answer.numbers.timeZone))
    if let table = try answer.table(request.list) {
      try store.endWatching()
      return Table(table, leading: about, trailing: leftOut)
    }
    let columns = try AnalysisColumns(answer, list: request.list).columns
    try store.endWatching()
    let head = JSON.object(about + answer.headMembers + answer.members + leftOut)
    return Table(
      "\(name).\(request.list)", columns, count: columns.first?.values.count ?? 0, head: head.text)
  }
}

extension AnalysisAnswer {
  /// What the whole answer is about, and the zones; of the trend of one type the rules of its numbers.
  fileprivate var headMembers: [JSON.Member] {
    if case .trends = findings, numbers.columns.count == 1 { return numbers.columns[0].members }
    return subjectMembers + numbers.timeZone.members
  }
}

/// Rows of which columns are made, one property after the other.
struct TableRows<Row> {
  let rows: [Row]
  let zones: ZoneTimeline

  init(_ rows: [Row], in zones: ZoneTimeline) { (self.rows, self.zones) = (rows, zones) }

  func words(_ name: String, _ read: (Row) -> String?) -> Column {
    .words(name, rows.map(read))
  }

  func integers(_ name: String, _ read: (Row) -> Int?) -> Column {
    .integers(name, rows.map(read))
  }

  func reals(_ name: String, unit: String? = nil, _ read: (Row) -> Double?) -> Column {
    .reals(name, unit: unit, rows.map(read))
  }

  func truths(_ name: String, _ read: (Row) -> Bool?) -> Column {
    .truths(name, rows.map(read))
  }

  func instants(_ name: String, _ read: (Row) -> Double?) -> Column {
    .instants(name, rows.map(read), in: zones)
  }

  /// What each row is about.
  func subject(_ series: (Row) -> IntervalSeries) -> [Column] {
    let all = rows.map(series)
    return [
      .words("name", all.map(\.name)), .words("type", all.map(\.type.identifier)),
      .words("statistic", all.map(\.statistic)), .words("unit", all.map(\.unitText)),
    ]
  }

  /// How many intervals of a row's numbers have no data, and how many the data cover in part.
  func leftOut(_ subject: (Row) -> AnalysedSeries) -> [Column] {
    [
      integers("empty") { subject($0).emptyCount },
      integers("partial") { subject($0).partialCount },
    ]
  }
}

/// The columns of one list of an answer.
struct AnalysisColumns {
  let answer: AnalysisAnswer
  let list: String

  init(_ answer: AnalysisAnswer, list: String) { (self.answer, self.list) = (answer, list) }

  var zones: ZoneTimeline { answer.numbers.timeZone }

  var columns: [Column] {
    get throws {
      switch answer.findings {
      case .trends(let found): try trends(found)
      case .unusual(let found): try unusual(found)
      case .typical(let found): try typical(found)
      case .changes(let found): try changes(found)
      case .courses(let found): try courses(found)
      case .relations(let found): relations(found)
      case .components(let found): list == "scores" ? scores(found) : weights(found)
      case .rhythms(let found): try list == "rhythms" ? rhythms(found) : profile(found)
      case .restAndSleep, .training, .glucose, .variability, .pressure, .cycles: []
      }
    }
  }

  func rows<Row>(_ rows: [Row]) -> TableRows<Row> { TableRows(rows, in: zones) }

  /// What was found of each type that has an answer.
  ///
  /// - Throws: why the only type has none
  func known<Finding>(_ results: [Result<Finding, AnalysisError>]) throws -> [Finding] {
    if results.count == 1 { return [try results[0].get()] }
    return results.compactMap { try? $0.get() }
  }
}

// MARK: - Each type

extension AnalysisColumns {
  private func trends(_ found: [Result<TrendAnswer, AnalysisError>]) throws -> [Column] {
    _ = try known(found)
    let trends = zip(answer.numbers.columns, found).map { column, result in
      (series: column.series, result: result, line: try? result.get())
    }
    let rows = rows(trends)
    func number(
      _ name: String, unit: String? = nil, _ read: @escaping (TrendAnswer) -> Double?
    ) -> Column {
      rows.reals(name, unit: unit) { $0.line.flatMap(read) }
    }
    return rows.subject(\.series) + [
      rows.instants("from") { $0.line?.span.lowerBound },
      rows.instants("to") { $0.line?.span.upperBound },
      rows.integers("count") { $0.line?.count },
      rows.words("slope_unit") { "\($0.series.unitText)/d" },
      number("slope_per_day", \.slope),
      number("slope_per_day_low", \.slopeInterval?.lowerBound),
      number("slope_per_day_high", \.slopeInterval?.upperBound),
      number("slope_per_year", \.slopePerYear),
      number("slope_per_year_low", \.slopeIntervalPerYear?.lowerBound),
      number("slope_per_year_high", \.slopeIntervalPerYear?.upperBound),
      number("confidence", unit: "1", \.parameters.confidence),
      number("intercept", \.intercept),
      number("r_squared", unit: "1", \.rSquared),
      number("p_value", unit: "1", \.pValue),
      rows.words("verdict") { $0.line?.verdict.rawValue },
      rows.words("model") { $0.line?.parameters.model.rawValue },
      rows.words("fit") { $0.line?.fit },
      number("autocorrelation", unit: "1", \.autocorrelation),
      rows.integers("empty") { $0.line?.subject.emptyCount },
      rows.integers("partial") { $0.line?.subject.partialCount },
      rows.integers("tested") { _ in trends.count },
      rows.words("refusal") { $0.result.refusal },
    ]
  }

  private func unusual(_ found: [Result<UnusualAnswer, AnalysisError>]) throws -> [Column] {
    _ = try known(found)
    let rows = rows(UnusualAnswer.newestFirst(found))
    return [
      rows.instants("start") { $0.subject.starts[$0.finding.row] },
      rows.instants("end") { $0.subject.ends[$0.finding.row] },
    ] + rows.subject(\.subject) + [
      rows.reals("value", \.finding.value), rows.reals("median", \.finding.median),
      rows.reals("deviation", \.finding.deviation),
      rows.reals("score", unit: "1", \.finding.score),
      rows.reals("rest_score", unit: "1", \.finding.restScore),
      rows.integers("baseline", \.finding.baselineCount),
      rows.words("source", \.finding.source?.description),
    ]
  }

  private func typical(_ found: [Result<TypicalAnswer, AnalysisError>]) throws -> [Column] {
    let found = try known(found)
    let rows = rows(found)
    let earlier = self.rows(found.flatMap(\.earlier))
    return rows.subject(\.subject.series) + [
      rows.instants("start") { $0.subject.series.starts[$0.rows.lowerBound] },
      rows.instants("end") { $0.subject.series.ends[$0.rows.upperBound - 1] },
      rows.reals("mean", \.mean), rows.integers("days", \.dayCount),
      rows.reals("low", \.range.low), rows.reals("median", \.range.median),
      rows.reals("high", \.range.high), rows.integers("means", \.range.count),
      rows.words("position", \.position.rawValue), rows.reals("least", \.range.least),
      rows.reals("greatest", \.range.greatest),
      .lists(
        "earlier", counts: found.map(\.earlier.count),
        [
          earlier.instants("end", \.end), earlier.reals("mean", \.mean),
          earlier.words("position", \.position?.rawValue),
        ]),
    ] + rows.leftOut(\.subject)
  }

  private func changes(_ found: [Result<ChangesAnswer, AnalysisError>]) throws -> [Column] {
    let rows = rows(
      try known(found).flatMap { found in
        found.changes.segments.enumerated().map { place, segment in
          (
            found: found, segment: segment,
            change: place == 0 ? nil : found.changes.sizes[place - 1]
          )
        }
      })
    return rows.subject(\.found.subject.series) + [
      rows.instants("start") { $0.found.subject.series.starts[$0.segment.rows.lowerBound] },
      rows.instants("end") { $0.found.subject.series.ends[$0.segment.rows.upperBound - 1] },
      rows.integers("count", \.segment.count), rows.reals("level", \.segment.mean),
      rows.reals("change", \.change), rows.truths("season_adjusted", \.found.isSeasonAdjusted),
      rows.words("shape", \.found.shape.rawValue),
    ] + rows.leftOut(\.found.subject)
  }

  private func courses(_ found: [Result<CourseAnswer, AnalysisError>]) throws -> [Column] {
    let found = try known(found)
    let rows = rows(found.flatMap { found in found.level.indices.map { (found: found, row: $0) } })
    func number(_ name: String, _ read: (CourseAnswer) -> [Double?]) -> Column {
      .reals(
        name, unit: nil,
        found.flatMap { found in
          let (values, series) = (read(found), found.subject.series)
          return found.level.indices.map { row in
            values.indices.contains(row) ? values[row].map(series.printing) : nil
          }
        })
    }
    return rows.subject(\.found.subject.series) + [
      rows.instants("start") { $0.found.subject.series.starts[$0.row] },
      rows.instants("end") { $0.found.subject.series.ends[$0.row] },
      number("value", \.subject.series.values), number("course", \.level),
      number("season") { $0.seasons.first?.values ?? [] }, number("rest", \.rest),
    ]
  }
}

extension Result where Failure == AnalysisError {
  /// Why there is no answer.
  var refusal: String? {
    if case .failure(let error) = self { error.description } else { nil }
  }
}

// MARK: - All types together

extension AnalysisColumns {
  private func relations(_ found: RelationsAnswer) -> [Column] {
    let held = Set(found.relations.held)
    let rows = rows(list == "pairs" ? found.relations.bestOfPairs : found.relations.held)
    func name(_ place: Int) -> String { found.subjects[place].series.name }
    return [
      rows.words("first") { name($0.first) }, rows.words("second") { name($0.second) },
      rows.integers("lag", \.lag),
      rows.reals("coefficient", unit: "1", \.correlation.coefficient),
      rows.reals("low", unit: "1", \.interval?.lowerBound),
      rows.reals("high", unit: "1", \.interval?.upperBound),
      rows.integers("count", \.correlation.count),
      rows.reals("effective_count", unit: "1", \.correlation.effectiveCount),
      rows.reals("p_value", unit: "1", \.pValue),
      rows.reals("q_value", unit: "1", \.adjustedPValue),
      rows.reals("raw_coefficient", unit: "1", \.rawCoefficient),
      rows.truths("holds") { held.contains($0) },
    ]
  }

  private func weights(_ found: ComponentsAnswer) -> [Column] {
    let components = found.components
    let rows = rows(
      components.loadings.enumerated().flatMap { component, weights in
        zip(found.places, weights).map { (component: component, place: $0, weight: $1) }
      })
    return [
      rows.integers("component") { $0.component + 1 },
      rows.reals("share", unit: "1") { components.shares[$0.component] },
    ] + rows.subject { found.subjects[$0.place].series } + [
      rows.reals("weight", unit: "1", \.weight)
    ]
  }

  private func scores(_ found: ComponentsAnswer) -> [Column] {
    let components = found.components
    let series = found.subjects.first?.series
    let rows = rows(
      components.rows.enumerated().flatMap { place, row in
        components.scores.enumerated().map { component, scores in
          (row: row, component: component, score: scores[place])
        }
      })
    return [
      rows.instants("start") { series?.starts[$0.row] },
      rows.instants("end") { series?.ends[$0.row] },
      rows.integers("component") { $0.component + 1 }, rows.reals("score", unit: "1", \.score),
    ]
  }
}
