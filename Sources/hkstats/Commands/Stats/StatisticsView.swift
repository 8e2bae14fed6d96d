import HealthExchange
import HealthQuery

/// The answer of `stats` for a quantity type as a view.
struct StatisticsView {
  let answer: StatisticsAnswer

  func answerView(of interval: CalendarInterval?, notes: AnswerNotes) -> AnswerView {
    var view = AnswerView(answer.table())
    if answer.isExplained { view.records = answer.explanation }
    view.title = StatisticsCaptions.title(of: answer)
    view.notes = notes
    view.page = {
      answer.isExplained
        ? ExplanationTable(answer: answer, interval: interval).page
        : StatisticsTable(answer: answer, interval: interval).page
    }
    return view
  }
}
