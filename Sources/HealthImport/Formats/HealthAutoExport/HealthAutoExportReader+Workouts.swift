import HealthSamples

extension HealthAutoExportReader {
  /// Adds a workout of either version, its route and its heart rates.
  mutating func addWorkout(_ workout: JSONValue) {
    let start = date(workout["start"])
    let zone = zone
    guard let start, let end = date(workout["end"]) else {
      return records.skip(.workout, Self.objection(toDatesOf: workout))
    }
    var row = Workouts.Row()
    row.activity = HealthAutoExportNames.activity(workout["name"]?.text ?? "")
    row.facts.source = Source(name: workout["source"]?.text ?? "")
    (row.facts.start, row.facts.end) = (start, end)
    row.duration = workout["duration"]?.number
    row.facts.metadata = Metadata(Self.metadata(of: workout))
    if !row.facts.metadata.entries.contains(where: { $0.key == Catalogue.timeZoneKey }) {
      row.facts.metadata.entries += zone
    }
    for total in HealthAutoExportNames.heartRates {
      if let value = workout["heartRate"]?[total.key] { add(value, as: total, to: &row) }
    }
    for total in HealthAutoExportNames.totals {
      if let value = workout[total.key] { add(value, as: total, to: &row) }
    }
    for key in ["heartRateData", "heartRateRecovery"] as [StaticString] {
      guard let data = workout[key]?.elements else { continue }
      for datum in data {
        addHeartRate(datum, to: &row, isInside: key.description == "heartRateData")
      }
    }
    for (name, _) in workout.members where !HealthAutoExportNames.workoutMembers.contains(name) {
      records.countUnknownAttribute(name)
    }
    records.add(row)
    if let places = workout["route"]?.elements { addRoute(places, of: row) }
  }

  /// Whether a datum is of the time of a workout, as those after its end are not.
  ///
  /// The app adds heart rates up by minutes of the clock: the first one begins before the workout.
  private mutating func isDuring(_ workout: Workouts.Row, _ datum: JSONValue) -> Bool {
    guard let start = date(datum["startDate"]) ?? date(datum["start"]) ?? date(datum["date"]) else {
      return true
    }
    let firstMinute = (workout.facts.start / 60).rounded(.down) * 60
    return firstMinute <= start && start <= workout.facts.time.upperBound
  }

  /// Adds a statistic of a workout: a quantity, or a series of them.
  private mutating func add(
    _ value: JSONValue, as total: HealthAutoExportNames.Total, to row: inout Workouts.Row
  ) {
    let type =
      total.key.description == "distance"
      ? Catalogue.distanceType(ofWorkoutActivity: row.activity) : total.type
    var parts: [(value: Double, unit: String)] = []
    for part in value.elements.map(Array.init) ?? [value] {
      guard value.elements == nil || isDuring(row, part),
        let number = (part["qty"] ?? part["Avg"])?.number,
        let unit = part["units"]?.text.map({ units.unit($0) })
      else { continue }
      parts.append((unit.spoken.stored(number), unit.text))
    }
    guard let unit = parts.first?.unit else { return }
    let converted = parts.compactMap { part in
      conversions.conversion(from: part.unit, type: type.rawValue)(part.value)
    }
    guard converted.count == parts.count else { return }
    let sum = converted.reduce(0, +)
    set(type, unit, in: &row) { statistics in
      switch total.part {
      case .sum: statistics.sum = statistics.sum ?? sum
      case .average: statistics.average = statistics.average ?? sum / Double(parts.count)
      case .minimum: statistics.minimum = statistics.minimum ?? converted.min()
      case .maximum: statistics.maximum = statistics.maximum ?? converted.max()
      }
    }
  }

  /// Updates the statistics of a type, which are added if missing.
  private mutating func set(
    _ type: HKQuantityTypeIdentifier, _ unit: String, in row: inout Workouts.Row,
    _ change: (inout Workouts.Statistics) -> Void
  ) {
    if let place = row.statistics.firstIndex(where: { $0.type == type.rawValue }) {
      return change(&row.statistics[place])
    }
    var statistics = Workouts.Statistics()
    statistics.type = type.rawValue
    statistics.recordedUnit = unit
    statistics.unit = conversions.conversion(from: unit, type: type.rawValue).unit
    (statistics.start, statistics.end) = (row.facts.start, row.facts.end)
    change(&statistics)
    row.statistics.append(statistics)
  }

  /// Adds a heart rate of a workout as a record, which may also be among the metrics.
  private mutating func addHeartRate(
    _ datum: JSONValue, to row: inout Workouts.Row, isInside: Bool
  ) {
    let type = HKQuantityTypeIdentifier.heartRate
    // Version 1 states heart rates as counts.
    let written = datum["units"]?.text.flatMap { $0 == "count" ? nil : $0 } ?? "bpm"
    let unit = units.unit(written)
    var record = record(type.rawValue, of: datum)
    if record.source.isEmpty { record.source = row.facts.source.name }
    record.unit = unit.text
    record.value = (datum["Avg"] ?? datum["qty"])?.number.map(unit.spoken.stored)
    record.metadata.entries += bounds(of: datum, unit: unit.text)
    record.isNested = true
    records.add(record)
    let conversion = conversions.conversion(from: unit.text, type: type.rawValue)
    guard isInside, isDuring(row, datum), let value = record.value,
      let least = conversion(datum["Min"]?.number ?? value),
      let greatest = conversion(datum["Max"]?.number ?? value)
    else { return }
    set(type, unit.text, in: &row) { statistics in
      statistics.minimum = min(statistics.minimum ?? least, least)
      statistics.maximum = max(statistics.maximum ?? greatest, greatest)
    }
  }

  /// The other members of a workout as metadata, under HealthKit's keys if there are any.
  private static func metadata(of workout: JSONValue) -> [Metadata.Entry] {
    var entries: [Metadata.Entry] = []
    func add(_ key: String, _ value: String?) {
      if let value { entries.append(.init(key: key, value: value)) }
    }
    for (key, name) in HealthAutoExportNames.workoutTexts { add(name, workout[key]?.plainText) }
    for (key, name) in HealthAutoExportNames.workoutQuantities {
      guard let quantity = workout[key] else { continue }
      let value = (quantity["qty"] ?? quantity).number
      add(name, value.map { "\($0)" + (quantity["units"]?.text.map { " " + $0 } ?? "") })
    }
    if let elevation = workout["elevation"] {
      let unit = elevation["units"]?.text.map { " " + $0 } ?? ""
      add("HKElevationAscended", elevation["ascent"]?.number.map { "\($0)" + unit })
      add("HKElevationDescended", elevation["descent"]?.number.map { "\($0)" + unit })
    }
    let isIndoor = workout["isIndoor"]?.flag ?? workout["location"]?.text.map { $0 == "Indoor" }
    add("HKIndoorWorkout", isIndoor.map { $0 ? "1" : "0" })
    for (key, value) in workout["metadata"]?.members ?? [] { add(key, value.plainText) }
    return entries
  }

  private mutating func addRoute(
    _ places: JSONValue.Elements, of workout: Workouts.Row
  ) {
    var row = Routes.Row()
    row.facts = workout.facts
    row.facts.metadata = Metadata()
    row.activity = workout.activity
    (row.workoutStart, row.workoutEnd) = (workout.facts.start, workout.facts.end)
    var leftOut = 0
    for place in places {
      let isAppended = row.locations.appendChecked(
        time: date(place["timestamp"]), latitude: (place["latitude"] ?? place["lat"])?.number,
        longitude: (place["longitude"] ?? place["lon"])?.number,
        altitude: place["altitude"]?.number,
        horizontalAccuracy: place["horizontalAccuracy"]?.number,
        verticalAccuracy: place["verticalAccuracy"]?.number,
        course: place["course"]?.number, speed: place["speed"]?.number)
      if !isAppended { leftOut += 1 }
    }
    if row.locations.count + leftOut > 0 { records.add(row, leftOut: leftOut) }
  }

  /// Adds an electrocardiogram.
  mutating func addElectrocardiogram(_ element: JSONValue) {
    var row = Electrocardiograms.Row()
    if let points = element["voltageMeasurements"]?.elements {
      for point in points {
        // Without one of its voltages all later ones would be at other times.
        guard let voltage = point["voltage"]?.number else {
          return records.skip(.electrocardiogram, .invalidValue)
        }
        row.voltages.append(voltage * Self.microvolts(point["units"]?.text))
      }
    }
    guard let start = date(element["start"]) ?? date(element["date"]),
      let rate = element["samplingFrequency"]?.number, rate >= 1,
      row.voltages.allSatisfy(\.isFinite)
    else { return records.skip(.electrocardiogram, .invalidDate) }
    row.facts.source = Source(name: element["source"]?.text ?? "")
    row.facts.start = start
    row.facts.end = date(element["end"]) ?? start + Double(row.voltages.count) / rate
    row.classification = element["classification"]?.text ?? ""
    row.symptoms = element["severity"]?.text ?? ""
    row.sampleRate = rate
    row.facts.metadata = Metadata(
      element["averageHeartRate"]?.number.map {
        [.init(key: "averageHeartRate", value: "\($0) count/min")]
      } ?? [])
    records.add(row)
  }

  private static func microvolts(_ unit: String?) -> Double {
    switch unit {
    case "V", nil: 1e6
    case "mV": 1e3
    default: 1
    }
  }
}
