/// One line of the table of units that only UCUM has: a code and its definition.
package struct UCUMUnit: Sendable {
  package let code: String

  /// A decimal number and units of earlier lines: `16.5 [ft_us]`.
  package let definition: String

  package let isMetric: Bool

  package let scale: UnitDefinition.Scale

  /// Whether it is a dimension of its own, defined by a procedure and not by other units.
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
