import CHKStats
import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthStore
import Testing

@testable import HealthC

@Suite("Tables of statistics")
struct StatisticsTableTests {
  private typealias Cell = ArrowTable.Cell

  private let store: SampleStore

  init() throws { store = try SharedStore.person() }

  private func table(_ members: String) throws -> ArrowTable {
    try ArrowTable("statistics", #"{"timezone": "UTC", \#(members)}"#, of: store)
  }

  @Test("Several types have a row for each interval of each, or with wide a column for each")
  func severalTypes() throws {
    let question = #""type": ["steps", "restingHeartRate.max", "sleep"], "by": "week""#
    let (long, wide) = (try table(question), try table(question + #", "wide": true"#))
    #expect(long.names == ["name", "type", "statistic", "unit", "start", "end", "value"])
    #expect(
      wide.names
        == ["start", "end", "steps_count", "resting_heart_rate.max_count_min", "sleep_s"])
    #expect(long.count == 3 * wide.count && wide.count > 30)
    #expect(try long["value"] == wide.names.dropFirst(2).flatMap { try wide[$0] })
    #expect(try long["start"] == (0..<3).flatMap { _ in try wide["start"] })
    let units: [String?] = ["count", "count/min", "s"]
    #expect(wide.fields.dropFirst(2).map(\.unit) == units)
    #expect(
      try long["unit"] == units.flatMap { Array(repeating: Cell.word($0), count: wide.count) })
    // Values of several units have none of their own.
    #expect(long.fields.last?.unit == nil)
    let types = try #require(wide.head["columns"] as? [[String: Any]])
    #expect(types.map { $0["unit"] as? String } == units)
    // What is made of intervals, and one type, is the same with and without.
    for other in [#""type": "steps", "by": "week""#, question + #", "group": "month""#] {
      #expect(try table(other).names == table(other + #", "wide": true"#).names)
    }
    #expect(throws: ArrowTable.Refusal.self) { try table(question + #", "wide": "yes""#) }
  }

  @Test("What is made of intervals begins with the type, and has the unit where all have it")
  func derivations() throws {
    for (derivation, numbers) in [
      (#""group": "weekday""#, "mean"), (#""rolling": 2"#, "rolling"), (#""top": 3"#, "value"),
      (#""compare": "previous""#, "change"),
    ] {
      let one = try table(#""type": "steps", "by": "day", \#(derivation)"#)
      let both = try table(#""type": ["steps", "respiratoryRate"], "by": "day", \#(derivation)"#)
      #expect(one.names.prefix(4) == ["name", "type", "statistic", "unit"])
      #expect(both.names == one.names && both.count > one.count && one.count > 0)
      func unit(_ table: ArrowTable) -> String? {
        table.fields.first { $0.name == numbers }?.unit
      }
      #expect(unit(one) == "count" && unit(both) == nil)
    }
  }
}
