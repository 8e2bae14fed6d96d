import Foundation
import HealthQuery
import HealthSamples
import HealthStore
import Testing
import _HealthTestSupport

@testable import HealthAnswers

@Suite("Kinds, zones and places of workouts")
struct WorkoutKindTests {
  private func store(_ batches: ImportBatch...) throws -> SampleStore {
    let store = try SampleStore.temporary()
    let session = try store.beginImport()
    for batch in batches { try session.add(batch) }
    _ = try session.finish()
    return store
  }

  @Test("The kinds that took most time stand alone, the others together", arguments: 0..<6)
  func kinds(count: Int) throws {
    var random = SplitMix64(seed: 4)
    let names = ["Running", "Cycling", "Yoga", "Rowing", "Golf"]
    var rows: [Workouts.Row] = []
    for number in 0..<90 {
      let name = names[(number * number + number / 7) % 5]
      let seconds = Double(Int.random(in: 600...6000, using: &random))
      let metres = Double(Int.random(in: 1000...20_000, using: &random))
      rows.append(
        WorkoutPlanTests.workout(
          name, start: Double(number * 4 * 86_400), seconds: seconds,
          metres: number % 3 == 2 ? nil : metres))
    }
    let store = try store(.workouts(Workouts(rows)))
    var plan = WorkoutPlan(
      ElementPeriod(
        timeZone: ZoneTimeline(try #require(.init(identifier: "UTC"))),
        interval: CalendarInterval(.month)))
    plan.kinds = count
    let answer = try store.workouts(plan)
    var totals: [String: Double] = [:]
    for row in rows { totals[row.activity, default: 0] += row.activeSeconds }
    let ranked = totals.sorted { $0.value > $1.value }.map(\.key)
    let rest = ranked.dropFirst(count)
    var expected: [String?] = Array(ranked.prefix(count))
    if !rest.isEmpty { expected.append(rest.count == 1 ? rest.first : nil) }
    #expect(answer.kinds.map(\.activity) == expected)
    for (place, kind) in answer.kinds.enumerated() {
      let meant = place < count ? [ranked[place]] : Array(rest)
      #expect(kind.total.count == rows.count { meant.contains($0.activity) })
      #expect(kind.rows.reduce(0) { $0 + $1.count } == kind.total.count)
    }
    for row in answer.rows.indices {
      let seconds = answer.kinds.compactMap { $0.rows[row].value(.duration) }.reduce(0, +)
      #expect(abs(seconds - (answer.rows[row].value(.duration) ?? 0)) < 1e-6)
    }
    plan.kinds = nil
    #expect(try store.workouts(plan).kinds.isEmpty)
  }

  @Test("A rate counts until the next one, for a minute at most, in the zone above its bound")
  func zones() {
    let workout = WorkoutPlanTests.workout("Running", start: 1000, seconds: 570)
    let rates = [(1300.0, 125.0), (990, 110), (1030, 120), (1040, 139.9), (1595, 180)].map {
      WorkoutHeartRates.Sample(start: $0.0, rate: $0.1 / 60)
    }
    // It ends at 1600.
    #expect(workout.seconds(inZones: [120, 140], among: rates) == [30, 10 + 60 + 60, 5])
    #expect(workout.seconds(inZones: [120, 140], among: []) == [0, 0, 0])
    #expect(workout.seconds(inZones: [], among: rates) == [165])
  }

  @Test("Routes lie at the first place whose middle is near, wherever the degrees are counted from")
  func places() throws {
    let towns = [(48.0, 2.0), (48.1, 2.1), (-17.0, 179.95), (-17.0, -179.95), (60.0, 10.0)]
    var workouts: [Workouts.Row] = []
    var routes: [Routes.Row] = []
    for number in 0..<24 {
      let town = towns[number % 5]
      var workout = WorkoutPlanTests.workout("Running", start: Double(number) * 1e5, seconds: 1000)
      workout.facts.end = workout.facts.start + 1000
      workouts.append(workout)
      var route = Routes.Row()
      (route.activity, route.workoutStart) = (workout.activity, workout.facts.start)
      (route.workoutEnd, route.facts.start) = (workout.facts.end, workout.facts.start)
      route.facts.end = workout.facts.end
      for step in 0..<(number == 23 ? 0 : 11) {
        route.locations.append(
          time: workout.facts.start + Double(step), latitude: town.0 + Double(step) / 10_000,
          longitude: town.1, altitude: 0)
      }
      routes.append(route)
    }
    let store = try store(.workouts(Workouts(workouts)), .routes(Routes(routes)))
    let places = try store.places(of: workouts)
    #expect(places.map(\.count) == [10, 9, 4])
    #expect(places.map(\.latitude) == [48, -17, 60])
    #expect(places.map(\.longitude) == [2, 179.95, 10])
    #expect(places.map(\.first) == [0, 2e5, 4e5])
    #expect(places.map(\.last) == [21e5, 22e5, 19e5])
    #expect(abs(places[2].distance / 4 - 111.2) < 0.5)
    let late = try store.places(of: workouts.filter { $0.facts.start > 20e5 })
    #expect(late.map(\.count) == [1, 1])
    #expect(try store.places(of: []).isEmpty)
    // Degrees that no earth has lie somewhere, too.
    var wild = RoutePlaces()
    for degrees in [1e308, -1e308, 91, -4000] {
      var locations = LocationColumns()
      locations.append(time: 0, latitude: degrees, longitude: degrees, altitude: 0)
      _ = wild.add(Track(locations), along: locations)
    }
    #expect(wild.ranked.reduce(0) { $0 + $1.count } == 4)
    #expect(wild.ranked.allSatisfy { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 })
  }
}
