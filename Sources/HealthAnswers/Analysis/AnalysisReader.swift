import HealthAnalysis
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore

/// Reads the numbers of an analysis in a store.
struct AnalysisReader {
  private let plan: AnalysisPlan
  private let reader: QuestionReader
  /// Whether the plan names no types.
  private let isOfAllTypes: Bool
  /// The start of the period that was asked for; earlier intervals are only looked back at.
  private let start: Double

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

  func answer() throws(QueryError) -> AnalysisAnswer {
    let numbers = try reader.answer()
    let subjects = numbers.columns.map { $0.analysed(by: plan.question.interval) }
    return AnalysisAnswer(
      plan: plan, numbers: numbers, findings: try findings(of: subjects, numbers.columns))
  }

  private func findings(
    of subjects: [AnalysedSeries], _ columns: [QuestionAnswer.Column]
  ) throws(QueryError) -> AnalysisAnswer.Findings {
    // A parameter that does not fit concerns all types.
    func result<Finding>(
      _ find: () throws(AnalysisError) -> Finding
    ) throws(QueryError) -> Result<Finding, AnalysisError> {
      do throws(AnalysisError) {
        return .success(try find())
      } catch {
        switch error.reason {
        case .parameter, .confidenceOutOfRange: throw QueryError(.analysis(error))
        default: return .failure(error)
        }
      }
    }
    func each<Finding>(
      _ find: (AnalysedSeries) throws(AnalysisError) -> Finding
    ) throws(QueryError) -> [Result<Finding, AnalysisError>] {
      var results: [Result<Finding, AnalysisError>] = []
      for subject in subjects {
        results.append(try result { () throws(AnalysisError) in try find(subject) })
      }
      return results
    }
    switch plan.method {
    case .trend(let parameters):
      return .trends(try each { subject throws(AnalysisError) in try subject.trend(parameters) })
    case .typical(let parameters):
      return .typical(try each { subject throws(AnalysisError) in try subject.typical(parameters) })
    case .changes(let parameters):
      return .changes(try each { subject throws(AnalysisError) in try subject.changes(parameters) })
    case .unusual(let parameters):
      var found: [Result<UnusualAnswer, AnalysisError>] = []
      for (subject, column) in zip(subjects, columns) {
        let first = subject.series.ends.firstIndex { $0 > start } ?? subject.series.count
        let sources = try sources(of: column)
        found.append(
          try result { () throws(AnalysisError) in
            try subject.unusual(parameters, in: first..<subject.series.count, sources: sources)
          })
      }
      return .unusual(found)
    case .course(let parameters):
      let period = plan.question.interval?.seasonalPeriod
      return .courses(
        try each { subject throws(AnalysisError) in try subject.course(parameters, period: period) }
      )
    case .relations(let parameters):
      do throws(AnalysisError) {
        return .relations(try RelationsAnswer(parameters, of: subjects))
      } catch {
        throw QueryError(.analysis(error))
      }
    case .components(let parameters):
      do throws(AnalysisError) {
        return .components(
          try ComponentsAnswer(parameters, of: subjects, isOfAll: isOfAllTypes))
      } catch {
        throw QueryError(.analysis(error))
      }
    case .rhythm, .training, .glucose, .variability, .pressure, .cycles:
      // They have readers of their own.
      throw QueryError(.missingMember("type"))
    }
  }

  /// Who recorded most of each interval of a quantity; `nil` for one source, and for other types.
  private func sources(of column: QuestionAnswer.Column) throws(QueryError) -> SourcesOfRows? {
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

extension AnalysisReader {
  /// Answers with a period of its own for each type, before the end of its data, so that no type
  /// changes what is said of another.
  ///
  /// - Throws: `QueryError`
  static func answerEach(
    _ plan: AnalysisPlan, store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    var plan = plan
    try plan.nameTypes(in: store, now: now)
    // Types whose data end on one day are read together.
    var places: [String?: [Int]] = [:]
    for (place, type) in plan.question.types.enumerated() {
      var alone = plan
      alone.question.types = [type]
      try alone.beginByDefault(in: store, now: now)
      places[alone.question.from, default: []].append(place)
    }
    var columns = [QuestionAnswer.Column?](repeating: nil, count: plan.question.types.count)
    var found = [Result<TypicalAnswer, AnalysisError>?](repeating: nil, count: columns.count)
    var zones: ZoneTimeline?
    let groups = places.sorted { ($0.key ?? "", $0.value[0]) < ($1.key ?? "", $1.value[0]) }
    for (part, group) in groups.enumerated() {
      var together = plan
      together.question.types = group.value.map { plan.question.types[$0] }
      together.question.from = group.key
      let reader = try AnalysisReader(
        together, endsToday: true, store: store.part(part, of: groups.count), now: now)
      let answer = try reader.answer()
      zones = answer.numbers.timeZone
      guard case .typical(let results) = answer.findings else { continue }
      for (place, (column, result)) in zip(group.value, zip(answer.numbers.columns, results)) {
        (columns[place], found[place]) = (column, result)
      }
    }
    guard let zones else { throw QueryError(.missingMember("type")) }
    return AnalysisAnswer(
      plan: plan,
      numbers: QuestionAnswer(timeZone: zones, columns: columns.compactMap { $0 }),
      findings: .typical(found.compactMap { $0 }))
  }
}

extension AnalysisPlan {
  /// Gives the question the intervals of its method, and all types, where it names none.
  ///
  /// - Throws: `QueryError`
  fileprivate mutating func nameTypes(in store: SampleStore, now: Double) throws(QueryError) {
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
  fileprivate mutating func beginByDefault(
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
    if case .variability = method {
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
