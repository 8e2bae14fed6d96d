/// One line of the unit table: how a unit is spelled and its exact definition.
package struct UnitDefinition: Sendable {
  /// How values of the unit relate to its factor.
  package enum Scale: Sendable, Hashable {
    /// A multiple of the base units.
    case linear
    /// A temperature with a shifted zero: kelvin = factor × (value + shift).
    case shifted(ExactFactor)
    /// A level: a function of the ratio to the factor.
    case level(LevelFunction)
    /// A whole number written in the text.
    case number
    /// The unit 1 with a note in braces.
    case annotation
    /// A mole whose molar mass is written in the text.
    case molarMass
  }

  /// The dialects in which a unit takes prefixes.
  package enum PrefixUse: Sendable {
    case none
    case ucum
    case both
  }

  /// The spelling in HealthKit, nil where HealthKit has no such unit.
  package let healthKit: String?

  /// The code in UCUM, nil where UCUM has no unit of exactly this value and dimension.
  package let ucum: String?

  package let dimension: UnitDimension

  /// How many coherent units of gram, metre, second, kelvin, ampere and candela one unit is.
  package let factor: ExactFactor

  package let prefixes: PrefixUse

  package let scale: Scale

  /// Whether the spelling means this unit; otherwise only a rule produces it.
  package let isSpelled: Bool

  package init(
    _ healthKit: String?, _ ucum: String?, _ dimension: UnitDimension, _ factor: ExactFactor = 1,
    prefixes: PrefixUse = .none, scale: Scale = .linear, isSpelled: Bool = true
  ) {
    self.healthKit = healthKit
    self.ucum = ucum
    self.dimension = dimension
    self.factor = factor
    self.prefixes = prefixes
    self.scale = scale
    self.isSpelled = isSpelled
  }

  /// The same unit with another factor, for tests that show that a wrong factor is found.
  package func with(factor: ExactFactor) -> UnitDefinition {
    UnitDefinition(
      healthKit, ucum, dimension, factor, prefixes: prefixes, scale: scale, isSpelled: isSpelled)
  }

  /// The name, where the dialect has one.
  package func name(in dialect: UnitDialect) -> String? {
    switch dialect {
    case .healthKit: healthKit
    case .ucum: ucum
    }
  }

  package func takesPrefix(in dialect: UnitDialect) -> Bool {
    prefixes == .both || (prefixes == .ucum && dialect == .ucum)
  }

  /// Whether values are not proportional to the quantity, so that the unit cannot be part of a
  /// product.
  package var isSpecial: Bool {
    switch scale {
    case .shifted, .level: true
    case .linear, .number, .annotation, .molarMass: false
    }
  }
}

/// One line of the table of UCUM-only units: a code and its definition.
package struct UCUMUnit: Sendable {
  package let code: String

  /// A decimal number and units of earlier lines: `16.5 [ft_us]`.
  package let definition: String

  package let isMetric: Bool

  package let scale: UnitDefinition.Scale

  /// Whether it is its own dimension, defined by a procedure and not by other units.
  package let isArbitrary: Bool

  package init(
    _ code: String, _ definition: String, metric isMetric: Bool = false,
    scale: UnitDefinition.Scale = .linear
  ) {
    self.code = code
    self.definition = definition
    self.isMetric = isMetric
    self.scale = scale
    isArbitrary = false
  }

  package init(arbitrary code: String) {
    self.code = code
    definition = "1"
    isMetric = false
    scale = .linear
    isArbitrary = true
  }
}
