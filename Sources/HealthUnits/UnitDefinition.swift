/// One line of the table of units: how a unit is spelled and what it is, exactly.
package struct UnitDefinition: Sendable {
  /// What has to happen to a value beyond multiplying it.
  package enum Scale: Sendable, Hashable {
    /// A multiple of the base units.
    case linear
    /// A temperature whose zero lies elsewhere: kelvin = factor × (value + shift).
    case shifted(ExactFactor)
    /// A whole number that stands for itself in the text.
    case number
    /// A mole whose molar mass stands in the text.
    case molarMass
  }

  /// The spelling in HealthKit, nil where HealthKit has no such unit.
  package let healthKit: String?

  /// The spelling in UCUM, nil where UCUM has no unit of exactly this value.
  package let ucum: String?

  package let dimension: UnitDimension

  /// How many coherent units of gram, metre, second, kelvin, ampere and candela one unit is.
  package let factor: ExactFactor

  package let takesPrefix: Bool

  package let scale: Scale

  package init(
    _ healthKit: String?, _ ucum: String?, _ dimension: UnitDimension, _ factor: ExactFactor = 1,
    prefixes takesPrefix: Bool = false, scale: Scale = .linear
  ) {
    self.healthKit = healthKit
    self.ucum = ucum
    self.dimension = dimension
    self.factor = factor
    self.takesPrefix = takesPrefix
    self.scale = scale
  }
}

/// An exact factor as the law writes it: a decimal number or a quotient, and powers of π.
package struct ExactFactor: Sendable, Hashable, ExpressibleByIntegerLiteral {
  package var numerator: UInt64
  package var denominator: UInt64 = 1
  package var exponentOfTen = 0
  package var exponentOfPi = 0

  package init(integerLiteral value: UInt64) { numerator = value }

  package init(
    _ numerator: UInt64, over denominator: UInt64 = 1, tens exponentOfTen: Int = 0,
    pi exponentOfPi: Int = 0
  ) {
    self.numerator = numerator
    self.denominator = denominator
    self.exponentOfTen = exponentOfTen
    self.exponentOfPi = exponentOfPi
  }

  /// The factor without its powers of π.
  package var rational: ExactRatio {
    ExactRatio(numerator, over: denominator) * .powerOfTen(exponentOfTen)
  }

  /// An upper limit of the bits that numerator and denominator need.
  package var bitWidth: Int {
    128 - numerator.leadingZeroBitCount - denominator.leadingZeroBitCount
      + (abs(exponentOfTen) * 7 + 1) / 2
  }
}
