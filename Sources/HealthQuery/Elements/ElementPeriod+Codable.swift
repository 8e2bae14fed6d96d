import Foundation

extension ElementPeriod: Codable {
  private enum Key: String, CodingKey {
    case interval, from, to, timeZone, changes
  }

  private struct CodedChange: Codable {
    let instant: Double
    let zone: String
  }

  /// Encodes the interval as its text, and zones by their identifiers.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encodeIfPresent(interval?.text, forKey: .interval)
    try members.encodeIfPresent(from, forKey: .from)
    try members.encodeIfPresent(to, forKey: .to)
    try members.encode(timeZone.first.identifier, forKey: .timeZone)
    let changes = timeZone.changes.map {
      CodedChange(instant: $0.instant, zone: $0.zone.identifier)
    }
    if !changes.isEmpty { try members.encode(changes, forKey: .changes) }
  }

  /// Decodes what ``encode(to:)`` encodes, and any text that can be parsed as an interval.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    func corrupted(_ key: Key, _ text: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: members, debugDescription: text)
    }
    func zone(_ identifier: String, _ key: Key) throws -> TimeZone {
      guard let zone = TimeZone(identifier: identifier) else {
        throw corrupted(key, "no time zone \"\(identifier.prefix(80))\"")
      }
      return zone
    }
    let changes = try members.decodeIfPresent([CodedChange].self, forKey: .changes) ?? []
    let timeline = ZoneTimeline(
      first: try zone(try members.decode(String.self, forKey: .timeZone), .timeZone),
      changes: try changes.map {
        ZoneTimeline.Change(instant: $0.instant, zone: try zone($0.zone, .changes))
      })
    guard let timeline else {
      throw corrupted(.changes, "changes of zones that do not ascend within the years 1 to 9999")
    }
    let text = try members.decodeIfPresent(String.self, forKey: .interval)
    let interval = text.flatMap(CalendarInterval.init)
    if text != nil, interval == nil { throw corrupted(.interval, "no length of an interval") }
    self.init(
      timeZone: timeline, interval: interval,
      from: try members.decodeIfPresent(QueryDate.self, forKey: .from),
      to: try members.decodeIfPresent(QueryDate.self, forKey: .to))
  }
}
