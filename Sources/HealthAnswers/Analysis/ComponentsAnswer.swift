public import HealthAnalysis
public import HealthQuery
package import HealthStore

/// What many types have in common.
public struct ComponentsParameters: AnalysisParameters {
  /// How many days must have a number of every type.
  public var atLeast = 42

  /// The default parameters.
  public init() {}

  /// `components`.
  public static let name = "components"

  /// What the method answers.
  public static let about = "Which numbers come and go together?"

  /// The method.
  public var method: AnalysisMethod { .components(self) }

  /// `atLeast`.
  public static var members: [Parameter<Self>] {
    [
      .count("atLeast", \.atLeast, .from(3), unit: "d", about: "How many days must have all.")
    ]
  }

  /// A day.
  public var defaultInterval: CalendarInterval? { CalendarInterval(.day) }

  /// A year of days.
  public func defaultDays(by interval: CalendarInterval?) -> Int? { 365 }

  /// The share of the numbers of the type with the second most of them that another must have where a
  /// plan names no types: one that goes back further is no reason to leave out all others.
  static let leastShare = 0.9
}

/// The principal components of types: what comes and goes together.
public struct ComponentsAnswer: Sendable {
  /// The numbers of each type, with all intervals.
  public let subjects: [AnalysedSeries]
  /// The places of the subjects that have a part, in the order of the columns.
  public let places: [Int]
  /// The components of the numbers of these subjects; its rows are intervals.
  public let components: PrincipalComponents

  /// Finds the components of types.
  ///
  /// - Parameters:
  ///   - parameters: how many complete intervals it needs
  ///   - subjects: the numbers of each type
  ///   - isOfAll: whether types may be left out that have too few numbers, or equal ones
  /// - Throws: `AnalysisError` for fewer than two types, too few intervals with a number of each, and a
  ///   type that does not vary in them
  init(
    _ parameters: ComponentsParameters, of subjects: [AnalysedSeries], isOfAll: Bool
  ) throws(AnalysisError) {
    var columns: [RegularSeries] = []
    for subject in subjects { columns.append(try subject.column()) }
    var places = Array(subjects.indices)
    if isOfAll {
      let most = columns.map(\.presentCount).sorted(by: >).dropFirst().first ?? 0
      places = places.filter { place in
        let numbers = columns[place].presentValues
        return Double(numbers.count) >= ComponentsParameters.leastShare * Double(most)
          && numbers.contains { $0 != numbers[0] }
      }
    }
    (self.subjects, self.places) = (subjects, places)
    components = try PrincipalComponents(
      places.map { columns[$0] }, names: places.map { subjects[$0].series.name },
      leastRows: parameters.atLeast)
  }
}

extension ComponentsParameters: MethodParameters {
  package static var uses: [AnalysisUse] {
    [AnalysisUse("Which numbers come and go together?", "components", needs: "42 days of all")]
  }

  package func lists(of _: Question) -> [String] { ["weights", "scores"] }

  package func answer(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer {
    try AnalysisReader(plan, store: store, now: now).answer { numbers throws(QueryError) in
      .components(
        try analysed { () throws(AnalysisError) in
          try ComponentsAnswer(self, of: numbers.subjects, isOfAll: numbers.areOfAllTypes)
        })
    }
  }
}
