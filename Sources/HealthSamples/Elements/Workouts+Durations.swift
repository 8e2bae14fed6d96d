extension Workouts.Row {
  /// Dates are written in whole seconds: a duration may be as much longer.
  private static let rounding = 1.0

  /// Seconds without pauses; from start to end where the workout does not say.
  ///
  /// A duration that is negative, or longer than from start to end, says nothing.
  public var activeSeconds: Double {
    Self.possible(duration, from: facts.start, to: facts.end)
      ?? Self.elapsed(from: facts.start, to: facts.end)
  }

  /// Replaces durations that are not possible, of the workout and of its parts, by those from start
  /// to end.
  ///
  /// - Returns: whether there was one, or the workout ends before it starts
  package mutating func mendDurations() -> Bool {
    var isMended = !SampleTime.isInOrder(from: facts.start, to: facts.end)
    func mend(_ duration: inout Double?, from start: Double, to end: Double) {
      guard duration != nil, Self.possible(duration, from: start, to: end) == nil else { return }
      duration = Self.elapsed(from: start, to: end)
      isMended = true
    }
    mend(&duration, from: facts.start, to: facts.end)
    for place in activities.indices {
      let (start, end) = (activities[place].start, activities[place].end ?? facts.end)
      mend(&activities[place].duration, from: start, to: end)
    }
    return isMended
  }

  /// A duration if it is possible between two instants.
  private static func possible(
    _ duration: Double?, from start: Double, to end: Double
  ) -> Double? {
    duration.flatMap { (0...elapsed(from: start, to: end) + rounding).contains($0) ? $0 : nil }
  }

  private static func elapsed(from start: Double, to end: Double) -> Double {
    SampleTime.end(from: start, to: end) - start
  }
}
