import HealthKit
import Testing
import _HealthTestSupport

@Suite struct UnitTests {
  @Test("every unit has a factory, whose unit string is its symbol with every prefix")
  func factories() throws {
    var count = 0
    for row in try References.table("catalogue/units.tsv") {
      let symbol = row["symbol"] ?? ""
      let names = (row["swift_factory"] ?? "").split(whereSeparator: { "/; ".contains($0) })
      for name in names where name.hasSuffix("()") {
        let make = try #require(Self.plain[String(name.dropLast(2))], "\(name)")
        #expect(make().unitString == symbol)
        #expect(make() == HKUnit(from: symbol))
        count += 1
      }
      for name in names where name.hasSuffix("Unit(with:)") {
        let make = try #require(Self.prefixed[String(name.dropLast(7))], "\(name)")
        for prefix in try References.table("catalogue/metric_prefixes.tsv") {
          let raw = try #require(Int(prefix["raw"] ?? ""))
          let text = (prefix["string"] ?? "") + symbol
          #expect(make(try #require(HKMetricPrefix(rawValue: raw))).unitString == text)
          count += 1
        }
      }
    }
    #expect(count > 200)
  }

  static let plain: [String: @Sendable () -> HKUnit] = [
    "appleEffortScore": { .appleEffortScore() }, "atmosphere": { .atmosphere() },
    "calorie": { .calorie() }, "centimeterOfWater": { .centimeterOfWater() },
    "count": { .count() }, "cupImperial": { .cupImperial() }, "cupUS": { .cupUS() },
    "day": { .day() },
    "decibelAWeightedSoundPressureLevel": { .decibelAWeightedSoundPressureLevel() },
    "decibelHearingLevel": { .decibelHearingLevel() }, "degreeAngle": { .degreeAngle() },
    "degreeCelsius": { .degreeCelsius() }, "degreeFahrenheit": { .degreeFahrenheit() },
    "diopter": { .diopter() }, "fluidOunceImperial": { .fluidOunceImperial() },
    "fluidOunceUS": { .fluidOunceUS() }, "foot": { .foot() }, "gram": { .gram() },
    "hertz": { .hertz() }, "hour": { .hour() }, "inch": { .inch() },
    "inchesOfMercury": { .inchesOfMercury() }, "internationalUnit": { .internationalUnit() },
    "joule": { .joule() }, "kelvin": { .kelvin() }, "kilocalorie": { .kilocalorie() },
    "largeCalorie": { .largeCalorie() }, "liter": { .liter() }, "lux": { .lux() },
    "meter": { .meter() }, "mile": { .mile() },
    "millimeterOfMercury": { .millimeterOfMercury() }, "minute": { .minute() },
    "ounce": { .ounce() }, "pascal": { .pascal() }, "percent": { .percent() },
    "pintImperial": { .pintImperial() }, "pintUS": { .pintUS() }, "pound": { .pound() },
    "prismDiopter": { .prismDiopter() }, "radianAngle": { .radianAngle() },
    "second": { .second() }, "siemen": { .siemen() }, "smallCalorie": { .smallCalorie() },
    "stone": { .stone() }, "volt": { .volt() }, "watt": { .watt() }, "yard": { .yard() },
  ]

  static let prefixed: [String: @Sendable (HKMetricPrefix) -> HKUnit] = [
    "gramUnit": { .gramUnit(with: $0) }, "hertzUnit": { .hertzUnit(with: $0) },
    "jouleUnit": { .jouleUnit(with: $0) }, "literUnit": { .literUnit(with: $0) },
    "luxUnit": { .luxUnit(with: $0) }, "meterUnit": { .meterUnit(with: $0) },
    "pascalUnit": { .pascalUnit(with: $0) }, "radianAngleUnit": { .radianAngleUnit(with: $0) },
    "secondUnit": { .secondUnit(with: $0) }, "siemenUnit": { .siemenUnit(with: $0) },
    "voltUnit": { .voltUnit(with: $0) }, "wattUnit": { .wattUnit(with: $0) },
  ]

  @Test("every published unit text parses and prints as HealthKit prints it, or is refused")
  func texts() throws {
    for row in try References.table("catalogue/unit_string_pairs.tsv") where row["kind"] == "parse"
    {
      let input = row["input"] == "(empty string)" ? "" : row["input"] ?? ""
      let printed = (row["canonical_unitString"] ?? "").split(separator: " ").first ?? ""
      let unit = try HKUnit.parsed(input)
      #expect(unit == HKUnit(from: input))
      if printed != "not", printed != "equals" { #expect(unit.unitString == printed) }
      #expect(unit.description == unit.unitString)
    }
    for row in try References.table("catalogue/unit_parse_failures.tsv") {
      let input = row["input"] ?? ""
      let error = #expect(throws: ObjectError.self, "\(input)") { try HKUnit.parsed(input) }
      #expect(error?.description == "Unable to parse factorization string \(input)")
    }
  }

  @Test("units multiply, divide and raise as HealthKit's do")
  func arithmetic() {
    let perKilogram = HKUnit.literUnit(with: .milli)
      .unitDivided(by: .gramUnit(with: .kilo).unitMultiplied(by: .minute()))
    #expect(perKilogram.unitString == "mL/min·kg")
    #expect(perKilogram == HKUnit(from: "ml/kg*min"))
    #expect(perKilogram.hash == HKUnit(from: "mL/(kg.min)").hash)
    #expect(perKilogram.reciprocal().reciprocal() == perKilogram)
    #expect(HKUnit.meter().unitDivided(by: .meter()).isNull())
    #expect(HKUnit.meter().unitRaised(toPower: 0).unitString == "()")
    #expect(HKUnit.count().unitRaised(toPower: 2).unitRaised(toPower: 2).unitString == "count^4")
    #expect(HKUnit.liter().unitMultiplied(by: HKUnit(from: "")) == .liter())
    let glucose = HKUnit.moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose)
      .unitDivided(by: .liter())
    #expect(glucose.unitString == "mmol<180.1558800000541>/L")
    #expect(glucose == HKUnit(from: glucose.unitString))
  }

  @Test("units are compatible as HealthKit says")
  func compatibility() throws {
    for row in try References.table("catalogue/unit_compatibility.tsv") {
      let (a, b) = (HKUnit(from: row["a"] ?? ""), HKUnit(from: row["b"] ?? ""))
      let isCompatible = row["compatible"] == "yes"
      #expect(HKQuantity(unit: a, doubleValue: 1).is(compatibleWith: b) == isCompatible)
      #expect(HKQuantity(unit: b, doubleValue: 1).is(compatibleWith: a) == isCompatible)
    }
  }

  @Test("formatter units and units are each other's")
  func formatters() throws {
    for unit in [MassFormatter.Unit.gram, .kilogram, .ounce, .pound, .stone] {
      #expect(HKUnit.massFormatterUnit(from: HKUnit(from: unit)) == unit)
    }
    for unit in [
      LengthFormatter.Unit.millimeter, .centimeter, .meter, .kilometer, .inch, .foot, .yard, .mile,
    ] {
      #expect(HKUnit.lengthFormatterUnit(from: HKUnit(from: unit)) == unit)
    }
    for unit in [EnergyFormatter.Unit.joule, .kilojoule, .calorie, .kilocalorie] {
      #expect(HKUnit.energyFormatterUnit(from: HKUnit(from: unit)) == unit)
    }
    #expect(throws: ObjectError.self) { try HKUnit.massFormatterUnit(matching: .meter()) }
    #expect(throws: ObjectError.self) { try HKUnit.lengthFormatterUnit(matching: .gram()) }
    #expect(throws: ObjectError.self) { try HKUnit.energyFormatterUnit(matching: .watt()) }
  }

  @Test("archives give the same unit with the same size")
  func archives() throws {
    for unit in try someUnits() + [
      .moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose),
      .moleUnit(withMolarMass: 1e-7), HKUnit(from: ""),
    ] {
      let copy = try archived(unit)
      #expect(copy == unit)
      let one = HKQuantity(unit: unit, doubleValue: 1)
      #expect(
        HKQuantity(unit: copy, doubleValue: 1).doubleValue(for: unit).bitPattern
          == one.doubleValue(for: unit).bitPattern)
    }
    let mole = HKUnit.moleUnit(withMolarMass: HKUnitMolarMassBloodGlucose)
    let other = HKQuantity(unit: try archived(mole), doubleValue: 1).doubleValue(for: .gram())
    #expect(other == HKUnitMolarMassBloodGlucose)
    #expect(unit(from: "not a unit") == nil)
  }

  private func unit(from text: String) -> HKUnit? {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.encode(text as NSString, forKey: "unit")
    archiver.finishEncoding()
    guard let reader = try? NSKeyedUnarchiver(forReadingFrom: archiver.encodedData) else {
      return nil
    }
    return HKUnit(coder: reader)
  }
}

/// Every named unit, those with a prefix, and the units of the catalogue's types.
func someUnits() throws -> [HKUnit] {
  var texts = try References.table("catalogue/units.tsv").compactMap { $0["symbol"] }
    .filter { $0 != "mol<M>" }
  let prefixes = try References.table("catalogue/metric_prefixes.tsv").compactMap { $0["string"] }
  texts += prefixes.flatMap { prefix in ["g", "m", "L", "s", "Pa", "J"].map { prefix + $0 } }
  texts += try References.table("catalogue/quantity_types.tsv")
    .compactMap { $0["canonical_unitString"] }
  return Set(texts).sorted().map { HKUnit(from: $0) }
}

/// The object after an archive was written and read.
func archived<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
  let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
  return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
}
