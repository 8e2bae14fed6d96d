extension ExportPlan {
  /// The path of the file of a part's route, from the top folder: its name says when the route
  /// ended, by the clock.
  func path(ofRoute part: WorkoutPlan.Part) -> String {
    let clock = routeClock(part)
    return "/workout-routes/route_\(clock.date)_\(clock.hour).\(clock.minute)\(clock.half).gpx"
  }

  /// The title of a part's route.
  func title(ofRoute part: WorkoutPlan.Part) -> String {
    let clock = routeClock(part)
    return "Route \(clock.date) \(clock.hour):\(clock.minute)\(clock.half)"
  }

  private func routeClock(
    _ part: WorkoutPlan.Part
  ) -> (date: String, hour: Int, minute: String, half: String) {
    let (day, second) = timeline.clock(at: part.range.upperBound)
    let (past, time) = second.flooredDivision(by: 86_400)
    let minute = String(time / 60 % 60)
    return (
      CivilDate(day: timeline.firstDay + day + past).description, (time / 3_600 + 11) % 12 + 1,
      minute.count < 2 ? "0" + minute : minute, time < 43_200 ? "am" : "pm"
    )
  }
}

extension ExportWriter where Sink: ~Copyable {
  /// Writes the routes of a workout as the version has them: point by point, or the name of a file.
  mutating func writeRoutes(of workout: WorkoutPlan, day: DayPlan) throws(OutputError) {
    guard plan.version.routes != .missing else { return }
    for part in workout.routedParts {
      text.append("  <WorkoutRoute")
      appendSource(workout.writer, on: day)
      text.append(
        created: part.range.upperBound + 25, start: part.range.lowerBound,
        end: part.range.upperBound, offset: plan.offset)
      text.append(">\n")
      text.append(metadata: "HKMetadataKeySyncVersion", depth: 3)
      text.append("2\"/>\n")
      count("MetadataEntry")
      if plan.version.routes == .inline {
        try writeLocations(of: Route(part: part, of: workout))
      } else {
        text.append("   <FileReference path=\"")
        text.append(verbatim: plan.path(ofRoute: part))
        text.append("\"/>\n")
        count("FileReference")
      }
      text.append("  </WorkoutRoute>\n")
      count("WorkoutRoute")
    }
  }

  private mutating func writeLocations(of route: Route) throws(OutputError) {
    var points = RoutePoints()
    for point in route {
      points.add(point)
      text.append("   <Location date=\"")
      text.append(date: point.time, offset: plan.offset)
      append("latitude", point.latitude, decimals: 6)
      append("longitude", point.longitude, decimals: 6)
      append("altitude", point.altitude, decimals: 4)
      append("horizontalAccuracy", point.horizontalAccuracy, decimals: 4)
      append("verticalAccuracy", point.verticalAccuracy, decimals: 4)
      append("course", point.course, decimals: 4)
      append("speed", point.speed, decimals: 4)
      text.append("\"/>\n")
      count("Location")
      try emptyIfFull()
    }
    truth.routes.append(points.truth(path: "", start: route.range.lowerBound))
  }

  private mutating func append(_ name: StaticString, _ value: Double, decimals: Int) {
    text.append("\" ")
    text.append(name)
    text.append("=\"")
    text.append(value, decimals: decimals)
  }
}
