import HealthSamples

extension ElementRows {
  /// Adds a workout and its routes.
  mutating func addWorkout(_ node: ElementNode) {
    guard let facts = node.facts else { return skip(.workout, node.objectionToDates) }
    var row = Workouts.Row()
    row.facts = facts
    row.activity = node.text("workoutActivityType") ?? ""
    row.duration = node.seconds("duration")
    row.statistics = statistics(in: node, facts)
    addTotals(of: node, to: &row)
    row.events = events(in: node)
    row.activities = node.all("WorkoutActivity").compactMap { part in
      guard let start = part.date("startDate") else { return nil }
      var activity = Workouts.Activity()
      activity.identifier = part.text("uuid") ?? ""
      activity.start = start
      activity.end = part.date("endDate")
      activity.duration = part.seconds("duration")
      activity.statistics = statistics(in: part, facts)
      activity.events = events(in: part)
      activity.metadata = part.metadata
      return activity
    }
    row.zoneGroups = node.all("WorkoutZoneGroup").map(Self.zoneGroup)
    row.records = node.records
    for route in node.all("WorkoutRoute") { addRoute(route, of: row) }
    let isMended = row.mendDurations()
    let parts = row.statistics.count + row.events.count + row.activities.count * 4
    guard admit(.workout, bytes: parts * 128) else { return }
    workouts.rows.append(row)
    if isMended { impossibleDurations += 1 }
  }

  private mutating func addRoute(_ node: ElementNode, of workout: Workouts.Row) {
    guard let facts = node.facts else { return skip(.route, node.objectionToDates) }
    var row = Routes.Row()
    row.facts = facts
    row.path = node.all("FileReference").first?.text("path") ?? ""
    row.locations = node.locations
    row.activity = workout.activity
    row.workoutStart = workout.facts.start
    row.workoutEnd = workout.facts.end
    if admit(.route, bytes: node.locations.count * 64) { routes.rows.append(row) }
  }

  private mutating func statistics(
    in node: ElementNode, _ facts: ElementFacts
  ) -> [Workouts.Statistics] {
    node.all("WorkoutStatistics").compactMap { child in
      guard let type = child.text("type") else { return nil }
      var statistics = Workouts.Statistics()
      statistics.type = type
      statistics.recordedUnit = child.text("unit") ?? ""
      statistics.start = child.date("startDate") ?? facts.start
      statistics.end = child.date("endDate") ?? facts.end
      let conversion = conversions.conversion(from: statistics.recordedUnit, type: type)
      statistics.unit = conversion.unit
      func value(_ name: String) -> Double? { child.number(name).flatMap { conversion($0) } }
      statistics.sum = value("sum")
      statistics.average = value("average")
      statistics.minimum = value("minimum")
      statistics.maximum = value("maximum")
      return statistics
    }
  }

  /// Creates statistics from the attributes that exports up to iOS 15 write.
  ///
  /// They do not state the type of distance: it follows from the activity.
  private mutating func addTotals(of node: ElementNode, to row: inout Workouts.Row) {
    let totals = [
      ("totalDistance", Catalogue.distanceType(ofWorkoutActivity: row.activity)),
      ("totalEnergyBurned", HKQuantityTypeIdentifier.activeEnergyBurned),
    ]
    for (name, type) in totals {
      guard let total = node.number(name),
        !row.statistics.contains(where: { $0.type == type.rawValue })
      else { continue }
      var statistics = Workouts.Statistics()
      statistics.type = type.rawValue
      statistics.recordedUnit = node.text(name + "Unit") ?? ""
      statistics.start = row.facts.start
      statistics.end = row.facts.end
      let conversion = conversions.conversion(
        from: statistics.recordedUnit, type: type.rawValue)
      statistics.unit = conversion.unit
      statistics.sum = conversion(total)
      row.statistics.append(statistics)
    }
  }

  private func events(in node: ElementNode) -> [Workouts.Event] {
    node.all("WorkoutEvent").compactMap { child in
      guard let date = child.date("date") else { return nil }
      var event = Workouts.Event()
      event.type = child.text("type") ?? ""
      event.date = date
      event.duration = child.seconds("duration")
      event.metadata = child.metadata
      return event
    }
  }

  private static func zoneGroup(_ node: ElementNode) -> Workouts.ZoneGroup {
    var group = Workouts.ZoneGroup()
    group.type = node.text("type") ?? ""
    group.source = node.text("source") ?? ""
    group.unit = node.text("unit") ?? ""
    group.zones = node.all("WorkoutZone").map { child in
      var zone = Workouts.Zone()
      zone.minimum = child.number("minimum")
      zone.maximum = child.number("maximum")
      zone.duration = child.seconds("duration")
      return zone
    }
    return group
  }
}
