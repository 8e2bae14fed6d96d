package import HealthAnswers

// What programs read of the members of questions and the parameters of analyses: assistants as a JSON
// Schema, other languages in the description of the library.

extension JSON {
  /// The value of a parameter; null where it is left to a rule.
  package init(_ value: ParameterValue) {
    self =
      switch value {
      case .none: .null
      case .number(let number): .number(number)
      case .count(let count): .integer(count)
      case .truth(let truth): .bool(truth)
      case .word(let word): .string(word)
      case .numbers(let numbers): .array(numbers.map(JSON.number))
      case .words(let words): .array(words.map(JSON.string))
      }
  }
}

extension ParameterRange {
  /// Its ends, by the keywords of JSON Schema.
  package var members: [JSON.Member] {
    switch self {
    case .any: []
    case .from(let least): [.init("minimum", .number(least))]
    case .above(let bound): [.init("exclusiveMinimum", .number(bound))]
    case .within(let range):
      [
        .init("minimum", .number(range.lowerBound)), .init("maximum", .number(range.upperBound)),
      ]
    case .between(let low, let high):
      [.init("exclusiveMinimum", .number(low)), .init("exclusiveMaximum", .number(high))]
    }
  }
}

extension ParameterFacts {
  /// The JSON Schema of its values, with its default and what it is about.
  package var schema: JSON {
    func type(_ name: String, _ more: [JSON.Member] = []) -> [JSON.Member] {
      [.init("type", .string(name))] + more
    }
    func list(of element: [JSON.Member]) -> [JSON.Member] {
      type("array", [.init("items", .object(element))])
    }
    let word = type(
      "string", words.isEmpty ? [] : [.init("enum", .array(words.map(JSON.string)))])
    let values =
      switch form {
      case .number: type("number", range.members)
      case .count: type("integer", range.members)
      case .truth: type("boolean")
      case .word: word
      case .numbers: list(of: type("number", range.members))
      case .words: list(of: word)
      }
    let rule: [JSON.Member] = standard == .none ? [] : [.init("default", JSON(standard))]
    return .object(values + rule + [.init("description", .string(about))])
  }

  /// What the library says of it.
  package var json: JSON {
    .object(
      [.init("name", .string(name)), .init("kind", .string(form.rawValue))]
        + (words.isEmpty ? [] : [.init("words", .array(words.map(JSON.string)))])
        + range.members + [
          .init("default", JSON(standard)), .init("unit", .optional(unit)),
          .init("about", .string(about)),
        ])
  }
}

extension MemberFacts {
  /// What the library says of a member of this name.
  package func json(named name: String) -> JSON {
    .object(
      [.init("name", .string(name)), .init("kind", .string(form.rawValue))]
        + (words.isEmpty ? [] : [.init("words", .array(words.map(JSON.string)))])
        + [.init("about", .string(about))])
  }
}
