import HealthUnits
import Samples

/// The texts of the two problems of reading.
enum UnitTexts: Sendable {
  /// A few units again and again, as an export has them.
  case known
  /// Products that differ each from the others, in more numbers than any cache keeps.
  case compounds

  /// A thousand texts, after a look at how they are read; no compound is in the cache of units.
  func checked() throws -> [String] {
    switch self {
    case .known:
      let units = ["mL/min·kg", "count/min", "kcal", "mg/dL", "mmol<180.1558800000541>/L", "%"]
      for unit in units where try UnitExpression(unit).description != unit {
        throw ProblemError("A unit does not print as it was read.")
      }
      return (0..<1_000).map { units[$0 % units.count] }
    case .compounds:
      let all = Self.allCompounds
      guard try UnitExpression(all[0]) == UnitExpression("mg").divided(by: UnitExpression("dL·min"))
      else { throw ProblemError("A compound is not the quotient of its parts.") }
      // Three thousand others push these out of a cache of a thousand.
      for text in all.dropFirst(1_000) { _ = try UnitExpression(text) }
      return Array(all.prefix(1_000))
    }
  }

  private static let allCompounds: [String] = {
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

/// A column of masses of which each row has its own unit.
struct MixedColumn {
  var values: [Double]
  let units: [UInt16]
  let conversion: MixedUnitConversion
  private let conversions: [UnitConversion]
  private let factors: [Double]

  /// The column, after both ways have agreed on it.
  static func checked(_ count: Int) throws -> MixedColumn {
    let kilogram = try UnitExpression("kg")
    let units = try ["lb", "kg", "g", "oz", "st"].map { try UnitExpression($0) }
    let conversions = try units.map { try UnitConversion(from: $0, to: kilogram) }
    let problem = MixedColumn(
      values: (0..<count).map { Double($0 % 10_007) * 0.37 + 1 },
      units: (0..<count).map { UInt16($0 * 7_919 % units.count) },
      conversion: try MixedUnitConversion(from: units, to: kilogram), conversions: conversions,
      factors: conversions.map { $0(1) })
    var (ours, naive) = (problem, problem)
    ours.conversion.apply(to: &ours.values, units: ours.units)
    naive.convertOneByOne()
    guard ours.values == naive.values else {
      throw ProblemError("A mixed column and single values convert to different bits.")
    }
    return problem
  }

  mutating func convertOneByOne() {
    for row in values.indices { values[row] = conversions[Int(units[row])](values[row]) }
  }

  /// Only one product a row, rounded twice.
  mutating func multiply() {
    for row in values.indices { values[row] *= factors[Int(units[row])] }
  }
}
