import Foundation
import HealthExchange
import HealthMerge
import HealthQuery
import HealthSamples
import HealthStatistics
import HealthUnits

/// The answer of `stats --format json`, and its intervals alone as `ndjson`.
struct StatisticsJSON {
  let answer: StatisticsAnswer
  private let names: SourceNames

  init(answer: StatisticsAnswer) {
    self.answer = answer
    names = answer.sourceNames
  }

  /// One object; an interval a line.
  func write(beside notes: AnswerNotes, to output: TextOutput) throws {
    try output.write(
      header + notes.members, list: "intervals",
      of: (0..<answer.intervals.count).lazy.map { JSON.object(interval($0)) })
  }

  /// One interval a line, each with the rules by which its numbers were found.
  func writeLines(to output: TextOutput) throws {
    let methods = StatisticsMethods(answer: answer).intervalMembers
    for row in 0..<answer.intervals.count {
      try output.line(JSON.object(interval(row) + methods).text)
    }
  }

  private var header: [JSON.Member] {
    var members: [JSON.Member] = [
      .init("type", .string(answer.type.identifier)),
      .init("unit", .string(answer.unit.description)),
    ]
    members += StatisticsWords.zoneMembers(answer.timeZone)
    members += [
      .init("merge", .string(answer.policy.rawValue)),
      .init("style", .string(answer.style.rawValue)),
      .init("rule", .string(answer.rule.rawValue)),
    ]
    members += StatisticsMethods(answer: answer).members
    members.append(
      .init("priority", .array(answer.priority.map { .string(names[$0]) })))
    return members
  }

  private func interval(_ row: Int) -> [JSON.Member] {
    let columns = answer.intervals
    var members: [JSON.Member] = [
      .init("start", .string(iso(columns.starts[row]))),
      .init("end", .string(iso(columns.ends[row]))),
    ]
    members += statistics(columns, answer.averages, row)
    if !answer.sources.isEmpty {
      let parts = answer.sources.map { source in
        JSON.Member(
          names[source.source], .object(statistics(source.intervals, source.averages, row)))
      }
      members.append(.init("sources", .object(parts)))
    }
    if answer.isExplained {
      members.append(.init("contributions", .array(contributions(row))))
      if let cut = cut(row) { members.append(.init("cut", .number(cut))) }
    }
    return members
  }

  /// What was cut from the sum to make it whole; `nil` under a policy that cuts nothing.
  private func cut(_ row: Int) -> Double? {
    guard answer.policy.truncates(answer.type), answer.intervals.hasData[row],
      let sums = answer.intervals[.sum]
    else { return nil }
    var total = CompensatedSum()
    for contribution in answer.contributions { total.add(contribution.sums[row]) }
    return total.result - sums[row]
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

  private func statistics(
    _ columns: StatisticsColumns, _ averages: AverageColumns?, _ row: Int
  ) -> [JSON.Member] {
    answer.statistics.map { statistic in
      .init(statistic.rawValue, json(columns.cell(statistic, row)))
    } + (averages?.cells(row).map { .init($0.key, json($0.cell)) } ?? [])
  }

  private func json(_ cell: StatisticsCell) -> JSON {
    switch cell {
    case .none: .null
    case .number(let value): .number(answer.printed(value))
    case .count(let count): .integer(count)
    case .reading(let value, let date):
      .object([.init("value", .number(answer.printed(value))), .init("date", .string(iso(date)))])
    }
  }

  private func iso(_ instant: Double) -> String { LocalTime(instant, in: answer.timeZone).isoText }
}
