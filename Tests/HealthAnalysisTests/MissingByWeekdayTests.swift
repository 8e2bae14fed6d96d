import Foundation
import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct MissingByWeekdayTests {
  private func test(_ missing: [Bool], first: Int = 0) throws -> MissingByWeekday {
    try RegularSeries(missing.map { $0 ? nil : 1 }).missingByWeekday(firstWeekday: first)
  }

  @Test("χ² is that of SciPy, and exact shares those of all choices as fractions")
  func references() throws {
    for reference in try MeasureReferences.read().weekdays {
      let found = try test(reference.missing.map { $0 == 1 }, first: reference.first)
      #expect(agrees(found.statistic, reference.statistic, 1e-12), "\(reference.name)")
      #expect(found.isExact == (reference.exact != nil), "\(reference.name)")
      #expect(agrees(found.pValue, reference.exact ?? reference.p, 1e-12), "\(reference.name)")
      #expect(
        agrees(MissingByWeekday.sixDegrees(reference.statistic), reference.p, 1e-11))
      #expect(found.days.count == reference.missing.count - 2)
    }
  }

  @Test("Two or three weeks have the share of all sets of days that are as uneven")
  func allSets() throws {
    var random = SplitMix64(seed: 660)
    for _ in 0..<12 {
      let days = Int.random(in: 14...17, using: &random)
      let missing = (0..<days).map { _ in Int.random(in: 0..<4, using: &random) == 0 }
      let count = missing.count(where: \.self)
      guard count > 0, count < days else { continue }
      let first = Int.random(in: 0..<7, using: &random)
      // Before and after the days lies a day with a value.
      let found = try test([false] + missing + [false], first: first)
      func square(_ set: Int) -> Double {
        var (days7, gone) = ([Double](repeating: 0, count: 7), [Double](repeating: 0, count: 7))
        for day in 0..<days {
          days7[(first + 1 + day) % 7] += 1
          if set >> day & 1 == 1 { gone[(first + 1 + day) % 7] += 1 }
        }
        let share = Double(count) / Double(days)
        return zip(days7, gone).reduce(0) { sum, pair in
          let missed = pair.1 - pair.0 * share
          let there = (pair.0 - pair.1) - pair.0 * (1 - share)
          return sum + missed * missed / (pair.0 * share) + there * there / (pair.0 * (1 - share))
        }
      }
      let set = missing.indices.reduce(0) { $0 | (missing[$1] ? 1 << $1 : 0) }
      let statistic = square(set)
      let sets = (0..<(1 << days)).filter { $0.nonzeroBitCount == count }
      let uneven = sets.count { square($0) >= statistic - 1e-9 }
      #expect(agrees(found.statistic, statistic, 1e-12))
      #expect(found.isExact && agrees(found.pValue, Double(uneven) / Double(sets.count), 1e-12))
    }
  }

  @Test("Turning the numbers of weekdays, and days before the first value, change nothing")
  func laws() throws {
    var random = SplitMix64(seed: 661)
    for days in [30, 400] {
      let missing = [false] + (0..<days).map { _ in Bool.random(using: &random) } + [false]
      let plain = try test(missing)
      for first in 1..<7 {
        let turned = try test(missing, first: first)
        #expect(agrees(turned.statistic, plain.statistic, 1e-12))
        #expect(agrees(turned.pValue, plain.pValue, 1e-12))
        #expect((0..<7).map { turned.days.missing[(first + $0) % 7] } == plain.days.missing)
      }
      #expect(try test(Array(repeating: true, count: 21) + missing + [true]) == plain)
      // What is missing and what is there play the same part.
      let other = try test([false] + missing.dropFirst().dropLast().map { !$0 } + [false])
      #expect(agrees(other.statistic, plain.statistic, 1e-12))
      #expect(agrees(other.pValue, plain.pValue, 1e-10))
    }
    let even = (0..<7 * 20).map { $0 / 7 % 3 == 1 }
    #expect(try test([false] + even + [false]).statistic < 1e-20)
    #expect(try test([false] + even + [false]).pValue == 1)
  }

  @Test("Sundays without a watch are found, in a year and in eight weeks")
  func found() throws {
    let year = (0..<365).map { $0 % 7 == 3 && $0 % 14 < 7 || $0 % 29 == 1 }
    let yearly = try test(year)
    #expect(yearly.pValue < 1e-9 && !yearly.isExact)
    #expect(yearly.days.shares.firstIndex(of: yearly.days.shares.max() ?? 0) == 3)
    let weeks = try test((0..<58).map { $0 % 7 == 6 && $0 < 40 })
    // Of the ways to choose 5 of 56 days, those of one weekday are the most uneven.
    #expect(weeks.isExact && weeks.days.missing[6] == 5)
    #expect(agrees(weeks.pValue, 7 * 56 / 3_819_816, 1e-13))
  }

  @Test(
    "Days missing at random, or some in a row, are said to depend on the weekday in 1 of 20 series",
    arguments: [0, 0.3, 0.7])
  func falseAlarms(memory: Double) throws {
    #if DEBUG
    let count = 150
    #else
    let count = Soak.isLong ? 4_000 : 1_500
    #endif
    var random = SplitMix64(seed: 662)
    for (days, share) in [(40, 0.1), (90, 0.05), (120, 0.5), (365, 0.2), (730, 0.02)] {
      var rate = VerdictRate("missing by weekday", "keeps \(memory), \(share) missing", rows: days)
      for _ in 0..<count {
        var missing = [false]
        var isMissing = Double.random(in: 0..<1, using: &random) < share
        for _ in 0..<days {
          missing.append(isMissing)
          let chance = share + memory * ((isMissing ? 1 : 0) - share)
          isMissing = Double.random(in: 0..<1, using: &random) < chance
        }
        guard let found = try? test(missing + [false]) else { continue }
        rate.addNull(found.pValue < 0.05, before: found.pValue < 0.05)
      }
      rate.report()
      #expect(rate.keeps(percent: 5), "\(rate.line)")
    }
  }

  @Test("Too few days, none or all missing, and no weekday are refused")
  func refusals() throws {
    let series = try RegularSeries((0..<30).map { $0 == 7 ? nil : Double($0) })
    for first in [-1, 7, .max, .min] {
      #expect(throws: AnalysisError.self) { try series.missingByWeekday(firstWeekday: first) }
    }
    #expect(throws: AnalysisError(.spanTooShort(rows: 13, needed: 14))) {
      try test((0..<15).map { $0 == 3 })
    }
    #expect(try test((0..<16).map { $0 == 3 }).isExact)
    #expect(throws: AnalysisError(.spanTooShort(rows: 0, needed: 14))) { try test([]) }
    #expect(throws: AnalysisError(.spanTooShort(rows: 0, needed: 14))) {
      try test(Array(repeating: true, count: 40))
    }
    #expect(throws: AnalysisError(.constant)) { try test(Array(repeating: false, count: 40)) }
    #expect(throws: AnalysisError(.constant)) {
      try test((0..<40).map { $0 > 0 && $0 < 39 })
    }
    // Ten years with a day missing now and then: exact, and quick.
    let decade = try test((0..<3652).map { $0 > 0 && $0 % 120 == 1 })
    #expect(decade.isExact && decade.pValue > 0.05)
  }
}
