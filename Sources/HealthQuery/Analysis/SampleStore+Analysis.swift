public import Foundation
public import HealthAnalysis
import HealthSamples
public import HealthStore

/// The answer to an ``AnalysisPlan``.
public struct AnalysisAnswer: Sendable {
  /// The plan.
  public let plan: AnalysisPlan
  /// The numbers that were asked, one column for each type.
  public let numbers: QuestionAnswer
  /// What was found.
  public let findings: Findings

  /// What was found, by the method.
  public enum Findings: Sendable {
    /// A line for each type, or why there is none.
    case trends([Result<TrendAnswer, AnalysisError>])
  }
}

extension SampleStore {
  /// Analyses the numbers of a question, in one snapshot of the store.
  ///
  /// ```swift
  /// var question = try Question(types: ["restingHeartRate"], by: CalendarInterval(.week))
  /// let answer = try store.analysis(AnalysisPlan(.trend(TrendParameters()), of: question))
  /// ```
  ///
  /// - Parameters:
  ///   - plan: the question and the method
  ///   - now: the moment of `today`
  /// - Returns: the findings
  /// - Throws: `QueryError`; what the numbers of one type of several do not carry is in the findings
  /// - Complexity: that of ``answer(_:now:)``, and of the method
  public func analysis(
    _ plan: AnalysisPlan, now: Date = .now
  ) throws(QueryError) -> AnalysisAnswer {
    try oneState { () throws(QueryError) in
      let reader = try QuestionReader(
        plan.question, store: self, now: now.timeIntervalSinceReferenceDate)
      let answer = try reader.answer()
      return AnalysisAnswer(
        plan: plan, numbers: answer,
        findings: try findings(plan.method, of: answer.columns, in: reader.store))
    }
  }

  private func findings(
    _ method: AnalysisMethod, of columns: [QuestionAnswer.Column], in store: SampleStore
  ) throws(QueryError) -> AnalysisAnswer.Findings {
    var subjects: [AnalysedSeries] = []
    for column in columns { subjects.append(try column.analysed(in: store)) }
    switch method {
    case .trend(let parameters):
      return .trends(
        subjects.map { subject in
          Result { () throws(AnalysisError) in try subject.trend(parameters) }
        })
    }
  }
}
