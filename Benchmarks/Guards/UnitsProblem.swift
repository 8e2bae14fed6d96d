import HealthUnits
import Samples

/// Products of units that differ each from the others.
enum UnitTexts {
  /// A thousand texts, after a look at how they are read.
  static func checked() throws -> [String] {
    let first = try UnitExpression("mg").divided(by: UnitExpression("dL·min"))
    guard try UnitExpression(compounds[0]) == first else {
      throw ProblemError("A compound is not the quotient of its parts.")
    }
    return Array(compounds.prefix(1_000))
  }

  private static let compounds: [String] = {
    var texts: [String] = []
    for above in ["mg", "kg", "g", "mcg", "oz", "lb", "st", "ng", "mol", "cal"] {
      for volume in ["dL", "L", "mL", "cm^3", "pt_us"] {
        for time in ["min", "hr", "s", "d"] {
          for power in 1...20 { texts.append("\(above)/\(volume)·\(time)^\(power)") }
        }
      }
    }
    return texts
  }()

  /// The names and powers between the operators: what any reader of a text finds and keeps, with as
  /// many branches and allocations.
  static func words(of text: String) -> [String] {
    text.unicodeScalars.split { $0 == "/" || $0 == "·" || $0 == "^" }.map(String.init)
  }
}

/// Miles and metres.
enum Mile {
  static let metres = 1_609.344

  static func toMetre() throws -> UnitConversion {
    try UnitConversion(from: UnitExpression("mi"), to: UnitExpression("m"))
  }

  static func fromMetre() throws -> UnitConversion {
    try UnitConversion(from: UnitExpression("m"), to: UnitExpression("mi"))
  }

  /// A column, after all implementations have agreed on its first values.
  static func checkedColumn(_ count: Int) throws -> [Double] {
    let column = (0..<count).map { Double($0 % 9_973) / 64 }
    let there = try toMetre()
    var ours = Array(column.prefix(10_000))
    there.apply(to: &ours)
    for (value, result) in zip(column, ours) {
      guard result == there(value) else {
        throw ProblemError("A column and a single value convert to different bits.")
      }
      guard abs(result - value * metres) <= result.ulp else {
        throw ProblemError("The plain product is not what a conversion gives.")
      }
    }
    return column
  }
}

func multiply(_ column: inout [Double], by factor: Double) {
  for index in column.indices { column[index] *= factor }
}
