import Foundation

// Invariants across several members of a plan are checked on decoding.

extension CalendarInterval: Codable {
  private enum Key: String, CodingKey {
    case months, days, seconds
  }

  /// Encodes the name of the alignment unit, else the numbers of months, days and seconds.
  public func encode(to encoder: any Encoder) throws {
    if let alignment {
      var container = encoder.singleValueContainer()
      return try container.encode(alignment.rawValue)
    }
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(months, forKey: .months)
    try members.encode(days, forKey: .days)
    try members.encode(seconds, forKey: .seconds)
  }

  /// Decodes what ``encode(to:)`` encodes, and any text that can be parsed as an interval.
  public init(from decoder: any Decoder) throws {
    let interval: CalendarInterval?
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      interval = CalendarInterval(text)
    } else {
      let members = try decoder.container(keyedBy: Key.self)
      interval = CalendarInterval(
        months: try members.decode(Int.self, forKey: .months),
        days: try members.decode(Int.self, forKey: .days),
        seconds: try members.decode(Int.self, forKey: .seconds))
    }
    guard let interval else { throw decoder.dataCorrupted("no length of an interval") }
    self = interval
  }
}

extension ZoneTimeline: Codable {
  private enum Key: String, CodingKey {
    case first, changes
  }

  private struct CodedChange: Codable {
    let instant: Double
    let zone: String
  }

  /// Encodes the identifiers of the zones, and the instants of the changes.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(first.identifier, forKey: .first)
    try members.encode(
      changes.map { CodedChange(instant: $0.instant, zone: $0.zone.identifier) }, forKey: .changes)
  }

  /// Decodes what ``encode(to:)`` encodes.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    func zone(_ identifier: String) throws -> TimeZone {
      guard let zone = TimeZone(identifier: identifier) else {
        throw decoder.dataCorrupted("no time zone \"\(identifier.prefix(80))\"")
      }
      return zone
    }
    let changes = try members.decode([CodedChange].self, forKey: .changes).map {
      Change(instant: $0.instant, zone: try zone($0.zone))
    }
    let first = try zone(try members.decode(String.self, forKey: .first))
    guard let timeline = ZoneTimeline(first: first, changes: changes) else {
      throw decoder.dataCorrupted("changes of zones that do not ascend within the years 1 to 9999")
    }
    self = timeline
  }
}

extension Decoder {
  fileprivate func dataCorrupted(_ text: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: text))
  }
}
