import HealthSamples
import HealthUnits

/// Conversions from recorded units to the canonical ones of types, cached.
struct UnitConversions {
  /// A conversion, and its target unit.
  struct Conversion {
    let unit: String
    fileprivate let conversion: UnitConversion?

    /// A value in ``unit``; `nil` when it overflows.
    func callAsFunction(_ value: Double) -> Double? {
      guard let conversion else { return value }
      let converted = conversion(value)
      return converted.isFinite ? converted : nil
    }
  }

  private struct Key: Hashable {
    var unit: String
    var type: String
  }

  private static let mostConversions = 1 << 12
  private var known: [Key: Conversion] = [:]

  init() {}

  /// The conversion from `unit` to the canonical unit of a type; the identity if the catalogue does
  /// not have the type or the unit is incompatible.
  mutating func conversion(from unit: String, type: String) -> Conversion {
    let key = Key(unit: unit, type: type)
    if let conversion = known[key] { return conversion }
    var made = Conversion(unit: unit, conversion: nil)
    if let canonical = Catalogue.type(type)?.canonicalUnit,
      let recorded = try? UnitExpression(unit),
      let conversion = try? UnitConversion(from: recorded, to: canonical)
    {
      made = Conversion(unit: canonical.text(in: .healthKit), conversion: conversion)
    }
    if known.count < Self.mostConversions { known[key] = made }
    return made
  }
}
