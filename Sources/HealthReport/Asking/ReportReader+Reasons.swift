import HealthAnswers
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics

extension ReportReader {
  /// More sources of one measure are no reason that a person reads.
  private static let mostSources = 40

  /// Why each day of the last year has its sum: what each source counted, and what was masked.
  func reasons(of measure: ReportMeasure) throws(ReportError) -> DayReasons? {
    guard measure.isSum else { return nil }
    let first = period.first(ofLast: ReportPeriod.year)
    let explained = try explain(measure, by: .day, from: first)
    guard let merged = explained, case .quantity(let answer) = merged.column.answer,
      answer.contributions.count <= Self.mostSources
    else { return nil }
    let isShared = answer.contributions.count > 1
    let raw =
      isShared
      ? try ask(measure, by: .day, from: first) { question in
        question.types[0].statistics = [.sum]
        question.types[0].policy = .unmerged
      }.series.values
      : merged.series.values
    func shown(_ values: [Double], where hasData: [Bool]) -> [Int?] {
      zip(values, hasData).map { $1 ? measure.form.shown($0) : nil }
    }
    return DayReasons(
      ask: merged.ask, starts: merged.series.starts.map { date($0).text },
      form: measure.form,
      sources: answer.contributions.map { ShownName($0.source.description).short },
      total: merged.series.values.map(measure.form.shown), raw: raw.map(measure.form.shown),
      counted: answer.contributions.map { shown($0.sums, where: $0.hasData) },
      masked: answer.contributions.map { shown($0.masked, where: $0.hasData) })
  }

  /// Asks for sums with what each source counted; `nil` where there are too many sources to say so.
  func explain(
    _ measure: ReportMeasure, by interval: CalendarInterval.Alignment? = nil, from: CivilDate
  ) throws(ReportError) -> Answer? {
    do {
      return try ask(measure, by: interval, from: from) { question in
        question.types[0].statistics = [.sum]
        question.explains = true
        // One row has the whole period: a sample at its edge counts in part.
        question.clips = interval == nil
      }
    } catch {
      guard case .query(let query) = error.reason, case .tooMuchToExplain = query.reason else {
        throw error
      }
      return nil
    }
  }
}
