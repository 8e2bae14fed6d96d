public import HealthAnalysis
public import HealthQuery
import HealthSamples
package import HealthStore

/// How changes of the level are found.
public struct ChangesParameters: AnalysisParameters {
  /// How many intervals a level lasts at least.
  public var leastLength = 14
  /// What a change must be worth, as a multiple of the long-run variance times the logarithm of the
  /// number of intervals.
  public var factor = 2.0

  /// The default parameters.
  public init() {}

  /// `changes`.
  public static let name = "changes"

  /// What the method answers.
  public static let about = "When did it change, from what to what?"

  /// The method.
  public var method: AnalysisMethod { .changes(self) }

  /// `leastLength`, `factor`.
  public static var members: [Parameter<Self>] {
    [
      .count(
        "leastLength", \.leastLength, .within(1...100_000),
        about: "How many intervals a level lasts at least."),
      .number(
        "factor", \.factor, .above(0),
        about:
          "What a change must be worth, as a multiple of the long-run variance times the logarithm of the number of intervals."
      ),
    ]
  }

  /// A day.
  public var defaultInterval: CalendarInterval? { CalendarInterval(.day) }
}

/// When the level of a type changed.
public struct ChangesAnswer: Sendable, Hashable {
  /// The numbers.
  public let subject: AnalysedSeries
  /// The levels and what they come from; rows are those of the subject.
  ///
  /// They are without the slope and the wave that ``shape`` names, about the same mean.
  public let changes: ChangePoints
  /// What the level does besides changing; with a wander no day of a change can be named.
  public let shape: LevelShape
  /// The slope and the wave that ``shape`` names, in each row.
  public let course: [Double]
  /// Whether the course of the week was taken out before.
  public let isSeasonAdjusted: Bool
}

extension AnalysedSeries {
  /// The changes of the level, in days without the course of the week where the numbers carry it.
  ///
  /// - Throws: `AnalysisError` for too few numbers, and parameters that do not fit
  func changes(_ parameters: ChangesParameters) throws(AnalysisError) -> ChangesAnswer {
    let column = try column()
    var adjusted: RegularSeries?
    if isOfDays {
      let decomposition = DecompositionParameters.week(isRobust: true)
      adjusted = try? column.onPresentSpan { column throws(AnalysisError) in
        try column.decomposed(period: 7, parameters: decomposition).adjusted
      }
    }
    let found = try (adjusted ?? column).levelChanges(
      yearLength: yearLength, factor: parameters.factor, leastLength: parameters.leastLength)
    return ChangesAnswer(
      subject: self, changes: found.changes, shape: found.shape, course: found.course,
      isSeasonAdjusted: adjusted != nil)
  }

  /// How many intervals a year has.
  private var yearLength: Double {
    guard let first = series.starts.first, let last = series.ends.last, first < last else {
      return TrendAnswer.daysPerYear
    }
    return TrendAnswer.daysPerYear * .secondsPerDay * Double(series.count) / (last - first)
  }
}

extension ChangesParameters {
  /// How often a change is said to be there that is not.
  ///
  /// Measured on series whose level neither changes nor has a slope or a wave of a year, and whose
  /// intervals are independent or keep up to 0.8 of the one before: see the documentation.
  package enum FalseAlarms {
    /// In how many of 100 such series at most a change is found.
    package static let percent = 5
    /// In how many of 100 at most where the level has a wave of a year, or wanders for a year and more.
    package static let percentOfSlowCourses = 15
  }
}

extension ChangesParameters: MethodParameters {
  package static var uses: [AnalysisUse] {
    [AnalysisUse("Since which day is it different?", "changes TYPE", needs: "28 days")]
  }

  package func lists(of _: Question) -> [String] { ["levels"] }

  package func answer(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    try AnalysisReader(plan, store: store, now: now).answer { numbers throws(QueryError) in
      .changes(try numbers.each { subject throws(AnalysisError) in try subject.changes(self) })
    }
  }
}
