extension DayPlan {
  /// The workouts of the day, in order of time; `app` records what no watch does.
  func workouts(app: Writer) -> [WorkoutPlan] {
    var chance = Chance(seed: variation, stream: 0x77, day: index)
    var workouts: [WorkoutPlan] = []
    for run in walks where run.isRun {
      let draw = chance.fraction()
      if run.isWatchWorn {
        workouts.append(
          draw < 0.12
            ? intervals(of: run, chance: &chance) : self.run(run, .watch, draw, &chance))
      } else if run.isPhoneCarried || app == .connect {
        workouts.append(self.run(run, app, draw, &chance))
      }
    }
    // Noon lies on the same date in nearly all zones; 1970 began on a Thursday.
    let weekday = ((start + 43_200) / 86_400 + 4).flooredDivision(by: 7).remainder
    let writer: Writer = isWatchDay ? .watch : app
    let draw = chance.fraction()
    if weekday == 1, draw < 0.5 { workouts.append(strength(writer, &chance)) }
    if weekday == 6, draw < 0.25 { workouts.append(swim(writer, &chance)) }
    if weekday == 0, draw < 0.04 { workouts.append(triathlon(writer, &chance)) }
    if weekday == 4, draw < 0.4 { workouts.append(yoga(&chance)) }
    return workouts.sorted { $0.start < $1.start }
  }

  private func run(
    _ walk: Walk, _ writer: Writer, _ draw: Double, _ chance: inout Chance
  ) -> WorkoutPlan {
    let isIndoor = draw > 0.92
    var pauses: [Range<Int>] = []
    if draw > 0.6 {
      let start = walk.start + walk.duration / 3 + chance.whole(in: 0...120)
      pauses = [start..<(start + chance.whole(in: 20...150))]
    }
    return WorkoutPlan(
      activity: "Running", writer: writer, start: walk.start, end: walk.end,
      parts: [runningPart(walk, walk.start..<walk.end)], pauses: pauses, isIndoor: isIndoor,
      isBare: writer == .tracker && draw < 0.3,
      hasRoute: !isIndoor && (draw < 0.3 || writer == .tracker),
      heartRate: restingHeartRate + 80)
  }

  private func runningPart(_ walk: Walk, _ range: Range<Int>) -> WorkoutPlan.Part {
    WorkoutPlan.Part(
      range: range, distance: ("DistanceWalkingRunning", walk.speed), cadence: walk.cadence,
      energy: 11.5)
  }

  /// A run of several turns, each with a route of its own.
  private func intervals(of walk: Walk, chance: inout Chance) -> WorkoutPlan {
    let turns = chance.whole(in: 3...6)
    let length = walk.duration / turns
    let parts = (0..<turns).map { turn in
      let start = walk.start + turn * length
      return runningPart(walk, start..<(turn == turns - 1 ? walk.end : start + length))
    }
    return WorkoutPlan(
      activity: "Running", writer: .watch, start: walk.start, end: walk.end, parts: parts,
      pauses: [], isIndoor: false, isBare: false, hasRoute: true,
      heartRate: restingHeartRate + 84)
  }

  private func strength(_ writer: Writer, _ chance: inout Chance) -> WorkoutPlan {
    let start = instant(20 * 3_600 + chance.whole(in: 0...1_800))
    let end = start + 60 * chance.whole(in: 28...52)
    let pauses = (1...chance.whole(in: 1...3)).map { number in
      let pause = start + number * 420 + chance.whole(in: 0...90)
      return pause..<(pause + chance.whole(in: 30...110))
    }
    return WorkoutPlan(
      activity: "TraditionalStrengthTraining", writer: writer, start: start, end: end,
      parts: [.init(range: start..<end, energy: 5.2)], pauses: pauses, isIndoor: true,
      isBare: false, hasRoute: false, heartRate: restingHeartRate + 45)
  }

  private func swim(_ writer: Writer, _ chance: inout Chance) -> WorkoutPlan {
    let start = instant(9 * 3_600 + chance.whole(in: 0...2_400))
    let end = start + 60 * chance.whole(in: 20...45)
    let part = WorkoutPlan.Part(
      range: start..<end, distance: ("DistanceSwimming", 0.76), energy: 8.4)
    return WorkoutPlan(
      activity: "Swimming", writer: writer, start: start, end: end, parts: [part], pauses: [],
      isIndoor: true, isBare: false, hasRoute: false, heartRate: restingHeartRate + 66)
  }

  /// Three sports in a row, the second and third outside.
  private func triathlon(_ writer: Writer, _ chance: inout Chance) -> WorkoutPlan {
    let start = instant(8 * 3_600 + chance.whole(in: 0...1_200))
    let swum = start + chance.whole(in: 700...1_100)
    let cycled = swum + chance.whole(in: 2_400...3_600)
    let end = cycled + chance.whole(in: 1_500...2_000)
    return WorkoutPlan(
      activity: "SwimBikeRun", writer: writer, start: start, end: end,
      parts: [
        .init(range: start..<swum, distance: ("DistanceSwimming", 0.8), energy: 8.4),
        .init(range: swum..<cycled, distance: ("DistanceCycling", 7.4), energy: 9.6),
        .init(
          range: cycled..<end, distance: ("DistanceWalkingRunning", 2.8), cadence: 2.7,
          energy: 11.5),
      ], pauses: [], isIndoor: false, isBare: false, hasRoute: true,
      heartRate: restingHeartRate + 88)
  }

  /// By an app that says nothing but when it was.
  private func yoga(_ chance: inout Chance) -> WorkoutPlan {
    let start = instant(21 * 3_600 + chance.whole(in: 0...900))
    let end = start + 60 * chance.whole(in: 10...25)
    return WorkoutPlan(
      activity: "Yoga", writer: .tracker, start: start, end: end,
      parts: [.init(range: start..<end, energy: 2.1)], pauses: [], isIndoor: true, isBare: true,
      hasRoute: false, heartRate: restingHeartRate + 10)
  }
}

extension ExportPlan {
  /// One of how many old workouts an app changed between two exports.
  private static var workoutsForOneCorrected: UInt64 { 6 }

  /// The workouts of a day, as this export has them.
  func workouts(of day: DayPlan) -> [WorkoutPlan] {
    guard version.hasOtherElements else { return [] }
    let workouts = day.workouts(app: person.profile.workoutApp).filter { created($0) <= exported }
    guard let earlier, day.index < earlier.days else { return workouts }
    return workouts.map { workout in
      var workout = workout
      var chance = Chance(seed: workout.seed, stream: 0x63, day: day.index)
      if chance.bits() % Self.workoutsForOneCorrected == 0 { workout.correction = 1.0625 }
      return workout
    }
  }

  /// When a workout was written down.
  func created(_ workout: WorkoutPlan) -> Int { workout.end + 20 }
}
