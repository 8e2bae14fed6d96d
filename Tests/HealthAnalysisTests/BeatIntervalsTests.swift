import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct BeatIntervalsTests {
  @Test("Intervals over a gap are left out, and the next one follows none")
  func gaps() throws {
    let intervals = try BeatIntervals(
      beats: [0, 0.75, 1.5, 3.5, 4.25, 5], precededByGap: [true, false, false, true, false, false])
    #expect(intervals.values == [0.75, 0.75, 0.75, 0.75])
    #expect(intervals.starts == [0, 0.75, 3.5, 4.25])
    #expect(intervals.followsDirectly == [false, true, false, true])
    #expect(intervals.count == 4)
  }

  @Test("Beats without gaps are the running sums of their intervals")
  func sums() throws {
    let values = [0.5, 0.75, 1.25, 0.5]
    let plain = try BeatIntervals(values)
    let beats = try BeatIntervals(beats: [0, 0.5, 1.25, 2.5, 3])
    #expect(plain == beats)
    #expect(try BeatIntervals(beats: [1]).count == 0)
    #expect(try BeatIntervals([]).count == 0)
  }

  @Test("A gap before every beat leaves nothing")
  func allGaps() throws {
    let intervals = try BeatIntervals(
      beats: [0, 1, 2], precededByGap: [true, true, true])
    #expect(intervals.count == 0)
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 2))) {
      try intervals.variability()
    }
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 2))) { try intervals.windows() }
  }

  @Test("Broken columns are refused with a row")
  func refusals() {
    #expect(throws: AnalysisError(.notFinite, row: 1)) { try BeatIntervals([1, .nan]) }
    #expect(throws: AnalysisError(.notFinite, row: 0)) { try BeatIntervals([.infinity]) }
    #expect(throws: AnalysisError(.outOfRange, row: 1)) { try BeatIntervals([1, 0]) }
    #expect(throws: AnalysisError(.outOfRange, row: 0)) { try BeatIntervals([-1]) }
    let huge = Double.greatestFiniteMagnitude
    #expect(throws: AnalysisError(.overflow, row: 1)) { try BeatIntervals([huge, huge]) }
    #expect(throws: AnalysisError(.overflow, row: 1)) { try BeatIntervals(beats: [-huge, huge]) }
    #expect(throws: AnalysisError(.notFinite, row: 1)) { try BeatIntervals(beats: [0, .nan]) }
    #expect(throws: AnalysisError(.notOrdered, row: 2)) { try BeatIntervals(beats: [0, 1, 1]) }
    #expect(throws: AnalysisError(.lengthsDiffer(x: 2, y: 1))) {
      try BeatIntervals(beats: [0, 1], precededByGap: [false])
    }
  }

  @Test("A change of exactly a fifth is normal, and one more millisecond is not")
  func edgeOfChange() throws {
    func verdicts(_ milliseconds: [Int]) throws -> [BeatIntervals.Verdict] {
      try BeatIntervals(milliseconds.map { Double($0) / 1000 }).verdicts(by: .standard)
    }
    for before in stride(from: 500, through: 1500, by: 5) {
      #expect(try verdicts([before, before + before / 5]) == [.normal, .normal])
      #expect(try verdicts([before, before + before / 5 + 1]) == [.normal, .ectopic])
      #expect(try verdicts([before, before - before / 5]) == [.normal, .normal])
      #expect(try verdicts([before, before - before / 5 - 1]) == [.normal, .ectopic])
    }
  }

  @Test("An early beat costs three intervals, and a lasting change of rate costs one")
  func ectopicBeat() throws {
    let early = try BeatIntervals([0.8, 0.8, 0.5, 1.1, 0.8, 0.8])
    #expect(
      try early.verdicts(by: .standard)
        == [.normal, .normal, .ectopic, .ectopic, .ectopic, .normal])
    let jump = try BeatIntervals([0.8, 0.8, 0.5, 0.5, 0.5])
    #expect(
      try jump.verdicts(by: .standard) == [.normal, .normal, .ectopic, .normal, .normal])
    #expect(try jump.verdicts(by: .everything) == Array(repeating: .normal, count: 5))
  }

  @Test("The plausible range includes its ends, and what follows an implausible interval is normal")
  func plausibleRange() throws {
    let intervals = try BeatIntervals(beats: [0, 0.3, 0.599, 2.599, 4.6, 5.4])
    #expect(
      try intervals.verdicts(by: BeatFilter(largestChange: nil))
        == [.normal, .implausible, .normal, .implausible, .normal])
    #expect(
      try intervals.verdicts(by: .standard)
        == [.normal, .implausible, .normal, .implausible, .normal])
  }

  @Test("Limits that are not numbers are refused")
  func filterLimits() throws {
    let intervals = try BeatIntervals([0.8, 0.8])
    for change in [-0.1, Double.nan, .infinity] {
      #expect(throws: AnalysisError.self) {
        try intervals.variability(filter: BeatFilter(largestChange: change))
      }
    }
    #expect(throws: AnalysisError.self) {
      try intervals.variability(filter: BeatFilter(plausible: 0...Double.infinity))
    }
  }
}
