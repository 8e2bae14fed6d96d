import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// What a person should know beside an answer; every form has a place for it.
struct AnswerNotes {
  /// Notes on what the answer covers beyond the question.
  var beside: [String] = []
  /// Why there is nothing, where nothing is.
  var absence: String?
  /// What there is none of, where there are data.
  var emptiness: String?

  /// All of them.
  private var all: [String] { (absence.map { [$0] } ?? []) + beside }

  /// Beside the header of json; nothing without notes.
  var members: [JSON.Member] {
    all.isEmpty ? [] : [.init("notes", .array(all.map { .string($0) }))]
  }

  /// What stands below a table or chart.
  var sentences: [String] { beside.map { $0.prefix(1).uppercased() + $0.dropFirst() } }

  /// Below a table or chart.
  func lines(style: TextStyle) -> [String] {
    sentences.flatMap(style.fitted).map(style.faint).afterBlank
  }

  /// In place of a table or chart that would have nothing to show.
  func lines(under title: String) -> [String] {
    [title, absence.map { "No data: \($0)" } ?? emptiness ?? "No data."]
  }

  /// For forms that have rows alone.
  func writeToStandardError() { for note in all { StandardError.note(note) } }
}

extension AnswerNotes {
  /// That intervals are left out; nothing where none is.
  init(
    leavingOut leftOut: [LeftOutInterval], by interval: CalendarInterval?, in zones: ZoneTimeline
  ) {
    beside = leftOut.sentence(by: interval, in: zones).map { [$0] } ?? []
  }

  /// The notes on the answer to a plan: why there is nothing, or how far it reaches.
  static func of(
    _ plan: StatisticsPlan, hasData: [Bool], starts: [Double], ends: [Double],
    averages: AverageColumns? = nil, in store: SampleStore
  ) throws -> AnswerNotes {
    guard let first = starts.first, let last = ends.last, hasData.contains(true) else {
      return AnswerNotes(
        absence: try absence(
          of: plan.type, in: store, from: plan.from, to: plan.to, zones: plan.timeZone))
    }
    return AnswerNotes(
      beside: [
        reach(of: plan, first: first, last: last),
        try later(than: plan.to, of: [plan.type], in: store, zones: plan.timeZone),
        averages?.leftOutSentence(in: plan.timeZone),
        try copies(
          of: [plan.type], in: store,
          from: plan.from?.instant ?? first, to: plan.to?.instant ?? last.nextUp),
      ].compactMap(\.self))
  }

  /// How many samples were taken for copies of others.
  private static func copies(
    of types: [SampleType], in store: SampleStore, from first: Double, to end: Double
  ) throws -> String? {
    guard first < end else { return nil }
    let count = try Set(types).reduce(0) { try $0 + store.copyCount(of: $1, in: first..<end) }
    guard count > 0 else { return nil }
    return AmountText.count(count, "copy of a sample", plural: "copies of samples")
      + " in the files, equal in all but the date of creation, \(count == 1 ? "is" : "are") left out."
  }

  /// Why there is nothing in an answer of several types, or of what is made of intervals, and what is
  /// left out of it.
  static func ofSeries(
    _ answer: QuestionAnswer, to question: Question, isAnalysed: Bool = false,
    in store: SampleStore
  ) throws -> AnswerNotes {
    guard let first = answer.columns.first?.series else { return AnswerNotes() }
    let zones = answer.timeZone
    let dates = try question.dates(in: zones, of: store)
    guard answer.columns.allSatisfy({ !$0.answer.hasData }) else {
      let types = answer.columns.map(\.series.type)
      let later = try later(than: dates.to, of: types, in: store, zones: zones)
      let leftOut = answer.columns.filter { isAnalysed || $0.derived != nil }.flatMap(\.leftOut)
      let copies =
        isAnalysed
        ? nil
        : try copies(
          of: types, in: store, from: dates.from?.instant ?? -.infinity,
          to: dates.to?.instant ?? .infinity)
      return AnswerNotes(
        beside: [later, leftOut.sentence(by: question.interval, in: zones), copies]
          .compactMap(\.self))
    }
    return AnswerNotes(
      absence: try absence(
        of: first.type, in: store, from: dates.from, to: dates.to, zones: zones))
  }

  /// Why there are no nights.
  static func of(
    _ answer: SleepAnswer, to plan: SleepPlan, in store: SampleStore
  ) throws -> AnswerNotes {
    guard !answer.nights.spans.contains(where: { $0 != nil }) else {
      let later = try later(than: plan.to, of: [SleepPlan.type], in: store, zones: plan.timeZone)
      let leftOut = answer.leftOut.sentence(by: CalendarInterval(.day), in: plan.timeZone)
      return AnswerNotes(beside: [later, leftOut].compactMap(\.self))
    }
    return AnswerNotes(
      absence: try absence(
        of: SleepPlan.type, in: store, from: plan.from, to: plan.to, zones: plan.timeZone))
  }

  /// That there are data of later days where a period ends with today.
  private static func later(
    than end: QueryDate?, of types: [SampleType], in store: SampleStore, zones: ZoneTimeline
  ) throws -> String? {
    guard let end, end.isLimit else { return nil }
    let sources = try Set(types).flatMap { try store.sources(of: $0) }
    guard let last = sources.map(\.lastStart).max(), last >= end.instant else { return nil }
    return "what begins after today is left out: the data go to \(date(last, in: zones)), and --to "
      + "says how far to go."
  }

  /// That intervals reach beyond the period of a plan.
  static func reach(of plan: StatisticsPlan, first: Double, last: Double) -> String? {
    reach(from: plan.from, to: plan.to, first, last, in: plan.timeZone).map {
      "\($0). --clip gives exactly the period."
    }
  }

  /// That intervals reach beyond the period of a question that does not cut them.
  static func reach(
    of question: Question, in zones: ZoneTimeline, of store: SampleStore, first: Double,
    last: Double
  ) throws(QueryError) -> String? {
    let dates = try question.dates(in: zones, of: store)
    return reach(from: dates.from, to: dates.to, first, last, in: zones).map {
      "\($0). --clip gives exactly the period."
    }
  }

  /// That intervals of elements reach beyond the period that was asked for.
  static func reach(of period: ElementPeriod, first: Double?, last: Double?) -> AnswerNotes {
    guard period.interval != nil else { return AnswerNotes() }
    return AnswerNotes(
      beside: reach(
        from: period.from, to: period.to, first: first, last: last, in: period.timeZone))
  }

  /// That intervals reach beyond a period.
  static func reach(
    from: QueryDate?, to: QueryDate?, first: Double?, last: Double?, in zones: ZoneTimeline
  ) -> [String] {
    let text = reach(from: from, to: to, first ?? .infinity, last ?? -.infinity, in: zones)
    return text.map { ["\($0)."] } ?? []
  }

  /// What begins before a period, and what ends after it; `nil` where all lies within.
  private static func reach(
    from: QueryDate?, to: QueryDate?, _ first: Double, _ last: Double, in zones: ZoneTimeline
  ) -> String? {
    var parts: [String] = []
    if let from, first < from.instant {
      parts.append("the first interval begins \(moment(first, in: zones)), before --from")
    }
    // An interval that holds today is not over.
    if let to, last > to.instant, !to.isLimit {
      parts.append("the last interval ends \(moment(last, in: zones)), after --to")
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// Why a type has nothing to answer: where its data lie, which sources have them, what deletions
  /// keep out.
  static func absence(
    of type: SampleType, in store: SampleStore, from: QueryDate?, to: QueryDate?,
    zones: ZoneTimeline
  ) throws -> String {
    let everything = store.choosing(SourceSelection())
    var parts = [
      try whereabouts(of: type, in: store, from: from, to: to, zones: zones)
    ]
    if !store.selection.isEverything, try store.sources(of: type).isEmpty,
      case let others = try everything.sources(of: type), !others.isEmpty
    {
      parts.append(
        "These have: \(others.map(\.source.description).joined(separator: ", ").printable).")
    }
    guard store.reader == nil else { return parts.joined(separator: " ") }
    let (first, last) = (from?.instant ?? -.infinity, to?.instant ?? .infinity)
    let deleted = try everything.keptOut(of: type).filter { sample in
      store.selection.contains(sample.source) && sample.start < last
        && (sample.end > first || sample.start >= first)
    }
    for (deletion, samples) in Dictionary(grouping: deleted, by: \.deletion)
      .sorted(by: { $0.key ?? 0 < $1.key ?? 0 })
    {
      guard let deletion else { continue }
      parts.append(
        "Your deletion \(deletion) keeps \(NumberText.grouped(samples.count)) out: hkstats restore "
          + "\(deletion) takes it back.")
    }
    return parts.joined(separator: " ")
  }

  /// Where the data of a type lie that have nothing to answer.
  private static func whereabouts(
    of type: SampleType, in store: SampleStore, from: QueryDate?, to: QueryDate?,
    zones: ZoneTimeline
  ) throws -> String {
    let name =
      TypeName.short(type.identifier)
      + (store.selection.isEverything ? "" : " of the chosen sources")
    let sources = try store.sources(of: type)
    guard let first = sources.map(\.firstStart).min(), let last = sources.map(\.lastEnd).max()
    else { return "there are no samples of \(name)." }
    // The last moment of a sample is the one before its end.
    let latest = max(last.nextDown, sources.map(\.lastStart).max() ?? last)
    let (begin, end) = (date(first, in: zones), date(latest, in: zones))
    if let from = from?.instant, from > latest { return "the data end on \(end)." }
    if let to = to?.instant, to <= first { return "the data begin on \(begin)." }
    return "there are no samples of \(name) in this period; the data go from \(begin) to \(end)."
  }

  private static func date(_ instant: Double, in zones: ZoneTimeline) -> String {
    LocalTime(instant, in: zones).dateText
  }

  private static func moment(_ instant: Double, in zones: ZoneTimeline) -> String {
    let time = LocalTime(instant, in: zones)
    return time.isMidnight ? time.dateText : time.momentText
  }
}

extension Question {
  /// The edges of its period.
  fileprivate func dates(
    in zones: ZoneTimeline, of store: SampleStore
  ) throws(QueryError) -> QueryPeriod {
    try QueryPeriod(from: from, to: to, in: zones, now: store.now.instant)
  }
}
