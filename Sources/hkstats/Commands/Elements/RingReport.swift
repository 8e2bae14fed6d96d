import Foundation
import HealthExchange
import HealthQuery
import HealthSamples

/// Activity rings as a report, a row a day.
struct RingReport {
  let rows: [ActivitySummaries.Row]
  /// The zones whose days were asked for.
  let zones: ZoneTimeline
  let dataEnd: DataEnd?

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

  var report: Report {
    let rows = rows
    var report = Report(
      head: Report.Member.zones(zones) + Report.Member.dataEnd(dataEnd), list: "days",
      count: rows.count, zones: zones,
      columns: [.machine("day") { .text(rows[$0].dayText) }]
        + rings.map { ring in
          .group(
            ring.name,
            [
              .machine("value", field: Report.Column.field(ring.name, unit: ring.unit)) {
                ring.value(rows[$0]).map { .number($0) } ?? .none
              },
              .machine("goal", field: Report.Column.field(ring.name + "Goal", unit: ring.unit)) {
                ring.goal(rows[$0]).map { .number($0) } ?? .none
              },
              .machine("unit", field: nil) { _ in .text(ring.unit) },
            ])
        })
    report.emptySentence = "No activity summaries."
    report.dataEnd = dataEnd
    report.page = { Report.Page(table: table) }
    return report
  }

  private var table: Table {
    var table = Table(
      columns: [.words("day")]
        + rings.flatMap { ring -> [Table.Column] in
          [.numbers("\(ring.name) (\(ring.unit))"), .words("of goal")]
        })
    for row in rows { table.add([row.dayText] + rings.flatMap { Self.cells($0, row) }) }
    return table
  }

  /// Value and goal, and a bar with the share.
  private static func cells(_ ring: Ring, _ row: ActivitySummaries.Row) -> [String] {
    guard let value = ring.value(row) else { return ["–", ""] }
    let amount = NumberText.rounded(value, decimals: 0)
    guard let goal = ring.goal(row), goal > 0 else { return [amount, "no goal"] }
    let share = value / goal
    let filled = Int((min(max(0, share), 1) * Double(barWidth)).rounded(.down))
    let bar = Marks.drawn(
      String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled))
    return [
      "\(amount)/\(NumberText.rounded(goal, decimals: 0))",
      "\(bar) \(NumberText.rounded(share * 100, decimals: 0)) %",
    ]
  }
}
