import HealthAnswers
package import HealthQuery
import HealthSamples
import HealthStatistics

extension StatisticsAnswer {
  /// What programs read: a row for each interval, and sources alone beside it.
  ///
  /// - Parameter asComputed: whether numbers keep the digits that the way into another unit adds
  /// - Returns: the table
  package func table(asComputed: Bool = false) -> AnswerTable {
    let isShortened = !asComputed && !printsAsComputed
    var table = AnswerTable(
      "statistics", list: "intervals", count: intervals.count, zones: timeZone, head: head,
      AnswerColumn.interval(.all(intervals.starts), .all(intervals.ends))
        + columns(intervals, averages, isShortened))
    let names = sourceNames
    let parts = sources.map { source in
      AnswerTable.Split.Part(
        names[source.source], columns(source.intervals, source.averages, isShortened))
    }
    if isExplained {
      if !parts.isEmpty {
        table.columns.append(AnswerColumn.sources(parts))
      }
      table.columns += explanationColumns
    } else if !parts.isEmpty {
      table.split = AnswerTable.Split(shared: 2, parts: parts)
    }
    return table
  }

  /// The type, the unit and the rules by which the numbers were found.
  package var head: [HeadMember] {
    HeadMember.rules(members, areMerged: style.isCumulative)
  }

  private func columns(
    _ table: StatisticsColumns, _ averages: AverageColumns?, _ isShortened: Bool
  ) -> [AnswerColumn] {
    statistics.map { column($0, of: table, isShortened) } + columns(averages, isShortened)
  }

  private func column(
    _ statistic: Statistic, of table: StatisticsColumns, _ isShortened: Bool
  ) -> AnswerColumn {
    let key = statistic.rawValue
    let facts: [AnswerField.Fact] = [.init("statistic", key), .init("type", type.identifier)]
    guard statistic != .count else {
      // An interval without samples has none, which is a number.
      return AnswerColumn(
        AnswerField(
          key, .count, naming: .verbatim, about: "how many samples; 0 without any", facts: facts),
        .counts(.all(table.counts)))
    }
    let unit =
      switch statistic {
      case .duration: "s"
      case .coverage: "1"
      default: unitText
      }
    let known = table.known(of: statistic)
    func cells(_ values: [Double]?) -> Cells<Double> {
      guard let values else { return .read { _ in nil } }
      return known.contains(false) ? .known(values, known) : .all(values)
    }
    let numbers = cells(table[raw: statistic]).printed(isShortened)
    guard let spans = table.spans(of: statistic) else {
      return .numbers(
        key, unit: unit, naming: .verbatim, about: statistic.about, facts: facts, numbers)
    }
    return .group(
      key, .prefixed, naming: .verbatim,
      [
        .numbers("value", unit: unit, about: statistic.about, facts: facts, numbers),
        .instants(
          "date", about: "when that was", cells(statistic == .recent ? spans.ends : spans.starts)),
      ]
    ) { known[$0] }
  }

  /// The averages, in the columns of those of all sources; a source without days has none.
  private func columns(
    _ averages: AverageColumns?, _ isShortened: Bool
  ) -> [AnswerColumn] {
    guard let all = self.averages else { return [] }
    func number(_ key: String, about: String, _ values: [Double?]?) -> AnswerColumn {
      let cells = values.map { Cells.optional($0) } ?? .read { _ in nil }
      return .numbers(
        key, unit: unitText, naming: .verbatim, about: about,
        facts: [.init("type", type.identifier)], cells.printed(isShortened))
    }
    let counts = averages.map { Cells.all($0.counts) } ?? .read { _ in nil }
    return [
      number(
        all.names.average, about: "the mean of whole days or hours with data", averages?.averages),
      .counts(all.names.count, about: "how many the average is over", counts),
    ]
      + all.spread.enumerated().map { place, spread in
        number(
          all.name(of: spread), about: "of their totals", averages?.spread[place].values)
      }
  }
}

extension Statistic {
  /// What the numbers mean, each of which is null without samples; empty where the name says it.
  fileprivate var about: String {
    switch self {
    case .duration: "how long samples lasted, gaps bridged"
    case .coverage: "the share of the interval that samples cover"
    case .recent: "the last value"
    case .first: "the first value"
    case .median, .percentile: "of samples"
    case .timePercentile: "of time, not of samples"
    default: ""
    }
  }
}

extension Cells where Value == Double {
  /// The numbers as programs read them.
  func printed(_ isShortened: Bool) -> Self {
    isShortened ? map { NumberText.shortest($0) } : self
  }
}

extension HeadMember {
  /// The type, the unit and the rules of an answer.
  ///
  /// Where no head can say them, rows have the type, the unit, the zone, and what decides the numbers.
  package static func rules(_ members: [JSON.Member], areMerged: Bool) -> [Self] {
    members.map { member in
      let isInRows =
        switch member.key {
        case "merge": areMerged
        case "style", "rule", "priority", "zones": false
        default: true
        }
      return Self(member.key, member.value, isInRows ? .rows : .head)
    }
  }
}
