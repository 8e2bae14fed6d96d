import Foundation
import HealthExchange
import HealthQuery
import HealthSamples

/// Activity rings in every ``ListFormat``.
struct RingListing {
  let rows: [ActivitySummaries.Row]

  /// One ring: value and goal.
  private struct Ring: Sendable {
    let name: String
    let unit: String
    let value: @Sendable (ActivitySummaries.Row) -> Double?
    let goal: @Sendable (ActivitySummaries.Row) -> Double?
  }

  private static let move = Ring(
    name: "move", unit: "kcal", value: { $0.activeEnergy }, goal: { $0.activeEnergyGoal })
  /// For people who track minutes of moving instead of energy.
  private static let moveTime = Ring(
    name: "moveTime", unit: "min", value: { $0.moveMinutes }, goal: { $0.moveMinutesGoal })
  private static let exercise = Ring(
    name: "exercise", unit: "min", value: { $0.exerciseMinutes }, goal: { $0.exerciseMinutesGoal })
  private static let stand = Ring(
    name: "stand", unit: "hr", value: { $0.standHours }, goal: { $0.standHoursGoal })
  private static let barWidth = 10

  /// The rings of any day.
  private var rings: [Ring] {
    [Self.move, Self.moveTime, Self.exercise, Self.stand].filter { ring in
      ring.name != Self.moveTime.name || rows.contains { (ring.goal($0) ?? 0) > 0 }
    }
  }

  func write(
    as format: ListFormat, style: TextStyle, to output: TextOutput
  ) throws(OutputError) {
    switch format {
    case .table: try writeTable(style: style, to: output)
    case .csv:
      try output.record(
        ["day"] + rings.flatMap { ["\($0.name)_\($0.unit)", "\($0.name)_goal"] })
      for row in rows {
        let cells = rings.flatMap { ring in
          [ring.value(row), ring.goal(row)].map { $0.map(NumberText.exact) ?? "" }
        }
        try output.record([row.dayText] + cells)
      }
    case .json: try output.write(array: rows.lazy.map(object))
    case .ndjson: for row in rows { try output.line(object(row).text) }
    }
  }

  private func writeTable(style: TextStyle, to output: TextOutput) throws(OutputError) {
    guard !rows.isEmpty else { return try output.line("No activity summaries.") }
    var table = Table(
      columns: [.words("day")]
        + rings.flatMap { ring -> [Table.Column] in
          [.numbers("\(ring.name) (\(ring.unit))"), .words("of goal")]
        })
    for row in rows {
      table.add([row.dayText] + rings.flatMap { Self.cells($0, row) })
    }
    for line in table.lines(style: style) { try output.line(line) }
  }

  /// Value and goal, and a bar with the share.
  private static func cells(_ ring: Ring, _ row: ActivitySummaries.Row) -> [String] {
    guard let value = ring.value(row) else { return ["–", ""] }
    let amount = NumberText.rounded(value, decimals: 0)
    guard let goal = ring.goal(row), goal > 0 else { return [amount, "no goal"] }
    let share = value / goal
    let filled = Int((min(max(0, share), 1) * Double(barWidth)).rounded(.down))
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled)
    return [
      "\(amount)/\(NumberText.rounded(goal, decimals: 0))",
      "\(bar) \(NumberText.rounded(share * 100, decimals: 0)) %",
    ]
  }

  private func object(_ row: ActivitySummaries.Row) -> JSON {
    .object(
      [.init("day", .string(row.dayText))]
        + rings.map { ring in
          .init(
            ring.name,
            .object([
              .init("value", .optional(ring.value(row))), .init("goal", .optional(ring.goal(row))),
              .init("unit", .string(ring.unit)),
            ]))
        })
  }
}
