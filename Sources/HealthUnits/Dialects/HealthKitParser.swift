/// Reads HealthKit's unit strings.
///
/// ```
/// unit    = "" | nulls | product [ "/" product ]      nulls = "()" | "(" nulls ")"
/// product = factor { ( "*" | "·" | "." ) factor }
/// factor  = ( name [ "<" number ">" ] | "1" | "(" product ")" ) [ "^" [ "-" ] digit { digit } ]
/// ```
///
/// There is at most one `/`, never inside parentheses; everything after it divides.
struct HealthKitParser {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var depth = 0

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func parse() throws(UnitError) -> UnitTermList {
    if isNullUnit { return UnitTermList() }
    var list = UnitTermList()
    try product(into: &list, sign: 1)
    if current == UInt8(ascii: "/") {
      position += 1
      try product(into: &list, sign: -1)
    }
    guard position == bytes.count else {
      if current == UInt8(ascii: "/") { throw error(.secondSlash, expected: .operatorOrEnd) }
      throw error(.unexpectedCharacter, expected: .operatorOrEnd)
    }
    return list
  }

  /// Empty, or nested parentheses only.
  private var isNullUnit: Bool {
    let half = bytes.count / 2
    return bytes.count % 2 == 0 && bytes.prefix(half).allSatisfy { $0 == UInt8(ascii: "(") }
      && bytes.dropFirst(half).allSatisfy { $0 == UInt8(ascii: ")") }
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  @inline(never) private func error(
    _ reason: UnitError.Reason, at offset: Int? = nil, expected: UnitError.Expectation
  ) -> UnitError {
    UnitError(reason, at: offset ?? position, expected: expected)
  }

  private mutating func product(
    into list: inout UnitTermList, sign: Int
  ) throws(UnitError) {
    repeat { try factor(into: &list, sign: sign) } while skipMultiplication()
  }

  private mutating func skipMultiplication() -> Bool {
    switch current {
    case UInt8(ascii: "*"), UInt8(ascii: "."):
      position += 1
      return true
    case 0xC2 where position + 1 < bytes.count && bytes[position + 1] == 0xB7:
      position += 2
      return true
    default:
      return false
    }
  }

  private mutating func factor(
    into list: inout UnitTermList, sign: Int
  ) throws(UnitError) {
    let start = position
    var isInRange = true
    switch current {
    case UInt8(ascii: "("):
      let inner = try group()
      isInRange = list.multiply(by: inner, power: sign * (try exponent()))
    case UInt8(ascii: "1"):
      position += 1
      try checkFollower()
      _ = try exponent()
    case .some(let byte) where Self.isNameByte(byte):
      let term = try name()
      isInRange = list.multiply(by: term, power: sign * (try exponent()))
    case nil, UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "."), UInt8(ascii: ")"),
      UInt8(ascii: "^"):
      throw error(.missingUnit, expected: .unit)
    default:
      throw error(.unexpectedCharacter, expected: .unit)
    }
    guard isInRange else { throw error(.exponentOutOfRange, at: start, expected: .wholeNumber) }
  }

  private mutating func group() throws(UnitError) -> UnitTermList {
    guard depth < UnitExpression.maximumDepth else {
      throw error(.tooDeep, expected: .unit)
    }
    depth += 1
    position += 1
    var list = UnitTermList()
    try product(into: &list, sign: 1)
    switch current {
    case UInt8(ascii: ")"): position += 1
    case nil: throw error(.unclosedParenthesis, expected: .closing(")"))
    case UInt8(ascii: "/"): throw error(.secondSlash, expected: .closing(")"))
    default: throw error(.unexpectedCharacter, expected: .closing(")"))
    }
    depth -= 1
    try checkFollower()
    return list
  }

  /// Rejects a character that cannot follow a complete factor.
  @inline(__always) private func checkFollower() throws(UnitError) {
    switch current {
    case nil, UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "."), UInt8(ascii: ")"),
      UInt8(ascii: "^"):
      return
    case 0xC2 where position + 1 < bytes.count && bytes[position + 1] == 0xB7:
      return
    default:
      throw error(.unexpectedCharacter, expected: .operatorOrEnd)
    }
  }

  private mutating func name() throws(UnitError) -> UnitTerm {
    let start = position
    var letters = UnitSpellings.Name()
    while let byte = current, Self.isNameByte(byte) {
      letters.append(byte)
      position += 1
    }
    if current != UInt8(ascii: "<") { try checkFollower() }
    guard let unit = UnitSpellings.healthKit[letters] else {
      throw error(.unknownUnit, at: start, expected: .unit)
    }
    guard current == UInt8(ascii: "<") else { return UnitTerm(unit) }
    guard unit.unit == UnitIndices.mole else {
      throw error(.unexpectedCharacter, expected: .operatorOrEnd)
    }
    let mass = try molarMass()
    try checkFollower()
    return UnitTerm(
      PrefixedUnit(prefix: unit.prefix, unit: UnitIndices.moleOfMass),
      parameter: UnitTerm.parameter(ofMolarMass: mass), molarMass: mass)
  }

  private mutating func molarMass() throws(UnitError) -> Double {
    let start = position + 1
    guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else {
      throw error(.unclosedBracket, at: bytes.count, expected: .closing(">"))
    }
    position = end + 1
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    guard let mass = Self.molarMass(text[...]) else {
      throw error(.invalidMolarMass, at: start, expected: .positiveNumber)
    }
    return mass
  }

  /// Grams per mole: a decimal number that is a positive normal double.
  static func molarMass(_ text: Substring) -> Double? {
    guard isDecimalNumber(text), let mass = Double(text), mass.isNormal else { return nil }
    return mass
  }

  /// The power after a factor; 1 when there is none.
  @inline(__always) private mutating func exponent() throws(UnitError) -> Int {
    current == UInt8(ascii: "^") ? try writtenExponent() : 1
  }

  private mutating func writtenExponent() throws(UnitError) -> Int {
    position += 1
    let start = position
    let isNegative = current == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let firstDigit = position
    var value = 0
    while let byte = current, Self.isDigit(byte) {
      value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 1000)
      position += 1
    }
    guard position > firstDigit else { throw error(.missingExponent, expected: .wholeNumber) }
    guard value <= 127 else {
      throw error(.exponentOutOfRange, at: start, expected: .wholeNumber)
    }
    guard current != UInt8(ascii: "^") else {
      throw error(.unexpectedCharacter, expected: .operatorOrEnd)
    }
    try checkFollower()
    return isNegative ? -value : value
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: "%"):
      true
    default:
      false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Digits, an optional fraction and an optional exponent: no sign, no `nan`, no `0x`.
  private static func isDecimalNumber(_ text: Substring) -> Bool {
    var rest = text.utf8[...]
    func skipDigits() -> Int {
      let digits = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(digits)
      return digits
    }
    var digits = skipDigits()
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      digits += skipDigits()
    }
    guard digits > 0 else { return false }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
        rest = rest.dropFirst()
      }
      guard skipDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}
