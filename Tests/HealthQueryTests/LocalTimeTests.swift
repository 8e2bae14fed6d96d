import Foundation
import HealthQuery
import HealthSamples
import Testing
import _HealthTestSupport

@Suite("Dates as text")
struct LocalTimeTests {
  private static let zones = [
    "UTC", "Europe/Paris", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe",
    "Pacific/Apia", "America/St_Johns",
  ]

  @Test("Clock and calendar agree with Foundation's", arguments: zones)
  func agreesWithFoundation(name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    var generator = SplitMix64(seed: 11)
    for _ in 0..<400 {
      // 1950 to 2050: from before 1582 Foundation's calendar is the Julian one.
      let instant = Double(Int(generator.next() % 3_155_760_000)) - 1_609_459_200
      let time = LocalTime(instant, in: zone)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second, .weekday],
        from: Date(timeIntervalSinceReferenceDate: instant))
      #expect(time.date.year == parts.year && time.date.month == parts.month)
      #expect(time.date.day == parts.day)
      #expect(time.hour == parts.hour && time.minute == parts.minute)
      #expect(time.second == parts.second && (time.weekday + 1) % 7 + 1 == parts.weekday)
    }
  }

  @Test("Offsets that are kept are those of the zones", arguments: zones)
  func keptOffsets(name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    let journey = ZoneTimeline(
      first: zone,
      changes: [.init(instant: 700_000_123, zone: tokyo), .init(instant: 700_040_000, zone: zone)])
    for zones in [ZoneTimeline(zone), try #require(journey)] {
      var offsets = OffsetCache(zones)
      var generator = SplitMix64(seed: 14)
      // In order, as rows come, around each change of the clock in thirty years; then anywhere.
      var instants = stretches(of: zone)
      instants += (0..<500).map { _ in
        Double.random(in: 699_000_000...701_000_000, using: &generator)
      }
      instants += (0..<500).map { _ in Double.random(in: -2e9...2e9, using: &generator) }
      for instant in instants {
        #expect(
          LocalTime(instant, in: &offsets) == LocalTime(instant, in: zones), "\(name) \(instant)")
      }
    }
  }

  /// Every quarter of an hour of the days around each change of a clock.
  private func stretches(of zone: TimeZone) -> [Double] {
    var instants: [Double] = []
    var date = Date(timeIntervalSinceReferenceDate: 0)
    while let change = zone.nextDaylightSavingTimeTransition(after: date),
      change.timeIntervalSinceReferenceDate < 9e8, instants.count < 20_000
    {
      let middle = change.timeIntervalSinceReferenceDate
      instants += stride(from: middle - 86_400, through: middle + 86_400, by: 900)
      date = change
    }
    return instants
  }

  @Test("ISO text names the instant", arguments: zones)
  func isoTextReadsBack(name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    let formatter = ISO8601DateFormatter()
    var generator = SplitMix64(seed: 12)
    for _ in 0..<200 {
      let instant = Double(Int(generator.next() % 1_500_000_000)) - 400_000_000
      let text = LocalTime(instant, in: zone).isoText
      #expect(formatter.date(from: text)?.timeIntervalSinceReferenceDate == instant)
    }
  }

  @Test("Every date that is printed of the years 1 to 9999 can be given back", arguments: zones)
  func givenBack(name: String) throws {
    let zone = try #require(TimeZone(identifier: name))
    // From the first moment of year 1 to the last of year 9999, in UTC.
    let range = -63_113_904_000...252_423_993_600
    var generator = SplitMix64(seed: 13)
    let others = (0..<300).map { _ in Int.random(in: range, using: &generator) }
    for instant in [range.lowerBound, range.upperBound] + others {
      let text = LocalTime(Double(instant), in: zone).isoText
      #expect(try QueryDate(text, in: zone, now: 0).instant == Double(instant), "\(text)")
    }
  }

  @Test(
    "Parts of a second stand only where there are some",
    arguments: [(0.0, "00:00:00+00:00"), (1.5, "00:00:01.5+00:00"), (2.25, "00:00:02.25+00:00")])
  func fractions(instant: Double, clock: String) throws {
    let utc = try #require(TimeZone(identifier: "UTC"))
    #expect(LocalTime(instant, in: utc).isoText == "2001-01-01T" + clock)
  }

  @Test("An hour that comes twice in autumn is told apart by its offset")
  func repeatedHour() throws {
    let paris = try #require(TimeZone(identifier: "Europe/Paris"))
    // 2024-10-27 00:30 and 01:30 UTC both read 02:30.
    let first = 751_681_800.0
    #expect(LocalTime(first, in: paris).isoText == "2024-10-27T02:30:00+02:00")
    #expect(LocalTime(first + 3600, in: paris).isoText == "2024-10-27T02:30:00+01:00")
  }

  @Test("No instant traps", arguments: [-1e300, -63_114_076_800, 252_423_993_600, 1e300])
  func extremes(instant: Double) throws {
    let paris = try #require(TimeZone(identifier: "Europe/Paris"))
    #expect(LocalTime(instant, in: paris).isoText.contains("T"))
  }
}
