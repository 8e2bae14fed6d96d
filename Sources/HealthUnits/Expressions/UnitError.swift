/// Why a text is not a unit, or why two units do not convert.
///
/// The error carries data; its description is the sentence for a person.
public struct UnitError: Error, Sendable, Hashable {
  /// What is wrong.
  public enum Reason: Sendable, Hashable {
    /// A name that no unit of the dialect has.
    case unknownUnit
    /// A byte that is not allowed here.
    case unexpectedCharacter
    /// The text ends, or an operator follows, where a unit is expected.
    case missingUnit
    /// A second `/`, or a `/` inside parentheses.
    case secondSlash
    /// A `(` without `)`.
    case unclosedParenthesis
    /// A `<` without `>`, a `[` without `]` or a `{` without `}`.
    case unclosedBracket
    /// A `^` without a whole number after it.
    case missingExponent
    /// A power outside -127…127, alone or summed up.
    case exponentOutOfRange
    /// A molar mass that is not a positive finite decimal number.
    case invalidMolarMass
    /// A unit that is not allowed in a product, a quotient or a power.
    case notInCompound
    /// A text longer than `UnitExpression.maximumByteCount`.
    case tooLong
    /// Parentheses deeper than `UnitExpression.maximumDepth`.
    case tooDeep
    /// Prefixes, powers and numbers whose product is beyond any exact factor.
    case factorOutOfRange
    /// A unit that the other dialect cannot express.
    case notInDialect(UnitDialect)
    /// Two units of different dimensions.
    case incompatible(from: UnitDimension, to: UnitDimension)
  }

  /// What is expected at the offset.
  public enum Expectation: Sendable, Hashable {
    case unit
    case operatorOrEnd
    case wholeNumber
    case positiveNumber
    case closing(Character)
    case sameDimension
    case shorterText
  }

  /// What the writer probably meant.
  public enum Hint: Sendable, Hashable {
    /// The text is right in another dialect.
    case spelling(of: UnitDialect)
    /// Pace and speed are reciprocals: they do not convert.
    case reciprocal
    /// `lb` is mass, not force.
    case massIsNotForce
    /// The name of a quantity instead of a unit.
    case quantity
  }

  /// The byte in the UTF-8 text where parsing stopped; 0 for `incompatible`.
  public let offset: Int

  /// What is wrong.
  public let reason: Reason

  /// What is expected there.
  public let expected: Expectation

  /// A text close to the given one that parses in the same dialect, if one was found.
  public var suggestion: String?

  /// What the writer probably meant, if recognised.
  public var hint: Hint?

  package init(
    _ reason: Reason, at offset: Int, expected: Expectation, suggestion: String? = nil,
    hint: Hint? = nil
  ) {
    self.offset = offset
    self.reason = reason
    self.expected = expected
    self.suggestion = suggestion
    self.hint = hint
  }
}
