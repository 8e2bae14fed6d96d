import HealthAnalysis
package import HealthAnswers
import HealthQuery
import HealthSamples

extension AnalysisAnswer {
  /// A line through the numbers of each type; that of the only one is part of the head, with the
  /// rules of its numbers.
  func table(
    of found: [Result<TrendAnswer, AnalysisError>], _ list: String
  ) throws(AnalysisError) -> AnswerTable {
    if let refusal { throw refusal }
    let rows = AnswerRows(
      zip(numbers.columns, found).map { (series: $0.series, result: $1, line: try? $1.get()) })
    let slopes = [
      rows.number("slopePerDay") { $0.line?.slope },
      rows.number("slopePerDayLow", about: Self.aboutRange) { $0.line?.slopeInterval?.lowerBound },
      rows.number("slopePerDayHigh") { $0.line?.slopeInterval?.upperBound },
      rows.number("slopePerYear", about: "in 365.2425 days") { $0.line?.slopePerYear },
      rows.number("slopePerYearLow") { $0.line?.slopeIntervalPerYear?.lowerBound },
      rows.number("slopePerYearHigh") { $0.line?.slopeIntervalPerYear?.upperBound },
      rows.number(
        "confidence", unit: "1", about: "how often such a range holds the true slope"
      ) { $0.line?.parameters.confidence },
    ]
    let fit = [
      rows.number("intercept", about: "the line at the beginning") { $0.line?.intercept },
      rows.number(
        "rSquared", unit: "1", about: "the share of the variation that the line explains"
      ) { $0.line?.rSquared },
      rows.number(
        "pValue", unit: "1", about: "how often numbers without a slope have one as far from 0"
      ) { $0.line?.pValue },
      rows.word("verdict") { $0.line?.verdict.rawValue },
      rows.word("model") { $0.line?.parameters.model.rawValue },
      rows.word("fit", about: "how the line was found") { $0.line?.fit },
      rows.number(
        "autocorrelation", unit: "1", about: "how much neighbours go together"
      ) { $0.line?.autocorrelation },
    ]
    let seasonal = [
      rows.count(
        "period", about: "how many intervals make a cycle of seasons; of the seasonal model alone"
      ) { $0.line?.seasonal?.period },
      rows.count("cycles", about: "how many numbers the season has that has most") {
        $0.line?.seasonal?.test.cycleCount
      },
      rows.number(
        "tau", unit: "1", about: "pairs of cycles that rise minus those that fall, as a share"
      ) { $0.line?.seasonal?.test.tau },
      rows.number(
        "pValueIndependent", unit: "1",
        about:
          "the p-value as if the seasons of a cycle were independent; none of too few intervals"
      ) { $0.line?.pValue == nil ? nil : $0.line?.seasonal?.test.independent.pValue },
    ]
    var table = table(
      list, rows.count, isInHead: found.count == 1, facts: HeadMember.facts([interval]),
      rows.subject(\.series) + [
        rows.instant("from", about: "the middle of the first interval with a number") {
          $0.line?.span.lowerBound
        },
        rows.instant("to", about: "the middle of the last") { $0.line?.span.upperBound },
        rows.count("count", about: "how many intervals have a number") { $0.line?.count },
        rows.word("slopeUnit", about: "of a slope per day") { "\($0.series.unitText)/d" },
      ] + slopes + fit + seasonal + rows.leftOut { $0.line?.subject } + [
        rows.count("tested", about: "how many types were asked") { _ in found.count },
        rows.refusal(\.result.refusal),
      ])
    if found.count == 1 {
      table.head = numbers.columns[0].rules + HeadMember.facts([interval])
    }
    return table
  }

  private static var aboutRange: String {
    "where the true slope lies with this confidence; none of too few intervals or the seasonal model"
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
    case .seasonal:
      "median of the slopes within seasons, test of Hirsch and Slack with seasons that depend"
    }
  }
}
