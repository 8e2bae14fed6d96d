/// A way of writing units.
public enum UnitDialect: String, Sendable, CaseIterable {
  /// The strings that HealthKit reads and prints: `mL/min·kg`, `mmol<180.1558800000541>/L`.
  case healthKit = "healthkit"

  /// The case-sensitive codes of the Unified Code for Units of Measure: `mL/(min.kg)`, `mm[Hg]`.
  case ucum
}
