/// A question about what the numbers of intervals mean: whether they rise, what was unusual, what
/// goes with what.
///
/// It asks a method of the numbers that a ``Question`` gives, and has one JSON form, with the members
/// of both:
///
/// ```json
/// {"analysis": "trend", "type": "restingHeartRate", "by": "week", "from": "-1y"}
/// {"analysis": "anomalies", "type": ["steps", "sleep"], "from": "-7d"}
/// {"analysis": "correlate", "from": "-1y", "lags": 1}
/// ```
///
/// Without types it is about all quantities, and sleep; without a date about as long a time before
/// the end of the data as the method needs. A member that neither knows is refused, with the near one.
public struct AnalysisPlan: Sendable, Hashable {
  /// The numbers: types, intervals, period, zones and sources.
  public var question: Question
  /// What is made of them.
  public var method: AnalysisMethod

  /// Whether the beginning of the question is that of the method: the question named none.
  package private(set) var beginsByDefault = false

  /// Makes a plan.
  public init(_ method: AnalysisMethod, of question: Question) {
    (self.method, self.question) = (method, question)
  }

  /// Lets the question begin where it names no beginning.
  mutating func begin(byDefault first: String) {
    (question.from, beginsByDefault) = (first, true)
  }
}
