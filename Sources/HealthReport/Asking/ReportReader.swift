import Foundation
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits

/// Reads the numbers of a report in one state of a store: each is the answer to a question of the
/// library.
struct ReportReader {
  let store: SampleStore
  let plan: ReportPlan
  /// The moment of `today`.
  let now: Date
  let zones: ZoneTimeline
  let period: ReportPeriod
  let measures: [ReportMeasure]
  /// The units of workouts and rings, with distances in kilometres or miles.
  let activityUnits: ActivityUnits
  let words: Words
  let writer: NumberWriter
  let dates: DateWriter
  /// Called before each question with about which share of them is done: stops the report where it
  /// returns false.
  private let progress: (Double) -> Bool
  private let asked = QuestionCount()

  /// Finds out what there is to report.
  init(
    _ plan: ReportPlan, store: SampleStore, now: Date, progress: @escaping (Double) -> Bool
  ) throws(ReportError) {
    (self.plan, self.now, self.progress) = (plan, now, progress)
    (words, writer) = (Words.of(plan.language.base), NumberWriter(plan.language))
    self.store = store.at(Now(now))
    var question = try Self.known { () throws(QueryError) in try Question(types: []) }
    (question.timeZone, question.zones) = (plan.timeZone, plan.zones)
    let asked = question
    zones = try Self.known { () throws(QueryError) in try store.zones(of: asked) }
    (period, measures) = try Self.known { [zones] () throws(QueryError) in
      try store.reported(plan, zones: zones, now: now)
    }
    activityUnits = try Self.known { () throws(QueryError) in try store.activityUnits(of: plan) }
    dates = DateWriter(plan.language, last: period.last)
  }

  // MARK: - Questions

  /// Asks a question about one measure.
  func ask(
    _ measure: ReportMeasure, by interval: CalendarInterval.Alignment? = nil, from: CivilDate,
    to: CivilDate? = nil, _ change: (inout Question) -> Void = { _ in }
  ) throws(ReportError) -> Answer {
    var question = try Self.known { () throws(QueryError) in
      try Question(types: [], by: interval.map(CalendarInterval.init))
    }
    question.types = [measure.question]
    (question.from, question.to) = (from.text, (to ?? period.end).text)
    (question.timeZone, question.zones) = (plan.timeZone, plan.zones)
    change(&question)
    return try ask(question)
  }

  /// Asks a question about one type.
  func ask(_ question: Question) throws(ReportError) -> Answer {
    let answer = try read { () throws(QueryError) in try store.answer(question, now: now) }
    guard let column = answer.columns.first else {
      throw ReportError(.query(QueryError(.missingMember("type"))))
    }
    return Answer(ask: Ask(question), column: column)
  }

  /// Reads in the store, unless the caller has asked to stop.
  func read<Value>(_ body: () throws(QueryError) -> Value) throws(ReportError) -> Value {
    asked.count += 1
    // About nine questions a measure, and forty others.
    let share = Double(asked.count) / Double(measures.count * 9 + 40)
    guard progress(min(share, 1)) else { throw ReportError(.cancelled) }
    return try Self.known(body)
  }

  private static func known<Value>(
    _ body: () throws(QueryError) -> Value
  ) throws(ReportError) -> Value {
    do throws(QueryError) {
      return try body()
    } catch {
      throw ReportError(.query(error))
    }
  }

  /// How many questions were asked: readers are copied, their count is one.
  private final class QuestionCount {
    var count = 0
  }

  /// The answer to a question about one type.
  struct Answer {
    let ask: Ask
    let column: QuestionAnswer.Column

    /// The main numbers.
    var series: IntervalSeries { column.series }

    /// How the numbers are distributed, where that was asked.
    var spread: IntervalSpread? {
      guard case .spread(let spread)? = column.derived else { return nil }
      return spread
    }
  }
}

extension ReportReader {
  /// The dates of instants in the zones of the report.
  func date(_ instant: Double) -> CivilDate { LocalTime(instant, in: zones).date }
}

extension SampleStore {
  /// The period of a report and its measures, which have data in it.
  fileprivate func reported(
    _ plan: ReportPlan, zones: ZoneTimeline, now: Date
  ) throws(QueryError) -> (ReportPeriod, [ReportMeasure]) {
    let instant = now.timeIntervalSinceReferenceDate
    let today = LocalTime(instant, in: zones).date
    func edge(_ text: String?) throws(QueryError) -> Double? {
      guard let text else { return nil }
      return try QueryDate(text, in: zones, now: instant, boundsPeriod: true).instant
    }
    let edges = (from: try edge(plan.from), to: try edge(plan.to))
    if let from = edges.from, let to = edges.to, from >= to {
      throw QueryError(.emptyPeriod(from: from, to: to))
    }
    let from = edges.from.map { LocalTime($0, in: zones).date }
    let to = edges.to.map { LocalTime($0, in: zones).date }
    let stored: [TypeSummary] = try stored { () throws(StoreError) in try types() }
    let (questions, units) = (try questions(of: plan), try units(of: plan))
    var spans: [(first: CivilDate, last: CivilDate, TypeQuestion, SampleType)] = []
    for question in questions {
      var question = question
      guard let (type, unit) = try typeAndUnit(of: question),
        let known = stored.first(where: { $0.type.identifier == type.identifier })
      else { continue }
      question.unit = unit ?? units[type.identifier]
      let last = min(max(known.lastEnd.nextDown, known.lastStart), instant)
      let span = (
        LocalTime(known.firstStart, in: zones).date, LocalTime(last, in: zones).date, question, type
      )
      // One type and part may have several names; each would be a card of its own.
      if let place = spans.firstIndex(where: { $0.3 == type && $0.2.part == question.part }) {
        spans[place] = span
      } else {
        spans.append(span)
      }
    }
    var days = spans.map { ($0.first, $0.last) }
    if plan.types.isEmpty {
      let others = try spansOfOthers(stored, hasMeasures: !spans.isEmpty, zones)
      days += others.map { others in
        let last = min(max(others.end.nextDown, others.start), instant)
        return (LocalTime(others.start, in: zones).date, LocalTime(last, in: zones).date)
      }
    }
    let lastDay = days.map(\.1.dayNumber).max() ?? today.dayNumber
    let end = min(to?.dayNumber ?? .max, lastDay + 1)
    if let from, from.dayNumber >= end {
      let last = CivilDate(dayNumber: max(from.dayNumber + 1, to?.dayNumber ?? .min))
      return (
        ReportPeriod(
          first: from, end: last, wholeEnd: last, isToEndOfData: false, today: today,
          askedFirst: from, askedEnd: to), []
      )
    }
    // Without data before its end it begins where it was asked for.
    let firstDay = days.map(\.0.dayNumber).min().flatMap { $0 < end ? $0 : nil }
    let earliest = max(
      from?.dayNumber ?? .min, firstDay ?? from?.dayNumber ?? end - 1, end - ReportPeriod.longest)
    let told = try self.stored { () throws(StoreError) in try toldTime(until: instant) }
    let asked = plan.types.isEmpty ? Array(told.keys) : spans.map(\.3.identifier)
    let toldEnd = asked.flatMap { told[$0] ?? [] }.map(\.upperBound).max() ?? instant
    var period = ReportPeriod(
      first: CivilDate(dayNumber: min(earliest, end - 1)), end: CivilDate(dayNumber: end),
      wholeEnd: LocalTime(min(instant, toldEnd), in: zones).date,
      isToEndOfData: end == lastDay + 1, today: today, askedFirst: from, askedEnd: to)
    period.skipped = zones.skippedDays(in: (end - ReportPeriod.days - 2)..<end)
    var measures: [ReportMeasure] = []
    for (first, last, question, type) in spans
    where first.dayNumber < end && last.dayNumber >= period.first.dayNumber {
      var unit = question.unit
      if unit == nil {
        unit = try self.stored { () throws(StoreError) in try outputUnit(of: type) }
      }
      if let measure = ReportMeasure(question, type, unit: unit, plan.language.base) {
        measures.append(measure)
      }
    }
    let families = Measure.Family.allCases
    func rank(_ measure: ReportMeasure) -> (Int, Int, String) {
      (families.firstIndex(of: measure.family) ?? 0, measure.measure.order, measure.id)
    }
    measures.sort { rank($0) < rank($1) }
    return (period, measures)
  }

  /// When there are workouts; without any measure also when there is anything else.
  private func spansOfOthers(
    _ types: [TypeSummary], hasMeasures: Bool, _ zones: ZoneTimeline
  ) throws(QueryError) -> [(start: Double, end: Double)] {
    let workouts = try stored { () throws(StoreError) in try self.workouts() }.rows
    var spans = workouts.map { (start: $0.facts.start, end: $0.facts.end) }
    guard !hasMeasures else { return spans }
    spans += types.map { ($0.firstStart, $0.lastEnd) }
    let all = ElementPeriod(timeZone: zones)
    for answer in [
      try medications(MedicationPlan(all)), try labResults(LabPlan(all)),
      try electrocardiograms(ElectrocardiogramPlan(all)),
    ] {
      guard let start = answer.starts.first, let end = answer.ends.last else { continue }
      spans.append((start, end))
    }
    return spans
  }

  /// What a plan asks for, equal questions once; of one type with two units the last one counts.
  ///
  /// A type is shown with the statistics that fit it, so that a question for one of them is refused.
  private func questions(of plan: ReportPlan) throws(QueryError) -> [TypeQuestion] {
    guard plan.types.isEmpty else {
      var questions: [TypeQuestion] = []
      var known: Set<TypeQuestion> = []
      for text in plan.types {
        var question = try TypeQuestion(text)
        if question.isOfNights, question.part == nil { question.part = NightPart.asleep.rawValue }
        if let part = question.part, !question.isOfNights || part != NightPart.asleep.rawValue {
          throw QueryError(
            .memberDoesNotFit("part", try typeAndUnit(of: question)?.0 ?? SleepPlan.type))
        }
        if known.insert(question).inserted { questions.append(question) }
      }
      return questions
    }
    let types = try stored { () throws(StoreError) in try self.types() }.map(\.type)
    guard
      types.contains(where: { type in
        if case .quantity = type.kind { true } else { type == SleepPlan.type }
      })
    else { return [] }
    // One of each type: parts of nights stand together in their section.
    return try analysedTypes().filter { $0.part == nil || $0.part == NightPart.asleep.rawValue }
  }

  /// The units that a plan chooses, by the identifiers of their types.
  func units(of plan: ReportPlan) throws(QueryError) -> [String: String] {
    var units: [String: String] = [:]
    for text in plan.units {
      let question = try TypeQuestion(text)
      guard !question.isOfNights, let (type, unit) = try typeAndUnit(of: question) else {
        throw QueryError(.memberDoesNotFit("unit", SleepPlan.type))
      }
      guard let unit else { throw QueryError(.missingMember("unit")) }
      units[type.identifier] = unit
    }
    return units
  }

  /// The units of workouts and rings: those of distances and active energy, as the plan chooses them.
  fileprivate func activityUnits(of plan: ReportPlan) throws(QueryError) -> ActivityUnits {
    let chosen = try units(of: plan)
    let names = [SampleType(.distanceWalkingRunning), SampleType(.activeEnergyBurned)]
      .compactMap { chosen[$0.identifier] }
    let units = try activityUnits(named: names)
    return try activityUnits(
      named: [units.splitLength.rawValue, units.energy.shortDescription])
  }

  /// The type that a question names, and its unit as UCUM writes it.
  private func typeAndUnit(
    of question: TypeQuestion
  ) throws(QueryError) -> (SampleType, unit: String?)? {
    guard !question.isOfNights else { return (SleepPlan.type, nil) }
    var asked = try Question(types: [])
    asked.types = [question]
    return try plan(of: asked, for: question).map { ($0.type, $0.unit?.description) }
  }
}
