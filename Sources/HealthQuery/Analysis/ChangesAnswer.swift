public import HealthAnalysis

/// How changes of the level are found.
public struct ChangeParameters: AnalysisParameters {
  /// How many intervals a level lasts at least.
  public var leastLength = 14
  /// What a change must be worth, as a multiple of the long-run variance times the logarithm of the
  /// number of intervals.
  public var factor = 2.0

  /// The default parameters.
  public init() {}

  /// `changes`.
  public static let name = "changes"

  /// The method.
  public var method: AnalysisMethod { .changes(self) }

  /// `leastLength`, `factor`.
  public static var members: [ParameterMember<Self>] {
    [.count("leastLength", \.leastLength), .number("factor", \.factor)]
  }

  /// A day.
  public var defaultInterval: CalendarInterval? { CalendarInterval(.day) }
}

/// When the level of a type changed.
public struct ChangesAnswer: Sendable, Hashable {
  /// The numbers.
  public let subject: AnalysedSeries
  /// The levels and what they come from; rows are those of the subject.
  public let changes: ChangePoints
  /// Whether the course of the week was taken out before.
  public let isSeasonAdjusted: Bool
}

extension AnalysedSeries {
  /// The changes of the level, in days without the course of the week where the numbers carry it.
  ///
  /// - Throws: `AnalysisError` for too few numbers, and parameters that do not fit
  func changes(_ parameters: ChangeParameters) throws(AnalysisError) -> ChangesAnswer {
    let column = try column()
    var adjusted: RegularSeries?
    if isOfDays {
      let decomposition = DecompositionParameters.week(isRobust: true)
      adjusted = try? column.onPresentSpan { column throws(AnalysisError) in
        try column.decomposed(period: 7, parameters: decomposition).adjusted
      }
    }
    return ChangesAnswer(
      subject: self,
      changes: try (adjusted ?? column).changePoints(
        penalty: .longRun(factor: parameters.factor), leastLength: parameters.leastLength),
      isSeasonAdjusted: adjusted != nil)
  }
}
