import Foundation
import HealthAnswers
import HealthQuery
import HealthSamples

extension ReportReader {
  /// The rings of the last days; `nil` without summaries.
  func rings() throws(ReportError) -> (card: RingCard, calendar: RingCalendar)? {
    let week = try rings(from: period.week.first, to: period.week.end)
    guard !week.answer.days.isEmpty else { return nil }
    // A week that does not lie in the period is none of the report.
    let before = try period.weekBefore.map { week throws(ReportError) in
      try rings(from: week.first, to: week.end)
    }
    // Four weeks that begin on the first day of a week, of which the last may not be over.
    let lead = (period.last.weekday + 7 - writer.language.firstWeekday) % 7
    let fourWeeks = period.last.adding(days: -lead - 21)
    let first = fourWeeks < period.first ? period.first : fourWeeks
    let calendar = try rings(from: first, to: period.end)
    return (
      RingCard(week: week, weekBefore: before),
      RingCalendar(
        answer: calendar.answer, ask: calendar.ask, first: first, end: period.end,
        isOfFourWeeks: first == fourWeeks)
    )
  }

  private func rings(
    from: CivilDate, to: CivilDate
  ) throws(ReportError) -> (ask: Ask, answer: RingAnswer) {
    let ask = Ask(
      ["summary"], ["from": from.text, "to": to.text, "unit": activityUnits.text])
    let answer = try read { () throws(QueryError) in
      var plan = RingPlan(timeZone: zones)
      let instant = now.timeIntervalSinceReferenceDate
      plan.from = try QueryDate(from.text, in: zones, now: instant, boundsPeriod: true)
      plan.to = try QueryDate(to.text, in: zones, now: instant, boundsPeriod: true)
      return try store.rings(plan)
    }
    return (ask, answer)
  }
}
