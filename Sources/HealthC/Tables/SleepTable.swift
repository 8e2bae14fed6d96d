import HealthAnswers
import HealthExchange
import HealthQuery
import HealthSamples
import HealthStore

/// Nights of sleep, or the means of weeks or months, as a table.
///
/// ```json
/// {"from": "-30d", "by": "night", "gap": "90min"}
/// ```
///
/// Columns have the names of the csv of `hkstats sleep`, and its numbers. What json has as lists are
/// lists here, too; how many naps there are, and how long they are together, have columns of their
/// own beside them.
enum SleepTable {
  enum Member: String, CaseIterable {
    case from, to, timezone, zones, source, exclude, prefer, gap, by
  }

  /// What has a row.
  private enum Grouping: String, CaseIterable {
    case night, week, month

    var period: SleepAverages.Period? { SleepAverages.Period(rawValue: rawValue) }
  }

  /// Asks a store.
  ///
  /// - Throws: `QueryError`
  static func answer(json: String, in store: SampleStore) throws -> Table {
    let members = try Members<Member>(json: json)
    let part = try RequestedPart(members, in: store)
    var plan = SleepPlan(timeZone: part.zones)
    (plan.from, plan.to) = (part.asked.from, part.asked.to)
    plan.preferredSources = try members.texts(.prefer)
    if let gap = try members.seconds(.gap) { plan.longestGap = gap }
    let grouping: Grouping =
      try members.word(.by) { try QuestionWords.word(.interval, $0) }
      ?? .night
    let period = grouping.period
    if let period { try plan.reach(over: period) }
    let answer = try part.store.sleep(plan)
    try part.store.endWatching()
    let head = JSON.object(
      [
        .init("type", .string(SleepPlan.type.identifier)), .init("unit", .string("s")),
      ] + answer.timeZone.members + answer.members(by: period) + [
        .init("unmatched", .array(answer.unmatchedPreferredSources.map(JSON.string)))
      ]
        + JSON.Member.leftOut(
          answer.leftOut.sentence(by: CalendarInterval(.day), in: answer.timeZone)))
    guard let period else {
      return Table("nights", nights(of: answer), count: answer.nights.count, head: head.text)
    }
    let means = answer.averages(by: period)
    return Table(
      period.rawValue + "s", columns(of: means, by: period, in: answer.timeZone),
      count: means.count, head: head.text)
  }

  /// A row a night.
  private static func nights(of answer: SleepAnswer) -> [Column] {
    let (nights, zones) = (answer.nights, answer.timeZone)
    var offsets = OffsetCache(zones)
    let days = nights.days.map { LocalTime($0, in: &offsets).date.dayNumber }
    let rows = 0..<nights.count
    func instants(_ name: String, _ values: [Double?]) -> Column {
      .instants(name, values, in: zones)
    }
    func seconds(_ name: String, _ values: [Double?]) -> Column {
      .reals(name, unit: "s", values)
    }
    let (naps, stretches) = (Array(nights.naps.joined()), Array(nights.stretches.joined()))
    let sources = Array(nights.sources.joined())
    return [
      Column(Field("night", .day), .days(days)),
      instants("start", nights.spans.map { $0?.lowerBound }),
      instants("end", nights.spans.map { $0?.upperBound }),
      instants("asleep_from", nights.sleepSpans.map { $0?.lowerBound }),
      instants("asleep_to", nights.sleepSpans.map { $0?.upperBound }),
      seconds("asleep", nights.asleep),
    ]
      + SleepStage.told.map { stage in seconds(stage.key, nights.stages.map { $0[stage] }) }
      + [
        seconds("in_bed", nights.inBed),
        .reals("efficiency", unit: "1", rows.map { nights.efficiency($0) }),
        .integers("nap_count", nights.naps.map(\.count)),
        seconds("nap_asleep", nights.naps.map { $0.reduce(0) { $0 + $1.asleep } }),
        .lists(
          "naps", counts: nights.naps.map(\.count),
          [
            instants("start", naps.map(\.span.lowerBound)),
            instants("end", naps.map(\.span.upperBound)), seconds("asleep", naps.map(\.asleep)),
          ]),
        .lists(
          "stretches", counts: nights.stretches.map(\.count),
          [
            instants("start", stretches.map(\.span.lowerBound)),
            instants("end", stretches.map(\.span.upperBound)),
            .words("stage", stretches.map(\.stage.key)),
          ]),
        .lists(
          "sources", counts: nights.sources.map(\.count),
          [
            .words("source", sources.map(\.source.description)),
            seconds("asleep", sources.map(\.asleep)), seconds("in_bed", sources.map(\.inBed)),
            seconds("masked", sources.map(\.masked)),
          ]),
      ]
  }

  /// A row a week or month.
  private static func columns(
    of means: SleepAverages, by period: SleepAverages.Period, in zones: ZoneTimeline
  ) -> [Column] {
    let rows = (0..<means.count).map { means.members($0) }
    let labels = rows.indices.map { means.label($0, period, in: zones) }
    let forms = zip(SleepAverages.memberNames, SleepAverages.memberForms)
    return [.texts(period.rawValue, labels)]
      + forms.enumerated().map { place, member in
        let name = CommaSeparated.name(of: member.0)
        let numbers = rows.map { $0[place] }
        return switch member.1 {
        case .count: .integers(name, numbers.map(\.count))
        case .seconds: .reals(name, unit: "s", numbers.map(\.number))
        case .share: .reals(name, unit: "1", numbers.map(\.number))
        case .clock: .texts(name, numbers.map { $0.time.map(SleepAverages.clockText) })
        }
      }
  }
}

extension SleepAverages.Member {
  fileprivate var count: Int? { if case .count(let count) = self { count } else { nil } }
  fileprivate var number: Double? { if case .number(let number) = self { number } else { nil } }
  fileprivate var time: Double? { if case .clock(let time) = self { time } else { nil } }
}
