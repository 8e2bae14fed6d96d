/// A notation for units.
public enum UnitDialect: String, Sendable, CaseIterable {
  /// The strings that HealthKit reads and prints: `mL/min·kg`, `mmol<180.1558800000541>/L`.
  case healthKit = "healthkit"

  /// The case-sensitive codes of the Unified Code for Units of Measure: `mL/(min.kg)`, `mm[Hg]`.
  case ucum
}

extension UnitExpression {
  /// Every named unit of a dialect, without prefixes, in the order of the table.
  ///
  /// The mole with a molar mass is not included: its name is incomplete without the mass.
  public static func named(in dialect: UnitDialect) -> [UnitExpression] {
    UnitTable.standard.definitions.compactMap { definition in
      guard definition.isSpelled, let name = definition.name(in: dialect) else { return nil }
      return try? UnitExpression(name, dialect: dialect)
    }
  }

  /// Whether the named unit takes the prefixes of a dialect; false for a product.
  public func takesPrefix(in dialect: UnitDialect) -> Bool {
    guard terms.count == 1, terms[0].power == 1, terms[0].prefix == 0 else { return false }
    return UnitTable.standard.definitions[Int(terms[0].unit)].takesPrefix(in: dialect)
  }
}
