public import Foundation
public import HealthAnalysis
public import HealthQuery
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
    /// The unusual intervals of each type.
    case unusual([Result<UnusualAnswer, AnalysisError>])
    /// What is typical of each type.
    case typical([Result<TypicalAnswer, AnalysisError>])
    /// The changes of each type.
    case changes([Result<ChangesAnswer, AnalysisError>])
    /// The course of each type, or why there is none.
    case courses([Result<CourseAnswer, AnalysisError>])
    /// What goes with what.
    case relations(RelationsAnswer)
    /// What types have in common.
    case components(ComponentsAnswer)
    /// The rhythm of each type, or why there is none.
    case rhythms([Result<RhythmAnswer, AnalysisError>])
    /// The rhythm of rest, activity and sleep.
    case restAndSleep(RestAndSleepAnswer)
    /// Loads of workouts, fitness and fatigue.
    case training(TrainingAnswer)
    /// What readings of glucose say.
    case glucose(GlucoseAnswer)
    /// The variability of each series of heartbeats.
    case variability(VariabilityAnswer)
    /// Readings of blood pressure by class.
    case pressure(PressureAnswer)
    /// Menstrual cycles.
    case cycles(CyclesAnswer)
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
  ///   - now: the moment of `today`; that of the store when `nil`
  /// - Returns: the findings
  /// - Throws: `QueryError`; what the numbers of one type of several do not carry is in the findings
  /// - Complexity: that of ``answer(_:now:)``, and of the method
  public func analysis(
    _ plan: AnalysisPlan, now: Date? = nil
  ) throws(QueryError) -> AnalysisAnswer {
    try plan.method.parameters.check()
    return try oneState { () throws(QueryError) in
      let now = moment(now)
      switch plan.method {
      case .typical where plan.question.from == nil && plan.question.types.count != 1:
        return try AnalysisReader.answerEach(plan, store: self, now: now)
      case .trend, .unusual, .typical, .changes, .course, .relations, .components:
        return try AnalysisReader(plan, store: self, now: now).answer()
      case .rhythm(let parameters):
        return try RhythmReader(plan, parameters, store: self, now: now).answer()
      case .training(let parameters):
        return try TrainingReader(plan, parameters, store: self, now: now).answer()
      case .glucose, .variability, .pressure, .cycles:
        var plan = plan
        var reader = try plan.reader(in: self, now: now)
        if case .glucose = plan.method, plan.question.from == nil { try reader.endToday() }
        return AnalysisAnswer(
          plan: plan, numbers: QuestionAnswer(timeZone: reader.zones, columns: []),
          findings: try reader.findings(ofOwnType: plan.method))
      }
    }
  }
}
