import HealthExchange
import HealthQuery
import HealthSamples
import HealthStatistics

/// The rules by which the numbers of an answer were found, in sentences.
struct StatisticsMethods {
  let answer: StatisticsAnswer

  /// What people read below a table.
  var notes: [String] {
    var notes: [String] = []
    if has(.mean), let method = answer.method {
      notes.append(note(on: method))
      if let version = answer.styleVersion, version != .newest {
        notes.append("This is the rule that the type had in SDK \(version.rawValue).")
      }
    }
    if hasPercentiles {
      notes.append(
        "median and percentiles: over samples, linear between neighbours (Hyndman-Fan type 7).")
    }
    if answer.statistics.contains(where: { $0.timePercentile != nil }) {
      notes.append("Percentiles by time: of the curve of the mean, for that share of its time.")
    }
    if has(.standardDeviation) {
      notes.append("stddev: of a sample (n - 1), over samples.")
    }
    if has(.coverage) {
      notes.append(
        isWeighted
          ? "coverage: the share of time where the curve of the mean is defined."
          : "coverage: the share of time that samples cover.")
    }
    if answer.isExact {
      notes.append("Exact: sums and means are correctly rounded.")
    }
    return notes
  }

  private func note(on method: MeanMethod) -> String {
    switch method {
    case .arithmetic: return "mean: arithmetic, over samples."
    case .temporallyWeighted:
      let hold = answer.hold ?? MeanMethod.standardHold
      let (gap, reach) = (NumberText.exact(hold / 30), NumberText.exact(hold / 60))
      return "mean: temporally weighted over the samples of each interval; gaps up to \(gap) min "
        + "are bridged, in longer ones a value holds for \(reach) min."
    case .equivalentContinuousLevel:
      return "mean: equivalent continuous level (IEC 61672-1)."
    }
  }

  private var isWeighted: Bool { answer.method == .temporallyWeighted }
  private var hasPercentiles: Bool { answer.statistics.contains { $0.percentile != nil } }
  private func has(_ statistic: Statistic) -> Bool { answer.statistics.contains(statistic) }
}
