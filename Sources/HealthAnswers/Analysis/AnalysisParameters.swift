public import HealthQuery
package import HealthSamples
package import HealthStore

/// The parameters of a method, each with a default, and their names in JSON.
public protocol AnalysisParameters: Sendable, Hashable {
  /// The name of the method: `trend`.
  static var name: String { get }

  /// The question that the method answers, in the words of a person.
  static var about: String { get }

  /// All defaults.
  init()

  /// The method with these parameters.
  var method: AnalysisMethod { get }

  /// The parameters that a plan may name.
  static var members: [Parameter<Self>] { get }

  /// The length of intervals where a plan names none; `nil` for a method that reads samples.
  var defaultInterval: CalendarInterval? { get }

  /// How many days a period of some intervals has where a plan does not say when it begins, counted
  /// back from the end of the data; `nil` for all.
  func defaultDays(by interval: CalendarInterval?) -> Int?

  /// Over how many intervals before the period the method looks back.
  var lookBack: Int { get }
}

extension AnalysisParameters {
  /// `nil`: the method reads samples.
  public var defaultInterval: CalendarInterval? { nil }

  /// `nil`: all days.
  public func defaultDays(by interval: CalendarInterval?) -> Int? { nil }

  /// 0.
  public var lookBack: Int { 0 }
}

/// Parameters of a method, and how it reads a store and answers.
package protocol MethodParameters: AnalysisParameters {
  /// The lists of an answer, of which the first is given by default.
  func lists(of question: Question) -> [String]

  /// Answers a plan with these parameters, in one state of a store.
  ///
  /// - Throws: `QueryError`, with reason `QueryError.Reason.analysis(_:)` for what the data do not
  ///   carry
  func answer(
    _ plan: AnalysisPlan, in store: SampleStore, now: Double
  ) throws(QueryError) -> AnalysisAnswer

  /// The type that the method reads, whatever the types of the question; `nil` where it reads those.
  static var fixedType: SampleType? { get }

  /// Whether the method is about the types of the question.
  static var takesTypes: Bool { get }

  /// When to use it; never where its type says so.
  static var uses: [AnalysisUse] { get }
}

/// A question that people have, and the command that answers it.
package struct AnalysisUse: Sendable, Hashable {
  /// What people ask.
  package let question: String
  /// The command, and `TYPE` where it is about one.
  package let command: String
  /// What data it needs.
  package let needs: String

  init(_ question: String, _ command: String, needs: String) {
    (self.question, self.command, self.needs) = (question, command, needs)
  }
}

extension MethodParameters {
  /// None.
  package static var uses: [AnalysisUse] { [] }

  /// `nil`: the types of the question.
  package static var fixedType: SampleType? { nil }

  /// Whether it has no type of its own.
  package static var takesTypes: Bool { fixedType == nil }
}

/// The name of a parameter of any method.
struct ParameterName: RawRepresentable, CaseIterable {
  let rawValue: String

  /// The word that names the method.
  static let analysis = Self(rawValue: "analysis")

  static var allCases: [Self] {
    let names = AnalysisMethod.all.flatMap { $0.names } + ["analysis"]
    return Set(names).sorted().map { Self(rawValue: $0) }
  }
}

extension AnalysisParameters {
  /// The names of the parameters.
  static var names: [String] { members.map(\.name) }

  /// Reads the members of a plan.
  fileprivate static func read(_ members: QuestionKeys<ParameterName>) throws -> AnalysisMethod {
    var parameters = Self()
    for member in self.members { try member.read(&parameters, members) }
    for name in ParameterName.allCases where !names.contains(name.rawValue) {
      guard try name.rawValue == "analysis" || !members.contains(name) else {
        throw QueryError(.memberOfAnother(name.rawValue, analysis: Self.name))
      }
    }
    try parameters.check()
    return parameters.method
  }

  fileprivate func write(to members: inout KeyedEncodingContainer<AnyKey>) throws {
    try members.put(Self.name, ParameterName.analysis.rawValue)
    for member in Self.members {
      let value = member.value(self)
      if value != member.facts.standard { try members.put(value, member.name) }
    }
  }
}

extension AnalysisMethod {
  /// The method that a plan names, else one by its name, with its parameters.
  init(members: QuestionKeys<ParameterName>, named standard: String?) throws {
    guard let name = try members.text(.analysis) ?? standard else {
      throw QueryError(.missingMember(ParameterName.analysis.rawValue))
    }
    guard let parameters = Self.all.first(where: { $0.name == name }) else {
      let known = Self.all.map { $0.name }
      throw QueryError(
        .unknownWord(.analysis, name, suggestions: NearNames.of(name, among: known), known: known))
    }
    self = try parameters.read(members)
  }

  func encode(to members: inout KeyedEncodingContainer<AnyKey>) throws {
    try parameters.write(to: &members)
  }
}
