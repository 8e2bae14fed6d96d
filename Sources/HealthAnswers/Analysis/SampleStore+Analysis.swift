public import Foundation
public import HealthQuery
public import HealthStore

/// The answer to an ``AnalysisPlan``.
public struct AnalysisAnswer: Sendable {
  /// The plan.
  public let plan: AnalysisPlan
  /// The numbers that were asked, one column for each type.
  public let numbers: QuestionAnswer
  /// What was found.
  public let results: Results
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
  ///   - now: the moment of `today`; that of the store when `nil`
  /// - Returns: the results
  /// - Throws: `QueryError`; what the numbers of one type of several do not carry is in the results
  /// - Complexity: that of ``answer(_:now:)``, and of the method
  public func analysis(
    _ plan: AnalysisPlan, now: Date? = nil
  ) throws(QueryError) -> AnalysisAnswer {
    let parameters = plan.method.parameters
    try parameters.check()
    return try oneState { () throws(QueryError) in
      try parameters.answer(plan, in: self, now: moment(now))
    }
  }
}
