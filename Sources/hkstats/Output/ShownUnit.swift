import HealthExchange
import HealthUnits

/// The display form of values in a unit: a fraction as a percentage, a count without a unit.
///
/// Tables and charts show every value through this; machine formats keep values and units
/// unchanged.
struct ShownUnit {
  /// The name after a number; empty if not needed.
  let name: String
  /// The factor on values that are shown with ``name``.
  ///
  /// HealthKit's `%` is a plain fraction: 0.98 is shown as 98 %.
  let scale: Double

  init(_ unit: UnitExpression) { self.init(text: unit.isNull ? "" : unit.shortDescription) }

  /// The unit of a recorded value; an invalid one is shown unchanged.
  init(label: String) {
    self.init(text: (try? UnitExpression(label))?.shortDescription ?? label)
  }

  private init(text: String) {
    name = text == "count" ? "" : text
    scale = text == "%" ? 100 : 1
  }

  /// A single value, to about four significant digits.
  func number(_ value: Double) -> String { NumberText.rounded(value * scale) }

  /// A single value with its unit: `98 %`.
  func text(_ value: Double) -> String { name.isEmpty ? number(value) : "\(number(value)) \(name)" }
}
