public import HealthAnalysis
public import HealthQuery
import HealthSamples
package import HealthStore

/// How relations between types are found.
public struct CorrelateParameters: AnalysisParameters {
  /// What is compared.
  public enum Comparison: String, Sendable, Hashable, CaseIterable {
    /// The ranks of the numbers (Spearman).
    case spearman
    /// The numbers (Pearson).
    case pearson
  }

  /// How the probabilities of all tests are adjusted (`MultipleTests`).
  public enum Adjustment: String, Sendable, Hashable, CaseIterable {
    /// For tests that are independent or depend positively.
    case benjaminiHochberg
    /// For tests that depend in any way.
    case benjaminiYekutieli

    var tests: MultipleTests {
      self == .benjaminiHochberg ? .benjaminiHochberg : .benjaminiYekutieli
    }
  }

  /// What is compared.
  public var comparison = Comparison.spearman
  /// How many days later, at most, one type is read than the other.
  public var lags = 3
  /// How many days both must have.
  public var atLeast = 42
  /// The share of relations by chance that is allowed among those that hold.
  public var rate = 0.05
  /// How the probabilities of all tests are adjusted.
  public var adjustment = Adjustment.benjaminiHochberg
  /// The types whose influence of the same day is taken out of all others, by the names of a question:
  /// `steps`, `sleep.deep`.
  public var given: [String] = []

  /// The default parameters.
  public init() {}

  /// `correlate`.
  public static let name = "correlate"

  /// What the method answers.
  public static let about = "What goes with what, and when?"

  /// The method.
  public var method: AnalysisMethod { .correlate(self) }

  fileprivate var correlation: Correlation.Method {
    comparison == .spearman ? .spearman : .pearson
  }

  /// `comparison`, `lags`, `atLeast`, `rate`, `adjustment`, `given`.
  public static var members: [Parameter<Self>] {
    [
      .word(
        "comparison", \.comparison, .comparisonOfTypes,
        about: "Ranks (spearman), or numbers (pearson)."),
      .count(
        "lags", \.lags, .within(0...366), unit: "d",
        about: "How many days later, at most, one type is read than the other."),
      .count("atLeast", \.atLeast, .from(4), unit: "d", about: "How many days both must have."),
      .number("rate", \.rate, .between(0, 1), about: "The share of chance among what holds."),
      .word(
        "adjustment", \.adjustment, .adjustment,
        about:
          "How p-values are adjusted; benjaminiYekutieli is stricter."
      ),
      .names(
        "given", \.given,
        about:
          "Types whose influence of the same day is taken out of the others (partial correlation)."
      ),
    ]
  }

  /// A day.
  public var defaultInterval: CalendarInterval? { CalendarInterval(.day) }

  /// 365.
  public func defaultDays(by interval: CalendarInterval?) -> Int? { 365 }
}

/// What goes with what.
public struct CorrelateAnswer: Sendable {
  /// The numbers of each type, with all intervals.
  public let subjects: [AnalysedSeries]
  /// The numbers of the types whose influence was taken out.
  public let given: [AnalysedSeries]
  /// Every test, the relations that hold, and what could not be tested.
  ///
  /// Series are counted as the subjects are.
  public let relations: Relations
  /// The types whose numbers carry no test, and why.
  public let refusals: [Int: AnalysisError]
  /// How many pairs were not tested, since one follows from the other.
  public let excludedCount: Int
  /// How many pairs were tested, each at one lag or more.
  public let pairCount: Int
  /// The relations that hold, without those that say again what a surer one says: types that measure
  /// one thing, such as steps and distance, go with the same others.
  public let distinct: [Relation]

  /// Tests all pairs of types.
  ///
  /// What is tested is free of the week and of the slow course, and of what each type's own past
  /// tells; a relation holds only where the numbers themselves go the same way. What is given is taken
  /// out of what is free of the week and of the slow course, and of the numbers themselves.
  ///
  /// - Throws: `AnalysisError` for fewer than two types that can be tested, or a given one that cannot
  init(
    _ parameters: CorrelateParameters, of subjects: [AnalysedSeries], given: [AnalysedSeries] = []
  ) throws(AnalysisError) {
    (self.subjects, self.given) = (subjects, given)
    var refusals: [Int: AnalysisError] = [:]
    var tested: [RegularSeries] = []
    var raw: [RegularSeries] = []
    var innovations = Innovations(areDays: subjects.first?.isOfDays ?? false)
    let method = parameters.correlation
    var rawGiven: [RegularSeries] = []
    var remaindersGiven: [RegularSeries] = []
    for type in given {
      let column = try type.column()
      rawGiven.append(column)
      remaindersGiven.append(try innovations.remainder(of: column))
    }
    for (place, subject) in subjects.enumerated() {
      let column = try subject.column()
      do throws(AnalysisError) {
        if given.isEmpty {
          tested.append(try innovations(column))
          raw.append(column)
        } else {
          let rest = try innovations.remainder(of: column)
            .rest(given: remaindersGiven, method: method).whitened().series
          raw.append(try column.rest(given: rawGiven, method: method))
          tested.append(rest)
        }
      } catch {
        refusals[place] = error
        tested.append(try RegularSeries([Double?](repeating: nil, count: column.count)))
        raw.append(column)
      }
    }
    let usable = subjects.indices.filter { refusals[$0] == nil }
    guard usable.count >= 2 else {
      if subjects.count == 1 {
        throw AnalysisError(.parameter(name: "number of types", range: "at least 2"))
      }
      throw refusals.min { $0.key < $1.key }?.value
        ?? AnalysisError(.tooFewPoints(count: 0, needed: 2))
    }
    var excluded: Set<Relations.Pair> = []
    let families = subjects.map { RelationFamilies.families(of: $0.series.type) }
    for (place, first) in usable.enumerated() {
      for second in usable[(place + 1)...]
      where subjects[first].series.type == subjects[second].series.type
        || !families[first].isDisjoint(with: families[second])
      {
        excluded.insert(Relations.Pair(first, second))
      }
    }
    excludedCount = excluded.count
    // Types without a test make no pairs that could be left out for too few rows.
    for place in refusals.keys {
      for other in subjects.indices where other != place {
        excluded.insert(Relations.Pair(place, other))
      }
    }
    self.refusals = refusals
    relations = try Relations(
      tested, raw: raw, lags: 0...parameters.lags,
      method: method, leastPairs: parameters.atLeast, falseDiscoveryRate: parameters.rate,
      adjustment: parameters.adjustment.tests, givenCount: given.count, excluding: excluded)
    pairCount = relations.bestOfPairs.count
    distinct = RelationFamilies.distinct(relations.held, families)
  }
}

/// What of each column is compared: what is new in each interval.
struct Innovations {
  /// Whether the week and the slow course are taken out.
  let areDays: Bool
  /// The decompositions of columns by their length.
  private var plans: [Int: DecompositionPlan] = [:]

  init(areDays: Bool) { self.areDays = areDays }

  /// The column without the week, the slow course, and what its own past tells.
  ///
  /// - Throws: `AnalysisError` for a column that is too short, too empty, or constant
  mutating func callAsFunction(_ column: RegularSeries) throws(AnalysisError) -> RegularSeries {
    try remainder(of: column) { rest throws(AnalysisError) in try rest.whitened().series }
  }

  /// The column without the week and the slow course, or what is made of it between the first and the
  /// last value.
  ///
  /// - Throws: `AnalysisError` for a column that is too short or too empty
  mutating func remainder(
    of column: RegularSeries,
    _ make: (RegularSeries) throws(AnalysisError) -> RegularSeries = { $0 }
  ) throws(AnalysisError) -> RegularSeries {
    guard areDays else { return try make(column) }
    let plan = try plan(rows: column.presentSpan.count)
    return try column.onPresentSpan { column throws(AnalysisError) in
      try make(column.decomposed(by: plan).remainder)
    }
  }

  private mutating func plan(rows: Int) throws(AnalysisError) -> DecompositionPlan {
    if let known = plans[rows] { return known }
    let plan = try DecompositionPlan(rows: rows, period: 7, parameters: .week())
    plans[rows] = plan
    return plan
  }
}

/// Types that measure one thing, so that they go together whatever a person does.
enum RelationFamilies {
  /// The place of the family of what comes from moving.
  private static let movement = 0
  /// Hours with a minute of standing, which are a category.
  private static let standHours = "HKCategoryTypeIdentifierAppleStandHour"

  /// Words in the identifiers of the quantities of each family, without their prefix.
  private static let families: [[String]] = [
    [
      "StepCount", "DistanceWalkingRunning", "FlightsClimbed", "ActiveEnergyBurned",
      "BasalEnergyBurned", "AppleExerciseTime", "AppleMoveTime", "AppleStandTime", "PhysicalEffort",
      "DistanceCycling", "DistanceSwimming", "SwimmingStrokeCount", "DistanceWheelchair",
      "PushCount", "Running", "Cycling", "DistanceRowing", "DistancePaddleSports",
      "DistanceCrossCountrySkiing", "DistanceDownhillSnowSports", "DistanceSkatingSports",
      "WorkoutEffortScore", "EstimatedWorkoutEffortScore",
    ],
    [
      "WalkingSpeed", "WalkingStepLength", "WalkingDoubleSupportPercentage",
      "WalkingAsymmetryPercentage", "AppleWalkingSteadiness", "StairAscentSpeed",
      "StairDescentSpeed", "SixMinuteWalkTestDistance",
    ],
    // Energy at rest is reckoned from the body's mass.
    [
      "BodyMass", "BodyMassIndex", "LeanBodyMass", "BodyFatPercentage", "WaistCircumference",
      "BasalEnergyBurned",
    ],
    ["HeartRate", "RestingHeartRate", "WalkingHeartRateAverage"],
    ["BloodPressureSystolic", "BloodPressureDiastolic"],
    ["BodyTemperature", "BasalBodyTemperature", "AppleSleepingWristTemperature"],
    ["Dietary"],
  ]

  /// The places of the families of a type.
  ///
  /// `Dietary`, `Running` and `Cycling` stand for all types that begin so.
  static func families(of type: SampleType) -> Set<Int> {
    let prefix = HKQuantityTypeIdentifier.prefix
    guard type.identifier.hasPrefix(prefix) else {
      return type.identifier == standHours ? [movement] : []
    }
    let name = type.identifier.dropFirst(prefix.count)
    return Set(
      families.indices.filter { place in
        families[place].contains { word in
          ["Dietary", "Running", "Cycling"].contains(word) ? name.hasPrefix(word) : name == word
        }
      })
  }

  /// The first of all relations between the same things: a family is one thing, and so is a type
  /// without one.
  fileprivate static func distinct(
    _ relations: [Relation], _ families: [Set<Int>]
  ) -> [Relation] {
    func isOneThing(_ first: Int, _ second: Int) -> Bool {
      first == second || !families[first].isDisjoint(with: families[second])
    }
    var kept: [Relation] = []
    for relation in relations {
      let isKnown = kept.contains { other in
        isOneThing(other.first, relation.first) && isOneThing(other.second, relation.second)
          || isOneThing(other.first, relation.second) && isOneThing(other.second, relation.first)
      }
      if !isKnown { kept.append(relation) }
    }
    return kept
  }
}

extension CorrelateParameters: MethodParameters {
  package static var uses: [AnalysisUse] {
    [AnalysisUse("What goes with what, that day or later?", "correlate", needs: "42 days of both")]
  }

  package func lists(of _: Question) -> [String] { ["relations", "pairs", "tests"] }

  package func answer(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    var plan = plan
    let namesNone = plan.question.types.isEmpty
    try plan.nameTypes(in: store, now: now)
    // The period is that of the types that are compared.
    let endsToday = try plan.beginByDefault(in: store, now: now)
    let count = plan.question.types.count
    for name in given {
      var type = try TypeQuestion(name)
      if let first = plan.question.types.first {
        (type.policy, type.preferredSources) = (first.policy, first.preferredSources)
      }
      plan.question.types.append(type)
    }
    let reader = try AnalysisReader(plan, endsToday: endsToday, store: store, now: now)
    return try reader.answer { numbers throws(QueryError) in
      let given = Array(numbers.subjects[count...])
      let others = numbers.subjects[..<count].filter { subject in
        !given.contains { $0.series.isOfSame(as: subject.series) }
      }
      // What is taken out of all goes with nothing.
      guard namesNone || others.count == count else {
        throw QueryError(.membersExclude("type", "given"))
      }
      return .correlate(
        try analysed { () throws(AnalysisError) in
          try CorrelateAnswer(self, of: others, given: given)
        })
    }
  }
}

extension IntervalSeries {
  /// Whether both are the same numbers of a type.
  fileprivate func isOfSame(as other: IntervalSeries) -> Bool {
    type == other.type && statistic == other.statistic
  }
}
