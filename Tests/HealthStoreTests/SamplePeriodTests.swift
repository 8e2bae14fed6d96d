import GRDB
import HealthSamples
import Testing

@testable import HealthStore

/// What SQL and bounds say of the time of samples against the rule of `HealthSamples`.
@Suite struct SamplePeriodTests {
  @Test("SQL and the bounds of a period choose the samples of a range, for all small times")
  func ranges() throws {
    let instants = [-1.0, 0, 1, 2, 3]
    let bounds = [-Double.infinity] + instants + [.infinity]
    let queue = try DatabaseQueue()
    try queue.read { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT \(SampleTime.elementIsInRange), \(SampleTime.chunkIsInRange)
          FROM (SELECT ? AS start, ? AS end, ? AS firstStart, ? AS lastEnd)
          """)
      for lower in bounds {
        for upper in bounds where lower <= upper {
          let range = lower..<upper
          for start in instants {
            for end in instants {
              let last = SampleTime.end(from: start, to: end)
              let has = range.hasSample(from: start, to: end)
              let row = try Row.fetchOne(
                statement, arguments: [upper, lower, upper, lower, start, end, start, last])
              #expect(row?[0] == has && row?[1] == has)
              #expect(SamplePeriod(of: range).contains(start: start, end: last) == has)
            }
          }
        }
      }
    }
  }
}
