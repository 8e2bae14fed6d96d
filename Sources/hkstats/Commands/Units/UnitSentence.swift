import HealthUnits

/// What is wrong with a unit, in words; the offset is told apart where a script reads it.
enum UnitSentence {
  /// Why a text is no unit.
  static func text(_ error: UnitError, in unit: String) -> String {
    var parts = [reason(error.reason)]
    if saysMore(error.reason), let wanted = expectation(error.expected) {
      parts.append("expected \(wanted)")
    }
    if let suggestion = error.suggestion { parts.append("did you mean \(suggestion)?") }
    if let hint = error.hint { parts.append(text(hint)) }
    return parts.joined(separator: "; ")
  }

  /// Why two units do not convert.
  static func text(_ error: UnitError, from: String, to: String) -> String {
    guard case .incompatible(let source, let target) = error.reason else {
      return text(error, in: from)
    }
    var parts = [
      "\(from) measures \(DimensionName.name(of: source)), \(to) measures \(DimensionName.name(of: target))"
    ]
    if let suggestion = error.suggestion { parts.append("did you mean \(suggestion)?") }
    if let hint = error.hint { parts.append(text(hint)) }
    return parts.joined(separator: "; ")
  }

  /// Whether what was expected says more than the reason alone.
  private static func saysMore(_ reason: UnitError.Reason) -> Bool {
    switch reason {
    case .unexpectedCharacter, .secondSlash, .notInCompound: true
    default: false
    }
  }

  private static func reason(_ reason: UnitError.Reason) -> String {
    switch reason {
    case .unknownUnit: "unknown unit"
    case .unexpectedCharacter: "unexpected character"
    case .missingUnit: "a unit is missing"
    case .secondSlash: "a second / (everything after the first / is the denominator)"
    case .unclosedParenthesis: "a parenthesis is not closed"
    case .unclosedBracket: "a bracket is not closed"
    case .missingExponent: "a whole number must follow ^"
    case .exponentOutOfRange: "the power is out of range"
    case .invalidMolarMass: "a molar mass is a positive number of grams per mole"
    case .notInCompound: "this unit stands only alone"
    case .tooLong: "the unit is too long"
    case .tooDeep: "too many parentheses inside each other"
    case .factorOutOfRange: "the unit is beyond any exact size"
    case .notInDialect(.healthKit): "HealthKit has no way to say this unit"
    case .notInDialect(.ucum): "UCUM has no way to say this unit"
    case .incompatible: "the units measure different things"
    }
  }

  private static func expectation(_ expectation: UnitError.Expectation) -> String? {
    switch expectation {
    case .unit: "a unit"
    case .operatorOrEnd: "· * . / ^ or the end"
    case .wholeNumber: "a whole number"
    case .positiveNumber: "a positive number"
    case .closing(let character): String(character)
    case .sameDimension, .shorterText: nil
    }
  }

  private static func text(_ hint: UnitError.Hint) -> String {
    switch hint {
    case .spelling(.healthKit): "this is HealthKit's spelling"
    case .spelling(.ucum): "this is a UCUM spelling (see --dialect ucum)"
    case .reciprocal: "pace and speed are reciprocals of each other and do not convert"
    case .massIsNotForce: "lb is a mass, not a force"
    case .quantity: "this names a quantity, not a unit"
    }
  }
}
