import GRDB
import HealthSamples

extension HealthConnectReader {
  /// Adds exercises with their laps, segments and routes.
  mutating func add(
    _ exercises: [(number: Int64, record: RecordCollector.Record, type: Int)], _ database: Database
  ) throws {
    guard let first = exercises.first?.number, let last = exercises.last?.number else { return }
    let events = try events(of: first...last, database)
    let routes = try routes(of: first...last, database)
    for (number, record, type) in exercises {
      guard let start = record.start, let end = record.end else {
        records.skip(.workout, .invalidDate)
        continue
      }
      var row = Workouts.Row()
      row.activity = HealthConnectTables.activity(type)
      row.facts.source = Source(
        name: record.source, isUserEntered: record.metadata.isUserEntered)
      row.facts.origin = record.origin
      row.facts.created = record.created
      (row.facts.start, row.facts.end) = (start, end)
      row.facts.metadata = record.metadata
      row.events = events[number] ?? []
      row.statistics = totals.statistics(of: number, row, &conversions)
      records.add(row)
      guard let locations = routes[number] else { continue }
      var route = Routes.Row()
      route.facts = row.facts
      route.facts.metadata = Metadata()
      route.activity = row.activity
      (route.workoutStart, route.workoutEnd) = (start, end)
      route.locations = locations.read
      records.add(route, leftOut: locations.leftOut)
    }
  }

  /// Laps and segments as events, by the id of their exercise.
  private func events(
    of range: ClosedRange<Int64>, _ database: Database
  ) throws -> [Int64: [Workouts.Event]] {
    var events: [Int64: [Workouts.Event]] = [:]
    let parts = [
      (HealthConnectTables.laps, "lap", "HKWorkoutEventTypeLap", ["lap_length"]),
      (
        HealthConnectTables.segments, "segment", "HKWorkoutEventTypeSegment",
        ["segment_type", "repetitions_count"]
      ),
    ]
    for (table, name, type, details) in parts {
      try children(
        in: table, of: range, ["\(name)_start_time", "\(name)_end_time"], details, database
      ) { parent, row in
        guard let start = Self.instant(row[1]), let end = Self.instant(row[2]) else { return }
        var event = Workouts.Event()
        event.type = type
        event.date = start
        event.duration = end - start
        for (place, key) in details.enumerated() {
          guard let value = Self.number(row[place + 3]), value != 0 else { continue }
          event.metadata.entries.append(.init(key: key, value: "\(value)"))
        }
        if events[parent]?.count ?? 0 < ElementBuilder.mostParts {
          events[parent, default: []].append(event)
        }
      }
    }
    return events
  }

  /// The locations of exercises, by the id of the exercise.
  private func routes(
    of range: ClosedRange<Int64>, _ database: Database
  ) throws -> [Int64: (read: LocationColumns, leftOut: Int)] {
    var routes: [Int64: (read: LocationColumns, leftOut: Int)] = [:]
    try children(
      in: HealthConnectTables.routes, of: range, ["timestamp_millis", "latitude", "longitude"],
      ["altitude", "horizontal_accuracy", "vertical_accuracy"], database
    ) { parent, row in
      func optional(_ place: Int) -> Double? {
        Self.number(row[place]).flatMap { $0 == .leastNonzeroMagnitude ? nil : $0 }
      }
      let isAppended =
        routes[parent]?.read.count ?? 0 < ElementBuilder.mostLocations
        && routes[parent, default: (LocationColumns(), 0)].read.appendChecked(
          time: Self.instant(row[1]), latitude: Self.number(row[2]),
          longitude: Self.number(row[3]), altitude: optional(4), horizontalAccuracy: optional(5),
          verticalAccuracy: optional(6))
      if !isAppended { routes[parent, default: (LocationColumns(), 0)].leftOut += 1 }
    }
    return routes
  }

  /// Visits the child rows of some records, in the order of the first column; none if the table
  /// lacks a required column.
  private func children(
    in table: String, of range: ClosedRange<Int64>, _ needed: [String], _ optional: [String],
    _ database: Database, _ body: (Int64, Row) -> Void
  ) throws {
    guard let columns = self.database.tables[table], columns.contains("parent_key"),
      columns.isSuperset(of: needed)
    else { return }
    let list = needed + optional.map { columns.contains($0) ? $0 : "NULL" }
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT parent_key, \(list.joined(separator: ", ")) FROM \(table)
        WHERE parent_key BETWEEN ? AND ? ORDER BY parent_key, \(needed[0])
        """, arguments: [range.lowerBound, range.upperBound])
    while let row = try rows.next() {
      self.database.budget.renew()
      if let parent = Int64.fromDatabaseValue(row[0]) { body(parent, row) }
    }
  }
}
