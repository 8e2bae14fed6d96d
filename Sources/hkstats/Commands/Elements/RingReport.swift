import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples

/// Activity rings as a report, a row a day.
struct RingReport {
  let answer: RingAnswer
  let units: ActivityUnits
  /// The zones whose days were asked for.
  let zones: ZoneTimeline
  let dataEnd: DataEnd?

  private static let barWidth = 10

  var report: Report {
    let (days, units) = (answer.days, units)
    func number(
      _ key: String, _ field: String?, _ read: @escaping (ActivitySummaries.Row) -> Double?
    ) -> Report.Column {
      .machine(key, field: field) { read(days[$0]).map { .number($0) } ?? .none }
    }
    var report = Report(
      head: HeadMember.zones(zones) + closed + HeadMember.dataEnd(dataEnd), list: "days",
      count: days.count, zones: zones,
      columns: [.machine("day") { .text(days[$0].dayText) }]
        + answer.rings.map { ring in
          let (name, unit) = (ring.rawValue, units.unit(of: ring))
          return .group(
            name,
            [
              number("value", Report.Column.field(name, unit: unit)) {
                units.number(ring.value(of: $0), of: ring)
              },
              number("goal", Report.Column.field(name + "Goal", unit: unit)) {
                units.number(ring.goal(of: $0), of: ring)
              },
              number("share", nil, ring.share),
              .machine("unit", field: nil) { _ in .text(unit) },
            ])
        })
    report.emptySentence = "No activity summaries."
    report.dataEnd = dataEnd
    report.notes = AnswerNotes(leavingOut: answer.leftOut, by: CalendarInterval(.day), in: zones)
    report.page = { Report.Page(table: table) }
    return report
  }

  /// The runs of days with all rings closed, the longest first.
  var streaks: Report {
    let runs = answer.streaks
    func date(_ day: Int) -> String { LocalTime.text(of: CivilDate(dayNumber: day)) }
    var report = Report(
      head: HeadMember.zones(zones) + closed + HeadMember.dataEnd(dataEnd), list: "streaks",
      count: runs.count, zones: zones,
      columns: [
        .machine("first") { .text(date(runs[$0].lowerBound)) },
        .machine("last") { .text(date(runs[$0].upperBound)) },
        .machine("days") { .count(runs[$0].count) },
      ])
    report.emptySentence = "No day with all rings closed."
    report.dataEnd = dataEnd
    report.notes = AnswerNotes(leavingOut: answer.leftOut, by: CalendarInterval(.day), in: zones)
    report.page = {
      var table = Table(columns: [.words("first"), .words("last"), .numbers("days")])
      for run in runs {
        table.add([date(run.lowerBound), date(run.upperBound), NumberText.grouped(run.count)])
      }
      return Report.Page(table: table)
    }
    return report
  }

  private var table: Table {
    var table = Table(
      columns: [.words("day")]
        + answer.rings.flatMap { ring -> [Table.Column] in
          [.numbers("\(ring.rawValue) (\(unit(of: ring)))"), .words("of goal")]
        })
    for row in answer.days {
      table.add([row.dayText] + answer.rings.flatMap { cells($0, row) })
    }
    return table
  }

  private func unit(of ring: ActivityRing) -> String {
    Vocabulary.current.unit(units.unit(of: ring), of: nil)
  }

  /// How many days count, and on how many of them each ring was closed, and all of them.
  private var closed: [HeadMember] {
    guard !answer.days.isEmpty else { return [] }
    return [.fact("dayCount", .integer(answer.counted.count))]
      + answer.rings.map { ring in
        let name = ring.rawValue.prefix(1).uppercased() + ring.rawValue.dropFirst()
        return .fact("closed" + name, .integer(answer.closed(ring)))
      }
      + [.fact("closedAll", .integer(answer.closedAll))]
  }

  /// Value and goal, and a bar with the share.
  private func cells(_ ring: ActivityRing, _ row: ActivitySummaries.Row) -> [String] {
    guard let value = ring.value(of: row) else { return ["–", ""] }
    func text(_ amount: Double) -> String {
      NumberText.rounded(units.value(amount, of: ring), decimals: 0)
    }
    let amount = text(value)
    guard let goal = ring.goal(of: row), let share = ring.share(of: row) else {
      return [amount, Vocabulary.current.word("no goal")]
    }
    let filled = Int((min(max(0, share), 1) * Double(Self.barWidth)).rounded(.down))
    let bar = Marks.drawn(
      String(repeating: "█", count: filled) + String(repeating: "░", count: Self.barWidth - filled))
    return [
      "\(amount)/\(text(goal))",
      "\(bar) \(NumberText.rounded(share * 100, decimals: 0)) %",
    ]
  }
}
