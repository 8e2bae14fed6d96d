import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore

/// Reads the numbers of an analysis in a store.
struct AnalysisReader {
  fileprivate let plan: AnalysisPlan
  private let reader: QuestionReader
  /// Whether the plan names no types.
  fileprivate let isOfAllTypes: Bool
  /// The start of the period that was asked for; earlier intervals are only looked back at.
  fileprivate let start: Double

  /// Reads a plan; one that ends today had no period of its own.
  init(
    _ plan: AnalysisPlan, endsToday: Bool = false, store: SampleStore, now: Double
  ) throws(QueryError) {
    var plan = plan
    let parameters = plan.method.parameters
    for type in plan.question.types {
      // One number an interval.
      guard let statistics = type.statistics, statistics.count > 1 else { continue }
      throw QueryError(.membersExclude(statistics[0].rawValue, statistics[1].rawValue))
    }
    isOfAllTypes = plan.question.types.isEmpty
    try plan.nameTypes(in: store, now: now)
    var reader = try plan.reader(in: store, now: now)
    if endsToday { try reader.endToday() }
    if let from = reader.from, let to = reader.to, from.instant >= to.instant {
      throw QueryError(.emptyPeriod(from: from.instant, to: to.instant))
    }
    start = reader.from?.instant ?? -.infinity
    self.plan = plan
    let back = Double(parameters.lookBack) * (plan.question.interval?.meanSeconds ?? 0)
    if back > 0, let from = reader.from {
      let first = max(QueryDate.range.lowerBound, from.instant - back)
      reader = reader.beginning(QueryDate(instant: first, alignsIntervals: true))
    }
    self.reader = reader
  }

  /// Reads the numbers, and finds what is made of them.
  func answer(
    _ find: (AnalysedNumbers) throws(QueryError) -> AnalysisAnswer.Results
  ) throws(QueryError) -> AnalysisAnswer {
    let numbers = try reader.answer()
    let found = try find(
      AnalysedNumbers(
        reader: self, columns: numbers.columns,
        subjects: numbers.columns.map { $0.analysed(by: plan.question.interval) }))
    return AnalysisAnswer(plan: plan, numbers: numbers, results: found)
  }

  /// Who recorded most of each interval of a quantity; `nil` for one source, and for other types.
  fileprivate func sources(of column: QuestionAnswer.Column) throws(QueryError) -> SourcesOfRows? {
    guard case .quantity = column.answer, column.series.count > 0,
      var plan = try reader.plan(of: column.question)
    else { return nil }
    let known = try reader.store.stored { () throws(StoreError) in
      try reader.store.sources(of: column.series.type)
    }
    guard known.count > 1 else { return nil }
    plan.boundaries = Boundaries(
      ascendingEdges: column.series.starts + column.series.ends.suffix(1))
    (plan.interval, plan.from, plan.to, plan.anchor) = (nil, nil, nil, nil)
    (plan.clips, plan.average, plan.separatesSources) = (false, nil, true)
    plan.statistics = [.count]
    let answer = try reader.store.statistics(plan)
    let ids = (0..<column.series.count).map { row in
      let counts = answer.sources.map { $0.intervals.hasData[row] ? $0.intervals.counts[row] : 0 }
      let most = counts.max() ?? 0
      return counts.firstIndex(of: most) ?? 0
    }
    return SourcesOfRows(sources: answer.sources.map(\.source), ids: ids)
  }
}

/// The numbers of an analysis, a column for each type.
struct AnalysedNumbers {
  fileprivate let reader: AnalysisReader
  /// The columns of the answer.
  let columns: [QuestionAnswer.Column]
  /// What is analysed of each column.
  let subjects: [AnalysedSeries]

  /// Whether the plan names no types.
  var areOfAllTypes: Bool { reader.isOfAllTypes }

  /// The intervals of the question.
  var interval: CalendarInterval? { reader.plan.question.interval }

  /// What is found of each type, or why nothing is.
  ///
  /// - Throws: `QueryError` for a parameter that does not fit, which concerns all types
  func each<Finding>(
    _ find: (AnalysedSeries) throws(AnalysisError) -> Finding
  ) throws(QueryError) -> [Result<Finding, AnalysisError>] {
    try each(with: subjects) { subject, _ throws(AnalysisError) in try find(subject) }
  }

  /// What is found of each type with what else there is of it, such as its column.
  ///
  /// - Throws: `QueryError` for a parameter that does not fit, which concerns all types
  func each<Other, Finding>(
    with others: [Other], _ find: (AnalysedSeries, Other) throws(AnalysisError) -> Finding
  ) throws(QueryError) -> [Result<Finding, AnalysisError>] {
    var results: [Result<Finding, AnalysisError>] = []
    for (subject, other) in zip(subjects, others) {
      do throws(AnalysisError) {
        results.append(.success(try find(subject, other)))
      } catch {
        switch error.reason {
        case .parameter, .confidenceOutOfRange: throw QueryError(.analysis(error))
        default: results.append(.failure(error))
        }
      }
    }
    return results
  }

  /// The rows of each type in the period that was asked for.
  func rows(of subject: AnalysedSeries) -> Range<Int> {
    let first = subject.series.ends.firstIndex { $0 > reader.start } ?? subject.series.count
    return first..<subject.series.count
  }

  /// Who recorded most of each interval of each type; `nil` for one source, and for other types.
  func sources() throws(QueryError) -> [SourcesOfRows?] {
    var sources: [SourcesOfRows?] = []
    for column in columns { sources.append(try reader.sources(of: column)) }
    return sources
  }
}

extension AnalysisPlan {
  /// Gives the question the intervals of its method, and all types, where it names none.
  ///
  /// - Throws: `QueryError`
  mutating func nameTypes(in store: SampleStore, now: Double) throws(QueryError) {
    question.interval = question.interval ?? method.parameters.defaultInterval
    guard question.types.isEmpty else { return }
    let asked = try QuestionReader(question, store: store, now: now)
    question.types = try asked.store.analysedTypes()
  }

  /// Lets the question begin with the first of the last days of its method where it names no
  /// beginning.
  ///
  /// - Returns: whether it begins by default
  /// - Throws: `QueryError`
  @discardableResult
  mutating func beginByDefault(
    in store: SampleStore, now: Double
  ) throws(QueryError) -> Bool {
    guard question.from == nil,
      let days = method.parameters.defaultDays(by: question.interval)
    else { return false }
    guard
      let first = try QuestionReader(question, store: store, now: now)
        .firstDay(ofLast: days, for: method, now: now)
    else { return false }
    begin(byDefault: first)
    return true
  }

  /// The reader of the question; a question that begins by default ends today.
  ///
  /// - Throws: `QueryError`
  mutating func reader(in store: SampleStore, now: Double) throws(QueryError) -> QuestionReader {
    let isByDefault = try beginByDefault(in: store, now: now)
    var reader = try QuestionReader(question, store: store, now: now)
    if isByDefault { try reader.endToday() }
    return reader
  }
}

extension QuestionReader {
  /// The first of the last days before the end of the period, as a date; `nil` without data.
  fileprivate func firstDay(
    ofLast count: Int, for method: AnalysisMethod, now: Double
  ) throws(QueryError) -> String? {
    guard let end = try end(for: method, now: now) else { return nil }
    let last = LocalTime(end.nextDown, in: zones).date
    return LocalTime.text(of: CivilDate(dayNumber: last.dayNumber + 1 - count))
  }

  /// The end of the period: that of the question, else of the data of its types, or of all types
  /// where it names none, at most today; `nil` without data.
  ///
  /// Heartbeats are no samples of a type.
  private func end(for method: AnalysisMethod, now: Double) throws(QueryError) -> Double? {
    if let to, !to.isLimit { return to.instant }
    if case .hrv = method {
      return try store.heartbeatSpan().map { min($0.upperBound.nextUp, now) }
    }
    var asked: Set<String> = []
    for type in question.types {
      asked.insert(try plan(of: type)?.type.identifier ?? SleepPlan.type.identifier)
    }
    let types = try store.stored { () throws(StoreError) in try store.types() }
    let last = types.filter { asked.isEmpty || asked.contains($0.type.identifier) }
      .map { max($0.lastEnd, $0.lastStart.nextUp) }.max()
    return last.map { min($0, now) }
  }
}
