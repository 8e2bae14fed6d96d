/// Reads the case-sensitive codes of UCUM 2.2.
///
/// ```
/// unit      = [ "/" ] term
/// term      = component { ( "." | "/" ) component }         left to right: a/b.c is (a/b)·c
/// component = code [ exponent ] [ note ] | digits [ note ] | note | "(" term ")" [ note ]
/// exponent  = [ "+" | "-" ] digits            note = "{" printable ASCII "}"
/// ```
struct UCUMParser {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let spellings: UnitSpellings
  private let facts: [UnitFacts]?
  private var position = 0
  private var depth = 0

  /// The offset of a unit that cannot be part of a product.
  private var specialOffset: Int?

  /// `facts` is nil while the table is being built.
  init(
    bytes: UnsafeBufferPointer<UInt8>, spellings: UnitSpellings, facts: [UnitFacts]?
  ) {
    self.bytes = bytes
    self.spellings = spellings
    self.facts = facts
  }

  mutating func parse() throws(UnitError) -> UnitTermList {
    var list = UnitTermList()
    let isReciprocal = current == UInt8(ascii: "/")
    if isReciprocal { position += 1 }
    try term(into: &list, power: isReciprocal ? -1 : 1)
    guard position == bytes.count else {
      throw error(.unexpectedCharacter, expected: .operatorOrEnd)
    }
    if let specialOffset, let facts, !list.isScale(by: facts) {
      throw error(.notInCompound, at: specialOffset, expected: .unit)
    }
    return list
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func error(
    _ reason: UnitError.Reason, at offset: Int? = nil, expected: UnitError.Expectation
  ) -> UnitError {
    UnitError(reason, at: offset ?? position, expected: expected)
  }

  /// The first component has the given power; each `/` divides only the component after it.
  private mutating func term(
    into list: inout UnitTermList, power: Int
  ) throws(UnitError) {
    var sign = power
    while true {
      try component(into: &list, power: sign)
      switch current {
      case UInt8(ascii: "."): sign = 1
      case UInt8(ascii: "/"): sign = -1
      default: return
      }
      position += 1
    }
  }

  private func multiply(
    _ list: inout UnitTermList, by term: UnitTerm, power: Int, at start: Int
  ) throws(UnitError) {
    guard list.multiply(by: term, power: power) else {
      throw error(.exponentOutOfRange, at: start, expected: .wholeNumber)
    }
  }

  private mutating func component(
    into list: inout UnitTermList, power: Int
  ) throws(UnitError) {
    switch current {
    case UInt8(ascii: "("):
      try group(into: &list, power: power)
    case UInt8(ascii: "{"):
      try note(into: &list, on: nil, power: power)
      try checkFollower()
    case .some(let byte) where Self.isDigit(byte):
      try number(into: &list, power: power)
    case .some(let byte) where Self.isNameByte(byte) || byte == UInt8(ascii: "["):
      try name(into: &list, power: power)
    case nil, UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: ")"):
      throw error(.missingUnit, expected: .unit)
    default:
      throw error(.unexpectedCharacter, expected: .unit)
    }
  }

  private mutating func group(into list: inout UnitTermList, power: Int) throws(UnitError) {
    guard depth < UnitExpression.maximumDepth else { throw error(.tooDeep, expected: .unit) }
    depth += 1
    let start = position
    position += 1
    var inner = UnitTermList()
    try term(into: &inner, power: 1)
    switch current {
    case UInt8(ascii: ")"): position += 1
    case nil: throw error(.unclosedParenthesis, expected: .closing(")"))
    default: throw error(.unexpectedCharacter, expected: .closing(")"))
    }
    if current == UInt8(ascii: "{") {
      let text = try noteText()
      // A note on a product goes to one of its units.
      if !inner.note(text) {
        let term = inner.term(PrefixedUnit(unit: UnitTable.annotation), note: text)
        try multiply(&inner, by: term, power: 1, at: start)
      }
    }
    guard list.multiply(by: inner, power: power) else {
      throw error(.exponentOutOfRange, at: start, expected: .wholeNumber)
    }
    depth -= 1
    try checkFollower()
  }

  private func checkFollower() throws(UnitError) {
    switch current {
    case nil, UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: ")"): return
    default: throw error(.unexpectedCharacter, expected: .operatorOrEnd)
    }
  }

  /// A whole number, or one of the powers of ten `10*` and `10^` with an exponent.
  private mutating func number(into list: inout UnitTermList, power: Int) throws(UnitError) {
    let start = position
    var value: UInt64 = 0
    while let byte = current, Self.isDigit(byte) {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
      guard !overflow, !carry else {
        throw error(.factorOutOfRange, at: start, expected: .wholeNumber)
      }
      value = sum
      position += 1
    }
    if value == 10, position - start == 2,
      current == UInt8(ascii: "*") || current == UInt8(ascii: "^")
    {
      position += 1
      let letters = UnitSpellings.Name(bytes[start..<position])
      return try unit(letters, at: start, into: &list, power: power)
    }
    guard value > 0 else { throw error(.unexpectedCharacter, at: start, expected: .unit) }
    if value > 1 {
      let term = UnitTerm(PrefixedUnit(unit: UnitTable.number), parameter: value)
      try multiply(&list, by: term, power: power, at: start)
    }
    if current == UInt8(ascii: "{") { try note(into: &list, on: nil, power: power) }
    try checkFollower()
  }

  private mutating func name(into list: inout UnitTermList, power: Int) throws(UnitError) {
    let start = position
    var letters = UnitSpellings.Name()
    var isInBrackets = false
    while let byte = current, isInBrackets || Self.isNameByte(byte) || byte == UInt8(ascii: "[") {
      isInBrackets = byte != UInt8(ascii: "]") && (isInBrackets || byte == UInt8(ascii: "["))
      letters.append(byte)
      position += 1
    }
    guard !isInBrackets else {
      throw error(.unclosedBracket, at: bytes.count, expected: .closing("]"))
    }
    try unit(letters, at: start, into: &list, power: power)
  }

  /// Looks a code up, with the exponent and the note that follow it.
  private mutating func unit(
    _ letters: UnitSpellings.Name, at start: Int, into list: inout UnitTermList, power sign: Int
  ) throws(UnitError) {
    let power = sign * (try exponent())
    if current != UInt8(ascii: "{") { try checkFollower() }
    guard let unit = spellings[letters] else {
      throw error(.unknownUnit, at: start, expected: .unit)
    }
    if let facts, facts[Int(unit.unit)].isSpecial { specialOffset = start }
    if current == UInt8(ascii: "{") {
      try note(into: &list, on: unit, power: power)
      try checkFollower()
    } else {
      try multiply(&list, by: UnitTerm(unit), power: power, at: start)
    }
  }

  private mutating func exponent() throws(UnitError) -> Int {
    let start = position
    let sign = current
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position += 1 }
    let firstDigit = position
    var value = 0
    while let byte = current, Self.isDigit(byte) {
      value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 1000)
      position += 1
    }
    if position == firstDigit {
      guard firstDigit == start else { throw error(.missingExponent, expected: .wholeNumber) }
      return 1
    }
    guard value <= 127 else {
      throw error(.exponentOutOfRange, at: start, expected: .wholeNumber)
    }
    return sign == UInt8(ascii: "-") ? -value : value
  }

  /// A note on a unit, or a note without a unit.
  ///
  /// The note `M=` with a number on a mole is its molar mass: HealthKit's mole.
  private mutating func note(
    into list: inout UnitTermList, on unit: PrefixedUnit?, power: Int
  ) throws(UnitError) {
    let start = position + 1
    let text = try noteText()
    var term: UnitTerm?
    if let unit, let facts, facts[Int(unit.unit)].isUCUMMole, text.hasPrefix("M="),
      let mass = HealthKitParser.molarMass(text.dropFirst(2))
    {
      term = UnitTerm(
        PrefixedUnit(prefix: unit.prefix, unit: UnitIndices.moleOfMass),
        parameter: UnitTerm.parameter(ofMolarMass: mass), molarMass: mass)
    }
    try multiply(
      &list,
      by: term ?? list.term(unit ?? PrefixedUnit(unit: UnitTable.annotation), note: text),
      power: power, at: start)
  }

  private mutating func noteText() throws(UnitError) -> String {
    let start = position + 1
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "}") {
      guard (33...126).contains(bytes[end]), bytes[end] != UInt8(ascii: "{") else {
        throw error(.unexpectedCharacter, at: end, expected: .closing("}"))
      }
      end += 1
    }
    guard end < bytes.count else {
      throw error(.unclosedBracket, at: end, expected: .closing("}"))
    }
    position = end + 1
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"), UInt8(ascii: "%"), UInt8(ascii: "'"):
      true
    default:
      false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
