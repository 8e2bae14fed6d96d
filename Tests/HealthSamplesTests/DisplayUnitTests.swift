import HealthSamples
import HealthUnits
import Testing
import _HealthTestSupport

/// What is said of values, and what is stored.
@Suite struct DisplayUnitTests {
  @Test(
    "a percentage is a hundred times the stored fraction, any other number is the stored one",
    arguments: [
      ("%", "97", 0.97), ("%", "21.5", 0.215), ("%", "0.08", 0.0008), ("%", "1,250.5", 12.505),
      ("%", "1e2", 1), ("%", "-3", -0.03), ("count", "0.97", 0.97), ("kg", "71.4", 71.4),
      ("count", "1,200", 1200), ("count", "1,234,567.5", 1_234_567.5), ("degC", "-1.5", -1.5),
      ("count", "+5", 5), ("count", "1.5E3", 1500),
      ("kg", "71,4", 71.4), ("kg", "-0,125", -0.125), ("kg", "1,20", 1.2), ("kg", "1,200", 1200),
      ("count", "1,2345", 1.2345), ("%", "97,5", 0.975), ("m", "1,5e3", 1500),
    ])
  func stores(unit: String, said: String, stored: Double) throws {
    let spoken = DisplayUnit(try UnitExpression(unit))
    #expect(spoken.stored(said) == stored)
  }

  @Test(
    "what is no decimal number is none",
    arguments: [
      "", ",500", ",5", "1.5,000", "12,", "1,,200", "0x10", "nan", "inf", "1e999",
      "--1",
      "1e", "e5", "1 200", "٣", "1234,567",
    ])
  func refuses(text: String) throws {
    for unit in ["%", "count"] {
      #expect(DisplayUnit(try UnitExpression(unit)).stored(text) == nil, "\(unit)")
    }
  }

  @Test("a stored percentage is the double nearest to what the digits say")
  func nearest() throws {
    let percent = DisplayUnit(try UnitExpression("%"))
    var random = SplitMix64(seed: 7)
    for _ in 0..<2000 {
      let digits = String(Int.random(in: 1...99_999, using: &random))
      let decimals = Int.random(in: 0..<digits.count, using: &random)
      let text = digits.dropLast(decimals) + "." + digits.suffix(decimals) + "0"
      // The slow way: the point moves two places to the left.
      let padded = String(repeating: "0", count: 3) + digits
      let shifted =
        padded.dropLast(decimals + 2) + "." + padded.suffix(decimals + 2)
      #expect(percent.stored(text) == Double(shifted), "\(text)")
    }
  }

  @Test(
    "a number and the unit after it are told apart",
    arguments: [
      ("97%", "97", "%"), ("5 km", "5", "km"), ("1,200", "1,200", ""), ("7 mmol/L ", "7", "mmol/L"),
      ("2count/s", "2", "count/s"), ("1e3 g", "1e3", "g"), ("5 e", "5", "e"),
      ("-40 degF", "-40", "degF"),
    ])
  func parts(text: String, digits: String, unit: String) throws {
    let parts = try #require(DisplayUnit.parts(of: text))
    #expect(parts.digits == digits && parts.unit == unit)
    #expect(DisplayUnit.parts(of: "fast") == nil && DisplayUnit.parts(of: "") == nil)
  }

  @Test("the named unit comes before the chosen one, that before the everyday one")
  func order() throws {
    let mass = SampleType(.bodyMass)
    #expect(try mass.displayUnit(named: "lbs", else: "st")?.name == "lb")
    #expect(try mass.displayUnit(named: nil, else: "st")?.name == "st")
    #expect(try mass.displayUnit(named: nil, else: "km")?.name == "kg")
    #expect(try mass.displayUnit(named: nil)?.name == "kg")
    #expect(try SampleType(.heartRate).displayUnit(named: nil)?.name == "count/min")
    #expect(try SampleType(.bloodGlucose).displayUnit(named: "mmol/L")?.name == "mmol/L")
    #expect(try SampleType(.stepCount).displayUnit(named: nil)?.name == "")
    #expect(try SampleType(.sleepAnalysis).displayUnit(named: nil) == nil)
    #expect(throws: UnitError.self) { try mass.displayUnit(named: "km") }
  }

  @Test("everyday units measure what the type does, and are none that nobody says")
  func everyday() throws {
    for type in Catalogue.types {
      guard let canonical = type.canonicalUnit else {
        #expect(type.everydayUnit() == nil)
        continue
      }
      for system in Catalogue.MeasurementSystem.allCases {
        let unit = try #require(type.everydayUnit(in: system))
        #expect(unit.isCompatible(with: canonical), "\(type)")
        #expect(!["count/s", "K", "S"].contains(unit.description), "\(type)")
      }
      #expect(type.everydayUnits.first == type.everydayUnit()?.shortDescription)
    }
  }

  @Test("rates recorded per second are shown per minute, all else as recorded")
  func perSecond() {
    #expect(SampleType(.heartRate).shownUnit(recordedIn: "count/s") == "count/min")
    #expect(SampleType(.respiratoryRate).shownUnit(recordedIn: "count/s") == "count/min")
    #expect(SampleType(.heartRate).shownUnit(recordedIn: "count/min") == "count/min")
    #expect(SampleType(.bodyMass).shownUnit(recordedIn: "lb") == "lb")
    #expect(SampleType(.stepCount).shownUnit(recordedIn: "no unit") == "no unit")
  }

  @Test("a printed unit reads back; only the molar mass of the type is left out")
  func printed() throws {
    for row in Catalogue.quantityTypes {
      let type = SampleType(row.identifier)
      let units = type.everydayUnits.map { (try? type.unit(colloquial: $0).description) ?? $0 }
      for unit in units {
        let printed = type.printedUnit(unit)
        #expect(!printed.contains("<"), "\(type) \(unit)")
        #expect(type.recordedUnit(of: printed) == unit, "\(type) \(unit)")
        #expect(type.printedUnit(printed) == printed)
      }
    }
    let glucose = SampleType(.bloodGlucose)
    #expect(glucose.printedUnit("mmol<100>/L") == "mmol<100>/L")
    #expect(glucose.recordedUnit(of: "mmol<100>/L") == "mmol<100>/L")
    #expect(SampleType(.bodyMass).printedUnit("mmol<100>") == "mmol<100>")
    #expect(SampleType(.bodyMass).recordedUnit(of: "mol") == "mol")
  }
}

/// The ranges by which a person is asked whether a value is meant.
@Suite struct PlausibleRangeTests {
  @Test("every row is of a type of the catalogue, once, in its unit, with a source")
  func rows() throws {
    var seen: Set<String> = []
    for row in Catalogue.plausibleRanges {
      let type = try #require(Catalogue.type(row.identifier.rawValue), "\(row.identifier)")
      #expect(seen.insert(type.identifier).inserted, "\(type)")
      #expect(row.range.lowerBound < row.range.upperBound && row.source.count > 10, "\(type)")
      let unit = try UnitExpression(row.unit)
      #expect(type.canonicalUnit?.isCompatible(with: unit) == true, "\(type)")
      #expect(row.bounds(in: DisplayUnit(unit)) == row.range, "\(type)")
      #expect(Catalogue.plausibleRange(of: type) == row)
    }
    #expect(Catalogue.plausibleRange(of: SampleType(.sleepAnalysis)) == nil)
  }

  @Test("a plausible value is never taken for the other kind of share")
  func shares() throws {
    let percent = DisplayUnit(try UnitExpression("%"))
    var certain = 0
    for type in Catalogue.types {
      guard let range = Catalogue.plausibleRange(of: type), range.unit == "%" else { continue }
      let (low, high) = (range.range.lowerBound, range.range.upperBound)
      for part in 1..<64 {
        let said = low + (high - low) * Double(part) / 64
        let share = percent.share(said, within: range)
        #expect(share != .fraction, "\(type) \(said)")
        let stored = percent.share(percent.stored(said), within: range)
        #expect(stored != .percentage, "\(type) \(said)")
        if share != nil, stored != nil { certain += 1 }
      }
    }
    #expect(certain > 100)
    for (number, share) in [
      (1.5, DisplayUnit.Share.percentage), (-2, .percentage), (1, nil), (0.4, nil),
    ] {
      #expect(percent.share(number, within: nil) == share)
    }
    #expect(DisplayUnit(try UnitExpression("kg")).share(97, within: nil) == nil)
  }

  @Test("what people type most has a range")
  func covers() {
    let common: [HKQuantityTypeIdentifier] = [
      .bodyMass, .height, .bodyFatPercentage, .bodyMassIndex, .heartRate, .restingHeartRate,
      .oxygenSaturation, .bodyTemperature, .bloodPressureSystolic, .bloodPressureDiastolic,
      .bloodGlucose, .respiratoryRate, .stepCount, .distanceWalkingRunning, .dietaryWater,
      .dietaryCaffeine, .dietaryEnergyConsumed, .activeEnergyBurned, .vo2Max,
      .waistCircumference, .insulinDelivery, .peakExpiratoryFlowRate,
    ]
    for type in common { #expect(Catalogue.plausibleRange(of: SampleType(type)) != nil, "\(type)") }
  }

  @Test("a fraction for a percentage, and a value in another unit, are outside")
  func slips() throws {
    func fits(_ type: HKQuantityTypeIdentifier, _ said: Double, _ unit: String) throws -> Bool {
      let type = SampleType(type)
      let spoken = try #require(try type.displayUnit(named: unit))
      return try #require(Catalogue.plausibleRange(of: type)?.bounds(in: spoken)).contains(said)
    }
    #expect(try fits(.oxygenSaturation, 97, "%") && !fits(.oxygenSaturation, 0.97, "%"))
    #expect(try fits(.bodyFatPercentage, 21.5, "%") && !fits(.bodyFatPercentage, 0.215, "%"))
    #expect(try fits(.height, 180, "cm") && !fits(.height, 1.8, "cm") && fits(.height, 1.8, "m"))
    #expect(try fits(.bodyTemperature, 98.6, "degF") && !fits(.bodyTemperature, 98.6, "degC"))
    #expect(try fits(.heartRate, 61, "bpm") && !fits(.heartRate, 61, "count/s"))
    #expect(try fits(.bloodGlucose, 5.5, "mmol/L") && !fits(.bloodGlucose, 5.5, "mg/dL"))
  }
}
