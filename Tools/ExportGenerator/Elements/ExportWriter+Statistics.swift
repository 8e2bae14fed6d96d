/// What was measured of one type over a workout or a part of it, as the models speak.
struct WorkoutStatistics {
  /// What follows `HKQuantityTypeIdentifier`.
  let type: StaticString
  let range: Range<Int>
  let unit: RecordUnit
  var sum: Double?
  var average: Double?
  var minimum: Double?
  var maximum: Double?

  var truth: Truth.Statistics {
    Truth.Statistics(
      type: "HKQuantityTypeIdentifier\(type)", unit: unit.plainText, start: range.lowerBound,
      end: range.upperBound, sum: sum, average: average, minimum: minimum, maximum: maximum)
  }
}

extension WorkoutPlan {
  /// The statistics of the whole.
  var statistics: [WorkoutStatistics] {
    let range = start..<end
    var statistics: [WorkoutStatistics] = []
    if steps > 0 {
      statistics.append(.init(type: "StepCount", range: range, unit: .count, sum: steps))
    }
    for type in ["DistanceSwimming", "DistanceCycling", "DistanceWalkingRunning"] as [StaticString]
    {
      let parts = parts.filter { $0.distance?.type.description == type.description }
      let distance = parts.reduce(0) { $0 + (self.distance(of: $1) ?? 0) }
      if !parts.isEmpty {
        statistics.append(.init(type: type, range: range, unit: .kilometres, sum: distance))
      }
    }
    statistics.append(
      .init(type: "ActiveEnergyBurned", range: range, unit: .kilocalories, sum: energy))
    return statistics + [heartRate(in: range)]
  }

  /// The statistics of one of its parts.
  func statistics(of part: Part) -> [WorkoutStatistics] {
    var statistics: [WorkoutStatistics] = []
    let steps = steps(of: part)
    if steps > 0 {
      statistics.append(.init(type: "StepCount", range: part.range, unit: .count, sum: steps))
    }
    if let distance = part.distance, let kilometres = self.distance(of: part) {
      statistics.append(
        .init(type: distance.type, range: part.range, unit: .kilometres, sum: kilometres))
    }
    statistics.append(
      .init(
        type: "ActiveEnergyBurned", range: part.range, unit: .kilocalories, sum: energy(of: part)))
    return statistics + [heartRate(in: part.range)]
  }

  private func heartRate(in range: Range<Int>) -> WorkoutStatistics {
    WorkoutStatistics(
      type: "HeartRate", range: range, unit: .perMinute, average: heartRate,
      minimum: (heartRate * 0.62).rounded(), maximum: (heartRate * 1.18).rounded())
  }

  private static let zoneBounds = [115, 132, 146, 160]
  private static let zoneShares = [0.08, 0.2, 0.42, 0.24, 0.06]

  /// For how long the heart beat in each of five zones.
  var zones: [Truth.Zone] {
    let bounds = [nil] + Self.zoneBounds.map(Optional.some) + [nil]
    return Self.zoneShares.enumerated().map { zone, share in
      Truth.Zone(
        minimum: bounds[zone], maximum: bounds[zone + 1], minutes: share * Double(seconds) / 60)
    }
  }
}

extension ExportWriter where Sink: ~Copyable {
  /// Appends statistics, their numbers as the person's preference has them.
  mutating func append(_ statistics: WorkoutStatistics, depth: Int) {
    let written = statistics.unit.written(plan.preference)
    text.append(indent: depth)
    text.append("<WorkoutStatistics type=\"HKQuantityTypeIdentifier")
    text.append(statistics.type)
    text.append("\" startDate=\"")
    text.append(date: statistics.range.lowerBound, offset: plan.offset)
    text.append("\" endDate=\"")
    text.append(date: statistics.range.upperBound, offset: plan.offset)
    func appendValue(_ name: StaticString, _ value: Double?) {
      guard let value else { return }
      text.append("\" ")
      text.append(name)
      text.append("=\"")
      text.append(sixDigits: value * written.factor)
    }
    appendValue("average", statistics.average)
    appendValue("minimum", statistics.minimum)
    appendValue("maximum", statistics.maximum)
    appendValue("sum", statistics.sum)
    text.append("\" unit=\"")
    text.append(written.escapedText)
    text.append("\"/>\n")
    count("WorkoutStatistics")
  }

  /// Appends for how long the heart beat in each of its zones.
  mutating func appendZones(of workout: WorkoutPlan) {
    text.append(
      "  <WorkoutZoneGroup type=\"HKQuantityTypeIdentifierHeartRate\" source=\"system\" ")
    text.append("unit=\"count/min\">\n")
    for zone in workout.zones {
      text.append("   <WorkoutZone")
      if let minimum = zone.minimum { appendBound("minimum", minimum) }
      if let maximum = zone.maximum { appendBound("maximum", maximum) }
      text.append(" duration=\"")
      text.append(sixDigits: zone.minutes)
      text.append("\" durationUnit=\"min\"/>\n")
      count("WorkoutZone")
    }
    text.append("  </WorkoutZoneGroup>\n")
    count("WorkoutZoneGroup")
  }

  private mutating func appendBound(_ name: StaticString, _ bound: Int) {
    text.append(" ")
    text.append(name)
    text.append("=\"")
    text.append(whole: bound)
    text.append("\"")
  }
}
