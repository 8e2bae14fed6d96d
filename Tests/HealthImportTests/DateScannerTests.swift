import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthImport

@Suite("Dates become seconds since 2001")
struct DateScannerTests {
  private func date(_ text: String, _ scanner: inout DateScanner) -> Int {
    var text = text
    return text.withUTF8 { scanner.date($0) }
  }

  private func compare(_ text: String, _ scanner: inout DateScanner) {
    let expected = NaiveText.date(text).map { Int($0) } ?? DateScanner.invalid
    #expect(date(text, &scanner) == expected, "\(text)")
    var text = text
    let instant = text.withUTF8 { WallClockText($0, years: CivilDate.years)?.instant }
    #expect(instant.map { Int($0) } ?? DateScanner.invalid == expected, "\(text)")
  }

  @Test("the epoch, by its definition")
  func epoch() {
    var scanner = DateScanner()
    #expect(date("2001-01-01 00:00:00 +0000", &scanner) == 0)
    #expect(date("2001-01-01 01:00:00 +0100", &scanner) == 0)
    #expect(date("20001231190000-0500", &scanner) == 0)
    #expect(date("1900-01-01 00:00:00 +0000", &scanner) == Int(DateScanner.year1900))
    #expect(date("2201-01-01 00:00:00 +0000", &scanner) == Int(DateScanner.year2201))
  }

  @Test(
    "every day of years around the leap rules",
    arguments: [0, 1899, 1900, 2000, 2023, 2024, 2100, 9999])
  func everyDay(year: Int) {
    var scanner = DateScanner()
    let prefix = String(repeating: "0", count: 4 - "\(year)".count) + "\(year)"
    for month in 0...13 {
      for day in 0...32 {
        let text = "\(prefix)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
        compare(text + " 23:59:59 -1130", &scanner)
      }
    }
  }

  @Test("every byte at every place of a date")
  func everyByte() {
    var scanner = DateScanner()
    let good = Array("2024-05-17 18:43:29 +0230".utf8)
    for place in good.indices {
      for byte in UInt8.min...UInt8.max {
        var bytes = good
        bytes[place] = byte
        let expected =
          NaiveText.date(String(decoding: bytes, as: UTF8.self)).map { Int($0) }
          ?? DateScanner.invalid
        #expect(bytes.withUnsafeBufferPointer { scanner.date($0) } == expected, "\(bytes)")
      }
    }
  }
}
