extension ExportWriter where Sink: ~Copyable {
  /// Writes the workouts of a day in the shape of the version: totals in attributes until iOS 15,
  /// statistics and activities since.
  mutating func writeWorkouts(of day: DayPlan) throws(OutputError) {
    for workout in plan.workouts(of: day) {
      appendOpening(of: workout, day: day)
      let events = WorkoutEvent.events(of: workout)
      if plan.version.hasWorkoutStatistics && workout.writer == .watch {
        for part in workout.parts { appendActivity(part, of: workout, events: events) }
      }
      if plan.version.hasWorkoutStatistics && !workout.isBare { appendStatistics(of: workout) }
      if plan.version.hasZones && workout.writer == .watch { appendZones(of: workout) }
      try writeRoutes(of: workout, day: day)
      appendEffort(of: workout, day: day)
      text.append(" </Workout>\n")
      count("Workout")
      note(workout, events: events.count)
      try emptyIfFull()
    }
  }

  private mutating func appendOpening(of workout: WorkoutPlan, day: DayPlan) {
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
    appendMetadata(of: workout)
    for event in WorkoutEvent.events(of: workout) { append(event, depth: 2) }
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

  private mutating func appendActivity(
    _ part: WorkoutPlan.Part, of workout: WorkoutPlan, events: [WorkoutEvent]
  ) {
    text.append("  <WorkoutActivity uuid=\"")
    text.append(verbatim: UniqueName(seed: UInt64(bitPattern: Int64(part.range.lowerBound))).text)
    text.append("\" startDate=\"")
    text.append(date: part.range.lowerBound, offset: plan.offset)
    text.append("\" endDate=\"")
    text.append(date: part.range.upperBound, offset: plan.offset)
    text.append("\" duration=\"")
    text.append(sixDigits: Double(workout.seconds(in: part.range)) / 60)
    text.append("\" durationUnit=\"min\">\n")
    for event in events where part.range.contains(event.start) { append(event, depth: 3) }
    appendStatistics(of: part, in: workout, depth: 3)
    text.append("  </WorkoutActivity>\n")
    count("WorkoutActivity")
  }

  private mutating func note(_ workout: WorkoutPlan, events: Int) {
    let isBare = workout.isBare
    let hasStatistics = plan.version.hasWorkoutStatistics && !isBare
    let effort = workout.effort(in: plan.version)
    let hasFiles = plan.version.routes == .file
    truth.workouts.append(
      Truth.Workout(
        activity: workout.activity.description, source: workout.writer.name,
        start: workout.start, end: workout.end, minutes: Double(workout.seconds) / 60,
        kilometres: isBare ? nil : workout.distance,
        kilocalories: isBare ? nil : workout.energy,
        steps: hasStatistics && workout.steps > 0 ? workout.steps : nil,
        averageHeartRate: hasStatistics ? workout.heartRate : nil,
        parts: plan.version.hasWorkoutStatistics && workout.writer == .watch
          ? workout.parts.count : 0,
        events: events, routes: hasFiles ? workout.routedParts.map(plan.path(ofRoute:)) : [],
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
}
