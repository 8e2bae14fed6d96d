import HealthUnits
import Testing
import _HealthTestSupport

@Suite struct DialectTests {
  @Test(
    "HealthKit's units have these codes",
    arguments: [
      ("mL/min·kg", "mL/(min.kg)"), ("count/min", "{count}/min"), ("1/s", "/s"), ("()", "1"),
      ("mmHg", "mm[Hg]"), ("cmAq", "cm[H2O]"), ("inHg", "[in_i'Hg]"), ("%", "%"), ("IU", "[IU]"),
      ("dBASPL", "dB{A}"), ("appleEffortScore", "{appleEffortScore}"), ("kcal", "kcal"),
      ("mmol<180.1558800000541>/L", "mmol{M=180.1558800000541}/L"), ("degC", "Cel"),
      ("degC/min", "K{degC}/min"), ("mcg/dL", "ug/dL"), ("lb", "[lb_av]"), ("D", "[diop]"),
    ])
  func codes(text: String, code: String) throws {
    #expect(try UnitExpression(text).text(in: .ucum) == code)
    #expect(try UnitExpression(code, dialect: .ucum).text(in: .healthKit) == text)
  }

  @Test("a slash divides by one factor in UCUM, and by all that follows in HealthKit")
  func slash() throws {
    let healthKit = try UnitExpression("mL/kg·min")
    let code = try UnitExpression("mL/kg.min", dialect: .ucum)
    #expect(healthKit == (try UnitExpression("mL/(kg.min)", dialect: .ucum)))
    #expect(!healthKit.isCompatible(with: code))
    #expect(try UnitExpression("mL/kg/min", dialect: .ucum) == healthKit)
  }

  @Test("per cent scale by a hundred between the dialects; columns of mercury keep their numbers")
  func scales() throws {
    let percent = try UnitMapping(of: UnitExpression("%"), to: .ucum)
    #expect(percent.conversion(0.98) == 98)
    let back = try UnitMapping(of: percent.unit, to: .healthKit)
    #expect(back.conversion(98) == 0.98)
    let mercury = try UnitConversion(
      from: UnitExpression("mmHg"), to: UnitExpression("mm[Hg]", dialect: .ucum))
    #expect(mercury.isIdentity)
    let insulin = try UnitMapping(of: UnitExpression("m[IU]/L", dialect: .ucum), to: .healthKit)
    #expect(insulin.unit.description == "IU/L")
    #expect(insulin.conversion(5000) == 5)
    let psi = try UnitMapping(of: UnitExpression("[psi]", dialect: .ucum), to: .healthKit)
    #expect(psi.unit.description == "Pa")
    #expect(abs(psi.conversion(1) - 6894.757293168362) < 1e-11)
  }

  @Test("arbitrary units convert only into themselves")
  func arbitrary() throws {
    let todd = try UnitExpression("[todd'U]/mL", dialect: .ucum)
    #expect(todd.isCompatible(with: try UnitExpression("[todd'U]/L", dialect: .ucum)))
    #expect(!todd.isCompatible(with: try UnitExpression("[dye'U]/mL", dialect: .ucum)))
    #expect(!todd.isCompatible(with: try UnitExpression("/mL", dialect: .ucum)))
    let square = try UnitExpression("[todd'U].[dye'U]", dialect: .ucum)
    #expect(!square.isCompatible(with: try UnitExpression("[todd'U]2", dialect: .ucum)))
    #expect(
      try UnitConversion(
        from: UnitExpression("[iU]/mL", dialect: .ucum), to: UnitExpression("IU/L"))(0.5) == 500)
  }

  @Test("a point on a scale or a level cannot stand in a product of UCUM")
  func compounds() throws {
    for text in ["Cel/min", "dB.m", "[degF]2", "[pH]/L"] {
      let error = #expect(throws: UnitError.self) { try UnitExpression(text, dialect: .ucum) }
      #expect(error?.reason == .notInCompound, "\(text)")
    }
    let error = #expect(throws: UnitError.self) { try UnitExpression("Cel/min", dialect: .ucum) }
    #expect(error?.suggestion == "K/min")
    #expect(
      try UnitConversion(
        from: UnitExpression("mCel", dialect: .ucum), to: UnitExpression("K"))(1000) == 274.15)
  }

  @Test("a number multiplies the values of a special unit, as a prefix does")
  func numbersOfSpecialUnits() throws {
    let cases: [(Double, String, String, Double)] = [
      (1, "5.Cel", "K", 278.15), (10, "5.Cel", "Cel", 50), (50, "Cel", "5.Cel", 10),
      (4, "10*-1.B", "dB", 4), (2, "3.[degF]", "[degF]", 6), (20, "2.dB[V]", "dB[mV]", 100),
      (2, "2.B", "1", 10000), (1, "Cel/4", "Cel", 0.25), (5, "1.Cel", "Cel", 5),
      (10, "2.[degF]", "Cel", -20.0 / 3),
    ]
    for (value, from, to, expected) in cases {
      let unit = try UnitExpression(from, dialect: .ucum)
      let conversion = try UnitConversion(from: unit, to: UnitExpression(to, dialect: .ucum))
      #expect(conversion(value) == expected, "\(value) \(from)")
      #expect(try UnitExpression(unit.text(in: .ucum), dialect: .ucum) == unit)
    }
    let mapping = try UnitMapping(of: UnitExpression("5.Cel", dialect: .ucum), to: .healthKit)
    #expect(mapping.unit.description == "degC" && mapping.conversion(2) == 10)
    for text in ["5.Cel.m", "5.Cel2", "5/Cel", "2.dB.s", "{x}.Cel"] {
      let error = #expect(throws: UnitError.self) { try UnitExpression(text, dialect: .ucum) }
      #expect(error?.reason == .notInCompound, "\(text)")
    }
  }

  @Test("a note may follow a bracket, and is that of a unit in it")
  func notesOnBrackets() throws {
    for (text, printed) in [
      ("U/(10.g){feces}", "U/(10.g{feces})"), ("(mg/dL){x}", "mg{x}/dL"), ("(2.3){x}", "2.3.{x}"),
    ] {
      let unit = try UnitExpression(text, dialect: .ucum)
      #expect(unit.text(in: .ucum) == printed)
      #expect(try UnitExpression(printed, dialect: .ucum) == unit)
    }
    #expect(
      try UnitConversion(
        from: UnitExpression("U/(10.g){feces}", dialect: .ucum),
        to: UnitExpression("U/kg", dialect: .ucum))(1) == 100)
    let error = #expect(throws: UnitError.self) {
      try UnitExpression("(m){a}{b}", dialect: .ucum)
    }
    #expect(error?.offset == 6)
  }

  @Test("a mole with a molar mass is one unit in both dialects")
  func molarMassInUCUM() throws {
    let ours = try UnitExpression("mmol<180.1558800000541>/L")
    let theirs = try UnitExpression("mmol{M=180.1558800000541}/L", dialect: .ucum)
    #expect(ours == theirs)
    #expect(theirs.text(in: .ucum) == "mmol{M=180.1558800000541}/L")
    #expect(
      try UnitConversion(
        from: UnitExpression("mol{M=5}", dialect: .ucum),
        to: UnitExpression("mol{M=2}", dialect: .ucum))(1) == 2.5)
    // A mole of some mass is no mole without one, whichever way the question is put.
    for other in [try UnitExpression("mol"), try UnitExpression("mol", dialect: .ucum)] {
      #expect(throws: UnitError.self) {
        try UnitConversion(from: UnitExpression("mol{M=5}", dialect: .ucum), to: other)
      }
    }
    // What is no mass is a note as every other.
    #expect(
      try UnitConversion(
        from: UnitExpression("mol{M=x}", dialect: .ucum),
        to: UnitExpression("mol", dialect: .ucum)
      ).isIdentity)
  }

  @Test("the offset of an error counts the bytes that were read")
  func bytes() {
    for (bytes, offset): ([UInt8], Int) in [
      ([0x6D, 0xFF], 1), (Array("[".utf8) + [0xFF, 0xC0, 0x41], 4), ([0xC2], 0),
      (Array("m{".utf8) + [0xE2, 0x82], 2),
    ] {
      let error = #expect(throws: UnitError.self) {
        try UnitExpression(utf8: bytes, dialect: .ucum)
      }
      #expect(error?.offset == offset)
    }
    #expect(throws: Never.self) { try UnitExpression(utf8: Array("mL/min·kg".utf8)) }
  }

  @Test("levels and other special units give known values")
  func special() throws {
    let cases: [(Double, String, String, Double)] = [
      (45, "deg", "%[slope]", 100), (100, "%[slope]", "deg", 45), (2, "[hp'_X]", "1", 0.01),
      (3, "[hp'_C]", "1", 1e-6), (1, "[hp'_Q]", "1", 2e-5), (8, "bit_s", "1", 256),
      (2, "B[V]", "V", 10), (6, "B[10.nV]", "nV", 10000), (4, "m2/(s4.Hz)", "[m/s2/Hz^(1/2)]", 2),
      (7, "[pH]", "mol/L", 1e-7), (0, "Np", "1", 1), (30, "dB[W]", "kW", 1),
      (3, "dB", "B", 0.3), (1, "B[kW]", "dB[W]", 40), (80, "[degRe]", "Cel", 100),
    ]
    for (value, from, to, expected) in cases {
      let conversion = try UnitConversion(
        from: UnitExpression(from, dialect: .ucum), to: UnitExpression(to, dialect: .ucum))
      #expect(abs(conversion(value) - expected) <= 2 * expected.ulp, "\(value) \(from)")
    }
  }

  @Test(
    "a wrong code names its byte and a code that is meant",
    arguments: [
      ("mmHg", 0, "mm[Hg]"), ("g/12h", 4, "g/(12.h)"), ("cm[H20]", 0, "cm[H2O]"), ("m/", 2, "m"),
      ("kcal/hr", 5, "kcal/h"), ("mL/min·kg", 6, "mL/min.kg"), ("m^2", 1, "m2"),
      ("lb", 0, "[lb_av]"),
      ("", 0, "1"), ("5 kg", 1, "kg"), ("µg", 0, "ug"), ("m²", 1, "m2"), ("(m", 2, "(m)"),
      ("[lb_av", 6, "[lb_av]"), ("iU", 0, "[IU]"), ("mol{x", 5, "mol{x}"),
    ])
  func errors(text: String, offset: Int, suggestion: String) throws {
    let error = #expect(throws: UnitError.self) { try UnitExpression(text, dialect: .ucum) }
    #expect(error?.offset == offset)
    #expect(error?.suggestion == suggestion)
    _ = try UnitExpression(suggestion, dialect: .ucum)
  }

  @Test("a spelling of the other dialect is recognised as such")
  func hints() throws {
    let cases: [(String, UnitDialect, UnitError.Hint, String?)] = [
      ("mm[Hg]", .healthKit, .spelling(of: .ucum), "mmHg"),
      ("km/h", .healthKit, .spelling(of: .ucum), "km/hr"),
      ("mmHg", .ucum, .spelling(of: .healthKit), "mm[Hg]"),
      ("5 kg", .healthKit, .quantity, "kg"),
    ]
    for (text, dialect, hint, suggestion) in cases {
      let error = #expect(throws: UnitError.self) { try UnitExpression(text, dialect: dialect) }
      #expect(error?.hint == hint, "\(text)")
      #expect(error?.suggestion == suggestion, "\(text)")
    }
    let pace = #expect(throws: UnitError.self) {
      try UnitConversion(from: UnitExpression("min/km"), to: UnitExpression("km/hr"))
    }
    #expect(pace?.hint == .reciprocal)
    let weight = #expect(throws: UnitError.self) {
      try UnitConversion(from: UnitExpression("lb/in^2"), to: UnitExpression("kPa"))
    }
    #expect(weight?.hint == .massIsNotForce)
  }

  @Test("the list of units is complete, and every one prints as it is named")
  func list() throws {
    let healthKit = UnitExpression.named(in: .healthKit)
    #expect(healthKit.count == 48)
    #expect(Set(healthKit.map(\.description)).count == healthKit.count)
    #expect(UnitExpression.named(in: .ucum).count > 300)
    #expect(try UnitExpression("g").takesPrefix(in: .healthKit))
    #expect(try !UnitExpression("IU").takesPrefix(in: .healthKit))
    #expect(try UnitExpression("IU").takesPrefix(in: .ucum))
    #expect(try UnitExpression("mmHg").dimension.description == "mass·length^-1·time^-2")
    #expect(try UnitExpression("mL/min·kg").exactFactorText == "1/60000000000")
    #expect(try UnitExpression("deg").exactFactorText == "1/180·pi")
  }

  /// Texts close to units, so that every branch of the parsers and repairs is met.
  @Test("no text traps; every error names a byte where a character begins; suggestions parse")
  func mutations() {
    let seeds = [
      "mL/min·kg", "mmol<180.1558800000541>/L", "(m·atm)^2/s^-2", "4.[pi].10*-7.N/A2", "dB[10.nV]",
      "{a}.rad2{b}", "kcal/(kg.h)", "[m/s2/Hz^(1/2)]", "5 kg", "m⁻¹", "count/min", "µg/dL",
    ]
    let pieces = [
      "/", "·", ".", "*", "(", ")", "^", "-", "1", "9", "<", ">", "[", "]", "{", "}", " ", "µ", "k",
      "m", "g", "e", "\u{0}", "\u{FFFD}", "😀", "²",
    ]
    var random = SplitMix64(seed: 6)
    for round in 0..<700 {
      var text = Array(seeds[round % seeds.count])
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        if Bool.random(using: &random), place < text.count {
          text.remove(at: place)
        } else {
          text.insert(
            contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)], at: place)
        }
      }
      let string = String(text)
      for dialect in UnitDialect.allCases {
        do throws(UnitError) {
          let unit = try UnitExpression(string, dialect: dialect)
          let again = try UnitExpression(unit.text(in: dialect), dialect: dialect)
          #expect(again == unit, "\(string)")
        } catch {
          let bytes = Array(string.utf8)
          #expect((0...bytes.count).contains(error.offset), "\(string)")
          if error.offset < bytes.count { #expect(bytes[error.offset] & 0xC0 != 0x80, "\(string)") }
          if let suggestion = error.suggestion {
            #expect((try? UnitExpression(suggestion, dialect: dialect)) != nil, "\(string)")
          }
        }
      }
    }
  }
}
