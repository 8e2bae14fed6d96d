import HealthUnits
import Testing
import _HealthNumerics
import _HealthTestSupport

@Suite struct PublishedTableTests {
  @Test("every published unit text has its published factor, offset and dimension")
  func accepted() throws {
    let rows = try References.table("units/hk_parse_valid.tsv")
    #expect(rows.count > 200)
    for row in rows {
      let text = row["unit"] ?? ""
      let unit = try UnitExpression(text)
      #expect(unit.exactFactorText == row["factor_to_g_m_s_K_A"], "\(text)")
      #expect(unit.dimension.publishedText == row["dimension"], "\(text)")
      let offset = try ratio(row["offset"])
      if !offset.isZero {
        // kelvin = factor × (value + offset), exactly at three points.
        let conversion = try UnitConversion(from: unit, to: UnitExpression("K"))
        for value in [-40.0, 0, 98.5] {
          let kelvin = try ratio(row["factor_to_g_m_s_K_A"]) * (ExactRatio(exactly: value) + offset)
          #expect(conversion(value) == kelvin.nearestDouble, "\(text)")
        }
      }
    }
  }

  @Test("texts that mean the same are compatible with factor one")
  func equivalences() throws {
    for row in try References.table("units/equivalence.tsv") {
      let (a, b) = (try UnitExpression(row["a"] ?? ""), try UnitExpression(row["b"] ?? ""))
      #expect(a.isCompatible(with: b) == (row["same_dimension"] == "true"))
      #expect((a.exactFactorText == b.exactFactorText) == (row["same_factor"] == "true"))
      #expect(try UnitConversion(from: a, to: b).isIdentity)
    }
  }

  @Test("a unit prints as HealthKit prints it, and reads back as itself")
  func printing() throws {
    var count = 0
    for row in try References.table("catalogue/unit_string_pairs.tsv") {
      let canonical = (row["canonical_unitString"] ?? "").firstWord
      guard row["kind"] != "algebra" else { continue }
      let input = row["kind"] == "factory" ? canonical : (row["input"] ?? "")
      let unit = try UnitExpression(input == "(empty string)" ? "" : input)
      if canonical != "not", canonical != "equals" {
        #expect(unit.description == canonical)
        count += 1
      }
      #expect(try UnitExpression(unit.description) == unit)
      #expect(try UnitExpression(unit.description).hashValue == unit.hashValue)
    }
    #expect(count > 130)
    #expect(try UnitExpression("dL/L").description == "dL/L")
    #expect(try UnitExpression("atm·(m·L)^2") == UnitExpression("atm·m^2·L^2"))
  }

  @Test("K2: the factors of every published text print in its order")
  func orderOfFactors() throws {
    let published = try References.table("catalogue/unit_string_pairs.tsv")
      .filter { $0["status"] == "verified" || $0["status"] == "strong" }
      .map { ($0["canonical_unitString"] ?? "").firstWord }
      .filter { $0 != "not" && $0 != "equals" }
    // Loop's trends of glucose and its sensitivities to insulin: LoopUnitTests, and the columns of
    // Tidepool's data.
    let trends = [
      "mg/min·dL", "mg/dL·s", "mmol<180.1558800000541>/min·L", "mg/dL·IU",
      "mmol<180.1558800000541>/L·IU", "mL/min·kg",
    ]
    for text in published + trends {
      #expect(try UnitExpression(text).description == text)
      // The order in which the factors are given does not matter.
      let parts = text.split(separator: "/", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let turned = parts[1].split(separator: "·").reversed().joined(separator: "·")
      #expect(try UnitExpression(parts[0] + "/" + turned).description == text)
    }
    #expect(published.count { $0.contains("·") } >= 8)
  }

  @Test("what HealthKit refuses is refused")
  func refused() throws {
    for row in try References.table("catalogue/unit_parse_failures.tsv") {
      let text = row["input"] ?? ""
      #expect(throws: UnitError.self, "\(text)") { try UnitExpression(text) }
    }
  }

  @Test(
    "units are compatible as HealthKit says; the core alone equates a watt with a joule a second")
  func compatibility() throws {
    for row in try References.table("catalogue/unit_compatibility.tsv") {
      let (a, b) = (try UnitExpression(row["a"] ?? ""), try UnitExpression(row["b"] ?? ""))
      let isModuleOnly = row["applies_to"] == "HealthKit module only"
      #expect(
        a.isCompatible(with: b) == (isModuleOnly || row["compatible"] == "yes"), "\(a) \(b)")
    }
  }

  @Test("conversions asserted against HealthKit agree within their tolerance")
  func conversionPairs() throws {
    for row in try References.table("catalogue/conversion_pairs.tsv") {
      let conversion = try UnitConversion(
        from: UnitExpression((row["from"] ?? "").firstWord), to: UnitExpression(row["to"] ?? ""))
      let value = try #require(Double(row["value"] ?? ""))
      let expected = try #require(Double((row["expected"] ?? "").firstWord))
      if row["tolerance"] == "exact ==" {
        // HealthKit rounds after each of its steps, so its last bit may differ from the nearest.
        #expect(abs(conversion(value) - expected) <= expected.ulp, "\(row)")
      } else {
        #expect(abs(conversion(value) - expected) <= 1e-9 * expected.magnitude, "\(row)")
      }
    }
  }

  @Test("every unit of the catalogue prints as the catalogue spells it")
  func catalogue() throws {
    for row in try References.table("catalogue/quantity_types.tsv") {
      let canonical = row["canonical_unitString"] ?? ""
      #expect(try UnitExpression(canonical).description == canonical)
      #expect(try UnitExpression(row["documented_unit"] ?? "").description == canonical)
    }
  }

  @Test("every unit of the table has its published factor")
  func factors() throws {
    for row in try References.table("catalogue/units.tsv") {
      let symbol = row["symbol"] ?? ""
      guard symbol != "mol<M>", symbol != "deg" else { continue }
      let unit = try UnitExpression(symbol)
      let base = try UnitExpression(row["hk_base"] ?? "")
      let expected = try ratio(row["factor_to_hk_base_exact"])
      let conversion = try UnitConversion(from: unit, to: base)
      #expect(conversion.exactFactor == expected, "\(symbol)")
    }
    let degree = try UnitConversion(from: UnitExpression("deg"), to: UnitExpression("rad"))
    #expect(degree(180) == Double.pi)
    #expect(degree(1) == Double.pi / 180)
  }

  @Test("every prefix has its published value on every unit that takes one")
  func prefixes() throws {
    for row in try References.table("catalogue/metric_prefixes.tsv") {
      guard let prefix = row["string"], !prefix.isEmpty else { continue }
      let value = try ratio((row["multiplier"] ?? "").firstWord)
      for name in ["g", "m", "L", "Pa", "s", "J", "K", "S", "Hz", "V", "W", "rad", "lx", "mol"] {
        let conversion = try UnitConversion(
          from: UnitExpression(prefix + name), to: UnitExpression(name))
        #expect(conversion.exactFactor == value, "\(prefix)\(name)")
      }
      for name in ["IU", "count", "degC", "min", "lb"] {
        #expect(throws: UnitError.self) { try UnitExpression(prefix + name) }
      }
    }
  }
}

/// An exact number as the tables write it: `127/5000`, `249.0889/2.54`, `14*45359237/100000`, `1e-15`.
private func ratio(_ text: String?) throws -> ExactRatio {
  let parts = try #require(text).split(separator: "/")
  let factors = try parts.map { part in
    try part.split(separator: "*").map(decimal).reduce(.one) { $0 * $1 }
  }
  return factors.dropFirst().reduce(try #require(factors.first)) { $0 / $1 }
}

private func decimal(_ text: Substring) throws -> ExactRatio {
  let parts = text.split(separator: "e")
  let exponent = parts.count > 1 ? try #require(Int(parts[1])) : 0
  let digits = try #require(parts.first).split(separator: ".")
  var value = ExactRatio.zero
  for digit in digits.joined() {
    value = value * ExactRatio(10) + ExactRatio(UInt64(try #require(digit.wholeNumberValue)))
  }
  return value * .powerOfTen(exponent - (digits.count > 1 ? digits[1].count : 0))
}

extension String {
  fileprivate var firstWord: String { String(prefix { $0 != " " }) }
}

extension UnitDimension {
  /// The dimension as the tables write it: `g1 m-1 s-2`.
  fileprivate var publishedText: String {
    let names: [(UnitDimension.Base, String)] = [
      (.mass, "g"), (.length, "m"), (.time, "s"), (.temperature, "K"), (.current, "A"),
      (.luminousIntensity, "cd"), (.angle, "rad"), (.amount, "mol"),
      (.internationalUnit, "IU"), (.soundPressureLevel, "dBASPL"), (.hearingLevel, "dBHL"),
      (.prism, "pD"), (.effort, "effort"),
    ]
    if isScalar { return "1" }
    return names.filter { self[$0.0] != 0 }.map { "\($0.1)\(self[$0.0])" }.joined(separator: " ")
  }
}
