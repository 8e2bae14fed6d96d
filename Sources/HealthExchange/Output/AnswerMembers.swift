package import HealthAnswers
import HealthMerge
package import HealthQuery
import HealthSamples
import HealthStatistics

// What programs read of a whole answer, beside its rows.

extension ZoneTimeline {
  /// The key of the time zones of an answer.
  package static let memberName = "timezone"

  /// The zones by name, and one after the other where there are several.
  package var members: [JSON.Member] {
    let name = JSON.Member(Self.memberName, .string(identifier))
    guard !changes.isEmpty else { return [name] }
    let entries =
      [JSON.object([.init("from", .null), .init("zone", .string(first.name))])]
      + changes.map { change in
        JSON.object([
          .init("from", .string(LocalTime(change.instant, in: change.zone).isoText)),
          .init("zone", .string(change.zone.name)),
        ])
      }
    return [name, JSON.Member("zones", .array(entries))]
  }
}

extension StatisticsAnswer {
  /// The type, the unit, the zones, and the rules by which the numbers were found.
  package var members: [JSON.Member] {
    var members: [JSON.Member] =
      [.init("type", .string(type.identifier)), .init("unit", .string(unitText))]
      + timeZone.members + [
        .init("merge", .string(policy.rawValue)), .init("style", .string(style.rawValue)),
        .init("rule", .string(rule.rawValue)),
      ]
    if let method {
      members.append(.init("method", .string(method.rawValue)))
      members.append(
        .init("styleVersion", .optional(styleVersion.map { "sdk\($0.rawValue)" })))
    }
    if let hold { members.append(.init("hold", .number(hold))) }
    members += statisticMethods.map { .init($0.key, .string($0.name)) }
    if isExact { members.append(.init("exact", .bool(true))) }
    return members + [.priority(priority, named: sourceNames)]
  }
}

extension CategoryAnswer {
  /// The type, the unit, the zones, and the rules by which the numbers were found.
  package var members: [JSON.Member] {
    [.init("type", .string(type.identifier)), .init("unit", .string("s"))]
      + timeZone.members + [
        .init("merge", .string(policy.rawValue)), .init("style", .string("category")),
        .init("rule", .string(rule.rawValue)),
        .priority(priority, named: SourceNames(priority)),
      ]
  }
}

extension QuestionAnswer.Column {
  /// The type, the unit, the zones, and the rules by which the numbers were found.
  package var members: [JSON.Member] {
    let unit = JSON.Member("unit", .string(series.unitText))
    guard case .quantity(let answer) = answer else {
      return [.init("type", .string(series.type.identifier)), unit] + series.timeZone.members
    }
    // That of the main statistic, which may be a duration.
    return answer.members.map { $0.key == unit.key ? unit : $0 }
  }

  /// The same, of which rows have what decides the numbers.
  package var rules: [HeadMember] {
    var areMerged = false
    if case .quantity(let answer) = answer { areMerged = answer.style.isCumulative }
    return HeadMember.rules(members, areMerged: areMerged)
  }
}

extension JSON.Member {
  /// The sentence that says what was left out, among the notes on an answer; nothing where nothing was.
  package static func leftOut(_ sentence: String?) -> [Self] {
    sentence.map { [.init("notes", .array([.string($0)]))] } ?? []
  }
}

extension JSON.Member {
  /// The names of sources, the highest rank first.
  fileprivate static func priority(_ sources: [Source], named names: SourceNames) -> Self {
    .init("priority", .array(sources.map { .string(names[$0]) }))
  }
}

extension SleepAnswer {
  /// How nights were found, and the means over all of them where each has a row.
  package func members(by period: SleepAverages.Period?) -> [JSON.Member] {
    var members: [JSON.Member] = [
      .init("gap", .number(longestGap)),
      .init("priority", .array(priority.map { .string($0.description) })),
    ]
    if period == nil, case let averages = averages(), averages.count > 0 {
      let means = zip(SleepAverages.memberNames, averages.members(0)).map { name, member in
        JSON.Member(name, member.json)
      }
      members.append(.init("means", .object(means)))
    }
    return members
  }
}

extension SleepAverages.Member {
  /// The number as JSON.
  fileprivate var json: JSON {
    switch self {
    case .count(let count): .integer(count)
    case .number(let number): .optional(number)
    case .clock(let time): .optional(time.map(SleepAverages.clockText))
    }
  }
}
