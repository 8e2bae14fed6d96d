import Foundation
import HealthSamples
import HealthStatistics
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthAnswers
@testable import HealthQuery

@Suite("Which days count")
struct WholeIntervalsTests {
  private static let day = 86_400.0

  @Test("all small grids agree with a search over all pieces")
  func twin() {
    var random = SplitMix64(seed: 71)
    for round in 0..<20_000 {
      // Whole days and half days, so that edges often meet.
      func moment() -> Double { Double(Int.random(in: 0...16, using: &random)) * Self.day / 2 }
      let told = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        let (one, other) = (moment(), moment())
        return (first: min(one, other), end: max(one, other))
      }
      let (now, start) = (moment(), moment())
      let end = start + Double(Int.random(in: 1...8, using: &random)) * Self.day / 2
      let rule = WholeIntervals(at: now, told: told.map { $0.first...$0.end })
      let isWhole = SlowWholeIntervals.isWhole(start..<end, at: now, told: told)
      #expect((rule.lack(from: start, to: end) == nil) == isWhole, "round \(round)")
      let reach = rule.reach(from: start, to: end)
      #expect(reach <= min(end, now) && (!isWhole || reach == end), "round \(round)")
      if end > now { #expect(rule.lack(from: start, to: end) == .notOver) }
    }
  }

  @Test("of means only those of less than half a usual day do not count, of amounts every part")
  func lacks() throws {
    func series(_ statistic: String) throws -> IntervalSeries {
      let starts = (0..<5).map { Double($0) * Self.day }
      return IntervalSeries(
        name: "x", type: SampleType(.heartRate), statistic: statistic,
        unit: try #require(SampleType(.heartRate).canonicalUnit),
        timeZone: ZoneTimeline(.gmt), starts: starts, ends: starts.map { $0 + Self.day },
        values: [1, 1, nil, 1, 1])
    }
    let told = 40_000...4 * Self.day + 40_000
    let rule = WholeIntervals(at: 10 * Self.day, told: [told])
    let sum = try series("sum")
    #expect(rule.lacks(of: sum, counts: nil) == [0: .dataBegin, 4: .dataEnd])
    #expect(
      rule.lacks(of: sum, counts: nil, isCut: (true, true)) == [0: .dataBegin, 4: .dataEnd])
    let all = WholeIntervals(at: 10 * Self.day, told: [0...10 * Self.day])
    #expect(all.lacks(of: sum, counts: nil, isCut: (true, false)) == [0: .periodCut])
    let mean = try series("mean")
    #expect(rule.lacks(of: mean, counts: nil).isEmpty)
    #expect(rule.lacks(of: mean, counts: [4, 24, 0, 24, 12]) == [0: .dataBegin])
    // One number a day is whole, whenever it is taken.
    #expect(rule.lacks(of: mean, counts: [1, 2, 0, 3, 1]).isEmpty)
    // What is not over counts in nothing, whatever it is, with a number or without.
    let early = WholeIntervals(at: 2.5 * Self.day, told: [told])
    #expect(
      early.lacks(of: mean, counts: [24, 24, 0, 24, 24]) == [
        2: .notOver, 3: .notOver, 4: .notOver,
      ])
  }

  // MARK: - Where data end

  /// Imports a file with a sample on each of some days, at nine o'clock for an hour.
  private func add(
    _ days: ClosedRange<Int>, of type: HKQuantityTypeIdentifier = .stepCount,
    source: String = "Watch", exported: Double? = nil, to store: SampleStore
  ) throws {
    let session = try store.beginImport()
    var records = RecordColumns(type: SampleType(type), source: Source(name: source))
    for day in days {
      let start = Double(day) * Self.day + 9 * 3_600
      try records.append(
        start: start, end: start + 3_600, value: Double(day * 37 % 101 + 1), label: "count")
    }
    try session.add(records)
    _ = try session.finish(exported: exported)
  }

  private func told(_ store: SampleStore, at now: Double) throws -> [ClosedRange<Double>] {
    try store.wholeIntervals(at: now)(SampleType(.stepCount)).told
  }

  @Test("a file tells up to its date, or up to its last sample of any type")
  func files() throws {
    let far = 100 * Self.day
    let first = 9 * 3_600.0
    let dated = try SampleStore.temporary()
    try add(0...9, exported: 11.5 * Self.day, to: dated)
    #expect(try told(dated, at: far) == [first...11.5 * Self.day])
    // A sample that is later than now moves no end.
    try add(0...40, exported: 11.75 * Self.day, to: dated)
    #expect(try told(dated, at: 20 * Self.day) == [first...11.75 * Self.day])
    let undated = try SampleStore.temporary()
    let session = try undated.beginImport()
    for (type, day) in [(HKQuantityTypeIdentifier.stepCount, 3.0), (.flightsClimbed, 5)] {
      var records = RecordColumns(type: SampleType(type), source: Source(name: "Watch"))
      try records.append(start: first, end: day * Self.day, value: 1, label: "count")
      try session.add(records)
    }
    _ = try session.finish()
    #expect(try told(undated, at: far) == [first...5 * Self.day])
  }

  @Test("what is saved later of another source does not make the days between whole")
  func later() throws {
    let store = try SampleStore.temporary()
    try add(0...9, exported: 10.5 * Self.day, to: store)
    try store.save([
      NewSample(
        type: SampleType(.stepCount), source: Source(name: "By hand"), start: 60 * Self.day,
        end: 60 * Self.day + 60, value: 500, label: "count")
    ])
    let told = try told(store, at: 100 * Self.day)
    #expect(
      told == [32_400...10.5 * Self.day, 60 * Self.day...60 * Self.day + 60])
    let rule = WholeIntervals(at: 100 * Self.day, told: told)
    #expect(rule.lack(from: 9 * Self.day, to: 10 * Self.day) == nil)
    #expect(rule.lack(from: 10 * Self.day, to: 11 * Self.day) == .dataEnd)
    #expect(rule.lack(from: 0, to: 31 * Self.day) == .dataEnd)
    #expect(rule.reach(from: 0, to: 31 * Self.day) == 10.5 * Self.day)
    // An undone import tells nothing any more.
    let imported = try #require(try store.imports().first)
    _ = try store.undoImport(imported.id)
    #expect(try self.told(store, at: 100 * Self.day).count == 1)
  }

  // MARK: - Laws

  private func made(_ json: String, in store: SampleStore, at now: Double) throws -> String {
    let question = try Question(json: Data(#"{"type": "steps", "timezone": "UTC", \#(json)}"#.utf8))
    let column = try #require(
      try store.answer(question, now: Date(timeIntervalSinceReferenceDate: now)).columns.first)
    switch column.derived {
    case .groups(let groups): return "\(groups)"
    case .rows(let rows): return "\(rows.map { column.series.starts[$0] })"
    case .spread(let spread): return "\(spread.numbers)"
    case .streaks(let runs): return "\(runs.map { column.series.starts[$0.lowerBound] })"
    case .rolling(let means):
      let known = zip(column.series.starts, means).filter { $1.value != nil }
      return "\(known.filter { $0.0 < 40 * Self.day })"
    case nil, .gaps, .compared: return ""
    }
  }

  private static let makings = [
    #""by": "day", "top": 3"#, #""by": "day", "top": 3, "least": true"#,
    #""by": "day", "group": "weekday""#, #""by": "hour", "group": "hour""#,
    #""by": "day", "spread": true"#, #""by": "week", "spread": true"#,
    #""by": "day", "below": 50"#, #""by": "day", "above": 50, "streaks": true"#,
  ]

  @Test("an export of any instant of the last day has the same means", arguments: makings)
  func instants(making: String) throws {
    let answers = try [40.0, 40.2, 40.4, 40.99].map { moment in
      let store = try SampleStore.temporary()
      // The sample of the last day ends at ten o'clock.
      try add(0...(moment < 40.42 ? 39 : 40), exported: moment * Self.day, to: store)
      return try made(making, in: store, at: 100 * Self.day)
    }
    #expect(Set(answers).count == 1 && answers[0].count > 2)
    // As if it were asked at that moment.
    let store = try SampleStore.temporary()
    try add(0...40, exported: 40.99 * Self.day, to: store)
    #expect(try made(making, in: store, at: 40.5 * Self.day) == answers[0])
  }

  @Test("what lies after today changes no mean", arguments: makings)
  func afterToday(making: String) throws {
    let answers = try [40, 41, 43].map { last in
      let store = try SampleStore.temporary()
      try add(0...last, exported: 60 * Self.day, to: store)
      return try made(making, in: store, at: 40.5 * Self.day)
    }
    #expect(Set(answers).count == 1 && answers[0].count > 2)
  }

  @Test("a comparison is that of both periods cut by hand", arguments: ["previous", "year"])
  func comparisons(comparison: String) throws {
    let exported = 900.6 * Self.day
    for (now, end) in [(2_000.0, 900.0), (870.25, 870)] {
      let store = try SampleStore.temporary()
      try add(0...900, exported: exported, to: store)
      func ask(_ json: String) throws -> QuestionAnswer.Column {
        let question = try Question(
          json: Data(#"{"type": "steps", "timezone": "UTC", \#(json)}"#.utf8))
        return try #require(
          try store.answer(question, now: Date(timeIntervalSinceReferenceDate: now * Self.day))
            .columns.first)
      }
      for by in ["month", "year"] {
        let column = try ask(#""by": "\#(by)", "from": "2002", "compare": "\#(comparison)""#)
        guard case .compared(let others) = column.derived else {
          Issue.record("nothing compared")
          return
        }
        let row = try #require(
          column.series.ends.indices.last { column.series.ends[$0] <= end * Self.day })
        #expect(column.series.ends[row] == end * Self.day)
        let other = try #require(others[row])
        let start = column.series.starts[row]
        func sum(_ from: Double, _ to: Double) throws -> Double? {
          let zones = ZoneTimeline(.gmt)
          func text(_ instant: Double) -> String { LocalTime(instant, in: zones).dateText }
          return try ask(#""from": "\#(text(from))", "to": "\#(text(to))""#).series.values[0]
        }
        #expect(other.isPartial)
        #expect(other.end - other.start == end * Self.day - start || by == "year")
        #expect(column.series.values[row] == (try sum(start, end * Self.day)))
        #expect(other.value == (try sum(other.start, other.end)))
        // What begins later is compared with nothing.
        #expect(others[(row + 1)...].allSatisfy { $0 == nil })
      }
      // A day that is not whole is compared with nothing, and those before are.
      let days = try ask(#""by": "day", "from": "2003-05-01", "compare": "\#(comparison)""#)
      guard case .compared(let others) = days.derived else { return }
      for (row, other) in others.enumerated() {
        #expect((other != nil) == (days.series.ends[row] <= end * Self.day), "\(row)")
      }
    }
  }

  @Test("an unfinished month is in no mean of months, and a total has all that there is")
  func months() throws {
    let store = try SampleStore.temporary()
    try add(0...100, exported: 100.9 * Self.day, to: store)
    func column(_ json: String) throws -> QuestionAnswer.Column {
      let question = try Question(json: Data(#"{"type": "steps", "timezone": "UTC"\#(json)}"#.utf8))
      return try #require(try store.answer(question).columns.first)
    }
    let groups = try column(#", "by": "month", "group": "month""#)
    guard case .groups(let found) = groups.derived else { return }
    #expect(found.prefix(4).map(\.count) == [1, 1, 1, 0])
    #expect(groups.leftOut.map(\.lack) == [.dataEnd] && groups.series.values[3] != nil)
    let total = (0...100).reduce(0) { $0 + Double($1 * 37 % 101 + 1) }
    #expect(try column("").series.values == [total])
    let sentence = groups.leftOut.sentence(by: CalendarInterval(.month), in: ZoneTimeline(.gmt))
    #expect(
      sentence
        == "left out of means, extremes, groups and comparisons: 2001-04, where the data end.")
  }

  // MARK: - A period that was asked for

  @Test("one row has exactly the period that was asked for, as the intervals of it have")
  func onePeriod() throws {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    var records = RecordColumns(type: SampleType(.stepCount), source: Source(name: "Watch"))
    // Every third hour a sample over half of it, across each midnight.
    for hour in stride(from: -1, to: 24 * 5, by: 3) {
      let start = Double(hour) * 3_600 + 1_800
      try records.append(start: start, end: start + 3_600, value: 60, label: "count")
    }
    try session.add(records)
    _ = try session.finish()
    func values(_ json: String) throws -> [Double?] {
      let question = try Question(
        json: Data(#"{"type": "steps", "timezone": "UTC", \#(json)}"#.utf8))
      let now = Date(timeIntervalSinceReferenceDate: 3.5 * Self.day)
      return try #require(try store.answer(question, now: now).columns.first).series.values
    }
    for period in [
      #""from": "today""#, #""from": "2001-01-02", "to": "2001-01-04""#,
      #""from": "2001-01-03""#, #""to": "2001-01-03""#, #""from": "yesterday", "to": "today""#,
    ] {
      let days = try values(#""by": "day", \#(period)"#).compactMap { $0 }
      #expect(try values(period) == [days.reduce(0, +)], "\(period)")
    }
  }

  // MARK: - Nights

  @Test("a night's value has the date on which the night ends, however days are asked")
  func nights() throws {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    let type = SampleType(.appleSleepingWristTemperature)
    var records = RecordColumns(type: type, source: Source(name: "Watch"))
    // Nights from 23:01 to 7:10 that end on the days 1 to 7; the last but one ends at midnight.
    for night in 1...7 {
      let midnight = Double(night) * Self.day
      try records.append(
        start: midnight - 3_540, end: midnight + (night == 6 ? 0 : 25_800),
        value: 34 + Double(night) / 10, label: "degC")
    }
    try session.add(records)
    _ = try session.finish()
    func column(_ json: String) throws -> QuestionAnswer.Column {
      let question = try Question(
        json: Data(
          #"{"type": "appleSleepingWristTemperature", "timezone": "UTC", \#(json)}"#.utf8))
      return try #require(try store.answer(question).columns.first)
    }
    let days = try column(#""by": "day""#).series
    #expect(days.starts.first == Self.day && days.count == 7)
    // The night that ends at midnight belongs to the day before it, beside that day's own.
    let expected: [Double?] = [34.1, 34.2, 34.3, 34.4, (34.5 + 34.6) / 2, nil, 34.7]
    for (found, wanted) in zip(days.values, expected) {
      #expect((found == nil) == (wanted == nil))
      #expect(abs((found ?? 0) - (wanted ?? 0)) < 1e-9)
    }
    // A day alone, a day with others, and the counts of weeks.
    for day in 2...5 {
      let (from, to) = ("2001-01-0\(day)", "2001-01-0\(day + 1)")
      let alone = try column(#""from": "\#(from)", "to": "\#(to)""#).series.values
      #expect(alone == [days.values[day - 2]], "\(day)")
    }
    let counts = try column(#""by": "week", "stat": "count""#).series
    #expect(counts.values == [6, 1])
    // Other types stay on both days that they touch.
    #expect(!Catalogue.isMeasuredOverNights(SampleType(.restingHeartRate)))
  }

  @Test("a night whose day is not over is in no mean of nights, and stands in the list")
  func nightsOfToday() throws {
    let store = try SampleStore.temporary()
    try store.save(
      (1...10).map { night in
        let midnight = Double(night) * Self.day
        return NewSample(
          type: SleepPlan.type, source: Source(name: "Watch"), start: midnight - 3_600,
          end: midnight + 20_000 + Double(night) * 60, value: 3, label: "")
      })
    let then = store.at(Now(Date(timeIntervalSinceReferenceDate: 10.5 * Self.day)))
    let answer = try then.sleep(SleepPlan(timeZone: ZoneTimeline(.gmt)))
    #expect(answer.nights.count == 10 && answer.overCount == 9)
    #expect(answer.averages().nightCounts == [9])
    #expect(answer.leftOut == [LeftOutInterval(start: 10 * Self.day, lack: .notOver)])
    let weeks = answer.averages(by: .week)
    #expect(weeks.nightCounts == [6, 3])
    let question = try Question(
      json: Data(#"{"type": "sleep", "by": "week", "timezone": "UTC"}"#.utf8))
    let series = try then.answer(question).columns[0].series
    #expect(series.values[1] == weeks.asleep[1])
    let days = try Question(json: Data(#"{"type": "sleep", "by": "day", "timezone": "UTC"}"#.utf8))
    #expect(try then.answer(days).columns[0].series.values.last == 3_600 + 20_600)
  }

  // MARK: - Rings

  @Test("a day before the first sample is no missed ring, and neither is one that is not over")
  func rings() throws {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    let summaries = (0...12).map { day in
      var row = ActivitySummaries.Row()
      (row.day, row.exerciseMinutesGoal, row.standHoursGoal) = (day, 30, 12)
      (row.activeEnergy, row.activeEnergyGoal) = (day < 3 ? 0 : 500, 400)
      (row.exerciseMinutes, row.standHours) = day < 3 ? (0, 0) : (40, 12)
      return row
    }
    try session.add(.activitySummaries(ActivitySummaries(summaries)))
    var records = RecordColumns(
      type: SampleType(.activeEnergyBurned), source: Source(name: "Watch"))
    for hour in 3 * 24..<12 * 24 {
      try records.append(
        start: Double(hour) * 3_600, end: Double(hour + 1) * 3_600, value: 20, label: "kcal")
    }
    try session.add(records)
    _ = try session.finish(exported: 12.5 * Self.day)
    let plan = RingPlan(timeZone: ZoneTimeline(.gmt))
    for now in [12.6, 40] {
      let answer = try store.at(Now(Date(timeIntervalSinceReferenceDate: now * Self.day)))
        .rings(plan)
      #expect(answer.days.count == 13 && answer.counted.map(\.day) == Array(3...11))
      #expect(answer.closedAll == 9 && answer.closed(.exercise) == 9)
      #expect(answer.leftOut.count == 4)
    }
  }
}
