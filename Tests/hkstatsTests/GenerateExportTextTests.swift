import Foundation
import Testing
import _HealthTestSupport

@testable import generate_export

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
    .enabled(if: SharedData.isPresent),
    arguments: [
      (DocumentType.version13, "exports/ok_v13.xml"),
      (DocumentType.version12, "exports/v12_malformed.xml"),
    ])
  func documentTypes(version: DocumentType, file: String) throws {
    let fixture = String(decoding: try SharedData.contents("data/" + file), as: UTF8.self)
    let start = try #require(fixture.range(of: "<!DOCTYPE")).lowerBound
    let end = try #require(fixture.range(of: "<HealthData ")).lowerBound
    #expect(text { $0.append(version.text) } == String(fixture[start..<end]))
  }
}
