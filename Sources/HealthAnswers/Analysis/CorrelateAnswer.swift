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

  /// What is compared.
  public var comparison = Comparison.spearman
  /// How many days later, at most, one type is read than the other.
  public var lags = 3
  /// How many days both must have.
  public var atLeast = 42
  /// The share of relations by chance that is allowed among those that hold.
  public var rate = 0.05

  /// The default parameters.
  public init() {}

  /// `correlate`.
  public static let name = "correlate"

  /// What the method answers.
  public static let about = "What goes with what, and when?"

  /// The method.
  public var method: AnalysisMethod { .correlate(self) }

  /// `comparison`, `lags`, `atLeast`, `rate`.
  public static var members: [Parameter<Self>] {
    [
      .word(
        "comparison", \.comparison, .comparisonOfTypes,
        about: "What is compared: the ranks of the numbers (spearman), or the numbers (pearson)."),
      .count(
        "lags", \.lags, .within(0...366), unit: "d",
        about: "How many days later, at most, one type is read than the other."),
      .count("atLeast", \.atLeast, .from(4), unit: "d", about: "How many days both must have."),
      .number("rate", \.rate, .between(0, 1), about: "The share of chance among what holds."),
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
  /// tells; a relation holds only where the numbers themselves go the same way.
  ///
  /// - Throws: `AnalysisError` for fewer than two types that can be tested
  init(_ parameters: CorrelateParameters, of subjects: [AnalysedSeries]) throws(AnalysisError) {
    self.subjects = subjects
    var refusals: [Int: AnalysisError] = [:]
    var tested: [RegularSeries] = []
    var raw: [RegularSeries] = []
    var innovations = Innovations(areDays: subjects.first?.isOfDays ?? false)
    for (place, subject) in subjects.enumerated() {
      let column = try subject.column()
      raw.append(column)
      do throws(AnalysisError) {
        tested.append(try innovations(column))
      } catch {
        refusals[place] = error
        tested.append(try RegularSeries([Double?](repeating: nil, count: column.count)))
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
      method: parameters.comparison == .spearman ? .spearman : .pearson,
      leastPairs: parameters.atLeast, falseDiscoveryRate: parameters.rate, excluding: excluded)
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
    guard areDays else { return try column.whitened().series }
    let rows = column.presentSpan.count
    let plan: DecompositionPlan
    if let known = plans[rows] {
      plan = known
    } else {
      plan = try DecompositionPlan(rows: rows, period: 7, parameters: .week())
      plans[rows] = plan
    }
    return try column.onPresentSpan { column throws(AnalysisError) in
      try column.decomposed(by: plan).remainder.whitened().series
    }
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
    try AnalysisReader(plan, store: store, now: now).answer { numbers throws(QueryError) in
      .correlate(
        try analysed { () throws(AnalysisError) in
          try CorrelateAnswer(self, of: numbers.subjects)
        })
    }
  }
}
