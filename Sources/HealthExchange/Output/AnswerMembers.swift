package import HealthQuery
import HealthSamples

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
