/// One stage of a night.
struct SleepStage {
  /// The constant that an export writes.
  let label: CategoryLabel
  let start: Int
  let end: Int
}

extension DayPlan {
  /// The stages of the night that ends on the day: cycles of about 90 minutes, deep sleep early,
  /// dreams late, now and then awake.
  func stages(chance: inout Chance) -> [SleepStage] {
    var stages: [SleepStage] = []
    var now = asleepSince + chance.whole(in: 300...1_500)
    let length = Double(max(1, wake - now))
    func add(_ label: CategoryLabel, _ minutes: ClosedRange<Double>) {
      let end = min(wake, now + Int(chance.number(in: minutes) * 60))
      if end > now { stages.append(SleepStage(label: label, start: now, end: end)) }
      now = max(now, end)
    }
    while now < wake {
      let depth = 1 - Double(wake - now) / length
      add(.asleepCore, 8...32)
      if depth < 0.6 { add(.asleepDeep, 8...(38 - 40 * depth)) }
      add(.asleepCore, 10...30)
      add(.asleepREM, 5...(12 + 30 * depth))
      if chance.happens(0.55) { add(.awake, 1...6) }
    }
    return stages
  }
}
