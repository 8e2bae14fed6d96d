public import Foundation
public import HealthQuery
import HealthSamples
public import HealthStore

extension SampleStore {
  /// Answers a question, in one snapshot of the store.
  ///
  /// ```swift
  /// var question = try Question(types: ["steps", "sleep"], by: CalendarInterval(.day))
  /// question.from = "-30d"
  /// let answer = try store.answer(question)
  /// ```
  ///
  /// Several types have the same intervals: without dates those from the first sample of any to the
  /// last.
  ///
  /// What is later than today counts where the question names no beginning, or a date; a period that
  /// is told back from now, such as `-7d`, ends with today (`QueryPeriod`).
  ///
  /// - Parameters:
  ///   - question: the question
  ///   - now: the moment of `today`; that of the store when `nil`
  /// - Returns: the answer, with a column for each type
  /// - Throws: `QueryError`
  /// - Complexity: that of ``statistics(_:)`` for each type; twice for a comparison
  public func answer(
    _ question: Question, now: Date? = nil
  ) throws(QueryError) -> QuestionAnswer {
    try oneState { () throws(QueryError) in
      try QuestionReader(question, store: self, now: moment(now)).answer()
    }
  }

  /// The plan of one type of a question; `nil` for nights of sleep.
  ///
  /// - Throws: `QueryError`
  public func plan(
    of question: Question, for type: TypeQuestion, now: Date? = nil
  ) throws(QueryError) -> StatisticsPlan? {
    try QuestionReader(question, store: self, now: moment(now)).plan(of: type)
  }

  /// The moment of a question, in seconds since 2001-01-01 UTC: that of the store unless it has its own.
  func moment(_ now: Date?) -> Double { now?.timeIntervalSinceReferenceDate ?? self.now.instant }

  /// The zones of a question: its own, else those of the store, else `assumedZones()`.
  ///
  /// - Throws: `QueryError`
  public func zones(of question: Question) throws(QueryError) -> ZoneTimeline {
    if let zones = question.zones { return zones }
    let stored = try stored { () throws(StoreError) in try defaultZone() }
    guard let name = question.timeZone ?? stored else { return try assumedZones() }
    guard name == "recorded" else { return ZoneTimeline(try .named(name)) }
    let recorded = try self.stored { () throws(StoreError) in try recordedZones() }
    return try ZoneTimeline(recorded: recorded)
  }

  /// The store with only the sources that count in a question, each of which must exist.
  ///
  /// - Throws: `QueryError`
  public func choosingSources(of question: Question) throws(QueryError) -> SampleStore {
    let selection = SourceSelection(
      only: question.onlySources, excluding: question.excludedSources)
    guard !selection.isEverything else { return self }
    let all = try stored { () throws(StoreError) in try allSources() }
    for name in selection.only + selection.excluded where !all.contains(where: { $0.isNamed(name) })
    {
      let near = NearNames.of(Source.matchingName(of: name), among: all.map(\.description))
      throw QueryError(.unknownSource(name, nil, suggestions: near))
    }
    return choosing(selection)
  }
}
