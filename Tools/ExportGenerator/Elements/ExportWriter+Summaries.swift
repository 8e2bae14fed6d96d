/// The rings of a day.
struct RingsPlan {
  let date: CivilDate
  /// In kilocalories.
  var energy = 0.0
  var energyGoal = 500.0
  var exerciseMinutes = 0
  var standHours = 0
}

extension ExportPlan {
  /// One of how many days has its rings twice, with another goal.
  private static var daysForOneTwice: UInt64 { 90 }

  /// The rings of a day; the first day comes with empty ones of the days before it.
  func rings(of day: DayPlan) -> [RingsPlan] {
    let number = timeline.firstDay + day.index
    var rings: [RingsPlan] = []
    if day.index == 0 {
      // An iPhone alone is said to begin with a day that never was.
      if person.profile == .iphone { rings.append(RingsPlan(date: CivilDate(day: -2))) }
      rings += [-2, -1].map { RingsPlan(date: CivilDate(day: number + $0), energyGoal: 0) }
    }
    let walks = day.walks.filter { $0.end <= exported }
    let moving = walks.filter(\.isWatchWorn)
    let seconds = Double(moving.reduce(0) { $0 + $1.duration })
    var today = RingsPlan(date: CivilDate(day: number))
    today.energy = 120 + seconds / 60 * 4.4
    today.exerciseMinutes = moving.reduce(0) { $0 + ($1.cadence > 1.7 ? $1.duration / 60 : 0) }
    today.standHours = min(16, Set(walks.map { ($0.start - day.start) / 3_600 }).count)
    rings.append(today)
    var chance = Chance(seed: day.variation, stream: 0x67, day: day.index)
    if chance.bits() % Self.daysForOneTwice == 0 {
      today.energyGoal = 450
      rings.append(today)
    }
    return rings
  }
}

extension ExportWriter where Sink: ~Copyable {
  /// Appends the rings of a day; the date is the local one.
  mutating func appendSummaries(of day: DayPlan) {
    let energy = RecordUnit.kilocalories.written(plan.preference)
    for rings in plan.rings(of: day) {
      text.append(" <ActivitySummary dateComponents=\"")
      text.append(verbatim: rings.date.description)
      text.append("\" activeEnergyBurned=\"")
      text.append(sixDigits: rings.energy * energy.factor)
      text.append("\" activeEnergyBurnedGoal=\"")
      text.append(sixDigits: rings.energyGoal * energy.factor)
      text.append("\" activeEnergyBurnedUnit=\"")
      text.append(energy.escapedText)
      if plan.version >= .version11a {
        text.append(
          plan.version == .version11a
            ? "\" appleMoveMinutes=\"0\" appleMoveMinutesGoal=\"0"
            : "\" appleMoveTime=\"0\" appleMoveTimeGoal=\"0")
      }
      text.append("\" appleExerciseTime=\"")
      text.append(whole: rings.exerciseMinutes)
      text.append("\" appleExerciseTimeGoal=\"30\" appleStandHours=\"")
      text.append(whole: rings.standHours)
      text.append("\" appleStandHoursGoal=\"12\"/>\n")
      count("ActivitySummary")
      truth.summaries.append(
        Truth.Summary(
          date: rings.date.description, kilocalories: rings.energy, goal: rings.energyGoal,
          exerciseMinutes: rings.exerciseMinutes, standHours: rings.standHours))
    }
  }
}
