public import HealthAnalysis
public import HealthQuery
public import HealthSamples
package import HealthStore

/// How loads of workouts are weighed.
public struct TrainingParameters: AnalysisParameters {
  /// The curve of weights of Banister's impulse.
  public enum Weighting: String, Sendable, Hashable, CaseIterable {
    /// 0.64·e^(1.92·Δ).
    case men
    /// 0.86·e^(1.67·Δ).
    case women

    /// The curve.
    public var curve: TrainingImpulseWeighting { self == .men ? .men : .women }
  }

  /// The heart rate at rest in beats a minute; for each workout the mean resting heart rate of the 28
  /// days before its day when `nil`.
  public var resting: Double?
  /// The greatest heart rate in beats a minute; by age when `nil` (see
  /// ``TrainingAnswer/MaximumBasis``).
  public var maximum: Double?
  /// The curve of weights; that of the biological sex in the profile when `nil`.
  public var weighting: Weighting?

  /// The default parameters.
  public init() {}

  /// `training`.
  public static let name = "training"

  /// What the method answers.
  public static let about = "How hard were workouts, and what do they add up to?"

  /// The method.
  public var method: AnalysisMethod { .training(self) }

  /// `resting`, `maximum`, `weighting`.
  public static var members: [Parameter<Self>] {
    [
      .number(
        "resting", \.resting, .above(0), unit: "count/min",
        about:
          "The heart rate at rest in beats a minute. Else that of the 28 days before the day of each workout."
      ),
      .number(
        "maximum", \.maximum, .above(0), unit: "count/min",
        about: "The greatest heart rate in beats a minute. Else by age, or the greatest there is."),
      .word(
        "weighting", \.weighting, .weighting,
        about: "The curve of weights: men or women. Else by the biological sex of your profile."),
    ]
  }

  /// 42, as many as fitness averages.
  public func defaultDays(by interval: CalendarInterval?) -> Int? { 42 }
}

/// The loads of workouts, and the fitness and fatigue of days that they amount to.
///
/// Loads are Banister's training impulses, and Edwards' beside them; both are in arbitrary units.
/// Fitness and fatigue are the averages of the daily impulse over 42 and 7 days
/// (`RegularSeries.trainingBalance`), which start at 0 ``lookBackDays`` before the period. A workout
/// without heart rates has no load, and is counted: fitness and fatigue are then too small.
public struct TrainingAnswer: Sendable, Hashable {
  /// Over how many days of the calendar before the period loads count: four times the 42 of fitness,
  /// after which 2 % of a first day are left.
  public static let lookBackDays = 168
  /// Over how many days of the calendar before the day of a workout its resting heart rate is measured.
  public static let restingDays = 28
  /// After how many seconds recovery is read.
  public static let recoverySeconds = [60.0, 120]

  /// The numbers of the plan.
  public let parameters: TrainingParameters
  /// The workouts that start in the period, in order of time.
  public let workouts: [Workout]
  /// The days of the period, up to the last one with data of any type.
  public let days: [Day]
  /// The weeks of the calendar to which these days belong.
  public let weeks: [Week]
  /// How many workouts before the period have a load.
  public let earlierCount: Int
  /// How many workouts before the period, as far as fitness looks back, have no heart rates.
  public let earlierUnknownCount: Int
  /// The greatest heart rate in beats a minute; `nil` without workouts.
  public let maximum: Double?
  /// How it is known.
  public let maximumBasis: MaximumBasis?
  /// The curve of weights; `nil` without workouts.
  public let weighting: TrainingParameters.Weighting?
  /// Of how many workouts of the period the resting heart rate is the mean of all that are known,
  /// since none was measured in the 28 days before its day.
  public let assumedRestingCount: Int

  /// How many workouts of the period have no load.
  public var unknownCount: Int { workouts.count { (try? $0.load.get()) == nil } }

  /// How the greatest heart rate is known.
  public enum MaximumBasis: Sendable, Hashable {
    /// The plan gives it.
    case given
    /// 208 − 0.7·age, with the age in whole years on the last day (H. Tanaka and others, Journal of
    /// the American College of Cardiology 37: 153, 2001). A person's own is often ten beats away.
    case age(Int)
    /// The greatest in the store.
    case measured
  }

  /// A workout.
  public struct Workout: Sendable, Hashable {
    /// The start, in seconds since 2001-01-01 UTC.
    public let start: Double
    /// The end.
    public let end: Double
    /// The activity, such as `HKWorkoutActivityTypeRunning`.
    public let activity: String
    /// Who recorded it.
    public let source: Source
    /// Seconds without pauses.
    public let duration: Double
    /// The mean heart rate in beats a minute, as ``WorkoutFacts`` has it.
    public let meanRate: Double?
    /// The greatest heart rate in beats a minute.
    public let greatestRate: Double?
    /// How many heart rates were measured from start to end.
    public let rateCount: Int
    /// Seconds for which a heart rate stands, at most 60 each.
    ///
    /// Other time adds nothing to the load.
    public let measuredSeconds: Double
    /// Whether there are heart rates, but for less than half of the time: the load is far too small.
    public var isSparse: Bool { rateCount > 0 && measuredSeconds < (end - start) / 2 }
    /// The heart rate at rest that its load is weighed by.
    public let resting: Double
    /// The load, or why there is none.
    public let load: Result<Load, AnalysisError>
    /// The fall of the heart rate one and two minutes after the end, or why it is unknown.
    public let recoveries: [Result<HeartRateRecovery, AnalysisError>]
  }

  /// The load of a workout by its heart rates from start to end, pauses included.
  public struct Load: Sendable, Hashable {
    /// Banister's training impulse.
    public let impulse: Double
    /// The minutes in Edwards' five zones, the lowest first.
    public let zoneMinutes: [Double]
    /// Edwards' load.
    public let edwards: Double
  }

  /// A day.
  public struct Day: Sendable, Hashable {
    /// Its start, in seconds since 2001-01-01 UTC.
    public let start: Double
    /// Its end.
    public let end: Double
    /// How many workouts start on it.
    public let workoutCount: Int
    /// How many of them have no load.
    public let unknownCount: Int
    /// The sum of the training impulses; 0 without a workout.
    public let load: Double
    /// The average load over 42 days, at the end of the day.
    public let fitness: Double
    /// The average load over 7 days, at the end of the day.
    public let fatigue: Double
    /// Fitness minus fatigue at the end of the day before.
    public let balance: Double
  }

  /// A week from Monday on, in the zones of the question.
  ///
  /// The first one is whole also where the period begins inside of it, as the first day is; the last
  /// one ends with the period.
  public struct Week: Sendable, Hashable {
    /// Its start, in seconds since 2001-01-01 UTC.
    public let start: Double
    /// Its end.
    public let end: Double
    /// Whether it is over, and neither the data nor the period begin or end inside of it.
    public let isWhole: Bool
    /// How many workouts start in it.
    public let workoutCount: Int
    /// How many of them have no load.
    public let unknownCount: Int
    /// How many of them have heart rates for less than half of their time.
    public let sparseCount: Int
    /// The sum of the training impulses; `nil` where no workout has a load, but 0 of a whole week
    /// without workouts.
    public let load: Double?
    /// The minutes in Edwards' five zones, the lowest first; `nil` where ``load`` is.
    public let zoneMinutes: [Double]?
    /// Foster's monotony of its days; `nil` where their loads are not all known, or all equal.
    ///
    /// They are known in a whole week in which each workout has heart rates for half of its time: a
    /// day more or less, or one that counts as rest and is none, changes the deviation altogether.
    public let monotony: Double?
    /// ``load`` times ``monotony``; `nil` where that is.
    public let strain: Double?
  }
}

extension TrainingParameters: MethodParameters {
  package static var uses: [AnalysisUse] {
    [AnalysisUse("How hard do I train, how rested am I?", "training", needs: "heart rates")]
  }

  /// Workouts are no type of a question.
  package static var takesTypes: Bool { false }

  package func lists(of _: Question) -> [String] { ["workouts", "days", "weeks"] }

  package func answer(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    var plan = plan
    plan.question.types = []
    return try plan.answer(in: store, now: now) { reader throws(QueryError) in
      .training(try TrainingReader(self, reader).answer())
    }
  }
}
