import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct SleepRegularityIndexTests {
  @Test("NumPy's and R's indices come out, the project's reference of 25 among them")
  func references() throws {
    let cases = try RhythmReferences.python().regularity
    let fromR = try RhythmReferences.r().regularity
    #expect(cases.count == 3 && fromR.count == 3 && cases[0].index == 25)
    for (reference, other) in zip(cases, fromR) {
      let index = try SleepRegularityIndex(
        days: reference.days.map { $0.map { $0.map { $0 == 1 } } })
      #expect(isNear(index.value, reference.index, 1e-13) && isNear(index.value, other, 1e-13))
    }
  }

  @Test("All days of two and three epochs, known or not, give the formula word for word")
  func smallInputs() throws {
    let states: [Bool?] = [nil, false, true]
    let days = states.flatMap { a in states.flatMap { b in [[a, b]] + states.map { [a, b, $0] } } }
    for one in days {
      for other in days {
        for third in [[], [true], [false, nil, true]] as [[Bool?]] {
          let week = [one, other, third]
          guard let slow = SlowSleepRegularity.index(days: week) else {
            #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
              try SleepRegularityIndex(days: week)
            }
            continue
          }
          let index = try SleepRegularityIndex(days: week)
          #expect((index.value - slow).magnitude < 1e-12)
          #expect((-100...100).contains(index.value))
        }
      }
    }
  }

  @Test("Random spans give the states that asking each epoch gives")
  func spans() throws {
    var random = SplitMix64(seed: 41)
    for round in 0..<120 {
      let epoch = [1.0, 7, 30, 0.1 + 1][round % 4]
      // Days of 20 to 26 epochs and a part of one.
      let part = [0.25, 0.75 * epoch, 0.9 * epoch][round % 3]
      var boundaries = [Double(Int.random(in: -500...500, using: &random))]
      for _ in 0..<Int.random(in: 2...6, using: &random) {
        boundaries.append(
          (boundaries.last ?? 0) + Double(Int.random(in: 20...26, using: &random)) * epoch + part)
      }
      let spans = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        let start = Double(Int.random(in: -600...700, using: &random))
        return (start: start, end: start + Double(Int.random(in: 0...90, using: &random)))
      }
      for emptyIsAwake in [false, true] {
        let days = SlowSleepRegularity.days(
          spans: spans, boundaries: boundaries, epoch: epoch, emptyIsAwake: emptyIsAwake)
        let slow = SlowSleepRegularity.index(days: days)
        let index = try? SleepRegularityIndex(
          starts: spans.map(\.start), ends: spans.map(\.end), dayBoundaries: boundaries,
          epoch: epoch, emptyDaysAreAwake: emptyIsAwake)
        #expect((index == nil) == (slow == nil))
        if let index, let slow { #expect((index.value - slow).magnitude < 1e-12) }
      }
    }
  }

  @Test("Equal nights have 100, opposite ones −100, and 8 hours an hour later each night 83")
  func nights() throws {
    let day = 86_400.0
    let boundaries = (0...10).map { Double($0) * day }
    let equal = (0..<10).map { Double($0) * day + 11 * 3600 }
    let index = try SleepRegularityIndex(
      starts: equal, ends: equal.map { $0 + 8 * 3600 }, dayBoundaries: boundaries)
    #expect(index.value == 100)
    #expect(index.comparedCount == 9 * 2880 && index.agreeingCount == 9 * 2880)
    #expect(index.dayPairCount == 9)
    // Two of 24 hours differ: 100·(1 − 2·2/24).
    let later = (0..<4).map { Double($0) * day + Double(9 + $0) * 3600 }
    let moved = try SleepRegularityIndex(
      starts: later, ends: later.map { $0 + 8 * 3600 }, dayBoundaries: Array(boundaries[...4]))
    #expect(isNear(moved.value, 100 * (1 - 4.0 / 24), 1e-14))
    // Asleep through every other noon to noon.
    let whole = [0.0, 2, 4].map { $0 * day }
    let opposite = try SleepRegularityIndex(
      starts: whole, ends: whole.map { $0 + day }, dayBoundaries: Array(boundaries[...5]),
      emptyDaysAreAwake: true)
    #expect(opposite.value == -100)
  }

  @Test("A day without a record is left out with both of its comparisons")
  func emptyDays() throws {
    let day = 86_400.0
    let boundaries = (0...6).map { Double($0) * day }
    let starts = [0.0, 1, 3, 4, 5].map { $0 * day + 40_000 }
    let index = try SleepRegularityIndex(
      starts: starts, ends: starts.map { $0 + 28_800 }, dayBoundaries: boundaries)
    #expect(index.value == 100 && index.dayPairCount == 3)
    let awake = try SleepRegularityIndex(
      starts: starts, ends: starts.map { $0 + 28_800 }, dayBoundaries: boundaries,
      emptyDaysAreAwake: true)
    #expect(awake.dayPairCount == 5)
    #expect(isNear(awake.value, 100 * (1 - 4.0 / 5 / 3), 1e-14))
  }

  @Test("A day of 23 or 25 hours is compared as far as the shorter one goes")
  func clockChange() throws {
    let lengths = [24.0, 23, 24, 25, 24]
    let boundaries = lengths.reduce(into: [0.0]) { $0.append(($0.last ?? 0) + $1 * 3600) }
    let starts = boundaries.dropLast().map { $0 + 10 * 3600 }
    let index = try SleepRegularityIndex(
      starts: starts, ends: starts.map { $0 + 7 * 3600 }, dayBoundaries: boundaries)
    #expect(index.value == 100)
    #expect(index.comparedCount == (23 + 23 + 24 + 24) * 120)
  }

  @Test("Days in reverse, and sleep for wake, have the same index; so have moved and cut spans")
  func symmetries() throws {
    var random = SplitMix64(seed: 42)
    let days = (0..<8).map { _ in (0..<50).map { _ in Bool?.some(Bool.random(using: &random)) } }
    let index = try SleepRegularityIndex(days: days)
    #expect(try SleepRegularityIndex(days: days.reversed()) == index)
    #expect(try SleepRegularityIndex(days: days.map { $0.map { $0.map { !$0 } } }) == index)
    #expect(index.value.magnitude < 25)
    let boundaries = (0...5).map { Double($0) * 86_400 }
    let late: [Double] = [36_000, 36_977, 37_954, 38_931, 36_908]
    let starts = late.indices.map { Double($0) * 86_400 + late[$0] }
    let ends = starts.indices.map { starts[$0] + 25_000 + Double($0 * 331) }
    let plain = try SleepRegularityIndex(starts: starts, ends: ends, dayBoundaries: boundaries)
    let shift = 757_382_400.0
    #expect(
      try SleepRegularityIndex(
        starts: starts.map { $0 + shift }, ends: ends.map { $0 + shift },
        dayBoundaries: boundaries.map { $0 + shift }) == plain)
    let cuts = starts.map { $0 + 9_000 }
    #expect(
      try SleepRegularityIndex(
        starts: cuts + starts, ends: ends + cuts, dayBoundaries: boundaries) == plain)
    // Twice as fine: each epoch is two, where spans begin and end at whole epochs.
    let whole = starts.map { ($0 / 60).rounded() * 60 }
    let coarse = try SleepRegularityIndex(
      starts: whole, ends: whole.map { $0 + 24_000 }, dayBoundaries: boundaries, epoch: 60)
    let fine = try SleepRegularityIndex(
      starts: whole, ends: whole.map { $0 + 24_000 }, dayBoundaries: boundaries)
    #expect(coarse.value == fine.value && fine.comparedCount == 2 * coarse.comparedCount)
  }

  @Test("Too few days, broken spans and absurd boundaries are refused with a reason and a row")
  func refusals() throws {
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 2))) {
      try SleepRegularityIndex(days: [])
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 1, needed: 2))) {
      try SleepRegularityIndex(days: [[true]])
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
      try SleepRegularityIndex(days: [[true, nil], [nil, false]])
    }
    let days = [0.0, 86_400, 172_800]
    #expect(refusal([], [], days) == AnalysisError(.tooFewPoints(count: 0, needed: 1)))
    #expect(refusal([1], [], days) == AnalysisError(.lengthsDiffer(x: 1, y: 0)))
    #expect(refusal([1, 5], [2, 4], days) == AnalysisError(.outOfRange, row: 1))
    #expect(refusal([1, .nan], [2, 4], days) == AnalysisError(.notFinite, row: 1))
    #expect(refusal([1], [2], []) == AnalysisError(.tooFewPoints(count: 0, needed: 2)))
    #expect(refusal([1], [2], [0, 1e5]) == AnalysisError(.tooFewPoints(count: 1, needed: 2)))
    #expect(refusal([1], [2], [0, 1e5, 1e5]) == AnalysisError(.notOrdered, row: 2))
    #expect(refusal([1], [2], [0, 1e5, .infinity]) == AnalysisError(.notFinite, row: 2))
    #expect(refusal([1], [2], [0, 1e5, 1e300]) == AnalysisError(.outOfRange, row: 2))
    #expect(refusal([1], [2], [0, 29, 60]) == AnalysisError(.outOfRange, row: 1))
    for epoch in [0, -30, 0.5, 3601, .nan, .infinity] as [Double] {
      #expect(
        refusal([1], [2], days, epoch)
          == AnalysisError(.parameter(name: "length of an epoch", range: "from 1 to 3600 seconds")))
    }
    // Spans of any size, and times that a double cannot tell apart.
    let huge = Double.greatestFiniteMagnitude
    let always = try SleepRegularityIndex(starts: [-huge], ends: [huge], dayBoundaries: days)
    #expect(always.value == 100)
    let far = [1e17, 1e17 + 86_400, 1e17 + 172_800]
    let coarse = try SleepRegularityIndex(starts: [0], ends: [1e18], dayBoundaries: far)
    #expect(coarse.value == 100)
  }

  private func refusal(
    _ starts: [Double], _ ends: [Double], _ boundaries: [Double], _ epoch: Double = 30
  ) -> AnalysisError? {
    do {
      _ = try SleepRegularityIndex(
        starts: starts, ends: ends, dayBoundaries: boundaries, epoch: epoch)
      return nil
    } catch {
      return error
    }
  }
}
