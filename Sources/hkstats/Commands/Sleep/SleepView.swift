import HealthAnswers
import HealthExchange

/// The answer of `sleep` as a view: nights, or the means of weeks or months.
///
/// Durations are in seconds; efficiency is a share of the time in bed.
struct SleepView {
  let answer: SleepAnswer
  /// Whether nights say when each stage was.
  var tellsStretches = false

  func answerView(by period: SleepAverages.Period?, notes: AnswerNotes) -> AnswerView {
    var view = AnswerView(answer.table(by: period, stretches: tellsStretches))
    view.title = SleepCaptions.title(of: answer, by: period)
    view.notes = notes
    view.page = {
      period.map {
        SleepAverageTable(answer: answer, period: $0, means: answer.averages(by: $0)).page
      } ?? SleepTable(answer: answer).page
    }
    return view
  }
}
