import Foundation
import HealthQuery
import HealthSamples
import HealthStore
import Testing

@testable import HealthImport

@Suite("Dates with an offset from UTC")
struct DateTextTests {
  /// Seconds since 2001 of 2024-03-09 15:04:05 -0700.
  private static let instant = 731_714_645.0

  /// What each reader makes of a text.
  private static func instants(of text: String) -> [Double?] {
    var exported = LocalisedDate()
    let entry = Metadata.Entry(key: "date", value: text, kind: .date)
    let inMetadata: Double? = if case .date(let instant) = entry.typed { instant } else { nil }
    return [
      WallClockText(text)?.instant, Now(text)?.instant, exported.instant(text), inMetadata,
      try? QueryDate(text, in: .gmt, now: 0).instant,
    ]
  }

  @Test(
    "Exports, metadata, questions and HKSTATS_NOW read the same",
    arguments: [
      "2024-03-09 15:04:05 -0700", "2024-03-09T15:04:05-07:00", "2024-03-09T15:04:05-07",
      "2024-03-09T22:04:05Z", "2024-03-09 22:04:05 Z", "2024-03-09T22:04:05z",
      "2024-03-09T22:04:05.000000000000Z", "2024-03-09T22:04:05,0+0000",
      "2024-03-09T22:03:65Z", "2024-03-10 00:04:05 +02",
    ])
  func agree(text: String) {
    let expected = text.contains(":65") ? nil : Self.instant
    #expect(Self.instants(of: text) == Array(repeating: expected, count: 5))
  }

  @Test(
    "Minutes without seconds, leap seconds, fractions, and what is no date",
    arguments: [
      ("2024-03-09T22:04Z", instant - 5), ("2024-03-09 22:04 +0000", instant - 5),
      ("2016-12-31T23:59:60Z", 504_921_600), ("2016-12-31 23:59:60 +0000", 504_921_600),
      ("2001-01-01T00:00:00.125Z", 0.125), ("2001-01-01T00:00:00.1234567894Z", 0.123456789),
      ("9999-12-31T23:59:59Z", 252_423_993_599), ("0001-01-01T00:00:00Z", -63_113_904_000),
      ("2023-02-29T00:00:00Z", nil), ("2024-13-01T00:00:00Z", nil), ("2024-01-01T24:00:00Z", nil),
      ("2024-01-01T00:60:00Z", nil), ("2024-01-01T00:00:00.Z", nil), ("2024-01-01Z", nil),
      ("2024-01-01T00:00:00+24:00", nil), ("2024-01-01T00:00:00+0160", nil),
      ("2024-01-01T00:00:00+1", nil), ("2024-01-01T00:00:00Zz", nil),
    ] as [(String, Double?)])
  func edges(text: String, expected: Double?) {
    #expect(Self.instants(of: text) == Array(repeating: expected, count: 5))
  }
}
