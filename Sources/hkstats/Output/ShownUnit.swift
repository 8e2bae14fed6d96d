import HealthExchange
import HealthUnits

/// How people read values in a unit: a fraction as a percentage, a count without a unit.
///
/// Tables and charts show every value through this; machine forms keep values and units as they
/// are.
struct ShownUnit {
  /// The name beside a number; empty where the number says it all.
  let name: String
  /// What a value is multiplied by to stand beside ``name``.
  ///
  /// HealthKit's `%` labels a plain fraction: 0.98 is what people call 98 %.
  let scale: Double

  init(_ unit: UnitExpression) { self.init(text: unit.isNull ? "" : unit.shortDescription) }

  /// The unit of a recorded value; one that is no unit is shown as it is.
  init(label: String) {
    self.init(text: (try? UnitExpression(label))?.shortDescription ?? label)
  }

  private init(text: String) {
    name = text == "count" ? "" : text
    scale = text == "%" ? 100 : 1
  }

  /// One value by itself, to about four significant digits.
  func number(_ value: Double) -> String { NumberText.rounded(value * scale) }

  /// One value with its unit: `98 %`.
  func text(_ value: Double) -> String { name.isEmpty ? number(value) : "\(number(value)) \(name)" }
}
