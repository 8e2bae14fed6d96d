public import HealthQuery
import HealthSamples

/// The parameters of a method, each with a default, and their names in JSON.
public protocol AnalysisParameters: Sendable, Hashable {
  /// The name of the method: `trend`.
  static var name: String { get }

  /// All defaults.
  init()

  /// The method with these parameters.
  var method: AnalysisMethod { get }

  /// The parameters that a plan may name.
  static var members: [ParameterMember<Self>] { get }

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

/// A parameter of a method: its name, its form, and where it is stored.
public struct ParameterMember<Root: AnalysisParameters> {
  /// The name in JSON.
  public let name: String
  /// The form of its values.
  package let form: QueryError.MemberForm
  /// The values it may have, where these are words.
  package let words: [String]
  let read: (inout Root, Members<ParameterName>, ParameterName) throws -> Void
  let write: (Root, inout KeyedEncodingContainer<AnyKey>) throws -> Void

  /// One word of a list.
  static func word<Word: RawRepresentable & CaseIterable & Equatable>(
    _ name: String, _ path: WritableKeyPath<Root, Word>, _ term: QueryError.Term
  ) -> Self where Word.RawValue == String {
    Self(
      name: name, form: .text, words: Word.allCases.map(\.rawValue),
      read: { root, members, name in
        let word: Word? = try members.word(name) { try QuestionWords.word(term, $0) }
        if let word { root[keyPath: path] = word }
      },
      write: { root, members in
        let word = root[keyPath: path]
        if word != Root()[keyPath: path] { try members.put(word.rawValue, name) }
      })
  }

  /// One word of a list, which may be left to a rule.
  static func word<Word: RawRepresentable & CaseIterable & Equatable>(
    _ name: String, _ path: WritableKeyPath<Root, Word?>, _ term: QueryError.Term
  ) -> Self where Word.RawValue == String {
    Self(
      name: name, form: .text, words: Word.allCases.map(\.rawValue),
      read: { root, members, name in
        let word: Word? = try members.word(name) { try QuestionWords.word(term, $0) }
        root[keyPath: path] = word
      },
      write: { root, members in
        if let word = root[keyPath: path] { try members.put(word.rawValue, name) }
      })
  }

  /// A number.
  static func number(_ name: String, _ path: WritableKeyPath<Root, Double>) -> Self {
    value(name, path, .decimal)
  }

  /// A whole number.
  static func count(_ name: String, _ path: WritableKeyPath<Root, Int>) -> Self {
    value(name, path, .whole)
  }

  /// A number that may be left to a rule.
  static func number(_ name: String, _ path: WritableKeyPath<Root, Double?>) -> Self {
    value(name, path, .decimal)
  }

  /// A whole number that may be left to a rule.
  static func count(_ name: String, _ path: WritableKeyPath<Root, Int?>) -> Self {
    value(name, path, .whole)
  }

  /// A value of some form, written where it is not the default.
  private static func value<Value: Codable & Equatable>(
    _ name: String, _ path: WritableKeyPath<Root, Value>, _ form: QueryError.MemberForm
  ) -> Self {
    Self(
      name: name, form: form, words: [],
      read: { root, members, name in
        if let value: Value = try members.value(name, form) { root[keyPath: path] = value }
      },
      write: { root, members in
        let value = root[keyPath: path]
        if value != Root()[keyPath: path] { try members.put(value, name) }
      })
  }

  /// A value of some form that may be left to a rule.
  private static func value<Value: Codable>(
    _ name: String, _ path: WritableKeyPath<Root, Value?>, _ form: QueryError.MemberForm
  ) -> Self {
    Self(
      name: name, form: form, words: [],
      read: { root, members, name in root[keyPath: path] = try members.value(name, form) },
      write: { root, members in
        if let value = root[keyPath: path] { try members.put(value, name) }
      })
  }
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
  fileprivate static func read(_ members: Members<ParameterName>) throws -> AnalysisMethod {
    var parameters = Self()
    for member in self.members {
      try member.read(&parameters, members, ParameterName(rawValue: member.name))
    }
    for name in ParameterName.allCases where !names.contains(name.rawValue) {
      guard try name.rawValue == "analysis" || !members.contains(name) else {
        throw QueryError(.memberOfAnother(name.rawValue, analysis: Self.name))
      }
    }
    return parameters.method
  }

  fileprivate func write(to members: inout KeyedEncodingContainer<AnyKey>) throws {
    try members.put(Self.name, ParameterName.analysis.rawValue)
    for member in Self.members { try member.write(self, &members) }
  }
}

extension AnalysisMethod {
  /// The method that a plan names, else one by its name, with its parameters.
  init(members: Members<ParameterName>, named standard: String?) throws {
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
