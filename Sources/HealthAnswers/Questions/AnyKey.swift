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
}
