import Foundation
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthAnswers

@Suite("Totals of workouts")
struct WorkoutPlanTests {
  private static let year = 365 * 86_400.0
  private let zone: TimeZone
  private let store: SampleStore
  private let workouts: [Workouts.Row]

  init() throws {
    zone = try #require(TimeZone(identifier: "Europe/Paris"))
    store = try SampleStore.temporary()
    var random = SplitMix64(seed: 3)
    var rows: [Workouts.Row] = []
    for number in 0..<120 {
      // Three months of the year have none.
      let start = Double.random(in: 0...Self.year, using: &random).rounded()
      guard !(5...7).contains(Int(start / Self.year * 12)) else { continue }
      rows.append(
        Self.workout(
          ["Running", "Cycling", "Yoga"][number % 3], start: start,
          seconds: Double(Int.random(in: 600...6000, using: &random)),
          metres: number % 3 == 2 ? nil : Double(Int.random(in: 1000...20_000, using: &random)),
          kilocalories: number % 5 == 0 ? nil : Double(Int.random(in: 50...900, using: &random)),
          source: ["Watch", "Strava"][number % 2]))
    }
    let session = try store.beginImport()
    try session.add(.workouts(Workouts(rows)))
    _ = try session.finish()
    workouts = try store.workouts().rows
  }

  static func workout(
    _ activity: String, start: Double, seconds: Double, metres: Double? = nil,
    kilocalories: Double? = nil, source: String = "Watch"
  ) -> Workouts.Row {
    var row = Workouts.Row()
    row.activity = "HKWorkoutActivityType" + activity
    row.facts.source = Source(name: source)
    (row.facts.start, row.facts.end, row.duration) = (start, start + seconds + 30, seconds)
    for (type, unit, sum) in [
      ("DistanceWalkingRunning", "m", metres), ("ActiveEnergyBurned", "kcal", kilocalories),
    ] {
      guard let sum else { continue }
      var statistics = Workouts.Statistics()
      statistics.type = "HKQuantityTypeIdentifier" + type
      (statistics.unit, statistics.recordedUnit, statistics.sum) = (unit, unit, sum)
      (statistics.start, statistics.end) = (start, start + seconds)
      row.statistics.append(statistics)
    }
    return row
  }

  private func plan(_ change: (inout WorkoutPlan) -> Void = { _ in }) -> WorkoutPlan {
    var plan = WorkoutPlan(ElementPeriod(timeZone: ZoneTimeline(zone)))
    plan.statistics = WorkoutStatistic.allCases
    change(&plan)
    return plan
  }

  /// The month of an instant, by Foundation.
  private func month(_ instant: Double) -> Int {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let parts = calendar.dateComponents(
      [.year, .month], from: Date(timeIntervalSinceReferenceDate: instant))
    return (parts.year ?? 0) * 12 + (parts.month ?? 0)
  }

  @Test("Each month has the sums of the workouts that start in it, one without workouts none")
  func months() throws {
    let answer = try store.workouts(plan { $0.period.interval = CalendarInterval(.month) })
    try #require(answer.starts.count >= 11)
    #expect(answer.counts.contains(0))
    #expect(answer.counts.reduce(0, +) == workouts.count)
    for row in answer.starts.indices {
      let known = workouts.filter { month($0.facts.start) == month(answer.starts[row]) }
      #expect(answer.counts[row] == known.count)
      #expect(answer.values(.count)[row] == Double(known.count))
      func sum(_ value: (Workouts.Row) -> Double?) -> Double? {
        let values = known.compactMap(value)
        return values.isEmpty ? nil : values.reduce(0, +)
      }
      func statistic(_ name: String) -> (Workouts.Row) -> Double? {
        { workout in workout.statistics.first { $0.type.contains(name) }?.sum }
      }
      #expect(answer.values(.duration)[row] == sum(\.duration))
      #expect(answer.values(.distance)[row] == sum(statistic("Distance")))
      #expect(answer.values(.energy)[row] == sum(statistic("Energy")))
      let paced = known.filter { statistic("Distance")($0) != nil }
      let metres = paced.compactMap(statistic("Distance")).reduce(0, +)
      let seconds = paced.compactMap(\.duration).reduce(0, +)
      let pace = answer.values(.pace)[row]
      #expect((pace == nil) == paced.isEmpty)
      #expect(abs((pace ?? 0) * metres / 1000 - seconds) < 1e-6 * seconds + 1e-9)
      if let speed = answer.values(.speed)[row] { #expect(abs(speed * seconds - metres) < 1e-6) }
      #expect(answer.values(.best1k)[row] == nil && answer.values(.heartRate)[row] == nil)
    }
    #expect(answer.total.count == workouts.count)
  }

  @Test("A longer interval has what its parts have, whatever the interval")
  func conserved() throws {
    let all = try store.workouts(plan())
    #expect(all.counts == [workouts.count])
    for interval in ["day", "week", "quarter", "year", "10d", "6h"] {
      let answer = try store.workouts(plan { $0.period.interval = CalendarInterval(interval) })
      #expect(answer.counts.reduce(0, +) == workouts.count, "\(interval)")
      #expect(answer.total == all.total, "\(interval)")
      #expect(zip(answer.ends, answer.starts.dropFirst()).allSatisfy { $0 == $1 })
    }
  }

  @Test("A period chooses whole intervals, without one exactly the workouts that start in it")
  func periods() throws {
    let (from, to) = (Self.year / 4, Self.year / 2)
    let asked = workouts.filter { $0.facts.start >= from && $0.facts.start < to }
    let plain = plan {
      $0.period.from = QueryDate(instant: from)
      $0.period.to = QueryDate(instant: to)
    }
    #expect(try store.workouts(plain).counts == [asked.count])
    let months = try store.workouts(
      plan {
        $0.period.from = QueryDate(instant: from, alignsIntervals: true)
        $0.period.to = QueryDate(instant: to, alignsIntervals: true)
        $0.period.interval = CalendarInterval(.month)
      })
    let first = try #require(months.starts.first)
    let last = try #require(months.ends.last)
    #expect(first <= from && last >= to)
    #expect(
      months.counts.reduce(0, +)
        == workouts.count { $0.facts.start >= first && $0.facts.start < last })
    let nothing = plan {
      $0.period.from = QueryDate(instant: to)
      $0.period.to = QueryDate(instant: from)
    }
    #expect(throws: QueryError.self) { try store.workouts(nothing) }
    let empty = try SampleStore.temporary()
    #expect(
      try empty.workouts(plan { $0.period.interval = CalendarInterval(.month) }).counts.isEmpty)
    let months0 = try empty.workouts(
      plan {
        $0.period.from = QueryDate(instant: 0, alignsIntervals: true)
        $0.period.to = QueryDate(instant: Self.year, alignsIntervals: true)
        $0.period.interval = CalendarInterval(.month)
      })
    #expect(months0.counts.count >= 12 && months0.counts.allSatisfy { $0 == 0 })
  }

  @Test("Activities and conditions narrow, and the order is that of the number, unknown ones last")
  func chosen() throws {
    for name in ["running", "HKWorkoutActivityTypeRunning", "Running"] {
      let answer = try store.workouts(plan { $0.activity = name })
      #expect(answer.total.count == workouts.count { $0.activity.hasSuffix("Running") })
    }
    let long = try store.workouts(
      plan { $0.conditions = [.value(.distance, .greater, 10_000), .source(named: "Strava")] })
    #expect(
      long.total.count
        == workouts.count { ($0.totalDistance ?? 0) > 10_000 && $0.facts.source.name == "Strava" })
    #expect(long.total.count > 0)
    for order in [SortOrder.forward, .reverse] {
      let sorted = try store.workouts(workouts, by: .distance, order: order).map(\.workout)
      #expect(Set(sorted) == Set(workouts))
      let known = sorted.compactMap(\.totalDistance)
      #expect(sorted.prefix(known.count).allSatisfy { $0.totalDistance != nil })
      #expect(known == (order == .forward ? known.sorted() : known.sorted(by: >)))
    }
    let latest = try store.workouts(workouts, order: .reverse, limit: 4)
    #expect(latest.map(\.workout) == Array(workouts.reversed().prefix(4)))
  }

  /// What people call the best of each: the shortest time over a distance, else the most.
  @Test("Times over a distance and paces begin with the quickest, all else with the largest")
  func usualOrder() throws {
    let quickest: Set<WorkoutStatistic> = [.pace, .best1k, .best5k, .best10k]
    for statistic in WorkoutStatistic.allCases {
      #expect((statistic.usualOrder == .forward) == quickest.contains(statistic), "\(statistic)")
    }
    for (statistic, quicker) in [(WorkoutStatistic.pace, -1.0), (.speed, 1)] {
      let sorted = try store.workouts(workouts, by: statistic, order: statistic.usualOrder)
      let known = sorted.compactMap { $0.value(statistic) }
      #expect(known.count > 10)
      #expect(zip(known, known.dropFirst()).allSatisfy { $0 * quicker >= $1 * quicker })
    }
  }

  @Test(
    "Best times and climbs come from routes, heart rates from samples, where a workout lacks them")
  func elsewhere() throws {
    let store = try SampleStore.temporary()
    var random = SplitMix64(seed: 12)
    var workouts: [Workouts.Row] = []
    var routes: [Routes.Row] = []
    var rates = RecordColumns(type: SampleType(.heartRate), source: Source(name: "Watch"))
    for number in 0..<6 {
      let start = Double(number) * 10_000
      var workout = Self.workout("Running", start: start, seconds: 3000, metres: 9000)
      if number == 0 {
        workout.facts.metadata = Metadata([.init(key: "HKElevationAscended", value: "12300 cm")])
      }
      if number == 1 {
        var written = Workouts.Statistics()
        written.type = HKQuantityTypeIdentifier.heartRate.rawValue
        (written.unit, written.recordedUnit) = ("count/s", "count/min")
        (written.average, written.maximum) = (2, 3)
        workout.statistics.append(written)
      }
      workouts.append(workout)
      // The last workout has no route, the others have two.
      for part in 0..<(number == 5 ? 0 : 2) {
        var route = Routes.Row()
        route.facts.source = workout.facts.source
        (route.activity, route.workoutStart) = (workout.activity, workout.facts.start)
        route.workoutEnd = workout.facts.end
        let begin = start + Double(part) * 1500
        (route.facts.start, route.facts.end) = (begin, begin + 1400)
        var latitude = 48.0
        for second in stride(from: 0, to: 1400, by: 10) {
          route.locations.append(
            time: begin + Double(second), latitude: latitude, longitude: 2,
            altitude: Double.random(in: 0...20, using: &random))
          latitude += Double.random(in: 15...45, using: &random) / 111_195
        }
        routes.append(route)
      }
      for _ in 0..<50 {
        let time = start + Double(Int.random(in: -500...3500, using: &random))
        try rates.append(
          start: time, end: time, value: Double(Int.random(in: 90...180, using: &random)),
          label: "count/min")
      }
    }
    let session = try store.beginImport()
    try session.add(.workouts(Workouts(workouts)))
    try session.add(.routes(Routes(routes)))
    try session.add(.records(rates))
    _ = try session.finish()
    let facts = try store.facts(of: workouts, statistics: Set(WorkoutStatistic.allCases))
    for (workout, one) in zip(workouts, facts) {
      let tracks = routes.filter { $0.workoutStart == workout.facts.start }
        .map { Track($0.locations) }
      #expect(one.value(.best1k) == tracks.compactMap { $0.shortestTime(over: 1000) }.min())
      #expect(one.value(.best10k) == nil)
      let number = Int(workout.facts.start / 10_000)
      let climbed = tracks.isEmpty ? nil : tracks.compactMap(\.elevationGain).reduce(0, +)
      #expect(one.value(.elevation) == (number == 0 ? 123 : climbed))
      let known = (0..<rates.count).filter {
        rates.starts[$0] >= workout.facts.start && rates.starts[$0] < workout.facts.end
      }.map { rates.values[$0] }
      let mean = known.reduce(0, +) / Double(known.count)
      #expect(abs((one.value(.heartRate) ?? 0) - (number == 1 ? 120 : mean)) < 1e-9)
      #expect(
        abs((one.value(.heartRateMax) ?? 0) - (number == 1 ? 180 : known.max() ?? 0)) < 1e-9)
    }
    let total = try store.workouts(plan()).total
    #expect(total.value(.best1k) == facts.compactMap { $0.value(.best1k) }.min())
    #expect(total.value(.heartRateMax) == facts.compactMap { $0.value(.heartRateMax) }.max())
    let rate = facts.compactMap { $0.value(.heartRate) }.reduce(0, +) / 6
    #expect(abs((total.value(.heartRate) ?? 0) - rate) < 1e-9)
    let splits = try store.splits(of: workouts, every: 1000)
    #expect(splits.map(\.isEmpty) == [false, false, false, false, false, true])
  }

  @Test("A plan survives encoding")
  func encoded() throws {
    let plan = plan {
      $0.activity = "running"
      $0.period.interval = CalendarInterval(.month)
      $0.conditions = [.value(.pace, .less, 300), .notSource(named: "x")]
    }
    let back = try JSONDecoder().decode(WorkoutPlan.self, from: JSONEncoder().encode(plan))
    #expect(back == plan)
  }

  @Test("A triathlon is as long as its three parts together")
  func triathlon() {
    var row = Self.workout("SwimBikeRun", start: 0, seconds: 4000, metres: 5000)
    for (type, metres) in [("Swimming", 750.0), ("Cycling", 20_000)] {
      var statistics = Workouts.Statistics()
      statistics.type = "HKQuantityTypeIdentifierDistance" + type
      statistics.sum = metres
      row.statistics.append(statistics)
    }
    #expect(row.totalDistance == 25_750)
  }
}

@Suite("Splits of workouts")
struct WorkoutSplitTests {
  /// A route at random speeds that goes up and down.
  private func track(_ seed: UInt64, count: Int, from start: Double) -> Track {
    var random = SplitMix64(seed: seed)
    var places = LocationColumns()
    var (time, latitude, altitude) = (start, 48.0, 50.0)
    for _ in 0..<count {
      places.append(time: time, latitude: latitude, longitude: 2, altitude: altitude)
      time += Double(Int.random(in: 1...30, using: &random))
      latitude += Double.random(in: 0...250, using: &random) / 111_195
      altitude += Double.random(in: -6...6, using: &random)
    }
    return Track(places)
  }

  private func heartRates(until end: Double) -> SampleColumns {
    let source = Source(name: "Watch")
    return SampleColumns(
      type: SampleType(.heartRate),
      rows: stride(from: 0, to: end, by: 7).map {
        SampleColumns.Row(
          source: source, start: $0, end: $0, value: (100 + 40 * sin($0 / 90)) / 60)
      })
  }

  @Test("Splits add up to the way, the time and the climbs", arguments: 0..<25)
  func sums(seed: UInt64) throws {
    let tracks = [
      track(seed, count: 40, from: 100), track(seed + 100, count: 1 + Int(seed), from: 4000),
    ]
    let end = try #require(tracks.last?.times.last ?? tracks[0].times.last)
    var workout = WorkoutPlanTests.workout("Running", start: 0, seconds: end)
    for (type, date) in [("Pause", 200.0), ("Resume", 260), ("Pause", 900), ("Resume", 1000)] {
      var event = Workouts.Event()
      (event.type, event.date) = ("HKWorkoutEventType" + type, date)
      workout.events.append(event)
    }
    let rates = heartRates(until: end)
    for metres in [100.0, 1000, 1609.344, 1e6] {
      let splits = workout.splits(every: metres, along: tracks, heartRates: rates)
      let length = tracks.reduce(0) { $0 + $1.length }
      #expect(splits.map(\.number) == Array(1...splits.count))
      #expect(abs(splits.reduce(0) { $0 + $1.distance } - length) < 1e-6 * length)
      #expect(splits.dropLast().allSatisfy { $0.distance == metres })
      #expect(splits.count == Int((length / metres).rounded(.up)))
      #expect(zip(splits, splits.dropFirst()).allSatisfy { $0.end == $1.start })
      let first = try #require(splits.first)
      let last = try #require(splits.last)
      let paused = workout.pauses.reduce(0) { sum, pause in
        sum + max(0, min(pause.upperBound, last.end) - max(pause.lowerBound, first.start))
      }
      #expect(
        abs(splits.reduce(0) { $0 + $1.duration } - (last.end - first.start - paused)) < 1e-6)
      let gain = tracks.reduce(0) { $0 + ($1.elevationGain ?? 0) }
      #expect(abs(splits.reduce(0) { $0 + ($1.elevationGain ?? 0) } - gain) < 1e-6)
      for split in splits {
        let known = rates.starts.indices.filter {
          rates.starts[$0] >= split.start && rates.starts[$0] < split.end
        }.map { rates.values[$0] * 60 }
        #expect((split.meanHeartRate == nil) == known.isEmpty)
        if let mean = split.meanHeartRate {
          #expect(abs(mean - known.reduce(0, +) / Double(known.count)) < 1e-6)
        }
      }
    }
    #expect(workout.pauses == [200..<260, 900..<1000])
  }

  @Test("Each split ends where the way has its length")
  func ends() {
    let way = track(9, count: 60, from: 0)
    let workout = WorkoutPlanTests.workout("Running", start: 0, seconds: 4000)
    for split in workout.splits(
      every: 1000, along: [way], heartRates: SampleColumns(type: SampleType(.heartRate))
    ) where split.distance == 1000 {
      let metres = Double(split.number) * 1000
      let row = way.times.firstIndex { $0 >= split.end } ?? 0
      #expect(way.distances[row] >= metres - 1e-6)
      #expect(row == 0 || way.distances[row - 1] <= metres + 1e-6)
    }
  }
}
