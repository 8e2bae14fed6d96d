import HealthAnswers
import HealthExchange
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics

/// The answer of `stats` for a quantity type as a report.
struct StatisticsReport {
  private let answer: StatisticsAnswer
  private let names: SourceNames
  private let printed: (Double) -> Double

  init(answer: StatisticsAnswer) {
    self.answer = answer
    names = answer.sourceNames
    printed = answer.printing
  }

  func report(of interval: CalendarInterval?, notes: AnswerNotes) -> Report {
    var report = Report(
      head: answer.head, list: "intervals", count: answer.intervals.count, zones: answer.timeZone,
      columns: Report.Column.interval(from: answer.intervals.starts, to: answer.intervals.ends)
        + columns(answer.intervals, answer.averages))
    report.leading = 2
    if !answer.sources.isEmpty {
      let parts = answer.sources.map {
        Report.Part(source: names[$0.source], columns: columns($0.intervals, $0.averages))
      }
      report.parts = parts
      report.columns.append(
        .group("sources", parts.map { .group($0.source, $0.columns) }, isInFields: false))
    }
    if answer.isExplained {
      report.columns += [
        .machine("contributions", field: nil) { .json(.array(contributions($0))) },
        .machine("masked", field: nil) { answer.masked($0).map { .number($0) } ?? .absent },
        .machine("cut", field: nil) { answer.cut($0).map { .number($0) } ?? .absent },
      ]
    }
    report.title = StatisticsCaptions.title(of: answer)
    report.notes = notes
    report.page = {
      answer.isExplained
        ? ExplanationTable(answer: answer, interval: interval).page
        : StatisticsTable(answer: answer, interval: interval).page
    }
    return report
  }

  private func columns(
    _ table: StatisticsColumns, _ averages: AverageColumns?
  ) -> [Report.Column] {
    answer.statistics.map { statistic in
      let key = statistic.rawValue
      let cells = table.cells(statistic)
      guard statistic == .recent || statistic == .first else {
        return .machine(key, of: cells, printed)
      }
      return .group(
        key,
        [
          .machine("value", field: key + "_value") {
            cells[$0].reading.map { .number(printed($0.value)) } ?? .none
          },
          .machine("date", field: key + "_date") {
            cells[$0].reading.map { .instant($0.date) } ?? .none
          },
        ]
      ) { cells[$0].reading != nil }
    } + (averages?.columns.map { .machine($0.key, of: $0.cells, printed) } ?? [])
  }

  /// The sources that have samples in the interval, the highest rank first.
  private func contributions(_ row: Int) -> [JSON] {
    answer.contributions.filter { $0.hasData[row] }.map { contribution in
      let maskedBy = contribution.maskedBy.filter { $0.amounts[row] != 0 }.map {
        JSON.Member(names[$0.source], .number($0.amounts[row]))
      }
      return .object([
        .init("source", .string(names[contribution.source])),
        .init("sum", .number(contribution.sums[row])),
        .init("masked", .number(contribution.masked[row])),
        .init("maskedBy", .object(maskedBy)),
      ])
    }
  }
}

extension Report.Column {
  /// Numbers or counts, printed as programs read them.
  fileprivate static func machine(
    _ key: String, of cells: [StatisticsCell], _ printed: @escaping (Double) -> Double
  ) -> Self {
    .machine(key, field: key) { row in
      switch cells[row] {
      case .none, .reading: .none
      case .number(let value): .number(printed(value))
      case .count(let count): .count(count)
      }
    }
  }
}
