import Foundation
import HealthQuery
import HealthStatistics
import _HealthNumerics

/// A parameter of a method: its name, the values it may have, what it is about, and where it is stored.
///
/// Plans, commands, assistants and other languages read it here.
public struct Parameter<Root: AnalysisParameters> {
  /// What it is, without where it is stored.
  package let facts: ParameterFacts
  /// Where it is stored.
  let path: PartialKeyPath<Root>
  let value: (Root) -> ParameterValue
  let read: (inout Root, QuestionKeys<ParameterName>) throws -> Void

  /// The name in JSON.
  public var name: String { facts.name }

  private init<Value>(
    _ name: String, _ path: WritableKeyPath<Root, Value>, _ form: ParameterForm,
    words: [String] = [], _ range: ParameterRange = .any, unit: String? = nil, about: String,
    value: @escaping (Value) -> ParameterValue,
    read: @escaping (QuestionKeys<ParameterName>, ParameterName) throws -> Value?
  ) {
    self.path = path
    self.value = { value($0[keyPath: path]) }
    self.read = { root, members in
      if let found = try read(members, ParameterName(rawValue: name)) {
        root[keyPath: path] = found
      }
    }
    facts = ParameterFacts(
      name: name, form: form, words: words, range: range, unit: unit, about: about,
      standard: value(Root()[keyPath: path]))
  }

  /// A number.
  static func number(
    _ name: String, _ path: WritableKeyPath<Root, Double>, _ range: ParameterRange,
    unit: String? = nil, about: String
  ) -> Self {
    Self(
      name, path, .number, range, unit: unit, about: about, value: ParameterValue.number,
      read: { try $0.value($1, .decimal) })
  }

  /// A number that may be left to a rule.
  static func number(
    _ name: String, _ path: WritableKeyPath<Root, Double?>, _ range: ParameterRange,
    unit: String? = nil, about: String
  ) -> Self {
    Self(
      name, path, .number, range, unit: unit, about: about,
      value: { $0.map(ParameterValue.number) ?? .none },
      read: { (try $0.value($1, .decimal) as Double?).map(Optional.some) })
  }

  /// A whole number.
  static func count(
    _ name: String, _ path: WritableKeyPath<Root, Int>, _ range: ParameterRange,
    unit: String? = nil, about: String
  ) -> Self {
    Self(
      name, path, .count, range, unit: unit, about: about, value: ParameterValue.count,
      read: { try $0.value($1, .whole) })
  }

  /// True or false.
  static func truth(_ name: String, _ path: WritableKeyPath<Root, Bool>, about: String) -> Self {
    Self(
      name, path, .truth, about: about, value: ParameterValue.truth,
      read: { try $0.value($1, .truth) })
  }

  /// One word of a list.
  static func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, _ path: WritableKeyPath<Root, Word>, _ term: QueryError.Term, about: String
  ) -> Self where Word.RawValue == String {
    Self(
      name, path, .word, words: Word.allCases.map(\.rawValue), about: about,
      value: { .word($0.rawValue) },
      read: { try $0.word($1) { try QuestionWords.word(term, $0) } })
  }

  /// One word of a list, which may be left to a rule.
  static func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, _ path: WritableKeyPath<Root, Word?>, _ term: QueryError.Term, about: String
  ) -> Self where Word.RawValue == String {
    Self(
      name, path, .word, words: Word.allCases.map(\.rawValue), about: about,
      value: { $0.map { .word($0.rawValue) } ?? .none },
      read: { members, name in
        let word: Word? = try members.word(name) { try QuestionWords.word(term, $0) }
        return word.map(Optional.some)
      })
  }

  /// One number or several.
  static func numbers(
    _ name: String, _ path: WritableKeyPath<Root, [Double]>, _ range: ParameterRange, about: String
  ) -> Self {
    Self(
      name, path, .numbers, range, about: about, value: ParameterValue.numbers,
      read: { members, name in
        if let number = try? members.value(name, .decimals) as Double? { return [number] }
        return try members.value(name, .decimals)
      })
  }

  /// One word of a list or several, which may have commas between.
  static func words<Word: RawRepresentable & CaseIterable>(
    _ name: String, _ path: WritableKeyPath<Root, [Word]>, about: String,
    read: @escaping (String) throws -> [Word]
  ) -> Self where Word.RawValue == String {
    Self(
      name, path, .words, words: Word.allCases.map(\.rawValue), about: about,
      value: { .words($0.map(\.rawValue)) },
      read: { members, name in
        let texts = try members.texts(name)
        return texts.isEmpty ? nil : try read(texts.joined(separator: ","))
      })
  }
}

extension Parameter {
  /// Names of types or of none, which may have commas between; as texts, `sleep.deep`.
  static func names(
    _ name: String, _ path: WritableKeyPath<Root, [String]>, about: String
  ) -> Self {
    Self(
      name, path, .words, about: about, value: ParameterValue.words,
      read: { members, name in
        let texts = try members.texts(name)
        return texts.isEmpty
          ? nil
          : texts.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { $0.trimmingCharacters(in: .whitespaces) }
      })
  }
}

/// What a parameter is, without where it is stored.
package struct ParameterFacts: Sendable, Hashable {
  /// The name in JSON.
  package let name: String
  /// The form of its values.
  package let form: ParameterForm
  /// The values that it may have, where these are words.
  package let words: [String]
  /// The values that it may have, where these are numbers.
  package let range: ParameterRange
  /// The unit of its numbers, where they have one.
  package let unit: String?
  /// What it says, and what holds where it is left to a rule.
  package let about: String
  /// Its value where a plan does not name it.
  package let standard: ParameterValue
}

/// The form of a parameter's values.
package enum ParameterForm: String, Sendable, Hashable {
  case number, count, truth, word, numbers, words
}

/// The value of a parameter.
package enum ParameterValue: Sendable, Hashable, Encodable {
  /// Left to a rule.
  case none
  case number(Double)
  case count(Int)
  case truth(Bool)
  case word(String)
  case numbers([Double])
  case words([String])

  /// The value as a person writes it, several with commas between; `nil` where it is left to a rule.
  package var text: String? {
    switch self {
    case .none: nil
    case .number(let number): number.plainText
    case .count(let count): "\(count)"
    case .truth(let truth): "\(truth)"
    case .word(let word): word
    case .numbers(let numbers): numbers.map(\.plainText).joined(separator: ",")
    case .words(let words): words.joined(separator: ",")
    }
  }

  /// The numbers in it.
  fileprivate var numbers: [Double] {
    switch self {
    case .number(let number): [number]
    case .count(let count): [Double(count)]
    case .numbers(let numbers): numbers
    case .none, .truth, .word, .words: []
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .none: try container.encodeNil()
    case .number(let value): try container.encode(value)
    case .count(let value): try container.encode(value)
    case .truth(let value): try container.encode(value)
    case .word(let value): try container.encode(value)
    case .numbers(let values): try container.encode(values)
    case .words(let values): try container.encode(values)
    }
  }
}

/// The numbers that a parameter may be; all of them are finite.
package enum ParameterRange: Sendable, Hashable {
  case any
  /// The number and those above it.
  case from(Double)
  /// Those above the number.
  case above(Double)
  /// Both numbers, and those between them.
  case within(ClosedRange<Double>)
  /// Those between two numbers, without these.
  case between(Double, Double)

  /// Whether a number is one of them.
  package func contains(_ number: Double) -> Bool {
    guard number.isFinite else { return false }
    return switch self {
    case .any: true
    case .from(let least): number >= least
    case .above(let bound): number > bound
    case .within(let range): range.contains(number)
    case .between(let low, let high): number > low && number < high
    }
  }

  /// What a number must be, in words.
  package var text: String {
    switch self {
    case .any: "a finite number"
    case .from(let least): "\(least.plainText) or more"
    case .above(let bound): "above \(bound.plainText)"
    case .within(let range):
      "from \(range.lowerBound.plainText) to \(range.upperBound.plainText)"
    case .between(let low, let high): "between \(low.plainText) and \(high.plainText)"
    }
  }
}

extension Double {
  /// The number as a person writes it: a whole one without a point.
  package var plainText: String {
    // Without the sign of a negative zero.
    DecimalDigits.shortest(self + 0)
  }
}

extension AnalysisParameters {
  /// What the parameters are.
  package static var facts: [ParameterFacts] { members.map(\.facts) }

  /// What the parameter is that is stored in a place.
  package static func facts(of path: PartialKeyPath<Self>) -> ParameterFacts? {
    members.first { $0.path == path }?.facts
  }

  /// Refuses a value outside of its range.
  ///
  /// - Throws: `QueryError`, which names the parameter and its range
  func check() throws(QueryError) {
    for member in Self.members {
      let (value, range) = (member.value(self), member.facts.range)
      guard value.numbers.allSatisfy(range.contains) else {
        throw QueryError(
          .analysis(AnalysisError(.parameter(name: member.name, range: range.text))))
      }
    }
  }
}
