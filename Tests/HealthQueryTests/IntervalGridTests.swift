import Foundation
import HealthSamples
import Testing
import _HealthTestSupport

@testable import HealthQuery

@Suite("Intervals of a calendar")
struct IntervalGridTests {
  static let zones = [
    "America/New_York", "Europe/Paris", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia",
    "Africa/Casablanca", "Australia/Lord_Howe", "Asia/Gaza", "America/Havana", "Asia/Beirut",
    "America/St_Johns", "Pacific/Chatham", "Africa/Cairo", "Asia/Tehran", "UTC",
  ]

  private func edges(
    _ interval: CalendarInterval, anchor: String, zone identifier: String,
    _ indices: ClosedRange<Int>
  ) throws -> [Double] {
    let zone = try TimeZone.named(identifier)
    let anchor = try QueryDate(anchor, in: zone, now: 0).instant
    let span = interval.meanSeconds * Double(indices.count)
    let grid = IntervalGrid(
      interval, anchor: anchor, alignment: nil, zones: ZoneTimeline(zone),
      range: anchor - span...anchor + span)
    return try #require(grid.boundaries(indices)).edges
  }

  @Test("days of 1970 to 2037 begin where Foundation says", arguments: zones)
  func days(identifier: String) throws {
    let reference = try #require(ReferenceCalendar(zone: identifier))
    let zone = try TimeZone.named(identifier)
    let anchor = try QueryDate("2004-02-29", in: zone, now: 0).instant
    let range = -978_307_200.0...1_167_609_600
    let grid = IntervalGrid(
      CalendarInterval(.day), anchor: anchor, alignment: nil, zones: ZoneTimeline(zone),
      range: range)
    let first = grid.index(containing: range.lowerBound)
    let last = grid.index(containing: range.upperBound)
    let found = Set(try #require(grid.boundaries(first...last)).edges)
    // Around every change of offset each day is compared, elsewhere one in thirty.
    var compared = 0
    for index in first...last {
      let edge = grid.edge(index)
      #expect(found.contains(edge))
      let changes = zone.offset(at: edge - 200_000) != zone.offset(at: edge + 200_000)
      guard changes || index.isMultiple(of: 30) else { continue }
      compared += 1
      let expected = try #require(
        reference.edge(
          index, anchor: Date(timeIntervalSinceReferenceDate: anchor), months: 0, days: 1))
      #expect(edge == expected.timeIntervalSinceReferenceDate, "day \(index)")
    }
    #expect(compared > 700)
  }

  @Test("weeks and months from odd anchors agree with Foundation, both ways", arguments: zones)
  func odd(identifier: String) throws {
    let reference = try #require(ReferenceCalendar(zone: identifier))
    let zone = try TimeZone.named(identifier)
    for (text, months, days) in [
      ("2012-01-31T02:30", 1, 0), ("2016-02-29T23:59:59", 12, 0), ("2011-12-31T12:00", 0, 7),
      ("2018-11-04T00:30", 1, 3), ("2020-05-31", 3, 0),
    ] {
      let anchor = try QueryDate(text, in: zone, now: 0).instant
      let interval = try #require(CalendarInterval(months: months, days: days))
      let grid = IntervalGrid(
        interval, anchor: anchor, alignment: nil, zones: ZoneTimeline(zone),
        range: -1e9...1.5e9)
      for index in -60...60 {
        let expected = try #require(
          reference.edge(
            index, anchor: Date(timeIntervalSinceReferenceDate: anchor), months: months,
            days: days))
        guard abs(expected.timeIntervalSinceReferenceDate) < 1e9 else { continue }
        #expect(
          grid.edge(index) == expected.timeIntervalSinceReferenceDate, "\(text) + \(index)")
      }
    }
  }

  @Test("each instant lies in the interval that is found for it", arguments: zones)
  func containing(identifier: String) throws {
    let zone = try TimeZone.named(identifier)
    var generator = SplitMix64(seed: 12)
    for text in ["hour", "day", "week", "month", "year", "15min", "7h", "10d", "2w", "5mo", "3y"] {
      let interval = try #require(CalendarInterval(text))
      let range = 0.0...1e9
      let grid = IntervalGrid(
        interval, anchor: 345_678_901.25, alignment: interval.alignment, zones: ZoneTimeline(zone),
        range: range)
      for _ in 0..<100 {
        let instant = Double.random(in: range, using: &generator)
        let index = grid.index(containing: instant)
        #expect(grid.edge(index) <= instant && instant < grid.edge(index + 1))
        let ending = grid.index(endingAtOrAfter: grid.edge(index))
        #expect(grid.edge(ending) < grid.edge(index) && grid.edge(index) <= grid.edge(ending + 1))
      }
    }
  }

  @Test("months clamp to their last day without accumulating")
  func clamping() throws {
    let months = try #require(CalendarInterval("1mo"))
    let edges = try edges(months, anchor: "2024-01-31", zone: "UTC", -2...3)
    let expected = [
      "2023-11-30", "2023-12-31", "2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30",
      "2024-05-31",
    ]
    #expect(try edges == expected.map { try QueryDate($0, in: .gmt, now: 0).instant })
  }

  @Test("a skipped midnight is the first instant of its date, a skipped day is no interval")
  func skipped() throws {
    let day = CalendarInterval(.day)
    let saoPaulo = try edges(day, anchor: "2017-10-14", zone: "America/Sao_Paulo", 0...2)
    #expect(zip(saoPaulo.dropFirst(), saoPaulo).map { ($0 - $1) / 3600 } == [24, 23, 24])
    let apia = try edges(day, anchor: "2011-12-28", zone: "Pacific/Apia", 0...4)
    #expect(zip(apia.dropFirst(), apia).map { ($0 - $1) / 3600 } == [24, 24, 24, 24])
    let week = try edges(CalendarInterval(.week), anchor: "2011-12-26", zone: "Pacific/Apia", 0...1)
    #expect(zip(week.dropFirst(), week).map { ($0 - $1) / 3600 } == [144, 168])
  }

  @Test("hours are elapsed time through a change of clocks")
  func hours() throws {
    let edges = try edges(
      CalendarInterval(.hour), anchor: "2024-03-10", zone: "America/New_York", 0...22)
    #expect(zip(edges.dropFirst(), edges).allSatisfy { $0 - $1 == 3600 })
    let zone = try TimeZone.named("America/New_York")
    #expect(edges.last == (try QueryDate("2024-03-11", in: zone, now: 0).instant))
  }

  @Test("the years 1 to 9999 neither trap nor hang")
  func extremes() throws {
    let zone = try TimeZone.named("America/New_York")
    for text in ["year", "month", "9999y", "1000000000min"] {
      let interval = try #require(CalendarInterval(text))
      for anchor in [QueryDate.range.lowerBound, 0, QueryDate.range.upperBound] {
        let grid = IntervalGrid(
          interval, anchor: anchor, alignment: interval.alignment, zones: ZoneTimeline(zone),
          range: 0...1)
        for instant in [QueryDate.range.lowerBound, 0, QueryDate.range.upperBound] {
          let index = grid.index(containing: instant)
          #expect(grid.edge(index) <= instant && instant < grid.edge(index + 1))
        }
      }
    }
  }

  @Test(
    "text that is no length has no interval",
    arguments: [
      "", "0d", "-1d", "1", "d", "days", "1 fortnight", "1.5h", "99999999999999999999min",
      "20000y", "١d", "1M",
    ])
  func unreadable(text: String) { #expect(CalendarInterval(text) == nil) }
}
