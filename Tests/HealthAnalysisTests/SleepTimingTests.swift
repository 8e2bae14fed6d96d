import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct SleepTimingTests {
  @Test("SciPy and R have the same circular means, deviations and lengths")
  func references() throws {
    let cases = try RhythmReferences.python().circular
    let fromR = try RhythmReferences.r().circular
    #expect(cases.count == 4 && fromR.count == 4)
    for (reference, other) in zip(cases, fromR) {
      let summary = try CircularSummary(reference.hours)
      for (mean, length, deviation) in [
        (reference.mean, reference.length, reference.deviation),
        (other.mean, other.length, other.deviation),
      ] {
        #expect(CircularSummary.distance(try #require(summary.mean), mean) < 1e-10)
        #expect(isNear(summary.resultantLength, length))
        #expect(isNear(summary.standardDeviation, deviation))
      }
    }
  }

  @Test("All small tuples and random times give the direction of the sum of unit vectors")
  func slowTwin() throws {
    let hours = [0.0, 1.5, 7, 12, 19.25, 23]
    for a in hours {
      for b in hours { for c in hours { try compare([a, b, c]) } }
    }
    var random = SplitMix64(seed: 51)
    for _ in 0..<200 {
      let count = Int.random(in: 1...40, using: &random)
      try compare((0..<count).map { _ in Double.random(in: -30...60, using: &random) })
    }
  }

  @Test("Equal times have exactly their time and no spread; opposite ones have no mean")
  func edges() throws {
    for time in [0.0, 0.1, 7.3, 12, 23.999, -1, 49] {
      let summary = try CircularSummary([time, time, time])
      let mean = try #require(summary.mean)
      #expect(CircularSummary.distance(mean, time) < 1e-14 && (0..<24).contains(mean))
      #expect(summary.standardDeviation == 0 && summary.linearStandardDeviation == 0)
      #expect(summary.resultantLength == 1)
    }
    for times in [[0.0, 12], [3.7, 15.7], [1, 9, 17], [0, 6, 12, 18]] {
      let summary = try CircularSummary(times)
      #expect(summary.mean == nil && summary.resultantLength == 0)
      #expect(summary.standardDeviation == nil && summary.linearStandardDeviation == nil)
    }
    #expect(try CircularSummary([5]).linearStandardDeviation == nil)
    #expect(try #require(try CircularSummary([23, 1]).mean) == 0)
  }

  @Test("A small spread has the linear deviation, to the last digits also of a second")
  func smallSpread() throws {
    let times = [23.9, 0.05, 0.1, 0.02, 23.95]
    let linear = times.map { $0 > 12 ? $0 - 24 : $0 }
    for size in [1, 1e-3, 1e-6, 1e-9] {
      let summary = try CircularSummary(linear.map { 4 + $0 * size })
      let mean = linear.reduce(0, +) / 5
      let squares = linear.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let bound = 1e-3 * size * size + 1e-6
      #expect(isNear(summary.linearStandardDeviation, (squares / 4).squareRoot() * size, bound))
      #expect(isNear(summary.standardDeviation, (squares / 5).squareRoot() * size, bound))
      #expect(isNear(summary.mean, 4 + mean * size, 1e-6))
    }
  }

  @Test("Turning, mirroring and another unit turn, mirror and scale the summary")
  func laws() throws {
    var random = SplitMix64(seed: 52)
    let times = (0..<25).map { _ in Double(Int.random(in: 160...260, using: &random)) / 8 }
    let plain = try CircularSummary(times)
    let mean = try #require(plain.mean)
    let deviation = try #require(plain.standardDeviation)
    let linear = try #require(plain.linearStandardDeviation)
    for turn in [1.0, -7.5, 24, 2400] {
      let turned = try CircularSummary(times.map { $0 + turn })
      #expect(CircularSummary.distance(try #require(turned.mean), mean + turn) < 1e-11)
      #expect(isNear(turned.standardDeviation, deviation))
      #expect(isNear(turned.linearStandardDeviation, linear))
    }
    let mirrored = try CircularSummary(times.map { -$0 })
    #expect(CircularSummary.distance(try #require(mirrored.mean), -mean) < 1e-11)
    let minutes = try CircularSummary(times.map { $0 * 64 }, period: 24 * 64)
    #expect(minutes.mean == mean * 64 && minutes.standardDeviation == deviation * 64)
    #expect(minutes.linearStandardDeviation == linear * 64)
    #expect(try CircularSummary(times + times).resultantLength - plain.resultantLength < 1e-14)
  }

  @Test("The distance on the clock is the shorter way, of both orders")
  func distance() {
    #expect(CircularSummary.distance(23, 1) == 2 && CircularSummary.distance(1, 23) == 2)
    #expect(CircularSummary.distance(0, 12) == 12 && CircularSummary.distance(6, 6) == 0)
    #expect(CircularSummary.distance(-1, 25) == 2)
    #expect(CircularSummary.distance(350, 10, period: 360) == 20)
  }

  @Test("A midpoint lies half way from onset on to wake-up, over midnight or not")
  func midpoints() {
    for (onset, wake, middle) in [
      (23.0, 7.0, 3.0), (22, 6, 2), (1, 9, 5), (20, 2, 23), (23, 1, 0), (8, 16, 12), (5, 5, 5),
      (47, 31, 3), (-1, 7, 3),
    ] {
      #expect(SleepTiming.midpoint(onset: onset, wake: wake) == middle)
    }
  }

  @Test("Social jet lag is the distance of both means of midpoints, whatever the numbering of days")
  func socialJetLag() throws {
    // Work: 23:00–7:00, free: 1:30–10:30, so midpoints at 3:00 and 6:00.
    let free: Set = [1, 7]
    let weekdays = (0..<28).map { $0 % 7 + 1 }
    let onsets = weekdays.map { free.contains($0) ? 1.5 : 23 }
    let wakes = weekdays.map { free.contains($0) ? 10.5 : 7 }
    let timing = try SleepTiming(
      onsets: onsets, wakes: wakes, weekdays: weekdays, freeDays: free)
    #expect(isNear(timing.socialJetLag, 3, 1e-14) && isNear(timing.freeDayShift, 3, 1e-14))
    #expect(isNear(timing.freeMidpoint?.mean, 6, 1e-14))
    #expect(isNear(timing.workMidpoint?.mean, 3, 1e-14))
    #expect(timing.freeMidpoint?.count == 8 && timing.workMidpoint?.count == 20)
    #expect(timing.onset.count == 28 && timing.midpoint.count == 28 && timing.wake.count == 28)
    // Onsets are 23:00 twenty times and 1:30 eight times: in hours after 23:00, 0 and 2.5.
    let variance = (20 * 8 / 28.0) * 2.5 * 2.5 / 27
    #expect(isNear(timing.onset.linearStandardDeviation, variance.squareRoot(), 1e-12))
    // Late and over midnight: 22:00 and 2:00 are 4 hours apart, not 20.
    let late = try SleepTiming(
      onsets: [20, 20, 23], wakes: [24, 24, 5], weekdays: [0, 1, 2], freeDays: [2])
    #expect(isNear(late.socialJetLag, 4, 1e-14) && isNear(late.freeDayShift, 4, 1e-14))
    // Turned about, free days are earlier.
    let early = try SleepTiming(
      onsets: [20, 20, 23], wakes: [24, 24, 5], weekdays: [0, 1, 2], freeDays: [0, 1])
    #expect(isNear(early.socialJetLag, 4, 1e-14) && isNear(early.freeDayShift, -4, 1e-14))
    let all = try SleepTiming(onsets: onsets, wakes: wakes, weekdays: weekdays, freeDays: [])
    #expect(all.socialJetLag == nil && all.freeMidpoint == nil)
    let opposite = try SleepTiming(
      onsets: [0, 12, 3], wakes: [8, 20, 9], weekdays: [1, 1, 2], freeDays: [1])
    #expect(opposite.socialJetLag == nil && opposite.freeDayShift == nil)
  }

  @Test("Broken data is refused with its reason")
  func refusals() {
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) { try CircularSummary([]) }
    #expect(throws: AnalysisError(.notFinite, row: 1)) { try CircularSummary([1, .nan]) }
    for period in [0, -24, .nan, .infinity] as [Double] {
      #expect(throws: AnalysisError(.parameter(name: "period", range: "positive"))) {
        try CircularSummary([1], period: period)
      }
    }
    #expect(throws: AnalysisError(.lengthsDiffer(x: 1, y: 2))) {
      try SleepTiming(onsets: [1], wakes: [2, 3], weekdays: [1], freeDays: [])
    }
    #expect(throws: AnalysisError(.lengthsDiffer(x: 1, y: 0))) {
      try SleepTiming(onsets: [1], wakes: [2], weekdays: [], freeDays: [])
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
      try SleepTiming(onsets: [], wakes: [], weekdays: [], freeDays: [])
    }
    #expect(throws: AnalysisError(.notFinite, row: 0)) {
      try SleepTiming(onsets: [1], wakes: [.infinity], weekdays: [1], freeDays: [])
    }
  }

  @Test("The corrected middle of free days is onset plus half of the mean sleep of the week")
  func correctedMiddle() throws {
    let reference = try MeasureReferences.read().chronotype
    func timing(_ nights: [[Double]], freeDays: Set<Int> = [1, 7]) throws -> SleepTiming {
      try SleepTiming(
        onsets: nights.map { $0[0] }, wakes: nights.map { $0[1] },
        weekdays: nights.map { Int($0[2]) }, freeDays: freeDays)
    }
    let week = try timing(reference.nights)
    #expect(agrees(try #require(week.freeDuration), reference.sdf, 1e-14))
    #expect(agrees(try #require(week.workDuration), reference.sdw, 1e-14))
    #expect(agrees(try #require(week.weekDuration), reference.sdweek, 1e-14))
    #expect(agrees(try #require(week.correctedFreeMidpoint), reference.msfsc, 1e-13))
    // How often a work day is recorded does not matter, only that it is one of five.
    let twice = try timing(reference.nights + reference.nights.filter { $0[2] > 1 && $0[2] < 7 })
    #expect(twice.weekDuration == week.weekDuration)
    #expect(agrees(try #require(twice.correctedFreeMidpoint), reference.msfsc, 1e-13))
    // Longer sleep on work days leaves nothing to make up for.
    let short = try timing([[23, 7, 2], [0, 5, 1]])
    #expect(short.correctedFreeMidpoint == short.freeMidpoint?.mean)
    // An hour later is an hour later, also over midnight.
    for hours in [1.0, 5.5, 20, 22] {
      let later = try timing(reference.nights.map { [$0[0] + hours, $0[1] + hours, $0[2]] })
      #expect(
        CircularSummary.distance(
          try #require(later.correctedFreeMidpoint), reference.msfsc + hours) < 1e-10)
      #expect((0..<24).contains(try #require(later.correctedFreeMidpoint)))
    }
  }

  @Test(
    "Without free days or work days, in the nights or in the week, there is no corrected middle")
  func noCorrectedMiddle() throws {
    func timing(weekdays: [Int], freeDays: Set<Int>) throws -> SleepTiming {
      try SleepTiming(
        onsets: [23, 1], wakes: [6, 10], weekdays: weekdays, freeDays: freeDays)
    }
    let all = try timing(weekdays: [2, 1], freeDays: Set(1...7))
    #expect(all.correctedFreeMidpoint == nil && all.weekDuration == nil && all.workDuration == nil)
    #expect(try timing(weekdays: [2, 3], freeDays: [1]).correctedFreeMidpoint == nil)
    #expect(try timing(weekdays: [1, 1], freeDays: [1]).correctedFreeMidpoint == nil)
    #expect(try timing(weekdays: [1, 2], freeDays: []).freeDuration == nil)
    // Eight days of a week are no week.
    #expect(try timing(weekdays: [2, 1], freeDays: [1, 3, 4, 5, 6, 7, 8]).weekDuration == nil)
    let opposite = try SleepTiming(
      onsets: [0, 12, 23], wakes: [8, 20, 6], weekdays: [1, 1, 2], freeDays: [1])
    #expect(opposite.freeMidpoint?.mean == nil && opposite.correctedFreeMidpoint == nil)
    #expect(opposite.weekDuration != nil)
  }

  @Test("Numbers at the ends of a double give finite results or a refusal")
  func extremes() {
    let sizes: [Double] = [
      .leastNonzeroMagnitude, .leastNormalMagnitude, 1, 1e300, .greatestFiniteMagnitude,
    ]
    for size in sizes {
      for period in sizes {
        guard let summary = try? CircularSummary([0, size, -0.3 * size], period: period) else {
          continue
        }
        let numbers = [summary.mean, summary.standardDeviation, summary.linearStandardDeviation]
        #expect(numbers.allSatisfy { ($0 ?? 0).isFinite })
        #expect(CircularSummary.distance(size, -size, period: period).isFinite)
      }
    }
  }

  private func compare(_ hours: [Double]) throws {
    let summary = try CircularSummary(hours)
    let slow = SlowSleepRegularity.circular(hours)
    #expect((summary.resultantLength - slow.length).magnitude < 1e-12)
    guard slow.length > 1e-6 else { return }
    #expect(CircularSummary.distance(try #require(summary.mean), slow.mean) < 1e-9 / slow.length)
    // √(−2 ln R) of an R that is 1 but for rounding.
    #expect((try #require(summary.standardDeviation) - slow.deviation).magnitude < 1e-6)
  }
}
