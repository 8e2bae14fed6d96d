import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// What an assistant may ask, and the answers.
///
/// Each call opens the store and reads one snapshot of it: what was imported or unlocked meanwhile
/// counts, and an import waits for no assistant.
struct AssistantTools {
  let storeOptions: StoreOptions
  /// The app as which the store is read; `nil` for its owner.
  let app: String?
  /// Whether single samples are given.
  let givesSamples: Bool

  enum Tool: String, CaseIterable {
    case types, statistics, compare, trend, correlate, anomalies, sleep, workouts, rings, explain
    case samples
  }

  /// The tools of this server.
  private var offered: [Tool] { Tool.allCases.filter { $0 != .samples || givesSamples } }

  func tool(named name: String) -> Tool? { offered.first { $0.rawValue == name } }

  /// The names of the tools, as a sentence.
  var names: String {
    "The tools are: \(offered.map(\.rawValue).joined(separator: ", "))."
      + (givesSamples ? "" : " Single samples need a server that was started with --with-samples.")
  }

  // MARK: - Calls

  /// Calls a tool.
  ///
  /// - Returns: the texts of the answer, or of what is wrong
  func call(_ tool: Tool, _ arguments: ToolArguments) -> (texts: [String], isError: Bool) {
    do {
      let whole = try storeOptions.openForReading()
      let store = try app.map { try whole.reading(as: $0) } ?? whole
      let texts = try store.snapshot { try answer(tool, arguments, from: store) }
      guard texts.reduce(0, { $0 + $1.utf8.count }) <= AssistantLimit.bytes else {
        throw AssistantLimit.tooLong
      }
      return (texts, false)
    } catch {
      let failure =
        Failure(error) ?? Failure("The question cannot be answered: \(error)".printable, .failed)
      // Options of the command line are not those of a tool.
      let sentence = (error as? QueryError)?.description.printable ?? failure.message
      return (["\(sentence) (code \(failure.exitCode.rawValue))"], true)
    }
  }

  private func answer(
    _ tool: Tool, _ arguments: ToolArguments, from store: SampleStore
  ) throws -> [String] {
    if tool != .statistics, tool != .compare { try arguments.check(tool.members) }
    switch tool {
    case .types: return [try text(of: TypeList(of: store).answerView)]
    case .statistics: return try answer(to: Question(json: Data(arguments.text)), from: store)
    case .compare:
      try arguments.require("compare")
      return try answer(to: Question(json: Data(arguments.text)), from: store)
    case .explain:
      guard let type = try arguments.text("type") else { throw QueryError(.missingMember("type")) }
      var question = try Question(
        types: [type], by: arguments.text("by").map(QuestionWords.interval))
      (question.from, question.to) = (try arguments.text("from"), try arguments.text("to"))
      question.explains = true
      return try answer(to: question, from: store)
    case .trend, .correlate, .anomalies:
      return [try text(of: analysis(named: tool.rawValue, arguments, from: store))]
    case .sleep: return [try text(of: nights(arguments, from: store))]
    case .workouts: return [try text(of: workouts(arguments, from: store))]
    case .rings: return [try text(of: rings(arguments, from: store))]
    case .samples: return [try samples(arguments, from: store)]
    }
  }

  private func period(
    _ arguments: ToolArguments, in store: SampleStore
  ) throws -> StoredPeriod {
    let zones = try Self.zones(of: store)
    return StoredPeriod(range: try dates(arguments, in: zones, of: store).range, zones: zones)
  }

  private func dates(
    _ arguments: ToolArguments, in zones: ZoneTimeline, of store: SampleStore
  ) throws -> QueryPeriod {
    try QueryPeriod(
      from: arguments.text("from"), to: arguments.text("to"), in: zones, now: store.now.instant)
  }

  /// The zones of days: those of the store, else that of the machine.
  static func zones(of store: SampleStore) throws -> ZoneTimeline {
    try store.zones(of: try Question(types: []))
  }

  // MARK: - Limits

  private static func withheld(_ what: String) -> Failure {
    Failure(
      "\(what): this server gives none, since it was started without --with-samples.",
      .notPermitted)
  }

  private func text(of view: AnswerView) throws -> String {
    try AssistantLimit.check(view.count)
    return try Self.text {
      try view.write(as: .json, style: TextStyle(isColored: false), to: $0)
    }
  }

  private static func text(_ write: (TextOutput) throws -> Void) throws -> String {
    let output = TextOutput()
    try write(output)
    guard output.gathered.count <= AssistantLimit.bytes else { throw AssistantLimit.tooLong }
    return String(decoding: output.gathered, as: UTF8.self)
  }
}

// MARK: - Answers

extension AssistantTools {
  private func answer(to question: Question, from store: SampleStore) throws -> [String] {
    let short = "Intervals shorter than an hour show single samples"
    // Before the work of many intervals.
    if !givesSamples, StatisticsDocument.isShort(question.interval) { throw Self.withheld(short) }
    let document = try StatisticsDocument(question, in: store)
    if !givesSamples {
      if document.hasReadings {
        throw Self.withheld("recent and first are values of single samples")
      }
      if document.hasShortIntervals { throw Self.withheld(short) }
      if document.hasElements { throw Self.withheld("Rows of this question are single elements") }
    }
    try AssistantLimit.check(document.count)
    let sentences = document.sentences.isEmpty ? [] : [document.sentences.joined(separator: " ")]
    return [try Self.text(document.write)] + sentences
      + document.unmatchedSources.map {
        "No source of this type is called \"\($0.printable.truncated(to: 80))\"."
      }
  }

  private func analysis(
    named name: String, _ arguments: ToolArguments, from store: SampleStore
  ) throws -> AnswerView {
    let plan = try AnalysisPlan(json: Data(arguments.text), analysis: name)
    if !givesSamples, StatisticsDocument.isShort(plan.question.interval) {
      throw Self.withheld("Intervals shorter than an hour show single samples")
    }
    let answer = try store.analysis(plan)
    return try AnswerView(answer, notes: AnswerNotes.of(answer, in: store))
  }

  private func nights(_ arguments: ToolArguments, from store: SampleStore) throws -> AnswerView {
    let by = try arguments.text("by") ?? SleepCommand.Grouping.night.rawValue
    guard let grouping = SleepCommand.Grouping(rawValue: by) else {
      let known = SleepCommand.Grouping.allCases.map(\.rawValue)
      throw QueryError(
        .unknownWord(.interval, by, suggestions: NearNames.of(by, among: known), known: known))
    }
    let zones = try Self.zones(of: store)
    var plan = SleepPlan(timeZone: zones)
    let dates = try dates(arguments, in: zones, of: store)
    (plan.from, plan.to) = (dates.from, dates.to)
    let answer = try store.sleep(plan)
    return try SleepView(answer: answer).answerView(
      by: grouping.period, notes: try .of(answer, to: plan, in: store)
    ).asking(from: arguments.text("from"), to: arguments.text("to"))
  }

  private func workouts(
    _ arguments: ToolArguments, from store: SampleStore
  ) throws -> AnswerView {
    let question: WorkoutQuestion = try JSONDecoder().question(from: Data(arguments.text))
    guard let interval = question.interval else {
      return try WorkoutsCommand.view(
        of: question.activity, in: period(arguments, in: store), of: store,
        keepsRoutes: false, isBrief: !givesSamples, check: AssistantLimit.check
      ).answerView
    }
    let zones = try Self.zones(of: store)
    let plan = question.plan(
      of: try question.activity.map { try store.activity(named: $0) },
      over: try dates(arguments, in: zones, of: store), in: zones)
    let answer = try store.workouts(plan)
    let view = WorkoutTotalsView(
      answer: answer, units: try store.activityUnits(), interval: interval,
      activity: plan.activity)
    return try view.answerView(
      notes: .reach(of: plan.period, first: answer.starts.first, last: answer.ends.last)
    ).asking(from: arguments.text("from"), to: arguments.text("to"))
  }

  private func rings(_ arguments: ToolArguments, from store: SampleStore) throws -> AnswerView {
    let zones = try Self.zones(of: store)
    let view = try RingView(
      over: try dates(arguments, in: zones, of: store), zones: zones, of: store,
      units: try store.activityUnits())
    return try (arguments.truth("streaks") ? view.streaks : view.answerView)
      .asking(from: arguments.text("from"), to: arguments.text("to"))
  }

  private func samples(_ arguments: ToolArguments, from store: SampleStore) throws -> String {
    guard let name = try arguments.text("type") else { throw QueryError(.missingMember("type")) }
    let limit = try arguments.count("limit", upTo: AssistantLimit.rows)
    let selection = try OpenedStore(store: store, exportOffset: nil).selection(named: name)
    let period = try period(arguments, in: store)
    return try Self.text { output in
      var count = 0
      func checkSize() throws {
        // Without a limit of its own, a question for more is refused rather than cut.
        if limit == nil { try AssistantLimit.check(count) }
        guard output.gathered.count <= AssistantLimit.bytes else { throw AssistantLimit.tooLong }
      }
      let writer = JSONArrayExport(to: output, in: period.zones)
      try writer.begin()
      switch selection {
      case .samples(let type):
        let query = SampleQuery(
          types: [type], predicate: .overlaps(period.range), sort: [SampleSort(.start)],
          limit: limit ?? AssistantLimit.rows + 1)
        try store.forEachSample(query) { batch, rows in
          count += rows.count
          try writer.write(
            RecordedBatch(batch, rows, as: RecordedForm(unitName: nil, zone: period.zones)))
          try checkSize()
          return true
        }
      case .elements(let kind, let type):
        try store.forEachElement(of: kind, type: type, in: period, isNewestFirst: false) { batch in
          count += 1
          try writer.write(batch)
          try checkSize()
          return count < limit ?? .max
        }
      }
      try writer.end()
    }
  }
}

/// The types of a store for an assistant: days instead of moments.
struct TypeList {
  private let zones: ZoneTimeline
  private let types: [TypeSummary]
  private let sources: [String: [SourceSummary]]

  init(of store: SampleStore) throws {
    zones = try AssistantTools.zones(of: store)
    types = try store.typeRows().map(\.summary)
    sources = Dictionary(grouping: try store.sources(of: nil), by: \.type.identifier)
  }

  var answerView: AnswerView {
    let rows = AnswerRows(types)
    return AnswerView(
      AnswerTable(
        "types", list: "types", count: rows.count, zones: zones, head: HeadMember.zones(zones),
        [
          rows.word("type", \.type.identifier),
          rows.word("name") { TypeName.short($0.type.identifier) }, rows.count("count", \.count),
          rows.text("first") { day($0.firstStart) },
          // The last moment of a sample is the one before its end.
          rows.text("last") { day(max($0.lastEnd.nextDown, $0.lastStart)) },
          rows.word("unit", \.recordedUnit),
          rows.json("sources") { .array(names(of: $0.type).map(JSON.string)) },
        ]))
  }

  private func day(_ instant: Double) -> String { LocalTime(instant, in: zones).dateText }

  /// Those with the most samples first, each once.
  private func names(of type: SampleType) -> [String] {
    let summaries = (sources[type.identifier] ?? []).sorted {
      ($1.count, $0.source.description) < ($0.count, $1.source.description)
    }
    var names: [String] = []
    for name in summaries.map(\.source.description) where !names.contains(name) {
      names.append(name)
    }
    return names
  }
}
