extension WorkoutPlan {
  /// What a record inside says of the effort, and whether it stands at top level too; nothing in
  /// versions before.
  func effort(in version: ExportVersion) -> (score: Double, isAtTopLevel: Bool)? {
    guard version.hasEfforts, writer == .watch else { return nil }
    return (Double(3 + seed % 6), seed % 2 == 0)
  }

  /// The record of the effort.
  fileprivate func effortRow(in version: ExportVersion) -> Row? {
    effort(in: version).map { effort in
      Row(
        start: start + 1, end: end, created: end, value: effort.score, writer: .watch,
        isNestedOnly: !effort.isAtTopLevel)
    }
  }
}

extension ExportWriter where Sink: ~Copyable {
  private static var effortStream: RecordStream {
    .quantity("EstimatedWorkoutEffortScore", .effortScore, since: .version14, .empty)
  }

  /// Writes the records of effort that stand at top level.
  mutating func writeEfforts(days: [Int]) throws(OutputError) {
    guard plan.version.hasEfforts else { return }
    let writer = RecordWriter(stream: Self.effortStream, plan: plan)
    var children = RecordWriter.Children()
    for index in days {
      let day = plan.person.plan(ofDay: index)
      let version = plan.version
      let rows = plan.workouts(of: day).compactMap { $0.effortRow(in: version) }
      truth.add(rows, of: writer.stream, in: version, unit: writer.unitText)
      for row in rows where !row.isNestedOnly {
        writer.append(row, of: day, devices: &devices, to: &text, children: &children)
        try emptyIfFull()
      }
    }
  }

  /// Appends the record of effort inside a workout.
  mutating func appendEffort(of workout: WorkoutPlan, day: DayPlan) {
    guard let row = workout.effortRow(in: plan.version) else { return }
    var children = RecordWriter.Children()
    RecordWriter(stream: Self.effortStream, plan: plan)
      .append(row, of: day, devices: &devices, depth: 2, to: &text, children: &children)
    count("Record in Workout")
  }
}
