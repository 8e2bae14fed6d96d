extension ExportWriter where Sink: ~Copyable {
  /// Appends the runs of a day as iOS 16 writes workouts: statistics instead of totals, and an
  /// activity that repeats them.
  mutating func appendWorkouts(of day: DayPlan) {
    for run in day.walks where run.isRun && run.isWatchWorn {
      text.append(" <Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\" duration=\"")
      text.append(sixDigits: Double(run.duration) / 60)
      text.append("\" durationUnit=\"min\" sourceName=\"")
      text.append(Writer.watch.escapedName)
      text.append("\" sourceVersion=\"")
      text.append(Writer.watch.version(at: day.progress))
      text.append("\"")
      devices.append(.watch, version: Writer.watch.versionIndex(at: day.progress), to: &text)
      text.append(
        created: run.end + 20, start: run.start, end: run.end, offset: plan.offset)
      text.append(">\n")
      appendWorkoutMetadata(of: run)
      appendEvents(of: run, depth: 2)
      appendActivity(of: run, day: day)
      appendStatistics(of: run, day: day, depth: 2)
      text.append(" </Workout>\n")
      count("Workout")
    }
  }

  private mutating func appendWorkoutMetadata(of run: DayPlan.Walk) {
    text.append(metadata: "HKIndoorWorkout", depth: 2)
    text.append("0\"/>\n")
    text.append(metadata: "HKTimeZone", depth: 2)
    text.append(plan.timeline.zoneName)
    text.append("\"/>\n")
    text.append(metadata: "HKAverageMETs", depth: 2)
    text.append(sixDigits: 9 + Double(run.start % 20) / 10)
    text.append(" kcal/hr·kg\"/>\n")
    text.append(metadata: "HKElevationAscended", depth: 2)
    text.append(whole: run.start % 9_000)
    text.append(" cm\"/>\n")
  }

  /// One segment a kilometre.
  private mutating func appendEvents(of run: DayPlan.Walk, depth: Int) {
    let seconds = max(60, Int(1_000 / run.speed))
    for start in stride(from: run.start, to: run.end - seconds, by: seconds) {
      text.append(indent: depth)
      text.append("<WorkoutEvent type=\"HKWorkoutEventTypeSegment\" date=\"")
      text.append(date: start, offset: plan.offset)
      text.append("\" duration=\"")
      text.append(sixDigits: Double(seconds) / 60)
      text.append("\" durationUnit=\"min\"/>\n")
    }
  }

  private mutating func appendActivity(of run: DayPlan.Walk, day: DayPlan) {
    var chance = Chance(seed: UInt64(bitPattern: Int64(run.start)), stream: 0x77, day: day.index)
    let digits = [UInt8]("0123456789ABCDEF".utf8)
    text.append("  <WorkoutActivity uuid=\"")
    for position in 0..<36 {
      let isDash = [8, 13, 18, 23].contains(position)
      text.append(isDash ? UInt8(ascii: "-") : digits[chance.whole(in: 0...15)])
    }
    text.append("\" startDate=\"")
    text.append(date: run.start, offset: plan.offset)
    text.append("\" endDate=\"")
    text.append(date: run.end, offset: plan.offset)
    text.append("\" duration=\"")
    text.append(sixDigits: Double(run.duration) / 60)
    text.append("\" durationUnit=\"min\">\n")
    appendEvents(of: run, depth: 3)
    appendStatistics(of: run, day: day, depth: 3)
    text.append("  </WorkoutActivity>\n")
  }

  private mutating func appendStatistics(of run: DayPlan.Walk, day: DayPlan, depth: Int) {
    let seconds = Double(run.duration)
    let beats = day.restingHeartRate + 80
    appendStatistics("StepCount", of: run, ["sum": run.cadence * seconds], .count, depth: depth)
    appendStatistics(
      "DistanceWalkingRunning", of: run, ["sum": run.speed * seconds / 1_000], .kilometres,
      depth: depth)
    appendStatistics(
      "ActiveEnergyBurned", of: run, ["sum": 11.5 * seconds / 60], .kilocalories, depth: depth)
    appendStatistics(
      "HeartRate", of: run, ["average": beats, "minimum": beats - 58, "maximum": beats + 24],
      .perMinute, depth: depth)
  }

  private mutating func appendStatistics(
    _ name: StaticString, of run: DayPlan.Walk, _ values: KeyValuePairs<StaticString, Double>,
    _ unit: RecordUnit, depth: Int
  ) {
    let written = unit.written(plan.preference)
    text.append(indent: depth)
    text.append("<WorkoutStatistics type=\"HKQuantityTypeIdentifier")
    text.append(name)
    text.append("\" startDate=\"")
    text.append(date: run.start, offset: plan.offset)
    text.append("\" endDate=\"")
    text.append(date: run.end, offset: plan.offset)
    for (key, value) in values {
      text.append("\" ")
      text.append(key)
      text.append("=\"")
      text.append(sixDigits: value * written.factor)
    }
    text.append("\" unit=\"")
    text.append(written.escapedText)
    text.append("\"/>\n")
  }

  /// Appends the rings of a day; the date is the local one.
  mutating func appendSummary(of day: DayPlan) {
    let moving = day.walks.filter(\.isWatchWorn)
    let energy = RecordUnit.kilocalories.written(plan.preference)
    let seconds = Double(moving.reduce(0) { $0 + $1.duration })
    text.append(" <ActivitySummary dateComponents=\"")
    text.append(CivilDate(day: plan.timeline.firstDay + day.index).description)
    text.append("\" activeEnergyBurned=\"")
    text.append(sixDigits: (120 + seconds / 60 * 4.4) * energy.factor)
    text.append("\" activeEnergyBurnedGoal=\"")
    text.append(sixDigits: 500 * energy.factor)
    text.append("\" activeEnergyBurnedUnit=\"")
    text.append(energy.escapedText)
    text.append("\" appleMoveTime=\"0\" appleMoveTimeGoal=\"0\" appleExerciseTime=\"")
    text.append(whole: moving.reduce(0) { $0 + ($1.cadence > 1.7 ? $1.duration / 60 : 0) })
    text.append("\" appleExerciseTimeGoal=\"30\" appleStandHours=\"")
    text.append(whole: min(16, Set(day.walks.map { ($0.start - day.start) / 3_600 }).count))
    text.append("\" appleStandHoursGoal=\"12\"/>\n")
    count("ActivitySummary")
  }
}
