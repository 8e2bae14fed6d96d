import HealthSamples

extension HealthAutoExportReader {
  /// Adds a workout of either version, and its route.
  mutating func addWorkout(_ workout: JSONText.Value) {
    counts.elements[.workout, default: TypeCount()].read += 1
    guard let start = date(workout["start"]), let end = date(workout["end"]) else {
      counts.elements[.workout, default: TypeCount()].skipped[.invalidDate, default: 0] += 1
      return
    }
    var row = WorkoutColumns.Row()
    row.activity = HealthAutoExportNames.activity(workout["name"]?.text ?? "")
    row.facts.source = Source(name: workout["source"]?.text ?? "")
    (row.facts.start, row.facts.end) = (start, end)
    row.duration = workout["duration"]?.number
    var conversions = UnitConversions()
    for (key, known) in Self.totals {
      let type = key == "distance" ? ElementRows.distanceType(of: row.activity) : known
      guard let total = workout[key], let value = (total["qty"] ?? total).number,
        let unit = total["units"]?.text,
        !row.statistics.contains(where: { $0.type == type.rawValue })
      else { continue }
      let spelling = HealthAutoExportNames.unit(unit)
      let conversion = conversions.conversion(from: spelling.name, type: type.rawValue)
      var statistics = WorkoutColumns.Statistics()
      statistics.type = type.rawValue
      statistics.recordedUnit = spelling.name
      statistics.unit = conversion.unit
      (statistics.start, statistics.end) = (start, end)
      let converted = conversion(value * spelling.factor)
      if Self.averages.contains(key) {
        statistics.average = converted
      } else {
        statistics.sum = converted
      }
      row.statistics.append(statistics)
    }
    row.facts.metadata = Metadata(
      ["id", "name", "location", "isIndoor", "intensity"].compactMap { key in
        workout[key].flatMap(Self.text).map { Metadata.Entry(key: key, value: $0) }
      })
    workouts.rows.append(row)
    addRoute(workout["route"]?.elements ?? [], of: row)
  }

  private static let totals: [(String, HKQuantityTypeIdentifier)] = [
    ("activeEnergyBurned", .activeEnergyBurned), ("activeEnergy", .activeEnergyBurned),
    ("distance", .distanceWalkingRunning),
    ("stepCount", .stepCount), ("flightsClimbed", .flightsClimbed),
    ("totalSwimmingStrokeCount", .swimmingStrokeCount), ("avgHeartRate", .heartRate),
  ]
  private static let averages: Set = ["avgHeartRate"]

  private static func text(_ value: JSONText.Value) -> String? {
    switch value {
    case .bool(let flag): String(flag)
    case .number(let number): String(number)
    default: value.text
    }
  }

  private mutating func addRoute(_ places: [JSONText.Value], of workout: WorkoutColumns.Row) {
    guard !places.isEmpty else { return }
    var row = RouteColumns.Row()
    row.facts = workout.facts
    row.facts.metadata = Metadata()
    row.activity = workout.activity
    row.workoutStart = workout.facts.start
    row.workoutEnd = workout.facts.end
    for place in places {
      guard let time = date(place["timestamp"]),
        let latitude = (place["latitude"] ?? place["lat"])?.number,
        let longitude = (place["longitude"] ?? place["lon"])?.number, abs(latitude) <= 90,
        abs(longitude) <= 180
      else { continue }
      row.locations.append(
        time: time, latitude: latitude, longitude: longitude,
        altitude: place["altitude"]?.number ?? 0,
        horizontalAccuracy: place["horizontalAccuracy"]?.number ?? LocationColumns.unknown,
        verticalAccuracy: place["verticalAccuracy"]?.number ?? LocationColumns.unknown,
        course: place["course"]?.number ?? LocationColumns.unknown,
        speed: place["speed"]?.number ?? LocationColumns.unknown)
    }
    counts.elements[.route, default: TypeCount()].read += 1
    routes.rows.append(row)
  }

  /// Adds an electrocardiogram.
  mutating func addElectrocardiogram(_ element: JSONText.Value) {
    counts.elements[.electrocardiogram, default: TypeCount()].read += 1
    let voltages = (element["voltageMeasurements"]?.elements ?? []).compactMap { point in
      point["voltage"]?.number.map { $0 * Self.microvolts(point["units"]?.text) }
    }
    guard let start = date(element["start"]) ?? date(element["date"]),
      let rate = element["samplingFrequency"]?.number, rate >= 1,
      voltages.allSatisfy(\.isFinite)
    else {
      counts.elements[.electrocardiogram, default: TypeCount()]
        .skipped[.invalidDate, default: 0] += 1
      return
    }
    var row = ElectrocardiogramColumns.Row()
    row.facts.source = Source(name: element["source"]?.text ?? "")
    row.facts.start = start
    row.facts.end = date(element["end"]) ?? start + Double(voltages.count) / rate
    row.classification = element["classification"]?.text ?? ""
    row.sampleRate = rate
    row.voltages = voltages
    electrocardiograms.rows.append(row)
  }

  private static func microvolts(_ unit: String?) -> Double {
    switch unit {
    case "V", nil: 1e6
    case "mV": 1e3
    default: 1
    }
  }
}
