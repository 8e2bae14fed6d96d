import HealthSamples
import Testing
import _HealthTestSupport

@Suite("Activity rings by day")
struct ActivitySummariesTests {
  @Test("of each date the last row stands, and dates ascend", arguments: 0..<20)
  func byDay(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var summaries = ActivitySummaries()
    for place in 0..<Int.random(in: 0...40, using: &generator) {
      var row = ActivitySummaries.Row()
      row.day = Int.random(in: -3...8, using: &generator)
      row.activeEnergyGoal = Double(place)
      summaries.rows.append(row)
    }
    let days = Set(summaries.rows.map(\.day)).sorted()
    #expect(summaries.byDay.map(\.day) == days)
    for row in summaries.byDay {
      #expect(summaries.rows.last { $0.day == row.day } == row)
    }
  }
}
