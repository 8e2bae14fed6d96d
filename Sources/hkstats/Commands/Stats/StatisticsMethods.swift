import HealthExchange
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthUnits

/// The names of the rules by which the numbers of an answer were found.
struct StatisticsMethods {
  let answer: StatisticsAnswer

  /// What programs read beside the numbers.
  var members: [Report.Member] {
    var members: [Report.Member] = []
    if let method = answer.method {
      members.append(.init("method", .string(method.rawValue)))
      let version = answer.styleVersion.map { "sdk\($0.rawValue)" }
      members.append(.init("styleVersion", .optional(version)))
    }
    if let hold = answer.hold { members.append(.init("hold", .number(hold))) }
    if hasPercentiles {
      members.append(.init("percentileMethod", .string("linear (Hyndman-Fan type 7)")))
    }
    if has(.standardDeviation) {
      members.append(.init("stddevMethod", .string("sample (n - 1)")))
    }
    if has(.coverage) {
      members.append(
        .init("coverageMethod", .string(isWeighted ? "time of the curve" : "covered time")))
    }
    if answer.isExact { members.append(.init("exact", .bool(true))) }
    return members
  }

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

extension StatisticsAnswer {
  /// The head of an answer, and what of it stands in each row where no head can say it.
  var head: [Report.Member] {
    let names = sourceNames
    return [.type(type), .unit(type.printedUnit(unit.description))] + Report.Member.zones(timeZone)
      + [
        .init("merge", .string(policy.rawValue), isInRows: style.isCumulative),
        .init("style", .string(style.rawValue), isInRows: false),
        .init("rule", .string(rule.rawValue), isInRows: false),
      ] + StatisticsMethods(answer: self).members
      + [.priority(priority.map { names[$0] })]
  }
}
