package import HealthAnalysis
package import HealthAnswers
import HealthQuery
import HealthSamples
import HealthUnits

// What programs read of a whole analysis, beside its rows: the same in json and in columns.

extension AnalysisAnswer {
  /// What all rows are about; nothing where each row says so, or none has a type.
  package var subjectMembers: [JSON.Member] {
    func members(_ type: String, unit: String) -> [JSON.Member] {
      [.init("type", .string(type)), .init("unit", .string(unit))]
    }
    switch findings {
    case .glucose(let answer):
      return members(
        SampleType(.bloodGlucose).identifier, unit: answer.unitText)
        + [.init("source", .string(answer.source.description))]
    case .variability:
      return members(SampleType(.heartRateVariabilitySDNN).identifier, unit: "ms")
    case .pressure(let answer):
      return members("bloodPressure", unit: "mmHg") + [
        .init("guideline", .string(answer.parameters.guideline.rawValue)),
        .init("place", .string(answer.parameters.place.rawValue)),
      ]
    case .cycles: return members(SampleType(.menstrualFlow).identifier, unit: "d")
    case .trends, .unusual, .typical, .changes, .courses, .relations, .components, .rhythms,
      .restAndSleep, .training:
      return []
    }
  }

  /// What the answer was made by, how much it is of, and what has no answer.
  package var members: [JSON.Member] {
    switch findings {
    case .trends: [interval]
    case .unusual(let found): members(of: found)
    case .typical(let found): members(of: found)
    case .changes(let found): members(of: found)
    case .courses(let found): members(of: found)
    case .relations(let found): members(of: found)
    case .components(let found): members(of: found)
    case .rhythms(let found): members(of: found)
    case .restAndSleep(let found): members(of: found)
    case .training(let found): members(of: found)
    case .glucose(let found): found.members(in: numbers.timeZone)
    case .variability(let found): members(of: found)
    case .pressure(let found): found.members(in: numbers.timeZone)
    case .cycles(let found): found.members
    }
  }

  /// The types without a finding, and why.
  package func refused<Finding>(
    among results: [Result<Finding, AnalysisError>]
  ) -> [(name: String, error: AnalysisError)] {
    zip(numbers.columns, results).compactMap { column, result in
      guard case .failure(let error) = result else { return nil }
      return (column.series.name, error)
    }
  }

  /// The length of the intervals whose numbers were asked; null for samples.
  var interval: JSON.Member { .interval(plan.question.interval) }

  func made(model: String, method: String) -> [JSON.Member] {
    JSON.Member.made(model: model, method: method) + [interval]
  }
}

extension JSON.Member {
  /// By which model, and how it was found.
  static func made(model: String, method: String) -> [Self] {
    [.init("model", .string(model)), .init("method", .string(method))]
  }

  /// The length of the intervals whose numbers were asked; null for samples.
  static func interval(_ interval: CalendarInterval?) -> Self {
    .init("interval", .optional(interval?.text))
  }

  /// What has no answer, and why.
  static func refusals(_ refused: [(name: String, error: AnalysisError)]) -> Self {
    .init(
      "refusals",
      .array(
        refused.map {
          .object([
            .init("name", .string($0.name)), .init("refusal", .string($0.error.description)),
          ])
        }))
  }

  /// How many readings sources have.
  static func sources(_ key: String, _ sources: [SourceCount]) -> Self {
    .init(key, .sources(sources))
  }
}

extension JSON {
  /// How many readings sources have.
  package static func sources(_ sources: [SourceCount]) -> JSON {
    .array(
      sources.map {
        .object([
          .init("source", .string($0.source.description)), .init("count", .integer($0.count)),
        ])
      })
  }
}

// MARK: - Intervals of types

extension AnalysisAnswer {
  private func members(of found: [Result<UnusualAnswer, AnalysisError>]) -> [JSON.Member] {
    guard case .unusual(let parameters) = plan.method else { return [] }
    let refused = refused(among: found)
    let (measures, tested, unjudged) = UnusualAnswer.counts(found)
    let rows = found.compactMap { try? $0.get() }.reduce(0) { $0 + $1.period.count }
    return made(
      model: "robust score",
      method:
        "median and median distance of the days before, by source; of the numbers, and of what the week and slow changes leave"
    ) + [
      .init("baselineDays", .integer(parameters.baseline)),
      .init("warmUpDays", .integer(parameters.needed)),
      .init("threshold", .number(parameters.threshold)),
      .init("measures", .integer(measures)), .init("tested", .integer(tested)),
      .init("unjudged", .integer(unjudged)),
      .init("empty", .integer(rows - tested - unjudged)),
      .init("refused", .array(refused.map { .string($0.name) })), .refusals(refused),
    ]
  }

  private func members(of results: [Result<TypicalAnswer, AnalysisError>]) -> [JSON.Member] {
    guard case .typical(let parameters) = plan.method else { return [] }
    let found = results.compactMap { try? $0.get() }
    let refused = refused(among: results)
    let summary = TypicalSummary(of: found)
    let percentiles = [parameters.share, 0.5, 1 - parameters.share].map {
      NumberText.rounded($0 * 100)
    }
    return made(
      model: "percentiles \(percentiles.joined(separator: ", ")) of trailing means",
      method: "linear (Hyndman-Fan type 7)"
    ) + [
      .init("meanDays", .integer(parameters.days)),
      .init("leastDays", .integer(parameters.atLeast)),
      .init("withinDays", .integer(parameters.within)),
      .init("measures", .integer(found.count)), .init("tested", .integer(found.count)),
      .init("outside", .integer(summary.outsideCount)),
      .init("refused", .integer(refused.count)), .refusals(refused),
      .init(
        "summary",
        .object([
          .init("measures", .integer(summary.measureCount)),
          .init("outside", .integer(summary.outsideCount)),
          .init(
            "outsideBefore",
            .array(summary.outsideBefore.map { $0.map { .integer($0) } ?? .null })),
          .init("usualOutside", summary.usualOutside.map { .integer($0) } ?? .null),
        ])),
    ]
  }

  private func members(of results: [Result<ChangesAnswer, AnalysisError>]) -> [JSON.Member] {
    guard case .changes(let parameters) = plan.method else { return [] }
    let found = results.compactMap { try? $0.get() }
    return made(
      model: "PELT, least squares",
      method:
        "penalty of factor x long-run variance x ln n, far values clipped; steps that a slope, a wave of a year or autoregressive errors explain as well are left out"
    ) + [
      .init("factor", .number(parameters.factor)),
      .init("leastLength", .integer(parameters.leastLength)),
      .init("tested", .integer(found.count)),
      .init("changes", .integer(found.reduce(0) { $0 + $1.changes.rows.count })),
      .refusals(refused(among: results)),
    ]
  }

  private func members(of results: [Result<CourseAnswer, AnalysisError>]) -> [JSON.Member] {
    guard case .course(let parameters) = plan.method else { return [] }
    let found = results.compactMap { try? $0.get() }
    let method =
      switch parameters.model {
      case .seasons: "STL, periodic season"
      case .robustSeasons: "STL, periodic season, robust"
      case .smooth: "Whittaker, differences of order 2"
      }
    return made(model: parameters.model.rawValue, method: method) + [
      .init("tested", .integer(found.count)),
      .init("courses", .array(found.map { .object($0.members) })),
      .refusals(refused(among: results)),
    ]
  }

  private func members(of found: RelationsAnswer) -> [JSON.Member] {
    guard case .relations(let parameters) = plan.method else { return [] }
    let refused = found.refusals.sorted { $0.key < $1.key }
      .map { (name: found.subjects[$0.key].series.name, error: $0.value) }
    return made(
      model: "Spearman, whitened remainders",
      method: "Benjamini and Hochberg over all tests, with the sign of the numbers themselves"
    ) + [
      .init("lags", .integer(parameters.lags)), .init("leastDays", .integer(parameters.atLeast)),
      .init("rate", .number(parameters.rate)), .init("confidence", .number(Relation.confidence)),
      .init("types", .integer(found.subjects.count - found.refusals.count)),
      .init("pairs", .integer(found.pairCount)),
      .init("tested", .integer(found.relations.tested.count)),
      .init("held", .integer(found.relations.held.count)),
      .init("tooFewDays", .integer(found.relations.leftOut.count)),
      .init("excludedPairs", .integer(found.excludedCount)),
      .init("partial", .integer(found.subjects.reduce(0) { $0 + $1.partialCount })),
      .init("refused", .array(refused.map { .string($0.name) })), .refusals(refused),
    ]
  }

  private func members(of found: ComponentsAnswer) -> [JSON.Member] {
    let count = found.components.rows.count
    return made(
      model: "principal components of correlations", method: "eigenvectors (LAPACK dsyevd)"
    ) + [
      .init("types", .integer(found.places.count)),
      .init("count", .integer(count)),
      .init("incomplete", .integer((found.subjects.first?.series.count ?? 0) - count)),
      .init("leftOut", .array(found.leftOut.map(JSON.string))),
    ]
  }
}

extension CourseAnswer {
  /// How much of a type its course tells.
  fileprivate var members: [JSON.Member] {
    let season = seasons.first
    return [
      .init("name", .string(subject.series.name)),
      .init("count", .integer(rest.count { $0 != nil })),
      .init("empty", .integer(subject.emptyCount)),
      .init("partial", .integer(subject.partialCount)),
      .init(
        "withoutCourse",
        .integer(zip(subject.series.values, rest).count { $0 != nil && $1 == nil })),
      .init("courseStrength", .optional(levelStrength)),
      .init("period", season.map { .integer($0.period) } ?? .null),
      .init("seasonStrength", .optional(season?.strength ?? nil)),
      .init("penalty", .optional(smoothness?.penalty)),
      .init("effectiveDimension", .optional(smoothness?.effectiveDimension)),
    ]
  }
}

extension ComponentsAnswer {
  /// The types without a part, by name.
  package var leftOut: [String] {
    subjects.indices.filter { !places.contains($0) }.map { subjects[$0].series.name }
  }
}

extension Relation {
  /// How often ``interval`` holds the true coefficient.
  package static let confidence = 0.95

  /// The interval of the coefficient; `nil` for too few days.
  package var interval: ClosedRange<Double>? {
    try? correlation.interval(confidence: Self.confidence)
  }
}

extension TrendAnswer {
  /// How the line was fitted.
  package var fit: String {
    switch parameters.model {
    case .line: "least squares, autoregressive errors"
    case .theilSen:
      "median of the slopes between all pairs, test of Mann and Kendall with autoregressive errors"
    case .huber:
      "Huber's estimate, k \(NumberText.rounded(HuberTrend.usualTuning, decimals: 3)), "
        + "autoregressive errors"
    }
  }
}
