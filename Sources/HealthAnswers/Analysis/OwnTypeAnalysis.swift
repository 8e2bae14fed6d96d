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
  package var ownType: SampleType? {
    switch self {
    case .trend, .unusual, .typical, .changes, .course, .relations, .components, .rhythm, .training:
      nil
    case .glucose: SampleType(.bloodGlucose)
    case .variability: SampleType(.heartRateVariabilitySDNN)
    case .pressure: SampleType(.bloodPressureSystolic)
    case .cycles: SampleType(.menstrualFlow)
    }
  }

  /// Whether the method is about the types of the question.
  package var takesTypes: Bool {
    if case .training = self { false } else { ownType == nil }
  }

  /// The members of a question that a method with a type of its own uses, besides period, zones and
  /// sources.
  fileprivate var ownMembers: Set<Question.Member> {
    switch self {
    case .glucose: [.hold, .unit]
    case .variability: [.by]
    default: []
    }
  }
}

extension QuestionReader {
  /// What a method finds that reads a type of its own.
  ///
  /// - Throws: `QueryError`, with reason `QueryError.Reason.analysis(_:)` for what the data do not
  ///   carry
  func findings(
    ofOwnType method: AnalysisMethod
  ) throws(QueryError) -> AnalysisAnswer.Findings {
    for (member, isGiven) in [
      (Question.Member.by, question.interval != nil), (.anchor, question.anchor != nil),
      (.per, question.average != nil), (.clip, question.clips), (.style, question.style != nil),
      (.hold, question.hold != nil), (.exact, question.isExact),
    ] where isGiven && !method.ownMembers.contains(member) {
      throw QueryError(.memberOfAnother(member.rawValue, analysis: method.name))
    }
    return switch method {
    case .glucose(let parameters): .glucose(try glucose(parameters))
    case .variability(let parameters): .variability(try variability(parameters))
    case .pressure(let parameters): .pressure(try pressure(parameters))
    case .cycles(let parameters): .cycles(try cycles(parameters))
    // These ask for types.
    case .trend, .unusual, .typical, .changes, .course, .relations, .components, .rhythm, .training:
      throw QueryError(.missingMember("type"))
    }
  }

  /// The period, with the intervals of the question.
  var period: ElementPeriod {
    ElementPeriod(timeZone: zones, interval: question.interval, from: from, to: to)
  }

  /// Runs an analysis.
  func analysed<Value>(
    _ analyse: () throws(AnalysisError) -> Value
  ) throws(QueryError) -> Value {
    do {
      return try analyse()
    } catch {
      throw QueryError(.analysis(error))
    }
  }
}
