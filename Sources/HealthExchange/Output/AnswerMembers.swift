package import HealthQuery

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
