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
    guard case .training(let training) = answer.findings else {
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
    guard case .training(let training) = answer.findings else {
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
    #expect(answer.workouts.isEmpty && answer.days.isEmpty && answer.maximum == nil)
  }
}
