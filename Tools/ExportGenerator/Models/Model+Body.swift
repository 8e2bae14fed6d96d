import Foundation

extension RecordStream.Model {
  /// A scale on most mornings; about once a fortnight a number typed in.
  static let bodyMass = Self { day in
    let time = day.day.wake + 500
    if day.chance.happens(0.6) {
      day.add(.scale, time, time, (day.day.bodyMass * 100).rounded() / 100, delay: 1...9)
    } else if day.chance.happens(0.15) {
      day.add(
        .hand, time, time, (day.day.bodyMass * 2).rounded() / 2, delay: 20...600,
        extra: .userEntered)
    }
  }

  static let bodyFat = Self { day in
    guard day.chance.happens(0.4) else { return }
    let time = day.day.wake + 500
    let share = 0.262 - 0.012 * day.day.progress + 0.004 * day.chance.bell()
    day.add(.scale, time, time, (share * 1_000).rounded() / 1_000, delay: 1...9)
  }

  /// Once, on the first day.
  static let height = Self { day in
    guard day.day.index == 0 else { return }
    let time = day.day.wake + 3_600
    day.add(.hand, time, time, 172, delay: 5...60, extra: .userEntered)
  }

  static let wristTemperature = Self { day in
    guard day.chance.happens(0.9) else { return }
    let value = 35.6 + 0.25 * sin(Double(day.day.index) / 4.5) + 0.15 * day.chance.bell()
    day.add(
      .watch, day.day.asleepSince, day.day.wake, value, delay: 1_200...2_400)
  }

  static let bloodGlucose = Self { day in
    guard day.chance.happens(0.3) else { return }
    let time = day.day.wake + 1_300
    let value = (53 + 3 * day.chance.bell()).rounded() / 10
    day.add(.hand, time, time, value, delay: 20...90, extra: .userEntered)
  }

  static let sleep = Self { day in
    for stage in day.day.stages(chance: &day.chance) {
      let isAsleep = stage.label != .awake
      day.add(
        .watch, stage.start, stage.end, delay: 527...2_400,
        label: isAsleep && !day.hasSleepStages ? .asleepUnspecified : stage.label,
        extra: .timeZone)
    }
    if day.chance.happens(0.7) {
      day.add(
        .phone, day.day.asleepSince - 600, day.day.wake + 120, delay: 60...900, label: .inBed,
        extra: .timeZone)
    }
  }

  /// A goal that people set once.
  static let sleepGoal = Self { day in
    guard day.day.index == 0 else { return }
    day.add(.hand, day.day.wake, day.day.wake, 8, delay: 1...5)
  }

  static let mindfulness = Self { day in
    guard day.chance.happens(0.45) else { return }
    let start = day.day.instant(21 * 3_600 + day.chance.whole(in: 0...1_800))
    day.add(.watch, start, start + 60 * day.chance.whole(in: 1...10), delay: 1...10)
  }

  /// The noise around, in slots of half an hour.
  static let environmentalSound = Self { day in
    for start in stride(from: day.day.start, to: day.day.end - 1_799, by: 1_800)
    where start >= day.day.wake - 1_800 && start < day.day.bed && day.day.isWatchWorn(at: start) {
      let isOut = day.day.walks.contains { walk in
        walk.duration > 500 && walk.start < start + 1_800 && walk.end > start
      }
      day.add(
        .watch, start, start + 1_800, (isOut ? 64 : 52) + 5.5 * day.chance.bell(),
        delay: -1_329 ... -832)
    }
  }

  static let headphoneSound = Self { day in
    for walk in day.day.walks
    where walk.isPhoneCarried && walk.duration > 500 && day.chance.happens(0.4) {
      day.add(.phone, walk.start + 30, walk.end, 68 + 6 * day.chance.bell(), delay: 10...120)
    }
  }
}
