public import HealthAnalysis
public import HealthQuery
package import HealthStore

/// When it is said that days are missing on some weekdays more often than on others.
public struct MissingParameters: AnalysisParameters {
  /// The share of chance among the types of which it is said.
  public var rate = 0.05

  /// The default parameters.
  public init() {}

  /// `missing`.
  public static let name = "missing"

  /// What the method answers.
  public static let about = "Are days without data on some weekdays more often?"

  /// The method.
  public var method: AnalysisMethod { .missing(self) }

  /// `rate`.
  public static var members: [Parameter<Self>] {
    [
      .number(
        "rate", \.rate, .between(0, 1),
        about: "The share of chance among the types of which it is said that they are.")
    ]
  }

  /// A day.
  public var defaultInterval: CalendarInterval? { CalendarInterval(.day) }

  /// A year.
  public func defaultDays(by interval: CalendarInterval?) -> Int? { 365 }
}

/// Which weekdays of a type have no data, and whether chance alone parts them so.
public struct MissingAnswer: Sendable, Hashable {
  /// The numbers.
  public let subject: AnalysedSeries
  /// The days between the first and the last one with data, without these two.
  public let days: MissingDays
  /// The test; `nil` where no day is missing, or all are.
  public let test: MissingByWeekday?
  /// `MissingByWeekday.pValue` among those of all types that were asked (Benjamini and Hochberg).
  public fileprivate(set) var adjustedPValue: Double?
  /// Whether it is said that days are missing on some weekdays more often.
  public fileprivate(set) var holds = false
}

extension AnalysedSeries {
  /// The days that are missing of all numbers, those that the data cover in part among them.
  fileprivate func missing(of all: IntervalSeries) throws(AnalysisError) -> MissingAnswer {
    let column = try RegularSeries(all.values)
    let first = all.starts.first.map { LocalTime($0, in: all.timeZone).weekday } ?? 0
    let days = try column.missingDays(firstWeekday: first)
    return MissingAnswer(
      subject: self, days: days, test: try? MissingByWeekday(of: days), adjustedPValue: nil)
  }
}

extension [Result<MissingAnswer, AnalysisError>] {
  /// The same with what holds among all tests.
  fileprivate func judged(_ rate: Double) throws(AnalysisError) -> Self {
    let places = indices.filter { (try? self[$0].get())?.test != nil }
    let adjusted = try MultipleTests.benjaminiHochberg.adjusted(
      places.compactMap { (try? self[$0].get())?.test?.pValue })
    var results = self
    for (place, pValue) in zip(places, adjusted) {
      results[place] = results[place].map { found in
        var found = found
        (found.adjustedPValue, found.holds) = (pValue, pValue <= rate)
        return found
      }
    }
    return results
  }
}

extension MissingParameters: MethodParameters {
  package static var uses: [AnalysisUse] {
    [AnalysisUse("Do days without data fall on some weekdays?", "missing", needs: "14 days")]
  }

  package func lists(of _: Question) -> [String] { ["types", "weekdays"] }

  package func answer(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    if let interval = plan.question.interval, interval != CalendarInterval(.day) {
      throw QueryError(.unknownWord(.interval, interval.text, suggestions: [], known: ["day"]))
    }
    return try AnalysisReader(plan, store: store, now: now).answer { numbers throws(QueryError) in
      let found = try numbers.each(with: numbers.columns) { subject, column throws(AnalysisError) in
        try subject.missing(of: column.series)
      }
      return .missing(try analysed { () throws(AnalysisError) in try found.judged(rate) })
    }
  }
}
