/// Finds the unit of a name, with or without a prefix.
///
/// An open-addressing hash table of names of up to 16 bytes, so that a lookup does not allocate and
/// takes some nanoseconds.
package struct UnitSpellings: Sendable {
  private let dialect: UnitDialect
  private var names = [UInt128](repeating: 0, count: 1024)
  private var places = [UInt16](repeating: 0, count: 1024)
  private var takesPrefix = [Bool](repeating: false, count: 1024)

  /// The prefixes of one letter, by that letter, and those of two letters.
  private var shortPrefixes = [UInt8](repeating: 0, count: 128)
  private var longPrefixes: [(letters: UInt128, prefix: UInt8)] = []

  package init(_ definitions: [UnitDefinition], dialect: UnitDialect) {
    self.dialect = dialect
    for (prefix, definition) in UnitPrefix.all.enumerated().dropFirst() {
      let letters = Array((definition.name(in: dialect) ?? "").utf8)
      if letters.count == 1 { shortPrefixes[Int(letters[0])] = UInt8(prefix) }
      if letters.count == 2 { longPrefixes.append((Name(letters).letters, UInt8(prefix))) }
    }
    for (place, definition) in definitions.enumerated() { add(definition, at: place) }
  }

  /// HealthKit's names and UCUM's codes of the standard table.
  package static let healthKit = UnitSpellings(UnitTable.standard.definitions, dialect: .healthKit)
  package static let ucum = UnitSpellings(UnitTable.standard.definitions, dialect: .ucum)

  package static func standard(_ dialect: UnitDialect) -> UnitSpellings {
    switch dialect {
    case .healthKit: healthKit
    case .ucum: ucum
    }
  }

  mutating func add(_ definition: UnitDefinition, at place: Int) {
    guard definition.isSpelled else { return }
    for name in definition.acceptedNames(in: dialect) {
      let letters = Name(name.utf8).letters
      var slot = Self.slot(of: letters)
      while names[slot] != 0 { slot = (slot + 1) & 1023 }
      names[slot] = letters
      places[slot] = UInt16(place)
      takesPrefix[slot] = definition.takesPrefix(in: dialect)
    }
  }

  /// The letters of a name, which a parser collects one by one.
  struct Name {
    fileprivate var high: UInt64 = 0
    fileprivate var low: UInt64 = 0
    fileprivate var count = 0

    @inline(__always) mutating func append(_ letter: UInt8) {
      high = high << 8 | low >> 56
      low = low << 8 | UInt64(letter)
      count += 1
    }

    init() {}

    init(_ letters: some Sequence<UInt8>) {
      for letter in letters { append(letter) }
    }

    fileprivate var letters: UInt128 { UInt128(high) << 64 | UInt128(low) }
  }

  /// The unit of a name; a full match wins over a prefix and a name.
  subscript(_ name: Name) -> PrefixedUnit? {
    let (letters, count) = (name.letters, name.count)
    guard count > 0, count <= 16 else { return nil }
    if let slot = slot(holding: letters) { return PrefixedUnit(unit: places[slot]) }
    let first = UInt8(truncatingIfNeeded: letters >> UInt128(8 * (count - 1)))
    if count > 1, first < 128, shortPrefixes[Int(first)] != 0,
      let slot = slot(holding: letters & (1 << UInt128(8 * (count - 1)) - 1)), takesPrefix[slot]
    {
      return PrefixedUnit(prefix: shortPrefixes[Int(first)], unit: places[slot])
    }
    guard count > 2 else { return nil }
    let two = letters >> UInt128(8 * (count - 2))
    guard let prefix = longPrefixes.first(where: { $0.letters == two })?.prefix,
      let slot = slot(holding: letters & (1 << UInt128(8 * (count - 2)) - 1)), takesPrefix[slot]
    else { return nil }
    return PrefixedUnit(prefix: prefix, unit: places[slot])
  }

  private func slot(holding letters: UInt128) -> Int? {
    var slot = Self.slot(of: letters)
    while names[slot] != 0 {
      if names[slot] == letters { return slot }
      slot = (slot + 1) & 1023
    }
    return nil
  }

  private static func slot(of letters: UInt128) -> Int {
    let folded = UInt64(truncatingIfNeeded: letters) ^ UInt64(truncatingIfNeeded: letters >> 64)
    return Int(truncatingIfNeeded: (folded &* 0x9E37_79B9_7F4A_7C15) >> 54)
  }
}

/// A unit of the table with its prefix.
package struct PrefixedUnit: Sendable, Hashable {
  package let prefix: UInt8
  package let unit: UInt16

  package init(prefix: UInt8 = 0, unit: UInt16) {
    self.prefix = prefix
    self.unit = unit
  }
}

extension UnitDefinition {
  /// The printed name and other codes of the same unit.
  fileprivate func acceptedNames(in dialect: UnitDialect) -> [String] {
    guard let name = name(in: dialect) else { return [] }
    switch name {
    case "L": return ["L", "l"]
    case "[IU]": return ["[IU]", "[iU]"]
    default: return [name]
    }
  }
}
