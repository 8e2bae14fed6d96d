import Foundation

extension RecordStream.Model {
  /// About every five minutes, every five seconds in a run, lower asleep and after rest.
  static let heartRate = Self { day in
    let plan = day.day
    var walks = plan.walks[...]
    var now = plan.start + day.chance.whole(in: 0...290)
    while now < plan.end {
      while let walk = walks.first, walk.end <= now { walks.removeFirst() }
      let walk = walks.first.flatMap { $0.start <= now ? $0 : nil }
      if plan.isWatchWorn(at: now) {
        let beats = day.heartRate(at: now, walk: walk)
        let isExact = day.chance.happens(0.04)
        day.add(
          .watch, now, now, isExact ? beats : beats.rounded(), delay: 2...586,
          extra: walk != nil ? .motionActive : now < plan.wake ? .motionNotSet : .motionSedentary)
      }
      now += walk?.isRun == true ? day.gap(4.5...6) : day.gap(170...420)
    }
  }

  static let restingHeartRate = Self { day in
    let end = min(day.day.bed - 1_200, day.day.end - 600)
    day.add(
      .watch, day.day.start + day.chance.whole(in: 0...900), end,
      day.day.restingHeartRate.rounded(), delay: 200...400)
  }

  static let walkingHeartRate = Self { day in
    guard day.chance.happens(0.8) else { return }
    day.add(
      .watch, day.day.start, day.day.bed - 1_800,
      (day.day.restingHeartRate + 38 + 3 * day.chance.bell()).rounded(), delay: 100...400)
  }

  /// Five or six times a day, with the beats behind each.
  static let heartRateVariability = Self { day in
    var now = day.day.start + day.chance.whole(in: 0...7_200)
    while now < day.day.end - 120 {
      if day.day.isWatchWorn(at: now) {
        let spread = now < day.day.wake ? 1.25 : 0.95
        let value = (118 - day.day.restingHeartRate) * spread * exp(0.22 * day.chance.bell())
        let end = now + 60 + day.chance.whole(in: 0...7)
        day.add(.watch, now, end, value, delay: 0...2, extra: .beats)
      }
      now += day.gap(7_200...21_000)
    }
  }

  static let oxygen = Self { day in
    var now = day.day.asleepSince + 1_800
    while now < day.day.wake + 7_200 {
      day.add(
        .watch, now, now + 15, min(1, (97 + 1.2 * day.chance.bell()).rounded() / 100),
        delay: 1...30, extra: .barometricPressure)
      now += day.gap(3_000...7_200)
    }
  }

  static let respiratoryRate = Self { day in
    var now = day.day.asleepSince + 900
    while now < day.day.wake {
      day.add(
        .watch, now, now, ((15.6 + 1.1 * day.chance.bell()) * 2).rounded() / 2, delay: 460...720)
      now += day.gap(620...1_300)
    }
  }

  /// After runs.
  static let oxygenUptake = Self { day in
    for walk in day.day.walks where walk.isRun {
      let value = 44 + 3 * day.day.progress + 0.6 * day.chance.bell()
      day.add(.watch, walk.end, walk.end, (value * 100).rounded() / 100, delay: 2...60)
    }
  }

  static let systolicPressure = Self { day in
    guard let reading = day.pressure() else { return }
    day.add(.scale, reading.time, reading.time, reading.systolic, delay: 1...1)
  }

  static let diastolicPressure = Self { day in
    guard let reading = day.pressure() else { return }
    day.add(.scale, reading.time, reading.time, reading.diastolic, delay: 1...1)
  }
}

extension DayRecorder {
  mutating func heartRate(at now: Int, walk: DayPlan.Walk?) -> Double {
    let resting = day.restingHeartRate
    let noise = chance.bell()
    if let walk {
      let load = walk.isRun ? 88.0 : 34
      let warm = 1 - exp(-Double(now - walk.start + 20) / 120)
      return resting + load * warm + (walk.isRun ? 6 : 7) * noise
    }
    if now < day.wake || now >= day.bed { return resting - 4 + 3 * noise }
    let sinceMidnight = Double(now - day.start) / 86_400
    return resting + 12 + 5 * sin(2 * .pi * (sinceMidnight - 0.3)) + 5.5 * noise
  }

  /// A reading of blood pressure on some mornings; the same for every stream that asks.
  fileprivate func pressure() -> (time: Int, systolic: Double, diastolic: Double)? {
    var chance = Chance(seed: day.variation, stream: 0x70, day: day.index)
    guard chance.happens(0.15) else { return nil }
    let systolic = (119 + 6 * chance.bell()).rounded()
    return (
      day.wake + chance.whole(in: 600...1_500), systolic,
      (systolic * 0.65 + 3 * chance.bell()).rounded()
    )
  }
}
