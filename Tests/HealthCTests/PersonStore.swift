import HealthAnalysis
import HealthAnswers
import HealthSamples
import HealthStore
import _HealthTestSupport

/// A store of one made-up person: 220 days of steps, heart rates, nights, workouts and more.
enum PersonStore {
  static let day = 86_400.0
  static let days = 220
  static let watch = Source(name: "Watch")
  static let phone = Source(name: "Phone")

  static func sample(
    _ type: HKQuantityTypeIdentifier, _ source: Source = watch, at start: Double,
    for seconds: Double = 0, _ value: Double, _ label: String
  ) -> NewSample {
    NewSample(
      type: SampleType(type), source: source, start: start, end: start + seconds, value: value,
      label: label)
  }

  private static func category(
    _ type: SampleType, from start: Double, to end: Double, _ value: Int, _ label: String
  ) -> NewSample {
    NewSample(
      type: type, source: watch, start: start, end: end, value: Double(value), label: label)
  }

  static func make() throws -> SampleStore {
    let store = try SampleStore.temporary()
    var random = SplitMix64(seed: 40)
    func number(_ range: ClosedRange<Int>) -> Double {
      Double(Int.random(in: range, using: &random))
    }
    var samples: [NewSample] = []
    for place in 0..<days {
      let midnight = Double(place) * day
      // What two types have in common, and a change of the level after half of the days.
      let common = number(-10...10)
      let level = place < days / 2 ? 50.0 : 62
      samples.append(
        sample(
          .restingHeartRate, at: midnight + 28_800, level + common / 4 + number(-2...2),
          "count/min"))
      samples.append(
        sample(
          .heartRateVariabilitySDNN, at: midnight + 30_000, 60 - common + number(-2...2), "ms"))
      samples.append(
        sample(.respiratoryRate, at: midnight + 31_000, number(12...18), "count/min"))
      samples.append(
        sample(.bodyMass, phone, at: midnight + 25_000, 80 - Double(place) / 50, "kg"))
      for hour in stride(from: 8.0, to: 21, by: 3) {
        let count = number(100...900) + 20 * common
        samples.append(
          sample(.stepCount, at: midnight + hour * 3600, for: 600, count, "count"))
        samples.append(
          sample(.stepCount, phone, at: midnight + hour * 3600 + 300, for: 600, count, "count"))
      }
      guard place >= days - 60 else { continue }
      samples += nights(midnight, &random)
    }
    // A day of many more steps than usual.
    samples.append(
      sample(.stepCount, phone, at: Double(days - 3) * day + 43_000, for: 3000, 60_000, "count"))
    for row in 0..<15 * 96 {
      samples.append(
        sample(
          .bloodGlucose, Source(name: "Sensor"), at: Double(row) * 900, number(60...220), "mg/dL"))
    }
    for reading in 0..<30 {
      let time = Double(reading / 2) * day + (reading % 2 == 0 ? 25_200 : 68_400)
      samples.append(sample(.bloodPressureSystolic, phone, at: time, number(105...160), "mmHg"))
      samples.append(sample(.bloodPressureDiastolic, phone, at: time, number(60...99), "mmHg"))
    }
    for first in [0, 28, 58, 85, 113] {
      for flow in 0..<4 {
        let start = Double(first + flow) * day
        samples.append(
          category(
            SampleType(.menstrualFlow), from: start, to: start + day, 3,
            "HKCategoryValueMenstrualFlowMedium"))
      }
    }
    let (workouts, routes, rates) = exercise(&random)
    try store.save(samples + rates)
    let session = try store.beginImport()
    try session.add(.workouts(workouts))
    try session.add(.routes(routes))
    try session.add(.beatLists(beats(&random)))
    try session.add(.activitySummaries(rings()))
    _ = try session.finish()
    try store.setPreferredSources(["Phone", "Nobody"], of: SampleType(.stepCount))
    return store
  }

  /// A night with stages, and a nap on some days.
  private static func nights(_ midnight: Double, _ random: inout SplitMix64) -> [NewSample] {
    let labels = [
      3: "HKCategoryValueSleepAnalysisAsleepCore", 4: "HKCategoryValueSleepAnalysisAsleepDeep",
      5: "HKCategoryValueSleepAnalysisAsleepREM",
    ]
    var start = midnight - 3600 + Double(Int.random(in: -30...30, using: &random) * 60)
    var samples = [
      category(
        SleepPlan.type, from: start - 600, to: start + 29_000, 0,
        "HKCategoryValueSleepAnalysisInBed")
    ]
    for stage in [3, 4, 3, 5, 3, 5] {
      let end = start + Double(Int.random(in: 50...90, using: &random) * 60)
      samples.append(category(SleepPlan.type, from: start, to: end, stage, labels[stage] ?? ""))
      // Two readings of which the time asleep is known.
      for (place, rate) in [48.0, 52].enumerated() {
        samples.append(
          sample(.heartRate, at: start + 600 * Double(place), rate + Double(stage), "count/min"))
      }
      start = end
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      samples.append(
        category(
          SleepPlan.type, from: midnight + 50_000, to: midnight + 52_000, 3, labels[3] ?? ""))
    }
    return samples
  }

  /// A run each second day; the third of ten knows no heart rates, and the fifth has a route.
  private static func exercise(
    _ random: inout SplitMix64
  ) -> (Workouts, Routes, [NewSample]) {
    var workouts = Workouts()
    var routes = Routes()
    var rates: [NewSample] = []
    for number in stride(from: 0, to: days, by: 2) {
      var row = Workouts.Row()
      let start = Double(number) * day + 36_000
      row.activity =
        number % 20 == 0 ? "HKWorkoutActivityTypeYoga" : "HKWorkoutActivityTypeRunning"
      row.facts.source = number % 20 == 0 ? phone : watch
      (row.facts.start, row.facts.end, row.duration) = (start, start + 1800, 1700)
      if number % 20 == 8 {
        row.facts.metadata = Metadata([.init(key: "HKIndoorWorkout", value: "0")])
        var route = Routes.Row()
        route.facts.source = watch
        (route.facts.start, route.facts.end) = (start, start + 1800)
        (route.workoutStart, route.workoutEnd) = (start, start + 1800)
        (route.activity, route.path) = (row.activity, "/route_\(number).gpx")
        routes.rows.append(route)
      }
      workouts.rows.append(row)
      guard number % 20 != 4 else { continue }
      for place in 0..<65 {
        let rate = place < 60 ? Double(Int.random(in: 100...180, using: &random)) : 110
        rates.append(sample(.heartRate, at: start + 30 * Double(place), rate, "count/min"))
      }
    }
    return (workouts, routes, rates)
  }

  /// Rings of the last 60 days; all are closed on two days of three, and a day has no goal.
  private static func rings() -> ActivitySummaries {
    var summaries = ActivitySummaries()
    for number in days - 60..<days {
      var row = ActivitySummaries.Row()
      row.day = number
      (row.activeEnergy, row.activeEnergyGoal) = (number % 3 == 0 ? 410.5 : 530, 500)
      (row.exerciseMinutes, row.exerciseMinutesGoal) = (31, number == days - 7 ? nil : 30)
      (row.standHours, row.standHoursGoal) = (12, 12)
      row.recordedEnergyUnit = "kcal"
      summaries.rows.append(row)
    }
    return summaries
  }

  /// A minute of beats each day of the last month, and one with a single beat.
  private static func beats(_ random: inout SplitMix64) -> BeatLists {
    var lists = BeatLists()
    for number in days - 30..<days {
      let start = Double(number) * day + 10_000
      var row = BeatLists.Row(
        record: RecordLink(
          type: "HKQuantityTypeIdentifierHeartRateVariabilitySDNN", source: watch, start: start,
          end: start + 60, value: 40, label: "ms"))
      row.offsets = [0]
      row.rates = [60]
      for _ in 0..<(number == days - 1 ? 0 : 60) {
        let interval = Double(Int.random(in: 85...105, using: &random)) / 100
        row.offsets.append((row.offsets.last ?? 0) + interval)
        row.rates.append(60 / interval)
      }
      lists.rows.append(row)
    }
    return lists
  }
}
