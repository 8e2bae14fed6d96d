import ArgumentParser
import Foundation
import HealthAnswers
import HealthExchange
import HealthQuery
import HealthStatistics

/// What people read of an analysis, beside the table that programs read.
protocol AnalysisView {
  /// Makes the view of a list.
  ///
  /// - Parameters:
  ///   - answer: the answer
  ///   - list: the list; the first of the answer by default
  ///   - notes: what is said beside it
  /// - Throws: `Failure` or `AnalysisError` where there is nothing to show; `nil` for another analysis
  init?(_ answer: AnalysisAnswer, _ list: String?, notes: AnswerNotes) throws

  /// The line above the table.
  var title: String { get }
  /// The table, and what stands below it.
  var page: AnswerView.Page { get }
  /// What is said beside the answer.
  var notes: AnswerNotes { get }

  /// The lines of a chart; none of a view that is a list.
  func chart(width: Int, style: TextStyle) -> [String]

  /// What of a table programs read; all by default.
  func shown(of table: AnswerTable) -> AnswerTable
}

extension AnalysisView {
  var notes: AnswerNotes { AnswerNotes() }

  func chart(width: Int, style: TextStyle) -> [String] { [] }

  func shown(of table: AnswerTable) -> AnswerTable { table }
}

/// A command that shows an analysis.
protocol AnalysisCommand: ParsableCommand {
  associatedtype View: AnalysisView
  associatedtype Format: AnswerFormat

  /// Output formats.
  var form: FormatOptions<Format> { get }
  /// The list that is shown; the first of the answer by default.
  var list: String? { get }
  /// The options that have other names than their parameters: that of an option as JSON would have it.
  static var optionNames: [String: String] { get }

  /// Asks, and shows the answer.
  func ask(_ show: (AnalysisAnswer, AnswerNotes) throws -> Void) throws

  /// Makes the view of an answer; by default that of ``list``.
  func view(of answer: AnalysisAnswer, notes: AnswerNotes) throws -> View?
}

extension AnalysisCommand {
  var list: String? { nil }
  static var optionNames: [String: String] { [:] }

  func view(of answer: AnalysisAnswer, notes: AnswerNotes) throws -> View? {
    try View(answer, list, notes: notes)
  }

  func run() throws {
    do {
      try ask { answer, notes in
        guard let view = try view(of: answer, notes: notes) else { return }
        try form.write(view, of: answer, list)
      }
    } catch let error as QueryError {
      guard case .analysis(let refusal) = error.reason,
        case .parameter(let name, let range) = refusal.reason, let option = Self.optionNames[name]
      else { throw error }
      throw Failure.parameter(option, range: range)
    }
  }
}

extension FormatOptions {
  /// Writes a list of an analysis to stdout; the first by default.
  func write(_ view: some AnalysisView, of answer: AnalysisAnswer, _ list: String? = nil) throws {
    var answerView = try AnswerView(answer, list, notes: view.notes, shown: view.shown)
    (answerView.title, answerView.page) = (view.title, { view.page })
    try write(answerView) { view.chart(width: Terminal.columns(STDOUT_FILENO), style: $0) }
  }
}

extension AnswerView {
  /// What programs read of a list of an analysis; the first by default.
  init(
    _ answer: AnalysisAnswer, _ list: String? = nil, notes: AnswerNotes,
    shown: (AnswerTable) -> AnswerTable = { $0 }
  ) throws {
    var table = shown(try answer.table(list))
    table.head += HeadMember.asked(of: answer)
    self.init(table)
    self.notes = notes
  }
}

extension HeadMember {
  /// The period of an analysis, with its moments also where it begins by default; nothing where its
  /// words mean none.
  static func asked(of answer: AnalysisAnswer) -> [Self] {
    let question = answer.plan.question
    let member = try? asked(
      from: question.from, to: question.to, isTyped: !answer.plan.beginsByDefault,
      in: answer.numbers.timeZone)
    return member.map { [$0] } ?? []
  }
}
