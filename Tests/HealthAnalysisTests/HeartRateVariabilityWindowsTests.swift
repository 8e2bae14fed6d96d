import Testing
import _HealthTestSupport

@testable import HealthAnalysis

@Suite
struct HeartRateVariabilityWindowsTests {
  @Test("Each window has the variability of its own beats")
  func eachWindow() throws {
    var random = SplitMix64(seed: 35)
    let values = (0..<1500).map { _ in Double.random(in: 0.7...0.9, using: &random) }
    let intervals = try BeatIntervals(values)
    let windows = try intervals.windows(length: 60, leastCoverage: 0.5)
    #expect(windows.windows.count == 20 && windows.length == 60)
    for window in windows.windows {
      let rows = intervals.starts.indices.filter {
        intervals.starts[$0] >= window.start && intervals.starts[$0] < window.start + 60
      }
      let alone = try BeatIntervals(rows.map { values[$0] }).variability(
        filter: BeatFilter(largestChange: nil))
      // The first interval of a window is compared with the one before it.
      #expect(window.variability.count + window.variability.ectopicCount == rows.count)
      if window.variability.ectopicCount == 0 { #expect(window.variability == alone) }
    }
  }

  @Test("One window has the deviation of the whole, and none between windows")
  func oneWindow() throws {
    let intervals = try BeatIntervals([0.8, 0.85, 0.9, 0.8])
    let windows = try intervals.windows(length: 4)
    #expect(windows.windows.count == 1 && windows.standardDeviationOfMeans == nil)
    #expect(windows.meanOfStandardDeviations == (try intervals.variability().standardDeviation))
    #expect(windows.windows.first?.variability == (try intervals.variability()))
  }

  @Test("Windows with too little data are counted, not used")
  func sparseWindows() throws {
    // 3 s of beats at 0, 100 and 200 s, and none in between.
    let beats = [0, 1, 2, 3, 100, 101, 102, 103, 200, 201, 202.0]
    let gaps = [false, false, false, false, true, false, false, false, true, false, false]
    let intervals = try BeatIntervals(beats: beats, precededByGap: gaps)
    let windows = try intervals.windows(length: 4, leastCoverage: 0.75)
    #expect(windows.windows.map(\.start) == [0, 100] && windows.sparseCount == 1)
    #expect(windows.meanOfStandardDeviations == 0 && windows.standardDeviationOfMeans == 0)
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
      try intervals.windows(length: 4, leastCoverage: 1)
    }
  }

  @Test("Parameters outside of their range are refused, and far beats do not trap")
  func refusals() throws {
    let intervals = try BeatIntervals([0.8, 0.8])
    for length in [0, -1, Double.nan, .infinity] {
      #expect(throws: AnalysisError.self) { try intervals.windows(length: length) }
    }
    for coverage in [-0.1, 1.1, Double.nan] {
      #expect(throws: AnalysisError.self) { try intervals.windows(leastCoverage: coverage) }
    }
    let far = try BeatIntervals(
      beats: [-1e300, 0, 0.8, 1.6, 1e300], precededByGap: [false, true, false, false, true])
    #expect(throws: AnalysisError(.tooFewPoints(count: 0, needed: 1))) {
      try far.windows(length: Double.leastNonzeroMagnitude, leastCoverage: 0)
    }
    #expect(try far.windows(length: 4, leastCoverage: 0).windows.count == 1)
  }
}
