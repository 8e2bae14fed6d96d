extension ExportWriter where Sink: ~Copyable {
  /// Appends the statistics of a whole workout.
  mutating func appendStatistics(of workout: WorkoutPlan) {
    let range = workout.start..<workout.end
    if workout.steps > 0 { append("StepCount", range, sum: workout.steps, .count, depth: 2) }
    for type in ["DistanceSwimming", "DistanceCycling", "DistanceWalkingRunning"] as [StaticString]
    {
      let parts = workout.parts.filter { $0.distance?.type.description == type.description }
      let distance = parts.reduce(0) { $0 + (workout.distance(of: $1) ?? 0) }
      if !parts.isEmpty { append(type, range, sum: distance, .kilometres, depth: 2) }
    }
    append("ActiveEnergyBurned", range, sum: workout.energy, .kilocalories, depth: 2)
    appendHeartRate(of: workout, in: range, depth: 2)
  }

  /// Appends the statistics of one of its parts.
  mutating func appendStatistics(
    of part: WorkoutPlan.Part, in workout: WorkoutPlan, depth: Int
  ) {
    let steps = workout.steps(of: part)
    if steps > 0 { append("StepCount", part.range, sum: steps, .count, depth: depth) }
    if let distance = part.distance, let kilometres = workout.distance(of: part) {
      append(distance.type, part.range, sum: kilometres, .kilometres, depth: depth)
    }
    append(
      "ActiveEnergyBurned", part.range, sum: workout.energy(of: part), .kilocalories, depth: depth)
    appendHeartRate(of: workout, in: part.range, depth: depth)
  }

  private mutating func appendHeartRate(
    of workout: WorkoutPlan, in range: Range<Int>, depth: Int
  ) {
    let mean = workout.heartRate
    append(
      "HeartRate", range,
      ["average": mean, "minimum": (mean * 0.62).rounded(), "maximum": (mean * 1.18).rounded()],
      .perMinute, depth: depth)
  }

  private mutating func append(
    _ type: StaticString, _ range: Range<Int>, sum: Double, _ unit: RecordUnit, depth: Int
  ) {
    append(type, range, ["sum": sum], unit, depth: depth)
  }

  private mutating func append(
    _ type: StaticString, _ range: Range<Int>, _ values: KeyValuePairs<StaticString, Double>,
    _ unit: RecordUnit, depth: Int
  ) {
    let written = unit.written(plan.preference)
    text.append(indent: depth)
    text.append("<WorkoutStatistics type=\"HKQuantityTypeIdentifier")
    text.append(type)
    text.append("\" startDate=\"")
    text.append(date: range.lowerBound, offset: plan.offset)
    text.append("\" endDate=\"")
    text.append(date: range.upperBound, offset: plan.offset)
    for (key, value) in values {
      text.append("\" ")
      text.append(key)
      text.append("=\"")
      text.append(sixDigits: value * written.factor)
    }
    text.append("\" unit=\"")
    text.append(written.escapedText)
    text.append("\"/>\n")
    count("WorkoutStatistics")
  }

  /// Appends for how long the heart beat in each of five zones.
  mutating func appendZones(of workout: WorkoutPlan) {
    let bounds = [115, 132, 146, 160]
    let shares = [0.08, 0.2, 0.42, 0.24, 0.06]
    text.append(
      "  <WorkoutZoneGroup type=\"HKQuantityTypeIdentifierHeartRate\" source=\"system\" ")
    text.append("unit=\"count/min\">\n")
    for (zone, share) in shares.enumerated() {
      text.append("   <WorkoutZone")
      if zone > 0 { appendBound("minimum", bounds[zone - 1]) }
      if zone < bounds.count { appendBound("maximum", bounds[zone]) }
      text.append(" duration=\"")
      text.append(sixDigits: share * Double(workout.seconds) / 60)
      text.append("\" durationUnit=\"min\"/>\n")
    }
    text.append("  </WorkoutZoneGroup>\n")
    count("WorkoutZoneGroup")
    count("WorkoutZone", shares.count)
  }

  private mutating func appendBound(_ name: StaticString, _ bound: Int) {
    text.append(" ")
    text.append(name)
    text.append("=\"")
    text.append(whole: bound)
    text.append("\"")
  }
}
