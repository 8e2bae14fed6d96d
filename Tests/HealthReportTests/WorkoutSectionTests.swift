import Foundation
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthReport

@Suite("The section of workouts")
struct WorkoutSectionTests {
  private static let day = 86_400.0
  private static let now = Date(timeIntervalSinceReferenceDate: 401 * day)
  private static let hostile = "<script>alert(1)</script>\u{202E}\"&"

  /// A workout at ten o'clock of a day.
  private func workout(
    _ activity: String, day: Int, minute: Int = 0, source: String = "Watch"
  ) -> Workouts.Row {
    var row = Workouts.Row()
    row.activity = activity
    row.facts.source = Source(name: source)
    row.facts.start = Double(day) * Self.day + 36_000 + Double(minute) * 60
    (row.facts.end, row.duration) = (row.facts.start + 1800, 1800)
    var distance = Workouts.Statistics()
    distance.type = "HKQuantityTypeIdentifierDistanceWalkingRunning"
    (distance.unit, distance.recordedUnit, distance.sum) = ("m", "km", 5000)
    row.statistics = [distance]
    return row
  }

  /// A route of a workout to the north.
  private func route(
    of workout: Workouts.Row, latitude: Double = 48, metres: Double = 3000
  ) -> Routes.Row {
    var route = Routes.Row()
    (route.activity, route.workoutStart) = (workout.activity, workout.facts.start)
    (route.workoutEnd, route.facts.start) = (workout.facts.end, workout.facts.start)
    route.facts.end = workout.facts.end
    for step in 0...Int(metres / 10) {
      route.locations.append(
        time: workout.facts.start + Double(step) * 4,
        latitude: latitude + Double(step) / 11_119.5, longitude: 2, altitude: 0)
    }
    return route
  }

  private func store(
    _ workouts: [Workouts.Row], _ routes: [Routes.Row] = []
  ) throws -> SampleStore {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    let steps = DailySamples(type: SampleType(.stepCount), unit: "count", duration: 10_000) {
      Double(4000 + $0)
    }
    try session.add(steps.records(on: 0..<400))
    var rates = RecordColumns(type: SampleType(.heartRate), source: Source(name: "Watch"))
    for minute in 0..<30 {
      let start = 398 * Self.day + 36_000 + Double(minute) * 60
      try rates.append(
        start: start, end: start, value: 110 + Double(minute * 3), label: "count/min")
    }
    try session.add(rates)
    try session.add(.workouts(Workouts(workouts)))
    try session.add(.routes(Routes(routes)))
    _ = try session.finish()
    return store
  }

  private func page(
    of store: SampleStore, _ change: (inout ReportPlan) -> Void = { _ in }
  ) throws -> String {
    var plan = ReportPlan()
    (plan.timeZone, plan.sections) = ("UTC", [.workouts])
    change(&plan)
    return try store.report(plan, now: Self.now)
  }

  private func count(_ word: String, in text: String) -> Int {
    text.components(separatedBy: word).count - 1
  }

  /// The words that are in a page, which is too long for a message.
  private func found(_ words: String..., in text: String) -> [String] {
    words.filter { text.contains($0) }
  }

  @Test("Routes, splits and zones are there only where samples were asked for")
  func samples() throws {
    let running = (380..<399).map { workout("HKWorkoutActivityTypeRunning", day: $0) }
    let store = try store(running, running.map { route(of: $0) })
    let plain = try page(of: store)
    #expect(found("Hours by month", "Latest workouts: 10", in: plain).count == 2)
    #expect(
      found(
        "<path class=\"route\"", "class=\"map", "viewBox=\"0 0 400", "--splits", "--zones",
        "--places", in: plain)
        == [])
    let whole = try page(of: store) { $0.includesSamples = true }
    #expect(
      found(
        "<path class=\"route\"", "--splits", "--zones", "--places", "--with-samples", in: whole
      ).count == 5)
    #expect(count("class=\"map\"", in: whole) == 1)
    #expect(count("class=\"map routes\"", in: whole) == 1)
    #expect(count(".duration\">", in: whole) > 10)
    #expect(found("the last workout with a route.", "from the route, min/km", in: whole).count == 2)
  }

  @Test("There is nothing without workouts, of other times and of types that were asked for")
  func nothing() throws {
    let section = "id=\"workouts\""
    #expect(found(section, in: try page(of: store([]))) == [])
    let store = try store([workout("HKWorkoutActivityTypeYoga", day: 300)])
    #expect(found(section, in: try page(of: store)).count == 1)
    for change in [
      { $0.from = "2001-12-01" }, { $0.to = "2001-03-01" }, { $0.types = ["stepCount"] },
    ] as [(inout ReportPlan) -> Void] {
      #expect(found(section, in: try page(of: store, change)) == [])
    }
  }

  @Test("Names are escaped and short, and very many workouts of many kinds have few elements")
  func hostile() throws {
    let long = "HKWorkoutActivityType" + String(repeating: "A", count: 100_000)
    let rows = (0..<3000).map { number in
      workout(
        number % 3 == 0 ? Self.hostile : number % 3 == 1 ? long : "Kind \(number % 500)",
        day: number % 400, minute: number / 400,
        source: number % 100 == 0 ? long : number % 2 == 0 ? Self.hostile : "Watch")
    }
    let text = try page(of: store(rows)) { $0.includesSamples = true }
    let longest = String(repeating: "A", count: 100)
    #expect(found("<script>alert", "\u{202E}", longest, in: text) == [])
    #expect(count("<", in: text) < 3000 && text.utf8.count < 1_000_000)
    #expect(found("Latest workouts: 2,000", in: text).count == 1)
  }

  @Test("Three places have maps, and the others are counted")
  func places() throws {
    let running = (300..<398).map { workout("HKWorkoutActivityTypeRunning", day: $0) }
    let routes = running.enumerated().map { number, workout in
      // The first place has most routes, all of them too short to be drawn.
      number < 50
        ? route(of: workout, latitude: -10, metres: 300)
        : route(of: workout, latitude: Double(40 + number % 6))
    }
    let text = try page(of: store(running, routes)) { $0.includesSamples = true }
    #expect(count("class=\"map routes\"", in: text) == 3)
    #expect(found("places[0].routes", in: text) == [])
    #expect(found("places[3].routes", "data-at=\"places#\">7<", in: text).count == 2)
  }

  @Test("Distances are in miles where the owner prefers them, or the plan asks for them")
  func miles() throws {
    let running = (380..<398).map { workout("HKWorkoutActivityTypeRunning", day: $0) }
    let store = try store(running, running.map { route(of: $0) })
    #expect(found(">km<", in: try page(of: store)).count == 1)
    let asked = try page(of: store) { $0.units = ["distanceWalkingRunning:miles"] }
    #expect(found(">mi<", ">km<", in: asked) == [">mi<"])
    try store.setPreferredUnit("mi", of: SampleType(.distanceWalkingRunning))
    let text = try page(of: store) { $0.includesSamples = true }
    #expect(found(">mi<", "--splits mi", ">3.1<", ">km<", in: text).count == 3)
  }

  @Test("Energies of workouts and rings are in kilojoules where the owner prefers them")
  func kilojoules() throws {
    var run = workout("HKWorkoutActivityTypeRunning", day: 398)
    var energy = Workouts.Statistics()
    energy.type = HKQuantityTypeIdentifier.activeEnergyBurned.rawValue
    (energy.unit, energy.recordedUnit, energy.sum) = ("kcal", "kcal", 250)
    run.statistics.append(energy)
    let store = try store([run])
    var day = ActivitySummaries.Row()
    (day.day, day.activeEnergy, day.activeEnergyGoal) = (398, 500, 250)
    var days = ActivitySummaries()
    days.rows = [day]
    let session = try store.beginImport()
    try session.add(.activitySummaries(days))
    _ = try session.finish()
    func text() throws -> String {
      try page(of: store) { $0.sections = [.workouts, .overview] }
    }
    #expect(
      found(">kcal<", ">250<", ">500<", ">kJ<", in: try text()) == [">kcal<", ">250<", ">500<"])
    try store.setPreferredUnit("kJ", of: SampleType(.activeEnergyBurned))
    // 250 kcal are 1,046 kJ, and 500 kcal 2,092.
    let preferred = try text()
    #expect(
      found(">kJ<", ">1,046<", ">2,092<", ">kcal<", in: preferred) == [
        ">kJ<", ">1,046<", ">2,092<",
      ])
    #expect(preferred.contains("--unit km,kJ"))
  }

  @Test("Workouts alone make a page of all their days, and other samples alone one that says so")
  func alone() throws {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    let workouts = [2, 380].map { workout("HKWorkoutActivityTypeRunning", day: $0) }
    try session.add(.workouts(Workouts(workouts)))
    _ = try session.finish()
    let text = try page(of: store)
    #expect(text.contains("3 Jan 2001 – 16 Jan 2002"))
    #expect(text.contains("<section id=\"workouts\"") && !text.contains("0 measures"))

    let other = try SampleStore.temporary()
    let mindful = try other.beginImport()
    var sessions = RecordColumns(
      type: SampleType(HKCategoryTypeIdentifier.mindfulSession), source: Source(name: "Phone"))
    try sessions.append(start: 86_400, end: 90_000, value: 0, label: "")
    try mindful.add(sessions)
    _ = try mindful.finish()
    #expect(try page(of: other).contains("There is nothing to show of what was asked for."))
  }
}
