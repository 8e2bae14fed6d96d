import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// The JSON Schemas of what tools answer: an assistant reads them before it asks.
///
/// They are made from the columns of answers, those of a store with some made-up days: nothing here
/// says a second time what an answer has. Objects may have other members, such as notes, and columns
/// that a question brings.
struct AnswerSchemas {
  private let store: SampleStore
  private static let dates = #""from":"2001-01-01","to":"2001-03-02","timezone":"UTC""#

  /// Makes the days.
  ///
  /// - Throws: `StoreError`
  init() throws {
    store = try SampleStore.temporary()
    let types: [(SampleType, unit: String, scatter: Int)] = [
      (SampleType(.restingHeartRate), "count/min", 13), (SampleType(.bodyMass), "kg", 11),
    ]
    try store.save(
      types.flatMap { type, unit, scatter in
        (0..<60).map { day in
          let instant = Double(day) * .secondsPerDay
          return NewSample(
            type: type, source: Source(name: "Nobody"), start: instant, end: instant,
            value: Double(60 + (7 * day * day + 3 * day) % scatter), label: unit)
        }
      })
  }

  /// The schema of the answers of a tool.
  ///
  /// - Throws: an error of the engine, such as a package of the system that an analysis lacks
  func schema(of tool: AssistantTools.Tool) throws -> JSON {
    switch tool {
    case .types: return try .schema(of: [TypeList(of: store).answerView.answer])
    case .statistics:
      // The columns are those of the question. Intervals have edges; of gaps it is their number.
      let edges = AnswerColumn.interval(.all([]), .all([])).map(\.field.property)
      let intervals = JSON.object([.init("items", .schema(edges))])
      return .schema([.init("intervals", intervals), Self.documents(.schema([]))])
    case .compare:
      let answer = try store.answer(question(#"{"type":"steps","compare":"previous","by":"day""#))
      let document = JSON.schema(of: answer.documents())
      return .schema(of: answer.documents(), or: [Self.documents(document)])
    case .explain:
      let question = try question(#"{"type":"steps","explain":true,"by":"day""#)
      guard let plan = try store.plan(of: question, for: question.types[0]) else {
        return .schema([])
      }
      return .schema(of: [try store.statistics(plan).table()])
    case .trend, .correlate, .anomalies:
      let json = #"{"type":["restingHeartRate","bodyMass"],\#(Self.dates)}"#
      let plan = try AnalysisPlan(json: Data(json.utf8), analysis: tool.rawValue)
      let table = try store.analysis(plan).table()
      // The only line is part of the document.
      return .schema(of: [table], or: tool == .trend ? table.columns.map(\.field.property) : [])
    case .sleep:
      let answer = try store.sleep(SleepPlan(timeZone: ZoneTimeline(.gmt)))
      let periods: [SleepAverages.Period?] = [nil, .week, .month]
      return .schema(of: periods.map { answer.table(by: $0) })
    case .workouts:
      let zones = ZoneTimeline(.gmt)
      let period = StoredPeriod(range: -.infinity..<Double.infinity, zones: zones)
      let table = try WorkoutsCommand.view(
        of: nil, in: period, of: store, keepsRoutes: false, isBrief: true
      ).answerView.answer
      let workout = OutputTable.table(of: .workout).properties + table.columns.map(\.field.property)
      var plan = WorkoutPlan(ElementPeriod(timeZone: zones))
      plan.statistics = WorkoutStatistic.allCases
      let totals = try store.workouts(plan)
      return .schema(
        of: [totals.table(in: try store.activityUnits(), activity: nil)],
        or: [.init("workouts", .list(of: .schema(workout)))] + table.head.map(\.property))
    case .rings:
      let zones = ZoneTimeline(.gmt)
      let view = try RingView(
        over: QueryPeriod(from: nil, to: nil, in: zones, now: store.now.instant), zones: zones,
        of: store, units: try store.activityUnits())
      return .schema(of: [view.answerView.answer, view.streaks.answer])
    case .samples:
      let fields = [
        AnswerField("type", .word, about: "the identifier of the type"),
        AnswerField("source", .word, about: "the name of the source"),
      ]
      let edges = AnswerColumn.interval(.all([]), .all([])).map(\.field)
      return .schema([.init("samples", .list(of: .schema((fields + edges).map(\.property))))])
    }
  }

  /// Several documents, where a question is about several types.
  private static func documents(_ document: JSON) -> JSON.Member {
    .init("documents", .list(of: document))
  }

  private func question(_ begin: String) throws -> Question {
    try Question(json: Data("\(begin),\(Self.dates)}".utf8))
  }
}
