import Foundation
import HealthMerge
package import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits

/// Reads a question in a store.
struct QuestionReader {
  let question: Question
  private(set) var store: SampleStore
  let zones: ZoneTimeline
  let now: Double
  private(set) var from: QueryDate?
  private(set) var to: QueryDate?
  private let anchor: QueryDate?

  init(_ question: Question, store: SampleStore, now: Double) throws(QueryError) {
    let question = question.withInterval
    try question.checkMembers()
    self.question = question
    self.now = now
    let zones = try store.zones(of: question)
    self.zones = zones
    let period = try QueryPeriod(from: question.from, to: question.to, in: zones, now: now)
    (from, to) = (period.from, period.to)
    anchor =
      if let text = question.anchor { try QueryDate(text, in: zones, now: now) } else { nil }
    let chosen = try store.choosingSources(of: question)
      .at(Now(Date(timeIntervalSinceReferenceDate: now)))
    self.store = chosen
    if question.derivation == .gaps, to?.isLimit ?? true {
      // What ended early has a gap after it: up to the last sample of any type.
      let types = try chosen.stored { () throws(StoreError) in try chosen.types() }
      let last = types.map { max($0.lastEnd.nextDown, $0.lastStart) }.max()
      to =
        to?.end(ofDataEnding: last?.nextUp)?.whereverDataEnd
        ?? last.map { QueryDate(instant: $0.nextUp) }
    }
  }

  // MARK: - Names

  /// The part of nights; `nil` for another type.
  private func nightPart(of type: TypeQuestion) throws(QueryError) -> NightPart? {
    guard type.isOfNights else { return nil }
    guard let part = type.part else { return .asleep }
    guard let known = NightPart(rawValue: part) else {
      let names = NightPart.allCases.map(\.rawValue)
      throw QueryError(
        .unknownWord(
          .nightPart, part, suggestions: NearNames.of(part, among: names), known: names))
    }
    return known
  }

  // MARK: - Plans

  func plan(of asked: TypeQuestion) throws(QueryError) -> StatisticsPlan? {
    guard try nightPart(of: asked) == nil else { return nil }
    let type = try store.sampleType(named: asked.name)
    var plan = StatisticsPlan(type: type, timeZone: zones)
    (plan.interval, plan.from, plan.to, plan.anchor) = (question.interval, from, to, anchor)
    // One row has exactly the period that was asked for.
    let isOnePeriod = question.interval == nil && (from != nil || to != nil)
    (plan.clips, plan.average) = (question.clips || isOnePeriod, question.average)
    plan.statistics = try asked.namedStatistics
    (plan.policy, plan.preferredSources) = (asked.policy, asked.preferredSources)
    plan.style = question.style
    if let hold = question.hold { plan.hold = hold }
    plan.separatesSources = question.separatesSources
    (plan.explains, plan.isExact) = (question.explains, question.isExact)
    plan.unit = try asked.unit(of: type)
    guard case .category = type.kind else { return plan }
    for (member, isGiven) in [
      ("unit", asked.unit != nil), ("exact", plan.isExact), ("style", plan.style != nil),
      ("hold", question.hold != nil), ("per", plan.average != nil),
    ] where isGiven {
      throw QueryError(.memberDoesNotFit(member, type))
    }
    for statistic in plan.statistics ?? [] where statistic != .duration && statistic != .count {
      throw QueryError(.notOfCategories(statistic, type))
    }
    return plan
  }

  // MARK: - Answers

  /// One type with all that it takes to ask it again over other intervals.
  enum Source {
    case plan(StatisticsPlan)
    case nights(NightPart, SleepPlan)
  }

  /// Nights as they were read, and the intervals of the question that hold them.
  private struct Nights {
    let answer: SleepAnswer
    let boundaries: Boundaries?

    func of(_ part: NightPart, named name: String) -> (TypeAnswer, IntervalSeries) {
      (.nights(answer), answer.series(of: part, named: name, over: boundaries))
    }
  }

  func answer() throws(QueryError) -> QuestionAnswer {
    try checkIntervals()
    var sources: [Source] = []
    for type in question.types { sources.append(try source(of: type)) }
    if sources.count > 1, from == nil || to?.isLimit ?? true { try align(&sources) }
    let rules = try store.wholeIntervals(at: now)
    var columns: [QuestionAnswer.Column] = []
    // Parts of nights are of the same nights: these are read once for each order of sources.
    var known: [[String]: Nights] = [:]
    for (place, (type, source)) in zip(question.types, sources).enumerated() {
      let part = reading(place, of: sources.count)
      let (first, last) =
        asksTwice ? (part.reading(0, of: 2), part.reading(1, of: 2)) : (part, part)
      let (answer, series): (TypeAnswer, IntervalSeries)
      if case .nights(let part, let plan) = source {
        let nights =
          if let read = known[plan.preferredSources] { read } else { try first.nights(plan) }
        known[plan.preferredSources] = nights
        (answer, series) = nights.of(part, named: type.label)
      } else {
        (answer, series) = try first.ask(source, named: type.label)
      }
      let rule = rules(series.type)
      let lacks = rule.lacks(
        of: series, counts: answer.sampleCounts, isCut: try isCut(series),
        isOfWholeDays: question.derivation == .group(.hour) && series.isOfHours)
      let made = try last.derived(from: series, answer, lacks, of: source, by: rule)
      columns.append(
        QuestionAnswer.Column(
          question: type, answer: answer, series: made.series, derived: made.derived,
          lacks: made.lacks))
    }
    try store.stored { () throws(StoreError) in try store.endWatching() }
    return QuestionAnswer(timeZone: zones, columns: columns)
  }

  /// Whether what is made of intervals asks for others besides.
  private var asksTwice: Bool {
    switch question.derivation {
    case .rolling, .compared: true
    default: false
    }
  }

  /// Lets the question end with today where it names no end.
  mutating func endToday() throws(QueryError) {
    if to == nil { to = try QueryDate.endOfToday(in: zones, now: now) }
  }

  /// A reader of the same question about intervals from another date on.
  func beginning(_ date: QueryDate?) -> QuestionReader {
    var reader = self
    reader.from = date
    return reader
  }

  /// A reader of the same question whose reads are one of some parts of the whole.
  private func reading(_ part: Int, of count: Int) -> QuestionReader {
    var reader = self
    reader.store = store.part(part, of: count)
    return reader
  }

  private func checkIntervals() throws(QueryError) {
    guard case .group(let group) = question.derivation, let interval = question.interval,
      interval.meanSeconds > CalendarInterval(group.longest).meanSeconds
    else { return }
    throw QueryError(.groupDoesNotFit(group))
  }

  private func source(of type: TypeQuestion) throws(QueryError) -> Source {
    if let plan = try plan(of: type) { return .plan(plan) }
    guard let part = try nightPart(of: type) else { throw QueryError(.missingMember("type")) }
    for (member, isGiven) in [
      ("unit", type.unit != nil), ("stat", type.statistics != nil), ("exact", question.isExact),
      ("style", question.style != nil), ("hold", question.hold != nil),
      ("per", question.average != nil), ("merge", type.policy != .healthKit),
    ] where isGiven {
      throw QueryError(.memberDoesNotFit(member, SleepPlan.type))
    }
    if let interval = question.interval, interval.seconds > 0 { throw QueryError(.nightsNeedDays) }
    var plan = SleepPlan(timeZone: zones)
    (plan.from, plan.to, plan.preferredSources) = (from, to, type.preferredSources)
    return .nights(part, plan)
  }

  /// Gives all types the period from the first sample of any to the last, where the question has
  /// none.
  ///
  /// A night belongs to the day on which it ends, also the first one.
  private func align(_ sources: inout [Source]) throws(QueryError) {
    var (first, last) = (Double.infinity, -Double.infinity)
    var firstNight: Double?
    for source in sources {
      let type = if case .plan(let plan) = source { plan.type } else { SleepPlan.type }
      let known = try store.stored { () throws(StoreError) in try store.sources(of: type) }
      guard let span = SampleSpan(of: known) else { continue }
      if case .nights(_, let plan) = source, from == nil, firstNight == nil {
        firstNight = try store.sleep(plan).nights.days.first
      }
      let start = type == SleepPlan.type ? firstNight : nil
      first = min(first, max(span.firstStart, start ?? span.firstStart))
      last = max(last, span.end)
    }
    guard first < last else { return }
    var lower = from ?? QueryDate(instant: first, alignsIntervals: true)
    let end = to?.end(ofDataEnding: last)
    // One end for all types, wherever the data of each end.
    var upper = end?.whereverDataEnd ?? QueryDate(instant: max(last, lower.instant.nextUp))
    if question.clips, question.interval != nil {
      // Only a date of the question cuts an interval.
      let whole = try intervals(from: lower, to: upper).edges
      if from == nil, let edge = whole.first {
        lower = QueryDate(instant: edge, alignsIntervals: true)
      }
      if end == nil, let edge = whole.last { upper = QueryDate(instant: edge) }
    }
    for index in sources.indices {
      switch sources[index] {
      case .plan(var plan):
        (plan.from, plan.to) = (lower, upper)
        sources[index] = .plan(plan)
      case .nights(let part, var plan):
        (plan.from, plan.to) = (lower, upper)
        sources[index] = .nights(part, plan)
      }
    }
  }

  func ask(
    _ source: Source, named name: String, over boundaries: Boundaries? = nil
  ) throws(QueryError) -> (TypeAnswer, IntervalSeries) {
    switch source {
    case .plan(var plan):
      if let boundaries {
        plan.boundaries = boundaries
        (plan.interval, plan.from, plan.to, plan.anchor) = (nil, nil, nil, nil)
        plan.clips = false
      }
      guard case .category = plan.type.kind else {
        let answer = try store.statistics(plan)
        return (.quantity(answer), answer.series(named: name))
      }
      let answer = try store.categoryStatistics(plan)
      return (
        .category(answer), answer.series(named: name, counts: plan.statistics?.first == .count)
      )
    case .nights(let part, let plan):
      return try nights(plan, over: boundaries).of(part, named: name)
    }
  }

  /// The nights of intervals; those of the question where none are given, and its intervals whole.
  private func nights(
    _ plan: SleepPlan, over boundaries: Boundaries? = nil
  ) throws(QueryError) -> Nights {
    var (plan, boundaries) = (plan, boundaries)
    if boundaries == nil, let from = plan.from, let to = plan.to, !to.endsWithData,
      from.instant < to.instant
    {
      boundaries = clipped(try intervals(from: from, to: to), to: plan)
    }
    // Whole intervals have the nights that lie beyond the period, too.
    if let edges = boundaries?.edges, let first = edges.first, let last = edges.last {
      let end = plan.to.flatMap { $0.isLimit && $0.instant < last ? $0 : nil }
      (plan.from, plan.to) = (QueryDate(instant: first), end ?? QueryDate(instant: last))
    }
    let answer = try store.sleep(plan)
    if let boundaries { return Nights(answer: answer, boundaries: boundaries) }
    guard let first = answer.nights.days.first, let last = answer.nights.days.last else {
      return Nights(answer: answer, boundaries: nil)
    }
    let whole = try intervals(
      from: plan.from ?? QueryDate(instant: first, alignsIntervals: true),
      to: plan.to?.end(ofDataEnding: last.nextUp) ?? QueryDate(instant: last.nextUp))
    let own = clipped(whole, to: plan)
    let (lower, upper) = (own.edges.first ?? first, own.edges.last ?? last)
    let reachesBefore = plan.from.map { lower < $0.instant } ?? false
    let reachesAfter = plan.to.map { upper > $0.instant } ?? false
    if reachesBefore || reachesAfter { return try nights(plan, over: own) }
    return Nights(answer: answer, boundaries: own)
  }

  /// Intervals of nights, cut at the dates of a plan where the question ends exactly there.
  ///
  /// A night counts in the interval in which its day begins.
  private func clipped(_ whole: Boundaries, to plan: SleepPlan) -> Boundaries {
    guard question.clips else { return whole }
    let (lower, upper) = (plan.from?.instant ?? -.infinity, plan.to?.instant ?? .infinity)
    return whole.cut(from: lower, to: upper) ?? whole
  }

  /// The intervals of the question from one date to another, which are whole; one without intervals.
  func intervals(
    from lower: QueryDate, to upper: QueryDate
  ) throws(QueryError) -> Boundaries {
    guard let interval = question.interval else {
      let end = max(upper.instant, lower.instant.nextUp)
      return Boundaries(ascendingEdges: [lower.instant, end])
    }
    return try interval.boundaries(from: lower, to: upper, anchor: anchor, in: zones)
  }

  // MARK: - What is made of intervals

  /// What the question makes of intervals, of those that count alone.
  private func derived(
    from series: IntervalSeries, _ answer: TypeAnswer, _ lacks: [Int: WholeIntervals.Lack],
    of source: Source, by rule: WholeIntervals
  ) throws(QueryError) -> (
    series: IntervalSeries, derived: QuestionAnswer.Derived?, lacks: [Int: WholeIntervals.Lack]
  ) {
    let whole = series.without(lacks)
    let derived: QuestionAnswer.Derived
    switch question.derivation {
    case nil: return (series, nil, lacks)
    case .group(let group):
      let endsWithData = to?.endsWithData ?? true
      let days = group == .hour && endsWithData ? whole.throughLastDay() : whole
      derived = .groups(days.grouped(by: group))
    case .rolling(let width):
      var longer = whole
      if let (answer, earlier) = try earlier(series, by: width - 1, of: source) {
        longer = earlier.without(
          rule.lacks(
            of: earlier, counts: answer.sampleCounts, isCut: (false, try isCut(series).last)))
      }
      derived = .rolling(Array(longer.rolling(width).suffix(series.count)))
    case .top(let count, let least): derived = .rows(whole.top(count, least: least))
    case .bounded(let bounds):
      var (lower, upper) = (-Double.infinity, Double.infinity)
      if let text = bounds.lower { lower = try series.number(of: text) }
      if let text = bounds.upper { upper = try series.number(of: text) }
      let isMet: (Double) -> Bool = { $0 >= lower && $0 < upper }
      derived =
        bounds.findsStreaks
        ? .streaks(whole.streaks(where: isMet)) : .rows(whole.rows(where: isMet))
    case .gaps:
      // What is not over has no gap yet.
      let over = series.keeping(0..<(series.ends.firstIndex { $0 > now } ?? series.count))
      return (over, .gaps(over.gaps()), [:])
    case .spread:
      derived = .spread(IntervalSpread(of: whole.values, leavingOut: lacks.count))
    case .compared(let comparison):
      let (cut, others) = try compared(series, with: comparison, of: source, by: rule)
      // What is compared up to a day is whole up to it.
      let lacks = lacks.filter { others[$0.key] == nil }
      return (cut, .compared(others), lacks)
    }
    return (series, derived, lacks)
  }

  /// Whether the period cuts the first and the last of the intervals.
  func isCut(_ series: IntervalSeries) throws(QueryError) -> (first: Bool, last: Bool) {
    guard question.clips, question.interval != nil, let first = series.starts.first,
      let last = series.ends.last
    else { return (false, false) }
    let whole = try intervals(
      from: from ?? QueryDate(instant: first, alignsIntervals: true),
      to: to ?? QueryDate(instant: last)
    ).edges
    return (whole.first.map { $0 < first } ?? false, whole.last.map { $0 > last } ?? false)
  }

  /// The series with intervals before its first, where a date of the question cuts them off; `nil`
  /// where there are none.
  func earlier(
    _ series: IntervalSeries, by count: Int, of source: Source
  ) throws(QueryError) -> (TypeAnswer, IntervalSeries)? {
    guard from != nil, count > 0, let interval = question.interval, let first = series.starts.first,
      let last = series.ends.last
    else { return nil }
    let reach = first - (Double(count) + 2) * interval.meanSeconds
    guard QueryDate.range.contains(reach) else { return nil }
    let grid = IntervalGrid(
      interval, anchor: anchor?.instant ?? from?.instant ?? first,
      alignment: anchor == nil && from?.alignsIntervals ?? false ? interval.alignment : nil,
      zones: zones, range: reach...last)
    let index = grid.index(containing: first)
    guard let before = grid.boundaries((index - count)...(index - 1))?.edges else { return nil }
    let edges = before.filter { $0 < first } + series.starts + [last]
    return try ask(source, named: series.name, over: Boundaries(ascendingEdges: edges))
  }
}

extension IntervalSeries {
  /// The number that a person means by a bound, in the unit of the series.
  ///
  /// Without a unit it is in the unit shown; times need one.
  package func number(of text: String) throws(QueryError) -> Double {
    if let seconds = QuestionWords.secondsInParts(text),
      let conversion = try? UnitConversion(from: .seconds, to: unit)
    {
      return conversion(seconds)
    }
    guard let (digits, name) = DisplayUnit.parts(of: text),
      name.isEmpty == false || unit != .seconds
    else { throw QueryError(.unreadableBound(text)) }
    let isOfType = unit != .seconds && unit != .percent && type.canonicalUnit != nil
    let named =
      name.isEmpty
      ? unit : try? isOfType ? type.unit(colloquial: name) : UnitExpression(colloquial: name)
    guard let named, let number = DisplayUnit(named).stored(digits),
      let conversion = try? UnitConversion(from: named, to: unit)
    else { throw QueryError(.unreadableBound(text)) }
    return conversion.converted([number])[0]
  }
}

extension TypeQuestion {
  /// The statistics that its name says, else those of the question; the defaults when `nil`.
  var namedStatistics: [Statistic]? {
    get throws(QueryError) { try part.map(QuestionWords.statistics) ?? statistics }
  }

  /// The unit that it names, which must be one of the type.
  func unit(of type: SampleType) throws(QueryError) -> UnitExpression? {
    guard let text = unit else { return nil }
    do throws(UnitError) {
      return try type.unit(colloquial: text)
    } catch {
      throw QueryError(.unit(error, named: text, of: type))
    }
  }
}

extension SampleStore {
  /// The type of a name, of the catalogue or of the store.
  func sampleType(named name: String) throws(QueryError) -> SampleType {
    if let type = Catalogue.type(name) { return type }
    let stored = try stored { () throws(StoreError) in try types() }.map(\.type)
    do throws(CatalogueError) {
      return try Catalogue.type(named: name, besides: stored)
    } catch {
      throw QueryError(.unknownType(error.name, suggestions: error.suggestions))
    }
  }
}
