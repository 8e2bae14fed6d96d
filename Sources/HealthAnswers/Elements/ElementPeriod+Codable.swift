import HealthQuery

extension ElementPeriod: Codable {
  private enum Key: String, CodingKey {
    case interval, from, to, zones
  }

  /// Encodes the interval as its text, and zones as a question has them.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encodeIfPresent(interval?.text, forKey: .interval)
    try members.encodeIfPresent(from, forKey: .from)
    try members.encodeIfPresent(to, forKey: .to)
    try members.encode(CodedZones(timeZone), forKey: .zones)
  }

  /// Decodes what ``encode(to:)`` encodes, and any text that can be parsed as an interval.
  ///
  /// - Throws: `QueryError` for zones, `DecodingError` for the rest
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    let text = try members.decodeIfPresent(String.self, forKey: .interval)
    let interval = text.flatMap(CalendarInterval.init)
    if text != nil, interval == nil {
      throw DecodingError.dataCorruptedError(
        forKey: .interval, in: members, debugDescription: "no length of an interval")
    }
    self.init(
      timeZone: try members.decode(CodedZones.self, forKey: .zones).timeline, interval: interval,
      from: try members.decodeIfPresent(QueryDate.self, forKey: .from),
      to: try members.decodeIfPresent(QueryDate.self, forKey: .to))
  }
}
