import HealthUnits

extension SampleType: Codable {
  private enum Key: String, CodingKey {
    case identifier, unit, style
  }

  /// Encodes the identifier, and for a quantity its unit and style.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(identifier, forKey: .identifier)
    guard case .quantity(let unit, let style) = kind else { return }
    try members.encode(unit, forKey: .unit)
    try members.encode(style, forKey: .style)
  }

  /// Decodes what ``encode(to:)`` encodes.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Key.self)
    let identifier = try members.decode(String.self, forKey: .identifier)
    guard let unit = try members.decodeIfPresent(UnitExpression.self, forKey: .unit) else {
      self.init(identifier: identifier, kind: .category)
      return
    }
    let style = try members.decode(AggregationStyle.self, forKey: .style)
    self.init(identifier: identifier, kind: .quantity(canonicalUnit: unit, style: style))
  }
}
