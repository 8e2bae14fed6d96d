import Foundation
import HealthAnswers
import HealthQuery
import HealthSamples
import HealthStore
import HealthUnits
import Testing
import _HealthTestSupport

@Suite("The units of workouts and rings")
struct ActivityUnitsTests {
  private let store: SampleStore

  init() throws { store = try SampleStore.temporary() }

  private func save(_ type: HKQuantityTypeIdentifier, _ unit: String, count: Int = 1) throws {
    try store.save(
      (0..<count).map { row in
        NewSample(
          type: SampleType(type), source: Source(name: "Phone"), start: Double(row) * 60,
          end: Double(row) * 60 + 60, value: 1, label: unit)
      })
  }

  private func texts(named names: [String] = []) throws -> [String] {
    let units = try store.activityUnits(named: names)
    return [units.distance.shortDescription, units.energy.shortDescription]
  }

  @Test("Without any data they are the everyday ones")
  func everyday() throws {
    #expect(try texts() == ["km", "kcal"])
  }

  @Test("They are those in which statistics answer: named, preferred, recorded")
  func likeStatistics() throws {
    func answered(_ type: HKQuantityTypeIdentifier) throws -> String {
      try store.statistics(
        StatisticsPlan(type: SampleType(type), timeZone: ZoneTimeline(.gmt))
      ).unit.description
    }
    try save(.distanceWalkingRunning, "mi", count: 3)
    try save(.activeEnergyBurned, "kJ", count: 3)
    for preferred in [nil, ("km", "Cal"), ("m", "cal"), ("yd", "kcal")] as [(String, String)?] {
      try store.setPreferredUnit(preferred?.0, of: SampleType(.distanceWalkingRunning))
      try store.setPreferredUnit(preferred?.1, of: SampleType(.activeEnergyBurned))
      let answered = try [answered(.distanceWalkingRunning), answered(.activeEnergyBurned)]
      #expect(try texts() == answered)
      #expect(answered == [preferred?.0 ?? "mi", preferred?.1 ?? "kJ"])
    }
    #expect(try texts(named: ["miles", "kJ"]) == ["mi", "kJ"])
    #expect(try texts(named: ["kcal"]) == ["yd", "kcal"])
    #expect(throws: QueryError.self) { try texts(named: ["kg"]) }
  }

  @Test("Where there are no samples, workouts and rings say what they were recorded in")
  func recorded() throws {
    var workout = Workouts.Row()
    workout.activity = "HKWorkoutActivityTypeRunning"
    workout.facts.source = Source(name: "Watch")
    (workout.facts.start, workout.facts.end) = (0, 1800)
    var distance = Workouts.Statistics()
    distance.type = HKQuantityTypeIdentifier.distanceWalkingRunning.rawValue
    (distance.unit, distance.recordedUnit, distance.sum) = ("m", "mi", 8046.72)
    (distance.start, distance.end) = (0, 1800)
    workout.statistics = [distance]
    var day = ActivitySummaries.Row()
    (day.activeEnergy, day.activeEnergyGoal, day.recordedEnergyUnit) = (500, 400, "kJ")
    var days = ActivitySummaries()
    days.rows = [day]
    let session = try store.beginImport()
    try session.add(.workouts(Workouts([workout])))
    try session.add(.activitySummaries(days))
    _ = try session.finish()
    #expect(try texts() == ["mi", "kJ"])
    // Cyclists may have no other distance.
    try save(.distanceCycling, "km")
    #expect(try texts() == ["km", "kJ"])
  }

  @Test(
    "Paces and speeds follow the distance, by the definitions of the units",
    arguments: [
      ("mi", "s/mi", 1609.344, "mi/hr", 1609.344 / 3600),
      ("ft", "s/mi", 1609.344, "mi/hr", 0.44704),
      ("km", "s/km", 1000.0, "km/hr", 1000.0 / 3600), ("m", "s/km", 1000, "m/s", 1),
    ] as [(String, String, Double, String, Double)])
  func derived(
    distance: String, pace: String, metres: Double, speed: String, metresPerSecond: Double
  ) throws {
    let units = try ActivityUnits(
      distance: UnitExpression(distance), energy: UnitExpression("kJ"))
    #expect(units.unit(of: .pace)?.description == pace)
    #expect(units.unit(of: .speed)?.description == speed)
    #expect(units.splitLength.metres == metres)
    // 300 s for a kilometre, 2 m/s, 100 kcal.
    #expect((units.value(300, of: .pace) - 300 * metres / 1000).magnitude < 1e-9)
    #expect((units.value(2, of: .speed) * metresPerSecond - 2).magnitude < 1e-12)
    #expect((units.value(100, of: .energy) - 418.4).magnitude < 1e-9)
    #expect((units.value(100, of: ActivityRing.move) - 418.4).magnitude < 1e-9)
    #expect(units.value(30, of: ActivityRing.exercise) == 30)
    #expect(units.unit(of: ActivityRing.move) == "kJ" && units.unit(of: ActivityRing.stand) == "hr")
    #expect(units.unit(of: .count) == nil && units.value(7, of: .count) == 7)
  }
}
