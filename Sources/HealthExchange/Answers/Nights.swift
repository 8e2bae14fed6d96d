public import HealthAnswers
import HealthQuery
import HealthSamples

extension SleepAnswer {
  /// Nights, or the means of weeks or months.
  ///
  /// - Parameters:
  ///   - period: that of the means; `nil` for nights
  ///   - stretches: whether nights say when each stage was
  /// - Returns: the table
  package func table(by period: SleepAverages.Period?, stretches: Bool = false) -> AnswerTable {
    period.map(meansTable) ?? nightsTable(stretches: stretches)
  }

  /// A row a night.
  private func nightsTable(stretches: Bool) -> AnswerTable {
    let nights = nights
    let rows = AnswerRows(Array(0..<nights.count))
    var offsets = OffsetCache(timeZone)
    let days = nights.days.map { LocalTime($0, in: &offsets).date.dayNumber }
    func durations(_ key: String, about: String = "", _ values: [Double?]) -> AnswerColumn {
      .durations(key, about: about, .optional(values))
    }
    func instants(_ key: String, about: String = "", _ values: [Double?]) -> AnswerColumn {
      .instants(key, about: about, .optional(values))
    }
    var columns: [AnswerColumn] = [
      rows.date("night", about: "the day on which it ends") { days[$0] },
      instants(
        "start", about: "of all samples; null without any", nights.spans.map { $0?.lowerBound }),
      instants("end", nights.spans.map { $0?.upperBound }),
      instants(
        "asleepFrom", about: "of sleep; null without any",
        nights.sleepSpans.map { $0?.lowerBound }),
      instants("asleepTo", nights.sleepSpans.map { $0?.upperBound }),
      durations("asleep", about: "null without data, as all durations", nights.asleep),
    ]
    columns += SleepStage.told.map { stage in
      durations(stage.key, nights.stages.map { $0[stage] })
    }
    columns += [
      durations("inBed", nights.inBed),
      rows.number("efficiency", unit: "1", about: "asleep of in bed") { nights.efficiency($0) },
      rows.count("napCount") { nights.naps[$0].count },
      rows.duration("napAsleep", about: "of all naps") {
        nights.naps[$0].reduce(0) { $0 + $1.asleep }
      },
      rows.word("countedBy", about: "the sources of what counts as asleep, with semicolons between")
      {
        let names = nights.sources[$0].filter { $0.asleep > 0 }.map(\.source.description)
        return names.isEmpty ? nil : names.joined(separator: "; ")
      },
    ]
    if stretches {
      columns.append(
        .list("stretches", about: "stages, one after the other", nights.stretches) {
          $0.interval(\.span.lowerBound, \.span.upperBound) + [$0.word("stage", \.stage.key)]
        })
    }
    columns += [
      .list("naps", about: "from falling asleep to waking up", nights.naps) {
        $0.interval(\.span.lowerBound, \.span.upperBound) + [$0.duration("asleep", \.asleep)]
      },
      .list("sources", about: "what each counted", nights.sources) {
        [
          $0.word("source", about: "the name of the source", \.source.description),
          $0.duration("asleep", \.asleep), $0.duration("inBed", \.inBed),
          $0.duration("masked", about: "what a higher source has", \.masked),
        ]
      },
    ]
    return table("nights", nights.count, by: nil, columns)
  }

  /// A row a week or month.
  private func meansTable(by period: SleepAverages.Period) -> AnswerTable {
    let means = averages(by: period)
    let rows = AnswerRows((0..<means.count).map { means.members($0) })
    let members = zip(SleepAverages.memberNames, SleepAverages.memberForms)
    let columns = members.enumerated().map { place, member in
      let about = Self.meanings[member.0] ?? ""
      return switch member.1 {
      case .count: rows.count(member.0, about: about) { $0[place].count }
      case .seconds: rows.duration(member.0, about: about) { $0[place].number }
      case .share: rows.number(member.0, unit: "1", about: about) { $0[place].number }
      case .clock: rows.clock(member.0, about: about) { $0[place].time }
      }
    }
    let labels = (0..<means.count).map { means.label($0, period, in: timeZone) }
    let label = AnswerColumn(
      AnswerField(
        period.rawValue, .text, about: period == .week ? "the date of its Monday" : ""),
      .texts(.all(labels)))
    return table(period.rawValue + "s", means.count, by: period, [label] + columns)
  }

  /// What means are of.
  private static let meanings = [
    "nights": "how many have data", "bedtime": "when nights start, on the clock",
    "wake": "when they end", "asleep": "over the nights that recorded sleep",
    "inBed": "over the nights that recorded it", "efficiency": "asleep of in bed",
    "napAsleep": "of a nap", "naps": "how many", "asleepNights": "over how many asleep is",
    "stageNights": "over how many the stages are",
    "inBedNights": "over how many the time in bed is",
    "efficiencyNights": "over how many the efficiency is",
    "asleepFromMedian": "by when half of the nights have fallen asleep",
    "asleepToMedian": "by when half of them have woken up",
  ]

  private func table(
    _ list: String, _ count: Int, by period: SleepAverages.Period?, _ columns: [AnswerColumn]
  ) -> AnswerTable {
    AnswerTable(
      list, list: list, count: count, zones: timeZone,
      head: [
        HeadMember("type", .string(SleepPlan.type.identifier)), HeadMember("unit", .string("s")),
      ] + HeadMember.zones(timeZone) + HeadMember.facts(members(by: period)), columns)
  }
}

extension SleepAnswer: Encodable {
  /// Encodes an object with the rules that were applied, `means` over all nights, and `nights`;
  /// durations are in seconds, `efficiency` is a share of the time in bed.
  public func encode(to encoder: any Encoder) throws {
    try table(by: nil).document.encode(to: encoder)
  }
}

extension SleepAverages.Member {
  fileprivate var count: Int? { if case .count(let count) = self { count } else { nil } }
  fileprivate var number: Double? { if case .number(let number) = self { number } else { nil } }
  fileprivate var time: Double? { if case .clock(let time) = self { time } else { nil } }
}
