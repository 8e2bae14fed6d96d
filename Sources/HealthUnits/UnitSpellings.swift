/// The way from a name, with or without prefix, to a unit of the table.
package struct UnitSpellings: Sendable {
  private let dialect: UnitDialect
  private var places: [UnitSpelling: PrefixedUnit] = [:]

  package init(_ definitions: [UnitDefinition], dialect: UnitDialect) {
    self.dialect = dialect
    places.reserveCapacity(dialect == .ucum ? 4096 : 512)
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

  /// Adds a unit with all its prefixes; a name of its own wins over a prefix and a name.
  mutating func add(_ definition: UnitDefinition, at place: Int) {
    guard definition.isSpelled else { return }
    for name in definition.acceptedNames(in: dialect) {
      let spelling = UnitSpelling(name)
      places[spelling] = PrefixedUnit(prefix: 0, unit: UInt16(place))
      guard definition.takesPrefix(in: dialect) else { continue }
      for (prefix, definition) in UnitPrefix.all.enumerated().dropFirst() {
        guard let text = definition.name(in: dialect),
          let key = UnitSpelling(prefix: text, name: name), places[key] == nil
        else { continue }
        places[key] = PrefixedUnit(prefix: UInt8(prefix), unit: UInt16(place))
      }
    }
  }

  package subscript(spelling: UnitSpelling) -> PrefixedUnit? { places[spelling] }
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

/// Up to 16 bytes of a name in one integer, so that looking it up allocates nothing.
package struct UnitSpelling: Hashable, Sendable {
  private let bytes: UInt128

  package init(_ text: String) {
    bytes = text.utf8.reduce(0) { $0 << 8 | UInt128($1) }
  }

  init?(prefix: String, name: String) {
    guard prefix.utf8.count + name.utf8.count <= 16 else { return nil }
    self.init(prefix + name)
  }

  /// Nil for a name longer than any unit's.
  init?(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
    guard text.count <= 16 else { return nil }
    bytes = text.reduce(0) { $0 << 8 | UInt128($1) }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(UInt64(truncatingIfNeeded: bytes) ^ UInt64(truncatingIfNeeded: bytes >> 64))
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
