/// The table of units with the way from a spelling to a unit and its prefix.
///
/// There is one table, `standard`. Tests make changed copies to show that a wrong factor is found.
package struct UnitTable: Sendable {
  /// The units; a term holds the index, and a product prints in this order.
  package let definitions: [UnitDefinition]

  /// The exact factors of `definitions`, without powers of π.
  private let factors: [ExactRatio]

  /// Prefix and unit of every spelling, by dialect.
  private let spellings: [UnitDialect: [UnitSpelling: PrefixedUnit]]

  package init(definitions: [UnitDefinition]) {
    self.definitions = definitions
    factors = definitions.map(\.factor.rational)
    var spellings: [UnitDialect: [UnitSpelling: PrefixedUnit]] = [:]
    for dialect in UnitDialect.allCases {
      spellings[dialect] = Self.spellings(of: definitions, in: dialect)
    }
    self.spellings = spellings
  }

  package static let standard = UnitTable(definitions: healthKitUnits)

  /// The places in the table of the two moles: one with its molar mass, one without.
  static let moleOfMass = index(ofMoleWith: .molarMass)
  static let massLessMole = index(ofMoleWith: .linear)

  private static func index(ofMoleWith scale: UnitDefinition.Scale) -> UInt16 {
    let index = healthKitUnits.firstIndex { $0.healthKit == "mol" && $0.scale == scale }
    return UInt16(index ?? 0)
  }

  private static func spellings(
    of definitions: [UnitDefinition], in dialect: UnitDialect
  ) -> [UnitSpelling: PrefixedUnit] {
    var result: [UnitSpelling: PrefixedUnit] = [:]
    for (unit, definition) in definitions.enumerated() where definition.scale != .molarMass {
      for name in definition.acceptedNames(in: dialect) {
        result[UnitSpelling(name)] = PrefixedUnit(prefix: 0, unit: UInt16(unit))
      }
    }
    for (unit, definition) in definitions.enumerated()
    where definition.takesPrefix && definition.scale != .molarMass {
      for name in definition.acceptedNames(in: dialect) {
        for (prefix, spelling) in UnitPrefix.all.enumerated().dropFirst() {
          guard let text = spelling.name(in: dialect) else { continue }
          let key = UnitSpelling(text + name)
          // A name of its own wins over a prefix and a name: `cd`, `min`, `kcal`.
          if result[key] == nil {
            result[key] = PrefixedUnit(prefix: UInt8(prefix), unit: UInt16(unit))
          }
        }
      }
    }
    return result
  }

  package func unit(spelled spelling: UnitSpelling, in dialect: UnitDialect) -> PrefixedUnit? {
    spellings[dialect]?[spelling]
  }

  package func names(in dialect: UnitDialect) -> [String] {
    definitions.compactMap { $0.name(in: dialect) }
  }

  /// Every name with every prefix that it takes.
  package func spellings(in dialect: UnitDialect) -> [String] {
    definitions.flatMap { definition -> [String] in
      guard let name = definition.name(in: dialect) else { return [] }
      return UnitPrefix.all.prefix(definition.takesPrefix ? UnitPrefix.all.count : 1)
        .compactMap { prefix in prefix.name(in: dialect).map { $0 + name } }
    }
  }

  /// The exact size of a product of terms in base units, and the power of π that belongs to it.
  package func factor(of terms: [UnitTerm]) -> (rational: ExactRatio, exponentOfPi: Int) {
    var rational = ExactRatio.one
    var exponentOfPi = 0
    for term in terms {
      let definition = definitions[Int(term.unit)]
      var factor = factors[Int(term.unit)] * UnitPrefix.all[Int(term.prefix)].factor
      switch definition.scale {
      case .molarMass: factor = factor * ExactRatio(exactly: term.molarMass)
      case .number: factor = factor * ExactRatio(term.parameter)
      case .linear, .shifted: break
      }
      rational = rational * factor.raised(to: Int(term.power))
      exponentOfPi += definition.factor.exponentOfPi * Int(term.power)
    }
    return (rational, exponentOfPi)
  }
}

/// A unit of the table with its prefix.
package struct PrefixedUnit: Sendable, Hashable {
  package let prefix: UInt8
  package let unit: UInt16
}

/// Up to 16 bytes of a name in one integer, so that looking it up allocates nothing.
package struct UnitSpelling: Hashable, Sendable {
  private let bytes: UInt128

  package init(_ text: String) {
    bytes = text.utf8.reduce(0) { $0 << 8 | UInt128($1) }
  }

  /// Nil for a name longer than any unit's.
  init?(_ text: Slice<UnsafeBufferPointer<UInt8>>) {
    guard text.count <= 16 else { return nil }
    bytes = text.reduce(0) { $0 << 8 | UInt128($1) }
  }
}

extension UnitDefinition {
  package func name(in dialect: UnitDialect) -> String? {
    switch dialect {
    case .healthKit: healthKit
    case .ucum: ucum
    }
  }
}

extension UnitDefinition {
  /// The printed name and, for the litre, its small letter.
  fileprivate func acceptedNames(in dialect: UnitDialect) -> [String] {
    guard let name = name(in: dialect) else { return [] }
    return name == "L" ? ["L", "l"] : [name]
  }
}

extension UnitPrefix {
  package func name(in dialect: UnitDialect) -> String? {
    switch dialect {
    case .healthKit: healthKit
    case .ucum: ucum
    }
  }
}
