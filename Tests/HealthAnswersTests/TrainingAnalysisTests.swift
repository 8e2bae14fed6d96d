import Foundation
import HealthAnalysis
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthAnswers

@Suite("Training of a store")
struct TrainingAnalysisTests {
  private static let day = 86_400.0
  private static let watch = Source(name: "Watch")
  /// The first day of the period, 2001-07-20, and the day after its last.
  private static let period = 200..<210
  /// The workout of this day has no heart rates.
  private static let silent = 204

  private static func start(_ day: Int) -> Double { Double(day) * Self.day + 36_000 }

  /// A rate in the middle of a workout, one each half minute.
  private static func rate(_ day: Int, _ place: Int) -> Double {
    120 + Double((place * 7 + day) % 40)
  }

  private static func sample(
    _ type: HKQuantityTypeIdentifier, _ start: Double, _ value: Double
  ) -> NewSample {
    NewSample(
      type: SampleType(type), source: watch, start: start, end: start, value: value,
      label: "count/min")
  }

  private static func workout(_ start: Double) -> Workouts.Row {
    var row = Workouts.Row()
    row.activity = "HKWorkoutActivityTypeRunning"
    row.facts.source = watch
    (row.facts.start, row.facts.end, row.duration) = (start, start + 1800, 1700)
    return row
  }

  /// Workouts of half an hour on every second day, and a resting heart rate on each.
  private static func store(hasResting: Bool = true) throws -> SampleStore {
    let store = try SampleStore.temporary()
    var samples: [NewSample] = []
    var workouts: [Workouts.Row] = []
    for day in 0..<period.upperBound {
      if hasResting {
        samples.append(
          sample(.restingHeartRate, Double(day) * Self.day + 28_800, 50 + Double(day % 5)))
      }
      guard day.isMultiple(of: 2) else { continue }
      workouts.append(workout(start(day)))
      guard day != silent else { continue }
      samples += (0..<60).map { place in
        sample(.heartRate, start(day) + 30 * Double(place), rate(day, place))
      }
      for (seconds, rate) in [(0.0, 150.0), (60, 118), (120, 104)] {
        samples.append(sample(.heartRate, start(day) + 1800 + seconds, rate))
      }
    }
    try store.save(samples)
    let session = try store.beginImport()
    try session.add(.workouts(Workouts(workouts)))
    _ = try session.finish()
    return store
  }

  private static func set(
    _ value: String, _ identifier: HKCharacteristicTypeIdentifier, in store: SampleStore
  ) throws {
    try store.setCharacteristic(value, of: identifier.rawValue)
  }

  private static func answer(
    _ members: String = "", over period: String = #""from": "2001-07-20", "to": "2001-07-30""#,
    in store: SampleStore
  ) throws -> TrainingAnswer {
    let json = #"{"analysis": "training", "timezone": "UTC", \#(period)\#(members)}"#
    let answer = try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
    guard case .training(let training) = answer.results else {
      throw QueryError(.missingMember("training"))
    }
    return training
  }

  /// The mean resting heart rate of the 28 days before a day.
  private static func resting(_ day: Int) -> Double {
    let days = max(0, day - 28)..<day
    return days.reduce(0) { $0 + 50 + Double($1 % 5) } / Double(days.count)
  }

  /// The impulse of the workout of a day, by the formula.
  private static func impulse(_ day: Int, maximum: Double) -> Double {
    guard day.isMultiple(of: 2), day != silent else { return 0 }
    return (0..<60).reduce(0) { sum, place in
      let share = (rate(day, place) - resting(day)) / (maximum - resting(day))
      return sum + 0.5 * share * 0.64 * exp(1.92 * share)
    }
  }

  @Test("Loads are those of the formulas, with what the profile and the days before say")
  func loads() throws {
    let store = try Self.store()
    try Self.set("1961-05-01", .dateOfBirth, in: store)
    try Self.set("HKBiologicalSexMale", .biologicalSex, in: store)
    let answer = try Self.answer(in: store)
    #expect(answer.maximum == 180 && answer.maximumBasis == .age(40) && answer.weighting == .men)
    #expect(answer.workouts.count == 5 && answer.unknownCount == 1)
    #expect(answer.assumedRestingCount == 0)
    for (workout, day) in zip(answer.workouts, stride(from: 200, to: 210, by: 2)) {
      #expect(workout.start == Self.start(day) && workout.duration == 1700)
      #expect((workout.resting - Self.resting(day)).magnitude < 1e-9)
      guard day != Self.silent else {
        #expect(throws: AnalysisError.self) { _ = try workout.load.get() }
        #expect(workout.meanRate == nil && workout.rateCount == 0)
        continue
      }
      let rates = (0..<60).map { Self.rate(day, $0) }
      #expect(workout.rateCount == 60 && workout.measuredSeconds == 1800)
      let mean = try #require(workout.meanRate)
      #expect((mean - rates.reduce(0, +) / 60).magnitude < 1e-9)
      let load = try workout.load.get()
      let impulse = Self.impulse(day, maximum: 180)
      #expect((load.impulse - impulse).magnitude < 1e-9 * impulse)
      let zones = (5...9).map { zone in
        Double(rates.count { Int(($0 / 18 + 1e-9).rounded(.down)) == zone }) / 2
      }
      #expect(zip(load.zoneMinutes, zones).allSatisfy { ($0 - $1).magnitude < 1e-9 })
      let drops = try workout.recoveries.map { try $0.get().drop }
      #expect(zip(drops, [32, 46]).allSatisfy { ($0 - $1).magnitude < 1e-9 })
    }
  }

  @Test("Fitness and fatigue look back 168 days, and no further")
  func days() throws {
    let store = try Self.store()
    let answer = try Self.answer(#", "maximum": 190, "weighting": "men""#, in: store)
    #expect(answer.maximumBasis == .given && answer.days.count == 10)
    var (fitness, fatigue) = (0.0, 0.0)
    for day in 32..<210 {
      let load = Self.impulse(day, maximum: 190)
      let balance = fitness - fatigue
      fitness += (load - fitness) / 42
      fatigue += (load - fatigue) / 7
      guard Self.period.contains(day) else { continue }
      let found = answer.days[day - 200]
      #expect(found.start == Double(day) * Self.day)
      #expect((found.load - load).magnitude < 1e-9 * max(1, load))
      #expect((found.fitness - fitness).magnitude < 1e-9 * fitness)
      #expect((found.fatigue - fatigue).magnitude < 1e-9 * fatigue)
      #expect((found.balance - balance).magnitude < 1e-9 * fitness)
      #expect(found.unknownCount == (day == Self.silent ? 1 : 0))
    }
    #expect(answer.earlierCount == 84 && answer.earlierUnknownCount == 0)
  }

  @Test(
    "Without a beginning the period is the 42 days before its end, or that of the data",
    arguments: [(#""to": null"#, 210), (#""to": "2001-07-20""#, 200)])
  func defaultPeriod(period: String, end: Int) throws {
    let answer = try Self.answer(
      #", "maximum": 190, "weighting": "men""#, over: period, in: try Self.store())
    #expect(answer.days.count == 42 && answer.days.last?.end == Double(end) * Self.day)
    #expect(answer.workouts.count == 21)
  }

  @Test("The 168 days are days of the calendar, also where clocks change within them")
  func lookBackOverClockChange() throws {
    let store = try SampleStore.temporary()
    // 16 and 17 March, of which the second is 168 days before 1 September, and 10 September.
    let days = [74, 75, 252]
    try store.save(
      days.flatMap { day in
        (0..<60).map { Self.sample(.heartRate, Self.start(day) + 30 * Double($0), 140) }
      })
    let session = try store.beginImport()
    try session.add(.workouts(Workouts(days.map { Self.workout(Self.start($0)) })))
    _ = try session.finish()
    let json = #"""
      {"analysis": "training", "timezone": "Europe/Paris", "from": "2001-09-01", "to": "2001-11-01",
      "resting": 60, "maximum": 190, "weighting": "men"}
      """#
    let answer = try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
    guard case .training(let training) = answer.results else {
      Issue.record("no training")
      return
    }
    #expect(training.workouts.count == 1 && training.earlierCount == 1)
    let load = try #require(try? training.workouts.first?.load.get()).impulse
    // 17 March is the first of 168 days, after which 1 September begins.
    let fitness = load / 42 * pow(1 - 1 / 42.0, 168)
    let first = try #require(training.days.first)
    #expect((first.fitness - fitness).magnitude < 1e-9 * fitness)
  }

  @Test("A resting heart rate counts of the 28 days before the day of a workout, not of that day")
  func restingDays() throws {
    let store = try SampleStore.temporary()
    func resting(_ day: Int, hour: Double, _ rate: Double) -> NewSample {
      Self.sample(.restingHeartRate, Double(day) * Self.day + hour * 3600, rate)
    }
    try store.save([
      resting(171, hour: 23.9, 90), resting(172, hour: 0, 50), resting(199, hour: 23.9, 58),
      resting(200, hour: 6, 99), resting(200, hour: 9.9, 99),
    ])
    let session = try store.beginImport()
    try session.add(.workouts(Workouts([Self.workout(Self.start(200))])))
    _ = try session.finish()
    let answer = try Self.answer(#", "maximum": 190, "weighting": "men""#, in: store)
    #expect(answer.workouts.map(\.resting) == [54] && answer.assumedRestingCount == 0)
  }

  @Test("A resting heart rate of the day of a workout counts where no other is known")
  func restingOfTheDay() throws {
    let store = try SampleStore.temporary()
    try store.save([Self.sample(.restingHeartRate, 200 * Self.day + 3600, 61)])
    let session = try store.beginImport()
    try session.add(.workouts(Workouts([Self.workout(Self.start(200))])))
    _ = try session.finish()
    let answer = try Self.answer(#", "maximum": 190, "weighting": "men""#, in: store)
    #expect(answer.workouts.map(\.resting) == [61] && answer.assumedRestingCount == 1)
  }

  @Test(
    "A workout is sparse whose heart rates stand for less than half of it, and none is without any",
    arguments: [(0, false), (1, true), (14, true), (15, false), (30, false)])
  func sparse(count: Int, isSparse: Bool) throws {
    let store = try SampleStore.temporary()
    try store.save(
      [Self.sample(.restingHeartRate, 199 * Self.day, 55)]
        + (0..<count).map { Self.sample(.heartRate, Self.start(200) + 60 * Double($0), 140) })
    let session = try store.beginImport()
    try session.add(.workouts(Workouts([Self.workout(Self.start(200))])))
    _ = try session.finish()
    let answer = try Self.answer(#", "maximum": 190, "weighting": "men""#, in: store)
    let workout = try #require(answer.workouts.first)
    #expect(workout.measuredSeconds == 60 * Double(count) && workout.isSparse == isSparse)
    #expect(((try? workout.load.get()) != nil) == (count > 0))
  }

  @Test("Without a date of birth the greatest heart rate counts; women have their own weights")
  func otherBases() throws {
    let store = try Self.store()
    try Self.set("HKBiologicalSexFemale", .biologicalSex, in: store)
    let answer = try Self.answer(#", "resting": 60"#, in: store)
    #expect(answer.maximumBasis == .measured && answer.weighting == .women)
    let maximum = try #require(answer.maximum)
    #expect((maximum - 159).magnitude < 1e-9)
    #expect(answer.workouts.allSatisfy { $0.resting == 60 })
  }

  @Test(
    "Members of intervals are refused, as by the other analyses that read no intervals",
    arguments: [
      ("by", #""day""#), ("anchor", #""2001-07-20""#), ("per", #""day""#), ("clip", "true"),
      ("style", #""arithmetic""#), ("hold", "60"), ("exact", "true"),
    ])
  func unfitting(member: String, value: String) throws {
    let store = try Self.store()
    func reason(_ analysis: String) -> QueryError.Reason? {
      let by = member == "per" ? #", "by": "week""# : ""
      let json = #"{"analysis": "\#(analysis)", "\#(member)": \#(value)\#(by)}"#
      do {
        _ = try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
        return nil
      } catch {
        return error.reason
      }
    }
    let first = member == "per" ? "by" : member
    for analysis in ["training", "pressure", "cycles"] {
      #expect(reason(analysis) == .memberOfAnother(first, analysis: analysis))
    }
  }

  // MARK: - Weeks

  /// Heart rates through the half hour of a workout, each half minute.
  private static func rates(at start: Double, of rate: Double) -> [NewSample] {
    (0..<60).map { sample(.heartRate, start + 30 * Double($0), rate) }
  }

  /// Workouts of half an hour, at some hours since 2001-01-01 UTC (a Monday), and a heart rate in the
  /// first hour and at the end of the data.
  private static func store(
    of workouts: [(hour: Double, rate: Double?)], from first: Double, to last: Double
  ) throws -> SampleStore {
    let store = try SampleStore.temporary()
    try store.save(
      [sample(.heartRate, first * 3600, 60), sample(.heartRate, last * 3600, 60)]
        + workouts.flatMap { workout in
          workout.rate.map { rates(at: workout.hour * 3600, of: $0) } ?? []
        })
    let session = try store.beginImport()
    try session.add(.workouts(Workouts(workouts.map { Self.workout($0.hour * 3600) })))
    _ = try session.finish()
    return store
  }

  private static func weeks(
    _ store: SampleStore, in zone: String = "UTC", from: String, to: String
  ) throws -> [TrainingAnswer.Week] {
    let json = #"""
      {"analysis": "training", "timezone": "\#(zone)", "from": "\#(from)", "to": "\#(to)",
      "resting": 60, "maximum": 190, "weighting": "men"}
      """#
    let answer = try store.analysis(try AnalysisPlan(json: Data(json.utf8)))
    guard case .training(let training) = answer.results else {
      throw QueryError(.missingMember("training"))
    }
    return training.weeks
  }

  /// Half an hour at a rate, by Banister's formula for 60 and 190 beats a minute.
  private static func impulse(ofRate rate: Double) -> Double {
    let share = (rate - 60) / 130
    return 30 * share * 0.64 * exp(1.92 * share)
  }

  /// Mean, standard deviation with *n* − 1, and sum.
  private static func moments(
    _ loads: [Double]
  ) -> (mean: Double, deviation: Double, sum: Double) {
    let sum = loads.reduce(0, +)
    let mean = sum / Double(loads.count)
    let squares = loads.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, (squares / Double(loads.count - 1)).squareRoot(), sum)
  }

  @Test("A week has the sums of its workouts, and monotony and strain of its seven days")
  func weeks() throws {
    // Monday of the second week twice, Wednesday, and Sunday just before midnight.
    let workouts: [(hour: Double, rate: Double?)] = [
      (7 * 24 + 8, 140), (7 * 24 + 18, 120), (9 * 24 + 12, 165), (13 * 24 + 23, 150),
    ]
    let store = try Self.store(of: workouts, from: 0, to: 22 * 24)
    // The period begins inside of the second week, which is whole all the same.
    let weeks = try Self.weeks(store, from: "2001-01-11", to: "2001-01-22")
    #expect(weeks.map(\.start) == [7, 14].map { $0 * Self.day })
    #expect(weeks.map(\.end) == [14, 21].map { $0 * Self.day })
    #expect(weeks.map(\.isWhole) == [true, true] && weeks.map(\.workoutCount) == [4, 0])
    let loads = [
      Self.impulse(ofRate: 140) + Self.impulse(ofRate: 120), 0, Self.impulse(ofRate: 165), 0, 0, 0,
      Self.impulse(ofRate: 150),
    ]
    let expected = Self.moments(loads)
    func agrees(_ found: Double?, _ value: Double) -> Bool {
      ((found ?? .nan) - value).magnitude < 1e-9 * value
    }
    #expect(agrees(weeks[0].load, expected.sum))
    #expect(agrees(weeks[0].monotony, expected.mean / expected.deviation))
    #expect(agrees(weeks[0].strain, expected.sum * expected.mean / expected.deviation))
    // 120 and 140 of 190 are 63 and 74 %, 150 and 165 are 79 and 87 %.
    let minutes = try #require(weeks[0].zoneMinutes)
    #expect(zip(minutes, [0, 30, 60, 30, 0]).allSatisfy { ($0 - $1).magnitude < 1e-9 })
    // A week of rest has loads, which are all 0 and so without monotony.
    #expect(weeks[1].load == 0 && weeks[1].zoneMinutes == [0, 0, 0, 0, 0])
    #expect(weeks[1].monotony == nil && weeks[1].strain == nil)
  }

  @Test(
    "The same workouts by local time have the same week in every zone, also over a clock change")
  func weeksOfZones() throws {
    // The week of 22 October 2001, whose Sunday has 25 hours in Paris and New York.
    let monday = 294 * 24.0
    for (zone, offset, later) in [
      ("UTC", 0.0, 0.0), ("Europe/Paris", -2, 1), ("America/New_York", 4, 1), ("Asia/Tokyo", -9, 0),
    ] {
      let workouts: [(hour: Double, rate: Double?)] = [
        (monday + offset, 130), (monday + 3 * 24 + 20 + offset, 150),
        // Sunday at 23:00 of the clock.
        (monday + 6 * 24 + 23 + offset + later, 170),
      ]
      let store = try Self.store(of: workouts, from: monday - 200, to: monday + 200)
      let weeks = try Self.weeks(store, in: zone, from: "2001-10-22", to: "2001-10-29")
      let week = try #require(weeks.first)
      let length = 7 * Self.day + later * 3600
      #expect(weeks.count == 1 && week.end - week.start == length, "\(zone)")
      #expect(week.isWhole && week.workoutCount == 3, "\(zone)")
      let expected = Self.moments(
        [130, 0, 0, 150, 0, 0, 170].map { $0 > 0 ? Self.impulse(ofRate: $0) : 0 })
      let monotony = try #require(week.monotony)
      #expect((monotony - expected.mean / expected.deviation).magnitude < 1e-9, "\(zone)")
    }
  }

  @Test("A week that the period or the data cut is not whole, and has no monotony")
  func partialWeeks() throws {
    let workouts = [2.0, 9, 16, 23].map { (hour: $0 * 24 + 12, rate: 140.0 as Double?) }
    // Data from Tuesday 12:00 of the first week to Thursday of the fourth.
    let store = try Self.store(of: workouts, from: 36, to: 24 * 24)
    let all = try Self.weeks(store, from: "2001-01-01", to: "2001-02-12")
    #expect(all.map(\.isWhole) == [false, true, true, false])
    #expect(all.map { $0.monotony != nil } == [false, true, true, false])
    let impulse = Self.impulse(ofRate: 140)
    for week in all { #expect(((week.load ?? .nan) - impulse).magnitude < 1e-9 * impulse) }
    // One workout a week: 1/√7, whatever its load.
    for week in all[1...2] {
      let monotony = try #require(week.monotony)
      #expect((monotony - 1 / 7.0.squareRoot()).magnitude < 1e-12)
    }
    // Up to Thursday 06:00 of the third week.
    let cut = try Self.weeks(store, from: "2001-01-08", to: "2001-01-18T06:00:00Z")
    #expect(cut.map(\.isWhole) == [true, false] && cut.map(\.workoutCount) == [1, 1])
    #expect(cut[1].monotony == nil && cut[1].end == 21 * Self.day)
    // And before its workout: without one nothing is said of the load.
    let before = try Self.weeks(store, from: "2001-01-08", to: "2001-01-16")
    #expect(before.map(\.workoutCount) == [1, 0] && before.last?.load == nil)
    #expect(before.last?.zoneMinutes == nil)
  }

  @Test("A workout without heart rates, or with few, leaves its week without monotony")
  func unknownLoads() throws {
    let store = try Self.store(
      of: [(24 * 8, 140), (24 * 9, nil), (24 * 15, nil), (24 * 22, 150)], from: 0, to: 29 * 24)
    // One heart rate in the half hour of a fifth workout.
    try store.save([Self.sample(.heartRate, (24 * 24 + 1) * 3600, 130)])
    let session = try store.beginImport()
    try session.add(.workouts(Workouts([Self.workout(24 * 24 * 3600 + 3000)])))
    _ = try session.finish()
    let weeks = try Self.weeks(store, from: "2001-01-08", to: "2001-01-29")
    #expect(weeks.map(\.isWhole) == [true, true, true])
    #expect(weeks.map(\.workoutCount) == [2, 1, 2])
    #expect(weeks.map(\.unknownCount) == [1, 1, 0] && weeks.map(\.sparseCount) == [0, 0, 1])
    // What is known counts, and what is not is no 0.
    let impulse = Self.impulse(ofRate: 140)
    #expect(((weeks[0].load ?? .nan) - impulse).magnitude < 1e-9 * impulse)
    #expect(weeks[1].load == nil && weeks[1].zoneMinutes == nil && weeks[2].load != nil)
    #expect(weeks.allSatisfy { $0.monotony == nil && $0.strain == nil })
  }

  @Test("Weeks are the sums of days, whatever the order of import")
  func weeksAndDays() throws {
    var random = SplitMix64(seed: 71)
    let workouts = (0..<40).map { day in
      (
        hour: Double(day) * 24 + Double.random(in: 0..<23, using: &random),
        rate: Double.random(in: 110...180, using: &random) as Double?
      )
    }.filter { _ in Bool.random(using: &random) }
    let store = try Self.store(of: workouts, from: 0, to: 42 * 24)
    let other = try Self.store(of: workouts.reversed(), from: 0, to: 42 * 24)
    let given = #", "resting": 60, "maximum": 190, "weighting": "men""#
    let period = #""from": "2001-01-01", "to": "2001-02-12""#
    let answer = try Self.answer(given, over: period, in: store)
    #expect(try Self.answer(given, over: period, in: other).weeks == answer.weeks)
    #expect(answer.weeks.count == 6 && answer.days.count == 42)
    for (place, week) in answer.weeks.enumerated() {
      let days = answer.days[7 * place..<7 * place + 7]
      let own = answer.workouts.filter { (week.start..<week.end).contains($0.start) }
      #expect(week.isWhole && week.workoutCount == own.count)
      let expected = Self.moments(days.map(\.load))
      #expect(((week.load ?? .nan) - expected.sum).magnitude < 1e-9 * max(1, expected.sum))
      let minutes = try own.reduce([0.0, 0, 0, 0, 0]) { sums, workout in
        zip(sums, try workout.load.get().zoneMinutes).map { $0 + $1 }
      }
      #expect(
        zip(week.zoneMinutes ?? [], minutes).allSatisfy { ($0 - $1).magnitude < 1e-9 })
      guard expected.deviation > 0 else { continue }
      let monotony = try #require(week.monotony)
      #expect((monotony - expected.mean / expected.deviation).magnitude < 1e-9 * monotony)
    }
  }

  @Test("What is not known and not given is refused")
  func refusals() throws {
    let store = try Self.store(hasResting: false)
    func code(_ members: String) -> QueryError.Reason? {
      #expect(throws: QueryError.self) { _ = try Self.answer(members, in: store) }?.reason
    }
    #expect(code(#", "resting": 60"#) == .missingMember("weighting"))
    #expect(code(#", "weighting": "men""#) == .missingMember("resting"))
    guard case .analysis = code(#", "weighting": "men", "resting": 60, "maximum": 50"#) else {
      Issue.record("a maximum below the resting rate")
      return
    }
    guard case .unknownWord = code(#", "weighting": "cats""#) else {
      Issue.record("a weighting that there is not")
      return
    }
  }

  @Test("A store without workouts has an empty answer")
  func empty() throws {
    let answer = try Self.answer(in: try SampleStore.temporary())
    #expect(answer.workouts.isEmpty && answer.days.isEmpty && answer.weeks.isEmpty)
    #expect(answer.maximum == nil)
  }
}
