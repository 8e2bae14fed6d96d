package import HealthAnalysis
package import HealthAnswers
import HealthQuery
import HealthSamples

extension AnalysisAnswer {
  /// Series of heartbeats, or the medians of those of each interval.
  func table(of found: VariabilityAnswer, _ list: String) -> AnswerTable {
    let subject = HeadMember.subject(
      SampleType(.heartRateVariabilitySDNN).identifier, unit: "ms")
    guard list == "series" else {
      let rows = AnswerRows(found.intervals ?? [])
      return table(
        list, rows.count, subject: subject,
        facts: HeadMember.facts(members(of: found)),
        rows.interval(\.start, \.end)
          + Self.measures(
            rows, \.medians?.standardDeviation, \.medians?.rootMeanSquareOfDifferences,
            \.medians?.percentOver50, \.medians?.meanHeartRate)
          + [
            rows.count("series", about: "how many have a variability") { $0.medians?.count ?? 0 },
            rows.count("refused", about: "how many have none", \.refusedCount),
          ])
    }
    let rows = AnswerRows(found.series.map { (series: $0, found: try? $0.variability.get()) })
    return table(
      list, rows.count, subject: subject,
      facts: HeadMember.facts(members(of: found)),
      rows.interval(\.series.start, \.series.end)
        + Self.measures(
          rows, \.found?.standardDeviation, \.found?.rootMeanSquareOfDifferences,
          \.found?.percentOver50, \.found?.meanHeartRate)
        + [
          rows.count("beats", \.series.beatCount),
          rows.count("intervals", about: "how many count", \.found?.count),
          rows.count(
            "implausible", about: "intervals too short or long", \.found?.implausibleCount),
          rows.count(
            "ectopic", about: "intervals too far from the one before", \.found?.ectopicCount),
          rows.count("gaps", about: "between beats", \.series.gapCount),
          rows.number(
            "recordedSDNN", unit: "ms", about: "as the sample has it",
            \.series.recordedDeviation),
          rows.word("source", \.series.source.description),
          rows.refusal(\.series.variability.refusal),
        ])
  }

  private typealias Read<Row> = AnswerRows<Row>.Read<Double>

  private static func measures<Row>(
    _ rows: AnswerRows<Row>, _ sdnn: @escaping Read<Row>, _ rmssd: @escaping Read<Row>,
    _ pnn50: @escaping Read<Row>, _ rate: @escaping Read<Row>
  ) -> [AnswerColumn] {
    [
      rows.number("sdnn", unit: "ms", about: "the standard deviation of intervals", sdnn),
      rows.number("rmssd", unit: "ms", about: "the root mean square of their differences", rmssd),
      rows.number(
        "pnn50", unit: "%", naming: .withUnit, about: "of differences more than 50 ms", pnn50),
      rows.number("meanHeartRate", unit: "count/min", naming: .withUnit, rate),
    ]
  }

  private func members(of answer: VariabilityAnswer) -> [JSON.Member] {
    guard case .variability(let parameters) = plan.method else { return [] }
    let (implausible, ectopic) = answer.leftOut
    return made(
      model: "Task Force 1996",
      method: "of beats, without intervals out of range or far from the one before"
    ) + [
      .init("count", .integer(answer.known.count)),
      .init("shortest", .number(parameters.shortest)),
      .init("longest", .number(parameters.longest)),
      .init("largestChange", .number(parameters.largestChange)),
      .init("implausible", .integer(implausible)), .init("ectopic", .integer(ectopic)),
      .init("refused", .integer(answer.series.count - answer.known.count)),
    ]
  }
}

extension VariabilityAnswer {
  /// The series with a variability.
  package var known: [HeartRateVariability] { series.compactMap { try? $0.variability.get() } }

  /// How many intervals do not count, of all series.
  package var leftOut: (implausible: Int, ectopic: Int) {
    known.reduce((0, 0)) { ($0.0 + $1.implausibleCount, $0.1 + $1.ectopicCount) }
  }
}
