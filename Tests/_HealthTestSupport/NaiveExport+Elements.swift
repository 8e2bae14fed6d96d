public import HealthSamples
import HealthUnits

/// What the elements of an export mean, one rule after the other.
extension NaiveExport {
  public var workouts: [Workouts.Row] { writtenWorkouts.map(Self.possible) }

  /// How many workouts have a duration that is not possible, or end before they start.
  public var impossibleDurations: Int {
    writtenWorkouts.count { Self.possible($0) != $0 || $0.facts.end < $0.facts.start }
  }

  /// A workout none of whose durations is negative, or longer than from start to end and the second
  /// by which dates are rounded.
  private static func possible(_ workout: Workouts.Row) -> Workouts.Row {
    func possible(_ duration: Double?, _ span: Double) -> Double? {
      duration.map { $0 < 0 || $0 > max(0, span) + 1 ? max(0, span) : $0 }
    }
    var workout = workout
    workout.duration = possible(workout.duration, workout.facts.end - workout.facts.start)
    for (place, part) in workout.activities.enumerated() {
      workout.activities[place].duration = possible(
        part.duration, (part.end ?? workout.facts.end) - part.start)
    }
    return workout
  }

  private var writtenWorkouts: [Workouts.Row] {
    all("Workout").compactMap { node in
      guard let facts = node.facts else { return nil }
      var row = Workouts.Row()
      row.facts = facts
      row.activity = node["workoutActivityType"] ?? ""
      row.duration = node.seconds("duration")
      row.statistics = node.statistics(facts.start, facts.end)
      let energy = "HKQuantityTypeIdentifierActiveEnergyBurned"
      for (name, type) in [("totalDistance", row.distanceType), ("totalEnergyBurned", energy)] {
        guard let total = node.number(name) else { continue }
        if row.statistics.contains(where: { $0.type == type }) { continue }
        var statistics = Workouts.Statistics()
        statistics.type = type
        statistics.recordedUnit = node[name + "Unit"] ?? ""
        (statistics.start, statistics.end) = (facts.start, facts.end)
        (statistics.sum, statistics.unit) = Self.canonical(total, statistics.recordedUnit, type)
        row.statistics.append(statistics)
      }
      row.events = node.events
      for part in node.children where part.name == "WorkoutActivity" {
        guard let start = part.date("startDate") else { continue }
        var activity = Workouts.Activity()
        activity.identifier = part["uuid"] ?? ""
        activity.start = start
        activity.end = part.date("endDate")
        activity.duration = part.seconds("duration")
        activity.statistics = part.statistics(facts.start, facts.end)
        activity.events = part.events
        activity.metadata = part.metadata
        row.activities.append(activity)
      }
      for child in node.children where child.name == "WorkoutZoneGroup" {
        var group = Workouts.ZoneGroup()
        group.type = child["type"] ?? ""
        group.source = child["source"] ?? ""
        group.unit = child["unit"] ?? ""
        for inner in child.children {
          var zone = Workouts.Zone()
          zone.minimum = inner.number("minimum")
          zone.maximum = inner.number("maximum")
          zone.duration = inner.seconds("duration")
          group.zones.append(zone)
        }
        row.zoneGroups.append(group)
      }
      row.records = node.records.map(Self.link)
      return row
    }
  }

  public var routes: [Routes.Row] {
    all("Workout").flatMap { node -> [Routes.Row] in
      guard let workout = node.facts else { return [] }
      return node.children.filter { $0.name == "WorkoutRoute" }.compactMap { child in
        guard let facts = child.facts else { return nil }
        var row = Routes.Row()
        row.facts = facts
        row.path = child.children.first { $0.name == "FileReference" }?["path"] ?? ""
        row.activity = node["workoutActivityType"] ?? ""
        (row.workoutStart, row.workoutEnd) = (workout.start, workout.end)
        for place in child.children where place.name == "Location" {
          guard let time = place.date("date"), let latitude = place.number("latitude"),
            let longitude = place.number("longitude"), abs(latitude) <= 90, abs(longitude) <= 180
          else { continue }
          row.locations.append(
            time: time, latitude: latitude, longitude: longitude,
            altitude: place.number("altitude"),
            horizontalAccuracy: place.number("horizontalAccuracy"),
            verticalAccuracy: place.number("verticalAccuracy"), course: place.number("course"),
            speed: place.number("speed"))
        }
        return row
      }
    }
  }

  public var correlations: [Correlations.Row] {
    all("Correlation").compactMap { node in
      guard let facts = node.facts, let type = node["type"] else { return nil }
      var row = Correlations.Row()
      (row.facts, row.type) = (facts, type)
      row.members = node.records.map(Self.link)
      return row
    }
  }

  public var activitySummaries: [ActivitySummaries.Row] {
    all("ActivitySummary").compactMap { node in
      guard let midnight = NaiveText.date((node["dateComponents"] ?? "") + " 00:00:00 +0000") else {
        return nil
      }
      let energy = "HKQuantityTypeIdentifierActiveEnergyBurned"
      let unit = node["activeEnergyBurnedUnit"] ?? ""
      func energyOf(_ name: String) -> Double? {
        node.number(name).flatMap { Self.canonical($0, unit, energy).value }
      }
      var row = ActivitySummaries.Row()
      row.day = Int(midnight / 86_400)
      row.activeEnergy = energyOf("activeEnergyBurned")
      row.activeEnergyGoal = energyOf("activeEnergyBurnedGoal")
      row.recordedEnergyUnit = unit
      row.moveMinutes = node.number("appleMoveTime") ?? node.number("appleMoveMinutes")
      row.moveMinutesGoal = node.number("appleMoveTimeGoal") ?? node.number("appleMoveMinutesGoal")
      row.exerciseMinutes = node.number("appleExerciseTime")
      row.exerciseMinutesGoal = node.number("appleExerciseTimeGoal")
      row.standHours = node.number("appleStandHours")
      row.standHoursGoal = node.number("appleStandHoursGoal")
      return row
    }
  }

  public var audiograms: [Audiograms.Row] {
    all("Audiogram").compactMap { node in
      guard let facts = node.facts else { return nil }
      var row = Audiograms.Row()
      row.facts = facts
      row.type = node["type"] ?? ""
      for child in node.children where child.name == "SensitivityPoint" {
        let factor = child["frequencyUnit"] == "kHz" ? 1000.0 : 1
        guard let frequency = child.number("frequencyValue"), (frequency * factor).isFinite else {
          continue
        }
        var point = Audiograms.Point()
        point.frequency = frequency * factor
        for (side, ear) in [("left", \Audiograms.Point.left), ("right", \.right)] {
          point[keyPath: ear].sensitivity = child.number(side + "EarValue")
          let masked = child[side + "EarMasked"]?.lowercased() ?? ""
          if ["1", "true", "yes"].contains(masked) { point[keyPath: ear].isMasked = true }
          if ["0", "false", "no"].contains(masked) { point[keyPath: ear].isMasked = false }
          let range = side + "EarClampingRange"
          point[keyPath: ear].clampingLowerBound = child.number(range + "LowerBound")
          point[keyPath: ear].clampingUpperBound = child.number(range + "UpperBound")
        }
        row.points.append(point)
      }
      return row
    }
  }

  public var visionPrescriptions: [VisionPrescriptions.Row] {
    let names =
      "sphere cylinder axis add vertex prismAmount prismAngle farPD nearPD baseCurve diameter"
    return all("VisionPrescription").compactMap { node in
      guard let issued = node.date("dateIssued") else { return nil }
      func eye(_ name: String) -> [VisionPrescriptions.Parameter] {
        guard let eye = node.children.first(where: { $0.name == name }) else { return [] }
        return names.split(separator: " ").map(String.init).compactMap { name in
          eye.number(name).map { .init(name: name, value: $0, unit: eye[name + "Unit"] ?? "") }
        }
      }
      var row = VisionPrescriptions.Row()
      row.type = node["type"] ?? ""
      row.issued = issued
      row.expires = node.date("expirationDate")
      row.brand = node["brand"] ?? ""
      (row.rightEye, row.leftEye) = (eye("RightEye"), eye("LeftEye"))
      row.attachments = node.children.filter { $0.name == "Attachment" }.compactMap {
        $0["identifier"]
      }
      row.metadata = node.metadata
      return row
    }
  }

  public var clinicalRecords: [ClinicalRecords.Row] {
    all("ClinicalRecord").compactMap { node in
      guard let received = node.date("receivedDate") else { return nil }
      var row = ClinicalRecords.Row()
      row.type = node["type"] ?? ""
      row.identifier = node["identifier"] ?? ""
      row.source = Source(name: node["sourceName"] ?? "")
      row.sourceURL = node["sourceURL"] ?? ""
      row.version = node["fhirVersion"] ?? ""
      row.received = received
      row.path = node["resourceFilePath"] ?? ""
      return row
    }
  }

  /// What each element `Me` tells, in no order.
  public var characteristics: [[String: String]] { all("Me").map(\.attributes) }

  /// Beats in seconds after the start of their record.
  public var beatLists: [BeatLists.Row] {
    beats.map { list in
      var row = BeatLists.Row(record: Self.link(list.record))
      var last = (list.record.start + list.offset) * 1000
      var elapsed = 0.0
      for (index, (rate, time)) in list.beats.enumerated() {
        // Of all hours the one that brings the beat nearest to the last one; of the first beat of
        // all quarters of an hour, by which zones differ.
        let period = index == 0 ? 900_000.0 : 3_600_000
        let time = Self.milliseconds(time) ?? 0
        var step = time - last
        while step >= period / 2 { step -= period }
        while step < -period / 2 { step += period }
        elapsed += step
        last = time
        row.offsets.append(elapsed / 1000)
        row.rates.append(rate)
      }
      return row
    }
  }

  static func hasTime(_ text: String) -> Bool { milliseconds(text) != nil }

  /// Milliseconds after the full hour: groups of digits are hours, minutes, seconds, a fraction.
  private static func milliseconds(_ text: String) -> Double? {
    let groups = text.unicodeScalars.split { $0.properties.numericType != .decimal }.map { group in
      group.map { Int($0.properties.numericValue ?? 0) }
    }
    guard (3...4).contains(groups.count), groups[1].count <= 2, groups[2].count <= 2 else {
      return nil
    }
    let numbers = groups.map { $0.reduce(0) { $0 * 10 + $1 } }
    guard numbers[1] < 60, numbers[2] <= 60 else { return nil }
    var milliseconds = 0
    if groups.count == 4 {
      for place in 0..<3 {
        milliseconds = milliseconds * 10 + (place < groups[3].count ? groups[3][place] : 0)
      }
    }
    return Double((numbers[1] * 60 + numbers[2]) * 1000 + milliseconds)
  }

  private func all(_ name: String) -> [Node] { nodes.filter { $0.name == name } }

  private static func link(_ record: Record) -> RecordLink {
    RecordLink(
      type: record.type,
      source: Source(name: record.source, isUserEntered: record.isUserEntered),
      start: record.start, end: record.end,
      value: canonical(record.value, record.label, record.type).value ?? record.value,
      label: record.label)
  }

  /// A value in the canonical unit of a type, and that unit.
  static func canonical(
    _ value: Double, _ unit: String, _ type: String
  ) -> (value: Double?, unit: String) {
    guard let canonical = Catalogue.type(type)?.canonicalUnit,
      let recorded = try? UnitExpression(unit),
      let conversion = try? UnitConversion(from: recorded, to: canonical)
    else { return (value, unit) }
    let converted = conversion(value)
    return (converted.isFinite ? converted : nil, canonical.text(in: .healthKit))
  }
}

extension Workouts.Row {
  fileprivate var distanceType: String {
    let activity = String(activity.dropFirst("HKWorkoutActivityType".count))
    let types = [
      "Cycling": "DistanceCycling", "HandCycling": "DistanceCycling",
      "Swimming": "DistanceSwimming", "WheelchairWalkPace": "DistanceWheelchair",
      "WheelchairRunPace": "DistanceWheelchair", "DownhillSkiing": "DistanceDownhillSnowSports",
      "Snowboarding": "DistanceDownhillSnowSports", "SnowSports": "DistanceDownhillSnowSports",
    ]
    return "HKQuantityTypeIdentifier" + (types[activity] ?? "DistanceWalkingRunning")
  }
}

extension NaiveExport.Node {
  fileprivate subscript(name: String) -> String? {
    attributes[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  fileprivate func number(_ name: String) -> Double? { self[name].flatMap(NaiveText.number) }

  fileprivate func date(_ name: String) -> Double? { self[name].flatMap(NaiveText.date) }

  fileprivate func seconds(_ name: String) -> Double? {
    let factors = ["min": 60.0, "hr": 3600, "d": 86_400]
    guard let value = number(name) else { return nil }
    guard let unit = self[name + "Unit"] else {
      let start = date("startDate") ?? 0
      let isMinutes = value * 60 <= ((date("endDate") ?? -.infinity) - start) * 1.01 + 1
      return isMinutes && date("startDate") != nil ? value * 60 : value
    }
    let seconds = unit == "ms" ? value / 1000 : value * (factors[unit] ?? 1)
    return seconds.isFinite ? seconds : nil
  }

  fileprivate var metadata: Metadata {
    Metadata(
      children.filter { $0.name == "MetadataEntry" }.compactMap { child in
        child["key"].map { .init(key: $0, value: child["value"] ?? "") }
      })
  }

  fileprivate var facts: ElementFacts? {
    guard let start = date("startDate"), let end = date("endDate") else { return nil }
    var facts = ElementFacts()
    facts.metadata = metadata
    let isUserEntered = facts.metadata.entries.contains {
      $0.key == "HKWasUserEntered" && ["1", "true", "yes"].contains($0.value.lowercased())
    }
    facts.source = Source(name: self["sourceName"] ?? "", isUserEntered: isUserEntered)
    facts.origin = Origin(
      sourceVersion: self["sourceVersion"] ?? "", device: NaiveText.device(self["device"] ?? ""))
    if let created = date("creationDate") { facts.created = created }
    (facts.start, facts.end) = (start, end)
    return facts
  }

  fileprivate func statistics(
    _ start: Double, _ end: Double
  ) -> [Workouts.Statistics] {
    children.filter { $0.name == "WorkoutStatistics" }.compactMap { child in
      guard let type = child["type"] else { return nil }
      var row = Workouts.Statistics()
      row.type = type
      row.recordedUnit = child["unit"] ?? ""
      row.unit = NaiveExport.canonical(0, row.recordedUnit, type).unit
      row.start = child.date("startDate") ?? start
      row.end = child.date("endDate") ?? end
      func value(_ name: String) -> Double? {
        child.number(name).flatMap { NaiveExport.canonical($0, row.recordedUnit, type).value }
      }
      row.sum = value("sum")
      row.average = value("average")
      row.minimum = value("minimum")
      row.maximum = value("maximum")
      return row
    }
  }

  fileprivate var events: [Workouts.Event] {
    children.filter { $0.name == "WorkoutEvent" }.compactMap { child in
      guard let date = child.date("date") else { return nil }
      var event = Workouts.Event()
      event.type = child["type"] ?? ""
      event.date = date
      event.duration = child.seconds("duration")
      event.metadata = child.metadata
      return event
    }
  }
}
