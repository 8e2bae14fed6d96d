package import HealthAnalysis
package import HealthAnswers
import HealthSamples

extension AnalysisAnswer {
  /// Series of heartbeats, or the medians of those of each interval.
  func table(of found: HRVAnswer, _ list: String) -> AnswerTable {
    let subject = HeadMember.subject(
      SampleType(.heartRateVariabilitySDNN).identifier, unit: "ms")
    guard list == "series" else {
      let rows = AnswerRows(found.intervals ?? [])
      return table(
        list, rows.count, subject: subject,
        facts: HeadMember.facts(members(of: found)),
        rows.interval(\.start, \.end)
          + Self.measures(rows, exponent: \.medianShortTermExponent) { $0.medians }
          + [
            rows.count("series", about: "how many have a variability") { $0.medians?.count ?? 0 },
            rows.count("refused", about: "how many have none", \.refusedCount),
            rows.count("dfaSeries", about: "how many have α1", \.fluctuationCount),
          ])
    }
    let rows = AnswerRows(found.series.map { (series: $0, found: try? $0.variability.get()) })
    return table(
      list, rows.count, subject: subject,
      facts: HeadMember.facts(members(of: found)),
      rows.interval(\.series.start, \.series.end)
        + Self.measures(rows, exponent: { try? $0.series.fluctuation.get().exponent }) { $0.found }
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

  /// The measures of a series, or their medians.
  private static func measures<Row>(
    _ rows: AnswerRows<Row>, exponent: @escaping AnswerRows<Row>.Read<Double>,
    _ found: @escaping AnswerRows<Row>.Read<any VariabilityMeasures>
  ) -> [AnswerColumn] {
    [
      rows.number("sdnn", unit: "ms", about: "the standard deviation of intervals") {
        found($0)?.standardDeviation
      },
      rows.number("rmssd", unit: "ms", about: "the root mean square of their differences") {
        found($0)?.rootMeanSquareOfDifferences
      },
      rows.number(
        "pnn50", unit: "%", naming: .withUnit, about: "of differences more than 50 ms"
      ) { found($0)?.percentOver50 },
      rows.number("meanHeartRate", unit: "count/min", naming: .withUnit) {
        found($0)?.meanHeartRate
      },
      rows.number(
        "lnRMSSD", unit: "1",
        about: "the natural logarithm of RMSSD in ms; none without differences, or where all are 0"
      ) { found($0)?.logarithmOfRootMeanSquare },
      rows.number(
        "sd1", unit: "ms",
        about: "the width of Poincaré's plot of successive intervals; none below two differences"
      ) { found($0)?.poincareWidth },
      rows.number(
        "sd2", unit: "ms", about: "the length of Poincaré's plot; none below two differences"
      ) { found($0)?.poincareLength },
      rows.number("sd1SD2", unit: "1", about: "SD1/SD2; none below two differences") {
        found($0)?.poincareRatio
      },
      rows.number(
        "dfaAlpha1", unit: "1",
        about: "α1 of detrended fluctuation analysis, over boxes of 4 to 16 beats; none below "
          + "\(BeatIntervals.neededBoxes * 16) intervals that count", exponent),
    ]
  }

  private func members(of answer: HRVAnswer) -> [JSON.Member] {
    guard case .hrv(let parameters) = plan.method else { return [] }
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

/// The measures that a series has, and intervals as medians.
private protocol VariabilityMeasures {
  var standardDeviation: Double { get }
  var rootMeanSquareOfDifferences: Double? { get }
  var percentOver50: Double? { get }
  var meanHeartRate: Double { get }
  var logarithmOfRootMeanSquare: Double? { get }
  var poincareWidth: Double? { get }
  var poincareLength: Double? { get }
  var poincareRatio: Double? { get }
}

extension HeartRateVariability: VariabilityMeasures {}
extension HeartRateVariabilityMedians: VariabilityMeasures {}

extension HRVAnswer {
  /// The series with a variability.
  package var known: [HeartRateVariability] { series.compactMap { try? $0.variability.get() } }

  /// How many intervals do not count, of all series.
  package var leftOut: (implausible: Int, ectopic: Int) {
    known.reduce((0, 0)) { ($0.0 + $1.implausibleCount, $0.1 + $1.ectopicCount) }
  }
}
