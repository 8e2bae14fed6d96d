import HealthAnswers
import HealthExchange
import HealthQuery
import HealthReport
import HealthSamples
import HealthStore

/// Activity rings as a view, a row a day.
struct RingView {
  let answer: RingAnswer
  let units: ActivityUnits
  /// The zones whose days were asked for.
  let zones: ZoneTimeline
  let dataEnd: DataEnd?

  /// Asks a store for the rings of a period.
  init(
    over dates: QueryPeriod, zones: ZoneTimeline, of store: SampleStore, units: ActivityUnits
  ) throws {
    (self.units, self.zones) = (units, zones)
    var plan = RingPlan(timeZone: zones)
    dataEnd = try store.rings(plan).days.last.map { DataEnd(day: $0.dayText) }
    (plan.from, plan.to) = (dates.from, dates.to)
    answer = try store.rings(plan)
  }

  private static let barWidth = 10

  var answerView: AnswerView {
    var view = AnswerView(
      answer.table(in: units, zones: zones, saying: HeadMember.dataEnd(dataEnd)))
    view.emptySentence = "No activity summaries."
    view.dataEnd = dataEnd
    view.notes = AnswerNotes(leavingOut: answer.leftOut, by: CalendarInterval(.day), in: zones)
    view.page = { AnswerView.Page(table: table) }
    return view
  }

  /// The runs of days with all rings closed, the longest first.
  var streaks: AnswerView {
    let table = answer.streaksTable(zones: zones, saying: HeadMember.dataEnd(dataEnd))
    var view = AnswerView(
      table,
      showing: [table.shown("first"), table.shown("last"), table.shown("days")])
    view.emptySentence = "No day with all rings closed."
    view.dataEnd = dataEnd
    view.notes = AnswerNotes(leavingOut: answer.leftOut, by: CalendarInterval(.day), in: zones)
    return view
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
