import Foundation
import HealthAnalysis
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthAnswers

@Suite("Rhythms of a store")
struct RhythmAnalysisTests {
  private static let day = 86_400.0
  private static let watch = Source(name: "Watch")
  private static let paris = "Europe/Paris"

  private let calendar: Calendar

  init() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: Self.paris))
    self.calendar = calendar
  }

  private func instant(_ month: Int, _ day: Int, _ hour: Int, _ minute: Int = 0) throws -> Double {
    let parts = DateComponents(year: 2001, month: month, day: day, hour: hour, minute: minute)
    return try #require(calendar.date(from: parts)).timeIntervalSinceReferenceDate
  }

  private func hour(_ instant: Double) -> Int {
    calendar.component(.hour, from: Date(timeIntervalSinceReferenceDate: instant))
  }

  private static func sample(
    _ type: HKQuantityTypeIdentifier, _ start: Double, _ seconds: Double, _ value: Double,
    _ label: String
  ) -> NewSample {
    NewSample(
      type: SampleType(type), source: watch, start: start, end: start + seconds, value: value,
      label: label)
  }

  private static func answer(_ json: String, in store: SampleStore) throws
    -> AnalysisAnswer.Results
  {
    try store.analysis(try AnalysisPlan(json: Data(json.utf8))).results
  }

  private static func rhythm(_ json: String, in store: SampleStore) throws -> RhythmAnswer {
    guard case .rhythms(let found) = try answer(json, in: store), let first = found.first else {
      throw QueryError(.missingMember("type"))
    }
    return try first.get()
  }

  /// Steps by day from seven to ten, of two weeks around a change of clocks, and nights.
  private func days() throws -> (store: SampleStore, hours: [Double?]) {
    let store = try SampleStore.temporary()
    let (first, last) = (try instant(3, 18, 0), try instant(4, 1, 0))
    var samples: [NewSample] = []
    var hours = [Double?](repeating: 0, count: 14 * 24)
    // One day more on both sides, in which the data begin and end.
    for start in stride(from: first - 39_600, to: last + 39_600, by: 3600) {
      let hour = hour(start)
      guard (7..<22).contains(hour) else { continue }
      let value = 10 * Double(hour) + (start / 3600).truncatingRemainder(dividingBy: 17).rounded()
      samples.append(Self.sample(.stepCount, start + 60, 600, value, "count"))
      guard start >= first, start < last else { continue }
      let midnight = calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: start))
      let days = ((midnight.timeIntervalSinceReferenceDate - first) / Self.day).rounded()
      hours[Int(days) * 24 + hour] = value
    }
    // At 2:00 of 25 March clocks go forward.
    hours[7 * 24 + 2] = nil
    for night in 18..<32 where night != 22 {
      let start = try instant(3, night - 1, 23, night % 3 * 10)
      let end = try instant(3, night, [6, 7].contains(weekday(night)) ? 9 : 7)
      samples.append(
        NewSample(
          type: SleepPlan.type, source: Self.watch, start: start, end: end,
          value: Double(SleepStage.core.rawValue),
          label: "HKCategoryValueSleepAnalysisAsleepCore"))
    }
    try store.save(samples)
    return (store, hours)
  }

  /// 1 is Monday; 18 March 2001 was a Sunday.
  private func weekday(_ day: Int) -> Int { (day - 18 + 6) % 7 + 1 }

  private let question =
    #""from": "2001-03-18", "to": "2001-04-01", "timezone": "Europe/Paris""#

  @Test(
    "Rest and activity are those of the hours of the clock, with zeros where nothing was counted")
  func activity() throws {
    let (store, hours) = try days()
    guard
      case .restAndSleep(let found) = try Self.answer(
        #"{"analysis": "rhythm", \#(question)}"#, in: store)
    else {
      Issue.record("no rest and sleep")
      return
    }
    let activity = try found.activity.get()
    let expected = try RegularSeries(hours).restAndActivity()
    #expect(activity.measures == expected)
    #expect(activity.dayCount == 14 && activity.emptyDayCount == 0)
    #expect(activity.measures.leastActive.onset == 0)
  }

  @Test("Days in which the data begin or end are left out")
  func partialDays() throws {
    let (store, hours) = try days()
    guard
      case .restAndSleep(let found) = try Self.answer(
        #"{"analysis": "rhythm", "from": "2001-03-10", "to": "2001-04-10", "timezone": "Europe/Paris"}"#,
        in: store)
    else {
      Issue.record("no rest and sleep")
      return
    }
    let activity = try found.activity.get()
    #expect(activity.measures == (try RegularSeries(hours).restAndActivity()))
    #expect(activity.partialDayCount == 2 && activity.dayCount == 14)
    // The hours of both days, and those of the days without data.
    #expect(activity.subject.partialCount == 48 && activity.subject.emptyCount == 15 * 24)
  }

  @Test("Sleep is compared from noon to noon, and shifts on free days")
  func sleep() throws {
    let (store, _) = try days()
    guard
      case .restAndSleep(let found) = try Self.answer(
        #"{"analysis": "rhythm", \#(question)}"#, in: store)
    else {
      Issue.record("no rest and sleep")
      return
    }
    let sleep = try found.sleep.get()
    #expect(sleep.nightCount == 13 && sleep.emptyNightCount == 1)
    let nights = (18..<32).filter { $0 != 22 }
    let timing = try SleepTiming(
      onsets: nights.map { 23 + Double($0 % 3) / 6 },
      wakes: nights.map { [6, 7].contains(weekday($0)) ? 9 : 7 }, weekdays: nights.map(weekday),
      freeDays: [6, 7])
    for (one, other) in [
      (sleep.timing.onset, timing.onset), (sleep.timing.midpoint, timing.midpoint),
      (sleep.timing.wake, timing.wake),
    ] {
      #expect(one.count == 13)
      let (mean, expected) = (try #require(one.mean), try #require(other.mean))
      #expect(CircularSummary.distance(mean, expected) < 1e-9)
    }
    let shift = try #require(timing.socialJetLag)
    #expect((try #require(sleep.timing.socialJetLag) - shift).magnitude < 1e-9)
    #expect(shift > 0.5)
    // Each half minute of each pair of days, from noon on, the slow way.
    var noons: [Double] = []
    for day in 17..<32 { noons.append(try instant(3, day, 12)) }
    let spans = try nights.map { night in
      (
        try instant(3, night - 1, 23, night % 3 * 10),
        try instant(3, night, [6, 7].contains(weekday(night)) ? 9 : 7)
      )
    }
    let states = zip(noons, noons.dropFirst()).map { start, end -> [Bool?] in
      let known = spans.contains { $0.0 >= start && $0.1 <= end }
      return stride(from: start, to: end, by: 30).map { moment in
        known ? spans.contains { $0.0 <= moment && moment < $0.1 } : nil
      }
    }
    let all = try SleepRegularityIndex(days: states)
    #expect(try sleep.regularity.get() == all)
    // The 18th is a Sunday, which has no day before; each other pair of days is of one week.
    let weeks = sleep.weeks
    #expect(
      try weeks.map(\.start) == [instant(3, 12, 0), instant(3, 19, 0), instant(3, 26, 0)])
    #expect(try weeks.map(\.end) == weeks.dropFirst().map(\.start) + [instant(4, 2, 0)])
    #expect(weeks.map(\.nightCount) == [1, 6, 6] && weeks.map(\.comparedDayCount) == [0, 5, 6])
    #expect(
      weeks.map(\.regularity) == [
        nil, try SleepRegularityIndex(days: Array(states[0...7])),
        try SleepRegularityIndex(days: Array(states[7...])),
      ])
    #expect(weeks.reduce(0) { $0 + ($1.regularity?.comparedCount ?? 0) } == all.comparedCount)
    #expect(weeks.reduce(0) { $0 + ($1.regularity?.agreeingCount ?? 0) } == all.agreeingCount)
    // MSFsc by hand: the middle of the sleep that a week has on the average, from the onset on.
    let free = nights.filter { [6, 7].contains(weekday($0)) }
    let onset = free.map { Double($0 % 3) / 6 - 1 }.reduce(0, +) / Double(free.count)
    let work = nights.filter { !free.contains($0) }
    let (freeSleep, workSleep) = (
      free.map { 10 - Double($0 % 3) / 6 }.reduce(0, +) / Double(free.count),
      work.map { 8 - Double($0 % 3) / 6 }.reduce(0, +) / Double(work.count)
    )
    let corrected = onset + (2 * freeSleep + 5 * workSleep) / 14
    let middle = try #require(sleep.timing.correctedFreeMidpoint)
    // The mean of onsets is circular.
    #expect((middle - corrected).magnitude < 0.01)
  }

  /// A rate in the middle of an hour, with its peak at 15:00.
  private static func wave(_ hour: Int) -> Double {
    let angle = 2 * Double.pi * (Double(hour) + 0.5 - 15) / 24
    return 60 + 8 * cos(angle) + (hour.isMultiple(of: 2) ? 1 : -1)
  }

  @Test("The cosine of 24 hours is found with its peak on the clock")
  func dayOfHours() throws {
    let store = try SampleStore.temporary()
    try store.save(
      (0..<240).map { hour in
        Self.sample(
          .heartRate, Double(hour) * 3600 + 1800, 0,
          Self.wave(hour),
          "count/min")
      })
    let rhythm = try Self.rhythm(
      #"{"analysis": "rhythm", "type": "heartRate:count/min", "from": "2001-01-01", "to": "2001-01-11", "timezone": "UTC"}"#,
      in: store)
    #expect(rhythm.parameters.periods == [24] && rhythm.group == .hour && rhythm.dayCount == 10)
    #expect(rhythm.periodogram == nil && rhythm.origin == 0)
    let model = try rhythm.cosinor.get()
    #expect((model.mesor - 60).magnitude < 1e-9 && model.count == 240)
    let one = try #require(model.rhythms.first)
    #expect((one.amplitude - 8).magnitude < 1e-9)
    #expect((try #require(one.peakTime) - 15).magnitude < 1e-9)
    for (hour, found) in rhythm.profile.enumerated() {
      let value =
        Self.wave(hour)
      #expect(found.label == "\(hour)" && found.count == 10)
      for number in [found.mean, found.median, found.lowerQuartile, found.upperQuartile] {
        #expect((try #require(number) - value).magnitude < 1e-9)
      }
    }
  }

  @Test("The cosine of a week is found, and its period without being told")
  func weekOfDays() throws {
    let store = try SampleStore.temporary()
    var random = SplitMix64(seed: 5)
    let values = (0..<140).map { (day: Int) -> Double in
      let noise = Double.random(in: -0.3...0.3, using: &random)
      let wave = 2 * cos(2 * Double.pi * (Double(day) + 0.5 - 5.2) / 7)
      return 70 + wave + noise + 0.01 * Double(day)
    }
    try store.save(
      values.indices.map { day in
        Self.sample(.bodyMass, Double(day) * Self.day + 30_000, 0, values[day], "kg")
      })
    let rhythm = try Self.rhythm(
      #"{"analysis": "rhythm", "type": "bodyMass", "by": "day", "search": true, "from": "2001", "to": "2001-05-21", "timezone": "UTC"}"#,
      in: store)
    #expect(
      rhythm.group == .weekday && rhythm.profile.map(\.count) == Array(repeating: 20, count: 7))
    let one = try #require(try rhythm.cosinor.get().rhythms.first)
    #expect((one.amplitude - 2).magnitude < 0.1)
    #expect((try #require(one.peakTime) - 5.2).magnitude < 0.1)
    let slow = try Cosinor(
      times: values.indices.map { Double($0) + 0.5 }, values: values, periods: [7])
    #expect((one.amplitude - slow.rhythms[0].amplitude).magnitude < 1e-9)
    let peak = try #require(try rhythm.periodogram?.get().peak)
    #expect((peak.period - 7).magnitude < 0.1 && peak.falseAlarmProbability < 1e-6)
  }

  @Test(
    "What no rhythm has is refused",
    arguments: [
      #"{"analysis": "rhythm", "type": "steps", "by": "week"}"#,
      #"{"analysis": "rhythm", "by": "day"}"#, #"{"analysis": "rhythm", "search": true}"#,
      #"{"analysis": "rhythm", "periods": [24]}"#, #"{"analysis": "rhythm", "confidence": 0.9}"#,
      #"{"analysis": "rhythm", "type": "steps", "freeDays": "friday"}"#,
      #"{"analysis": "rhythm", "freeDays": "caturday"}"#,
      #"{"analysis": "rhythm", "type": "steps", "periods": "x"}"#,
      #"{"analysis": "rhythm", "type": "sleep"}"#,
      #"{"analysis": "rhythm", "type": "steps", "confidence": 1}"#,
    ])
  func refusals(json: String) throws {
    let store = try SampleStore.temporary()
    #expect(throws: QueryError.self) { _ = try Self.answer(json, in: store) }
  }

  @Test("Sleep that lasts no time makes no night, and is counted")
  func emptySleep() throws {
    let store = try SampleStore.temporary()
    try store.save(
      (0..<5).map { night in
        NewSample(
          type: SleepPlan.type, source: Self.watch, start: Double(night) * Self.day,
          end: Double(night) * Self.day, value: Double(SleepStage.core.rawValue),
          label: "HKCategoryValueSleepAnalysisAsleepCore")
      })
    guard
      case .restAndSleep(let found) = try Self.answer(
        #"{"analysis": "rhythm", "from": "2001-01-02", "to": "2001-01-05", "timezone": "UTC"}"#,
        in: store)
    else {
      Issue.record("no rest and sleep")
      return
    }
    #expect(throws: AnalysisError(.allLeftOut(count: 3))) { _ = try found.sleep.get() }
  }

  @Test("A store without data has reasons in place of rhythms")
  func empty() throws {
    let store = try SampleStore.temporary()
    guard case .restAndSleep(let found) = try Self.answer(#"{"analysis": "rhythm"}"#, in: store)
    else {
      Issue.record("no rest and sleep")
      return
    }
    #expect(throws: AnalysisError.self) { _ = try found.activity.get() }
    #expect(throws: AnalysisError.self) { _ = try found.sleep.get() }
    #expect(throws: AnalysisError.self) {
      _ = try Self.rhythm(#"{"analysis": "rhythm", "type": "heartRate"}"#, in: store)
    }
  }
}
