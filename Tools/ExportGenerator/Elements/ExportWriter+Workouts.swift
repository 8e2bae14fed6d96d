extension ExportWriter where Sink: ~Copyable {
  /// Writes the workouts of a day in the shape of the version: totals in attributes until iOS 15,
  /// statistics and activities since.
  mutating func writeWorkouts(of day: DayPlan) throws(OutputError) {
    for workout in plan.workouts(of: day) {
      let metadata = appendOpening(of: workout, day: day)
      let events = WorkoutEvent.events(of: workout)
      for event in events { append(event, depth: 2) }
      let hasParts = plan.version.hasWorkoutStatistics && workout.writer == .watch
      let activities =
        hasParts ? workout.parts.map { append($0, of: workout, events: events) } : []
      let statistics =
        plan.version.hasWorkoutStatistics && !workout.isBare ? workout.statistics : []
      for item in statistics { append(item, depth: 2) }
      let hasZones = plan.version.hasZones && workout.writer == .watch
      if hasZones { appendZones(of: workout) }
      try writeRoutes(of: workout, day: day)
      appendEffort(of: workout, day: day)
      text.append(" </Workout>\n")
      count("Workout")
      note(
        workout, statistics: statistics.map(\.truth), activities: activities, events: events,
        zones: hasZones ? workout.zones : [], metadata: metadata)
      try emptyIfFull()
    }
  }

  /// Appends attributes and metadata; gives the number of the latter.
  private mutating func appendOpening(of workout: WorkoutPlan, day: DayPlan) -> Int {
    text.append(" <Workout workoutActivityType=\"HKWorkoutActivityType")
    text.append(workout.activity)
    text.append("\" duration=\"")
    text.append(sixDigits: Double(workout.seconds) / 60)
    text.append("\" durationUnit=\"min\"")
    if !plan.version.hasWorkoutStatistics && !workout.isBare {
      if let distance = workout.distance {
        appendTotal("Distance", distance, .kilometres)
      }
      appendTotal("EnergyBurned", workout.energy, .kilocalories)
    }
    appendSource(workout.writer, on: day)
    devices.append(
      workout.writer, version: workout.writer.versionIndex(at: day.progress), to: &text)
    text.append(
      created: plan.created(workout), start: workout.start, end: workout.end,
      offset: plan.offset)
    text.append(">\n")
    let before = truth.elements["MetadataEntry", default: 0]
    appendMetadata(of: workout)
    return truth.elements["MetadataEntry", default: 0] - before
  }

  /// Totals have all digits of a number.
  private mutating func appendTotal(_ name: StaticString, _ value: Double, _ unit: RecordUnit) {
    let written = unit.written(plan.preference)
    text.append(" total")
    text.append(name)
    text.append("=\"")
    text.append(verbatim: "\(value * written.factor)")
    text.append("\" total")
    text.append(name)
    text.append("Unit=\"")
    text.append(written.escapedText)
    text.append("\"")
  }

  private mutating func appendMetadata(of workout: WorkoutPlan) {
    append(metadata: "HKIndoorWorkout", workout.isIndoor ? "1" : "0")
    text.append(metadata: "HKTimeZone", depth: 2)
    text.append(verbatim: plan.timeline.zoneName)
    text.append("\"/>\n")
    text.append(metadata: "HKAverageMETs", depth: 2)
    text.append(sixDigits: 9 + Double(workout.start % 20) / 10)
    text.append(" kcal/hr·kg\"/>\n")
    if workout.activity.description == "Swimming" {
      append(metadata: "HKLapLength", "25 m")
      append(metadata: "HKSwimmingLocationType", "1")
    } else if !workout.isIndoor {
      text.append(metadata: "HKElevationAscended", depth: 2)
      text.append(whole: workout.start % 9_000)
      text.append(" cm\"/>\n")
      append(metadata: "HKWeatherTemperature", "37.5312 degF")
      append(metadata: "HKWeatherHumidity", "8600 %")
      count("MetadataEntry")
    }
    count("MetadataEntry", 2)
  }

  private mutating func append(metadata key: StaticString, _ value: StaticString) {
    text.append(metadata: key, depth: 2)
    text.append(value)
    text.append("\"/>\n")
    count("MetadataEntry")
  }

  private mutating func append(_ event: WorkoutEvent, depth: Int) {
    text.append(indent: depth)
    text.append("<WorkoutEvent type=\"HKWorkoutEventType")
    text.append(event.type)
    text.append("\" date=\"")
    text.append(date: event.start, offset: plan.offset)
    if event.seconds > 0, plan.version.hasEventDurations {
      text.append("\" duration=\"")
      text.append(sixDigits: Double(event.seconds) / 60)
      text.append("\" durationUnit=\"min")
    }
    text.append("\"/>\n")
    count("WorkoutEvent")
  }

  private mutating func append(
    _ part: WorkoutPlan.Part, of workout: WorkoutPlan, events: [WorkoutEvent]
  ) -> Truth.Activity {
    let minutes = Double(workout.seconds(in: part.range)) / 60
    let events = events.filter { part.range.contains($0.start) }
    let statistics = workout.statistics(of: part)
    text.append("  <WorkoutActivity uuid=\"")
    text.append(verbatim: UniqueName(seed: UInt64(bitPattern: Int64(part.range.lowerBound))).text)
    text.append("\" startDate=\"")
    text.append(date: part.range.lowerBound, offset: plan.offset)
    text.append("\" endDate=\"")
    text.append(date: part.range.upperBound, offset: plan.offset)
    text.append("\" duration=\"")
    text.append(sixDigits: minutes)
    text.append("\" durationUnit=\"min\">\n")
    for event in events { append(event, depth: 3) }
    for item in statistics { append(item, depth: 3) }
    text.append("  </WorkoutActivity>\n")
    count("WorkoutActivity")
    return Truth.Activity(
      start: part.range.lowerBound, end: part.range.upperBound, minutes: minutes,
      statistics: statistics.map(\.truth), events: events.count)
  }

  private mutating func note(
    _ workout: WorkoutPlan, statistics: [Truth.Statistics], activities: [Truth.Activity],
    events: [WorkoutEvent], zones: [Truth.Zone], metadata: Int
  ) {
    let isBare = workout.isBare
    let effort = workout.effort(in: plan.version)
    let hasFiles = plan.version.routes == .file
    truth.workouts.append(
      Truth.Workout(
        activity: workout.activity.description, source: workout.writer.name,
        start: workout.start, end: workout.end, minutes: Double(workout.seconds) / 60,
        kilometres: isBare ? nil : workout.distance,
        kilocalories: isBare ? nil : workout.energy, statistics: statistics,
        activities: activities, events: kinds(of: events), zones: zones, metadata: metadata,
        routes: hasFiles ? workout.routedParts.map(plan.path(ofRoute:)) : [],
        points: plan.version.routes == .missing
          ? 0 : workout.routedParts.reduce(0) { $0 + workout.seconds(in: $1.range) },
        effort: effort?.score, isEffortAtTopLevel: effort?.isAtTopLevel ?? false))
    guard let earlier = plan.earlier else { return }
    let before = truth.changes?["Workout"]
    var changes = before ?? Truth.Changes()
    let wasThere = plan.timeline.clock(at: workout.start).day < earlier.days
    changes.both += wasThere ? 1 : 0
    changes.onlyLater += wasThere ? 0 : 1
    changes.replaced += workout.correction == 1 || isBare ? 0 : 1
    truth.changes?["Workout"] = changes
  }

  private func kinds(of events: [WorkoutEvent]) -> [String: Truth.Events] {
    events.reduce(into: [:]) { kinds, event in
      kinds[event.type.description, default: Truth.Events()].count += 1
      if plan.version.hasEventDurations {
        kinds[event.type.description, default: Truth.Events()].seconds += event.seconds
      }
    }
  }
}
