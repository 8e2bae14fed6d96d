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
}

/// Reads units by taking the text apart and looking up each name, without any check or size.
struct NaiveReader {
  private let places: [Substring: Int]

  init(texts: [String]) {
    let names = texts.flatMap { $0.split { "/·^".contains($0) } }
    places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  /// The place of each name with its power.
  func unit(_ text: String) -> [Int: Int] {
    var powers: [Int: Int] = [:]
    for (side, product) in text.split(separator: "/").enumerated() {
      for factor in product.split(separator: "·") {
        let parts = factor.split(separator: "^")
        let power = parts.count > 1 ? Int(parts[1]) ?? 1 : 1
        if let place = places[parts[0]] { powers[place, default: 0] += side == 0 ? power : -power }
      }
    }
    return powers
  }
}

/// Touches every byte once, which no reader of a text can leave out.
func readBytes(_ text: String) -> UInt64 {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01B3 }
  return hash
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
