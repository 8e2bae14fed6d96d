import Foundation
import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct MenstrualCyclesTests {
  private struct Reference: Decodable {
    let days: [Int]
    let firsts: [Int]
    let lengths: [Int]
    let pandas: [String: Double]
    let r: [String: Double]
  }

  @Test("Cycles of a year have the lengths of pandas and the quartiles of pandas and R")
  func reference() throws {
    let reference = try JSONDecoder().decode(
      Reference.self, from: try References.contents("analysis/cycles.json"))
    var random = SplitMix64(seed: 61)
    for days in [reference.days, reference.days.shuffled(using: &random)] {
      let cycles = try MenstrualCycles(flowDays: days)
      #expect(cycles.cycles.map(\.firstDay) == reference.firsts)
      #expect(cycles.cycles.compactMap(\.length).filter { $0 <= 90 } == reference.lengths)
      let statistics = try cycles.statistics()
      #expect(statistics.tooLongCount == 1 && statistics.length.count == 9)
      for numbers in [reference.pandas, reference.r] {
        #expect(isNear(statistics.length.median, numbers["median"]))
        #expect(isNear(statistics.length.lowerQuartile, numbers["lower"]))
        #expect(isNear(statistics.length.upperQuartile, numbers["upper"]))
        #expect(isNear(statistics.length.standardDeviation, numbers["sd"]))
        #expect(Double(statistics.length.least) == numbers["least"])
        #expect(Double(statistics.length.greatest) == numbers["greatest"])
      }
      #expect(statistics.length.interquartileRange == 3 && statistics.length.range == 8)
      // The bleed with a day without flow is as long as the others of its kind.
      #expect(cycles.cycles[3].bleedLength == 4 && cycles.cycles[3].flowDayCount == 3)
    }
  }

  @Test("A cycle is from its first day of flow to the day before the next one")
  func handMade() throws {
    let cycles = try MenstrualCycles(flowDays: [1, 2, 3, 5, 29, 30, 31, 32]).cycles
    #expect(cycles.map(\.firstDay) == [1, 29])
    #expect(cycles.map(\.length) == [28, nil])
    #expect(cycles.map(\.bleedLength) == [5, 4])
    #expect(cycles.map(\.flowDayCount) == [4, 4])
    #expect(cycles.map(\.lastFlowDay) == [5, 32])
  }

  @Test(
    "A gap of the stated days begins no cycle, and one day more does", arguments: [0, 1, 3, 9, 20])
  func bridging(days: Int) throws {
    let bridged = try MenstrualCycles(flowDays: [1, 2 + days], bridging: days).cycles
    #expect(bridged.map(\.firstDay) == [1] && bridged.map(\.lastFlowDay) == [2 + days])
    #expect(bridged.map(\.flowDayCount) == [2])
    let apart = try MenstrualCycles(flowDays: [1, 3 + days], bridging: days).cycles
    #expect(apart.map(\.firstDay) == [1, 3 + days] && apart.map(\.length) == [2 + days, nil])
  }

  @Test("Two days without flow end a bleed, and one does not")
  func episodes() throws {
    // Four days with flow, and one day of spotting ten days later.
    let cycles = try MenstrualCycles(flowDays: [1, 2, 3, 4, 14, 29, 30, 32, 33, 36, 57]).cycles
    #expect(cycles.map(\.firstDay) == [1, 29, 57])
    #expect(cycles.map(\.bleedLength) == [4, 5, 1])
    #expect(cycles.map(\.flowDayCount) == [5, 5, 1])
    #expect(cycles.map(\.length) == [28, 28, nil])
  }

  @Test("Marks decide: a bleed may begin without a gap, or none after one")
  func marks() throws {
    let days = [1, 2, 3, 6, 7, 20, 21, 40]
    let plain = try MenstrualCycles(flowDays: days).cycles
    #expect(plain.map(\.firstDay) == [1, 20, 40])
    let marked = try MenstrualCycles(flowDays: days, marks: [6: true, 20: false, 21: false]).cycles
    #expect(marked.map(\.firstDay) == [1, 6, 40])
    #expect(marked.map(\.length) == [5, 34, nil])
    // Spotting in mid-cycle is flow, and not part of the bleed.
    #expect(marked[1].flowDayCount == 4 && marked[1].bleedLength == 2)
    #expect(marked[1].lastFlowDay == 21)
    let late = try MenstrualCycles(flowDays: [1, 2, 30], marks: [1: false, 9: true]).cycles
    #expect(late.map(\.firstDay) == [30])
    #expect(try MenstrualCycles(flowDays: [1], marks: [1: false]).cycles.isEmpty)
  }

  @Test("All small sets of days, and random ones, have the cycles of a walk over every day")
  func twin() throws {
    func compare(_ days: [Int], _ marks: [Int: Bool], _ bridging: Int) throws {
      let slow = SlowCycles.cycles(days, marks: marks, bridging: bridging)
      let fast = try MenstrualCycles(flowDays: days, marks: marks, bridging: bridging).cycles
      #expect(
        fast.map {
          SlowCycles.Cycle(
            first: $0.firstDay, length: $0.length, flowDays: $0.flowDayCount, bleed: $0.bleedLength)
        } == slow)
    }
    for set in 0..<1 << 8 {
      let days = (0..<8).filter { set >> $0 & 1 == 1 }
      for bridging in 0...3 {
        try compare(days, [:], bridging)
        try compare(days, [2: true, 5: false], bridging)
      }
    }
    var random = SplitMix64(seed: 62)
    for _ in 0..<500 {
      let days = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        Int.random(in: -60...60, using: &random)
      }
      var marks: [Int: Bool] = [:]
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        marks[Int.random(in: -60...60, using: &random)] = Bool.random(using: &random)
      }
      try compare(days, marks, Int.random(in: 0...12, using: &random))
    }
  }

  @Test("Moving all days moves the first days alone")
  func shift() throws {
    let days = [3, 4, 5, 30, 31, 60, 61, 90]
    let plain = try MenstrualCycles(flowDays: days)
    let moved = try MenstrualCycles(flowDays: days.map { $0 - 9000 })
    #expect(moved.cycles.map { $0.firstDay + 9000 } == plain.cycles.map(\.firstDay))
    #expect(try moved.statistics() == plain.statistics())
  }

  @Test("Two cycles are too few, and one that is too long is none")
  func tooFew() throws {
    let starts = [0, 28, 56, 84]
    #expect(try MenstrualCycles(flowDays: starts).statistics().length.count == 3)
    #expect(throws: AnalysisError(.tooFewPoints(count: 2, needed: 3))) {
      try MenstrualCycles(flowDays: [0, 28, 56]).statistics()
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 2, needed: 3))) {
      try MenstrualCycles(flowDays: [0, 28, 56, 147]).statistics()
    }
    #expect(try MenstrualCycles(flowDays: [0, 28, 56, 146]).statistics().length.greatest == 90)
    #expect(
      try MenstrualCycles(flowDays: [0, 28, 56, 147]).statistics(longest: 91).length.greatest == 91)
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 3))) {
      try MenstrualCycles(flowDays: []).statistics()
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 3))) {
      try MenstrualCycles(flowDays: [5]).statistics()
    }
  }

  @Test("Absurd days and parameters are refused without a trap")
  func refusals() throws {
    for day in [Int.min, Int.max, 10_000_001] {
      #expect(throws: AnalysisError(.outOfRange, row: 1)) {
        try MenstrualCycles(flowDays: [0, day])
      }
    }
    for bridging in [-1, Int.min, Int.max] {
      #expect(throws: AnalysisError.self) { try MenstrualCycles(flowDays: [0], bridging: bridging) }
    }
    let cycles = try MenstrualCycles(flowDays: [-10_000_000, 10_000_000])
    #expect(cycles.cycles.first?.length == 20_000_000)
    #expect(throws: AnalysisError.self) { try cycles.statistics(longest: 0) }
    #expect(throws: AnalysisError.self) { try cycles.statistics(neededCount: 1) }
    #expect(throws: AnalysisError.self) {
      try cycles.statistics(longest: Int.max, neededCount: Int.max)
    }
  }

  private func isNear(_ value: Double, _ expected: Double?) -> Bool {
    guard let expected else { return false }
    return (value - expected).magnitude <= 1e-13 * expected
  }
}
