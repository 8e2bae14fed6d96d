import Foundation
import Testing

@testable import HealthImport

@Suite("Dates in the style of the phone's clock")
struct LocalisedDateTests {
  /// Seconds since 2001 of 2024-03-09 15:04:05 -0700.
  private static let instant = 731_714_645.0

  private func instant(_ text: String) -> Double? {
    var dates = LocalisedDate()
    return dates.instant(text)
  }

  @Test(
    "One instant in many spellings",
    arguments: [
      "2024-03-09 15:04:05 -0700", "2024-03-09 3:04:05 PM -0700", "2024-03-09 3:04:05 pm -0700",
      "2024-03-09 3:04:05\u{202F}PM -0700", "2024-03-09 3:04:05\u{A0}p.m. -0700",
      "2024-03-09 3:04:05 p.\u{A0}m. -0700", "2024-03-09 03:04:05PM -0700",
      "2024-03-09T22:04:05Z", "2024-03-09T15:04:05-07:00", "2024-03-09 下午3:04:05 -0700",
      "2024-03-09 오후 3:04:05 -0700", "٢٠٢٤-٠٣-٠٩ ٣:٠٤:٠٥ م -٠٧٠٠",
      "2024-03-09 15:04:05 \u{2212}0700",
    ])
  func spellings(text: String) {
    #expect(instant(text) == Self.instant)
  }

  @Test("Midnight and noon of a clock of twelve hours")
  func twelve() {
    #expect(instant("2024-03-09 12:00:00 AM +0000") == instant("2024-03-09 00:00:00 +0000"))
    #expect(instant("2024-03-09 12:00:00 PM +0000") == instant("2024-03-09 12:00:00 +0000"))
  }

  @Test(
    "What names no instant is none",
    arguments: [
      "", "never", "2024-03-09", "2024-03-09 13:00:00 PM +0000", "2024-03-09 0:00:00 AM +0000",
      "2024-03-09 3:04:05 QM +0000", "2024-03-09 3:04:05 PM", "2024-02-30 3:04:05 PM +0000",
      "2024-03-09 99999999999999999999:00:00 +0000", "::: --- +++", "PM PM PM",
      String(repeating: "9", count: 4000),
    ])
  func refused(text: String) {
    #expect(instant(text) == nil)
  }

  /// The languages that phones of Apple can be set to, as far as the Unicode data know how they
  /// write a clock.
  private static let languages = [
    "ar", "bg", "ca", "cs", "da", "de", "el", "en_US", "en_AU", "en_GB", "en_IE", "es", "es_MX",
    "fa", "fi", "fr", "fr_CA", "he", "hi", "hr", "hu", "id", "is", "it", "ja", "ko", "lt", "lv",
    "ms", "nb", "nl", "pl", "pt_BR", "pt_PT", "ro", "ru", "sk", "sl", "sq", "sr", "sr_Latn", "sv",
    "th", "tr", "uk", "vi", "zh_Hans", "zh_Hant", "zh_HK",
  ]

  @Test("A clock of twelve hours is read in every language of the phone", arguments: languages)
  func language(identifier: String) {
    let formatter = DateFormatter()
    formatter.calendar = Calendar(identifier: .gregorian)
    formatter.locale = Locale(identifier: identifier)
    formatter.timeZone = TimeZone(secondsFromGMT: -7 * 3600)
    for format in ["yyyy-MM-dd h:mm:ss a Z", "yyyy-MM-dd ah:mm:ss Z", "yyyy-MM-dd HH:mm:ss Z"] {
      formatter.dateFormat = format
      for hour in [0, 1, 11, 12, 13, 23] {
        let date = Date(timeIntervalSinceReferenceDate: Self.instant + Double(hour) * 3600)
        #expect(
          instant(formatter.string(from: date)) == date.timeIntervalSinceReferenceDate,
          "\(formatter.string(from: date))")
      }
    }
  }
}
