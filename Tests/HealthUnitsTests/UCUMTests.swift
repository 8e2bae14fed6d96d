import HealthUnits
import Testing
import _HealthNumerics
import _HealthTestSupport

@Suite struct UCUMTests {
  private static func elements(_ file: String, _ name: String) throws -> [[String: String]] {
    let text = String(decoding: try References.contents("ucum/\(file)"), as: UTF8.self)
    return UnitXML.elements(of: text).filter { $0.name == name }.map(\.attributes)
  }

  private static func cases(with attribute: String) throws -> [[String: String]] {
    try elements("UcumFunctionalTests.xml", "case").filter { $0[attribute] != nil }
  }

  /// Texts that the suite and the grammar of UCUM judge differently.
  private static let disputed: Set<String> = []

  @Test("every validation case of the official suite is judged as the suite judges it")
  func validation() throws {
    let cases = try Self.cases(with: "valid")
    #expect(cases.count == 529)
    for row in cases {
      let text = row["unit"] ?? ""
      guard !Self.disputed.contains(text) else { continue }
      let isValid = (try? UnitExpression(text, dialect: .ucum)) != nil
      #expect(isValid == (row["valid"] == "true"), "\(row["id"] ?? "") \(text)")
    }
  }

  @Test("every conversion case of the official suite comes out, to the digits of its input")
  func conversions() throws {
    let cases = try Self.cases(with: "srcUnit")
    #expect(cases.count == 30)
    for row in cases {
      let text = row["value"] ?? ""
      let conversion = try UnitConversion(
        from: UnitExpression(row["srcUnit"] ?? "", dialect: .ucum),
        to: UnitExpression(row["dstUnit"] ?? "", dialect: .ucum))
      let value = try #require(ExactRatio(decimal: text)) * conversion.exactFactor
      expect(value, equals: row["outcome"] ?? "", digits: text.significantDigits, row)
    }
  }

  @Test("products and quotients of the official suite come out, to the digits of their input")
  func arithmetic() throws {
    let cases = try Self.cases(with: "uRes")
    #expect(cases.count == 5)
    for row in cases {
      let (v1, v2) = (row["v1"] ?? "", row["v2"] ?? "")
      let u1 = try UnitExpression(row["u1"] ?? "", dialect: .ucum)
      let u2 = try UnitExpression(row["u2"] ?? "", dialect: .ucum)
      let result = row["uRes"] ?? ""
      let target = result.isEmpty ? UnitExpression.null : try UnitExpression(result, dialect: .ucum)
      let (a, b) = (
        try #require(ExactRatio(decimal: v1)), try #require(ExactRatio(decimal: v2))
      )
      let product = try u1.multiplied(by: u2)
      let isProduct = product.isCompatible(with: target)
      let unit = isProduct ? product : try u1.divided(by: u2)
      let factor = try UnitConversion(from: unit, to: target).exactFactor
      let value = (isProduct ? a * b : a / b) * factor
      let digits = max(v1.significantDigits, v2.significantDigits)
      expect(value, equals: row["vRes"] ?? "", digits: digits, row)
    }
  }

  /// A result with more digits than the input is meant to all its digits.
  private func expect(
    _ value: ExactRatio, equals text: String, digits: Int, _ row: [String: String]
  ) {
    let wanted = ExactRatio(decimal: text) ?? .zero
    let precise = max(digits, min(text.significantDigits, 17))
    let isExact = value.rounded(digits: precise) == wanted.rounded(digits: precise)
    let isRounded = value.rounded(digits: digits) == wanted.rounded(digits: digits)
    #expect(text.significantDigits > digits ? isExact : isRounded, "\(row)")
  }

  @Test("every unit of the official table has its official size and dimension")
  func essence() throws {
    let text = String(
      decoding: try References.contents("ucum/ucum-essence-2.2.xml"), as: UTF8.self)
    let elements = UnitXML.elements(of: text)
    var count = 0
    for (index, element) in elements.enumerated() where element.name == "unit" {
      let code = element.attributes["Code"] ?? ""
      let unit = try UnitExpression(code, dialect: .ucum)
      #expect(unit.text(in: .ucum) == Self.canonical[code] ?? code)
      count += 1
      // The value, or the function, follows its unit.
      let parts = elements[index...].dropFirst().prefix { $0.name != "unit" }
      let function = parts.first { $0.name == "function" }
      guard let definition = function ?? parts.first(where: { $0.name == "value" }),
        !Self.isSpecial.contains(code), element.attributes["isArbitrary"] != "yes"
      else { continue }
      let base = definition.attributes["Unit"] ?? ""
      let target = base == "1" ? .null : try UnitExpression(base, dialect: .ucum)
      let value = try #require(definition.attributes["value"])
      let factor = try UnitConversion(from: unit, to: target).exactFactor
      if code == "[pi]" {
        #expect(factor.nearestDouble == Double.pi)
      } else {
        #expect(factor == ExactRatio(decimal: value), "\(code) = \(value) \(base)")
      }
    }
    #expect(count > 300)
  }

  /// Codes of one unit, and the one that prints.
  private static let canonical = ["l": "L", "[iU]": "[IU]"]

  /// Units whose values are not proportional; their own test follows.
  private static let isSpecial: Set<String> = [
    "Cel", "[degF]", "[degRe]", "[p'diop]", "%[slope]", "[hp'_X]", "[hp'_C]", "[hp'_M]",
    "[hp'_Q]", "[pH]", "Np", "B", "B[SPL]", "B[V]", "B[mV]", "B[uV]", "B[10.nV]", "B[W]", "B[kW]",
    "[m/s2/Hz^(1/2)]", "bit_s",
  ]

  @Test("a metric unit takes every official prefix, and no other unit takes any")
  func prefixes() throws {
    let prefixes = try Self.elements("ucum-essence-2.2.xml", "prefix").compactMap { $0["Code"] }
    #expect(prefixes.count == 24)
    let codes = Set(try Self.elements("ucum-essence-2.2.xml", "unit").compactMap { $0["Code"] })
    for row in try Self.elements("ucum-essence-2.2.xml", "unit") {
      let code = row["Code"] ?? ""
      for prefix in prefixes where !codes.contains(prefix + code) {
        let unit = try? UnitExpression(prefix + code, dialect: .ucum)
        // `da` and `d`, `m` and `mo`: another unit may be spelled like a prefix and this one.
        let isThisUnit = unit?.text(in: .ucum).hasSuffix(Self.canonical[code] ?? code) == true
        if row["isMetric"] == "yes" { #expect(isThisUnit, "\(prefix)\(code)") }
        if row["isMetric"] == "no", unit != nil {
          #expect(unit?.text(in: .ucum).hasPrefix(prefix) == true, "\(prefix)\(code)")
        }
      }
    }
  }

  @Test("a code that parses prints as a code that parses to the same unit")
  func printing() throws {
    for row in try Self.cases(with: "valid") where row["valid"] == "true" {
      let unit = try UnitExpression(row["unit"] ?? "", dialect: .ucum)
      let text = unit.text(in: .ucum)
      let again = try UnitExpression(text, dialect: .ucum)
      #expect(again == unit, "\(row["unit"] ?? "") \(text)")
      #expect(again.hashValue == unit.hashValue)
      #expect(again.text(in: .ucum) == text)
    }
  }

  @Test("every unit of the catalogue is valid UCUM and comes back as itself with its values")
  func catalogue() throws {
    var texts = try References.table("catalogue/quantity_types.tsv")
      .compactMap { $0["canonical_unitString"] }
    texts += try References.table("units/hk_parse_valid.tsv").compactMap { $0["unit"] }
    for text in texts {
      let unit = try UnitExpression(text)
      let there = try UnitMapping(of: unit, to: .ucum)
      let code = there.unit.text(in: .ucum)
      #expect(try UnitExpression(code, dialect: .ucum) == there.unit, "\(text) \(code)")
      #expect(code == unit.text(in: .ucum))
      let back = try UnitMapping(of: UnitExpression(code, dialect: .ucum), to: .healthKit)
      #expect(back.unit == unit, "\(text) \(code)")
      #expect((there.conversion.exactFactor * back.conversion.exactFactor) == .one, "\(text)")
    }
  }

  @Test("published pairs of spellings are one unit", arguments: ["from", "to"])
  func pairs(column: String) throws {
    for row in try References.table("units/conformance.tsv") {
      guard row["profile"] == "hk", let code = row["ucum_" + column], !code.isEmpty,
        let text = row[column], !text.contains("mol"), row["category"] != "percent"
      else { continue }
      let conversion = try UnitConversion(
        from: UnitExpression(text), to: UnitExpression(code, dialect: .ucum))
      #expect(conversion.isIdentity, "\(text) \(code)")
    }
  }
}
