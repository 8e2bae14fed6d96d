import HealthSamples
import HealthUnits
import Testing
import _HealthTestSupport

@Suite("Typed metadata")
struct MetadataValueTests {
  @Test("reads back as the value that was set", arguments: 0..<400)
  func roundTrip(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    var numbers = [0, -0.0, 1, -17, 0.1, 1e300, -1e-300, 0x1p53, 0x1p60, .infinity, 86_399.999]
    numbers.append(Double.random(in: -1e9...1e9, using: &random))
    numbers.append(Double(Int.random(in: -3_000_000_000...9_000_000_000, using: &random)) / 1_000)
    numbers.append(Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random)))
    let units = try ["degC", "%", "count/min", "mL/min·kg", "mmol<180.1558800000541>/L"]
      .map { try UnitExpression($0) }
    for number in numbers where !number.isNaN {
      let unit = try #require(units.randomElement(using: &random))
      let values: [MetadataValue] = [
        .number(number), .quantity(number, unit), .string("\(number)"), .string("1 \(unit)"),
      ]
      for value in values + (number.isFinite ? [.date(number)] : []) {
        #expect(Metadata.Entry(key: "HKTimeZone", value).typed == value)
      }
    }
  }

  @Test("of exports is read by the catalogue's type of its key")
  func exported() throws {
    func typed(_ key: String, _ value: String) -> MetadataValue {
      Metadata.Entry(key: key, value: value).typed
    }
    let (fahrenheit, percent) = (try UnitExpression("degF"), try UnitExpression("%"))
    #expect(typed("HKWeatherTemperature", "72.5 degF") == .quantity(72.5, fahrenheit))
    #expect(typed("HKWeatherHumidity", "4800 %") == .quantity(4_800, percent))
    #expect(typed("HKWasUserEntered", "1") == .number(1))
    #expect(typed("HKIndoorWorkout", "true") == .number(1))
    #expect(typed("HKMetadataKeyHeartRateMotionContext", "2") == .number(2))
    #expect(typed("HKTimeZone", "Europe/Paris") == .string("Europe/Paris"))
    #expect(typed("HKExternalUUID", "12") == .string("12"))
    #expect(typed("some app's key", "12") == .string("12"))
    #expect(
      typed("HKDateOfEarliestDataUsedForEstimate", "2001-01-02 01:00:00 +0100") == .date(86_400))
    // What does not read as its type is the text.
    #expect(typed("HKWeatherTemperature", "warm") == .string("warm"))
    #expect(typed("HKWeatherTemperature", "72 furlongs") == .string("72 furlongs"))
    #expect(typed("HKDateOfEarliestDataUsedForEstimate", "soon") == .string("soon"))
    // A day has no offset from UTC, however it is written, and digits are no number of seconds.
    for day in ["20240309", "2024-03-09", "-20240309"] {
      #expect(typed("HKDateOfEarliestDataUsedForEstimate", day) == .string(day))
    }
  }

  @Test("has a text that people read")
  func texts() throws {
    let minute = try UnitExpression("count/min")
    #expect(Metadata.Entry(key: "k", .number(3)).value == "3")
    #expect(Metadata.Entry(key: "k", .quantity(60, minute)).value == "60 count/min")
    #expect(Metadata.Entry(key: "k", .date(86_399.5)).value == "2001-01-01 23:59:59.5 +0000")
    #expect(Metadata.Entry(key: "k", value: "v").kind == .exported)
  }
}
