package import HealthAnalysis
public import HealthQuery
public import HealthSamples
package import HealthStore

/// How unusual days are found.
public struct AnomaliesParameters: AnalysisParameters {
  /// Over how many intervals before it one is judged.
  public var baseline = 28
  /// How many of them must have a number, of the same source; all of a shorter baseline.
  public var warmUp = 14
  /// The robust score above which an interval is unusual.
  public var threshold = 3.5

  /// The default parameters.
  public init() {}

  /// `anomalies`.
  public static let name = "anomalies"

  /// What the method answers.
  public static let about = "What was unusual for you?"

  /// The method.
  public var method: AnalysisMethod { .anomalies(self) }

  /// `baseline`, `warmUp`, `threshold`.
  public static var members: [Parameter<Self>] {
    [
      .count(
        "baseline", \.baseline, .from(1), unit: "d",
        about: "Over how many days before it a day is judged."),
      .count(
        "warmUp", \.warmUp, .from(1), unit: "d",
        about: "How many of them must have a number, of the same source; all of a shorter baseline."
      ),
      .number(
        "threshold", \.threshold, .above(0), about: "The robust score above which a day is unusual."
      ),
    ]
  }

  /// A day.
  public var defaultInterval: CalendarInterval? { CalendarInterval(.day) }

  /// 7.
  public func defaultDays(by interval: CalendarInterval?) -> Int? { 7 }

  /// ``baseline``, and a year, so that the course of the week is known.
  public var lookBack: Int { max(0, min(baseline, 3_650)) + 365 }
}

extension AnomaliesParameters {
  /// How many intervals before it one needs to be judged: ``warmUp``, or all of a shorter baseline.
  package var needed: Int { min(warmUp, max(1, baseline)) }

  /// Of how many of 1,000 days at most the default parameters say that they are unusual, where nothing
  /// is.
  package enum FalseAlarms {
    /// Days that are independent and normally distributed.
    package static let normal = 5
    /// Normally distributed days that keep half of the day before.
    package static let dependent = 6
    /// Independent days of Student's distribution with 3 degrees of freedom.
    package static let farOut = 35
  }
}

/// The unusual intervals of a type: unusual for this person, by the intervals before.
public struct AnomaliesAnswer: Sendable, Hashable {
  /// An interval that is unusual.
  public struct Finding: Sendable, Hashable {
    /// The row in the series of the subject.
    public let row: Int
    /// The number.
    public let value: Double
    /// How far it lies from the median of the intervals before, in robust standard deviations.
    public let score: Double
    /// The same of what the week and the slow course leave; `nil` where there is no decomposition.
    public let restScore: Double?
    /// The median of the intervals before.
    public let median: Double
    /// The median distance from it.
    public let deviation: Double
    /// How many intervals these are.
    public let baselineCount: Int
    /// Who recorded most of the interval; `nil` where one source recorded all, or a night.
    public let source: Source?
  }

  /// The numbers, with those before the period.
  public let subject: AnalysedSeries
  /// The rows of the period.
  public let period: Range<Int>
  /// The unusual intervals of the period, in order of time.
  public let findings: [Finding]
  /// How many intervals of the period were judged.
  public let judgedCount: Int
  /// How many could not be, since too few intervals of their source were before them, or all of these
  /// were equal.
  public let unjudgedCount: Int
  /// Whether the week and the slow course were taken out for a second look.
  public let isDecomposed: Bool
}

extension AnalysedSeries {
  /// The remainder of a robust decomposition with the week as its period; `nil` where the numbers
  /// carry none, or are not of days.
  private func remainder(of column: RegularSeries) -> RegularSeries? {
    guard isOfDays else { return nil }
    let parameters = DecompositionParameters.week(isRobust: true)
    return try? column.onPresentSpan { column throws(AnalysisError) in
      try column.decomposed(period: 7, parameters: parameters).remainder
    }
  }

  /// The unusual intervals among some rows.
  ///
  /// An interval is unusual when its number is, and when what the week and the slow course leave of
  /// it is, too. Amounts of days of other than 24 hours are judged as those of 24.
  ///
  /// - Throws: `AnalysisError` for parameters that do not fit
  func unusual(
    _ parameters: AnomaliesParameters, in period: Range<Int>, sources: SourcesOfRows?
  ) throws(AnalysisError) -> AnomaliesAnswer {
    func unusual(_ column: RegularSeries) throws(AnalysisError) -> UnusualRows {
      try column.unusualRows(
        baseline: parameters.baseline, atLeast: parameters.needed,
        threshold: parameters.threshold, sources: sources?.ids)
    }
    let column = try columnOfEqualDays()
    let raw = try unusual(column)
    let rest = try remainder(of: column).map { remainder throws(AnalysisError) in
      try unusual(remainder)
    }
    var findings: [AnomaliesAnswer.Finding] = []
    for row in period where raw.verdicts[row] == .unusual {
      guard let value = series.values[row], let score = raw.scores[row],
        let median = raw.medians[row], let deviation = raw.medianDeviations[row],
        rest.map({ $0.verdicts[row] == .unusual }) ?? true
      else { continue }
      findings.append(
        AnomaliesAnswer.Finding(
          row: row, value: value, score: score, restScore: rest?.scores[row], median: median,
          deviation: deviation, baselineCount: raw.baselineCounts[row],
          source: sources?.source(of: row)))
    }
    let verdicts = raw.verdicts[period]
    return AnomaliesAnswer(
      subject: self, period: period, findings: findings,
      judgedCount: verdicts.count { $0 == .usual || $0 == .unusual },
      unjudgedCount: verdicts.count { $0 == .warmingUp || $0 == .withoutSpread },
      isDecomposed: rest != nil)
  }
}

extension AnomaliesAnswer {
  /// The unusual intervals of several types, the newest first; of one start in the order of the types.
  ///
  /// - Parameter answers: the answer about each type, or why there is none
  /// - Returns: the place of a type, with what was found
  package static func newestFirst(
    _ answers: [Result<AnomaliesAnswer, AnalysisError>]
  ) -> [(place: Int, subject: IntervalSeries, finding: Finding)] {
    var found: [(place: Int, subject: IntervalSeries, finding: Finding)] = []
    for case (let place, .success(let answer)) in answers.enumerated() {
      found += answer.findings.map { (place, answer.subject.series, $0) }
    }
    return found.sorted { one, other in
      let (first, second) = (
        one.subject.starts[one.finding.row], other.subject.starts[other.finding.row]
      )
      return first == second ? one.place < other.place : first > second
    }
  }
}

extension AnomaliesAnswer {
  /// How many types have an answer, and how many of their intervals were judged, and could not be.
  package static func counts(
    _ answers: [Result<AnomaliesAnswer, AnalysisError>]
  ) -> (measures: Int, judged: Int, unjudged: Int) {
    answers.reduce(into: (measures: 0, judged: 0, unjudged: 0)) { counts, result in
      guard case .success(let answer) = result else { return }
      counts.measures += 1
      counts.judged += answer.judgedCount
      counts.unjudged += answer.unjudgedCount
    }
  }
}

/// Who recorded most of each interval.
struct SourcesOfRows {
  let sources: [Source]
  /// The index of a source for each row; 0 where there is none.
  let ids: [Int]

  func source(of row: Int) -> Source? {
    sources.indices.contains(ids[row]) ? sources[ids[row]] : nil
  }
}

extension AnomaliesParameters: MethodParameters {
  package static var uses: [AnalysisUse] {
    [AnalysisUse("Which days stood out?", "anomalies", needs: "14 days")]
  }

  package func lists(of _: Question) -> [String] { ["anomalies"] }

  package func answer(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    try AnalysisReader(plan, store: store, now: now).answer { numbers throws(QueryError) in
      .anomalies(
        try numbers.each(with: numbers.sources()) { subject, sources throws(AnalysisError) in
          try subject.unusual(self, in: numbers.rows(of: subject), sources: sources)
        })
    }
  }
}
