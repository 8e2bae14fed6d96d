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
    let subject = ["name", "type", "statistic", "unit"]
    for (derivation, columns, numbers) in [
      (#""group": "weekday""#, ["group", "mean", "min", "max", "intervals"], "mean"),
      (#""rolling": 2"#, ["start", "end", "value", "rolling", "rolling_intervals"], "rolling"),
      (#""top": 3"#, ["start", "end", "value"], "value"),
      (#""above": "1", "streaks": true"#, ["start", "end", "intervals"], nil),
      (
        #""compare": "previous""#,
        [
          "start", "end", "value", "compared_start", "compared_end", "compared", "change",
          "change_share",
        ], "change"
      ),
    ] as [(String, [String], String?)] {
      let one = try table(#""type": "steps", "by": "day", \#(derivation)"#)
      #expect(one.names == subject + columns)
      #expect(try Set(one["name"].map { "\($0)" }).count == 1 && one.count > 0)
      let both = try table(#""type": ["steps", "respiratoryRate"], "by": "day", \#(derivation)"#)
      #expect(both.names == one.names && both.count > one.count)
      guard let numbers else { continue }
      func unit(_ table: ArrowTable) -> String? {
        table.fields.first { $0.name == numbers }?.unit
      }
      #expect(unit(one) == "count" && unit(both) == nil)
    }
  }

  @Test("Sources alone have rows of their own behind each row of all, as csv has them")
  func sources() throws {
    let all = try table(#""type": "steps", "by": "week", "stat": "sum,count,recent""#)
    let each = try table(
      #""type": "steps", "by": "week", "stat": "sum,count,recent", "bySource": true"#)
    #expect(all.names == ["start", "end", "sum", "count", "recent_value", "recent_date"])
    #expect(each.names == ["start", "end", "source"] + all.names.dropFirst(2))
    #expect(each.count == 3 * all.count)
    for name in all.names {
      let cells = try each[name]
      #expect(try stride(from: 0, to: cells.count, by: 3).map { cells[$0] } == all[name])
    }
    #expect(try Array(each["source"].prefix(3)) == [.none, .text("Phone"), .text("Watch")])
  }

  @Test("An explanation adds up to the sum of each interval")
  func explanation() throws {
    let sums = try table(#""type": "steps", "by": "week", "stat": "sum""#)
    let parts = try ArrowTable(
      "explain", #"{"type": "steps", "by": "week", "timezone": "UTC"}"#, of: store)
    #expect(
      parts.names == ["start", "end", "source", "rank", "sum", "masked", "masked_by"])
    func number(_ cell: Cell) -> Double { if case .real(let number) = cell { number } else { 0 } }
    for (start, sum) in zip(try sums["start"], try sums["sum"]) {
      let rows = try parts["start"].indices.filter { try parts["start"][$0] == start }
      let counted = try rows.reduce(0) { try $0 + number(parts["sum"][$1]) }
      #expect(abs(counted - number(sum)) < 1e-6)
      for row in rows {
        guard case .list(let masks) = try parts["masked_by"][row] else {
          Issue.record("masked_by is a list")
          continue
        }
        let masked = masks.reduce(0) { $0 + number($1[1]) }
        #expect(try abs(masked - number(parts["masked"][row])) < 1e-6)
      }
    }
  }
}
