import HealthSamples
import HealthUnits

extension DisplayUnit {
  /// The spoken form of a recorded unit; `nil` if it is none.
  package init?(label: String) {
    guard let unit = try? UnitExpression(label) else { return nil }
    self.init(unit)
  }

  /// A single value, to about four significant digits.
  package func number(_ value: Double) -> String { NumberText.rounded(spoken(value)) }

  /// A single value with its unit: `98 %`.
  package func text(_ value: Double) -> String {
    name.isEmpty ? number(value) : "\(number(value)) \(name)"
  }
}
