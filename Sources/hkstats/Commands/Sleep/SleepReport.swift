import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples

/// The answer of `sleep` as a report: nights, or the means of weeks or months.
///
/// Durations are in seconds; efficiency is a share of the time in bed.
struct SleepReport {
  let answer: SleepAnswer
  /// Whether nights say when each stage was.
  var tellsStretches = false

  private var nights: NightColumns { answer.nights }

  func report(by period: SleepAverages.Period?, notes: AnswerNotes) -> Report {
    let averages = period.map { ($0, answer.averages(by: $0)) }
    var report = Report(
      head: [.type(SleepPlan.type), .unit("s")] + HeadMember.zones(answer.timeZone)
        + answer.members(by: period).map { .fact($0.key, $0.value) },
      list: (period?.rawValue ?? "night") + "s",
      count: averages?.1.count ?? nights.count, zones: answer.timeZone,
      columns: averages.map { columns($1, by: $0) } ?? columns)
    report.title = SleepCaptions.title(of: answer, by: period)
    report.notes = notes
    report.page = {
      averages.map { SleepAverageTable(answer: answer, period: $0, means: $1).page }
        ?? SleepTable(answer: answer).page
    }
    return report
  }

  /// A row a night.
  private var columns: [Report.Column] {
    let nights = nights
    let zones = answer.timeZone
    func instants(_ values: [Double?], _ key: String) -> Report.Column {
      .machine(key) { values[$0].map { .instant($0) } ?? .none }
    }
    let rows = 0..<nights.count
    let spans: [Report.Column] =
      tellsStretches ? [.machine("stretches", field: nil) { .json(.array(stretches($0))) }] : []
    return [
      .machine("night") { .text(LocalTime(nights.days[$0], in: zones).dateText) },
      instants(nights.spans.map { $0?.lowerBound }, "start"),
      instants(nights.spans.map { $0?.upperBound }, "end"),
      instants(nights.sleepSpans.map { $0?.lowerBound }, "asleepFrom"),
      instants(nights.sleepSpans.map { $0?.upperBound }, "asleepTo"),
      .numbers("asleep", nights.asleep),
    ]
      + SleepStage.told.map { stage in
        .numbers(stage.key, nights.stages.map { $0[stage] })
      }
      + [
        .numbers("inBed", nights.inBed),
        .numbers("efficiency", rows.map { nights.efficiency($0) }),
      ] + spans + [
        .machine("naps", field: nil) { .json(.array(naps($0))) },
        .machine(nil, field: "naps") { .count(nights.naps[$0].count) },
        .machine(nil, field: "nap_asleep") {
          .number(nights.naps[$0].reduce(0) { $0 + $1.asleep })
        },
        .machine("sources", field: nil) { .json(.array(sources($0))) },
        .machine(nil, field: "sources") {
          .text(
            nights.sources[$0].filter { $0.asleep > 0 }.map(\.source.description)
              .joined(separator: "; "))
        },
      ]
  }

  private func naps(_ row: Int) -> [JSON] {
    nights.naps[row].map { nap in
      .object([
        .init("start", .string(iso(nap.span.lowerBound))),
        .init("end", .string(iso(nap.span.upperBound))), .init("asleep", .number(nap.asleep)),
      ])
    }
  }

  private func stretches(_ row: Int) -> [JSON] {
    nights.stretches[row].map { stretch in
      .object([
        .init("start", .string(iso(stretch.span.lowerBound))),
        .init("end", .string(iso(stretch.span.upperBound))),
        .init("stage", .string(stretch.stage.key)),
      ])
    }
  }

  private func sources(_ row: Int) -> [JSON] {
    nights.sources[row].map { source in
      .object([
        .init("source", .string(source.source.description)),
        .init("asleep", .number(source.asleep)), .init("inBed", .number(source.inBed)),
        .init("masked", .number(source.masked)),
      ])
    }
  }

  private func iso(_ instant: Double) -> String { LocalTime(instant, in: answer.timeZone).isoText }

  /// A row a week or month.
  private func columns(_ means: SleepAverages, by period: SleepAverages.Period) -> [Report.Column] {
    let zones = answer.timeZone
    return [.machine(period.rawValue) { .text(means.label($0, period, in: zones)) }]
      + SleepAverages.memberNames.enumerated().map { place, name in
        .machine(name) { means.members($0)[place].cell }
      }
  }
}

extension SleepAverages.Member {
  /// The number in a column.
  fileprivate var cell: Report.Cell {
    switch self {
    case .count(let count): .count(count)
    case .number(let number): number.map { .number($0) } ?? .none
    case .clock(let time): time.map { .text(SleepAverages.clockText($0)) } ?? .none
    }
  }
}
