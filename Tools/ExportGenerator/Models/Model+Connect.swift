import Foundation

extension RecordStream.Model {
  /// Every two minutes, asleep and awake: three quarters of all that such a person's export holds.
  static let connectHeartRate = Self { day in
    let delay = day.handover()
    var walks = day.day.walks[...]
    var now = day.day.start
    while now < day.day.end {
      while let walk = walks.first, walk.end <= now { walks.removeFirst() }
      let walk = walks.first.flatMap { $0.start <= now ? $0 : nil }
      let beats = day.heartRate(at: now, walk: walk).rounded()
      day.add(.connect, now, now, beats, delay: delay...delay)
      now += day.gap(120...120)
    }
  }

  /// Steps in quarters of an hour, which the phone counts too.
  static let connectSteps = Self { day in
    day.addQuarters { (Double($1) * $0.cadence).rounded() }
    day.addPhonePieces { walk, seconds in (walk.cadence * Double(seconds) * 0.96).rounded() }
  }

  static let connectDistance = Self { day in
    day.addQuarters { Double($1) * $0.speed / 1_000 }
    day.addPhonePieces { walk, seconds in walk.speed * Double(seconds) * 0.96 / 1_000 }
  }

  static let connectActiveEnergy = Self { day in
    day.addQuarters { Double($1) / 60 * ($0.isRun ? 11.5 : 3.9) }
  }

  /// What the body burns at rest, once an hour.
  static let connectBasalEnergy = Self { day in
    let delay = day.handover()
    let rate = day.day.bodyMass * 21.6 / 86_400
    for start in stride(from: day.day.start, to: day.day.end - 3_599, by: 3_600) {
      day.add(.connect, start, start + 3_600, rate * 3_600, delay: delay...delay)
    }
  }

  static let connectRestingHeartRate = Self { day in
    let delay = day.handover()
    day.add(
      .connect, day.day.start, day.day.start, day.day.restingHeartRate.rounded(),
      delay: delay...delay)
  }

  /// Nights from falling asleep to getting up.
  static let connectSleep = Self { day in
    let delay = day.handover()
    day.add(
      .connect, day.day.asleepSince, day.day.wake, delay: delay...delay, label: .asleepUnspecified,
      extra: .timeZone)
    day.add(
      .connect, day.day.asleepSince - 420, day.day.wake + 60, delay: delay...delay, label: .inBed)
  }
}

extension DayRecorder {
  /// After how many seconds the app hands the day over: half of the days within six days, nine of
  /// ten within twenty.
  fileprivate mutating func handover() -> Int {
    let mean = 8.69 * 86_400
    return 600 + Int(-log(1 - chance.fraction()) * mean)
  }

  /// Adds what the walks of each quarter of an hour amount to.
  fileprivate mutating func addQuarters(value: (DayPlan.Walk, Int) -> Double) {
    let delay = handover()
    for start in stride(from: day.start, to: day.end, by: 900) {
      let quarter = start..<min(day.end, start + 900)
      let sum = day.walks.reduce(0.0) { sum, walk in
        let inside = (walk.start..<walk.end).clamped(to: quarter).count
        return inside > 0 ? sum + value(walk, inside) : sum
      }
      if sum > 0 { add(.connect, start, quarter.upperBound, sum, delay: delay...delay) }
    }
  }
}
