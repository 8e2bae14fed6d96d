import Foundation
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthStore
import HealthUnits
import Testing
import _HealthTestSupport

/// What a user of the package meets first: errors with sentences, dates, rows and codable values.
@Suite("The door of the library")
struct LibraryDoorTests {
  private let paris: ZoneTimeline
  private let steps = SampleType(.stepCount)

  init() throws { paris = ZoneTimeline(try TimeZone.named("Europe/Paris")) }

  private func error(_ body: () throws -> Void) -> (any Error)? {
    do {
      try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("every error of the library says to Foundation what it says itself")
  func sentences() throws {
    let store = FileManager.default.temporaryDirectory.path + "/no such folder/store.sqlite"
    let samples = SampleColumns(type: steps)
    let errors: [(any Error, [String])] = [
      (
        try #require(error { _ = try UnitExpression("mL/kg/min") }),
        ["byte 5", "second /", "mL/(kg*min)"]
      ),
      (
        try #require(
          error { _ = try UnitConversion(from: UnitExpression("kg"), to: UnitExpression("m")) }),
        ["mass", "length", "do not convert"]
      ),
      (
        try #require(error { _ = try Catalogue.type(named: "hartrate") }),
        ["hartrate", "heartRate"]
      ),
      (
        try #require(error { _ = try SampleStore(path: store, mode: .readOnly) }),
        ["store.sqlite", "no such store"]
      ),
      (
        try #require(error { _ = try QueryDate("soon", in: paris, now: 0) }),
        ["soon", "2024-03-09"]
      ),
      (
        try #require(
          error {
            _ = try samples.merged(by: SourcePriority(order: [])).overallStatistics(of: [.mean])
          }),
        ["mean", "stepCount", "sum"]
      ),
      (QueryError(.emptyPeriod(from: 1, to: 0)), ["end", "after"]),
      (try #require(error { _ = try Boundaries(edges: [0, 2, 1]) }), ["Edge 2", "not after"]),
      (
        try #require(
          error {
            _ = try SampleColumns(
              type: steps, source: Source(name: "A"), starts: [0, 1], ends: [1, 0], values: [1, 1])
          }),
        ["Row 1", "ends before"]
      ),
    ]
    for (error, words) in errors {
      #expect(error.localizedDescription == String(describing: error))
      for word in words {
        #expect(error.localizedDescription.contains(word), "\(error.localizedDescription)")
      }
      #expect(!error.localizedDescription.contains("rror 1"))
    }
  }

  @Test("without facts the sources are those of the samples")
  func withoutFacts() throws {
    let rows = [
      SampleColumns.Row(source: Source(name: "iPhone"), start: 0, end: 600, value: 100),
      SampleColumns.Row(source: Source(name: "Watch"), start: 300, end: 900, value: 50),
    ]
    let samples = SampleColumns(type: steps, rows: rows)
    let facts = rows.map {
      SourceFacts(
        source: $0.source, deviceKind: DeviceKind(device: "", sourceName: $0.source.name),
        firstStart: $0.start)
    }
    var plan = StatisticsPlan(type: steps, timeZone: paris)
    for interval in [nil, CalendarInterval(.day)] {
      plan.interval = interval
      let answer = try plan.answer(samples: samples, facts: [])
      #expect(try answer.intervals == plan.answer(samples: samples, facts: facts).intervals)
      #expect(answer.priority.map(\.name) == ["Watch", "iPhone"])
      #expect(answer.intervals.count == 1)
    }
  }

  @Test("for a type without data the columns that were asked for are there, and empty")
  func withoutData() throws {
    for type in [steps, SampleType(.heartRate)] {
      let style = try #require(type.style)
      let statistics = Statistic.named.filter { $0.isAvailable(for: style) }
      let table = try SampleColumns(type: type).merged(by: SourcePriority(order: []))
        .overallStatistics(of: statistics)
      #expect(table.count == 0 && table.rows.isEmpty)
      #expect((table[.sum] != nil) == statistics.contains(.sum))
      #expect((table[.mean] != nil) == statistics.contains(.mean))
      #expect((table[.min] != nil) == statistics.contains(.min))
      #expect((table[.standardDeviation] != nil) == statistics.contains(.standardDeviation))
      #expect((table[.median] != nil) == statistics.contains(.median))
      #expect(table[.duration] == [] && table[.coverage] == [])
      #expect(table[.recent] == [])
    }
    var plan = StatisticsPlan(type: steps, timeZone: paris)
    plan.interval = CalendarInterval(.day)
    #expect(
      try plan.answer(samples: SampleColumns(type: steps), facts: []).intervals[.sum] == [])
  }

  @Test("edges of calendar intervals can be asked for, and rows read one by one")
  func rows() throws {
    let from = try QueryDate("2024-03-30", in: paris, now: 0)
    let to = try QueryDate("2024-04-02", in: paris, now: 0)
    let days = try CalendarInterval(.day).boundaries(from: from, to: to, in: paris)
    // The clocks went forward on the 31st.
    #expect(zip(days.edges, days.edges.dropFirst()).map { $1 - $0 } == [86_400, 82_800, 86_400])
    #expect(QueryDate(from.date).instant == from.instant)
    let start = days.edges[1]
    let samples = SampleColumns(
      type: steps,
      rows: [.init(source: Source(name: "Watch"), start: start, end: start + 60, value: 7)])
    let table = try samples.merged(by: SourcePriority(order: [])).statistics(over: days, of: [.sum])
    #expect(table.rows.map { $0[.sum] } == [nil, 7, nil])
    #expect(table.rows.map { $0[.mean] } == [nil, nil, nil])
    #expect(table.rows[1].dateInterval.duration == 82_800)
    let data = try JSONEncoder().encode(table.rows)
    #expect(try JSONDecoder().decode([StatisticsRow].self, from: data) == table.rows)
    #expect(throws: QueryError.self) {
      try CalendarInterval(.day).boundaries(from: to, to: from, in: paris)
    }
  }

  @Test("intervals of a calendar unit align from any moment, as those of a date", arguments: 0..<60)
  func aligned(seed: UInt64) throws {
    let zone = try TimeZone.named("Europe/Paris")
    var generator = SplitMix64(seed: seed)
    let from = Date(
      timeIntervalSinceReferenceDate: .random(in: 0...900_000_000, using: &generator))
    let to = from.addingTimeInterval(.random(in: 1...50_000_000, using: &generator))
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = zone
    let components: [(CalendarInterval.Alignment, Calendar.Component)] = [
      (.hour, .hour), (.day, .day), (.week, .weekOfYear), (.month, .month), (.year, .year),
    ]
    for (alignment, component) in components where alignment != .hour || to < from + 1e6 {
      let edges = try CalendarInterval(alignment).boundaries(from: from, to: to, in: zone).edges
      #expect(
        edges.first
          == calendar.dateInterval(of: component, for: from)?.start
          .timeIntervalSinceReferenceDate)
      let last = try #require(edges.last)
      #expect(
        last >= to.timeIntervalSinceReferenceDate
          && edges[edges.count - 2]
            < to
            .timeIntervalSinceReferenceDate
      )
      #expect(
        edges.allSatisfy { edge in
          let date = Date(timeIntervalSinceReferenceDate: edge)
          return calendar.dateInterval(of: component, for: date)?.start == date
        })
    }
    // Other lengths begin where the period does.
    let thirds = try #require(CalendarInterval("20min"))
    #expect(
      try thirds.boundaries(from: from, to: from + 3000, in: zone).edges.first
        == from.timeIntervalSinceReferenceDate)
  }

  @Test("columns and boundaries are made of dates as of the instants that they are")
  func dates() throws {
    let dates = [0, 86_400, 172_800].map(Date.init(timeIntervalSinceReferenceDate:))
    let boundaries = try Boundaries(dates: dates)
    #expect(boundaries.edges == [0, 86_400, 172_800] && boundaries.dates == dates)
    let samples = try SampleColumns(
      type: steps, source: Source(name: "A"), startDates: [dates[1], dates[0]],
      endDates: [dates[2], dates[1]], values: [2, 1])
    #expect(samples.starts == [0, 86_400] && samples.ends == [86_400, 172_800])
    #expect(try samples.statistics(over: boundaries)[.sum] == [1, 2])
    let days = try CalendarInterval(.day).boundaries(from: dates[0], to: dates[2], in: .gmt)
    #expect(days == boundaries)
  }

  @Test("a unit is written and read as its string, whichever dialect has it")
  func codable() throws {
    let units =
      try ["mL/min·kg", "()", "mmol<180.1558800000541>/L", "%", "mmHg"].map {
        try UnitExpression($0)
      }
      + ["%", "mm[Hg]", "[HPF]", "U/(10.g{feces})", "5.Cel"].map {
        try UnitExpression($0, dialect: .ucum)
      }
    let data = try JSONEncoder().encode(units)
    #expect(try JSONDecoder().decode([UnitExpression].self, from: data) == units)
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([UnitExpression].self, from: Data(#"["kgg"]"#.utf8))
    }
    #expect("\(String(describing: error))".contains("unknown unit"))
  }
}
