import HealthMerge
package import HealthQuery
import HealthSamples
import HealthStatistics
import _HealthNumerics

// What every face of an answer says of it beside its numbers.

extension QuestionAnswer.Column {
  /// The key of the list of rows, or of the only one.
  package var listName: String {
    switch derived {
    case .groups: "groups"
    case .streaks: "streaks"
    case .gaps: "gaps"
    case .spread: "spread"
    case nil, .rows, .rolling, .compared: "intervals"
    }
  }

  /// How many intervals have no number.
  package var emptyCount: Int { series.values.count { $0 == nil } }

  /// The number of rows of what is made of the intervals.
  package var rowCount: Int {
    switch derived {
    case .groups(let groups): groups.count
    case .rows(let rows): rows.count
    case .streaks(let runs), .gaps(let runs): runs.count
    case .spread: 1
    case nil, .rolling, .compared: series.count
    }
  }

  /// The difference of an interval to the one it is compared with; `nil` where one has no data.
  package func change(_ row: Int) -> Double? {
    guard case .compared(let others) = derived, let value = series.values[row],
      let other = others[row]?.value
    else { return nil }
    return value - other
  }

  /// The difference as a share of the other; `nil` for temperatures and levels, which have no ratio: it
  /// would be another in °C than in °F.
  package func changeShare(_ row: Int) -> Double? {
    guard case .compared(let others) = derived, let other = others[row]?.value, other != 0,
      !series.unit.isOfIntervals
    else { return nil }
    return change(row).map { $0 / abs(other) }
  }
}

extension StatisticsAnswer {
  /// Unique names of the sources.
  package var sourceNames: SourceNames {
    SourceNames(priority + sources.map(\.source) + contributions.map(\.source))
  }

  /// What sources measured and higher ones counted, of all sources together; `nil` without samples.
  package func masked(_ row: Int) -> Double? {
    let known = contributions.filter { $0.hasData[row] }
    guard !known.isEmpty else { return nil }
    var total = CompensatedSum()
    for contribution in known { total.add(contribution.masked[row]) }
    return total.result
  }

  /// What was cut from the sum to make it whole; `nil` under a policy that cuts nothing.
  package func cut(_ row: Int) -> Double? {
    guard policy.truncates(type), let sum = intervals.value(.sum, row: row) else { return nil }
    var total = CompensatedSum()
    for contribution in contributions { total.add(contribution.sums[row]) }
    return total.result - sum
  }

  /// How statistics that have several definitions were computed.
  package var statisticMethods: [(key: String, name: String)] {
    var methods: [(key: String, name: String)] = []
    if statistics.contains(where: { $0.percentile != nil }) {
      methods.append(("percentileMethod", "linear (Hyndman-Fan type 7)"))
    }
    if statistics.contains(.standardDeviation) {
      methods.append(("stddevMethod", "sample (n - 1)"))
    }
    if statistics.contains(.coverage) {
      let isWeighted = method == .temporallyWeighted
      methods.append(("coverageMethod", isWeighted ? "time of the curve" : "covered time"))
    }
    return methods
  }
}

extension AverageColumns {
  /// The names of the averages, and of how many days or hours they are over, for programs.
  package var names: (average: String, count: String) {
    unit == .day ? ("perDay", "days") : ("perHour", "hours")
  }

  /// The name of a statistic over totals for programs: `dayMedian`.
  package func name(of spread: Spread) -> String {
    let name = spread.statistic.rawValue
    return unit.rawValue + name.prefix(1).uppercased() + name.dropFirst()
  }
}

extension CategoryAnswer {
  /// The name of a value, without the words that every constant of the type begins with.
  package func name(of column: ValueColumns) -> String {
    guard let constant = column.constant else { return column.value.plainText }
    let enumerations = Catalogue.categoryTypes
      .filter { $0.identifier.rawValue == type.identifier }.map(\.enumeration)
    for enumeration in enumerations where constant.hasPrefix(enumeration) {
      return Catalogue.swiftName(of: constant.dropFirst(enumeration.count))
    }
    return constant
  }
}
