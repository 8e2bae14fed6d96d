public import HealthAnalysis
package import HealthQuery
package import HealthSamples
package import HealthStore

/// What a cycle is, and which cycles count.
public struct CyclesParameters: AnalysisParameters {
  /// The least number of days without flow before a cycle whose samples do not say that it begins; see
  /// ``CyclePlan/gap``.
  public var gap = MenstrualCycles.defaultBridging + 1
  /// The most days of a cycle; a longer one is taken for missing entries.
  public var longest = MenstrualCycles.defaultLongest

  /// The default parameters.
  public init() {}

  /// `cycles`.
  public static let name = "cycles"

  /// What the method answers.
  public static let about = "How long are cycles, and how much do they vary?"

  /// The method.
  public var method: AnalysisMethod { .cycles(self) }

  /// `gap`, `longest`.
  public static var members: [Parameter<Self>] {
    [
      .count(
        "gap", \.gap, .from(1), unit: "d",
        about:
          "The least number of days without flow before a cycle whose samples do not say that it begins."
      ),
      .count(
        "longest", \.longest, .from(1), unit: "d", about: "The most days of a cycle that counts."),
    ]
  }

  /// How many cycles statistics need.
  package static let leastCycles = 3
}

/// The menstrual cycles that begin in a period, and how long they are.
public struct CyclesAnswer: Sendable, Hashable {
  /// One cycle.
  public struct Cycle: Sendable, Hashable {
    /// The midnight with which its first day begins, in seconds since 2001-01-01 UTC.
    public let start: Double
    /// The midnight with which the next cycle begins; of the last one that after its last day of
    /// flow.
    public let end: Double
    /// Its days.
    public let cycle: MenstrualCycles.Cycle
    /// Its length minus the median; `nil` where it is not over, or too long to count.
    public let difference: Double?
    /// Whether it is longer than cycles that count.
    public let isTooLong: Bool
  }

  /// What cycles count.
  public let parameters: CyclesParameters
  /// The cycles, in order of time.
  public let cycles: [Cycle]
  /// The statistics of those that are over and not too long.
  public let statistics: CycleStatistics
}

extension QuestionReader {
  /// Reads cycles, and finds how long they are.
  func cycles(_ parameters: CyclesParameters) throws(QueryError) -> CyclesAnswer {
    var plan = CyclePlan(period)
    plan.gap = parameters.gap
    let all = try plan.cycles(try store.flowDays(of: plan))
    let asked = try plan.begun(all)
    let statistics = try analysed { () throws(AnalysisError) in
      try asked.statistics(
        longest: parameters.longest, neededCount: CyclesParameters.leastCycles)
    }
    let clock = plan.clock(over: all)
    return CyclesAnswer(
      parameters: parameters,
      cycles: asked.cycles.map { cycle in
        let isTooLong = cycle.length.map { $0 > parameters.longest } ?? false
        return CyclesAnswer.Cycle(
          start: clock.instant(ofDay: cycle.firstDay, seconds: 0),
          end: clock.instant(ofDay: cycle.endDay, seconds: 0), cycle: cycle,
          difference: isTooLong
            ? nil : cycle.length.map { Double($0) - statistics.length.median },
          isTooLong: isTooLong)
      },
      statistics: statistics)
  }
}

extension CyclesParameters: MethodParameters {
  package static var fixedType: SampleType? { SampleType(.menstrualFlow) }

  package func lists(of _: Question) -> [String] { ["cycles"] }

  package func answer(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    try plan.answer(in: store, now: now) { reader throws(QueryError) in
      .cycles(try reader.cycles(self))
    }
  }
}
