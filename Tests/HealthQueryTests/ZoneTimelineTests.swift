import Foundation
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthQuery

@Suite("Days of a traveller")
struct ZoneTimelineTests {
  private static let day = 86_400.0

  private func timeline(_ lines: String...) throws -> ZoneTimeline {
    try ZoneTimeline(text: lines.joined(separator: "\n"))
  }

  /// The lengths of days in hours, from a date on.
  private func hours(_ count: Int, from date: String, in zones: ZoneTimeline) throws -> [Double] {
    let anchor = try QueryDate(date, in: zones, now: 0).instant
    let grid = IntervalGrid(
      CalendarInterval(.day), anchor: anchor, alignment: .day, zones: zones,
      range: anchor - 9 * Self.day...anchor + 9 * Self.day)
    let edges = try #require(grid.boundaries(0...count - 1)).edges
    return zip(edges.dropFirst(), edges).map { ($0 - $1) / 3600 }
  }

  @Test("a day lasts 24 hours less what the journey moves the clock forwards")
  func lengths() throws {
    let out = try timeline("Europe/Paris", "2024-06-10T20:00 America/New_York")
    #expect(try hours(3, from: "2024-06-09", in: out) == [24, 30, 24])
    let back = try timeline("America/New_York", "2024-06-10T09:00 Europe/Paris")
    #expect(try hours(3, from: "2024-06-09", in: back) == [24, 18, 24])
    // The journey ends after midnight of the old zone and before that of the new one.
    let late = try timeline("Europe/Paris", "2024-06-10T21:00 America/New_York")
    #expect(try hours(3, from: "2024-06-09", in: late) == [24, 30, 24])
  }

  @Test("clocks that change on the day of a journey count as well")
  func summerTime() throws {
    // Paris goes to summer time at 01:00 UTC of that Sunday, New York had done so before.
    let zones = try timeline("Europe/Paris", "2024-03-31T20:00 America/New_York")
    #expect(try hours(3, from: "2024-03-30", in: zones) == [24, 29, 24])
    let back = try timeline("America/New_York", "2024-10-27T12:00 Europe/Paris")
    #expect(try hours(2, from: "2024-10-27", in: back) == [19, 24])
  }

  @Test("across the date line a date is lived twice as long, cut short, or not at all")
  func dateLine() throws {
    let east = try timeline("Asia/Tokyo", "2024-06-10T10:00 America/Los_Angeles")
    #expect(try hours(3, from: "2024-06-09", in: east) == [24, 40, 24])
    let west = try timeline("America/Los_Angeles", "2024-06-12T05:00 Asia/Tokyo")
    // The clock goes from 13:00 of the 11th to 05:00 of the 12th, which begins there.
    #expect(try hours(3, from: "2024-06-10", in: west) == [24, 13, 19])
    // From Midway to Kiritimati there is a whole date less.
    let far = try timeline("Pacific/Midway", "2024-06-12T00:30 Pacific/Kiritimati")
    let edges = try hours(4, from: "2024-06-09", in: far)
    #expect(edges == [24, 23.5, 23.5])
    let date = try QueryDate("2024-06-11", in: far, now: 0)
    #expect(date == (try QueryDate("2024-06-12", in: far, now: 0)))
  }

  @Test("a date whose midnight a journey skips begins with the arrival, amid a second too")
  func arrival() throws {
    let date = try QueryDate("2024-06-12", in: ZoneTimeline(.named("UTC")), now: 0).instant
    let day = Int(date / Self.day)
    // From 13:00 of the 11th in Los Angeles to 05:00 of the 12th in Tokyo.
    for fraction in [0, 0.25, 0.999] {
      let arrival = date - 4 * 3600 + fraction
      let zones = try #require(
        ZoneTimeline(
          first: try .named("America/Los_Angeles"),
          changes: [ZoneTimeline.Change(instant: arrival, zone: try .named("Asia/Tokyo"))]))
      let clock = WallClock(of: zones, over: arrival...arrival)
      #expect(clock.instant(ofDay: day, seconds: 0) == arrival)
      #expect(clock.day(containing: arrival) == day)
      #expect(clock.day(containing: arrival.nextUp) == day)
      #expect(clock.day(containing: arrival.nextDown) == day - 1)
    }
  }

  private static let zones = [
    "America/New_York", "Europe/Paris", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia",
    "Africa/Casablanca", "Australia/Lord_Howe", "Asia/Gaza", "Asia/Tokyo", "Pacific/Kiritimati",
    "Pacific/Midway", "Pacific/Auckland", "Pacific/Chatham", "America/Los_Angeles", "UTC",
  ]

  /// Random journeys over some weeks at a random time of the years 1990 to 2035.
  private static func journeys(_ count: Int, seed: UInt64) throws -> [(ZoneTimeline, Double)] {
    var generator = SplitMix64(seed: seed)
    return try (0..<count).map { _ in
      let start = Double(Int.random(in: -4000...12_400, using: &generator)) * day
      func zone() throws -> TimeZone {
        try .named(try #require(zones.randomElement(using: &generator)))
      }
      let instants = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
        start + 900 * Double(Int.random(in: 0..<12 * 96, using: &generator))
      }
      let changes = try Set(instants).sorted().map {
        ZoneTimeline.Change(instant: $0, zone: try zone())
      }
      let timeline = try #require(ZoneTimeline(first: try zone(), changes: changes))
      return (timeline, start)
    }
  }

  @Test("dates and times are where a walk through the quarters of an hour meets them")
  func walk() throws {
    for (timeline, start) in try Self.journeys(DayCases.count(25), seed: 41) {
      let end = start + 14 * Self.day
      let clock = WallClock(of: timeline, over: start...end)
      let walk = ReferenceDays(
        first: timeline.first, changes: timeline.changes.map { ($0.instant, $0.zone) },
        from: start - 4 * Self.day, to: end + 4 * Self.day)
      for day in Int(start / Self.day)...Int(end / Self.day) {
        for seconds in [0, 12 * 3600.0] {
          let expected = walk.instant(of: Double(day) * Self.day + seconds)
          #expect(
            clock.instant(ofDay: day, seconds: seconds) == expected,
            "day \(day), \(timeline.first) \(timeline.changes)")
        }
      }
    }
  }

  @Test("no instant lies in two days or in none, and lengths add up to what the clock moved")
  func partition() throws {
    for (timeline, start) in try Self.journeys(DayCases.count(100), seed: 42) {
      let end = start + 14 * Self.day
      let clock = WallClock(of: timeline, over: start...end)
      let days = clock.day(containing: start)...clock.day(containing: end)
      var last = -Double.infinity
      for day in days {
        let (from, to) = (
          clock.instant(ofDay: day, seconds: 0), clock.instant(ofDay: day + 1, seconds: 0)
        )
        #expect(last <= from && from <= to)
        last = to
        guard from < to else { continue }
        #expect(clock.day(containing: from) == day)
        #expect(clock.day(containing: (from + to) / 2) == day)
        #expect(clock.day(containing: to.nextDown) == day)
        // A date that is skipped makes the one before it look longer.
        guard to < clock.instant(ofDay: day + 2, seconds: 0) else { continue }
        let isMidnight = { Double((Int($0) + clock.offset(at: $0)) % 86_400) == 0 }
        if isMidnight(from), isMidnight(to) {
          #expect(to - from == Self.day - Double(clock.offset(at: to) - clock.offset(at: from)))
        }
      }
    }
  }

  @Test("intervals of every kind hold each instant once, from anchors both ways")
  func grids() throws {
    var generator = SplitMix64(seed: 43)
    for (timeline, start) in try Self.journeys(DayCases.count(25), seed: 44) {
      let range = start - 500 * Self.day...start + 500 * Self.day
      for text in ["hour", "day", "week", "month", "year", "45min", "6h", "2d", "1mo10d", "1d12h"] {
        let interval = try #require(CalendarInterval(text))
        let grid = IntervalGrid(
          interval, anchor: start + 900 * Double(Int.random(in: 0..<960, using: &generator)),
          alignment: interval.alignment, zones: timeline, range: range)
        for _ in 0..<10 {
          let instant = Double.random(in: range, using: &generator)
          let index = grid.index(containing: instant)
          #expect(grid.edge(index) <= instant && instant < grid.edge(index + 1), "\(text)")
          #expect(grid.edge(index - 1) <= grid.edge(index), "\(text)")
        }
      }
    }
  }

  @Test("one zone is the same as a journey that ends where it began")
  func home() throws {
    let paris = try timeline("Europe/Paris")
    #expect(paris == (try timeline("Europe/Paris", "2024-01-01 Europe/Paris")))
    #expect(paris.identifier == "Europe/Paris")
    let trip = try timeline(
      "Europe/Paris", "2024-06-10T14:00 Asia/Tokyo", "2024-06-24T09:00 Europe/Paris")
    #expect(trip.identifier == "timeline")
    for date in ["2024-05-01", "2024-06-10", "2024-06-25", "2025-01-31"] {
      #expect(
        try QueryDate(date, in: trip, now: 0) == QueryDate(date, in: paris, now: 0), "\(date)")
    }
    let tokyo = try timeline("Asia/Tokyo")
    #expect(
      try QueryDate("2024-06-12T10:30", in: trip, now: 0)
        == QueryDate("2024-06-12T10:30", in: tokyo, now: 0))
    // At 02:00 of the 12th in Tokyo it is still the 11th in Paris.
    let now = try QueryDate("2024-06-12T02:00+09:00", in: trip, now: 0).instant
    #expect(
      try QueryDate("today", in: trip, now: now) == QueryDate("2024-06-12", in: tokyo, now: 0))
  }

  @Test("moments, blanks and comments of a list are read as they are meant")
  func list() throws {
    let zones = try timeline(
      "\u{FEFF}# journeys\r", "", "Europe/Paris # home", "2024-06-10T14:05\tAsia/Tokyo",
      "2024-06-11 00:00:30+02:00   Asia/Seoul", "2024-06-24 Europe/Paris", "")
    let utc = try ["2024-06-10T05:05Z", "2024-06-10T22:00:30Z", "2024-06-23T22:00Z"].map {
      try QueryDate($0, in: .gmt, now: 0).instant
    }
    #expect(zones.changes.map(\.instant) == utc)
    #expect(zones.changes.map(\.zone.identifier) == ["Asia/Tokyo", "Asia/Seoul", "Europe/Paris"])
    #expect(zones.zone(at: utc[0] - 1).identifier == "Europe/Paris")
    #expect(zones.zone(at: utc[0]).identifier == "Asia/Tokyo")
    #expect(zones.zone(at: .greatestFiniteMagnitude).identifier == "Europe/Paris")
  }

  @Test(
    "Zones are suggested by their city",
    arguments: [
      ("Asia/Tokio", ["Asia/Tokyo"]), ("tokio", ["Asia/Tokyo"]), ("york", ["America/New_York"]),
      ("Europa/Berlin", ["Europe/Berlin"]), ("sao paulo", ["America/Sao_Paulo"]),
      ("Mars/Olympus", []), ("/", []), ("", []),
    ])
  func suggestions(text: String, zones: [String]) {
    let error = #expect(throws: QueryError.self) { try TimeZone.named(text) }
    #expect(error?.reason == .unknownTimeZone(text, suggestions: zones))
  }

  @Test(
    "a list that is not as it should be names the line",
    arguments: [
      ("", 1, .noZone), ("# nothing\n\n", 3, .noZone),
      ("Europe/Paris\nAsia/Tokyo", 2, .missingDate),
      ("Europe/Paris\n2024-13-01 Asia/Tokyo", 2, .unreadableDate("2024-13-01")),
      ("Europe/Paris\nx y Asia/Tokyo", 2, .unreadableDate("x y")),
      (
        "Europe/Paris\n2024-06-10 Asia/Tokio", 2,
        .unknownTimeZone("Asia/Tokio", suggestions: ["Asia/Tokyo"])
      ),
      (
        "Europe/Paris\n2024-06-10 Asia/Tokyo\n2024-06-10T00:00+09:00 Asia/Seoul", 3, .notAscending
      ),
      ("2024-06-10 Asia/Tokyo\n2023-06-10 Asia/Seoul", 2, .notAscending),
    ] as [(String, Int, QueryError.TimelineProblem)])
  func malformed(text: String, line: Int, problem: QueryError.TimelineProblem) {
    #expect(throws: QueryError(.timeline(line: line, problem))) { try ZoneTimeline(text: text) }
  }

  @Test("changes out of order or out of the calendar make no timeline")
  func unordered() throws {
    let zone = try TimeZone.named("Asia/Tokyo")
    for instants in [[2.0, 1], [1, 1], [.nan], [.infinity], [1e300]] {
      let changes = instants.map { ZoneTimeline.Change(instant: $0, zone: zone) }
      #expect(ZoneTimeline(first: .gmt, changes: changes) == nil)
    }
  }

  @Test("recorded zones change half way between the last sample of one and the first of the next")
  func recorded() throws {
    var recorded = RecordedZones()
    #expect(throws: QueryError(.noRecordedZone)) { try ZoneTimeline(recorded: recorded) }
    recorded.append(start: 5000, end: 5600, zone: "Asia/Tokyo")
    recorded.append(start: 0, end: 1000, zone: "Europe/Paris")
    recorded.append(start: 100, end: 2000, zone: "Europe/Paris")
    recorded.append(start: 3000, end: 3100, zone: "Mars/Olympus")
    recorded.append(start: 5500, end: 5900, zone: "Asia/Seoul")
    recorded.append(start: -1e300, end: 0, zone: "Asia/Kabul")
    let zones = try ZoneTimeline(recorded: recorded)
    #expect(zones.first.identifier == "Europe/Paris")
    #expect(zones.changes.map(\.instant) == [3500, 5500])
    #expect(zones.changes.map(\.zone.identifier) == ["Asia/Tokyo", "Asia/Seoul"])
    #expect(recorded.unknownZones == ["Mars/Olympus"])
  }

  @Test("a store tells which samples name a zone, of every type")
  func stored() throws {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    let source = Source(name: "Watch")
    for (type, label) in [
      (StoreRecords.sleep, "HKCategoryValueSleepAnalysisInBed"), (SampleType(.stepCount), "count"),
    ] {
      var batch = RecordColumns(type: type, source: source)
      batch.labelTable = [label]
      batch.originTable = [Origin()]
      batch.metadataTable += ["Europe/Paris", "Asia/Tokyo"].map {
        Metadata([.init(key: "meal", value: "HKTimeZone"), .init(key: "HKTimeZone", value: $0)])
      }
      batch.metadataTable.append(Metadata([.init(key: "HKTimeZoneName", value: "Mars")]))
      for row in 0..<8 {
        batch.starts.append(Double(row) * 1000)
        batch.ends.append(Double(row) * 1000 + (row == 7 ? -5 : 500))
        batch.created.append(RecordColumns.notRecorded)
        batch.values.append(0)
        batch.labels.append(0)
        batch.origins.append(0)
        batch.metadata.append(UInt32(row % 4))
        batch.copies.append(1)
      }
      try session.add(batch)
    }
    _ = try session.finish()
    let recorded = try store.recordedZones()
    #expect(recorded.starts.sorted() == [1000, 1000, 2000, 2000, 5000, 5000, 6000, 6000])
    #expect(zip(recorded.starts, recorded.ends).allSatisfy { $1 - $0 == 500 })
    #expect(Set(recorded.zoneTable) == ["Europe/Paris", "Asia/Tokyo"])
    let zones = try ZoneTimeline(recorded: recorded)
    #expect(zones.changes.map(\.instant) == [1750, 3750, 5750])
  }

  @Test("an offset that the zone has at that time is no change, another one is")
  func recordedOffsets() throws {
    let noon = try ["2024-01-10", "2024-07-10", "2024-07-12", "2024-07-14", "2024-12-10"].map {
      try QueryDate($0 + "T12:00", in: .gmt, now: 0).instant
    }
    var recorded = RecordedZones()
    for (instant, zone) in zip(
      noon, ["Europe/Paris", "GMT+0200", "GMT+0900", "Europe/Paris", "GMT+0100"])
    {
      recorded.append(start: instant, end: instant, zone: zone)
    }
    let zones = try ZoneTimeline(recorded: recorded)
    #expect(zones.first.identifier == "Europe/Paris")
    #expect(zones.changes.map(\.zone.identifier) == ["GMT+0900", "Europe/Paris"])
    #expect(zones.changes.map(\.instant) == [noon[1] + 86_400, noon[2] + 86_400])
    // In another order of names, the named zone holds from its first sample on.
    var others = RecordedZones()
    others.append(start: noon[0], end: noon[0], zone: "GMT+0100")
    others.append(start: noon[1], end: noon[1], zone: "Europe/Paris")
    others.append(start: noon[4], end: noon[4], zone: "GMT+0100")
    #expect(try ZoneTimeline(recorded: others).changes.map(\.zone.identifier) == ["Europe/Paris"])
  }

  @Test("the order in which samples come does not change the recorded zones")
  func recordedOrder() throws {
    var generator = SplitMix64(seed: 45)
    for _ in 0..<50 {
      var rows = (0..<20).map { _ in
        let start = Double(Int.random(in: 0..<30, using: &generator) * 1000)
        let end = start + Double(Int.random(in: 0..<3, using: &generator) * 500)
        return (start, end, Self.zones[Int.random(in: 0..<3, using: &generator)])
      }
      func timeline() throws -> ZoneTimeline {
        var recorded = RecordedZones()
        for (start, end, zone) in rows { recorded.append(start: start, end: end, zone: zone) }
        return try ZoneTimeline(recorded: recorded)
      }
      let zones = try timeline()
      rows.shuffle(using: &generator)
      #expect(try timeline() == zones)
      // A sample that no other overlaps is in its zone all the time.
      for (start, end, zone) in rows
      where !rows.contains(where: { $0.2 != zone && $0.0 <= end && $0.1 >= start }) {
        #expect(zones.zone(at: start).identifier == zone && zones.zone(at: end).identifier == zone)
      }
    }
  }
}
