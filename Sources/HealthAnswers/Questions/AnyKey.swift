import HealthQuery

/// A member of an object of JSON, by its name.
package struct AnyKey: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  package init(_ name: String) { stringValue = name }
  package init?(stringValue: String) { self.init(stringValue) }
  package init?(intValue: Int) { nil }
}

extension KeyedEncodingContainer<AnyKey> {
  /// Encodes a member.
  mutating func put(_ value: some Encodable, _ name: String) throws {
    try encode(value, forKey: AnyKey(name))
  }

  /// Encodes a number; null for none, and for one that JSON cannot have.
  mutating func put(number value: Double?, _ name: String) throws {
    guard let value, value.isFinite else { return try encodeNil(forKey: AnyKey(name)) }
    try encode(value, forKey: AnyKey(name))
  }

  /// Encodes an instant as a date and time with its offset; null for none.
  mutating func put(
    instant: Double?, _ name: String, _ offsets: inout OffsetCache
  ) throws {
    guard let instant else { return try encodeNil(forKey: AnyKey(name)) }
    try encode(LocalTime(instant, in: &offsets).isoText, forKey: AnyKey(name))
  }

  /// An object as a member.
  mutating func object(_ name: String) -> KeyedEncodingContainer<AnyKey> {
    nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey(name))
  }

  /// Encodes the name of the zones of days, and those of a traveller.
  mutating func put(zones: ZoneTimeline) throws {
    try put(zones.identifier, "timezone")
    if !zones.changes.isEmpty { try put(CodedZones(zones), "zones") }
  }
}
