import HealthAnswers
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@Suite("Heart rates and routes of workouts")
struct WorkoutHeartRatesTests {
  private static let sources = [Source(name: "Watch"), Source(name: "Strap")]

  private static func store(_ seed: Int) throws -> SampleStore {
    var random = SplitMix64(seed: UInt64(seed))
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    for source in sources {
      var batch = RecordColumns(type: SampleType(.heartRate), source: source)
      for _ in 0..<200 {
        let start = Double(Int.random(in: 0..<400, using: &random)) * 86_400
        let length = [0, 0, 60, 86_400, 40 * 86_400].randomElement(using: &random) ?? 0
        try batch.append(
          start: start, end: start + Double(length),
          value: Double(Int.random(in: 50..<180, using: &random)), label: "count/min")
      }
      try session.add(batch)
    }
    _ = try session.finish()
    return store
  }

  @Test("are those that overlap each workout, in any order of workouts", arguments: 0..<20)
  func heartRates(seed: Int) throws {
    let store = try Self.store(seed)
    let all = try store.samples(of: SampleType(.heartRate))
    var random = SplitMix64(seed: UInt64(1_000 + seed))
    var workouts = (0..<40).map { _ -> Workouts.Row in
      var workout = Workouts.Row()
      workout.facts.start = Double(Int.random(in: -1..<400, using: &random)) * 86_400
      let days: Double = [0, 0.5, 1, 130].randomElement(using: &random) ?? 1
      workout.facts.end = workout.facts.start + days * 86_400
      return workout
    }
    if seed > 0 { workouts.sort { $0.facts.start < $1.facts.start } }
    var rates = WorkoutHeartRates(of: workouts, in: store)
    var count = 0
    for workout in workouts {
      let (start, end) = (workout.facts.start, workout.facts.end)
      let expected = all.starts.indices
        .filter { all.starts[$0] < end && (all.starts[$0] >= start || all.ends[$0] > start) }
      let found = try rates.rates(in: workout)
      #expect(found.map(\.start) == expected.map { all.starts[$0] })
      #expect(found.map(\.rate) == expected.map { all.values[$0] })
      count += found.count
    }
    #expect(count > 0)
  }

  @Test("Routes are those that name the workout and overlap it", arguments: 0..<20)
  func routes(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let activities = ["HKWorkoutActivityTypeRunning", "HKWorkoutActivityTypeCycling"]
    func time() -> (start: Double, end: Double) {
      let start = Double(Int.random(in: 0..<8, using: &random))
      return (start, start + Double(Int.random(in: -1...3, using: &random)))
    }
    let workouts = (0..<12).map { _ -> Workouts.Row in
      var workout = Workouts.Row()
      (workout.facts.start, workout.facts.end) = time()
      workout.activity = activities.randomElement(using: &random) ?? ""
      return workout
    }
    var routes = Routes()
    for number in 0..<60 {
      let workout = workouts.randomElement(using: &random) ?? Workouts.Row()
      var route = Routes.Row()
      route.path = "\(number).gpx"
      (route.facts.start, route.facts.end) = time()
      (route.workoutStart, route.workoutEnd) = (workout.facts.start, workout.facts.end)
      route.activity = activities.randomElement(using: &random) ?? ""
      routes.rows.append(route)
    }
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    try session.add(.routes(routes))
    _ = try session.finish()
    for keepsRoutes in [true, false] {
      let found = try WorkoutRoutes(of: workouts, in: store, keepsRoutes: keepsRoutes)
      for workout in workouts {
        let time = workout.facts.start..<max(workout.facts.start, workout.facts.end).nextUp
        let expected = try store.routes(in: time).rows.filter {
          $0.workoutStart == workout.facts.start && $0.workoutEnd == workout.facts.end
            && $0.activity == workout.activity
        }
        #expect(found[workout].count == expected.count)
        #expect(found[workout].rows == (keepsRoutes ? expected : []))
      }
    }
  }
}
