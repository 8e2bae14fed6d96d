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
    var report = Report(
      answer.table(in: units, zones: zones, saying: HeadMember.dataEnd(dataEnd)))
    report.emptySentence = "No activity summaries."
    report.dataEnd = dataEnd
    report.notes = AnswerNotes(leavingOut: answer.leftOut, by: CalendarInterval(.day), in: zones)
    report.page = { Report.Page(table: table) }
    return report
  }

  /// The runs of days with all rings closed, the longest first.
  var streaks: Report {
    let table = answer.streaksTable(zones: zones, saying: HeadMember.dataEnd(dataEnd))
    var report = Report(
      table,
      showing: [table.shown("first"), table.shown("last"), table.shown("days")])
    report.emptySentence = "No day with all rings closed."
    report.dataEnd = dataEnd
    report.notes = AnswerNotes(leavingOut: answer.leftOut, by: CalendarInterval(.day), in: zones)
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
