/// Something that happened in a workout.
struct WorkoutEvent {
  /// What follows `HKWorkoutEventType`.
  let type: StaticString
  let start: Int
  /// How long it took, 0 for a moment.
  var seconds = 0

  /// Kilometres and miles, which overlap, lengths of a pool, pauses and markers, in order of time.
  static func events(of workout: WorkoutPlan) -> [WorkoutEvent] {
    var events: [WorkoutEvent] = []
    for part in workout.parts where !workout.isBare {
      guard let distance = part.distance else { continue }
      if workout.activity.description == "Swimming" {
        events += laps(of: part, seconds: Int(25 / distance.speed))
      } else {
        for metres in [1_000, 1_609.344] {
          events += segments(of: part, seconds: max(60, Int(metres / distance.speed)))
        }
      }
    }
    for pause in workout.pauses {
      events.append(WorkoutEvent(type: "Pause", start: pause.lowerBound))
      events.append(WorkoutEvent(type: "Resume", start: pause.upperBound))
    }
    if workout.seed % 9 == 0, !workout.isBare {
      let middle = workout.start + (workout.end - workout.start) / 2
      events.append(WorkoutEvent(type: "Marker", start: middle))
      events.append(WorkoutEvent(type: "MotionPaused", start: middle + 5))
      events.append(WorkoutEvent(type: "MotionResumed", start: middle + 9))
    }
    return events.sorted { ($0.start, $0.seconds) < ($1.start, $1.seconds) }
  }

  private static func segments(of part: WorkoutPlan.Part, seconds: Int) -> [WorkoutEvent] {
    stride(from: part.range.lowerBound, to: part.range.upperBound - seconds, by: seconds).map {
      WorkoutEvent(type: "Segment", start: $0, seconds: seconds)
    }
  }

  private static func laps(of part: WorkoutPlan.Part, seconds: Int) -> [WorkoutEvent] {
    stride(from: part.range.lowerBound, to: part.range.upperBound - seconds, by: seconds + 3).map {
      WorkoutEvent(type: "Lap", start: $0, seconds: seconds)
    }
  }
}
