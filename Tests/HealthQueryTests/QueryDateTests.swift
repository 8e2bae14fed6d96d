import Foundation
import HealthQuery
import HealthSamples
import HealthStore
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
      #expect(try date.instant == instant(expected) && date.alignsIntervals == isBare, "\(text)")
    }
    let paris = try TimeZone.named("Europe/Paris")
    let late = try instant("2024-03-31T23:00")
    #expect(
      try QueryDate("today", in: paris, now: late).instant
        == instant("2024-04-01", zone: "Europe/Paris"))
  }

  @Test("a mixed time ago takes months, days and elapsed time away, all of them")
  func mixed() throws {
    let now = try instant("2024-03-31T12:34:56")
    for (text, expected) in [
      ("-1d12h", "2024-03-30T00:34:56"), ("1 day 12 hours ago", "2024-03-30T00:34:56"),
      ("-1mo6h", "2024-02-29T06:34:56"), ("-1w1d30min", "2024-03-23T12:04:56"),
      ("-1y1mo1d1h", "2023-02-27T11:34:56"),
    ] {
      for isEdge in [false, true] {
        let date = try QueryDate(text, in: .gmt, now: now, boundsPeriod: isEdge)
        #expect(try date.instant == instant(expected) && !date.alignsIntervals, "\(text)")
      }
    }
    // The clock of the day before shows the same time, 25 hours ago; then elapsed time counts.
    let paris = try TimeZone.named("Europe/Paris")
    let after = try instant("2024-10-27T12:00", zone: "Europe/Paris")
    #expect(
      try QueryDate("-1d12h", in: paris, now: after).instant
        == instant("2024-10-26T00:00", zone: "Europe/Paris"))
    #expect(throws: QueryError.self) { try QueryDate("-9999y1h", in: .gmt, now: now) }
  }

  @Test("a period that is told back from now ends with today, any other with the data")
  func periods() throws {
    let paris = ZoneTimeline(try TimeZone.named("Europe/Paris"))
    // Sunday, the day on which clocks go back, at 23:59.
    let now = try instant("2026-10-25T23:59", zone: "Europe/Paris")
    let end = try instant("2026-10-26", zone: "Europe/Paris")
    for text in ["today", "yesterday", "-7d", "-1w", "-36h", "7 days ago", " Today "] {
      let period = try QueryPeriod(from: text, to: nil, in: paris, now: now)
      #expect(period.to?.instant == end && period.to?.isLimit == true, "\(text)")
      // An end that is named is that end.
      let named = try QueryPeriod(from: text, to: "2027-01", in: paris, now: now)
      #expect(try named.to == QueryDate("2027-01", in: paris, now: now), "\(text)")
    }
    for text in ["2026-10-25", "2026", "20261025", "now", "tomorrow", nil] {
      let period = try QueryPeriod(from: text, to: nil, in: paris, now: now)
      #expect(period.to == nil, "\(text ?? "")")
    }
    let coded = try JSONEncoder().encode(QueryPeriod(from: "-7d", to: nil, in: paris, now: now).to)
    #expect(try JSONDecoder().decode(QueryDate.self, from: coded).isLimit)
    let older = Data(#"{"instant": 5, "alignsIntervals": true}"#.utf8)
    let decoded = try JSONDecoder().decode(QueryDate.self, from: older)
    #expect(decoded == QueryDate(instant: 5, alignsIntervals: true))
  }

  @Test("days are those that were, where a zone left out a date")
  func skippedDates() throws {
    let apia = ZoneTimeline(try TimeZone.named("Pacific/Apia"))
    let now = try instant("2011-12-31T03:06", zone: "Pacific/Apia")
    func date(_ text: String, isEdge: Bool = false) throws -> String {
      let date = try QueryDate(text, in: apia, now: now, boundsPeriod: isEdge)
      return LocalTime(date.instant, in: apia).dateText
    }
    #expect(
      apia.skippedDays(in: 3_000..<5_000) == [CivilDate(year: 2011, month: 12, day: 30).dayNumber])
    #expect(try date("yesterday") == "2011-12-29")
    #expect(try date("-1d", isEdge: true) == "2011-12-31")
    #expect(try date("-2d", isEdge: true) == "2011-12-29")
    #expect(try date("-7d", isEdge: true) == "2011-12-24")
    #expect(try date("-1d") == "2011-12-29")
  }

  @Test("now is a date with a time and an offset, or refused")
  func moments() throws {
    let moment = try #require(Now("2026-11-28T03:06:00+01:00"))
    #expect(try moment.instant == instant("2026-11-28T02:06"))
    #expect(try Now(stated: "2026-11-28T02:06Z") == moment)
    for text in ["", "now", "today", "2026-11-28", "2026-11-28T03:06", "1764295560", "\u{0}"] {
      #expect(throws: QueryError(.notAMoment(text))) { try Now(stated: text) }
    }
  }

  @Test("as an edge of a period, N days ago leave N days up to the end of today")
  func edges() throws {
    var generator = SplitMix64(seed: 7)
    for zone in try ["UTC", "Europe/Paris", "America/Sao_Paulo"].map(TimeZone.named) {
      for _ in 0..<50 {
        let now = Double.random(in: 0...700_000_000, using: &generator)
        let end = try QueryDate("tomorrow", in: zone, now: now)
        for (text, interval, count) in [
          ("-1d", CalendarInterval(.day), 1), ("-7d", CalendarInterval(.day), 7),
          ("-2w", CalendarInterval(.day), 14), ("-30 days", CalendarInterval(.day), 30),
        ] {
          let from = try QueryDate(text, in: zone, now: now, boundsPeriod: true)
          let days = try interval.boundaries(from: from, to: end, in: ZoneTimeline(zone))
          #expect(days.count == count && days.edges.last == end.instant, "\(text) at \(now)")
          let ago = try QueryDate(String(text.dropFirst()) + " ago", in: zone, now: now)
          #expect(try ago == QueryDate(text, in: zone, now: now))
          #expect(
            try ago
              == QueryDate(
                String(text.dropFirst()) + " ago", in: zone, now: now, boundsPeriod: true))
        }
        // Two periods of a week lie side by side.
        let weeks = try ["-1w", "-2w"].map {
          try QueryDate($0, in: zone, now: now, boundsPeriod: true)
        }
        #expect(
          try CalendarInterval(.day).boundaries(
            from: weeks[1], to: weeks[0], in: ZoneTimeline(zone)
          ).count == 7)
      }
    }
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
      "", "2024-13-01", "2023-02-29", "2024-00-10", "2024-01-32", "2024-13", "202", "12345678",
      "2024-1-1-1", "2024/01-01", "2024 10:00", "2024-01 10:00:",
      "2024-01-01T", "2024-01-01T25:00", "2024-01-01T10", "2024-01-01T10:60", "2024-01-01Z",
      "2024-01-01T10:00:00.", "2024-01-01T10:00+1", "2024-01-01T10:00 +1",
      "2024-01-01T10:00+01:00x", "-0d", "-d",
      "--1d", "2024-01-01T10:00:61", "２０２４-01-01",
    ])
  func refused(text: String) throws {
    let error = try #require(throws: QueryError.self) { try instant(text) }
    guard case .unreadableDate(text, _) = error.reason else {
      Issue.record("another reason")
      return
    }
  }

  @Test("months, years, and dates written loosely are those of the year, month and day")
  func loose() throws {
    let now = try instant("2024-03-31T12:34:56")
    for (text, expected) in [
      ("2024-10", "2024-10-01"), ("2024", "2024-01-01"), ("2024-1-5", "2024-01-05"),
      ("2024/03/9", "2024-03-09"), ("2024.3.9", "2024-03-09"), ("20240309", "2024-03-09"),
      ("2024/10", "2024-10-01"), ("9.3.2024", "2024-03-09"), ("09.03.2024", "2024-03-09"),
      ("Today", "2024-03-31"), ("TOMORROW", "2024-04-01"),
      (" yesterday ", "2024-03-30"), ("30 days ago", "2024-03-01"), ("-30 days", "2024-03-01"),
      ("-2weeks", "2024-03-17"), ("1 month ago", "2024-02-29"), ("-1quarter", "2023-12-31"),
    ] {
      let date = try QueryDate(text, in: .gmt, now: now)
      #expect(try date.instant == instant(expected) && date.alignsIntervals, "\(text)")
    }
    for (text, expected) in [
      ("now", "2024-03-31T12:34:56"), ("2024-03-09 9:05", "2024-03-09T09:05"),
      ("2024/3/9 10:30:15+01:00", "2024-03-09T09:30:15"), ("20240309T1:00z", "2024-03-09T01:00"),
      ("6 hours ago", "2024-03-31T06:34:56"),
    ] {
      let date = try QueryDate(text, in: .gmt, now: now)
      #expect(try date.instant == instant(expected) && !date.alignsIntervals, "\(text)")
    }
  }

  @Test(
    "a named week, month, quarter or year is its first instant, and ends with today",
    arguments: [
      ("last month", "2024-02"), ("this month", "2024-03"), ("this year", "2024"),
      ("Last  Year", "2023"), ("last week", "2024-03-18"), ("this week", "2024-03-25"),
      ("this quarter", "2024-01"), ("last quarter", "2023-10"),
    ])
  func named(text: String, meant: String) throws {
    let (now, zones) = (try instant("2024-03-31T12:34:56"), ZoneTimeline(.gmt))
    #expect(try QueryDate(text, in: .gmt, now: now) == QueryDate(meant, in: .gmt, now: now))
    let period = try QueryPeriod(from: text, to: nil, in: zones, now: now)
    #expect(period.to == (try QueryPeriod(from: "-7d", to: nil, in: zones, now: now)).to)
  }

  @Test(
    "what may mean another date is refused with the dates that it may mean",
    arguments: [
      ("31/10/2023", ["2023-10-31"]), ("10.31.2023", ["2023-10-31"]),
      ("10/31/2023", ["2023-10-31"]),
      ("01/02/2023", ["2023-02-01", "2023-01-02"]), ("5/5/2023", ["2023-05-05"]),
      ("10/2023", ["2023-10"]), ("Oct 2023", ["2023-10"]), ("october", ["2023-10"]),
      ("March", ["2024-03"]), ("31 Oct 2023", ["2023-10-31"]), ("oct 31, 2023", ["2023-10-31"]),
      ("Oct 5", ["2023-10-05"]), ("monday", ["2024-03-25"]), ("Sunday", ["2024-03-31"]),
      ("next month", ["2024-04-01"]), ("previous week", ["2024-03-18"]), ("2023-Q3", ["2023-07"]),
      ("Q4 2023", ["2023-10"]),
      ("2023-W42", ["2023-10-16"]), ("2020-W53", ["2020-12-28"]), ("2023-02-30", ["2023-02-28"]),
      ("30d", ["-30d"]), ("last 30 days", ["-30days"]), ("5m", ["-5min", "-5mo"]),
      ("tomorow", ["tomorrow"]), ("yesteday", ["yesterday"]),
      ("2023-10-31T10", ["2023-10-31T10:00"]),
      ("10:30", []), ("soon", []), ("99/99/2023", []), ("99999999999999999999", []),
    ])
  func suggested(text: String, meant: [String]) throws {
    let now = try instant("2024-03-31T12:34:56")
    let error = try #require(throws: QueryError.self) { try QueryDate(text, in: .gmt, now: now) }
    #expect(error == QueryError(.unreadableDate(text, suggestions: meant)))
    // What is offered is understood.
    for date in meant { _ = try QueryDate(date, in: .gmt, now: now) }
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
