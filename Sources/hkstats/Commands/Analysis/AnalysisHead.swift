import HealthAnalysis
import HealthExchange
import HealthQuery
import HealthSamples
import HealthUnits

extension Report.Member {
  /// A fact about the whole answer, which rows lack.
  static func fact(_ key: String, _ value: JSON) -> Self { .init(key, value, isInRows: false) }

  /// What an answer was made by: the model, and how it was found.
  static func model(_ model: String, method: String) -> [Self] {
    [.fact("model", .string(model)), .fact("method", .string(method))]
  }

  /// The length of the intervals whose numbers were asked; null for samples.
  static func interval(_ interval: CalendarInterval?) -> Self {
    .fact("interval", .optional(interval?.text))
  }

  /// What has no answer, and why.
  static func refusals(_ refused: [(name: String, error: AnalysisError)]) -> Self {
    .fact(
      "refusals",
      .array(
        refused.map {
          .object([
            .init("name", .string($0.name)), .init("refusal", .string($0.error.description)),
          ])
        }))
  }
}

extension Report.Column {
  /// What a row is about.
  static func subject(_ series: @escaping (Int) -> IntervalSeries) -> [Self] {
    [
      .machine("name") { .text(series($0).name) },
      .machine("type") { .text(series($0).type.identifier) },
      .machine("statistic") { .text(series($0).statistic) },
      .machine("unit") { .text(series($0).unit.description) },
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

extension AnalysisAnswer {
  /// What programs read of the whole answer: the zones of days, and what it was made by.
  func head(model: String, method: String) -> [Report.Member] {
    Report.Member.zones(numbers.timeZone) + Report.Member.model(model, method: method)
      + [.interval(plan.question.interval)]
  }

  /// The types without a finding, and why.
  func refused<Finding>(
    among results: [Result<Finding, AnalysisError>]
  ) -> [(name: String, error: AnalysisError)] {
    zip(numbers.columns, results).compactMap { column, result in
      guard case .failure(let error) = result else { return nil }
      return (column.series.name, error)
    }
  }
}
