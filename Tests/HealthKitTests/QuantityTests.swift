import Glibc
import HealthKit
import Testing
import _HealthTestSupport

@Suite struct QuantityTests {
  @Test("conversions have the bits that were asserted against HealthKit")
  func published() throws {
    var exact = 0
    for row in try References.table("catalogue/conversion_pairs.tsv") {
      func word(_ column: String) -> String {
        (row[column] ?? "").split(separator: " ").first.map(String.init) ?? ""
      }
      let value = try #require(Double(row["value"] ?? ""))
      let expected = try #require(Double(word("expected")))
      let converted = HKQuantity(unit: HKUnit(from: word("from")), doubleValue: value)
        .doubleValue(for: HKUnit(from: word("to")))
      if row["tolerance"] == "exact ==" {
        #expect(converted == expected, "\(row)")
        exact += 1
      } else {
        #expect(abs(converted - expected) <= 1e-9 * expected.magnitude, "\(row)")
      }
    }
    #expect(exact == 6)
  }

  @Test("conversions are the published formula for all pairs of compatible units, bit for bit")
  func formula() throws {
    let twin = try FormulaTwin()
    let units = try someUnits().filter { !$0.unitString.contains("mol") }
    var random = SplitMix64(seed: 13)
    var pairs = 0
    for from in units {
      for to in units where from != to {
        let quantity = HKQuantity(unit: from, doubleValue: 1)
        guard quantity.is(compatibleWith: to) else { continue }
        pairs += 1
        for value in [1, 98.6, Double.random(in: -1e3...1e3, using: &random)] {
          let converted = HKQuantity(unit: from, doubleValue: value).doubleValue(for: to)
          let expected = try twin.convert(value, from.unitString, to.unitString)
          #expect(
            converted.bitPattern == expected.bitPattern,
            "\(value) \(from) in \(to): \(converted), not \(expected)")
        }
      }
    }
    #expect(pairs > 1500)
  }

  @Test("a quantity compares with one in another unit; less than 2^-52 is no difference")
  func order() throws {
    let one = HKQuantity(unit: .meter(), doubleValue: 1.87)
    let centimeters = HKUnit.meterUnit(with: .centi)
    #expect(one.compare(HKQuantity(unit: centimeters, doubleValue: 187)) == .orderedSame)
    #expect(one.compare(HKQuantity(unit: centimeters, doubleValue: 188)) == .orderedAscending)
    #expect(one.compare(HKQuantity(unit: centimeters, doubleValue: 186)) == .orderedDescending)
    let tiny = HKQuantity(unit: .meter(), doubleValue: 1e-17)
    #expect(tiny.compare(HKQuantity(unit: .meter(), doubleValue: 2e-17)) == .orderedSame)
    #expect(throws: ObjectError.self) {
      try one.order(relativeTo: HKQuantity(unit: .gram(), doubleValue: 1))
    }
    #expect(throws: ObjectError.self) { try one.value(in: .gram()) }
  }

  @Test("equal amounts are equal and have one hash, others are not")
  func equality() {
    let kilogram = HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 1)
    let grams = HKQuantity(unit: .gram(), doubleValue: 1000)
    #expect(kilogram == grams)
    #expect(kilogram.hash == grams.hash)
    #expect(Set([kilogram, grams]).count == 1)
    #expect(kilogram != HKQuantity(unit: .meter(), doubleValue: 1))
    #expect(kilogram != HKQuantity(unit: .gram(), doubleValue: 1))
    let zeros = [0.0, -0.0].map { HKQuantity(unit: .gram(), doubleValue: $0) }
    #expect(zeros[0] == zeros[1])
    #expect(zeros[0].hash == zeros[1].hash)
  }

  @Test("an archive gives the same quantity, bit for bit")
  func archives() throws {
    var random = SplitMix64(seed: 14)
    for unit in try someUnits() {
      let value = Double.random(in: -1e9...1e9, using: &random)
      let copy = try archived(HKQuantity(unit: unit, doubleValue: value))
      #expect(copy == HKQuantity(unit: unit, doubleValue: value))
      #expect(copy.doubleValue(for: unit).bitPattern == value.bitPattern)
    }
  }

  @Test("a quantity prints six digits and its unit, as metadata of exports does")
  func description() {
    #expect(HKQuantity(unit: .count(), doubleValue: 16376).description == "16376 count")
    let rate = HKQuantity(unit: HKUnit(from: "kcal/hr·kg"), doubleValue: 10.58268)
    #expect(rate.description == "10.5827 kcal/hr·kg")
  }
}

/// HealthKit's formula on the texts of units, with the factors of the published table.
private struct FormulaTwin {
  private var factors: [String: Double] = [:]
  private var offsets: [String: Double] = [:]
  private var bases: [String: String] = [:]
  private var prefixes: [String: Double] = [:]

  init() throws {
    for row in try References.table("catalogue/units.tsv") {
      let symbol = row["symbol"] ?? ""
      let base = row["hk_base"] ?? ""
      bases[symbol] = base
      // A litre is 0.001 cubic metres: the same digits, three places on.
      let digits = (row["factor_to_hk_base_double"] ?? "") + (base == "L" ? "e-3" : "")
      factors[symbol] = Double(digits)
      offsets[symbol] = Double((row["offset"] ?? "").split(separator: " ").first ?? "0")
    }
    for row in try References.table("catalogue/metric_prefixes.tsv") {
      let multiplier = (row["multiplier"] ?? "").split(separator: " ").first ?? ""
      prefixes[row["string"] ?? ""] = Double(multiplier)
    }
  }

  func convert(_ value: Double, _ from: String, _ to: String) throws -> Double {
    // Where joules stand on one side and grams on the other, a joule is 1000 g·m²/s².
    let joule = try thousands(from) == thousands(to) ? 1.0 : 1000.0
    return try (value * scale(from, joule) + offset(from) - offset(to)) / scale(to, joule)
  }

  private func parts(_ text: String) throws -> [(prefix: Double, symbol: String, power: Int)] {
    let sides = text.split(separator: "/")
    var parts: [(Double, String, Int)] = []
    for (index, side) in sides.enumerated() {
      for factor in side.split(separator: "·") where factor != "1" && factor != "()" {
        let pieces = factor.split(separator: "^")
        let power = (pieces.count > 1 ? Int(pieces[1]) ?? 1 : 1) * (index == 0 ? 1 : -1)
        let name = String(pieces[0])
        if factors[name] != nil {
          parts.append((1, name, power))
        } else {
          let prefix = try #require(
            prefixes.keys.first {
              !$0.isEmpty && name.hasPrefix($0) && factors[String(name.dropFirst($0.count))] != nil
            })
          parts.append((prefixes[prefix] ?? 1, String(name.dropFirst(prefix.count)), power))
        }
      }
    }
    return parts
  }

  private func massPower(_ symbol: String) -> Int {
    switch bases[symbol] {
    case "J", "Pa", "W", "V": 1
    case "S": -1
    default: 0
    }
  }

  private func thousands(_ text: String) throws -> Int {
    try parts(text).reduce(0) { $0 + massPower($1.symbol) * $1.power }
  }

  private func scale(_ text: String, _ joule: Double) throws -> Double {
    try parts(text).reduce(1) { product, part in
      let factor = try #require(factors[part.symbol]) * pow(joule, Double(massPower(part.symbol)))
      return product * pow(part.prefix * factor, Double(part.power))
    }
  }

  private func offset(_ text: String) throws -> Double {
    let parts = try parts(text)
    guard parts.count == 1, let part = parts.first, part.power == 1,
      let offset = offsets[part.symbol], let factor = factors[part.symbol]
    else { return 0 }
    return offset * factor
  }
}
