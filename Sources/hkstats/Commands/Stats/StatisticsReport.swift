import HealthExchange
import HealthQuery

/// The answer of `stats` for a quantity type as a report.
struct StatisticsReport {
  let answer: StatisticsAnswer

  func report(of interval: CalendarInterval?, notes: AnswerNotes) -> Report {
    var report = Report(answer.table())
    if answer.isExplained { report.records = answer.explanation }
    report.title = StatisticsCaptions.title(of: answer)
    report.notes = notes
    report.page = {
      answer.isExplained
        ? ExplanationTable(answer: answer, interval: interval).page
        : StatisticsTable(answer: answer, interval: interval).page
    }
    return report
  }
}
