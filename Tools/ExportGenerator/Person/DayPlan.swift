import Foundation

/// What the person does on one day: every stream of records follows from it.
///
/// A plan depends on the seed and the day alone, so that streams agree with each other although
/// each is written by itself.
struct DayPlan {
  /// A stretch of walking or running.
  struct Walk {
    let start: Int
    let end: Int
    /// Steps a second.
    let cadence: Double
    let isWatchWorn: Bool
    let isPhoneCarried: Bool
    let isRun: Bool

    var duration: Int { end - start }
    /// Metres a second: faster steps are longer.
    var speed: Double { cadence * (isRun ? 1.05 : 0.5 + 0.13 * cadence) }
  }

  /// The number of the day within the export.
  let index: Int
  /// The first instant, in seconds since 1970-01-01 UTC.
  let start: Int
  /// The first instant of the next day.
  let end: Int
  /// How far the day is on its way through the export, 0...1.
  let progress: Double
  let isWeekend: Bool
  /// Whether the watch is worn on the day at all.
  let isWatchDay: Bool
  /// When the person fell asleep for the night that ends on this day.
  let asleepSince: Int
  let wake: Int
  /// When the person goes to bed; always after ``wake``, sometimes after ``end``.
  let bed: Int
  /// When the watch lies on its charger.
  let charging: Range<Int>
  /// In order of time; they do not overlap.
  let walks: [Walk]
  /// A seed for what several streams of the day must agree on.
  let variation: UInt64
  /// Beats a minute.
  let restingHeartRate: Double
  /// Kilograms.
  let bodyMass: Double

  /// The instant of the clock time `second` after midnight.
  func instant(_ second: Int) -> Int {
    start + second + (second < 4 * 3_600 ? 0 : end - start - 86_400)
  }

  /// Whether the watch is on the wrist.
  func isWatchWorn(at instant: Int) -> Bool { isWatchDay && !charging.contains(instant) }
}

/// The person: makes the plan of any day.
struct Person {
  let seed: UInt64
  let timeline: Timeline
  let profile: Profile
  /// In how many days the person changes as told, which an export of more days does not alter.
  let span: Int

  private enum Stream: UInt64 {
    case night = 1
    case day
    case body
  }

  private func weekday(_ day: Int) -> Int { (timeline.firstDay + day + 3).flooredDivision(by: 7).1 }

  /// When the person goes to bed on the evening of a day, and gets up the morning after, as clock
  /// seconds of that day.
  private func night(afterDay day: Int) -> (bed: Int, wake: Int) {
    var chance = Chance(seed: seed, stream: Stream.night.rawValue, day: day)
    let isFree = weekday(day) == 4 || weekday(day) == 5
    let bed = (isFree ? 23.9 : 22.8) * 3_600 + chance.bell() * (isFree ? 2_400 : 1_300)
    let wake = (isFree ? 32.2 : 30.7) * 3_600 + chance.bell() * (isFree ? 2_300 : 900)
    return (Int(bed), Int(wake))
  }

  /// The plan of a day of the timeline.
  func plan(ofDay day: Int) -> DayPlan {
    var chance = Chance(seed: seed, stream: Stream.day.rawValue, day: day)
    let weekday = weekday(day)
    let before = night(afterDay: day - 1)
    let tonight = night(afterDay: day)
    let wake = timeline.instant(day: day, second: before.wake - 86_400)
    let bed = timeline.instant(day: day, second: tonight.bed)
    let start = timeline.midnights[day]
    let asleepSince =
      day == 0 ? start + before.bed - 86_400 : timeline.instant(day: day - 1, second: before.bed)
    let charged = timeline.instant(day: day, second: 20 * 3_600 + chance.whole(in: 0...5_400))
    let charging = charged..<(charged + chance.whole(in: 1_500...3_000))
    let progress = min(1, Double(day) / Double(max(1, span)))
    let isWatchDay = profile.daysForOneWithWatch.map { day % $0 == $0 - 1 } ?? false
    let walks = walks(
      weekday: weekday, day: day, wake: wake, bed: bed, charging: isWatchDay ? charging : nil,
      chance: &chance)
    return DayPlan(
      index: day, start: start, end: timeline.midnights[day + 1], progress: progress,
      isWeekend: weekday > 4, isWatchDay: isWatchDay, asleepSince: asleepSince, wake: wake,
      bed: bed, charging: charging,
      walks: walks, variation: seed,
      restingHeartRate: restingHeartRate(day: day, progress: progress),
      bodyMass: bodyMass(day: day, progress: progress))
  }

  /// A slow fall over the years, a yearly wave, a few days of a cold each winter, and noise.
  private func restingHeartRate(day: Int, progress: Double) -> Double {
    var chance = Chance(seed: seed, stream: Stream.body.rawValue, day: day)
    let year = Double(timeline.firstDay + day) / 365.25
    let wave = 1.2 * cos(2 * .pi * (year - 0.05))
    let position = (year - year.rounded(.down)) * 365.25
    let cold = (28.0...36.0).contains(position) ? 5.0 : 0
    return 63 - 6.5 * progress + wave + cold + 1.1 * chance.bell()
  }

  private func bodyMass(day: Int, progress: Double) -> Double {
    var chance = Chance(seed: seed, stream: Stream.body.rawValue, day: -1 - day)
    let year = Double(timeline.firstDay + day) / 365.25
    return 68.4 - 2.1 * progress + 0.8 * cos(2 * .pi * year) + 0.35 * chance.bell()
  }

  private func walks(
    weekday: Int, day: Int, wake: Int, bed: Int, charging: Range<Int>?, chance: inout Chance
  ) -> [DayPlan.Walk] {
    let vigour = 1 + 0.16 * chance.bell()
    var outings = outings(weekday: weekday, day: day, bed: bed, chance: &chance)[...]
    var walks: [DayPlan.Walk] = []
    var now = wake + 420
    while now < bed - 600 {
      if let outing = outings.first, outing.start < now + 900 {
        outings.removeFirst()
        let start = max(now, outing.start)
        walks.append(
          walk(
            start: start, end: start + outing.duration, isRun: outing.isRun, isShort: false,
            charging: charging, chance: &chance))
        now = start + outing.duration + 300
      } else {
        let duration = shortDuration(chance: &chance)
        if now + duration >= bed - 300 { break }
        walks.append(
          walk(
            start: now, end: now + duration, isRun: false, isShort: true, charging: charging,
            chance: &chance))
        let pause = (weekday < 5 ? 1_350 : 1_150) / max(0.5, vigour)
        now += duration + 60 + Int(-log(1 - chance.fraction()) * pause)
      }
    }
    return walks
  }

  private func shortDuration(chance: inout Chance) -> Int {
    switch chance.fraction() {
    case ..<0.86: chance.whole(in: 20...140)
    case ..<0.98: chance.whole(in: 140...420)
    default: chance.whole(in: 420...900)
    }
  }

  private func walk(
    start: Int, end: Int, isRun: Bool, isShort: Bool, charging: Range<Int>?, chance: inout Chance
  ) -> DayPlan.Walk {
    let cadence = isRun ? 2.72 : isShort && end - start < 200 ? 1.15 : 1.78
    return DayPlan.Walk(
      start: start, end: end, cadence: cadence + 0.08 * chance.bell(),
      isWatchWorn: charging.map { !$0.overlaps(start..<end) } ?? false,
      isPhoneCarried: chance.happens(isRun ? 0.4 : 0.93), isRun: isRun)
  }

  private struct Outing {
    let start: Int
    let duration: Int
    let isRun: Bool
  }

  /// Ways to work and back, lunch, runs, long walks at weekends, and now and then a way home
  /// across midnight.
  private func outings(weekday: Int, day: Int, bed: Int, chance: inout Chance) -> [Outing] {
    var outings: [Outing] = []
    func add(_ hour: Double, minutes: ClosedRange<Double>, isRun: Bool = false) {
      let second = Int(hour * 3_600 + 540 * chance.bell())
      outings.append(
        Outing(
          start: timeline.instant(day: day, second: second),
          duration: Int(chance.number(in: minutes) * 60), isRun: isRun))
    }
    switch weekday {
    case 0...4:
      if weekday != 4 || chance.happens(0.4) {
        add(8.1, minutes: 8...13)
        add(12.5, minutes: 4...11)
        add(17.8, minutes: 8...14)
      }
      if weekday == 1 || weekday == 3, chance.happens(0.7) {
        add(18.7, minutes: 22...40, isRun: true)
      }
    case 5:
      add(11, minutes: 12...35)
      if chance.happens(0.5) { add(15.5, minutes: 30...80) }
    default:
      if chance.happens(0.45) { add(10.2, minutes: 30...60, isRun: true) }
      if chance.happens(0.4) { add(15, minutes: 20...60) }
    }
    let midnight = timeline.midnights[day + 1]
    if bed > midnight + 2_400 {
      outings.append(Outing(start: midnight - 780, duration: 1_500, isRun: false))
    }
    return outings
  }
}
