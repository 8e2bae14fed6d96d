extension UnitError: CustomStringConvertible {
  /// What is wrong, at which byte, and what to write instead.
  public var description: String {
    switch reason {
    case .incompatible, .notInDialect: explanation
    default: "no unit from byte \(offset) on: \(explanation)"
    }
  }

  /// The same without the offset, for a message that states it elsewhere.
  public var explanation: String {
    var parts = [reason.description]
    switch reason {
    case .unexpectedCharacter, .secondSlash, .notInCompound:
      if let wanted = expected.description { parts.append("expected \(wanted)") }
    default: break
    }
    if let suggestion { parts.append("did you mean \(suggestion)?") }
    if let hint { parts.append(hint.description) }
    return parts.joined(separator: "; ")
  }
}

extension UnitError.Reason: CustomStringConvertible {
  /// The reason as a part of a sentence.
  public var description: String {
    switch self {
    case .unknownUnit: "unknown unit"
    case .unexpectedCharacter: "unexpected character"
    case .missingUnit: "a unit is missing"
    case .secondSlash: "a second / (everything after the first / is the denominator)"
    case .unclosedParenthesis: "a parenthesis is not closed"
    case .unclosedBracket: "a bracket is not closed"
    case .missingExponent: "a whole number must follow ^"
    case .exponentOutOfRange: "the power is out of range"
    case .invalidMolarMass: "a molar mass is a positive number of grams per mole"
    case .notInCompound: "this unit is not allowed in a product, quotient or power"
    case .tooLong: "the unit is too long"
    case .tooDeep: "too many parentheses inside each other"
    case .factorOutOfRange: "the unit is beyond any exact size"
    case .notInDialect(.healthKit): "HealthKit cannot express this unit"
    case .notInDialect(.ucum): "UCUM cannot express this unit"
    case .incompatible(let from, let to):
      "the units measure different things (\(from) and \(to)) and do not convert"
    }
  }
}

extension UnitError.Expectation {
  fileprivate var description: String? {
    switch self {
    case .unit: "a unit"
    case .operatorOrEnd: "· * . / ^ or the end"
    case .wholeNumber: "a whole number"
    case .positiveNumber: "a positive number"
    case .closing(let character): String(character)
    case .sameDimension, .shorterText: nil
    }
  }
}

extension UnitError.Hint: CustomStringConvertible {
  /// The hint as a part of a sentence.
  public var description: String {
    switch self {
    case .spelling(.healthKit): "this is HealthKit's spelling"
    case .spelling(.ucum): "this is UCUM's spelling"
    case .reciprocal: "pace and speed are reciprocals of each other and do not convert"
    case .massIsNotForce: "lb is a mass, not a force"
    case .quantity: "this names a quantity, not a unit"
    }
  }
}
