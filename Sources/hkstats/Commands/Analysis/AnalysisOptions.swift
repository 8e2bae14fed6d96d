import ArgumentParser
import Foundation
import HealthAnswers
import HealthQuery
import HealthStore

/// The numbers of an analysis: types, intervals, period and sources.
struct AnalysisOptions: ParsableArguments {
  @OptionGroup var period: PeriodOptions
  @OptionGroup var clipping: ClipOption
  @OptionGroup var merging: MergeOptions
  @OptionGroup var sources: SourceOptions
  @OptionGroup var styling: StyleOptions
  @OptionGroup var unit: UnitOption
  @OptionGroup var query: QueryOptions

  func validate() throws { try clipping.check(period) }

  /// Asks a method of types in the store, or in the export that is read directly.
  func ask(
    _ method: AnalysisMethod, of types: [String], by interval: CalendarInterval?,
    per average: AverageColumns.Unit? = nil,
    show: (AnalysisAnswer, AnswerNotes) throws -> Void
  ) throws {
    try query.ask(
      { opened in
        var asked: [TypeQuestion] = []
        for text in types {
          var type = try TypeQuestion(text.trimmingCharacters(in: .whitespaces))
          (type.policy, type.preferredSources) = (merging.merge, merging.prefer)
          type.unit = type.unit ?? unit.unit
          asked.append(type)
        }
        var question = try period.question(of: asked, by: interval, in: opened.store)
        (question.clips, question.average) = (clipping.clip, average)
        (question.style, question.hold) = (styling.style, styling.hold)
        let selection = try opened.sources(of: sources)
        (question.onlySources, question.excludedSources) = (selection.only, selection.excluded)
        let answer = try opened.store.analysis(AnalysisPlan(method, of: question))
        try opened.checkPreferred(
          merging.prefer, of: answer.numbers.columns.map(\.series.type))
        return (answer, try notes(of: answer, in: opened))
      }, show: { try show($0.0, $0.1) })
  }

  private func notes(
    of answer: AnalysisAnswer, in opened: OpenedStore
  ) throws -> AnswerNotes {
    let notes = try AnswerNotes.of(answer, in: opened.store)
    if notes.absence == nil, let series = answer.numbers.columns.first?.series,
      let first = series.starts.first, let last = series.ends.last,
      let note = try opened.zoneNote(period.zone, answer.numbers.timeZone, from: first, to: last)
    {
      StandardError.note(note)
    }
    return notes
  }
}

extension AnswerNotes {
  /// Why an analysis has nothing to say, or that its intervals reach beyond the period.
  static func of(_ answer: AnalysisAnswer, in store: SampleStore) throws -> AnswerNotes {
    let (numbers, question) = (answer.numbers, answer.plan.question)
    var notes = try AnswerNotes.ofSeries(numbers, to: question, isAnalysed: true, in: store)
    if notes.absence == nil, answer.plan.method.parameters.lookBack == 0,
      let series = numbers.columns.first?.series,
      let first = series.starts.first, let last = series.ends.last,
      let reach = try AnswerNotes.reach(
        of: question, in: numbers.timeZone, of: store, first: first, last: last)
    {
      notes.beside.append(reach)
    }
    return notes
  }
}

extension ArgumentHelp {
  /// The help of an option that is a parameter of an analysis, with its range where that has two ends.
  ///
  /// - Parameters:
  ///   - path: where the parameter is stored
  ///   - saysDefault: whether it names the default, since the option itself does not
  ///   - rule: what holds without the option
  /// - Returns: the help
  static func of<Root: AnalysisParameters, Value>(
    _ path: KeyPath<Root, Value>, saysDefault: Bool = false, otherwise rule: String? = nil
  ) -> ArgumentHelp {
    guard let facts = Root.facts(of: path) else { return "" }
    var sentences = [facts.about]
    let range = facts.range.text
    switch facts.range {
    case .within, .between: sentences.append("\(range.prefix(1).uppercased())\(range.dropFirst()).")
    case .any, .from, .above: break
    }
    switch facts.form {
    case .numbers, .words: sentences.append("With commas between.")
    case .number, .count, .truth, .word: break
    }
    if let otherwise = saysDefault ? facts.standard.text : rule {
      sentences.append("Else \(otherwise).")
    }
    let units = ["d": "days", "h": "hours", "s": "seconds", "1": "share", "count/min": "rate"]
    return ArgumentHelp(
      "\(sentences.joined(separator: " "))", valueName: facts.unit.flatMap { units[$0] })
  }
}

extension CompletionKind {
  /// The words of a parameter.
  static func words<Root: AnalysisParameters, Value>(of path: KeyPath<Root, Value>) -> Self {
    .list(Root.facts(of: path)?.words ?? [])
  }
}

/// The types of an analysis.
enum AnalysisTypes {
  /// The names of an argument, which has commas between.
  static func names(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }
}
