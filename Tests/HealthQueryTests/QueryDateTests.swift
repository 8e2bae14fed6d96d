import Foundation
import HealthQuery
import Testing
import _HealthTestSupport

@Suite("Dates in text")
struct QueryDateTests {
  private func instant(_ text: String, zone: String = "UTC", now: Double = 0) throws -> Double {
    try QueryDate(text, in: try TimeZone.named(zone), now: now).instant
  }

  @Test("all spellings of an instant agree with Foundation")
  func spellings() throws {
    let expected = try #require(ISO8601DateFormatter().date(from: "2024-03-09T10:30:00Z"))
      .timeIntervalSinceReferenceDate
    for text in [
      "2024-03-09T10:30", "2024-03-09 10:30:00", "2024-03-09T10:30:00.000Z",
      "2024-03-09T11:30+01:00", "2024-03-09T05:30:00-0500", "2024-03-09T12:30+02",
    ] {
      #expect(try instant(text) == expected, "\(text)")
    }
    #expect(try instant("2024-03-09T10:30:00,25Z") == expected + 0.25)
    #expect(try instant("2024-03-09T05:30", zone: "America/New_York") == expected)
  }

  @Test("random wall-clock times agree with Foundation", arguments: IntervalGridTests.zones)
  func random(identifier: String) throws {
    let zone = try TimeZone.named(identifier)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    var generator = SplitMix64(seed: 13)
    for _ in 0..<200 {
      var parts = DateComponents()
      parts.year = Int.random(in: 1970...2037, using: &generator)
      parts.month = Int.random(in: 1...12, using: &generator)
      parts.day = Int.random(in: 1...28, using: &generator)
      parts.hour = Int.random(in: 0...23, using: &generator)
      parts.minute = Int.random(in: 1...59, using: &generator)
      let date = try #require(calendar.date(from: parts))
      let text = [parts.month, parts.day].compactMap { $0 }.reduce("\(parts.year ?? 0)") {
        $0 + "-" + ($1 < 10 ? "0" : "") + "\($1)"
      }
      let time = [parts.hour, parts.minute].compactMap { $0 }
        .map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
      #expect(
        try QueryDate("\(text)T\(time)", in: zone, now: 0).instant
          == date.timeIntervalSinceReferenceDate)
    }
  }

  @Test("times ago count from the date or the time of now")
  func relative() throws {
    let now = try instant("2024-03-31T12:34:56")
    for (text, expected, isBare) in [
      ("today", "2024-03-31", true), ("yesterday", "2024-03-30", true),
      ("-30d", "2024-03-01", true), ("-2w", "2024-03-17", true), ("-1mo", "2024-02-29", true),
      ("-1y", "2023-03-31", true), ("-6h", "2024-03-31T06:34:56", false),
      ("-90min", "2024-03-31T11:04:56", false),
    ] {
      let date = try QueryDate(text, in: .gmt, now: now)
      #expect(try date.instant == instant(expected) && date.isBareDate == isBare, "\(text)")
    }
    let paris = try TimeZone.named("Europe/Paris")
    let late = try instant("2024-03-31T23:00")
    #expect(
      try QueryDate("today", in: paris, now: late).instant
        == instant("2024-04-01", zone: "Europe/Paris"))
  }

  @Test("a bare date is the first instant of that date")
  func skippedMidnight() throws {
    #expect(
      try instant("2017-10-15", zone: "America/Sao_Paulo")
        == instant("2017-10-15T03:00", zone: "UTC"))
  }

  @Test(
    "anything else is refused",
    arguments: [
      "", "2024", "2024-13-01", "2023-02-29", "2024-00-10", "2024-01-32", "2024-1-1", "tomorrow",
      "2024-01-01T", "2024-01-01T25:00", "2024-01-01T10", "2024-01-01T10:60", "2024-01-01Z",
      "2024-01-01T10:00:00.", "2024-01-01T10:00+1", "2024-01-01T10:00+01:00x", "-0d", "-d",
      "--1d", "2024-01-01T10:00:61", "２０２４-01-01",
    ])
  func refused(text: String) throws {
    #expect(throws: QueryError(.unreadableDate(text))) { try instant(text) }
  }

  @Test("dates out of the years 1 to 9999 are refused")
  func range() throws {
    #expect(throws: QueryError(.dateOutOfRange)) { try instant("-9000y") }
    for text in ["0000-01-01", "0000-12-30T10:00Z", "10000-01-04"] {
      #expect(throws: QueryError(.dateOutOfRange)) { try instant(text) }
    }
    #expect(throws: QueryError(.dateOutOfRange)) { try instant("today", now: .infinity) }
    _ = try instant("0001-01-01T00:00")
    _ = try instant("9999-12-31T23:59:59")
  }

  @Test("a misspelt zone has suggestions")
  func zones() throws {
    for (text, meant) in [
      ("Europe/Pari", "Europe/Paris"), ("america/newyork", "America/New_York"),
      ("Kathmandu", "Asia/Kathmandu"),
    ] {
      let error = try #require(throws: QueryError.self) { try TimeZone.named(text) }
      guard case .unknownTimeZone(text, let suggestions) = error.reason else {
        Issue.record("another reason")
        continue
      }
      #expect(suggestions.first == meant)
    }
    #expect(throws: QueryError(.unknownTimeZone("", suggestions: []))) {
      try TimeZone.named("")
    }
  }
}
