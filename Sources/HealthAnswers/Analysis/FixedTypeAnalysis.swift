import HealthAnalysis
import HealthQuery
public import HealthSamples
import HealthStore

/// How many readings a source has.
public struct SourceCount: Sendable, Hashable {
  /// The source.
  public let source: Source
  /// How many.
  public let count: Int

  /// Makes a count.
  public init(source: Source, count: Int) { (self.source, self.count) = (source, count) }
}

extension [Source] {
  /// How often each occurs, the most frequent first; of equal ones in the order of sources.
  var counted: [SourceCount] {
    Dictionary(grouping: self) { $0 }.map { SourceCount(source: $0.key, count: $0.value.count) }
      .sorted { ($1.count, $0.source) < ($0.count, $1.source) }
  }
}

extension AnalysisMethod {
  /// The type that the method reads, whatever the types of the question; `nil` where it reads those.
  package var fixedType: SampleType? { type(of: parameters).fixedType }

  /// Whether the method is about the types of the question.
  package var takesTypes: Bool { type(of: parameters).takesTypes }
}

extension AnalysisPlan {
  /// What a method finds that reads a type of its own.
  ///
  /// - Parameters:
  ///   - store: the store
  ///   - now: the moment of `today`
  ///   - members: the members of the question that it uses, besides period, zones and sources
  ///   - find: finds it
  /// - Returns: the answer, without numbers
  /// - Throws: `QueryError`; that of `find`
  func answer(
    in store: SampleStore, now: Double, using members: Set<Question.Member> = [],
    _ find: (QuestionReader) throws(QueryError) -> AnalysisAnswer.Results
  ) throws(QueryError) -> AnalysisAnswer {
    var plan = self
    let reader = try plan.reader(in: store, now: now)
    for (member, isGiven) in [
      (Question.Member.by, question.interval != nil), (.anchor, question.anchor != nil),
      (.per, question.average != nil), (.clip, question.clips), (.style, question.style != nil),
      (.hold, question.hold != nil), (.exact, question.isExact),
    ] where isGiven && !members.contains(member) {
      throw QueryError(.memberOfAnother(member.rawValue, analysis: method.name))
    }
    return AnalysisAnswer(
      plan: plan, numbers: QuestionAnswer(timeZone: reader.zones, columns: []),
      results: try find(reader))
  }
}

extension QuestionReader {
  /// The period, with the intervals of the question.
  var period: ElementPeriod {
    ElementPeriod(timeZone: zones, interval: question.interval, from: from, to: to)
  }
}

/// Runs an analysis.
///
/// - Throws: `QueryError`, with reason `QueryError.Reason.analysis(_:)`
func analysed<Value>(
  _ analyse: () throws(AnalysisError) -> Value
) throws(QueryError) -> Value {
  do {
    return try analyse()
  } catch {
    throw QueryError(.analysis(error))
  }
}
