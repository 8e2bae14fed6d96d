import HealthUnits
import Testing
import _HealthNumerics
import _HealthTestSupport

@Suite struct LawTests {
  private static let families: [[String]] = [
    ["lb", "kg", "g", "st", "oz", "mol<180.1558800000541>"],
    ["m", "km", "mi", "ft"],
    ["L", "fl_oz_us", "cup_imp", "in^3"],
    ["kcal", "J", "kg·m^2/s^2"],
    ["mmHg", "Pa", "inHg"],
    ["count/min", "Hz"],
  ]

  private static let names = families.flatMap { $0 } + ["IU", "%", "degC", "dBASPL", "rad", "()"]

  private static func units() throws -> [UnitExpression] {
    try names.map { try UnitExpression($0) }
  }

  /// Every pair of compatible units, with random values.
  private static func forEachConversion(
    seed: UInt64, _ body: (String, String, UnitConversion, [Double]) throws -> Void
  ) throws {
    var random = SplitMix64(seed: seed)
    for family in families {
      for from in family {
        for to in family {
          let conversion = try conversion(from, to)
          let values = (0..<10).map { _ in Double.random(in: 0.001...10000, using: &random) }
          try body(from, to, conversion, values)
        }
      }
    }
  }

  private static func conversion(_ from: String, _ to: String) throws -> UnitConversion {
    try UnitConversion(from: UnitExpression(from), to: UnitExpression(to))
  }

  @Test("a unit converts into itself without change")
  func identity() throws {
    for unit in try Self.units() {
      let conversion = try UnitConversion(from: unit, to: unit)
      #expect(conversion.isIdentity)
      for value in [0, -0.0, 1.1, -1e300, .infinity] {
        #expect(conversion(value).bitPattern == value.bitPattern)
      }
    }
  }

  @Test("there and back is at most one ulp away")
  func inverse() throws {
    try Self.forEachConversion(seed: 1) { from, to, there, values in
      let back = try Self.conversion(to, from)
      for value in values { #expect(abs(back(there(value)) - value) <= value.ulp) }
    }
  }

  @Test("two steps are at most one ulp from one step")
  func composition() throws {
    try Self.forEachConversion(seed: 2) { from, to, direct, values in
      for middle in Self.families.first(where: { $0.contains(from) }) ?? [] {
        let first = try Self.conversion(from, middle)
        let second = try Self.conversion(middle, to)
        for value in values.prefix(4) {
          let expected = direct(value)
          #expect(abs(second(first(value)) - expected) <= expected.ulp)
        }
      }
    }
  }

  @Test("conversion keeps the order, the sign and powers of two")
  func shape() throws {
    try Self.forEachConversion(seed: 3) { _, _, conversion, values in
      for value in values {
        #expect(conversion(value) <= conversion(value.nextUp))
        #expect(conversion(value) <= conversion(value * 1.5))
        #expect(conversion(-value) == -conversion(value))
        for exponent in [-300, -1, 7, 300] {
          let scale = Double(sign: .plus, exponent: exponent, significand: 1)
          #expect(conversion(value * scale) == conversion(value) * scale)
        }
      }
    }
  }

  @Test("products commute and associate, quotients undo them, equal units hash equal")
  func algebra() throws {
    let units = try [
      "lb", "mol<180.1558800000541>", "m", "cup_imp", "kg·m^2/s^2", "mmHg", "count/min", "IU", "%",
      "degC", "dBASPL", "()",
    ].map { try UnitExpression($0) }
    for u in units {
      for v in units {
        let product = try u.multiplied(by: v)
        #expect(product == (try v.multiplied(by: u)))
        #expect(product.hashValue == (try v.multiplied(by: u)).hashValue)
        #expect(try u.divided(by: v).multiplied(by: v) == u)
        #expect(try product.divided(by: v) == u)
        #expect(product.dimension == (try v.multiplied(by: u)).dimension)
        for w in units.prefix(3) {
          let left = try product.multiplied(by: w)
          let right = try u.multiplied(by: v.multiplied(by: w))
          #expect(left == right)
          #expect(left.description == right.description)
        }
        #expect(try UnitExpression(product.description) == product)
        let code = product.text(in: .ucum)
        let back = try UnitMapping(of: UnitExpression(code, dialect: .ucum), to: .healthKit)
        #expect(back.unit == product, "\(product) \(code)")
      }
      #expect(try u.raised(to: 0).isNull)
      #expect(try u.raised(to: 1) == u)
      #expect(try u.raised(to: 3) == u.multiplied(by: u).multiplied(by: u))
      #expect(try u.raised(to: -2).multiplied(by: u.raised(to: 2)).isNull)
    }
  }

  @Test("powers and factors beyond their range are errors, not wrong units")
  func bounds() throws {
    let unit = try UnitExpression("Tm^100")
    #expect(throws: UnitError.self) { try unit.raised(to: 2) }
    #expect(throws: UnitError.self) { try UnitExpression("m^128") }
    #expect(try UnitExpression("m^-127").raised(to: -1).description == "m^127")
    let long = (0..<40).map { "mmol<1\($0)e300>^127" }.joined(separator: "·")
    let error = #expect(throws: UnitError.self) { try UnitExpression(long) }
    #expect(error?.reason == .factorOutOfRange)
    #expect(throws: UnitError.self) { try UnitExpression(String(repeating: "m·", count: 600)) }
    // A power of π has 60 digits for every one of its factors.
    #expect(throws: UnitError.self) { try UnitExpression("'111", dialect: .ucum) }
    #expect(try UnitExpression("deg^4").raised(to: 2).description == "deg^8")
    let deep = String(repeating: "(", count: 40) + "m" + String(repeating: ")", count: 40)
    for dialect in UnitDialect.allCases {
      let error = #expect(throws: UnitError.self) { try UnitExpression(deep, dialect: dialect) }
      #expect(error?.reason == .tooDeep)
    }
    #expect(throws: UnitError.self) {
      try UnitExpression("99999999999999999999.m", dialect: .ucum)
    }
  }

  @Test("two molar masses that print alike are one unit, each with its own size")
  func molarMass() throws {
    let exact = try UnitExpression("mmol<180.15588000005408>/L")
    let printed = try UnitExpression("mmol<180.1558800000541>/L")
    #expect(exact == printed)
    #expect(exact.hashValue == printed.hashValue)
    #expect(exact.description == "mmol<180.1558800000541>/L")
    #expect(try UnitExpression("mol<12>") != UnitExpression("mol<12.0001>"))
    let milligrams = try UnitExpression("mg/dL")
    for (unit, mass) in [(exact, 180.15588000005408), (printed, 180.1558800000541)] {
      let expected = (ExactRatio(exactly: mass) * ExactRatio(4, over: 10)).nearestDouble
      #expect(try UnitConversion(from: unit, to: milligrams)(4) == expected)
    }
  }

  @Test("numbers print with 16 digits as C prints them")
  func digits() {
    #expect(180.15588000005408.withSixteenDigits == "180.1558800000541")
    #expect(12.0.withSixteenDigits == "12")
    #expect(0.1.withSixteenDigits == "0.1")
    #expect(1e15.withSixteenDigits == "1000000000000000")
    #expect(1e16.withSixteenDigits == "1e+16")
    #expect(0.0001.withSixteenDigits == "0.0001")
    #expect(0.00001.withSixteenDigits == "1e-05")
    #expect((2.0 / 3).withSixteenDigits == "0.6666666666666666")
    #expect(1.7976931348623157e308.withSixteenDigits == "1.797693134862316e+308")
    #expect(9.9999999999999995.withSixteenDigits == "10")
  }
}
