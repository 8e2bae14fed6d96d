package import _HealthNumerics

/// The table of units, with their definitions and exact factors.
///
/// There is one table, `standard`. Tests make modified copies to show that a wrong factor is found.
package struct UnitTable: Sendable {
  /// The units; a term holds the index, and a product prints in this order.
  package let definitions: [UnitDefinition]

  /// The exact factors of `definitions`, without powers of π.
  private let factors: [ExactRatio]

  /// What parsing needs of each unit, without its names.
  let facts: [UnitFacts]

  package init(definitions: [UnitDefinition]) {
    self.definitions = definitions
    facts = definitions.map(UnitFacts.init)
    factors = definitions.map(\.factor.rational)
  }

  package static let standard = UnitTable(
    definitions: resolving(scientificUnits + customaryUnits + clinicalUnits))

  /// The base units that HealthKit lacks, after HealthKit's units.
  private static let baseUnits: [UnitDefinition] = [
    UnitDefinition(nil, "A", .base(.current), prefixes: .both),
    UnitDefinition(nil, "cd", .base(.luminousIntensity), prefixes: .both),
  ]

  /// Whole numbers, notes and π: they come first in a product.
  private static let numbers: [UnitDefinition] = [
    UnitDefinition(nil, nil, .one, scale: .number),
    UnitDefinition(nil, nil, .one, scale: .annotation),
    UnitDefinition(nil, "[pi]", .one, ExactFactor(1, pi: 1)),
    UnitDefinition(nil, "%", .one, ExactFactor(1, tens: -2)),
  ]

  /// The indexes of the two units without a spelling.
  static let number: UInt16 = 0
  static let annotation: UInt16 = 1

  /// Adds lines defined in UCUM to those of HealthKit.
  package static func resolving(_ units: [UCUMUnit]) -> [UnitDefinition] {
    var definitions = numbers + healthKitUnits + baseUnits
    var places = UnitSpellings(definitions, dialect: .ucum)
    for unit in units {
      let definition = unit.resolved(with: definitions, places, id: UInt64(definitions.count))
      definitions.append(definition)
      places.add(definition, at: definitions.count - 1)
    }
    return definitions + conventionalColumns
  }

  /// The exact size of a product of terms in base units, and its power of π.
  package func factor(of terms: [UnitTerm]) -> (rational: ExactRatio, exponentOfPi: Int) {
    let isLevel = terms.contains { facts[Int($0.unit)].isLevel }
    // Numerator and denominator are multiplied separately, so that only the result is reduced.
    var (above, below) = (Natural(1), Natural(1))
    var exponentOfPi = 0
    for term in terms {
      // A number multiplies the level, not its reference.
      if isLevel, facts[Int(term.unit)].isNumeric { continue }
      let definition = definitions[Int(term.unit)]
      let factor = factor(of: term, definition).raised(to: Int(term.power))
      above = above * factor.numerator
      below = below * factor.denominator
      exponentOfPi += definition.factor.exponentOfPi * Int(term.power)
    }
    return (ExactRatio(above, over: below), exponentOfPi)
  }

  private func factor(of term: UnitTerm, _ definition: UnitDefinition) -> ExactRatio {
    let prefix = UnitPrefix.all[Int(term.prefix)].factor
    switch definition.scale {
    case .molarMass: return ExactRatio(exactly: term.molarMass) * prefix
    case .number: return ExactRatio(term.parameter)
    // The prefix of a level multiplies the level, not its reference.
    case .level: return factors[Int(term.unit)]
    case .linear, .shifted, .annotation:
      return term.prefix == 0 ? factors[Int(term.unit)] : factors[Int(term.unit)] * prefix
    }
  }
}

extension UCUMUnit {
  /// The line with its factor and dimension computed from the lines above it.
  ///
  /// The table is part of the program: a definition that does not parse is a programming error.
  fileprivate func resolved(
    with definitions: [UnitDefinition], _ places: UnitSpellings, id: UInt64
  ) -> UnitDefinition {
    let parts = definition.split(separator: " ", maxSplits: 1)
    guard let number = parts.first, var factor = ExactFactor(decimal: number) else {
      preconditionFailure("the table of units has no number in the line of \(code)")
    }
    var dimension = UnitDimension.one
    if parts.count == 2 {
      guard let list = UnitExpression.parseUCUM(String(parts[1]), spellings: places) else {
        preconditionFailure("the table of units has a wrong definition in the line of \(code)")
      }
      for term in list.terms {
        let unit = definitions[Int(term.unit)]
        let prefix = UnitPrefix.all[Int(term.prefix)]
        let size =
          unit.scale == .number
          ? ExactFactor(UInt128(term.parameter))
          : unit.factor * ExactFactor(1, tens: prefix.exponentOfTen)
        factor = factor * size.raised(to: Int(term.power))
        dimension = dimension.multiplied(by: unit.dimension, power: Int16(term.power))
      }
    }
    if isArbitrary { dimension = .arbitrary(id) }
    return UnitDefinition(
      nil, code, dimension, factor, prefixes: isMetric ? .ucum : .none, scale: scale)
  }
}

/// What a product needs from a unit: plain numbers, which copy without reference counting.
struct UnitFacts: Sendable {
  let dimension: UnitDimension
  let bitWidth: Int
  let isLevel: Bool
  let isSpecial: Bool
  let isMolarMass: Bool
  /// Whether it is a number without a dimension, or a power of ten.
  let isNumeric: Bool
  let isUCUMMole: Bool

  init(_ definition: UnitDefinition) {
    dimension = definition.dimension
    bitWidth = definition.factor.bitWidth + (definition.scale == .number ? 64 : 0)
    isSpecial = definition.isSpecial
    isMolarMass = definition.scale == .molarMass
    isNumeric = definition.scale == .number || ["10*", "10^"].contains(definition.ucum)
    isUCUMMole = definition.ucum == "mol"
    if case .level = definition.scale { isLevel = true } else { isLevel = false }
  }
}
