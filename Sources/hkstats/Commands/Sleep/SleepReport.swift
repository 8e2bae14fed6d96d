import HealthAnswers
import HealthExchange

/// The answer of `sleep` as a report: nights, or the means of weeks or months.
///
/// Durations are in seconds; efficiency is a share of the time in bed.
struct SleepReport {
  let answer: SleepAnswer
  /// Whether nights say when each stage was.
  var tellsStretches = false

  func report(by period: SleepAverages.Period?, notes: AnswerNotes) -> Report {
    var report = Report(answer.table(by: period, stretches: tellsStretches))
    report.title = SleepCaptions.title(of: answer, by: period)
    report.notes = notes
    report.page = {
      period.map {
        SleepAverageTable(answer: answer, period: $0, means: answer.averages(by: $0)).page
      } ?? SleepTable(answer: answer).page
    }
    return report
  }
}
