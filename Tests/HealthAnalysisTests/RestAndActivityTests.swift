import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct RestAndActivityTests {
  @Test("nparACT's forms by NumPy, and R's analysis of variance, come out")
  func references() throws {
    let cases = try RhythmReferences.python().activity
    let fromR = try RhythmReferences.r().activity
    #expect(cases.count == 3 && fromR.count == 3)
    for (reference, other) in zip(cases, fromR) {
      let days = try RegularSeries(reference.values).restAndActivity()
      #expect(isNear(days.interdailyStability, reference.stability, 1e-13))
      #expect(isNear(days.interdailyStability, other.stability, 1e-12))
      #expect(isNear(days.intradailyVariability, reference.variability, 1e-13))
      #expect(isNear(days.intradailyVariability, other.variability, 1e-12))
      for (least, most, relative) in [
        (reference.least, reference.most, reference.relative),
        (other.least, other.most, other.relative),
      ] {
        #expect(isNear(days.leastActive.mean, least, 1e-13))
        #expect(isNear(days.mostActive.mean, most, 1e-13))
        #expect(isNear(days.relativeAmplitude, relative, 1e-13))
      }
      #expect(days.leastActive.onset == other.leastOnset)
      #expect(days.mostActive.onset == other.mostOnset)
      // pyActigraphy's variances have n − 1 and p − 1.
      let n = Double(reference.values.count)
      #expect(
        isNear(reference.stabilityPyActigraphy, days.interdailyStability * 24 / 23 * (n - 1) / n))
      #expect(isNear(reference.variabilityPyActigraphy, days.intradailyVariability * (n - 1) / n))
    }
  }

  @Test("Random whole numbers with gaps give the definitions in exact sums")
  func slowTwin() throws {
    var random = SplitMix64(seed: 61)
    for round in 0..<120 {
      let rowsPerDay = [24, 48][round % 2]
      let count = Int.random(in: 2 * rowsPerDay...4 * rowsPerDay, using: &random)
      let missing = [0, 0.1, 0.4][round % 3]
      let rows = (0..<count).map { _ in
        Double.random(in: 0..<1, using: &random) < missing
          ? nil : Int.random(in: 0...(round % 5 == 0 ? 1 : 900), using: &random)
      }
      let least = Int.random(in: 1...23, using: &random)
      let most = Int.random(in: 1...23, using: &random)
      let series = try RegularSeries(rows.map { $0.map(Double.init) })
      let isWhole = (0..<rowsPerDay).allSatisfy { hour in
        stride(from: hour, to: count, by: rowsPerDay).contains { rows[$0] != nil }
      }
      guard isWhole else {
        #expect(throws: AnalysisError.self) {
          try series.restAndActivity(rowsPerDay: rowsPerDay)
        }
        continue
      }
      let days = try series.restAndActivity(
        rowsPerDay: rowsPerDay, leastHours: least, mostHours: most)
      let scale = rowsPerDay / 24
      let slow = SlowRestAndActivity(
        rows, rowsPerDay: rowsPerDay, leastRows: least * scale, mostRows: most * scale)
      #expect(isNear(days.interdailyStability, slow.stability, 1e-12))
      #expect(isNear(days.intradailyVariability, slow.variability, 1e-12))
      #expect(isNear(days.leastActive.mean, slow.least.mean, 1e-12))
      #expect(isNear(days.mostActive.mean, slow.most.mean, 1e-12))
      #expect(slow.least.onsets.contains(Int(days.leastActive.onset * Double(scale))))
      #expect(slow.most.onsets.contains(Int(days.mostActive.onset * Double(scale))))
      #expect(days.leastActive.hours == least && days.mostActive.hours == most)
      #expect(days.presentCount == rows.count { $0 != nil })
    }
  }

  @Test("A day made by hand has the stability, variability and spells that a pencil gives")
  func byHand() throws {
    // Asleep (0) from 22 to 6, 3 an hour else, for two days; the second day has 6 at hour 12.
    let day = (0..<24).map { $0 >= 6 && $0 < 22 ? 3.0 : 0 }
    var next = day
    next[12] = 6
    let days = try RegularSeries(day + next).restAndActivity()
    // n = 48, Σx = 99, Σx² = 31·9 + 36 = 315: squares about the mean 315 − 99²/48.
    let squares = 315 - 99.0 * 99 / 48
    // The hour 12 has the mean 4.5; what is left within hours is 2·1.5².
    #expect(isNear(days.interdailyStability, 1 - 4.5 / squares, 1e-14))
    // Steps: 0→3 and 3→0 on each day, 3→6 and 6→3 on the second: 6 steps of 3.
    #expect(isNear(days.intradailyVariability, (54.0 / 47) / (squares / 48), 1e-14))
    #expect(days.leastActive == .init(mean: 0, onset: 0, hours: 5))
    #expect(days.mostActive == .init(mean: 3.15, onset: 6, hours: 10))
    #expect(days.relativeAmplitude == 1)
    #expect(days.meanDay[12] == 4.5 && days.meanDay[3] == 0 && days.pairCount == 47)
  }

  @Test("A perfectly repeated day has a stability of 1, also with gaps")
  func repeatedDay() throws {
    var random = SplitMix64(seed: 62)
    let day = (0..<24).map { _ in Double.random(in: 0...1000, using: &random) }
    let rows = Array(repeating: day, count: 7).flatMap(\.self)
    #expect(isNear(try RegularSeries(rows).restAndActivity().interdailyStability, 1, 1e-14))
    var gaps: [Double?] = rows
    for row in gaps.indices.dropFirst(24) where row * 7 % 5 == 0 { gaps[row] = nil }
    let days = try RegularSeries(gaps).restAndActivity()
    #expect(isNear(days.interdailyStability, 1, 1e-14))
    #expect(days.interdailyStability <= 1)
    // A spell over midnight.
    let night = (0..<24).map { $0 >= 23 || $0 < 4 ? 1.0 : $0 == 12 ? 9 : 8 }
    let quiet = try RegularSeries(night + night).restAndActivity()
    #expect(quiet.leastActive == .init(mean: 1, onset: 23, hours: 5))
  }

  @Test("Of noise, stability is near 1 over the days, and variability near 2")
  func noise() throws {
    var random = SplitMix64(seed: 63)
    let runs = Soak.isLong ? 2000 : 60
    let dayCount = 14
    var (stability, variability) = (0.0, 0.0)
    for _ in 0..<runs {
      let rows = (0..<24 * dayCount).map { _ in Double.random(in: 0...1, using: &random) }
      let days = try RegularSeries(rows).restAndActivity()
      stability += days.interdailyStability / Double(runs)
      variability += days.intradailyVariability / Double(runs)
    }
    let count = Double(24 * dayCount)
    // Between 24 means of n values: 23/(n − 1) of the squares.
    #expect((stability - 23 / (count - 1)).magnitude < 4 * 0.02 / Double(runs).squareRoot())
    #expect(
      (variability - 2 * count / (count - 1)).magnitude < 4 * 0.12 / Double(runs).squareRoot())
  }

  @Test("Another unit or zero leaves the indices; days in another order leave the stability")
  func laws() throws {
    var random = SplitMix64(seed: 64)
    let week = (0..<7).map { day in
      (0..<24).map { hour -> Double? in
        hour == 3 && day % 3 == 1
          ? nil : Double(Int.random(in: 0...60, using: &random) * (hour > 7 ? 4 : 1))
      }
    }
    let rows = week.flatMap(\.self)
    let plain = try RegularSeries(rows).restAndActivity()
    let scaled = try RegularSeries(rows.map { $0.map { $0 * 1024 } }).restAndActivity()
    #expect(scaled.interdailyStability == plain.interdailyStability)
    #expect(scaled.intradailyVariability == plain.intradailyVariability)
    #expect(scaled.relativeAmplitude == plain.relativeAmplitude)
    #expect(scaled.leastActive.mean == plain.leastActive.mean * 1024)
    #expect(scaled.meanDay == plain.meanDay.map { $0 * 1024 })
    let raised = try RegularSeries(rows.map { $0.map { $0 * 0.7 + 1000 } }).restAndActivity()
    #expect(isNear(raised.interdailyStability, plain.interdailyStability, 1e-11))
    #expect(isNear(raised.intradailyVariability, plain.intradailyVariability, 1e-11))
    #expect(raised.leastActive.onset == plain.leastActive.onset)
    #expect(isNear(raised.mostActive.mean, plain.mostActive.mean * 0.7 + 1000, 1e-13))
    let shuffled = try RegularSeries(
      week.shuffled(using: &random).flatMap { $0 }
    ).restAndActivity()
    #expect(isNear(shuffled.interdailyStability, plain.interdailyStability, 1e-13))
    #expect(shuffled.mostActive == plain.mostActive)
    let backwards: [Double?] = rows.reversed()
    let reversed = try RegularSeries(backwards).restAndActivity()
    #expect(isNear(reversed.interdailyStability, plain.interdailyStability, 1e-13))
    #expect(isNear(reversed.intradailyVariability, plain.intradailyVariability, 1e-13))
    let mirrored = try RegularSeries(rows.map { $0.map { -$0 } }).restAndActivity(
      leastHours: 10, mostHours: 5)
    #expect(mirrored.relativeAmplitude == nil)
    #expect(mirrored.leastActive.mean == -plain.mostActive.mean)
    #expect(mirrored.mostActive.mean == -plain.leastActive.mean)
    // A later start of the day moves the onsets.
    let turned: [Double?] = Array(rows[2...] + rows[..<2])
    let later = try RegularSeries(turned).restAndActivity()
    #expect(
      CircularSummary.distance(later.mostActive.onset + 2, plain.mostActive.onset) == 0)
  }

  @Test("Too little, constant or absurd input is refused with its reason")
  func refusals() throws {
    let day = (0..<24).map { Double($0 % 5) }
    #expect(refusal([]) == AnalysisError(.spanTooShort(rows: 0, needed: 48)))
    #expect(refusal(day + day.dropLast()) == AnalysisError(.spanTooShort(rows: 47, needed: 48)))
    #expect(refusal(day + day) == nil)
    #expect(refusal(Array(repeating: 0.1, count: 72)) == AnalysisError(.constant))
    #expect(
      refusal([Double?](repeating: nil, count: 72))
        == AnalysisError(.tooFewPoints(count: 0, needed: 2)))
    var hole: [Double?] = day + day + day
    for row in stride(from: 7, to: 72, by: 24) { hole[row] = nil }
    #expect(refusal(hole) == AnalysisError(.tooFewPoints(count: 0, needed: 1), row: 7))
    // Each hour once, but no two neighbours.
    let lonely = (0..<48).map { (row: Int) -> Double? in
      row % 2 == (row < 24 ? 0 : 1) ? Double(row % 7) : nil
    }
    #expect(refusal(lonely) == AnalysisError(.tooFewPoints(count: 1, needed: 2)))
    for rowsPerDay in [0, -24, 23, 25, .min, .max] {
      guard case .parameter? = refusal(day + day, rowsPerDay)?.reason else {
        Issue.record("\(rowsPerDay) rows are no day")
        continue
      }
    }
    #expect(
      refusal(day + day, 24 * (Int.max / 24))
        == AnalysisError(.spanTooShort(rows: 48, needed: .max)))
    for hours in [0, -1, 24, .max, .min] {
      #expect(throws: AnalysisError.self) {
        try RegularSeries(day + day).restAndActivity(leastHours: hours)
      }
      #expect(throws: AnalysisError.self) {
        try RegularSeries(day + day).restAndActivity(mostHours: hours)
      }
    }
  }

  @Test("Numbers at the ends of a double give finite results or a refusal")
  func extremes() throws {
    let sizes: [Double] = [
      .leastNonzeroMagnitude, .leastNormalMagnitude, 1e-300, 1e300, .greatestFiniteMagnitude,
    ]
    for size in sizes {
      for low in [0, -1.0, 0.5] {
        let rows = (0..<72).map { $0 * 5 % 7 < 3 ? size : low * size }
        let days = try RegularSeries(rows).restAndActivity()
        let numbers = [
          days.interdailyStability, days.intradailyVariability, days.leastActive.mean,
          days.mostActive.mean, days.relativeAmplitude ?? 0,
        ]
        #expect((numbers + days.meanDay).allSatisfy { $0.isFinite })
        #expect((0...1).contains(days.interdailyStability))
      }
    }
  }

  private func refusal(_ rows: [Double?], _ rowsPerDay: Int = 24) -> AnalysisError? {
    do {
      _ = try RegularSeries(rows).restAndActivity(rowsPerDay: rowsPerDay)
      return nil
    } catch {
      return error
    }
  }
}
