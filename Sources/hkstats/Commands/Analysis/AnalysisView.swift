import ArgumentParser
import Foundation
import HealthAnswers
import HealthExchange
import HealthSamples

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
  var page: Report.Page { get }
  /// What is said beside the answer.
  var notes: AnswerNotes { get }

  /// The lines of a chart.
  func chart(width: Int, style: TextStyle) -> [String]
}

extension AnalysisView {
  var notes: AnswerNotes { AnswerNotes() }
}

/// A command that shows an analysis.
protocol AnalysisCommand: ParsableCommand {
  associatedtype View: AnalysisView

  /// Output formats.
  var form: ReportOptions<ChartFormat> { get }
  /// The list that is shown; the first of the answer by default.
  var list: String? { get }

  /// Asks, and shows the answer.
  func ask(_ show: (AnalysisAnswer, AnswerNotes) throws -> Void) throws
}

extension AnalysisCommand {
  var list: String? { nil }

  func run() throws {
    try ask { answer, notes in
      guard let view = try View(answer, list, notes: notes) else { return }
      try form.write(view, of: answer, list)
    }
  }
}

extension ReportOptions<ChartFormat> {
  /// Writes a list of an analysis to stdout; the first by default.
  func write(_ view: some AnalysisView, of answer: AnalysisAnswer, _ list: String? = nil) throws {
    var report = try Report(answer, list, notes: view.notes)
    (report.title, report.page) = (view.title, { view.page })
    try write(report) { view.chart(width: Terminal.columns(STDOUT_FILENO), style: $0) }
  }
}

extension Report {
  /// What programs read of a list of an analysis; the first by default.
  init(_ answer: AnalysisAnswer, _ list: String? = nil, notes: AnswerNotes) throws {
    guard var table = try answer.table(list) else {
      throw Failure("This analysis has no table.", .failed)
    }
    let zones = table.head.lastIndex { HeadMember.zones(table.zones).map(\.key).contains($0.key) }
    table.head.insert(
      contentsOf: HeadMember.asked(of: answer), at: zones.map { $0 + 1 } ?? table.head.endIndex)
    self.init(table)
    self.notes = notes
  }
}

extension HeadMember {
  /// What programs read of a whole analysis: its type and unit, the zones, and what it was made by.
  static func head(of answer: AnalysisAnswer) -> [Self] {
    subject(of: answer) + asked(of: answer) + facts(answer.members)
  }

  /// The type and unit of a whole analysis, and the zones.
  static func subject(of answer: AnalysisAnswer) -> [Self] {
    answer.subjectMembers.map { Self($0.key, $0.value) } + zones(answer.numbers.timeZone)
  }

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

extension Report.Column {
  /// What a row is about.
  static func subject(_ series: @escaping (Int) -> IntervalSeries) -> [Self] {
    [
      .machine("name") { .text(series($0).name) },
      .machine("type") { .text(series($0).type.identifier) },
      .machine("statistic") { .text(series($0).statistic) },
      .machine("unit") { .text(series($0).unitText) },
    ]
  }

  /// How many intervals of a row's numbers have no data, and how many the data cover in part; csv
  /// lacks them.
  static func leftOut(_ subject: @escaping (Int) -> AnalysedSeries) -> [Self] {
    [
      .machine("empty", field: nil) { .count(subject($0).emptyCount) },
      .machine("partial", field: nil) { .count(subject($0).partialCount) },
    ]
  }
}
