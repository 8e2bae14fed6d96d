import HealthAnswers
import HealthQuery
import HealthSamples

extension ReportReader {
  /// What an analysis finds in a period, and its question.
  ///
  /// - Parameters:
  ///   - method: the analysis
  ///   - types: the types; none for an analysis that has its own
  ///   - command: the words of the command; the method and the types when `nil`
  ///   - interval: the length of intervals; that of the analysis when `nil`
  ///   - average: by what sums are divided
  ///   - from: the first day; that of the analysis when `nil`
  ///   - to: the day after the last; that of the report when `nil`
  ///   - options: further options of the command
  /// - Returns: the question, and what was found
  /// - Throws: ``ReportError``
  func results(
    _ method: AnalysisMethod, of types: [TypeQuestion] = [], command: [String]? = nil,
    by interval: CalendarInterval.Alignment? = nil, per average: AverageColumns.Unit? = nil,
    from: CivilDate? = nil, to: CivilDate? = nil, _ options: KeyValuePairs<String, String?> = [:]
  ) throws(ReportError) -> (ask: Ask, results: AnalysisAnswer.Results) {
    let parameters = method.parameters
    var words = [type(of: parameters).name]
    if !types.isEmpty { words.append(types.map(\.argument).joined(separator: ",")) }
    let end = to ?? period.end
    var ask = Ask(command ?? words, options)
    ask.add([
      "by": interval?.rawValue, "per": average?.rawValue, "from": from?.text, "to": end.text,
    ])
    let answer = try read { () throws(QueryError) in
      var question = try Question(types: [], by: interval.map { CalendarInterval($0) })
      question.types = types
      (question.from, question.to) = (from?.text, end.text)
      (question.timeZone, question.zones) = (plan.timeZone, plan.zones)
      question.average = average
      return try store.analysis(AnalysisPlan(method, of: question), now: now)
    }
    return (ask, answer.results)
  }
}

extension MeasureAnswers {
  /// The rows of the last days: up to the last day of the period, or, where there are no newer data than
  /// of two weeks ago, up to the last day with data; none before the first day with data.
  func lastDays(_ count: Int) -> Range<Int>? {
    guard let first = values.firstIndex(where: { $0 != nil }),
      let last = values.lastIndex(where: { $0 != nil })
    else { return nil }
    let end = days.count - last > Self.oldDays ? last + 1 : days.count
    return max(first, end - count)..<end
  }

  /// The first of some rows of days, and the day after the last; `nil` for no rows.
  func dates(of rows: Range<Int>) -> (first: CivilDate, end: CivilDate)? {
    guard let first = rows.first.flatMap({ CivilDate(text: days.starts[$0]) }),
      let last = rows.last.flatMap({ CivilDate(text: days.starts[$0]) })
    else { return nil }
    return (first, last.adding(days: 1))
  }

  /// From when on data are called old.
  private static let oldDays = 14
}
