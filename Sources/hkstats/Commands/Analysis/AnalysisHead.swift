import HealthAnalysis
import HealthAnswers
import HealthExchange
import HealthSamples
import HealthUnits

extension Report.Member {
  /// A fact about the whole answer, which rows lack.
  static func fact(_ key: String, _ value: JSON) -> Self { .init(key, value, isInRows: false) }

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

  /// Facts about the whole answer, which rows lack.
  static func facts(_ members: [JSON.Member]) -> [Self] { members.map { .fact($0.key, $0.value) } }
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
