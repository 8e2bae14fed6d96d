import HealthSamples
import HealthStore
import HealthUnits
import Testing

@testable import ExportGenerator

extension TruthComparison {
  /// Workouts with totals, statistics, parts, events, zones and records inside.
  func checkWorkouts() throws {
    let found = try store.workouts().rows
    let known = truth.workouts.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
    try #require(found.count == known.count)
    for (row, workout) in zip(found, known) {
      let place: Comment = "\(workout.activity) at \(workout.start)"
      #expect(row.activity == "HKWorkoutActivityType" + workout.activity, place)
      #expect(row.facts.source.name == workout.source, place)
      #expect(row.facts.start == ImportedExport.instant(workout.start), place)
      #expect(row.facts.end == ImportedExport.instant(workout.end), place)
      #expect(row.facts.metadata.entries.count == workout.metadata, place)
      #expect(Self.agree(row.duration, workout.minutes * 60), place)
      try checkTotals(of: row, workout, place)
      if !workout.statistics.isEmpty { try check(row.statistics, workout.statistics, place) }
      try check(row.activities, workout.activities, place)
      check(row.events, workout.events, place)
      check(row.zoneGroups, workout.zones, place)
      #expect(row.records.map(\.value) == [workout.effort].compactMap(\.self), place)
    }
    try checkSamples(of: found.flatMap(\.records))
  }

  private func checkTotals(
    of row: Workouts.Row, _ workout: Truth.Workout, _ place: Comment
  ) throws {
    func total(_ name: String, _ unit: String) throws -> Double? {
      let found = row.statistics.filter { $0.type.contains(name) }
      return found.isEmpty
        ? nil : try found.reduce(0) { try $0 + conversion(from: $1.unit, to: unit)($1.sum ?? .nan) }
    }
    #expect(Self.agree(try total("Distance", "km"), workout.kilometres), place)
    #expect(Self.agree(try total("ActiveEnergyBurned", "kcal"), workout.kilocalories), place)
  }

  private func check(
    _ found: [Workouts.Statistics], _ known: [Truth.Statistics], _ place: Comment
  ) throws {
    #expect(found.map(\.type) == known.map(\.type), place)
    for (one, two) in zip(found, known) {
      #expect(one.start == ImportedExport.instant(two.start), place)
      #expect(one.end == ImportedExport.instant(two.end), place)
      let conversion = try conversion(from: two.unit, to: one.unit)
      func agree(_ found: Double?, _ known: Double?) -> Bool {
        Self.agree(found, known.map { conversion($0) })
      }
      #expect(agree(one.sum, two.sum) && agree(one.average, two.average), place)
      #expect(agree(one.minimum, two.minimum) && agree(one.maximum, two.maximum), place)
    }
  }

  private func check(
    _ found: [Workouts.Activity], _ known: [Truth.Activity], _ place: Comment
  ) throws {
    #expect(found.count == known.count, place)
    for (one, two) in zip(found, known) {
      #expect(one.start == ImportedExport.instant(two.start), place)
      #expect(one.end == ImportedExport.instant(two.end), place)
      #expect(Self.agree(one.duration, two.minutes * 60), place)
      #expect(one.events.count == two.events, place)
      try check(one.statistics, two.statistics, place)
    }
  }

  private func check(
    _ found: [Workouts.Event], _ known: [String: Truth.Events], _ place: Comment
  ) {
    let kinds = Dictionary(grouping: found) {
      String($0.type.dropFirst("HKWorkoutEventType".count))
    }
    #expect(kinds.mapValues(\.count) == known.mapValues(\.count), place)
    for (kind, events) in kinds {
      let seconds = events.reduce(0) { $0 + ($1.duration ?? 0) }
      // Each event has six digits of its own.
      #expect(
        abs(seconds - Double(known[kind]?.seconds ?? 0)) <= 0.01 * Double(events.count), place)
    }
  }

  private func check(
    _ found: [Workouts.ZoneGroup], _ known: [Truth.Zone], _ place: Comment
  ) {
    #expect(found.count == (known.isEmpty ? 0 : 1), place)
    guard let group = found.first else { return }
    #expect(group.type == "HKQuantityTypeIdentifierHeartRate" && group.unit == "count/min", place)
    #expect(group.zones.map(\.minimum) == known.map { $0.minimum.map(Double.init) }, place)
    #expect(group.zones.map(\.maximum) == known.map { $0.maximum.map(Double.init) }, place)
    for (one, two) in zip(group.zones, known) {
      #expect(Self.agree(one.duration, two.minutes * 60), place)
    }
  }

  /// Records that an element names are samples, whether they stood at top level too or not.
  func checkSamples(of links: [RecordLink]) throws {
    for (identifier, links) in Dictionary(grouping: links, by: \.type) {
      let samples = try store.samples(of: #require(Catalogue.type(identifier)))
      var known: Set<[Double]> = []
      for index in samples.starts.indices {
        known.insert([samples.starts[index], samples.ends[index], samples.values[index]])
      }
      #expect(links.allSatisfy { known.contains([$0.start, $0.end, $0.value]) }, "\(identifier)")
      #expect(links.allSatisfy { samples.sources.contains($0.source) }, "\(identifier)")
    }
  }

  /// Routes with their files and points.
  func checkRoutes() throws {
    let found = try store.routes().rows.sorted { $0.facts.start < $1.facts.start }
    let workouts = truth.workouts.sorted { $0.start < $1.start }
    if export.plan.version.routes == .file {
      #expect(found.map(\.path) == workouts.flatMap(\.routes))
    }
    let workoutStarts = Set(workouts.map { ImportedExport.instant($0.start) })
    #expect(found.allSatisfy { workoutStarts.contains($0.workoutStart) })
    let points = found.reduce(0) { $0 + $1.locations.count }
    guard export.hasSideFiles || export.plan.version.routes == .inline else {
      #expect(points == 0 && truth.routes.isEmpty)
      return
    }
    #expect(points == workouts.reduce(0) { $0 + $1.points })
    try #require(found.count == truth.routes.count)
    for (row, route) in zip(found, truth.routes.sorted { $0.start < $1.start }) {
      #expect(row.path == route.path)
      #expect(row.facts.start == ImportedExport.instant(route.start))
      #expect(row.locations.count == route.points)
      #expect(row.locations.times.first == row.facts.start)
      let ends = [0, max(0, row.locations.count - 1)]
      for (place, index) in ends.enumerated() where !row.locations.latitudes.isEmpty {
        #expect(abs(row.locations.latitudes[index] - route.latitudes[place]) <= 1e-6)
        #expect(abs(row.locations.longitudes[index] - route.longitudes[place]) <= 1e-6)
      }
    }
  }
}
