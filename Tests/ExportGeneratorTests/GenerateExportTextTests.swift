import Foundation
import Testing
import _HealthTestSupport

@testable import ExportGenerator

@Suite("The text of a generated export")
struct GenerateExportTextTests {
  private func text(_ append: (inout TextBuffer) -> Void) -> String {
    var buffer = TextBuffer()
    append(&buffer)
    return String(decoding: Array(buffer.bytes), as: UTF8.self)
  }

  @Test(
    "Numbers are written as %.6g writes them",
    arguments: [
      0, 1, -1, 10, 92, 0.5, 0.98, 100_000, 999_999, 1_000_000, 123_456.7, 0.0001, 0.00001,
      5.915_321e-05, 99_999.96, 999_999.6, 1e22, 1.5e-300, 1e300, -37.53125, 1.0 / 3,
    ])
  func specialNumbers(number: Double) {
    #expect(text { $0.append(sixDigits: number) } == String(format: "%.6g", number))
  }

  @Test("Random numbers of any size are written as %.6g writes them")
  func randomNumbers() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<20_000 {
      let magnitude = pow(10, Double.random(in: -9...12, using: &random))
      let number = Double.random(in: -1...1, using: &random) * magnitude
      #expect(text { $0.append(sixDigits: number) } == String(format: "%.6g", number))
    }
  }

  @Test("Dates are those of Foundation's formatter, in any offset")
  func dates() throws {
    var random = SplitMix64(seed: 7)
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyy-MM-dd HH:mm:ss Z"
    for _ in 0..<200 {
      let instant = Int.random(in: 0..<4_000_000_000, using: &random)
      let offset = UTCOffset(seconds: 900 * Int.random(in: -56...56, using: &random))
      formatter.timeZone = TimeZone(secondsFromGMT: offset.seconds)
      let expected = formatter.string(from: Date(timeIntervalSince1970: Double(instant)))
      #expect(text { $0.append(date: instant, offset: offset) } == expected)
    }
  }

  @Test("An offset is read as it is written", arguments: ["+0000", "+0100", "-0330", "+1245"])
  func offsets(argument: String) throws {
    let offset = try #require(UTCOffset(argument))
    #expect(String(decoding: offset.bytes, as: UTF8.self) == " " + argument)
    #expect(UTCOffset(seconds: offset.seconds) == offset)
  }

  @Test("What is no offset is refused", arguments: ["", "0100", "+100", "+2400", "+0060", "+01:0"])
  func wrongOffsets(argument: String) {
    #expect(UTCOffset(argument) == nil)
  }

  @Test("What is no day is refused", arguments: ["", "2026-02-29", "2026-13-01", "26-01-01", "x"])
  func wrongDays(argument: String) {
    #expect(CivilDate(argument) == nil)
  }

  @Test(
    "The document type is the one of real exports, byte for byte",
    arguments: [
      (ExportVersion.version13, "exports/ok_v13.xml"),
      (ExportVersion.version12, "exports/v12_malformed.xml"),
    ])
  func documentTypes(version: ExportVersion, file: String) throws {
    let fixture = String(decoding: try References.contents(file), as: UTF8.self)
    let start = try #require(fixture.range(of: "<!DOCTYPE")).lowerBound
    let end = try #require(fixture.range(of: "<HealthData ")).lowerBound
    #expect(version.documentType == String(fixture[start..<end]))
  }

  @Test(
    "The data begin at the byte at which they begin in real exports",
    arguments: [
      (ExportVersion.version3, 2_551), (.version8, 3_961), (.version11a, 4_327),
      (.version11, 4_327), (.version13, 7_124),
    ])
  func firstByteOfData(version: ExportVersion, byte: Int) {
    let header = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    #expect((header + version.documentType).utf8.count == byte)
  }

  @Test("Numbers with a fixed count of decimals are written as %.nf writes them")
  func decimals() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<5_000 {
      let number = Double.random(in: -180...180, using: &random)
      let places = Int.random(in: 1...6, using: &random)
      let written = text { $0.append(number, decimals: places) }
      // Both round what is exactly between two results their own way.
      #expect(abs((Double(written) ?? .nan) - number) <= 0.5000001 * pow(10, -Double(places)))
      #expect(written.split(separator: ".").last?.count == places)
    }
    #expect(text { $0.append(-0.001, decimals: 2) } == "0.00")
    #expect(text { $0.append(-180.5966, decimals: 3, mark: UInt8(ascii: ",")) } == "-180,597")
  }

  @Test("Compact dates and those in UTC are the same instants")
  func otherDates() throws {
    let offset = try #require(UTCOffset("-0800"))
    let instant = 1_389_717_827
    #expect(text { $0.append(compactDate: instant, offset: offset) } == "20140114084347-0800")
    #expect(text { $0.append(utcDate: instant) } == "2014-01-14T16:43:47Z")
  }
}
