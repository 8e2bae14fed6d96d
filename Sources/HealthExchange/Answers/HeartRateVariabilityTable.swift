import HealthAnalysis
import HealthAnswers
import HealthSamples

extension AnalysisAnswer {
  /// Series of heartbeats, or the medians of those of each interval.
  func table(of found: VariabilityAnswer, _ list: String) -> AnswerTable {
    guard list == "series" else {
      let rows = AnswerRows(found.intervals ?? [])
      return table(
        list, rows.count,
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
      list, rows.count,
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
}
